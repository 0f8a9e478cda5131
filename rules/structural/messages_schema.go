package structural

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
)

// This file holds the texts of findings about the structure of schemas.

func (n *node) unknownType() finding {
	f := finding{
		at: n.at(n.s.Type.At), path: n.key("type"), message: fmt.Sprintf("type %q is not known", n.s.Type.V),
		help: near(n.s.Type.V, schemaTypes(), useOneOf(schemaTypes())),
	}
	if n.s.Type.V == "null" {
		f.message, f.help = "null is no type", "state the type of the other values, and add "+n.write().Set("nullable", "true")
	}
	return f
}

func (n *node) noType() finding {
	f := finding{at: n.at(), path: n.key("type"), message: n.what() + " has no type"}
	switch {
	case n.isRoot():
		f.message, f.help = "the schema of version "+n.in.Name.V+" has no type", "add "+n.write().Set("type", "object")
	default:
		f.help = "add " + n.write().Set("type", "…") + ", or, if every value is permitted, " +
			n.write().Set("x-kubernetes-preserve-unknown-fields", "true")
	}
	return f
}

func (n *node) rootNoObject() finding {
	return finding{
		at: n.at(n.s.Type.At), path: n.key("type"), message: "the schema of version " + n.in.Name.V + " is that of " + typePhrase(n.s.Type.V) + ", but objects are objects",
		help: "write " + n.write().Set("type", "object"),
	}
}

func (n *node) noItems() finding {
	return finding{
		at: n.at(n.s.Type.At), path: n.key("items"), message: n.what() + " is an array, but nothing says what its items are",
		help: n.write().Choose("use a slice type, such as []string", "add items: {type: …}"),
	}
}

func (n *node) valuesAt() diag.Span {
	if n.s.AdditionalProperties != nil {
		return n.s.AdditionalProperties.At
	}
	if k := other(n.s, "additionalProperties"); k != nil {
		return k.At
	}
	return diag.Span{}
}

func (n *node) valuesAndProperties() finding {
	f := finding{
		at: n.at(n.valuesAt()), path: n.key("additionalProperties"), message: n.what() + " has named properties and is a map at the same time",
		help: "keep properties or additionalProperties; unknown fields are pruned anyway",
	}
	if n.s.AdditionalProperties == nil {
		f.message, f.help = n.what()+" has additionalProperties: false beside properties", "remove it: unknown fields are pruned anyway"
	}
	f.also = n.alsoRoot()
	return f
}

func (n *node) valuesAtRoot() finding {
	return finding{
		at: n.at(n.valuesAt()), path: n.key("additionalProperties"), also: n.alsoRoot(),
		message: "the root of a schema cannot be a map", help: "move the map into a field",
	}
}

func (n *node) nullableRoot() finding {
	return finding{
		at: n.at(n.s.Nullable.At), path: n.key("nullable"), also: n.alsoRoot(), message: "an object as a whole cannot be null", help: "remove " + n.write().Name("nullable"),
	}
}

func (n *node) uniqueItems() finding {
	return finding{
		at: n.at(n.s.UniqueItems.At), path: n.key("uniqueItems"),
		message: "the API server refuses uniqueItems: true, since checking it costs the square of the list",
		help:    "use " + n.write().Set("x-kubernetes-list-type", "set"),
	}
}

func (n *node) preservesNot(p *schema.Flag) finding {
	const keyword = "x-kubernetes-preserve-unknown-fields"
	return finding{
		at: n.at(p.At), path: n.key(keyword), also: n.alsoSelectable(), message: keyword + " is true or left out", help: "remove it: unknown fields are pruned anyway",
	}
}

func (n *node) forbidden(k schema.Verbatim, help string) finding {
	f := finding{at: n.at(k.At), path: n.key(k.Name), also: slices.Concat(n.alsoRoot(), n.alsoSelectable()), message: "CRDs have no " + k.Name, help: help}
	switch k.Name {
	case "items":
		f.message, f.also = "items is a list of schemas", n.alsoSelectable()
	case "$schema":
		f.path, f.also = n.in.key("schema.openAPIV3Schema"), nil
	}
	return f
}

func (n *node) notAtRoot(k keyword) finding {
	f := finding{
		at: n.at(k.at), path: n.key(""), message: "the root of a schema has no " + k.name + " where status is a subresource",
		help: "say it with a rule, or of a field",
	}
	switch {
	case isOneOf(k.name, []string{"allOf", "anyOf", "oneOf", "not"}):
		f.help = "say it of a field, such as spec, or with a rule"
	case strings.HasPrefix(k.name, "x-kubernetes-"):
		f.help = "remove " + n.write().Name(k.name)
	}
	return f
}

