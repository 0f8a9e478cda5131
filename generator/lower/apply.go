package lower

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/markers"
)

const (
	validationPrefix = "kubebuilder:validation:"
	itemsPrefix      = validationPrefix + "items:"
)

// A target is what the markers stand on: a type, or a field of one.
type target struct {
	decl  *load.TypeDecl
	field *field
}

// what names the target for messages.
func (t target) what() string {
	switch {
	case t.field == nil:
		return "type " + t.decl.Name
	case t.field.goName == "":
		return "embedded field of " + t.decl.Name
	default:
		return "field " + t.field.goName
	}
}

// apply adds to a node what its markers say, those of items last.
func (ap applier) apply(n *node, marks []markers.Marker, on target) {
	ordered := inOrder(marks)
	for i := range ordered {
		m := &ordered[i]
		ap.deviateBy(m)
		switch reachOf(m) {
		case ofValue:
			ap.applyOne(n, m, on)
		case ofParts:
			ap.applyWithin(n, m, on)
		case ofItems:
			ap.applyToItems(n, m, on)
		}
	}
	if !ap.opts.Compat {
		ap.relater().partUnions(n, ordered, on)
		ap.finishList(n)
	}
}

// A reach is what a marker speaks of, seen from what it stands on.
type reach uint8

// The reaches, in the order in which markers are applied: who speaks of a part needs to know all of what it is part of.
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

// inOrder returns markers in the order in which they are applied: by what they speak of, by their phase, and then in
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

// applyToItems adds what a marker says whose name is for the items of a list.
func (ap applier) applyToItems(n *node, m *markers.Marker, on target) {
	isList := n.jsonType() == "array"
	switch {
	case len(m.Steps) > 0, isList && n.items == nil && !ap.opts.Compat && !n.isUnknown():
		ap.applyWithin(n, ap.withItemsStep(m), on)
	case !isList || n.items == nil:
		ap.report(ap.notAList(m, n, on))
	default:
		ap.applyOne(n.items, m, on)
	}
}

// applyOne adds to a node what one marker says of it.
func (ap applier) applyOne(n *node, m *markers.Marker, on target) {
	row := ap.meaning(m)
	if row.apply == nil {
		return
	}
	if m.Def.Ours() {
		ap.deviate(ownMarkers, m.At)
	}
	if row.of == "" || ap.fits(row.of, n, m, on) {
		row.apply(ap, n, m, on)
	}
}

// textOf is the text of an argument, the zero value if it is not given.
func textOf(v *markers.Value) schema.Text {
	if v == nil {
		return schema.Text{}
	}
	return schema.Text{V: v.Text, At: v.At}
}

// setNumber sets a bound, and reports whether it could.
func (ap applier) setNumber(dst **schema.Number, n *node, m *markers.Marker) bool {
	v := m.Arg("")
	literal := ap.value(v, roundedNumber).Text
	if n.jsonType() == "integer" && !schema.IsWholeNumber(literal) {
		d := diag.Errorf(v.At, markers.BadValue, "%s is not an integer, but the value that %s applies to is", v.Text,
			m.Def.Name).
			Help("write a whole number")
		if !schema.IsWholeNumber(roundedNumber(v)) {
			ap.report(d)
			return false
		}
		ap.mistake(d)
	}
	*dst = &schema.Number{V: literal, At: v.At}
	return true
}

func (ap applier) setMultipleOf(n *node, m *markers.Marker, _ target) {
	if ap.setNumber(&n.s.MultipleOf, n, m) && schema.CompareNumbers(n.s.MultipleOf.V, "0") <= 0 {
		ap.mistake(diag.Errorf(m.Arg("").At, markerRange, "MultipleOf must be above 0").Help("write a number above 0"))
	}
}

func (ap applier) setInt(dst **schema.Int, m *markers.Marker) {
	v := m.Arg("")
	i, _ := v.Int64()
	if i < 0 {
		ap.mistake(negative(m, v))
	}
	*dst = &schema.Int{V: i, At: v.At}
}

func negative(m *markers.Marker, v *markers.Value) diag.Diagnostic {
	return diag.Errorf(v.At, markerRange, "%s is negative: no value has fewer than 0", m.Def.Name).
		Help("write 0 or more")
}

