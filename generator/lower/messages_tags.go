package lower

import (
	"fmt"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/markers"
)

// This file holds the texts of diagnostics about markers that speak of parts of a field, and about the tags of Kubernetes'
// declarative validation.

// optionReason is why a tag under an option cannot be held by a CRD.
const optionReason = "the API server has no options for custom resources"

func notInCRD(m *markers.Marker, name, reason string) diag.Diagnostic {
	return diag.Diagnostic{
		Span: m.At, Check: "tag-inexpressible",
		Message:  "no CRD can hold " + name + ": " + reason,
		HelpText: "remove it, or say in CEL what is to hold (+kubebuilder:validation:XValidation)",
	}
}

// stepNoun names what a step leads to.
func stepNoun(kind markers.StepKind) string {
	switch kind {
	case markers.Items, markers.Item:
		return "the items of a list"
	case markers.Values:
		return "the values of a map"
	case markers.Keys:
		return "the keys of a map"
	case markers.Each:
		return "the items of a list or the values of a map"
	}
	return "a field of a struct"
}

// noElements reports a step to the elements of what has none.
func (b *builder) noElements(step *markers.Step, want string, s *spot, on target) diag.Diagnostic {
	got := "a key"
	if s.n != nil {
		got = typePhrase(s.n.jsonType())
		if s.n.jsonType() == "object" {
			got = "a struct"
			if want == "array" && s.n.valuesOf() != nil {
				got = "a map"
			}
		}
	}
	d := diag.Diagnostic{
		Span: step.At, Check: "marker-step",
		Message:  fmt.Sprintf("%s leads to %s, but what it stands on is %s", strings.TrimSuffix(step.At.Text(), ":"), stepNoun(step.Kind), got),
		HelpText: "remove it to speak of " + on.what() + " itself",
	}
	switch {
	case got == "an array" && step.Kind != markers.Item:
		d.HelpText = "write items: or +k8s:eachVal= to speak of the items"
	case got == "a map":
		d.HelpText = "write values: or +k8s:eachVal= to speak of the values"
	}
	return b.reached(d)
}

func (b *builder) noMember(step *markers.Step, name *markers.Value, s *spot, on target) diag.Diagnostic {
	d := diag.Diagnostic{Span: name.At, Check: "marker-field"}
	if s.n == nil || s.n.jsonType() != "object" || s.n.valuesOf() != nil {
		d.Message = fmt.Sprintf("%s has no fields, since it is no struct", on.what())
		d.Span, d.HelpText = step.At, "put the tag on a field whose type is a struct"
		return b.reached(d)
	}
	names, _ := s.n.allNames()
	d.Message = fmt.Sprintf("there is no field %q", name.Text)
	if s.n.isObjectMeta() {
		d.Message += ": the schema of metadata has no fields here"
		d.HelpText = "add +crdproof:embeddedObjectMeta to describe it"
		return b.reached(d)
	}
	d.HelpText = oneOfNames(name.Text, names)
	return b.reached(d)
}

// oneOfNames suggests a name, or lists all.
func oneOfNames(name string, names []string) string {
	if near := diag.Near(name, names); near != "" {
		return "did you mean " + near + "?"
	}
	if len(names) == 0 {
		return "there are no fields"
	}
	return "write one of " + strings.Join(names, ", ")
}

func (b *builder) noKey(arg *markers.Arg, item *node, on target) diag.Diagnostic {
	names, _ := item.allNames()
	return b.reached(diag.Diagnostic{
		Span: arg.NameAt, Check: "marker-field",
		Message:  fmt.Sprintf("the items of %s have no field %q", on.what(), arg.Name),
		HelpText: oneOfNames(arg.Name, names),
	})
}

// allNames are the names of an object's members.
func (n *node) allNames() (names []string, complete bool) {
	if n != nil && n.over != nil {
		return n.over.fieldNames()
	}
	return n.fieldNames()
}