func (n *node) metaType(want string) finding {
	return finding{
		at: n.at(n.s.Type.At), path: n.key("type"), message: fmt.Sprintf("%s is %s, but that of an object is %s", n.what(), typePhrase(n.s.Type.V), typePhrase(want)),
		help: "write " + n.write().Set("type", want),
	}
}

func (n *node) metaRestricted(k keyword) finding {
	return finding{
		at: n.at(k.at), path: n.key(""), message: "metadata may only restrict name and generateName, but its schema has " + k.name,
		help: "write metadata: {type: object}; the API server knows the rest",
	}
}

func (n *node) embeddedType() finding {
	f := finding{
		at: n.at(n.s.Type.At, n.s.EmbeddedResource.At), path: n.key("type"), message: n.what() + " is an embedded resource, but " + typePhrase(n.s.Type.V),
		help: "write " + n.write().Set("type", "object"), related: related(n.s.EmbeddedResource.At, "the embedded resource"),
	}
	if n.s.Type.V == "" {
		f.message, f.related = n.what()+" is an embedded resource, and has no type", nil
	}
	return f
}

func (n *node) embeddedMap() finding {
	return finding{
		at: n.at(n.s.EmbeddedResource.At), path: n.key("additionalProperties"), also: n.alsoRoot(), message: n.what() + " is an embedded resource, but a map",
		help: n.write().Choose("use runtime.RawExtension", "remove additionalProperties, and add x-kubernetes-preserve-unknown-fields: true"),
	}
}

func (n *node) embeddedEmpty() finding {
	return finding{
		at: n.at(n.s.EmbeddedResource.At), path: n.key("properties"), message: n.what() + " is an embedded resource without fields",
		help: "add " + n.write().Set("x-kubernetes-preserve-unknown-fields", "true") + ", or describe the fields",
	}
}

func (n *node) embeddedInMeta(field string) finding {
	return finding{
		at: n.at(n.s.EmbeddedResource.At), path: n.key("x-kubernetes-embedded-resource"), message: "there is no embedded resource inside of " + field,
		help: "remove " + n.write().Name("x-kubernetes-embedded-resource"),
	}
}

func (n *node) intOrStringWith(keyword string, f *schema.Flag) finding {
	return finding{
		at: n.at(f.At), path: n.key(keyword), message: n.what() + " is an integer or a string, which has no fields", help: "remove " + n.write().Name(keyword),
		related: related(n.s.IntOrString.At, "an integer or a string"),
	}
}

func (n *node) listTypeOfOther(t *schema.Text) finding {
	return finding{
		at: n.at(t.At), path: n.key("type"), message: n.what() + " has a list type, but is " + typePhrase(n.s.Type.V),
		help: n.topologyHelp("object", "x-kubernetes-map-type", "x-kubernetes-list-type"),
	}
}

func (n *node) mapTypeOfOther(t *schema.Text) finding {
	return finding{
		at: n.at(t.At), path: n.key("type"), message: n.what() + " has a map type, but is " + typePhrase(n.s.Type.V),
		help: n.topologyHelp("array", "x-kubernetes-list-type", "x-kubernetes-map-type"),
	}
}

// topologyHelp suggests the keyword that fits a type, or to do without.
func (n *node) topologyHelp(jsonType, keyword, instead string) string {
	if n.s.Type.V == jsonType {
		return "did you mean " + n.write().Name(keyword) + "?"
	}
	return "remove " + n.write().Name(instead)
}

func (n *node) unknownListType(t *schema.Text) finding {
	return finding{
		at: n.at(t.At), path: n.key("x-kubernetes-list-type"), message: fmt.Sprintf("list type %q is not known", t.V), help: near(t.V, listTypes(), useOneOf(listTypes())),
	}
}

func (n *node) unknownMapType(t *schema.Text) finding {
	return finding{
		at: n.at(t.At), path: n.key("x-kubernetes-map-type"), message: fmt.Sprintf("map type %q is not known", t.V), help: near(t.V, mapTypes(), useOneOf(mapTypes())),
	}
}

func (n *node) keysWithoutMap() finding {
	return finding{
		at: n.at(n.s.ListMapKeys[0].At), path: n.key("x-kubernetes-list-type"), message: n.what() + " has keys, but is no list of type map",
		help: "add " + n.write().Set("x-kubernetes-list-type", "map"),
	}
}

