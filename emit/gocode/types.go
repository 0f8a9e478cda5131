package gocode

import (
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/crdproof/crdproof/generator/schema"
)

// A typeKey identifies a structure: the schema, and whether it is that of the root of an object.
type typeKey struct {
	schema *schema.Schema
	isRoot bool
}

// structure is a pointer to the structure of a schema.
func (w *writer) structure(s *schema.Schema, at place) jen.Code {
	return jen.Op("&").Id(w.typeOf(s, at))
}

// typeOf returns the name of the variable with the structure of a schema, a crdType. It is used to decode, prune and
// default an object, and to find the old value of a new one. For an embedded resource it refers to the structure that
// rules see, in which apiVersion, kind and metadata are always described (apiserver/schema/cel/model,
// WithTypeAndObjectMeta).
func (w *writer) typeOf(s *schema.Schema, at place) string {
	key := typeKey{s, at.isRoot}
	if name, ok := w.types[key]; ok {
		return name
	}
	resource := ""
	if with := withTypeAndObjectMeta(s); isSet(s.EmbeddedResource) && with != s {
		below := at
		below.name += "Resource"
		resource = w.typeVariable(with, "", below)
	}
	name := w.typeVariable(s, resource, at)
	w.types[key] = name
	return name
}

// typeVariable writes the structure of a schema; resource is the variable with the structure that CEL uses for an
// embedded resource, if it differs.
func (w *writer) typeVariable(s *schema.Schema, resource string, at place) string {
	var members []jen.Code
	set := func(name string, value jen.Code) { members = append(members, jen.Id(name).Op(":").Add(value)) }
	part := func(name string, s *schema.Schema, at place) {
		if s == nil {
			return
		}
		set(name+"s", w.structure(s, at))
		if d := defaultOf(s); d != nil {
			set(name+"Default", d)
		}
	}
	flag := func(name string, is bool) {
		if is {
			set(name, jen.True())
		}
	}
	text := func(name, value string) {
		if value != "" {
			set(name, jen.Lit(value))
		}
	}
	text("name", s.Type.V)
	text("format", s.Format.V)
	if fields := w.typeFields(s, at); fields != nil {
		set("fields", jen.Index().Id("crdTypeField").Custom(multiLine, fields...))
	}
	if defaults := typeDefaults(s); len(defaults) == 1 {
		set("defaults", jen.Index().Id("crdDefault").Values(defaults...))
	} else if len(defaults) > 1 {
		set("defaults", jen.Index().Id("crdDefault").Custom(multiLine, defaults...))
	}
	part("item", s.Items, at.item())
	part("value", s.AdditionalProperties, at.value())
	text("listType", s.ListType.V)
	if len(s.ListMapKeys) > 0 {
		set("listKeys", jen.Index().String().Values(texts(s.ListMapKeys)...))
	}
	flag("nullable", isSet(s.Nullable))
	flag("preserve", isSet(s.PreserveUnknownFields))
	flag("intOrString", isSet(s.IntOrString))
	flag("open", s.AdditionalAllowed)
	flag("embedded", at.isRoot || isSet(s.EmbeddedResource))
	if resource != "" {
		set("resource", jen.Op("&").Id(resource))
	}
	name, doc := typeName(s, at)
	return w.variable(name, doc, jen.Id("crdType").Custom(multiLine, members...))
}

// multiLine is a composite literal with one element per line.
var multiLine = jen.Options{Open: "{", Close: "}", Separator: ",", Multi: true}

// typeFields are the properties of a schema, sorted by name.
func (w *writer) typeFields(s *schema.Schema, at place) (fields []jen.Code) {
	properties := slices.Clone(s.Properties)
	slices.SortFunc(properties, func(a, b schema.Property) int { return strings.Compare(a.Name, b.Name) })
	for _, p := range properties {
		fields = append(fields, jen.Values(jen.Lit(p.Name), w.structure(p.Schema, at.property(p.Name))))
	}
	return fields
}

// typeDefaults are the defaults of the properties of a schema.
func typeDefaults(s *schema.Schema) (defaults []jen.Code) {
	for _, p := range s.Properties {
		if d := defaultOf(p.Schema); d != nil {
			defaults = append(defaults, jen.Values(jen.Lit(p.Name), d))
		}
	}
	return defaults
}

// typeName is the name of the variable of a structure, and its comment. Scalars are named after their type, since
// many fields share them, everything else after its place.
func typeName(s *schema.Schema, at place) (name, doc string) {
	if len(s.Properties) > 0 || s.Items != nil || s.AdditionalProperties != nil {
		return "crdType" + at.name, "is the structure of " + at.text()
	}
	name = "Unknown"
	switch {
	case isSet(s.IntOrString):
		name = "IntOrString"
	case s.Type.V != "":
		name = GoName(s.Type.V) + GoName(s.Format.V)
	}
	if isSet(s.Nullable) {
		name = "Nullable" + name
	}
	return "crdType" + name, "is the structure of " + at.text() + ", and of all values with the same structure"
}

// withTypeAndObjectMeta describes apiVersion, kind, metadata.name and metadata.generateName in a resource's schema,
// unless it describes them itself. Other fields of metadata are not described.
func withTypeAndObjectMeta(s *schema.Schema) *schema.Schema {
	isType := func(s *schema.Schema, name string) bool { return s != nil && s.Type.V == name }
	if m := s.Property("metadata"); isType(s.Property("apiVersion"), "string") &&
		isType(s.Property("kind"), "string") && isType(m, "object") &&
		isType(m.Property("name"), "string") && isType(m.Property("generateName"), "string") {
		return s
	}
	text := &schema.Schema{Type: schema.Text{V: "string"}}
	with := *s
	with.Items, with.EmbeddedResource = nil, nil
	with.Properties = slices.DeleteFunc(slices.Clone(s.Properties),
		func(p schema.Property) bool { return isMeta(p.Name) })
	with.Properties = append(with.Properties,
		schema.Property{Name: "apiVersion", Schema: text},
		schema.Property{Name: "kind", Schema: text},
		schema.Property{Name: "metadata", Schema: &schema.Schema{Type: schema.Text{V: "object"},
			Properties: []schema.Property{
				{Name: "generateName", Schema: text}, {Name: "name", Schema: text},
			}}})
	return &with
}