func wrongLiteral(v *markers.Value, jsonType, whose string) diag.Diagnostic {
	return diag.Diagnostic{
		Span: v.At, Check: "marker-literal",
		Message:  fmt.Sprintf("%s is not %s, which %s needs here", v.At.Text(), typePhrase(jsonType), whose),
		HelpText: "write a value of type " + jsonType,
	}
}

func stepMisplaced(step *markers.Step, m *markers.Marker) diag.Diagnostic {
	return diag.Diagnostic{
		Span: step.At, Check: "marker-step",
		Message:  fmt.Sprintf("%s cannot lead to %s", step.At.Text(), m.Def.Name),
		HelpText: "put the tag on the field itself",
	}
}

func (b *builder) notInRule(m *markers.Marker, s *spot) diag.Diagnostic {
	where := "of some values only"
	if s.n == nil {
		where = "of the keys of a map"
	}
	return b.reached(diag.Diagnostic{
		Span: m.At, Check: "marker-step",
		Message:  fmt.Sprintf("marker %s cannot speak %s: that takes CEL, which has nothing for it", m.Def.Name, where),
		HelpText: "say it in CEL with +kubebuilder:validation:XValidation",
	})
}

func (b *builder) notForKeys(m *markers.Marker, jsonType string, on target) diag.Diagnostic {
	plural := map[string]string{"number": "numbers", "array": "arrays", "object": "objects"}[jsonType]
	return b.reached(diag.Diagnostic{
		Span: m.At, Check: "marker-type",
		Message:  fmt.Sprintf("marker %s applies to %s, but the keys of %s are strings", m.Def.Name, plural, on.what()),
		HelpText: "write MaxLength, MinLength, Pattern, Enum or a format for keys",
	})
}

func (b *builder) notCorrelated(m *markers.Marker, s *spot) diag.Diagnostic {
	return b.reached(diag.Diagnostic{
		Span: m.At, Check: "tag-uncorrelated",
		Message:  fmt.Sprintf("%s compares with the value before the update, which cannot be told here: several values come into question", m.Def.Name),
		HelpText: "put the tag where a single value is meant, such as the field or the item itself",
	})
}

func notOfElement(arg *markers.Arg) diag.Diagnostic {
	return diag.Diagnostic{
		Span: arg.NameAt, Check: "marker-step",
		Message:  "a rule for keys, or for some values only, has no " + arg.Name,
		HelpText: "write rule, message and reason alone, or put the rule on the field or type itself",
	}
}

func beyondCEL(v *markers.Value) diag.Diagnostic {
	return diag.Diagnostic{
		Span: v.At, Check: "marker-value",
		Message:  v.Text + " is no integer of 64 bits, which are all that CEL compares with here",
		HelpText: "write a number between -9223372036854775808 and 9223372036854775807",
	}
}

func metadataRules(r *schema.Rule) diag.Diagnostic {
	return diag.Diagnostic{
		Span: r.At, Check: "marker-target",
		Message:  "the metadata of a kind cannot have rules: an API server lets a CRD limit name and generateName alone",
		HelpText: "write +k8s:subfield(name)=…, or +crdproof:objectName on the kind",
	}
}

func tagOnEmbedded(m *markers.Marker) diag.Diagnostic {
	return diag.Diagnostic{
		Span: m.At, Check: "marker-target",
		Message:  m.Def.Name + " is about a field, but an embedded struct is none in JSON: its fields are those of the struct around it",
		HelpText: "put the tag on a field of the embedded struct, reach one with +k8s:subfield, or give the embedded struct a name in its tag",
	}
}

func presenceOfElement(m *markers.Marker) diag.Diagnostic {
	return diag.Diagnostic{
		Span: m.At, Check: "marker-step",
		Message:  m.Def.Name + " is about fields, but this is an element of a list or a map",
		HelpText: "put it on a field, or behind +k8s:subfield",
	}
}

