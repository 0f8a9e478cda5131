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

// apply adds to a node what its markers say, in the order in which their names first occur, but for those that others
// depend on. Markers of items come last.
func (b *builder) apply(n *node, marks []markers.Marker, on target) {
	ordered := slices.Clone(marks)
	first := map[string]int{} // markers of one name stay together
	for i := range marks {
		if name := together(marks[i].Def.Name); first[name] == 0 {
			first[name] = i + 1
		}
	}
	slices.SortStableFunc(ordered, func(x, y markers.Marker) int {
		return cmp.Or(order(&x)-order(&y), first[together(x.Def.Name)]-first[together(y.Def.Name)])
	})
	for i := range ordered {
		m := &ordered[i]
		b.deviateBy(m)
		switch {
		case strings.HasPrefix(m.Def.Name, itemsPrefix) && len(m.Steps) > 0:
			b.applyWithin(n, b.withItemsStep(m), on)
		case strings.HasPrefix(m.Def.Name, itemsPrefix):
			if n.jsonType() == "array" && n.items == nil && !b.opts.Compat && !n.isUnknown() {
				b.applyWithin(n, b.withItemsStep(m), on)
				continue
			}
			if n.jsonType() != "array" || n.items == nil {
				b.refuse(b.notAList(m, n, on))
				continue
			}
			b.applyOne(n.items, m, strings.TrimPrefix(m.Def.Name, itemsPrefix), on)
		case len(m.Steps) > 0:
			b.applyWithin(n, m, on)
		default:
			b.applyOne(n, m, strings.TrimPrefix(m.Def.Name, validationPrefix), on)
		}
	}
	if !b.opts.Compat {
		b.itemUnions(n, ordered, on)
		b.memberUnions(n, ordered, on)
		b.finishList(n)
	}
}

// together returns the name under which a marker keeps its place among others: rules stay as they are written.
func together(name string) string {
	if name == markRule {
		return validationPrefix + "XValidation"
	}
	return name
}

// order sorts markers by dependence: what sets the type comes first, +default before the +kubebuilder:default that
// outranks it, constants before an Enum that is written out, rules made from OneOf markers behind those that are written out, and
// formats behind the bounds and patterns that they stand beside. Junctors speak of a value that all else has described.
func order(m *markers.Marker) int {
	rank, name := 10, m.Def.Name
	if len(m.Steps) > 0 {
		rank = 60 // what stands behind a step needs to know all of what it steps on
	}
	if rest, ok := strings.CutPrefix(name, itemsPrefix); ok {
		rank, name = 110, validationPrefix+rest
	}
	switch name {
	case "kubebuilder:validation:Type", "kubebuilder:validation:XIntOrString":
		return rank - 2
	case "listType", "k8s:listType", "default", "k8s:enum", "enum", markUnique:
		return rank - 1
	case markAtMostOneOf, markFormat, markMaxBytes, markDuration, markQuantity, markPercent, markAllOf, markAnyOf, markOneOf, markNot:
		return rank + 1
	case markExactlyOneOf:
		return rank + 2
	case markAtLeastOneOf:
		return rank + 3
	case markK8sUpdate, markK8sForbidden:
		return rank + 4 // they need to know the keys of a list, the format of a text
	}
	return rank
}