func (n *node) mapWithoutKeys() finding {
	key := "name"
	if s := n.s.Items; s != nil && s.Property(key) == nil && len(s.Required) > 0 {
		key = s.Required[0].V
	}
	return finding{
		at: n.at(n.s.ListType.At), path: n.key("x-kubernetes-list-map-keys"), message: n.what() + " is a list of type map without a key",
		help: "add " + n.write().Choose("+listMapKey="+key, "x-kubernetes-list-map-keys: ["+key+"]"),
	}
}

func (n *node) unknownKey(key schema.Text) finding {
	f := finding{
		at: n.at(key.At), path: n.key("x-kubernetes-list-map-keys"), message: fmt.Sprintf("the items of %s have no field %q", n.what(), key.V),
		help: near(key.V, names(n.s.Items), "name a field of the items as it is called in JSON"),
	}
	if all := names(n.s.Items); len(all) > 0 && strings.HasPrefix(f.help, "name") {
		f.help += ": " + strings.Join(all, ", ")
	}
	return f
}

func (n *node) keyTwice(key, first schema.Text) finding {
	return finding{
		at: n.at(key.At), path: n.key("x-kubernetes-list-map-keys"), message: fmt.Sprintf("key %q is listed twice", key.V), help: "remove one of them",
		related: related(first.At, "first listed here"),
	}
}

func (n *node) keyPath(key schema.Text, keyword string) string {
	return n.key("items.properties[" + key.V + "]." + keyword)
}

func (n *node) keyNoScalar(key schema.Text, property *schema.Schema) finding {
	return finding{
		at: n.at(key.At), path: n.keyPath(key, "type"), message: fmt.Sprintf("key %q of %s is %s, and must be a scalar", key.V, n.what(), typePhrase(property.Type.V)),
		help: "name another field as the key", related: related(property.At, "the field"),
	}
}

func (n *node) keyNullable(key schema.Text, property *schema.Schema) finding {
	return finding{
		at: n.at(property.Nullable.At), path: n.keyPath(key, "nullable"), message: fmt.Sprintf("%q is a key of %s, and cannot be null", key.V, n.what()),
		help: "remove " + n.write().Name("nullable") + " from the field", related: related(key.At, "the key"),
	}
}

func (n *node) keyOptional(key schema.Text, property *schema.Schema) finding {
	return finding{
		at: n.at(key.At), path: n.keyPath(key, "default"), message: fmt.Sprintf("key %q of %s may be missing: it is optional and has no default", key.V, n.what()),
		help:    n.write().Choose("put +required or +kubebuilder:default=… on the field", "add "+key.V+" to required of the items, or give it a default"),
		related: related(property.At, "the field"),
	}
}

func (n *node) nullableItems() finding {
	return finding{
		at: n.at(n.s.Items.Nullable.At), path: n.key("items.nullable"), message: fmt.Sprintf("an item of a list of type %s cannot be null", n.s.ListType.V),
		help:    n.write().Choose("hold values instead of pointers, or remove +nullable", "remove nullable from the items"),
		related: related(n.s.ListType.At, "the list type"),
	}
}

func (n *node) mapOfOthers() finding {
	return finding{
		at: n.at(n.s.ListType.At), path: n.key("items.type"), message: fmt.Sprintf("%s is a list of type map, but its items are %ss", n.what(), n.itemType()),
		help: "write " + n.write().Set("x-kubernetes-list-type", "set") + ", or make objects of the items",
	}
}

func (n *node) itemType() string {
	if t := n.s.Items.Type.V; t != "" {
		return t
	}
	return "other value"
}

func (n *node) setOfObjects() finding {
	return finding{
		at: n.at(n.s.ListType.At), path: n.key("items.x-kubernetes-map-type"), message: n.what() + " is a set of objects, which are not compared as a whole",
		help: "write " + n.write().Set("x-kubernetes-list-type", "map") + " with keys, or " +
			n.write().Choose("put +structType=atomic on the type of the items", "add x-kubernetes-map-type: atomic to the items"),
	}
}

func (n *node) setOfLists() finding {
	return finding{
		at: n.at(n.s.ListType.At), path: n.key("items.x-kubernetes-list-type"),
		message: fmt.Sprintf("%s is a set of lists of type %s, which are not compared as a whole", n.what(), n.s.Items.ListType.V),
		help:    "make the items atomic: remove their " + n.write().Name("x-kubernetes-list-type"), related: related(n.s.Items.ListType.At, "the items"),
	}
}

func (n *node) setOfCompounds() finding {
	return finding{
		at: n.at(n.s.ListType.At), path: n.key("x-kubernetes-list-type"),
		message: fmt.Sprintf("%s is a set of %ss, which neither server-side apply nor rules support", n.what(), n.s.Items.Type.V),
		help:    "write " + n.write().Set("x-kubernetes-list-type", "atomic") + ", or map with keys",
	}
}