func (ap applier) setUniqueItems(n *node, m *markers.Marker, _ target) {
	v := m.Arg("")
	n.s.UniqueItems = &schema.Flag{V: v.Text == "true", At: v.At}
	if n.s.UniqueItems.V {
		ap.mistake(diag.Errorf(v.At, markers.BadValue,
			"the API server refuses uniqueItems: true, since checking it costs the square of the list").
			Help("use +listType=set"))
	}
}

func (ap applier) setEnum(n *node, m *markers.Marker, on target) {
	v := m.Arg("")
	n.s.Enum = nil
	if ap.checkJoined(n, m, on) {
		return
	}
	for i := range v.Items {
		n.s.Enum = append(n.s.Enum, ap.value(&v.Items[i], guessedNumber))
	}
	ap.checkEnum(n, m, on)
	ap.checkDeclaredEnum(n, m, on)
}

func (ap applier) setType(n *node, m *markers.Marker, _ target) {
	v := m.Arg("")
	ap.expect(v, "string", "integer", "number", "boolean", "array", "object")
	if got := n.jsonType(); got != v.Text && !ap.opts.Compat {
		if got != "" && n.unknown == nil && !(got == "integer" && v.Text == "number") {
			ap.mistake(diag.Errorf(v.At, typeConflict, "Go writes %s here, which is never %s", typePhrase(got),
				typePhrase(v.Text)).
				Help("remove the marker, or change the type of the field"))
		}
		n.forgetType()
	}
	n.s.Type = textOf(v)
}

// setDeclaredDefault sets a default that is written as JSON.
func (ap applier) setDeclaredDefault(n *node, m *markers.Marker, _ target) {
	v := m.Arg("")
	if v == nil || v.Kind == markers.Null {
		return // +default=ref(…) is left to other tools, +default=null says nothing
	}
	value := ap.value(v, roundedNumber)
	n.s.Default = &value
}

func (ap applier) setDefault(n *node, m *markers.Marker, _ target) {
	v := m.Arg("")
	value := ap.value(v, guessedNumber)
	if n.s.Type.V == "array" && value.Kind == schema.Object && len(value.Members) == 0 {
		value = schema.Value{Kind: schema.Array} // {} is an empty list as well as an empty map
	}
	value.At = v.At
	n.s.Default = &value
}

func (ap applier) setExample(n *node, m *markers.Marker, _ target) {
	v := m.Arg("")
	value := ap.value(v, guessedNumber)
	n.s.Example = &value
}

func (ap applier) setTitle(n *node, m *markers.Marker, _ target) {
	v := m.Arg("")
	if v.Kind != markers.String {
		ap.report(diag.Errorf(v.At, markers.BadValue, "a title is a string, not %s", v.Text).
			Help("put it in quotes: %q", v.Text))
		return
	}
	n.s.Title = textOf(v)
}

func (ap applier) setExternalDocs(n *node, m *markers.Marker, _ target) {
	address := m.Arg("url")
	if _, err := url.ParseRequestURI(address.Text); err != nil {
		ap.report(diag.Errorf(address.At, markers.BadValue, "url is not valid: %s", err).
			Help("write an absolute address, such as https://example.com/docs"))
		return
	}
	n.s.ExternalDocs = &schema.ExternalDocs{URL: textOf(address), Description: textOf(m.Arg("description")), At: m.At}
}

// ofFields is the rule that a OneOf marker stands for: what it asks of each field, joined and compared. Adding up
// ternaries costs a constant, where a list and a comprehension would not.
func ofFields(join, compare, message string) func(applier, *node, *markers.Marker, target) {
	return func(_ applier, n *node, m *markers.Marker, _ target) {
		var names, terms []string
		var group []schema.Text
		for _, item := range m.Arg("").Items {
			term := "has(self." + item.Text + ")"
			if join == "+" {
				term = "(" + term + "?1:0)"
			}
			names, terms = append(names, item.Text), append(terms, term)
			group = append(group, textOf(&item))
		}
		if len(names) == 0 {
			return
		}
		at := m.Arg("").At
		n.s.Rules = append(n.s.Rules, schema.Rule{
			At: m.At, Rule: schema.Text{V: strings.Join(terms, join) + compare, At: at}, Group: group,
			Message: schema.Text{V: fmt.Sprintf(message, "["+strings.Join(names, " ")+"]"), At: at},
		})
	}
}

