package markers

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"k8s.io/gengo/v2/codetags"

	"github.com/crdproof/crdproof/diag"
)

// openTags are tags that accept everything that the grammar allows, so that only the grammar is compared.
func openTags() *Table {
	anything, positional := Param{Shape: shapeOf(Any), Optional: true},
		Param{Shape: shapeOf(Any), Optional: true, Positional: true}
	named := func(name string) Param { return Param{Name: name, Shape: shapeOf(Any), Optional: true} }
	rows := []Definition{
		{Name: "k8s:v", Params: []Param{anything}},
		{Name: "k8s:p", Params: []Param{positional, anything}},
		{Name: "k8s:n", Params: []Param{named("a"), named("b-c"), named("_d.e"), anything}},
		{Name: "k8s:each", Step: Each},
		{Name: "k8s:item", Step: Item},
		{Name: "k8s:sub", Step: Subfield, Params: []Param{positional}},
	}
	for i := range rows {
		rows[i].Targets, rows[i].Grammar = Field, Tag
	}
	return NewTable(rows)
}

// A plainTag is a tag as both parsers see it.
type plainTag struct {
	name  string
	args  []string
	value string
}

// theirTags flattens a chain; ok is false if the table does not have it, whatever the grammar says.
func theirTags(t *Table, tag codetags.Tag) (list []plainTag, ok bool) {
	ok = true
	for {
		def := t.index[key{Field, tag.Name}]
		if def == nil {
			return nil, false
		}
		p := plainTag{name: tag.Name}
		for i, a := range tag.Args {
			twice := slices.ContainsFunc(tag.Args[:i], func(b codetags.Arg) bool { return a.Name == b.Name })
			ok = ok && !twice && (def.param(a.Name, true) != nil || def.Step == Item && a.Name != "")
			p.args = append(p.args, a.Name+": "+plainLiteral(string(a.Type), a.Value))
		}
		ok = ok && (def.Step == NoStep) == (tag.ValueTag == nil) && (def.Step != Item || len(tag.Args) > 0)
		if tag.ValueTag == nil {
			if tag.ValueType != codetags.ValueTypeNone {
				p.value = plainLiteral(string(tag.ValueType), tag.Value)
				ok = ok && def.param("", false) != nil
			}
			return append(list, p), ok
		}
		list, tag = append(list, p), *tag.ValueTag
	}
}

func plainLiteral(kind, text string) string {
	if kind == "int" {
		i, err := strconv.ParseInt(text, 0, 64)
		if err != nil {
			return "no integer: " + text
		}
		text = strconv.FormatInt(i, 10)
	}
	return kind + " " + string([]rune(text))
}

func ourTags(m Marker) (list []plainTag, canonical string) {
	literal := func(v Value) string {
		return plainLiteral(map[Kind]string{Int: "int", Bool: "bool", String: "string"}[v.Kind], v.Text)
	}
	written := func(v Value) string {
		if v.Kind == String {
			return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(v.Text) + `"`
		}
		return v.Text
	}
	add := func(name string, args []Arg, value *Arg) {
		p := plainTag{name: name}
		canonical += name
		for i, a := range args {
			p.args = append(p.args, a.Name+": "+literal(a.Value))
			canonical += map[bool]string{true: "(", false: ", "}[i == 0]
			if a.Name != "" {
				canonical += a.Name + ": "
			}
			canonical += written(a.Value)
		}
		if len(args) > 0 {
			canonical += ")"
		}
		if value != nil {
			p.value = literal(value.Value)
			canonical += "=" + written(value.Value)
		}
		list = append(list, p)
	}
	for _, step := range m.Steps {
		add("k8s:"+map[StepKind]string{Each: "each", Item: "item", Subfield: "sub"}[step.Kind], step.Args, nil)
		canonical += "=+"
	}
	args := m.Args
	var value *Arg
	// The value is the text after the parentheses, after the = that follows the name or them.
	if n := len(args); n > 0 && args[n-1].Name == "" && !(m.Def.Name == "k8s:p" && behindParenthesis(m, args[n-1])) {
		value, args = &args[n-1], args[:n-1]
	}
	add(m.Def.Name, args, value)
	return list, canonical
}

