package object

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
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

// Structure returns the structure of a schema, a *Type. It is used to decode, prune, default and validate an object,
// and to find the old value of a new one. For an embedded resource it refers to the structure that rules see, in which
// apiVersion, kind and metadata are always described (apiserver/schema/cel/model, WithTypeAndObjectMeta).
func (w *Writer) Structure(s *schema.Schema, at Place) jen.Code {
	return jen.Id(typesName).Dot("Type").Call(jen.Lit(w.TypeOf(s, at)))
}

// TypeOf returns the name of the structure of a schema.
func (w *Writer) TypeOf(s *schema.Schema, at Place) string {
	return w.typeFor(typeKey{schema: s, isRoot: at.isRoot}, at)
}

func (w *Writer) typeFor(key typeKey, at Place) string {
	if name, ok := w.types[key]; ok {
		return name
	}
	if !w.hasRules(key) {
		w.types[key] = w.Data.named(typeName(key.schema, at), string(w.typeText(key, at)))
		return w.types[key]
	}
	name := w.Data.reserved(at.Name) // its rules may refer to it
	w.types[key] = name
	w.Data.lines[name] = string(w.typeText(key, at))
	return name
}

// hasRules reports whether there are rules on the values of a schema.
func (w *Writer) hasRules(key typeKey) bool {
	return !key.counted && len(w.rules.bySchema[key.schema]) > 0
}

// typeBelow returns the structure of a part of a value: that of an object, or with rules, has a name.
func (w *Writer) typeBelow(key typeKey, at Place) any {
	if len(key.schema.Properties) > 0 || w.hasRules(key) {
		return w.typeFor(key, at)
	}
	return w.typeText(key, at)
}

// hasParts reports whether a schema describes parts of values.
func hasParts(s *schema.Schema) bool {
	return len(s.Properties) > 0 || s.Items != nil || s.AdditionalProperties != nil
}

// typeText returns the JSON of a structure (Types of internal/support).
func (w *Writer) typeText(key typeKey, at Place) json.RawMessage {
	s, o := key.schema, &dataObject{}
	o.setIf(s.Type.V != "", "type", s.Type.V)
	o.setIf(s.Nullable.True(), "nullable", true)
	o.setIf(s.IntOrString.True(), "intOrString", true)
	o.setIf(s.PreserveUnknownFields.True(), "preserve", true)
	o.setIf(s.AdditionalAllowed, "open", true)
	o.setIf(at.isRoot, "root", true)
	o.setIf(s.EmbeddedResource.True(), "embedded", true)
	o.setIf(key.counted, "counted", true)
	w.setConstraints(o, key, at)
	if with := WithTypeAndObjectMeta(s); s.EmbeddedResource.True() && with != s {
		below := at
		below.Name += "Resource"
		below.isRoot = false
		o.set("resource", w.typeBelow(typeKey{schema: with}, below))
	}
	if w.hasRules(key) {
		rules := w.rulesData(s, at)
		o.setIf(len(rules) > 0, "rules", rules)
	}
	o.setIf(s.ListType.V != "", "listType", s.ListType.V)
	o.setIf(len(s.ListMapKeys) > 0, "listKeys", schema.Texts(s.ListMapKeys))
	required := requiredFields(s)
	o.setIf(len(required) > 0, "required", required)
	w.setParts(o, key, at)
	return o.text()
}

// setParts adds the structures of the parts of a value, and their defaults.
func (w *Writer) setParts(o *dataObject, key typeKey, at Place) {
	s := key.schema
	below := func(s *schema.Schema) typeKey { return typeKey{schema: s, counted: key.counted} }
	for _, part := range []struct {
		name, ofDefault string
		schema          *schema.Schema
		at              Place
	}{
		{"items", "itemDefault", s.Items, at.Item()},
		{"additionalProperties", "valueDefault", s.AdditionalProperties, at.Value()},
	} {
		if part.schema == nil {
			continue
		}
		o.set(part.name, w.typeBelow(below(part.schema), part.at))
		v := CompleteDefault(part.schema)
		o.setIf(v.Kind != schema.Null, part.ofDefault, dataValue(v))
	}
	properties := slices.Clone(s.Properties)
	slices.SortFunc(properties, func(a, b schema.Property) int { return strings.Compare(a.Name, b.Name) })
	fields, defaults := &dataObject{}, &dataObject{}
	for _, p := range properties {
		fields.set(p.Name, w.typeBelow(below(p.Schema), at.Property(p.Name)))
		v := CompleteDefault(p.Schema)
		defaults.setIf(v.Kind != schema.Null, p.Name, dataValue(v))
	}
	o.setIf(fields.Len() > 0, "properties", fields.text())
	o.setIf(defaults.Len() > 0, "defaults", defaults.text())
}

