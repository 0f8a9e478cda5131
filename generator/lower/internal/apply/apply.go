package apply

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"net/url"
	"slices"
	"strconv"
	"strings"

	kubecel "k8s.io/apiserver/pkg/cel"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/lower/internal/cel"
	"github.com/crdproof/crdproof/generator/lower/internal/checks"
	"github.com/crdproof/crdproof/generator/lower/internal/node"
	"github.com/crdproof/crdproof/generator/lower/internal/options"
	"github.com/crdproof/crdproof/generator/lower/internal/read"
	"github.com/crdproof/crdproof/generator/lower/internal/report"
	"github.com/crdproof/crdproof/internal/gojson"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/schema"
)

// Apply applies markers to a node, those for items last.
func (ap Applier) Apply(n *node.Node, marks []markers.Marker, on node.Target) {
	ordered := inOrder(marks)
	for i := range ordered {
		m := &ordered[i]
		ap.deviateBy(m)
		ap.DoubtOnly(read.DoubtOf(m.Def), func() {
			switch reachOf(m) {
			case ofValue:
				ap.applyOne(n, m, on)
			case ofParts:
				ap.applyWithin(n, m, on)
			case ofItems:
				ap.applyToItems(n, m, on)
			}
		})
	}
	if !ap.Opts.Compat {
		ap.partUnions(n, ordered, on)
		ap.finishList(n)
	}
}

// A reach says whether a marker applies to the value of its target, to a part of it, or to its items.
type reach uint8

// The reaches, in the order in which markers are applied: a marker for a part needs the whole to be complete.
const (
	ofValue reach = iota
	ofParts
	ofItems
)

func reachOf(m *markers.Marker) reach {
	switch {
	case m.Def.ItemsOf != "":
		return ofItems
	case len(m.Steps) > 0:
		return ofParts
	}
	return ofValue
}

// inOrder returns markers in the order in which they are applied: by their reach, by their phase, and then in
// the order in which their names first occur. Markers of one name stay together.
func inOrder(marks []markers.Marker) []markers.Marker {
	first := map[string]int{}
	place := func(m *markers.Marker) string { return cmp.Or(m.Def.Beside, m.Def.Name) }
	for i := range marks {
		if name := place(&marks[i]); first[name] == 0 {
			first[name] = i + 1
		}
	}
	ordered := slices.Clone(marks)
	slices.SortStableFunc(ordered, func(x, y markers.Marker) int {
		return cmp.Or(cmp.Compare(reachOf(&x), reachOf(&y)), x.Def.Phase.Compare(y.Def.Phase),
			first[place(&x)]-first[place(&y)])
	})
	return ordered
}

// applyToItems applies a marker whose name is for the items of a list.
func (ap Applier) applyToItems(n *node.Node, m *markers.Marker, on node.Target) {
	isList := n.JSONType() == "array"
	switch {
	case len(m.Steps) > 0, isList && n.Items == nil && ap.Opts.With(options.OwnMarkers) && !n.IsUnknown():
		ap.applyWithin(n, ap.withItemsStep(m), on)
	case !isList || n.Items == nil:
		ap.Report(ap.notAList(m, n, on))
	default:
		ap.applyOne(n.Items, m, on)
	}
}

// applyOne applies one marker to a node.
func (ap Applier) applyOne(n *node.Node, m *markers.Marker, on node.Target) {
	row := ap.meaningOn(n, m)
	if row.apply == nil {
		return
	}
	if m.Def.Ours() {
		ap.Deviate(options.OwnMarkers, m.At)
	}
	if row.jsonType == "" || ap.fits(row.jsonType, n, m, on) {
		row.apply(ap, n, m, on)
	}
}

// require adds what a marker requires to a node. Of controller-gen's markers for one keyword, the last one counts. One
// of our own never loosens what others require, and they do not loosen it, in any order: the two merge as the keywords
// of a type and a field do.
func (ap Applier) require(n *node.Node, m *markers.Marker, required *schema.Schema) {
	rows := schema.Keywords()
	for i := range rows {
		k := &rows[i]
		if !k.IsSet(required) {
			continue
		}
		isTight := slices.Contains(n.Tightened, k.Name)
		if m.Def.Own && !isTight {
			n.Tightened = append(slices.Clip(n.Tightened), k.Name)
		}
		if m.Def.Own || isTight {
			k.Narrow(&n.Own, required)
		} else {
			k.Copy(&n.Own, required)
		}
	}
}