// behindParenthesis reports whether an argument follows the parenthesis that opens behind the marker's name.
func behindParenthesis(m Marker, a Arg) bool {
	between := string(m.At.Source.Data[m.Name.End:a.Value.At.Start])
	return strings.HasPrefix(between, "(") && strings.TrimSpace(between[1:]) == ""
}

// rejectedOnPurpose are texts that codetags accepts, but with another meaning than they seem to have.
var rejectedOnPurpose = regexp.MustCompile(`:\s*[,)]` + // a name without a value
	`|:\s*[\pL_][\pL\pN_.-]*\s*:` + // two names
	`|\)=$` + // no value
	`|[(:,=]\s*[-+]?0[0-9]`) // octal or decimal

// acceptedOnPurpose are texts that codetags rejects.
var acceptedOnPurpose = regexp.MustCompile(`[\s\pZ\x{85}\v]|:=`)

// compareTag compares a text with codetags, and returns the differences.
func compareTag(t *Table, text string) error {
	text = strings.TrimSpace(text)
	c := Comment{Text: text, At: diag.At(&diag.Source{Data: []byte(text)}, 0, len(text))}
	def := t.Lookup(text, Field)
	if def == nil {
		return nil
	}
	m, ok, diags := t.Parse(c, Field)
	if err := checkDiagnostics(c, diags, ok, def); err != nil {
		return err
	}
	theirs, err := codetags.Parse(text[1:])
	var want []plainTag
	permitted := false
	if err == nil {
		want, permitted = theirTags(t, theirs)
	}
	switch {
	case !ok && permitted && !rejectedOnPurpose.MatchString(text):
		return fmt.Errorf("theirs %v, ours rejected: %v", want, diags)
	case !ok:
		return nil
	case !permitted && !acceptedOnPurpose.MatchString(text):
		return fmt.Errorf("theirs %v %v, ours accepted", want, err)
	}
	got, canonical := ourTags(m)
	if !permitted {
		if theirs, err = codetags.Parse(canonical); err != nil {
			return fmt.Errorf("%s: %v", canonical, err)
		}
		want, _ = theirTags(t, theirs)
	}
	if g, w := fmt.Sprintf("%q", got), fmt.Sprintf("%q", want); g != w {
		return fmt.Errorf("theirs %s, ours %s", w, g)
	}
	return nil
}

