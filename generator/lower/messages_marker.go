package lower

import (
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/markers"
)

// This file holds the texts of diagnostics about markers, and about the versions of a kind.

// typePhrase names a JSON type in a sentence.
func typePhrase(jsonType string) string {
	switch jsonType {
	case "":
		return "of no known type"
	case "array", "object", "integer":
		return "an " + jsonType
	}
	return "a " + jsonType
}

func (b *builder) wrongType(want, got string, n *node, m *markers.Marker, on target) diag.Diagnostic {
	whose := on.what()
	if strings.HasPrefix(m.Def.Name, itemsPrefix) {
		whose = "each item of " + whose
	}
	d := diag.Diagnostic{
		Span: m.At, Check: "marker-type",
		Message:  fmt.Sprintf("marker %s applies to %s, but %s is %s", m.Def.Name, plural(want), whose, typePhrase(got)),
		HelpText: "remove the marker",
	}
	switch {
	case got == "" && want != "object":
		d.HelpText = "state the type with +kubebuilder:validation:Type=" + want
	case got == "array" && !strings.HasPrefix(m.Def.Name, itemsPrefix) && b.table.Lookup("+"+itemsName(m.Def.Name), markers.Field) != nil &&
		n.items.jsonType() == want:
		d.HelpText = "to constrain the items, write +" + itemsName(m.Def.Name)
	case m.Def.Name == "mapType" && got == "array":
		d.HelpText = "did you mean +listType?"
	case m.Def.Name == "listType" && got == "object":
		d.HelpText = "did you mean +mapType?"
	case near(m.Def.Name, got) != "":
		d.HelpText = "did you mean +" + near(m.Def.Name, got) + "?"
	}
	return b.reached(d)
}

func itemsName(name string) string {
	return itemsPrefix + strings.TrimPrefix(name, validationPrefix)
}

// near returns the marker that says of another JSON type what a bound says of its own.
func near(name, jsonType string) string {
	rest, ok := strings.CutPrefix(name, validationPrefix)
	if !ok || len(rest) < 3 {
		return ""
	}
	side := rest[:3]
	if bound := boundOf(side, jsonType); bound != "" && (side == "Max" || side == "Min") {
		return validationPrefix + bound
	}
	return ""
}

// boundOf is the keyword of a JSON type for its bound on one side, max or min.
func boundOf(side, jsonType string) string {
	switch jsonType {
	case "string":
		return side + "Length"
	case "array":
		return side + "Items"
	case "object":
		return side + "Properties"
	case "integer", "number":
		return side + "imum"
	}
	return ""
}

// plural names the values of a JSON type.
func plural(jsonType string) string {
	return map[string]string{"number": "numbers", "string": "strings", "array": "arrays", "object": "objects", "integer": "integers"}[jsonType]
}

func (b *builder) notAList(m *markers.Marker, n *node, on target) diag.Diagnostic {
	d := diag.Diagnostic{
		Span: m.At, Check: "marker-type",
		Message:  fmt.Sprintf("marker %s applies to arrays, but %s is %s", m.Def.Name, on.what(), typePhrase(n.jsonType())),
		HelpText: "write +" + strings.Replace(m.Def.Name, "items:", "", 1) + " to constrain the value itself",
	}
	if n.jsonType() == "array" && n.ref != nil {
		d.Message = fmt.Sprintf("marker %s cannot reach the items of the named type %s from %s", m.Def.Name, n.ref.name, on.what())
		d.HelpText = "put the marker on the declaration of " + n.ref.name
	}
	return b.reached(d)
}

func notIntegral(m *markers.Marker, v *markers.Value) diag.Diagnostic {
	return diag.Diagnostic{
		Span: v.At, Check: "marker-value",
		Message:  fmt.Sprintf("%s is not an integer, but the value that %s applies to is", v.Text, m.Def.Name),
		HelpText: "write a whole number",
	}
}

func titleNotString(v *markers.Value) diag.Diagnostic {
	return diag.Diagnostic{
		Span: v.At, Check: "marker-value", Message: "a title is a string, not " + v.Text, HelpText: "put it in quotes: " + strconv.Quote(v.Text),
	}
}