// junctor names the junctor that a nested node lies in.
func (n *node) junctor() string {
	for p := n.Place; p != nil; p = p.Above {
		switch p.Step {
		case schema.InAllOf:
			return "allOf"
		case schema.InAnyOf:
			return "anyOf"
		case schema.InOneOf:
			return "oneOf"
		case schema.InNot:
			return "not"
		}
	}
	return ""
}

func (n *node) nestedKeyword(k keyword) finding {
	f := finding{
		at: n.at(k.at), path: n.key(k.name), message: fmt.Sprintf("there is no %s inside of %s, which validates values and describes no structure", k.name, n.junctor()),
		help: "say it of " + n.what() + " outside of " + n.junctor(),
	}
	switch k.name {
	case "x-kubernetes-list-type", "x-kubernetes-list-map-keys", "x-kubernetes-map-type":
		f.also = n.topologyPaths()
	case "title", "description":
		f.help = "remove it"
	}
	return f
}

func (n *node) nestedMetadata() finding {
	meta := n.s.Property("metadata")
	return finding{
		at: n.at(meta.At), path: n.key("properties[metadata]"), message: "nothing can be said of metadata inside of " + n.junctor(),
		help: "use a rule, such as self.metadata.name.startsWith('a'), or say it of the name outside of " + n.junctor(),
	}
}

func (n *node) nestedUnknown(outside *schema.Schema, path string) finding {
	f := finding{
		at: n.at(), path: n.in.key("schema.openAPIV3Schema") + path,
		message: fmt.Sprintf("%s speaks of items, but the schema outside has none", n.junctor()), help: "add items outside of " + n.junctor(),
	}
	if n.Step == schema.InProperty {
		f.message = fmt.Sprintf("%s speaks of the field %q, which the schema outside does not have", n.junctor(), n.Name)
		f.help = near(n.Name, names(outside), "add it to properties outside of "+n.junctor())
	}
	return f
}

func (n *node) nestedIdle(outside *schema.Schema) finding {
	f := n.nestedUnknown(outside, "")
	f.path = n.key("")
	f.message += ": it is pruned, so that what is said of it always holds"
	return f
}

func (n *node) nestedRequired(i int, r schema.Text, outside *schema.Schema) finding {
	effect := "which therefore never holds"
	if n.junctor() == "not" {
		effect = "which therefore forbids nothing"
	}
	return finding{
		at: n.at(r.At), path: n.key(fmt.Sprintf("required[%d]", i)),
		message: fmt.Sprintf("%s requires %q, %s: the schema outside has no such field", n.junctor(), r.V, effect),
		help:    near(r.V, names(outside), "add it to properties outside of "+n.junctor()),
	}
}

func (n *node) badPattern(why, help string, at diag.Span) finding {
	return finding{at: at, path: n.key("pattern"), message: "the pattern cannot be read: " + why, help: help}
}

func (n *node) unknownFormat() finding {
	known := knownFormats(n.s.Type.V)
	f := finding{
		at: n.at(n.s.Format.At), path: n.key("format"),
		message: fmt.Sprintf("the API server knows no format %q of %s, and passes over it", n.s.Format.V, typePhrase(n.s.Type.V)),
		help:    near(n.s.Format.V, known, "remove it, or use one of "+strings.Join(known, ", ")),
	}
	if n.s.Type.V == "" {
		f.message = fmt.Sprintf("the API server knows no format %q, and passes over it", n.s.Format.V)
	}
	switch {
	case n.s.Type.V == "array":
		f.help = "for the format of the items " + n.write().Choose("write +kubebuilder:validation:items:Format="+n.s.Format.V, "move it there")
	case len(known) == 0:
		f.help = "remove it"
	}
	return f
}

func (n *node) requiredUnknown(i int, r schema.Text) finding {
	return finding{
		at: n.at(r.At), path: n.key(fmt.Sprintf("required[%d]", i)),
		message: fmt.Sprintf("%s requires %q, which is pruned: the schema has no such field, and refuses every object", n.what(), r.V),
		help:    near(r.V, names(n.s), "add it to the properties, or remove it from required"),
	}
}

func (n *node) requiredStatus(i int, r schema.Text) finding {
	return finding{
		at: n.at(r.At), path: n.key("required[" + strconv.Itoa(i) + "]"),
		message: "status is required, but API servers drop it from what is created, where it is a subresource: no object can be created",
		help:    n.write().Choose("give the field the tag option omitempty or omitzero, or the marker +optional", "remove status from required"),
	}
}