// setNonEmpty adds what k8s:required says beyond being required: a value that is not empty, unless a bound says so
// already. controller-gen takes any reference to a named type that it has not looked into for an object.
func (ap applier) setNonEmpty(n *node, m *markers.Marker, _ target) {
	old := n.s.Type.V
	if old != "string" && old != "array" && n.ref != nil {
		old = "object"
	}
	kind := n.jsonType()
	if kind == "string" && n.format() != "" {
		kind = "" // the format refuses an empty string
	}
	switch {
	case ap.opts.Compat:
		kind = old
	case n.sort == pointerSort:
		kind = "" // a pointer is set if it is not nil, whatever it points to
	}
	if old != kind {
		ap.deviate(nonEmpty, m.At)
	}
	var rule expr
	switch {
	case n.quoted && !ap.opts.Compat:
		if zero := ap.flattener().zeroOf(n); zero != nil && zero.Text != "" {
			rule = compare(self(), "!=", celText(zero.Text))
		}
	case kind == "string" || kind == "array" || kind == "object":
		bound := schema.KeywordOf(boundOf("min", kind)).Field.(schema.One[schema.Int])(&n.s)
		*bound = cmp.Or(*bound, &schema.Int{V: 1, At: m.At})
	case ap.opts.Compat:
	case kind == "integer":
		rule = compare(self(), "!=", integer(0))
	case kind == "number":
		rule = compare(self(), "!=", ident("0.0"))
	case kind == "boolean":
		rule = self()
	}
	if !rule.isNone() {
		n.s.Rules = append(n.s.Rules, tagRule(m, rule, "must be specified", "FieldValueRequired", ""))
	}
}

func (ap applier) addListMapKey(n *node, m *markers.Marker, _ target) {
	v := m.Arg("")
	switch {
	case n.listType() != "map" && n.uniqueness() == "map":
		n.uniqueKeys = append(n.uniqueKeys, textOf(v))
	case n.listType() != "map":
		ap.report(diag.Errorf(m.At, markerTopology, "listMapKey needs a list of type map").Help("add +listType=map"))
	case !slices.ContainsFunc(n.s.ListMapKeys, func(t schema.Text) bool { return t.V == v.Text }):
		n.s.ListMapKeys = append(n.s.ListMapKeys, textOf(v))
	}
}

func (ap applier) setMapType(n *node, m *markers.Marker, on target) {
	setString("x-kubernetes-map-type", "granular", "atomic")(ap, n, m, on)
}

func (ap applier) setStructType(n *node, m *markers.Marker, on target) {
	if got := n.s.Type.V; got != "" && got != "object" {
		ap.report(ap.wrongType("object", n, m, on))
		return
	}
	ap.setMapType(n, m, on)
}

// oneOf reports whether a value is one of those permitted, and refuses it if not.
func (ap applier) oneOf(v *markers.Value, permitted ...string) bool {
	if slices.Contains(permitted, v.Text) {
		return true
	}
	ap.report(notPermitted(v, permitted))
	return false
}

// expect is oneOf for values that controller-gen does not look at, and the API server refuses.
func (ap applier) expect(v *markers.Value, permitted ...string) {
	if v != nil && !slices.Contains(permitted, v.Text) {
		ap.mistake(notPermitted(v, permitted))
	}
}

func notPermitted(v *markers.Value, permitted []string) diag.Diagnostic {
	permitted = slices.DeleteFunc(slices.Clone(permitted), func(s string) bool { return s == "" })
	return diag.Errorf(v.At, markers.BadValue, "value %q is not permitted", v.Text).
		Help("%s", oneOfThese(v.Text, permitted))
}

// oneOfThese suggests the name that was perhaps meant, or lists all.
func oneOfThese(name string, names []string) string {
	return cmp.Or(diag.Meant(diag.Near(name, names)), "use one of "+strings.Join(names, ", "))
}