func tagPieces() []string {
	return []string{
		"k8s:v", "k8s:p", "k8s:n", "k8s:each", "k8s:item", "k8s:sub", "+k8s:v", "+k8s:p", "+k8s:n", "=+k8s:each",
		"=+k8s:item", "=+k8s:sub",
		"(", ")", "()", "=", ":", ",", ":=", "#", " ", "\t", "+", "-", ".", "_", "`", `"`, "'", `\`, `\"`, "\\`", `\\`,
		"a",
		"a:", "b-c:", "_d.e: ",
		"true", "false", "x", "ä", "5", "-5", "+5", "0", "0x1F", "0b1", "0o17", "017", "0.5", "1_0", "5a",
		"9223372036854775808", `"q"`, "`r`", `"a b"`,
		"(a: 1, b-c: x)", "(x)", "(true)", "(`y`)", "=5", "=x", "=true", `="z"`, " # remark", "\u00a0", "\xff", "\x00",
		"é9",
	}
}

// TestTagsAgainstCodetags compares tags put together from the pieces of the grammar. -random=5000000 searches for a
// minute.
func TestTagsAgainstCodetags(t *testing.T) {
	table, pieces := openTags(), tagPieces()
	accepted := 0
	for seed := range uint64(10 * *random) {
		r := rand.New(rand.NewPCG(seed, 2))
		text := "+" + pieces[r.IntN(6)]
		for range r.IntN(9) {
			text += pieces[r.IntN(len(pieces))]
		}
		if err := compareTag(table, text); err != nil {
			t.Fatalf("seed %d: %q: %v", seed, text, err)
		}
		if _, ok, _ := table.Parse(Comment{Text: strings.TrimSpace(text), At: diag.Span{Source: &diag.Source{}}},
			Field); ok {
			accepted++
		}
	}
	if accepted < *random/2 {
		t.Errorf("only %d of the tags are any", accepted)
	}
}

// FuzzTag compares the grammar of tags with codetags.
func FuzzTag(f *testing.F) {
	for _, text := range []string{
		"+k8s:v=5", "+k8s:p(x)=`y` # z", `+k8s:each=+k8s:item(a: "x", b: 0x1F)=+k8s:sub(c)=+k8s:v=+0b1`,
		"+k8s:n(a: 1, b-c: true)", `+k8s:v="\\\""`,
		"+k8s:n(a:)", "+k8s:p()=", "+k8s:v:=5", "+k8s:p( x )= 5", "+k8s:v=08", "+k8s:n(a: a: 5)",
	} {
		f.Add(text)
	}
	table := openTags()
	f.Fuzz(func(t *testing.T, text string) {
		text = "+" + strings.TrimPrefix(text, "+")
		if err := compareTag(table, text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	})
}

// FuzzKnown makes sure that no comment makes the parser panic with the whole table, and that each diagnostic is valid.
func FuzzKnown(f *testing.F) {
	table := Known()
	for _, def := range table.Definitions() {
		if def.Category == catTag {
			f.Add(def.Example)
		}
	}
	f.Add("+k8s:subfield(x)=+kubebuilder:validation:items:keys:XValidation:rule=\"a\",message=b")
	f.Add("+kubebuilder:validation:values:valeus:Enum=a;b")
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.TrimSpace("+" + strings.TrimPrefix(text, "+"))
		c := Comment{Text: text, At: diag.At(&diag.Source{Data: []byte(text)}, 0, len(text))}
		for _, target := range targets(anywhere) {
			m, ok, diags := table.Parse(c, target)
			if d := table.Unknown(c, target); d != nil {
				diags = append(diags, *d)
			}
			if err := checkDiagnostics(c, diags, ok, m.Def); err != nil {
				t.Errorf("%q on a %s: %v", text, target.noun(), err)
			}
		}
	})
}

// FuzzContinues makes sure that no text continues without end, and that only tags continue.
func FuzzContinues(f *testing.F) {
	f.Add("+k8s:item(a: x,", "b: y)=+k8s:required")
	f.Add("+k8s:eachVal=", "+k8s:maxLength=5")
	f.Add("+kubebuilder:default=(", "x")
	table := Known()
	f.Fuzz(func(t *testing.T, text, next string) {
		text = "+" + strings.TrimPrefix(text, "+")
		if table.Continues(text, next) && (!strings.HasPrefix(text, "+k8s:") || next == "") {
			t.Errorf("%q goes on in %q", text, next)
		}
	})
}

// TestContinues finds the lines that continue on the next one.
func TestContinues(t *testing.T) {
	for _, c := range []struct {
		text, next string
		want       bool
	}{
		{"+k8s:item(", "type: Ready", true},
		{`+k8s:item(type: ")",`, "n: 1", true},
		{"+k8s:item(type: Ready", ")=+k8s:required", true},
		{"+k8s:item(type: Ready)=", "+k8s:required", true},
		{"+k8s:subfield(x)=+k8s:eachVal=", "+kubebuilder:validation:MaxLength=5", true},
		{"+k8s:subfield(x)=+k8s:item(", "a: b", true},
		{"+k8s:maxLength=", "5", true},

		{"+k8s:item(type: Ready)=", "Ready is what it says.", false},
		{"+k8s:item(type: Ready,", "+optional", false},
		{`+k8s:item(type: "Ready`, "x", false},
		{"+k8s:maxLength=", "+optional", false},
		{"+k8s:eachVal", "+k8s:required", false},
		{"+k8s:required", "It is.", false},
		{"+k8s:unionMember(union: x)", "It is.", false},
		{"+k8s:unionMember(union: x) # (", "It is.", false},
		{"+k8s:eachVal=+kubebuilder:validation:XValidation:rule=f(", "x", false},
		{"+k8s:deepcopy-gen:interfaces=", "x", false},
		{"+kubebuilder:default=", "x", false},
		{"+k8s:nothing(", "x", false},
	} {
		if got := Known().Continues(c.text, c.next); got != c.want {
			t.Errorf("%q goes on in %q: %t", c.text, c.next, got)
		}
		if ControllerGen().Continues(c.text, c.next) {
			t.Errorf("%q goes on to controller-gen", c.text)
		}
	}
}
