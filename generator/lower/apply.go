package lower

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"net/url"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/internal/gojson"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/schema"
)

const (
	validationPrefix = "kubebuilder:validation:"
	itemsPrefix      = validationPrefix + "items:"
)

// A target is what markers are on: a type, or a field of one.
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

// apply applies markers to a node, those for items last.
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
func (ap applier) applyToItems(n *node, m *markers.Marker, on target) {
	isList := n.jsonType() == "array"
	switch {
	case len(m.Steps) > 0, isList && n.items == nil && ap.opts.With(ownMarkers) && !n.isUnknown():
		ap.applyWithin(n, ap.withItemsStep(m), on)
	case !isList || n.items == nil:
		ap.report(ap.notAList(m, n, on))
	default:
		ap.applyOne(n.items, m, on)
	}
}

// applyOne applies one marker to a node.
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
		d := diag.Errorf(v.At, markers.BadValue, "expected an integer, got %s", v.Text).
			Help("write a whole number%s", wholeNumber(literal, m.Def.Name))
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
		ap.mistake(diag.Errorf(m.Arg("").At, markerRange, "expected a number above 0, got %s", m.Arg("").Text).
			Help("write a number above 0, such as 1"))
	}
}

// wholeNumber suggests an integer near a number that is not, on the side that a bound allows; "" for one that the API
// server would round.
func wholeNumber(literal, marker string) string {
	r := ratOf(&schema.Number{V: literal})
	floor := new(big.Int).Div(r.Num(), r.Denom())
	if !r.IsInt() && (strings.HasSuffix(strings.ToLower(marker), "minimum") || floor.Sign() == 0) {
		floor.Add(floor, big.NewInt(1))
	}
	if !floor.IsInt64() || floor.BitLen() > 53 {
		return ""
	}
	return ", such as " + floor.String()
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
	return diag.Errorf(v.At, markerRange, "expected 0 or more for %s, got %s", m.Def.Name, v.Text).
		Help("write a whole number, such as 0")
}