func badURL(v *markers.Value, err error) diag.Diagnostic {
	return diag.Diagnostic{
		Span: v.At, Check: "marker-value", Message: "url is not valid: " + err.Error(),
		HelpText: "write an absolute address, such as https://example.com/docs",
	}
}

func badReason(reason schema.Text) diag.Diagnostic {
	d := diag.Diagnostic{
		Span: reason.At, Check: "marker-value", Message: "reason " + strconv.Quote(reason.V) + " is not known",
		HelpText: "use one of " + strings.Join(reasons[:], ", "),
	}
	if near := diag.Near(reason.V, reasons[:]); near != "" {
		d.HelpText = diag.Meant(near)
	}
	return d
}

func keyWithoutMap(m *markers.Marker) diag.Diagnostic {
	return diag.Diagnostic{
		Span: m.At, Check: "marker-topology", Message: "listMapKey needs a list of type map", HelpText: "add +listType=map",
	}
}

func uniqueItems(v *markers.Value) diag.Diagnostic {
	return diag.Diagnostic{
		Span: v.At, Check: "marker-value", Message: "the API server refuses uniqueItems: true, since checking it costs the square of the list",
		HelpText: "use +listType=set",
	}
}

func notPermitted(v *markers.Value, permitted []string) diag.Diagnostic {
	permitted = slices.DeleteFunc(slices.Clone(permitted), func(s string) bool { return s == "" })
	d := diag.Diagnostic{
		Span: v.At, Check: "marker-value", Message: fmt.Sprintf("value %q is not permitted", v.Text),
		HelpText: "use one of " + strings.Join(permitted, ", "),
	}
	if near := diag.Near(v.Text, permitted); near != "" {
		d.HelpText = diag.Meant(near)
	}
	return d
}

func conflictingTypes(n *node, first, second schema.Text) diag.Diagnostic {
	d := diag.Diagnostic{
		Span: n.s.At, Check: "type-conflict", Message: fmt.Sprintf("type %s conflicts with %s of the same value", second.V, first.V),
		HelpText: "remove the Type marker, or put it on the type's declaration",
	}
	if second.At.IsValid() {
		d.Span = second.At
	} else {
		d.HelpText = "rename one of the fields, or give both the same type"
	}
	return d
}

func enumOutside(v schema.EnumValue, typ []schema.EnumValue) diag.Diagnostic {
	d := diag.Diagnostic{
		Span: v.At, Check: "enum-outside", Message: "enum value " + valueText(v.Value) + " is not among those of the field's type",
		HelpText: "remove it, or add it to the values of the type",
	}
	if len(typ) > 0 {
		d.SeeAlso = related(typ[0].At, "the type's enum")
	}
	return d
}

func valueText(v schema.Value) string {
	if v.Kind == schema.String {
		return strconv.Quote(v.Text)
	}
	return v.Text
}

func emptyRange(minName, minValue string, minAt diag.Span, maxName, maxValue string, maxAt diag.Span) diag.Diagnostic {
	return diag.Diagnostic{
		Span: minAt, Check: "marker-contradiction",
		Message:  fmt.Sprintf("%s %s is above %s %s: no value is valid", minName, minValue, maxName, maxValue),
		HelpText: "swap or change the bounds",
		SeeAlso:  related(maxAt, maxName+" is set here"),
	}
}

func exclusiveOfNothing(limit string, at diag.Span) diag.Diagnostic {
	return diag.Diagnostic{
		Span: at, Check: "marker-contradiction", Message: "Exclusive" + limit + " has no " + limit + " to exclude",
		HelpText: "add +kubebuilder:validation:" + limit + "=<number>",
	}
}

func negative(m *markers.Marker, v *markers.Value) diag.Diagnostic {
	return diag.Diagnostic{
		Span: v.At, Check: "marker-range", Message: fmt.Sprintf("%s is negative: no value has fewer than 0", m.Def.Name),
		HelpText: "write 0 or more",
	}
}

func multipleOfNothing(v *markers.Value) diag.Diagnostic {
	return diag.Diagnostic{
		Span: v.At, Check: "marker-range", Message: "MultipleOf must be above 0", HelpText: "write a number above 0",
	}
}