// setConstraints adds the constraints of a schema on values.
func (w *Writer) setConstraints(o *dataObject, key typeKey, at Place) {
	s := key.schema
	w.setFormat(o, s)
	if pattern := s.Pattern.V; pattern != "" {
		o.set("pattern", pattern)
		if _, err := regexp.Compile(pattern); err == nil {
			w.matcher(pattern, "crdPattern"+at.Name)
		}
	}
	o.setIf(len(s.Enum) > 0, "enum", dataValue(schema.Value{Kind: schema.Array, Items: s.Enum}))
	for _, l := range []struct {
		name   string
		limit  *schema.Int
		isMost bool
	}{
		{"minLength", s.MinLength, false}, {"maxLength", s.MaxLength, true}, {"minItems", s.MinItems, false},
		{"maxItems", s.MaxItems, true}, {"minProperties", s.MinProperties, false},
		{"maxProperties", s.MaxProperties, true},
	} {
		if l.limit != nil && (l.isMost && l.limit.V <= Longest || !l.isMost && l.limit.V > 0) {
			o.set(l.name, l.limit.V)
		}
	}
	for _, b := range []struct {
		name      string
		limit     *schema.Number
		exclusive string
		flag      *schema.Flag
	}{
		{"minimum", s.Minimum, "exclusiveMinimum", s.ExclusiveMinimum},
		{"maximum", s.Maximum, "exclusiveMaximum", s.ExclusiveMaximum}, {"multipleOf", s.MultipleOf, "", nil},
	} {
		if b.limit != nil {
			o.set(b.name, dataNumber(numberOf(b.limit)))
			o.setIf(b.flag.True(), b.exclusive, true)
		}
	}
	o.setIf(s.UniqueItems.True(), "uniqueItems", true)
	o.setIf(forbidsFields(s), "closed", true)
	w.setJunctors(o, key, at)
}

// setFormat adds the format.
func (w *Writer) setFormat(o *dataObject, s *schema.Schema) {
	format := s.Format.V
	if format == "" {
		return
	}
	o.set("format", format)
	if SupportedFormat(s, w.Minor) == "" {
		o.set("ignored", true)
		return
	}
	if IsKnownFormat(format) {
		o.set("textual", true)
		w.Data.needsFormats = w.Data.needsFormats || !isOwnFormat(format)
	}
}

// setJunctors adds the structures of allOf, anyOf, oneOf and not. Those below anyOf and oneOf are counted.
func (w *Writer) setJunctors(o *dataObject, key typeKey, at Place) {
	s := key.schema
	for _, j := range []struct {
		keyword string
		schemas []*schema.Schema
		counted bool
	}{{"anyOf", s.AnyOf, true}, {"oneOf", s.OneOf, true}, {"allOf", s.AllOf, key.counted}} {
		var list []json.RawMessage
		for i, alternative := range j.schemas {
			below := w.typeBelow(typeKey{schema: alternative, counted: j.counted},
				at.alternative(j.keyword, strconv.Itoa(i+1)))
			list = append(list, json.RawMessage(dataText(below)))
		}
		o.setIf(len(list) > 0, j.keyword, list)
	}
	if s.Not != nil {
		o.set("not", w.typeBelow(typeKey{schema: s.Not}, at.alternative("not", "")))
	}
}

// requiredFields returns the fields that an object must have, each once.
func requiredFields(s *schema.Schema) (names []string) {
	for _, r := range s.Required {
		if !slices.Contains(names, r.V) {
			names = append(names, r.V)
		}
	}
	return names
}

// forbidsFields reports whether a schema has additionalProperties: false.
func forbidsFields(s *schema.Schema) bool {
	return slices.ContainsFunc(s.Other, func(o schema.Verbatim) bool {
		return o.Name == "additionalProperties" && o.Value.Kind == schema.Bool && o.Value.Text == "false"
	})
}

// A content says what is in the values of a schema, or what they are themselves.
type content struct{ Lists, Resources bool }

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

// MultiLine is a composite literal with one element per line.
var MultiLine = jen.Options{Open: "{", Close: "}", Separator: ",", Multi: true}

// typeName returns the name of a structure. Scalars are named after their type, since many fields share them,
// everything else after its place.
func typeName(s *schema.Schema, at Place) string {
	if hasParts(s) || !IsPlain(s) {
		return at.Name
	}
	name := "Unknown"
	switch {
	case s.IntOrString.True():
		name = "IntOrString"
	case s.Type.V != "":
		name = GoName(s.Type.V) + GoName(s.Format.V)
	}
	if s.Nullable.True() {
		name = "Nullable" + name
	}
	return name
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
