package object

import (
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/crdproof/crdproof/schema"
)

// A typeKey identifies a structure: the schema, whether it is that of the root of an object, and whether it is below
// anyOf and oneOf, where validations are counted.
type typeKey struct {
	schema          *schema.Schema
	isRoot, counted bool
}

// Structure returns a pointer to the structure of a schema.
func (w *Writer) Structure(s *schema.Schema, at Place) jen.Code {
	return jen.Op("&").Id(w.TypeOf(s, at))
}

// TypeOf returns the name of the variable with the structure of a schema, a Type. It is used to decode, prune,
// default and validate an object, and to find the old value of a new one. For an embedded resource it refers to the
// structure that rules see, in which apiVersion, kind and metadata are always described (apiserver/schema/cel/model,
// WithTypeAndObjectMeta).
func (w *Writer) TypeOf(s *schema.Schema, at Place) string {
	return w.typeFor(typeKey{schema: s, isRoot: at.isRoot}, at)
}

func (w *Writer) typeFor(key typeKey, at Place) string {
	if name, ok := w.types[key]; ok {
		return name
	}
	if w.Imported[key.schema] {
		name := w.Data.element(w.Data.typ(w, key, at))
		w.types[key] = name
		return name
	}
	name, doc := typeName(key.schema, at)
	name = w.variable(name, doc, Runtime("Type").Custom(multiLine, w.membersCode(w.typeMembers(key, at))...))
	w.types[key] = name
	return name
}

// resourceType returns the variable with the structure that CEL uses for an embedded resource, "" if it is that of the
// schema.
func (w *Writer) resourceType(s *schema.Schema, at Place) string {
	with := WithTypeAndObjectMeta(s)
	if !s.EmbeddedResource.True() || with == s {
		return ""
	}
	at.Name += "Resource"
	name, doc := typeName(with, at)
	return w.variable(name, doc,
		Runtime("Type").Custom(multiLine, w.membersCode(w.typeMembers(typeKey{schema: with}, at))...))
}

// typeBelow returns a pointer to the structure of a part of a value. A short one that few other parts have is written
// where it is used.
func (w *Writer) typeBelow(key typeKey, at Place) jen.Code {
	s := key.schema
	if w.Imported[s] || len(s.Properties) > 0 || !hasParts(s) && IsPlain(s) && !key.counted {
		return jen.Op("&").Id(w.typeFor(key, at))
	}
	return jen.Op("&").Add(Runtime("Type")).Values(w.membersCode(w.typeMembers(key, at))...)
}

// hasParts reports whether a schema describes parts of values.
func hasParts(s *schema.Schema) bool {
	return len(s.Properties) > 0 || s.Items != nil || s.AdditionalProperties != nil
}

// A typeMember is a field of a Type. Its value is a string, a bool, a number, a list of strings, or one of the types
// below.
type typeMember struct {
	name  string
	value any
}

type (
	// A typePart is the structure of a part of a value.
	typePart struct {
		key typeKey
		at  Place
	}
	// typeFields are the structures of properties, sorted by name.
	typeFields []typeField
	typeField  struct {
		name string
		typePart
	}
	// A typeDefault is a function that makes a default, and typeDefaults are those of properties.
	typeDefault  struct{ make jen.Code }
	typeDefaults []typeFieldDefault
	// A typeFieldDefault is the default of a property.
	typeFieldDefault struct {
		name string
		typeDefault
	}
	// A typeCheck is about what the structure does not say, which may be nothing.
	typeCheck struct{ *checks }
	// A typeResource is the structure that CEL uses for an embedded resource, which may be the one itself.
	typeResource typePart
)

// typeMembers returns the fields of a Type that are not zero.
func (w *Writer) typeMembers(key typeKey, at Place) (members []typeMember) {
	s := key.schema
	set := func(name string, value any, present bool) {
		if present {
			members = append(members, typeMember{name, value})
		}
	}
	part := func(name string, s *schema.Schema, at Place) {
		if s == nil {
			return
		}
		set(name+"s", typePart{typeKey{schema: s, counted: key.counted}, at}, true)
		d := defaultOf(s)
		set(name+"Default", typeDefault{d}, d != nil)
	}
	list := func(name string, texts []string) { set(name, texts, len(texts) > 0) }
	c := w.Checks(s, at)
	c.counted = key.counted
	set("Name", s.Type.V, s.Type.V != "")
	set("Format", s.Format.V, s.Format.V != "")
	set("Fields", w.typeFields(key, at), len(s.Properties) > 0)
	defaults := defaultsOf(s)
	set("Defaults", defaults, len(defaults) > 0)
	list("Needs", c.requiredFields())
	part("Item", s.Items, at.Item())
	part("Value", s.AdditionalProperties, at.Value())
	set("ListType", s.ListType.V, s.ListType.V != "")
	list("ListKeys", schema.Texts(s.ListMapKeys))
	set("Nullable", true, s.Nullable.True())
	set("Preserve", true, s.PreserveUnknownFields.True())
	set("IntOrString", true, s.IntOrString.True())
	set("Open", true, s.AdditionalAllowed)
	set("Embedded", true, at.isRoot || s.EmbeddedResource.True())
	has := w.Content(s)
	set("Has", has, has != content{})
	set("Resource", typeResource{key, at}, s.EmbeddedResource.True())
	if c.measure(); c.isTabled() {
		for _, l := range c.limits() {
			set(l.name, int(l.V), true)
		}
		list("Only", c.enumNames())
	} else {
		set("Own", typeCheck{&c}, true)
	}
	return members
}