func noModifyOfMany(m *markers.Marker) diag.Diagnostic {
	return diag.Diagnostic{
		Span: m.Arg("").At, Check: "tag-update",
		Message:  "NoModify is for values that are neither lists nor maps",
		HelpText: "write +k8s:eachVal=+k8s:update=NoModify for the elements, or +k8s:immutable for the whole",
	}
}

func (b *builder) itemsOnly(m *markers.Marker, n *node) diag.Diagnostic {
	return b.reached(diag.Diagnostic{
		Span: m.Arg("").At, Check: "tag-update",
		Message:  fmt.Sprintf("%s is for lists and maps, but this is %s", m.Arg("").Text, typePhrase(n.jsonType())),
		HelpText: "write NoSet, NoUnset or NoModify",
	})
}

func noIdentity(m *markers.Marker) diag.Diagnostic {
	return diag.Diagnostic{
		Span: m.At, Check: "tag-update",
		Message:  m.Arg("").Text + " needs to know which items are the same before and after the update, which nothing says of this list",
		HelpText: "add +k8s:listType=set, or +k8s:listType=map with +k8s:listMapKey=…",
	}
}

func noKeys(m *markers.Marker) diag.Diagnostic {
	return diag.Diagnostic{
		Span: m.At, Check: "tag-unique",
		Message:  "unique=map needs the fields by which items differ",
		HelpText: "add +k8s:listMapKey=… for each",
	}
}

func uniqueTwice(m *markers.Marker, listType string) diag.Diagnostic {
	return diag.Diagnostic{
		Span: m.At, Check: "tag-unique",
		Message:  "a list of type " + listType + " is unique as it is",
		HelpText: "remove the tag, or write +k8s:listType=atomic",
	}
}

func customUniqueOf(m *markers.Marker, listType string) diag.Diagnostic {
	return diag.Diagnostic{
		Span: m.At, Check: "tag-inexpressible",
		Message:  "no CRD can hold k8s:customUnique for a list of type " + listType + ": the API server checks that its items are unique",
		HelpText: "remove the tag, or write +k8s:listType=atomic",
	}
}

func noSibling(v *markers.Value, names []string, self string) diag.Diagnostic {
	d := diag.Diagnostic{
		Span: v.At, Check: "marker-field",
		Message:  fmt.Sprintf("there is no field %q beside %s", v.Text, self),
		HelpText: oneOfNames(v.Text, names),
	}
	if v.Text == self {
		d.Message, d.HelpText = "field "+self+" cannot depend on itself", "name another field of the struct"
	}
	return d
}

func requiredMember(m *markers.Marker, f *field) diag.Diagnostic {
	return diag.Diagnostic{
		Span: m.At, Check: "union-member",
		Message:  fmt.Sprintf("field %s is required, so that no other member of its union could ever be set", f.name),
		HelpText: "add +optional, or omitempty to its tag",
	}
}

func notNamedInCEL(m *markers.Marker, name string) diag.Diagnostic {
	return diag.Diagnostic{
		Span: m.At, Check: "marker-field",
		Message:  fmt.Sprintf("%s takes a rule in CEL, which cannot write the name %q", m.Def.Name, name),
		HelpText: "name the field with letters, digits, _ - . and /, not beginning with a digit",
	}
}

func notSeenByCEL(m *markers.Marker, name string) diag.Diagnostic {
	return diag.Diagnostic{
		Span: m.At, Check: "marker-field",
		Message:  fmt.Sprintf("%s takes a rule in CEL, which does not see field %s, since it may be anything", m.Def.Name, name),
		HelpText: "state the field's type with +kubebuilder:validation:Type, or remove the marker",
	}
}

func alwaysSet(m *markers.Marker, f *field) diag.Diagnostic {
	return diag.Diagnostic{
		Span: m.At, Check: "union-member",
		Message:  fmt.Sprintf("Go writes field %s even where nobody has set it, so that it would always count as set", f.name),
		HelpText: "make the field a pointer",
	}
}