// applyOne adds what one marker says. name is the marker's without the prefix of validation markers. The switch is
// the whole meaning of markers in schemas.
func (b *builder) applyOne(n *node, m *markers.Marker, name string, on target) {
	s := &n.s
	v := m.Arg("")
	switch name {
	case "Maximum", "k8s:maximum":
		b.setNumber(&s.Maximum, n, m, on)
	case "Minimum", "k8s:minimum":
		b.setNumber(&s.Minimum, n, m, on)
	case "MultipleOf":
		b.setNumber(&s.MultipleOf, n, m, on)
	case "ExclusiveMaximum":
		b.setFlag(&s.ExclusiveMaximum, n, m, on)
	case "ExclusiveMinimum":
		b.setFlag(&s.ExclusiveMinimum, n, m, on)
	case "MaxLength":
		b.setInt(&s.MaxLength, "string", n, m, on)
	case "MinLength":
		b.setInt(&s.MinLength, "string", n, m, on)
	case "MaxItems", "k8s:maxItems":
		b.setInt(&s.MaxItems, "array", n, m, on)
	case "MinItems":
		b.setInt(&s.MinItems, "array", n, m, on)
	case "MaxProperties":
		b.setInt(&s.MaxProperties, "object", n, m, on)
	case "MinProperties":
		b.setInt(&s.MinProperties, "object", n, m, on)
	case "UniqueItems":
		if b.fits("array", n, m, on) {
			s.UniqueItems = &schema.Flag{V: v.Text == "true", At: v.At}
			if s.UniqueItems.V {
				b.mistake(uniqueItems(v))
			}
		}
	case "Pattern":
		if b.fits("string", n, m, on) {
			s.Pattern = textOf(v)
		}
	case "Enum":
		s.Enum = nil
		for i := range v.Items {
			s.Enum = append(s.Enum, schema.EnumValue{Value: b.value(&v.Items[i], guessedNumber), At: v.Items[i].At})
		}
		b.checkEnum(n, m, on)
		b.checkDeclaredEnum(n, m, on)
	case "Format":
		s.Format = textOf(v)
	case "Type":
		b.expect(v, "string", "integer", "number", "boolean", "array", "object")
		if got := n.jsonType(); got != v.Text && !b.opts.Compat {
			if got != "" && n.unknown == nil && !(got == "integer" && v.Text == "number") {
				b.mistake(diag.Errorf(v.At, typeConflict, "Go writes %s here, which is never %s", typePhrase(got), typePhrase(v.Text)).
					Help("remove the marker, or change the type of the field"))
			}
			n.forgetType()
		}
		s.Type = textOf(v)
	case "XPreserveUnknownFields", "kubebuilder:pruning:PreserveUnknownFields":
		s.PreserveUnknownFields = &schema.Flag{V: true, At: m.At}
	case "XEmbeddedResource", "EmbeddedResource":
		s.EmbeddedResource = &schema.Flag{V: true, At: m.At}
	case "XIntOrString":
		s.IntOrString = &schema.Flag{V: true, At: m.At}
	case "XValidation":
		b.addRule(n, withArguments(schema.Rule{At: m.At}, m))
	case "AtMostOneOf", "ExactlyOneOf", "AtLeastOneOf":
		b.addOneOf(n, m, name)
	case "nullable":
		s.Nullable = &schema.Flag{V: true, At: m.At}
	case "default", "kubebuilder:default":
		b.setDefault(n, m)
	case "kubebuilder:example":
		s.Example = &schema.Literal{Value: b.value(v, guessedNumber), At: v.At}
	case "kubebuilder:title":
		if v.Kind != markers.String {
			b.refuse(titleNotString(v))
			return
		}
		s.Title = textOf(v)
	case "kubebuilder:externalDocs":
		b.setExternalDocs(n, m)
	case "k8s:immutable":
		s.Rules = append(s.Rules, tagRule(m, "self == oldSelf", "field is immutable", "", ""))
	case "k8s:required":
		b.setNonEmpty(n, m)
	case "k8s:enum", "enum":
		b.setConstants(n, m, on)
	case "listType", "k8s:listType", "listMapKey", "k8s:listMapKey", "mapType", "structType":
		b.applyTopology(n, m, strings.TrimPrefix(name, "k8s:"), on)
	case "required", "optional", "k8s:optional", "Required", "Optional", "Schemaless", markObjectMeta, markIgnore,
		markOldUnion, markOldUnionDiscriminator, markOldDiscriminator:
		// These are read where the field or the struct is described.
	default:
		if !b.applyTag(n, m, on) && !b.applyJunctor(n, m, on) && !b.applyRule(n, m, on) && !b.applyScalar(n, m, on) && !m.Def.OfKind {
			panic(fmt.Sprintf("marker %s is in the table but has no meaning", m.Def.Name))
		}
	}
}

func textOf(v *markers.Value) schema.Text { return schema.Text{V: v.Text, At: v.At} }

