package markers

import (
	"fmt"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"sigs.k8s.io/controller-tools/pkg/applyconfiguration"
	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
	"sigs.k8s.io/controller-tools/pkg/deepcopy"
	"sigs.k8s.io/controller-tools/pkg/genall"
	oracle "sigs.k8s.io/controller-tools/pkg/markers"
	"sigs.k8s.io/controller-tools/pkg/rbac"
	"sigs.k8s.io/controller-tools/pkg/webhook"

	"github.com/crdproof/crdproof/diag"
)

// registry returns controller-gen's own table of CRD markers.
func registry(t testing.TB) *oracle.Registry {
	t.Helper()
	reg := &oracle.Registry{}
	if err := crdmarkers.Register(reg); err != nil {
		t.Fatal(err)
	}
	return reg
}

func oracleTarget(t Target) oracle.TargetType {
	return map[Target]oracle.TargetType{
		Package: oracle.DescribesPackage, Type: oracle.DescribesType, Field: oracle.DescribesField,
	}[t]
}

// TestControllerGenIsComplete compares every row of ControllerGen with controller-gen's registry: names, targets,
// arguments, their types, and whether they are optional.
func TestControllerGenIsComplete(t *testing.T) {
	describe := func(name, target string, params []string) string {
		sort.Strings(params)
		return name + " on " + target + " (" + strings.Join(params, ", ") + ")"
	}
	var got, want []string
	for _, def := range ControllerGen().Definitions() {
		for _, target := range targets(def.Targets) {
			var params []string
			for _, p := range def.Params {
				params = append(params, fmt.Sprintf("%s %s optional=%v", p.Name, shapeName(p.Shape), p.Optional))
			}
			got = append(got, describe(def.Name, target.noun(), params))
		}
	}
	for _, def := range registry(t).AllDefinitions() {
		var params []string
		for name, arg := range def.Fields {
			if def.Name == "default" {
				name = "" // an implementation detail shows: it reads its text itself
			}
			params = append(params, fmt.Sprintf("%s %s optional=%v", name, strings.TrimPrefix(arg.TypeString(), "*"),
				arg.Optional))
		}
		want = append(want, describe(def.Name, def.Target.String(), params))
	}
	sort.Strings(got)
	sort.Strings(want)
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("table:\n%s\n\ncontroller-gen:\n%s", g, w)
	}
}

// TestOwnMarkers makes sure that the rows that Known adds are markers that controller-gen does not have.
func TestOwnMarkers(t *testing.T) {
	reg := registry(t)
	own := 0
	for _, def := range Known().Definitions() {
		for _, target := range targets(def.Targets) {
			if theirs := reg.Lookup("+"+def.Name, oracleTarget(target)); def.Own != (theirs == nil) {
				t.Errorf("%s on a %s: own is %t, controller-gen has %v", def.Name, target.noun(), def.Own, theirs)
			}
		}
		if def.Own {
			own++
		}
	}
	if want := len(Known().Definitions()) - len(ControllerGen().Definitions()); own != want || own == 0 {
		t.Errorf("%d rows are our own, Known adds %d", own, want)
	}
}

// TestOtherGenerators compares the known names of other generators' markers, from which a misspelled one gets its near
// name, with those that controller-gen registers.
func TestOtherGenerators(t *testing.T) {
	reg := &oracle.Registry{}
	for _, g := range []genall.Generator{
		deepcopy.Generator{}, rbac.Generator{}, webhook.Generator{}, applyconfiguration.Generator{},
	} {
		if err := g.RegisterMarkers(reg); err != nil {
			t.Fatal(err)
		}
	}
	var want []string
	for _, def := range reg.AllDefinitions() {
		isCRD := slices.ContainsFunc(registry(t).AllDefinitions(), func(crd *oracle.Definition) bool {
			return crd.Name == def.Name
		})
		if strings.HasPrefix(def.Name, "kubebuilder:") && !isCRD {
			want = append(want, def.Name)
		}
	}
	slices.Sort(want)
	want = slices.Compact(want)
	if got := slices.Sorted(slices.Values(otherGenerators())); !slices.Equal(got, want) {
		t.Errorf("otherGenerators has %v, controller-gen registers %v", got, want)
	}
}