func enumOfArray(m *markers.Marker, on target) diag.Diagnostic {
	return diag.Diagnostic{
		Span: m.At, Check: "enum-type", Message: on.what() + " is an array: Enum would list whole arrays",
		HelpText: "to list the permitted items, write +" + itemsName(m.Def.Name),
	}
}

func enumWrongType(v schema.EnumValue, kind, want string, on target) diag.Diagnostic {
	d := diag.Diagnostic{
		Span: v.At, Check: "enum-type",
		Message:  fmt.Sprintf("enum value %s is %s, but %s is %s", valueText(v.Value), typePhrase(kind), on.what(), typePhrase(want)),
		HelpText: "write a value of that type",
	}
	if want == "string" && v.Value.Text != "" {
		d.HelpText = "write it in quotes: " + strconv.Quote(v.Value.Text)
	}
	return d
}

func enumTwice(v, first schema.EnumValue) diag.Diagnostic {
	return diag.Diagnostic{
		Span: v.At, Check: "enum-twice", Message: "enum value " + valueText(v.Value) + " is listed twice", HelpText: "remove one of them",
		SeeAlso: related(first.At, "first listed here"),
	}
}

func intText(i *schema.Int) string { return strconv.FormatInt(i.V, 10) }

func repeatedMarker(m, first *markers.Marker) diag.Diagnostic {
	return diag.Diagnostic{
		Span: m.At, Check: "marker-repeated", Message: "marker " + m.Def.Name + " is given twice, with different values",
		HelpText: "keep one of them", SeeAlso: related(first.At, "first given here"),
	}
}

func contradiction(m, first *markers.Marker) diag.Diagnostic {
	return diag.Diagnostic{
		Span: m.At, Check: "marker-contradiction", Message: fmt.Sprintf("marker %s contradicts %s", m.Def.Name, first.Def.Name),
		HelpText: "keep one of them", SeeAlso: related(first.At, "the other marker"),
	}
}

func crdMarkerOnType(m *markers.Marker, name string) diag.Diagnostic {
	return diag.Diagnostic{
		Span: m.At, Check: "marker-target",
		Message:  fmt.Sprintf("marker %s belongs on a kind, but %s is none", m.Def.Name, name),
		HelpText: "put it on a struct that embeds metav1.TypeMeta and metav1.ObjectMeta",
	}
}

func markerOnAlias(m *markers.Marker, name, through string) diag.Diagnostic {
	return diag.Diagnostic{
		Span: m.At, Check: "marker-alias",
		Message:  fmt.Sprintf("marker %s is not read: %s is an alias, and the same type as %s", m.Def.Name, name, through),
		HelpText: fmt.Sprintf("move it to %s, or declare a type of its own: type %s %s", through, name, through),
	}
}

func strayMarker(s load.Stray) diag.Diagnostic {
	d := diag.Diagnostic{Span: s.At, Check: "marker-stray"}
	switch s.Why {
	case load.Trailing:
		d.Message, d.HelpText = "a marker behind code is not read", "put it on a line of its own above the declaration"
	case load.Loose:
		d.Message = "a marker that does not stand directly above a field is not read"
		d.HelpText = "move it to the comment right above the field that it is for"
	case load.Block:
		d.Message, d.HelpText = "a marker in a block comment is not read", "write it as a line comment: // "+s.Text
	default:
		d.Message, d.HelpText = "a marker on "+s.On+" is not read", "put it above a type, a field or the package clause"
	}
	return d
}

func enumOfOther(m *markers.Marker, name string, underlying types.Type, compat bool) diag.Diagnostic {
	d := diag.Diagnostic{
		Span: m.At, Check: "marker-type",
		Message:  fmt.Sprintf("marker %s applies to string and integer types, but %s is %s", m.Def.Name, name, underlying),
		HelpText: "declare the type as a string or an integer, or remove the marker",
	}
	if basic, ok := underlying.(*types.Basic); ok && basic.Info()&types.IsNumeric != 0 {
		d.HelpText = "declare the type as a string or an integer, or list the values with +" + markEnum
	}
	if compat {
		d.Message = fmt.Sprintf("marker %s applies to string types, but %s is %s", m.Def.Name, name, underlying)
		d.HelpText = "declare the type as a string, or list the values with +" + markEnum
	}
	return d
}