func (ap applier) setUniqueItems(n *node, m *markers.Marker, _ target) {
	v := m.Arg("")
	n.s.UniqueItems = &schema.Flag{V: v.Text == "true", At: v.At}
	if n.s.UniqueItems.V {
		instead := "remove the marker, or check the items with a rule"
		if m.Def.ItemsOf == "" && len(m.Steps) == 0 && n.element().isScalar() {
			instead = "write +listType=set"
		}
		ap.mistake(diag.Errorf(v.At, markers.BadValue,
			"the API server rejects uniqueItems: true, since checking it takes quadratic time").
			Help("%s", instead))
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
	if n.isIntOrString() && !ap.opts.Compat {
		ap.checkTypeOfUnion(n, v)
	} else if got := n.jsonType(); got != v.Text && !ap.opts.Compat {
		if got != "" && n.unknown == nil && !(got == "integer" && v.Text == "number") {
			ap.mistake(diag.Errorf(v.At, typeConflict, "Go encodes this value as %s, not as %s", typePhrase(got),
				typePhrase(v.Text)).
				Help("remove the marker, or change the type of the field"))
		}
		n.forgetType()
		if ap.opts.With(numberRanges) && !n.s.Format.At.IsValid() && gojson.RangeOfFormat(n.s.Format.V) != nil {
			n.s.Format = schema.Text{}
			ap.deviate(numberRanges, v.At)
		}
	}
	n.s.Type = textOf(v)
}

// checkTypeOfUnion reports a type that Go never writes of an integer or a string. It writes each quantity as a string.
func (ap applier) checkTypeOfUnion(n *node, v *markers.Value) {
	is := "an integer or a string"
	if n.knownName() == "Quantity" {
		is = "a string"
	}
	if strings.Contains(is, v.Text) {
		return
	}
	ap.mistake(diag.Errorf(v.At, typeConflict, "Go encodes this value as %s, not as %s", is, typePhrase(v.Text)).
		Help("remove the marker, or change the type of the field"))
}

// isScalar reports whether the values of a node are strings, numbers or booleans.
func (n *node) isScalar() bool {
	return slices.Contains([]string{"string", "integer", "number", "boolean"}, n.jsonType())
}

// setDeclaredDefault sets a default that is written as JSON.
func (ap applier) setDeclaredDefault(n *node, m *markers.Marker, _ target) {
	v := m.Arg("")
	if v == nil || v.Kind == markers.Null {
		return // other tools read +default=ref(…), and +default=null has no effect
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
		ap.report(diag.Errorf(v.At, markers.BadValue, "expected a string, got %s", v.Text).
			Help("put it in quotes: %q", v.Text))
		return
	}
	n.s.Title = textOf(v)
}

func (ap applier) setExternalDocs(n *node, m *markers.Marker, _ target) {
	address := m.Arg("url")
	if _, err := url.ParseRequestURI(address.Text); err != nil {
		var invalid *url.Error
		if errors.As(err, &invalid) {
			err = invalid.Err
		}
		ap.report(diag.Errorf(address.At, markers.BadValue, "expected a URL, got %q: %s", address.Text, err).
			Help("write an absolute URL, such as https://example.com/docs"))
		return
	}
	n.s.ExternalDocs = &schema.ExternalDocs{URL: textOf(address), Description: textOf(m.Arg("description")), At: m.At}
}

// ofFields is the rule of a OneOf marker: a term for each field, joined and compared. A sum of ternaries has a constant
// cost; a list with a comprehension does not.
func ofFields(join, compare, message string) func(applier, *node, *markers.Marker, target) {
	return func(ap applier, n *node, m *markers.Marker, _ target) {
		var names, terms []string
		var group []schema.Text
		for _, item := range m.Arg("").Items {
			field := item.Text
			if ap.member(field) == field && inCEL(field) != field && ap.opts.With(escapedNames) {
				field = inCEL(field)
				ap.deviate(escapedNames, item.At)
			}
			term := "has(self." + field + ")"
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

// setNonEmpty applies what k8s:required means beyond being required: the value must not be empty, unless a bound says
// so already. controller-gen treats a reference to a named type that it has not read as an object.
func (ap applier) setNonEmpty(n *node, m *markers.Marker, on target) {
	old := n.s.Type.V
	if old != "string" && old != "array" && n.ref != nil {
		old = "object"
	}
	kind := n.jsonType()
	if kind == "string" && n.format() != "" {
		kind = "" // the format rejects an empty string
	}
	inFull := ap.opts.With(nonEmpty) && ap.enforces(on.decl.Pkg)
	switch {
	case !ap.opts.With(nonEmpty):
		kind = old
	case n.sort == pointerSort:
		kind = "" // a pointer is set if it is not nil
	}
	if boundOf("min", old) != boundOf("min", kind) && (hasSize(old) || hasSize(kind)) {
		ap.deviate(nonEmpty, m.At)
	}
	var rule expr
	switch {
	case n.quoted && inFull:
		if zero := ap.flattener().zeroOf(n); zero != nil && zero.Text != "" {
			rule = compare(self(), "!=", celText(zero.Text))
		}
	case hasSize(kind):
		bound := schema.KeywordOf(boundOf("min", kind)).Field.(schema.One[schema.Int])(&n.s)
		*bound = cmp.Or(*bound, &schema.Int{V: 1, At: m.At})
	case !inFull:
	case kind == "integer":
		rule = compare(self(), "!=", integer(0))
	case kind == "number":
		rule = compare(self(), "!=", ident("0.0"))
	case kind == "boolean":
		rule = self()
	}
	if !rule.isNone() {
		ap.deviate(nonEmpty, m.At)
		n.s.Rules = append(n.s.Rules, tagRule(m, rule, "must be specified", "FieldValueRequired", ""))
	}
}

// hasSize reports whether the values of a JSON type can be empty.
func hasSize(jsonType string) bool {
	return jsonType == "string" || jsonType == "array" || jsonType == "object"
}

func (ap applier) addListMapKey(n *node, m *markers.Marker, _ target) {
	v := m.Arg("")
	switch {
	case n.listType() != "map" && n.uniqueness() == "map":
		n.uniqueKeys = append(n.uniqueKeys, textOf(v))
	case n.listType() != "map":
		help := "add +listType=map"
		if n.listType() != "" {
			help = "change the list type to map, or remove the marker"
		}
		ap.report(diag.Errorf(m.At, markerTopology, "listMapKey applies to lists with listType=map").
			Help("%s", help))
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

// oneOf reports whether a value is one of those allowed, and rejects it if not.
func (ap applier) oneOf(v *markers.Value, allowed ...string) bool {
	if slices.Contains(allowed, v.Text) {
		return true
	}
	ap.report(notAllowed(v, allowed))
	return false
}

// expect is oneOf for values that controller-gen does not check and the API server rejects.
func (ap applier) expect(v *markers.Value, allowed ...string) {
	if v != nil && !slices.Contains(allowed, v.Text) {
		ap.mistake(notAllowed(v, allowed))
	}
}

func notAllowed(v *markers.Value, allowed []string) diag.Diagnostic {
	allowed = slices.DeleteFunc(slices.Clone(allowed), func(s string) bool { return s == "" })
	return diag.Errorf(v.At, markers.BadValue, "expected %s, got %q", diag.Or(allowed), v.Text).
		Help("%s", diag.DidYouMean(v.Text, allowed))
}

// oneOfThese suggests the nearest name, or lists all.
func oneOfThese(name string, names []string) string {
	return cmp.Or(diag.Meant(diag.Near(name, names)), "write one of "+strings.Join(names, ", "))
}