func shapeName(s Shape) string {
	switch s.Kind {
	case Bool:
		return "bool"
	case Int:
		return "int"
	case Number:
		return "float64"
	case String:
		return "string"
	case List:
		return "[]" + shapeName(*s.Elem)
	case Any:
		return "<any>"
	}
	return "?"
}

// oracleParse parses with controller-gen's parser, which panics on some input.
func oracleParse(def *oracle.Definition, text string) (out any, err error, panicked bool) {
	defer func() {
		if recover() != nil {
			panicked = true
		}
	}()
	out, err = def.Parse(text)
	return out, err, false
}

// oracleArgument returns the value that controller-gen read for an argument.
func oracleArgument(def *oracle.Definition, out any, name string) any {
	v := reflect.ValueOf(out)
	if def.Name == "default" {
		return plain(v.FieldByName("Value"))
	}
	if field := def.FieldNames[name]; field != "" {
		v = v.FieldByName(field)
	}
	return plain(v)
}

// plain reduces a Go value to bool, int, float64, string, []any, map[string]any or nil.
func plain(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return nil
		}
		return plain(v.Elem())
	case reflect.Bool:
		return v.Bool()
	case reflect.Int, reflect.Int32, reflect.Int64:
		return int(v.Int())
	case reflect.Float64:
		return v.Float()
	case reflect.String:
		return v.String()
	case reflect.Slice:
		list := []any{}
		for i := range v.Len() {
			list = append(list, plain(v.Index(i)))
		}
		return list
	case reflect.Map:
		m := map[string]any{}
		for it := v.MapRange(); it.Next(); {
			m[it.Key().String()] = plain(it.Value())
		}
		return m
	}
	panic("unexpected " + v.Kind().String())
}

// ownPlain reduces a Value in the same way; JSON's numbers are all floats to controller-gen.
func ownPlain(v Value, grammar Grammar) any {
	switch v.Kind {
	case Bool:
		return v.Text == "true"
	case Int, Number:
		if v.Kind == Int && grammar != JSON {
			i, _ := v.Int64()
			return int(i)
		}
		f, _ := strconv.ParseFloat(v.Text, 64)
		return f
	case String:
		return v.Text
	case List:
		list := []any{}
		for _, item := range v.Items {
			list = append(list, ownPlain(item, grammar))
		}
		return list
	case Map:
		m := map[string]any{}
		for _, member := range v.Members {
			m[member.Key] = ownPlain(member.Value, grammar)
		}
		return m
	}
	return nil
}

func isZero(v any) bool {
	switch v := v.(type) {
	case []any:
		return len(v) == 0
	case nil:
		return true
	}
	return reflect.ValueOf(v).IsZero()
}

// compare parses a text on a target with both parsers and returns the differences, except those that Parse's comment
// lists.
func compare(known *Table, reg *oracle.Registry, text string, target Target) error {
	text = strings.TrimSpace(text)
	src := &diag.Source{Path: "x.go", Data: []byte("// " + text)}
	c := Comment{Text: text, At: diag.At(src, 3, 3+len(text))}
	theirs, ours := reg.Lookup(text, oracleTarget(target)), known.Lookup(text, target)
	if (theirs == nil) != (ours == nil) {
		return fmt.Errorf("lookup: theirs %v, ours %v", theirs, ours)
	}
	m, ok, diags := known.Parse(c, target)
	if d := known.Unknown(c, target); ours != nil && d != nil {
		return fmt.Errorf("known, but Unknown says %v", d)
	} else if d != nil {
		diags = append(diags, *d)
	}
	if err := checkDiagnostics(c, diags, ok, ours); err != nil {
		return err
	}
	if ours == nil {
		return nil
	}
	if theirs.Name != ours.Name {
		return fmt.Errorf("lookup: theirs %s, ours %s", theirs.Name, ours.Name)
	}
	if ours.Forbidden != "" {
		return nil
	}
	out, err, panicked := oracleParse(theirs, text)
	if panicked {
		return nil
	}
	if err == nil && ours.Grammar == Float && notFinite(out) {
		return nil
	}
	for _, d := range diags {
		if strings.Contains(d.Message, "nested deeper") {
			return nil
		}
	}
	if ok != (err == nil) {
		return fmt.Errorf("theirs %v, ours %v %+v", err, ok, diags)
	}
	if !ok {
		return nil
	}
	if err := checkSpans(c, m); err != nil {
		return err
	}
	for _, p := range ours.Params {
		want := oracleArgument(theirs, out, p.Name)
		v := m.Arg(p.Name)
		if v == nil {
			if !isZero(want) {
				return fmt.Errorf("argument %q: theirs %v, ours absent", p.Name, want)
			}
			continue
		}
		if got := ownPlain(*v, ours.Grammar); !reflect.DeepEqual(got, want) {
			return fmt.Errorf("argument %q: theirs %#v, ours %#v", p.Name, want, got)
		}
	}
	return nil
}