func enumOfMarshaler(m *markers.Marker, name, want, got string) diag.Diagnostic {
	form := typePhrase(got)
	if got == "" {
		form = "whatever its MarshalJSON returns"
	}
	return diag.Diagnostic{
		Span: m.At, Check: "enum-type", Message: fmt.Sprintf("the constants of %s are %ss, but in JSON it is %s", name, want, form),
		HelpText: "list the values as they are written in JSON with +" + markEnum,
	}
}

func enumWithoutConstants(m *markers.Marker, name string) diag.Diagnostic {
	return diag.Diagnostic{
		Span: m.At, Check: "enum-empty", Message: "no constants of type " + name + " in its package",
		HelpText: "declare them: const A " + name + ` = "a"`,
	}
}

func unknownConstant(c *load.Constant, m *markers.Marker, name string) diag.Diagnostic {
	return diag.Diagnostic{
		Span: c.At, Check: "enum-unknown", Message: "the value of constant " + c.Name + " cannot be told: " + c.Problem,
		HelpText: "write out its value, or list the values of " + name + " with +" + markEnum,
		SeeAlso:  related(m.At, name+" lists its constants"),
	}
}

func enumNoConstant(v schema.EnumValue, constants []load.Constant, name string) diag.Diagnostic {
	d := diag.Diagnostic{
		Span: v.At, Check: "enum-constants", Message: "enum value " + valueText(v.Value) + " is no constant of type " + name,
		HelpText: "declare a constant of this value, or remove it from the enum",
		SeeAlso:  related(constants[0].At, "the constants of "+name),
	}
	byValue := map[string]load.Constant{}
	var known []string
	for _, c := range constants {
		if value := constantValue(c.Value); value.Kind == schema.String && value.Text != "" {
			known = append(known, value.Text)
			byValue[value.Text] = c
		}
	}
	if near := diag.Near(v.Value.Text, known); near != "" {
		d.HelpText = diag.Meant(near)
		d.SeeAlso = related(byValue[near].At, "constant "+byValue[near].Name)
	}
	return d
}

func enumLacksConstants(m *markers.Marker, missing []load.Constant, name string, compat bool) diag.Diagnostic {
	var names, values []string
	d := diag.Diagnostic{Span: m.At, Check: "enum-constants"}
	for _, c := range missing {
		names, values = append(names, c.Name), append(values, valueText(constantValue(c.Value)))
		d.SeeAlso = append(d.SeeAlso, related(c.At, "constant "+c.Name)...)
	}
	verb := " is"
	if len(names) > 1 {
		verb = " are"
	}
	d.Message = strings.Join(names, ", ") + verb + " missing from the enum of type " + name
	d.HelpText = "add " + strings.Join(values, ", ") + " to the marker"
	if !compat {
		d.HelpText += ", or list all constants with +k8s:enum in its place"
	}
	return d
}

func noGroup(d *load.TypeDecl) diag.Diagnostic {
	return diag.Diagnostic{
		Span: d.At, Check: "group-missing", Message: "kind " + d.Name + " has no API group: its package has no +groupName marker",
		HelpText: "add // +groupName=<your.group> above the package clause, or // +kubebuilder:skip to leave the package out",
	}
}

func genericKind(d *load.TypeDecl) diag.Diagnostic {
	return diag.Diagnostic{
		Span: d.At, Check: "kind-generic", Message: "kind " + d.Name + " is generic: a CRD describes one type",
		HelpText: "declare a kind that is not generic, and use the generic type in its fields",
	}
}

func skipWithoutVersion(m *markers.Marker) diag.Diagnostic {
	return diag.Diagnostic{
		Span: m.At, Check: "group-missing", Message: "a package without +groupName has no version to skip",
		HelpText: "leave the package out with // +kubebuilder:skip above its package clause",
	}
}