func noSuchMode(mode *markers.Value, discriminator string, values []string) diag.Diagnostic {
	return diag.Diagnostic{
		Span: mode.At, Check: "union-discriminator",
		Message:  fmt.Sprintf("%q is no value of %s", mode.Text, discriminator),
		HelpText: oneOfNames(mode.Text, values),
	}
}

func notItemKeys(step *markers.Step, keys []string) diag.Diagnostic {
	d := diag.Diagnostic{
		Span: step.At, Check: "marker-step",
		Message:  "k8s:item names an item by the keys of its list, all of them: " + strings.Join(keys, ", "),
		HelpText: "write each of them once",
	}
	for _, arg := range step.Args {
		if near := diag.Near(arg.Name, keys); near != "" && near != arg.Name {
			d.Span, d.HelpText = arg.NameAt, "did you mean "+near+"?"
		}
	}
	if len(keys) == 0 {
		d.Message = "k8s:item names an item by the keys of its list, but this list has none"
		d.HelpText = "add +k8s:listType=map, and +k8s:listMapKey=… for each key"
	}
	return d
}

func twoDiscriminators(m, first *markers.Marker) diag.Diagnostic {
	return diag.Diagnostic{
		Span: m.At, Check: "union-discriminator", SeeAlso: related(first.At, "the first one"),
		Message:  "the struct has a discriminator of that name already",
		HelpText: "remove one, or give them names",
	}
}

func unionWithoutMembers(m *markers.Marker) diag.Diagnostic {
	return diag.Diagnostic{
		Span: m.At, Check: "union-member",
		Message:  "the union has a discriminator, but no members",
		HelpText: "put +k8s:unionMember on the fields of which one is to be set",
	}
}

func memberWithoutValue(mb unionMember, discriminator string, values []schema.EnumValue) diag.Diagnostic {
	var names []string
	for _, v := range values {
		names = append(names, v.Value.Text)
	}
	d := diag.Diagnostic{
		Span: mb.m.At, Check: "union-member",
		Message:  fmt.Sprintf("member %s is set when %s is %q, which is none of its values", mb.shown, discriminator, mb.value),
		HelpText: `write +k8s:unionMember(memberName: "…") with one of ` + strings.Join(names, ", "),
	}
	if near := diag.Near(mb.value, names); near != "" {
		d.HelpText = fmt.Sprintf("did you mean +k8s:unionMember(memberName: %q)?", near)
	}
	return d
}

func noModeDiscriminator(step *markers.Step, group string) diag.Diagnostic {
	d := diag.Diagnostic{
		Span: step.At, Check: "union-discriminator",
		Message:  "no field of the struct has +k8s:modeDiscriminator",
		HelpText: "put it on the field whose value decides",
	}
	if group != "" {
		d.Message += fmt.Sprintf("(modality: %q)", group)
	}
	if step.Arg("") == nil && step.Arg("mode") == nil {
		d.Message, d.HelpText = "the mode is missing", `write +k8s:ifMode("…")=`
	}
	return d
}

func unionUnread(m *markers.Marker, why string) diag.Diagnostic {
	return diag.Diagnostic{
		Span: m.At, Check: "union-unread",
		Message:  "the union is not enforced: " + why,
		HelpText: "write +k8s:unionMember on each member, and +k8s:unionDiscriminator on the field that names it",
	}
}

func notEnforced(l leftOut) diag.Diagnostic {
	return diag.Diagnostic{
		Span: l.own, Check: "tag-unenforced", Severity: diag.Warning,
		Message:  "not enforced in type " + l.typ.name + ": " + strings.Join(l.what, "; "),
		HelpText: "if it matters here, say it in CEL with +kubebuilder:validation:XValidation on this field",
		SeeAlso:  related(l.at, "the first of them"),
	}
}