func notFinite(out any) bool {
	f := reflect.ValueOf(out).Float()
	return f != f || f-f != 0
}

// checkDiagnostics makes sure that a rejected text has at least one untolerated diagnostic, and an accepted text has
// none. Each diagnostic must have a help, and a span within the comment.
func checkDiagnostics(c Comment, diags []diag.Diagnostic, ok bool, def *Definition) error {
	hard := 0
	for _, d := range diags {
		if !Tolerated(d.Check) {
			hard++
		}
		if d.Span.Source == nil || d.Span.Start < c.At.Start || d.Span.End > c.At.End || d.Span.End < d.Span.Start {
			return fmt.Errorf("span %d-%d of %d-%d: %s", d.Span.Start, d.Span.End, c.At.Start, c.At.End, d.Message)
		}
		if d.HelpText == "" || strings.HasSuffix(d.Message, ".") || d.Message == "" {
			return fmt.Errorf("poor words: %+v", d)
		}
	}
	if def != nil && ok != (hard == 0) {
		return fmt.Errorf("ok=%v with %+v", ok, diags)
	}
	return nil
}

// checkSpans makes sure that the positions of names and values are right.
func checkSpans(c Comment, m Marker) error {
	text := func(s diag.Span) string { return string(c.At.Source.Data[s.Start:s.End]) }
	if text(m.Name) != m.Def.Name {
		return fmt.Errorf("name at %q", text(m.Name))
	}
	var check func(v Value) error
	check = func(v Value) error {
		switch v.Kind {
		case String:
			for i := 0; i <= len(v.Text); i++ {
				at := textAt(v, i)
				if at.Start < v.At.Start || at.End > v.At.End || at.End < at.Start {
					return fmt.Errorf("byte %d of %q at %d-%d, outside %d-%d", i, v.Text, at.Start, at.End, v.At.Start,
						v.At.End)
				}
				if s := text(at); i < len(v.Text) && s != "" && s[0] != '\\' && !strings.HasPrefix(v.Text[i:], s) &&
					!strings.Contains(s, v.Text[i:i+1]) && v.Text[i] < 0x80 {
					return fmt.Errorf("byte %d of %q is written %q", i, v.Text, s)
				}
			}
		case Bool, Null:
			if v.Kind == Bool && text(v.At) != v.Text {
				return fmt.Errorf("%q at %q", v.Text, text(v.At))
			}
		case Int, Number:
			if strings.Join(strings.Fields(text(v.At)), "") != v.Text {
				return fmt.Errorf("%q at %q", v.Text, text(v.At))
			}
		}
		for _, item := range v.Items {
			if err := check(item); err != nil {
				return err
			}
		}
		for _, member := range v.Members {
			if err := check(member.Value); err != nil {
				return err
			}
		}
		return nil
	}
	for _, a := range m.Args {
		if text(a.NameAt) != a.Name {
			return fmt.Errorf("argument %q at %q", a.Name, text(a.NameAt))
		}
		if err := check(a.Value); err != nil {
			return err
		}
	}
	return nil
}