func kindOrBase(base load.Base) diag.Diagnostic {
	return diag.Diagnostic{
		Span: base.Decl.At, Check: "kind-doubtful", Severity: diag.Warning,
		Message: fmt.Sprintf("%s has no CRD: it is taken for a part of the kind %s, which embeds it", base.Decl.Name, base.Kind.Name),
		HelpText: fmt.Sprintf("put +kubebuilder:object:root=true on %s, or on %s if that is the kind", base.Kind.Name,
			base.Decl.Name),
		SeeAlso: related(base.Kind.At, "the kind"),
	}
}

// duplicateVersion speaks of one of several declarations of the same version.
func duplicateVersion(gk groupKind, version string, d *load.TypeDecl, all []*load.TypeDecl) diag.Diagnostic {
	out := diag.Diagnostic{
		Span: d.At, Check: "version-duplicate", Message: fmt.Sprintf("version %s of kind %s is declared twice", version, gk),
		HelpText: "set +versionName or +groupName in one of the packages, or skip it with +kubebuilder:skip",
	}
	if gk.group == "" {
		out.Message = fmt.Sprintf("kind %s without a group is declared twice", gk)
		out.HelpText = "set +groupName in the packages, or leave one out with +kubebuilder:skip"
	}
	for _, other := range all {
		if other != d {
			out.SeeAlso = append(out.SeeAlso, related(other.At, "also declared here")...)
		}
	}
	return out
}

func resourceDisagrees(gk groupKind, c claim, others []claim) diag.Diagnostic {
	return diag.Diagnostic{
		Span: c.at, Check: "resource-disagrees", Message: disagreement(gk, c, others[0]),
		HelpText: "give all versions the same resource marker, or one of them alone", SeeAlso: otherClaims(others),
	}
}

func metadataDisagrees(gk groupKind, c claim, others []claim) diag.Diagnostic {
	return diag.Diagnostic{
		Span: c.at, Check: "metadata-disagrees", Message: disagreement(gk, c, others[0]),
		HelpText: "keep one of the values", SeeAlso: otherClaims(others),
	}
}

func disagreement(gk groupKind, c, other claim) string {
	if c.version == other.version {
		return fmt.Sprintf("%s of %s is said to be both %s and %s", c.of, gk.kind, c.shown, other.shown)
	}
	return fmt.Sprintf("%s of %s is %s in %s, but %s in %s: a CRD has one for all versions", c.of, gk.kind, c.shown, c.version,
		other.shown, other.version)
}

func otherClaims(others []claim) []diag.Related {
	var out []diag.Related
	for _, o := range others {
		out = append(out, related(o.at, o.shown+" in "+o.version)...)
	}
	return out
}

func notKeyValue(item schema.Text, arg string) diag.Diagnostic {
	return diag.Diagnostic{
		Span: item.At, Check: "marker-value", Message: fmt.Sprintf("%s entry %q is not of the form key=value", arg, item.V),
		HelpText: "write key=value",
	}
}

func storedTwice(crd *schema.CRD, v, first *schema.Version) diag.Diagnostic {
	return diag.Diagnostic{
		Span: v.At, Check: "version-storage", Message: fmt.Sprintf("versions %s and %s of %s are both the storage version", first.Name.V, v.Name.V, crd.Kind.V),
		HelpText: "keep +kubebuilder:storageversion on one of them", SeeAlso: related(first.At, "the other version"),
	}
}

func notStored(crd *schema.CRD) diag.Diagnostic {
	return diag.Diagnostic{
		Span: crd.At, Check: "version-storage", Message: "kind " + crd.Kind.V + " has several versions and none is the storage version",
		HelpText: "put +kubebuilder:storageversion on the version that is to be stored",
	}
}

func notServed(crd *schema.CRD) diag.Diagnostic {
	return diag.Diagnostic{
		Span: crd.At, Check: "version-served", Message: "no version of kind " + crd.Kind.V + " is served",
		HelpText: "remove +kubebuilder:unservedversion from one of them",
	}
}

func ignoredWithoutReason(at diag.Span) diag.Diagnostic {
	return diag.Diagnostic{
		Span: at, Check: "ignore", Message: "the reason is empty",
		HelpText: "say why it is meant to be so, for who reads this next",
	}
}