// number returns the bound that a marker sets, or nil with a diagnostic.
func (ap Applier) number(n *node.Node, m *markers.Marker) *schema.Number {
	v, ok := ap.numeral(n, m)
	if !ok {
		return nil
	}
	literal := ap.value(v, roundedNumber).Text
	if n.JSONType() == "integer" && !schema.IsWholeNumber(literal) {
		d := diag.Errorf(v.At, markers.BadValue, "expected an integer, got %s", v.Text).
			Help("write a whole number%s", wholeNumber(literal, m.Def.Name))
		if !schema.IsWholeNumber(roundedNumber(v)) {
			ap.Report(d)
			return nil
		}
		ap.Mistake(d)
	}
	return &schema.Number{V: literal, At: v.At}
}

func (ap Applier) setMultipleOf(n *node.Node, m *markers.Marker, _ node.Target) {
	factor := ap.number(n, m)
	if factor == nil {
		return
	}
	ap.require(n, m, &schema.Schema{MultipleOf: factor})
	if schema.CompareNumbers(factor.V, "0") <= 0 {
		ap.Mistake(diag.Errorf(m.Arg("").At, checks.MarkerRange, "expected a number above 0, got %s", m.Arg("").Text).
			Help("write a number above 0, such as 1"))
	}
}

// wholeNumber suggests an integer near a number that is not, on the side that a bound allows; "" for one that the API
// server would round.
func wholeNumber(literal, marker string) string {
	r, ok := new(big.Rat).SetString(literal)
	if !ok {
		return ""
	}
	floor := new(big.Int).Div(r.Num(), r.Denom())
	if !r.IsInt() && (strings.HasSuffix(strings.ToLower(marker), "minimum") || floor.Sign() == 0) {
		floor.Add(floor, big.NewInt(1))
	}
	if !floor.IsInt64() || floor.BitLen() > 53 {
		return ""
	}
	return ", such as " + floor.String()
}

// size returns the bound of a size that a marker sets.
func (ap Applier) size(m *markers.Marker) *schema.Int {
	v := m.Arg("")
	i, _ := v.Int64()
	if i < 0 {
		ap.Mistake(negative(m, v))
	}
	return &schema.Int{V: i, At: v.At}
}

func negative(m *markers.Marker, v *markers.Value) diag.Diagnostic {
	return diag.Errorf(v.At, checks.MarkerRange, "expected 0 or more for %s, got %s", m.Def.Name, v.Text).
		Help("write a whole number, such as 0")
}

func (ap Applier) setUniqueItems(n *node.Node, m *markers.Marker, _ node.Target) {
	v := m.Arg("")
	n.Own.UniqueItems = &schema.Flag{V: v.Text == "true", At: v.At}
	if n.Own.UniqueItems.V {
		instead := "remove the marker, or check the items with a rule"
		if m.Def.ItemsOf == "" && len(m.Steps) == 0 && n.Element().IsScalar() {
			instead = "write +listType=set"
		}
		ap.Mistake(diag.Errorf(v.At, markers.BadValue,
			"the API server rejects uniqueItems: true, since checking it takes quadratic time").
			Help("%s", instead))
	}
}

func (ap Applier) setEnum(n *node.Node, m *markers.Marker, on node.Target) {
	v := m.Arg("")
	if ap.checkJoined(n, m, on) {
		n.Own.Enum = nil
		return
	}
	values := make([]schema.Value, len(v.Items))
	for i := range v.Items {
		values[i] = ap.value(&v.Items[i], guessedNumber)
	}
	values = ap.ofVariant(values, n, m, on)
	if len(values) == 0 {
		n.Own.Enum = nil
	}
	ap.require(n, m, &schema.Schema{Enum: values})
	ap.checkEnum(n, m, on)
	ap.checkDeclaredEnum(n, m, on)
}

func (ap Applier) setType(n *node.Node, m *markers.Marker, _ node.Target) {
	v := m.Arg("")
	ap.expect(v, "string", "integer", "number", "boolean", "array", "object")
	if n.IsIntOrString() && !ap.Opts.Compat {
		ap.checkTypeOfUnion(n, v)
	} else if got := n.JSONType(); got != v.Text && !ap.Opts.Compat {
		if got != "" && n.Unknown == nil && !(got == "integer" && v.Text == "number") {
			ap.Mistake(diag.Errorf(v.At, checks.TypeConflict, "Go encodes this value as %s, not as %s",
				report.TypePhrase(got), report.TypePhrase(v.Text)).
				Help("remove the marker, or change the type of the field").
				Changes(diag.AcceptsOther, "values that Go decodes"))
		}
		hasFormat := n.Ints != nil && n.Ints.Compat != ""
		n.ForgetType()
		if !n.Own.Format.At.IsValid() && gojson.RangeOfFormat(n.Own.Format.V) != nil &&
			(!hasFormat || ap.Opts.With(options.NumberRanges)) {
			n.Own.Format = schema.Text{}
			if hasFormat {
				ap.Deviate(options.NumberRanges, v.At)
			}
		}
	}
	n.Own.Type = read.TextOf(v)
}

