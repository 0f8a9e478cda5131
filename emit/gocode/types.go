package gocode

import (
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/crdproof/crdproof/generator/schema"
)

// A typeKey identifies a structure: the schema, whether it is that of the root of an object, and whether it is below
// anyOf and oneOf, where validations are counted.
type typeKey struct {
	schema          *schema.Schema
	isRoot, counted bool
}

// structure is a pointer to the structure of a schema.
func (w *writer) structure(s *schema.Schema, at place) jen.Code {
	return jen.Op("&").Id(w.typeOf(s, at))
}

// typeOf returns the name of the variable with the structure of a schema, a crdType. It is used to decode, prune,
// default and validate an object, and to find the old value of a new one. For an embedded resource it refers to the
// structure that rules see, in which apiVersion, kind and metadata are always described (apiserver/schema/cel/model,
// WithTypeAndObjectMeta).
func (w *writer) typeOf(s *schema.Schema, at place) string {
	return w.typeFor(typeKey{schema: s, isRoot: at.isRoot}, at)
}

func (w *writer) typeFor(key typeKey, at place) string {
	if name, ok := w.types[key]; ok {
		return name
	}
	name, doc := typeName(key.schema, at)
	name = w.variable(name, doc, jen.Id("crdType").Custom(multiLine, w.typeMembers(key, at)...))
	w.types[key] = name
	return name
}

// resourceType is the variable with the structure that CEL uses for an embedded resource, "" if it is that of the
// schema.
func (w *writer) resourceType(s *schema.Schema, at place) string {
	with := withTypeAndObjectMeta(s)
	if !isSet(s.EmbeddedResource) || with == s {
		return ""
	}
	at.name += "Resource"
	name, doc := typeName(with, at)
	return w.variable(name, doc, jen.Id("crdType").Custom(multiLine, w.typeMembers(typeKey{schema: with}, at)...))
}

// typeBelow is a pointer to the structure of a part of a value. A short one that few other parts have is written where
// it is used.
func (w *writer) typeBelow(s *schema.Schema, counted bool, at place) jen.Code {
	key := typeKey{schema: s, counted: counted}
	if len(s.Properties) > 0 || !hasParts(s) && isPlain(s) && !counted {
		return jen.Op("&").Id(w.typeFor(key, at))
	}
	return jen.Op("&").Id("crdType").Values(w.typeMembers(key, at)...)
}

// hasParts reports whether a schema describes parts of values.
func hasParts(s *schema.Schema) bool {
	return len(s.Properties) > 0 || s.Items != nil || s.AdditionalProperties != nil
}

// typeMembers are the fields of a crdType.
func (w *writer) typeMembers(key typeKey, at place) (members []jen.Code) {
	s := key.schema
	set := func(name string, value jen.Code) { members = append(members, jen.Id(name).Op(":").Add(value)) }
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
	list := func(name, of string, items []jen.Code, options jen.Options) {
		if len(items) > 0 {
			set(name, jen.Index().Id(of).Custom(options, items...))
		}
	}
	part := func(name string, s *schema.Schema, at place) {
		if s == nil {
			return
		}
		set(name+"s", w.typeBelow(s, key.counted, at))
		if d := defaultOf(s); d != nil {
			set(name+"Default", d)
		}
	}
	c := w.checks(s, at)
	c.counted = key.counted
	text("name", s.Type.V)
	text("format", s.Format.V)
	list("fields", "crdTypeField", w.typeFields(key, at), multiLine)
	defaults, lines := typeDefaults(s), multiLine
	if len(defaults) == 1 {
		lines = oneLine
	}
	list("defaults", "crdDefault", defaults, lines)
	list("needs", "string", literals(c.requiredFields()), oneLine)
	part("item", s.Items, at.item())
	part("value", s.AdditionalProperties, at.value())
	text("listType", s.ListType.V)
	list("listKeys", "string", texts(s.ListMapKeys), oneLine)
	flag("nullable", isSet(s.Nullable))
	flag("preserve", isSet(s.PreserveUnknownFields))
	flag("intOrString", isSet(s.IntOrString))
	flag("open", s.AdditionalAllowed)
	flag("embedded", at.isRoot || isSet(s.EmbeddedResource))
	if content := w.content(s).code(); content != nil {
		set("has", content)
	}
	if resource := w.resourceType(s, at); resource != "" {
		set("resource", jen.Op("&").Id(resource))
	}
	if c.measure(); c.isTabled() {
		for _, l := range c.limits() {
			set(l.name, limit(l.Int))
		}
		list("only", "string", literals(c.enumNames()), oneLine)
	} else if own := c.function(); own != "" {
		set("own", jen.Id(own))
	}
	return members
}

// A content says what is in the values of a schema, or what they are themselves: a crdContent.
type content struct{ lists, resources bool }

func (c content) code() jen.Code {
	switch {
	case c.lists && c.resources:
		return jen.Id("crdLists").Op("|").Id("crdResources")
	case c.lists:
		return jen.Id("crdLists")
	case c.resources:
		return jen.Id("crdResources")
	}
	return nil
}

// content says whether values have lists of type set or map, and embedded resources.
func (w *writer) content(s *schema.Schema) (c content) {
	if s == nil {
		return c
	}
	if known, ok := w.contents[s]; ok {
		return known
	}
	c = content{lists: s.ListType.V == "set" || s.ListType.V == "map", resources: isSet(s.EmbeddedResource)}
	parts := []*schema.Schema{s.Items, s.AdditionalProperties}
	for _, p := range s.Properties {
		parts = append(parts, p.Schema)
	}
	for _, part := range parts {
		below := w.content(part)
		c.lists, c.resources = c.lists || below.lists, c.resources || below.resources
	}
	w.contents[s] = c
	return c
}

// multiLine is a composite literal with one element per line.
var multiLine = jen.Options{Open: "{", Close: "}", Separator: ",", Multi: true}

// oneLine is one with all elements in a line.
var oneLine = jen.Options{Open: "{", Close: "}", Separator: ", "}

// typeFields are the properties of a schema, sorted by name.
func (w *writer) typeFields(key typeKey, at place) (fields []jen.Code) {
	properties := slices.Clone(key.schema.Properties)
	slices.SortFunc(properties, func(a, b schema.Property) int { return strings.Compare(a.Name, b.Name) })
	for _, p := range properties {
		fields = append(fields, jen.Values(jen.Lit(p.Name), w.typeBelow(p.Schema, key.counted, at.property(p.Name))))
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
	if hasParts(s) || !isPlain(s) {
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