// fits reports whether a marker for a JSON type can stand on a node, and says so if not.
func (b *builder) fits(jsonType string, n *node, m *markers.Marker, on target) bool {
	got := n.jsonType()
	either := n.isIntOrString() && (jsonType == "string" || jsonType == "number" && !b.opts.Compat)
	ok := got == jsonType || jsonType == "number" && got == "integer" || either
	if !ok && (n.unknown == nil || got != "") { // that nothing is known of the type is said anyway
		b.refuse(b.wrongType(jsonType, got, n, m, on))
	}
	return ok
}

func (b *builder) setNumber(dst **schema.Number, n *node, m *markers.Marker, on target) {
	if !b.fits("number", n, m, on) {
		return
	}
	v := m.Arg("")
	literal := b.number(v, roundedNumber)
	if n.jsonType() == "integer" && !schema.IsWholeNumber(literal) {
		if !schema.IsWholeNumber(roundedNumber(*v)) {
			b.refuse(notIntegral(m, v))
			return
		}
		b.mistake(notIntegral(m, v))
	}
	if strings.HasSuffix(m.Def.Name, "MultipleOf") && schema.CompareNumbers(literal, "0") <= 0 {
		b.mistake(multipleOfNothing(v))
	}
	*dst = &schema.Number{V: literal, At: v.At}
}

func (b *builder) setFlag(dst **schema.Flag, n *node, m *markers.Marker, on target) {
	if b.fits("number", n, m, on) {
		*dst = &schema.Flag{V: m.Arg("").Text == "true", At: m.Arg("").At}
	}
}

func (b *builder) setInt(dst **schema.Int, jsonType string, n *node, m *markers.Marker, on target) {
	if !b.fits(jsonType, n, m, on) {
		return
	}
	v := m.Arg("")
	i, _ := v.Int64()
	if i < 0 {
		b.mistake(negative(m, v))
	}
	*dst = &schema.Int{V: i, At: v.At}
}

func (b *builder) setDefault(n *node, m *markers.Marker) {
	v := m.Arg("")
	if v == nil || v.Kind == markers.Null && m.Def.Name == "default" {
		return // +default=ref(…) is left to other tools, +default=null says nothing
	}
	theirs := guessedNumber
	if m.Def.Name == "default" {
		theirs = roundedNumber
	}
	value := b.value(v, theirs)
	if m.Def.Name == "kubebuilder:default" && n.s.Type.V == "array" && value.Kind == schema.Object && len(value.Members) == 0 {
		value = schema.Value{Kind: schema.Array} // {} is an empty list as well as an empty map
	}
	n.s.Default = &schema.Literal{Value: value, At: v.At}
}

func (b *builder) setExternalDocs(n *node, m *markers.Marker) {
	address := m.Arg("url")
	if _, err := url.ParseRequestURI(address.Text); err != nil {
		b.refuse(badURL(address, err))
		return
	}
	docs := &schema.ExternalDocs{URL: textOf(address), At: m.At}
	if d := m.Arg("description"); d != nil {
		docs.Description = textOf(d)
	}
	n.s.ExternalDocs = docs
}

// addOneOf adds the rule that a OneOf marker stands for. Adding up ternaries costs a constant, where a list and a
// comprehension would not.
func (b *builder) addOneOf(n *node, m *markers.Marker, name string) {
	var names, terms []string
	var group []schema.Text
	for _, item := range m.Arg("").Items {
		names = append(names, item.Text)
		group = append(group, schema.Text{V: item.Text, At: item.At})
	}
	if len(names) == 0 {
		return
	}
	listed := "[" + strings.Join(names, " ") + "]"
	var rule, message string
	switch name {
	case "AtLeastOneOf":
		for _, f := range names {
			terms = append(terms, "has(self."+f+")")
		}
		rule, message = strings.Join(terms, "||"), "at least one of the fields in "+listed+" must be set"
	default:
		for _, f := range names {
			terms = append(terms, "(has(self."+f+")?1:0)")
		}
		rule, message = strings.Join(terms, "+")+" == 1", "exactly one of the fields in "+listed+" must be set"
		if name == "AtMostOneOf" {
			rule, message = strings.Join(terms, "+")+" <= 1", "at most one of the fields in "+listed+" may be set"
		}
	}
	at := m.Arg("").At
	n.s.Rules = append(n.s.Rules, schema.Rule{
		At: m.At, Rule: schema.Text{V: rule, At: at}, Message: schema.Text{V: message, At: at}, Group: group,
	})
}