// checkTypeOfUnion reports a type that Go never writes of an integer or a string. It writes each quantity as a string.
func (ap Applier) checkTypeOfUnion(n *node.Node, v *markers.Value) {
	kind := "an integer or a string"
	if n.KnownName() == "Quantity" {
		kind = "a string"
	}
	if strings.Contains(kind, v.Text) {
		return
	}
	ap.Mistake(diag.Errorf(v.At, checks.TypeConflict, "Go encodes this value as %s, not as %s", kind,
		report.TypePhrase(v.Text)).
		Help("remove the marker, or change the type of the field").
		Changes(diag.AcceptsOther, "values that Go decodes"))
}

// setDeclaredDefault sets a default that is written as JSON.
func (ap Applier) setDeclaredDefault(n *node.Node, m *markers.Marker, _ node.Target) {
	v := m.Arg("")
	if v == nil || v.Kind == markers.Null {
		return // other tools read +default=ref(…), and +default=null has no effect
	}
	value := ap.value(v, roundedNumber)
	n.Own.Default = &value
}

func (ap Applier) setDefault(n *node.Node, m *markers.Marker, _ node.Target) {
	v := m.Arg("")
	value := ap.value(v, guessedNumber)
	if n.Own.Type.V == "array" && value.Kind == schema.Object && len(value.Members) == 0 {
		value = schema.Value{Kind: schema.Array} // {} is an empty list as well as an empty map
	}
	value.At = v.At
	n.Own.Default = &value
}

func (ap Applier) setExample(n *node.Node, m *markers.Marker, _ node.Target) {
	v := m.Arg("")
	value := ap.value(v, guessedNumber)
	n.Own.Example = &value
}

func (ap Applier) setTitle(n *node.Node, m *markers.Marker, _ node.Target) {
	v := m.Arg("")
	if v.Kind != markers.String {
		ap.Report(diag.Errorf(v.At, markers.BadValue, "expected a string, got %s", v.Text).
			Help("put it in quotes: %q", v.Written()).Do(diag.Replace, strconv.Quote(v.Written())))
		return
	}
	n.Own.Title = read.TextOf(v)
}

func (ap Applier) setExternalDocs(n *node.Node, m *markers.Marker, _ node.Target) {
	address := m.Arg("url")
	if _, err := url.ParseRequestURI(address.Text); err != nil {
		var invalid *url.Error
		if errors.As(err, &invalid) {
			err = invalid.Err
		}
		ap.Report(diag.Errorf(address.At, markers.BadValue, "expected a URL, got %q: %s", address.Text, err).
			Help("write an absolute URL, such as https://example.com/docs"))
		return
	}
	n.Own.ExternalDocs = &schema.ExternalDocs{URL: read.TextOf(address),
		Description: read.TextOf(m.Arg("description")), At: m.At}
}

// ofFields returns the rule of a OneOf marker: a term for each field, joined and compared. A sum of ternaries has a
// constant cost; a list with a comprehension does not.
func ofFields(join, compare, message string) func(Applier, *node.Node, *markers.Marker, node.Target) {
	return func(ap Applier, n *node.Node, m *markers.Marker, _ node.Target) {
		var names, terms []string
		var group []schema.Text
		for _, item := range m.Arg("").Items {
			field := item.Text
			if ap.MeantField(field) == field && inCEL(field) != field && ap.Opts.With(options.EscapedNames) {
				field = inCEL(field)
				ap.Deviate(options.EscapedNames, item.At)
			}
			term := "has(self." + field + ")"
			if join == "+" {
				term = "(" + term + "?1:0)"
			}
			names, terms = append(names, item.Text), append(terms, term)
			group = append(group, read.TextOf(&item))
		}
		if len(names) == 0 {
			return
		}
		at := m.Arg("").At
		n.Own.Rules = append(n.Own.Rules, schema.Rule{
			At: m.At, Rule: schema.Text{V: strings.Join(terms, join) + compare, At: at}, Group: group,
			Message: schema.Text{V: fmt.Sprintf(message, "["+strings.Join(names, " ")+"]"), At: at},
		})
	}
}