// membersCode returns the fields of a composite literal.
func (w *Writer) membersCode(members []typeMember) (out []jen.Code) {
	for _, m := range members {
		var value jen.Code
		switch v := m.value.(type) {
		case []string:
			value = jen.Index().String().Custom(oneLine, literals(v)...)
		case typePart:
			value = w.typeBelow(v.key, v.at)
		case typeFields:
			var fields []jen.Code
			for _, f := range v {
				fields = append(fields, keyed("Type", f.name, w.typeBelow(f.key, f.at)))
			}
			value = jen.Index().Add(Runtime("TypeField")).Custom(multiLine, fields...)
		case typeDefault:
			value = v.make
		case typeDefaults:
			var defaults []jen.Code
			for _, d := range v {
				defaults = append(defaults, keyed("Value", d.name, d.make))
			}
			lines := multiLine
			if len(defaults) == 1 {
				lines = oneLine
			}
			value = jen.Index().Add(Runtime("Default")).Custom(lines, defaults...)
		case content:
			value = v.code()
		case typeResource:
			name := w.resourceType(v.key.schema, v.at)
			if name == "" {
				continue
			}
			value = jen.Op("&").Id(name)
		case typeCheck:
			name := v.function()
			if name == "" {
				continue
			}
			value = jen.Id(name)
		default:
			value = jen.Lit(v)
		}
		out = append(out, jen.Id(m.name).Op(":").Add(value))
	}
	return out
}

// keyed returns the literal of a struct with a name and another field.
func keyed(field, name string, value jen.Code) jen.Code {
	return jen.Values(jen.Id("Name").Op(":").Lit(name), jen.Id(field).Op(":").Add(value))
}

// A content says what is in the values of a schema, or what they are themselves: a Content.
type content struct{ Lists, Resources bool }

func (c content) code() jen.Code {
	switch {
	case c.Lists && c.Resources:
		return Runtime("Lists").Op("|").Add(Runtime("Resources"))
	case c.Lists:
		return Runtime("Lists")
	case c.Resources:
		return Runtime("Resources")
	}
	return nil
}

// number returns the value of the Content.
func (c content) number() (n int) {
	if c.Lists {
		n |= 1
	}
	if c.Resources {
		n |= 2
	}
	return n
}

// Content says whether values have lists of type set or map, and embedded resources.
func (w *Writer) Content(s *schema.Schema) (c content) {
	if s == nil {
		return c
	}
	if known, ok := w.contents[s]; ok {
		return known
	}
	c = content{Lists: s.ListType.V == "set" || s.ListType.V == "map", Resources: s.EmbeddedResource.True()}
	parts := []*schema.Schema{s.Items, s.AdditionalProperties}
	for _, p := range s.Properties {
		parts = append(parts, p.Schema)
	}
	for _, part := range parts {
		below := w.Content(part)
		c.Lists, c.Resources = c.Lists || below.Lists, c.Resources || below.Resources
	}
	w.contents[s] = c
	return c
}

// multiLine is a composite literal with one element per line.
var multiLine = jen.Options{Open: "{", Close: "}", Separator: ",", Multi: true}

// oneLine is one with all elements in a line.
var oneLine = jen.Options{Open: "{", Close: "}", Separator: ", "}

// typeFields returns the properties of a schema, sorted by name.
func (w *Writer) typeFields(key typeKey, at Place) (fields typeFields) {
	properties := slices.Clone(key.schema.Properties)
	slices.SortFunc(properties, func(a, b schema.Property) int { return strings.Compare(a.Name, b.Name) })
	for _, p := range properties {
		fields = append(fields, typeField{p.Name,
			typePart{typeKey{schema: p.Schema, counted: key.counted}, at.Property(p.Name)}})
	}
	return fields
}

// defaultsOf returns the defaults of the properties of a schema.
func defaultsOf(s *schema.Schema) (defaults typeDefaults) {
	for _, p := range s.Properties {
		if d := defaultOf(p.Schema); d != nil {
			defaults = append(defaults, typeFieldDefault{p.Name, typeDefault{d}})
		}
	}
	return defaults
}

// typeName returns the name of the variable of a structure, and its comment. Scalars are named after their type, since
// many fields share them, everything else after its place.
func typeName(s *schema.Schema, at Place) (name, doc string) {
	if hasParts(s) || !IsPlain(s) {
		return "crdType" + at.Name, "is the structure of " + at.Text()
	}
	name = "Unknown"
	switch {
	case s.IntOrString.True():
		name = "IntOrString"
	case s.Type.V != "":
		name = GoName(s.Type.V) + GoName(s.Format.V)
	}
	if s.Nullable.True() {
		name = "Nullable" + name
	}
	return "crdType" + name, "is the structure of " + at.Text() + ", and of all values with the same structure"
}

// WithTypeAndObjectMeta describes apiVersion, kind, metadata.name and metadata.generateName in a resource's schema,
// unless it describes them itself. Other fields of metadata are not described.
func WithTypeAndObjectMeta(s *schema.Schema) *schema.Schema {
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
		func(p schema.Property) bool { return IsMeta(p.Name) })
	with.Properties = append(with.Properties,
		schema.Property{Name: "apiVersion", Schema: text},
		schema.Property{Name: "kind", Schema: text},
		schema.Property{Name: "metadata", Schema: &schema.Schema{Type: schema.Text{V: "object"},
			Properties: []schema.Property{
				{Name: "generateName", Schema: text}, {Name: "name", Schema: text},
			}}})
	return &with
}