// setNonEmpty adds what k8s:required says beyond being required: a value that is not empty, unless a bound says so
// already. controller-gen takes any reference to a named type that it has not looked into for an object.
func (b *builder) setNonEmpty(n *node, m *markers.Marker) {
	old := n.s.Type.V
	if old != "string" && old != "array" && n.ref != nil {
		old = "object"
	}
	kind := n.jsonType()
	if kind == "string" && n.format() != "" {
		kind = "" // the format refuses an empty string
	}
	switch {
	case b.opts.Compat:
		kind = old
	case n.sort == pointerSort:
		kind = "" // a pointer is set if it is not nil, whatever it points to
	}
	if old != kind {
		b.deviate(nonEmpty, m.At)
	}
	one := &schema.Int{V: 1, At: m.At}
	s := &n.s
	switch {
	case n.quoted && !b.opts.Compat:
		if zero := b.flattener().zeroOf(n); zero != nil && zero.Text != "" {
			s.Rules = append(s.Rules, tagRule(m, "self != "+celText(zero.Text), "must be specified", "FieldValueRequired", ""))
		}
	case kind == "string" && s.MinLength == nil:
		s.MinLength = one
	case kind == "array" && s.MinItems == nil:
		s.MinItems = one
	case kind == "object" && s.MinProperties == nil:
		s.MinProperties = one
	case b.opts.Compat:
	case kind == "integer":
		s.Rules = append(s.Rules, tagRule(m, "self != 0", "must be specified", "FieldValueRequired", ""))
	case kind == "number":
		s.Rules = append(s.Rules, tagRule(m, "self != 0.0", "must be specified", "FieldValueRequired", ""))
	case kind == "boolean":
		s.Rules = append(s.Rules, tagRule(m, "self", "must be specified", "FieldValueRequired", ""))
	}
}

// applyTopology adds what server-side apply needs to know.
func (b *builder) applyTopology(n *node, m *markers.Marker, name string, on target) {
	s := &n.s
	v := m.Arg("")
	switch name {
	case "listType":
		if b.fits("array", n, m, on) && b.oneOf(v, "map", "set", "atomic") {
			s.ListType = textOf(v)
		}
	case "listMapKey":
		if !b.fits("array", n, m, on) {
			return
		}
		if n.listType() != "map" && n.uniqueness() == "map" {
			n.uniqueKeys = append(n.uniqueKeys, textOf(v))
			return
		}
		if n.listType() != "map" {
			b.refuse(keyWithoutMap(m))
			return
		}
		if !slices.ContainsFunc(s.ListMapKeys, func(t schema.Text) bool { return t.V == v.Text }) {
			s.ListMapKeys = append(s.ListMapKeys, textOf(v))
		}
	case "mapType":
		if b.fits("object", n, m, on) && b.oneOf(v, "granular", "atomic") {
			s.MapType = textOf(v)
		}
	case "structType":
		if got := s.Type.V; got != "" && got != "object" {
			b.refuse(b.wrongType("object", got, n, m, on))
			return
		}
		if b.oneOf(v, "granular", "atomic") {
			s.MapType = textOf(v)
		}
	}
}

// oneOf reports whether a value is one of those permitted, and refuses it if not.
func (b *builder) oneOf(v *markers.Value, permitted ...string) bool {
	if slices.Contains(permitted, v.Text) {
		return true
	}
	b.refuse(notPermitted(v, permitted))
	return false
}

// expect is oneOf for values that controller-gen does not look at, and the API server refuses.
func (b *builder) expect(v *markers.Value, permitted ...string) {
	if v != nil && !slices.Contains(permitted, v.Text) {
		b.mistake(notPermitted(v, permitted))
	}
}