// setNonEmpty applies what k8s:required means beyond being required: the value must not be empty, unless a bound says
// so already. controller-gen treats a reference to a named type that it has not read as an object.
func (ap Applier) setNonEmpty(n *node.Node, m *markers.Marker, on node.Target) {
	old := n.Own.Type.V
	if old != "string" && old != "array" && n.Ref != nil {
		old = "object"
	}
	kind := n.JSONType()
	if kind == "string" && n.Format() != "" {
		kind = "" // the format rejects an empty string
	}
	inFull := ap.Opts.With(options.NonEmpty) && ap.Enforces(on.Decl.Pkg)
	switch {
	case !ap.Opts.With(options.NonEmpty):
		kind = old
	case n.Sort == node.PointerSort:
		kind = "" // a pointer is set if it is not nil
	}
	if boundOf("min", old) != boundOf("min", kind) && (hasSize(old) || hasSize(kind)) {
		ap.Deviate(options.NonEmpty, m.At)
	}
	var rule cel.Expr
	switch {
	case n.Quoted && inFull:
		if zero := ap.Flat.At(ap.Reporter).ZeroOf(n); zero != nil && zero.Text != "" {
			rule = cel.Compare(cel.Self(), "!=", cel.Text(zero.Text))
		}
	case hasSize(kind):
		var required schema.Schema
		k := schema.KeywordOf(boundOf("min", kind))
		*k.Field.(schema.One[schema.Int])(&required) = &schema.Int{V: 1, At: m.At}
		if !k.IsSet(&n.Own) || slices.Contains(n.Tightened, k.Name) {
			k.Narrow(&n.Own, &required)
		}
	case !inFull:
	case kind == "integer":
		rule = cel.Compare(cel.Self(), "!=", cel.Int(0))
	case kind == "number":
		rule = cel.Compare(cel.Self(), "!=", cel.Ident("0.0"))
	case kind == "boolean":
		rule = cel.Self()
	}
	if !rule.IsNone() {
		ap.Deviate(options.NonEmpty, m.At)
		n.Own.Rules = append(n.Own.Rules, tagRule(m, rule, detail(m, "must be specified"),
			"FieldValueRequired", ""))
	}
}

// detail returns what the error of a marker says: the detail that the marker has, or the usual text.
func detail(m *markers.Marker, usual string) string {
	if v := m.Arg(""); v != nil && v.Text != "" {
		return v.Text
	}
	return usual
}

// hasSize reports whether the values of a JSON type can be empty.
func hasSize(jsonType string) bool {
	return jsonType == "string" || jsonType == "array" || jsonType == "object"
}

func (ap Applier) addListMapKey(n *node.Node, m *markers.Marker, _ node.Target) {
	v := m.Arg("")
	switch {
	case n.ListType() != "map" && n.Uniqueness() == "map":
		n.UniqueKeys = append(n.UniqueKeys, read.TextOf(v))
	case n.ListType() != "map" && ap.Doubts() != 0:
	case n.ListType() != "map":
		help := "add +listType=map"
		if n.ListType() != "" {
			help = "change the list type to map, or remove the marker"
		}
		ap.Report(diag.Errorf(m.At, checks.MarkerTopology, "listMapKey applies to lists with listType=map").
			Help("%s", help))
	case !slices.ContainsFunc(n.Own.ListMapKeys, func(t schema.Text) bool { return t.V == v.Text }):
		n.Own.ListMapKeys = append(n.Own.ListMapKeys, read.TextOf(v))
	}
}

func (ap Applier) setStructType(n *node.Node, m *markers.Marker, on node.Target) {
	if got := n.Own.Type.V; got != "" && got != "object" {
		ap.Report(ap.WrongType("object", n, m, on))
		return
	}
	setMapType(ap, n, m, on)
}

// oneOf reports whether a value is one of those allowed, and rejects it if not.
func (ap Applier) oneOf(v *markers.Value, allowed ...string) bool {
	if slices.Contains(allowed, v.Text) {
		return true
	}
	ap.Report(notAllowed(v, allowed))
	return false
}

// expect reports, as oneOf does, values that controller-gen does not check and the API server rejects.
func (ap Applier) expect(v *markers.Value, allowed ...string) {
	if v != nil && !slices.Contains(allowed, v.Text) {
		ap.Mistake(notAllowed(v, allowed))
	}
}

func notAllowed(v *markers.Value, allowed []string) diag.Diagnostic {
	allowed = slices.DeleteFunc(slices.Clone(allowed), func(s string) bool { return s == "" })
	return diag.Errorf(v.At, markers.BadValue, "expected %s, got %q", diag.Or(allowed), v.Text).
		Help("%s", diag.DidYouMean(v.Text, allowed))
}

// inCEL returns how a field is written in CEL. Names that are merely reserved words are left to the compiler, which
// knows since which version they need no escape.
func inCEL(name string) string {
	escaped, ok := kubecel.Escape(name)
	if _, isWord := kubecel.Unescape("__" + name + "__"); !ok || isWord &&
		!slices.Contains([]string{"true", "false", "null", "in"}, name) {
		return name
	}
	return escaped
}
