package crd

import "github.com/crdproof/crdproof/generator/schema"

// schema writes one node; a node without any key is {}, and so is nil.
func (e *encoder) schema(s *schema.Schema) {
	e.grow()
	start := len(e.out)
	e.indent += step
	if s != nil {
		e.node(s)
	}
	e.indent -= step
	if len(e.out) == start {
		e.raw("{}")
	}
}

// node writes the keys of a node. The order of the calls is the order of the keys, and which of them are omitted is
// said by the JSON tags of JSONSchemaProps
// (k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1/types_jsonschema.go).
func (e *encoder) node(s *schema.Schema) {
	e.keyword("$ref", s.Other)
	e.keyword("$schema", s.Other)
	e.keyword("additionalItems", s.Other)
	e.keyword("additionalProperties", s.Other)
	switch {
	case s.AdditionalProperties != nil:
		e.name("additionalProperties:")
		e.schema(s.AdditionalProperties)
	case s.AdditionalAllowed:
		e.name("additionalProperties:")
		e.bool(true)
	}
	e.schemas("allOf:", s.AllOf)
	e.schemas("anyOf:", s.AnyOf)
	e.literalValue("default:", s.Default)
	e.keyword("definitions", s.Other)
	e.keyword("dependencies", s.Other)
	e.optional("description:", s.Description.V)
	e.enum(s.Enum)
	e.literalValue("example:", s.Example)
	e.flag("exclusiveMaximum:", s.ExclusiveMaximum)
	e.flag("exclusiveMinimum:", s.ExclusiveMinimum)
	e.externalDocs(s.ExternalDocs)
	e.optional("format:", s.Format.V)
	e.keyword("id", s.Other)
	e.keyword("items", s.Other)
	if s.Items != nil {
		e.name("items:")
		e.schema(s.Items)
	}
	e.limit("maxItems:", s.MaxItems)
	e.limit("maxLength:", s.MaxLength)
	e.limit("maxProperties:", s.MaxProperties)
	e.constraint("maximum:", s.Maximum)
	e.limit("minItems:", s.MinItems)
	e.limit("minLength:", s.MinLength)
	e.limit("minProperties:", s.MinProperties)
	e.constraint("minimum:", s.Minimum)
	e.constraint("multipleOf:", s.MultipleOf)
	if s.Not != nil {
		e.name("not:")
		e.schema(s.Not)
	}
	e.flag("nullable:", s.Nullable)
	e.schemas("oneOf:", s.OneOf)
	e.optional("pattern:", s.Pattern.V)
	e.keyword("patternProperties", s.Other)
	e.propertyMap(s.Properties)
	e.texts("required:", s.Required)
	e.optional("title:", s.Title.V)
	e.optional("type:", s.Type.V)
	e.flag("uniqueItems:", s.UniqueItems)
	e.flag("x-kubernetes-embedded-resource:", s.EmbeddedResource)
	e.flag("x-kubernetes-int-or-string:", s.IntOrString)
	e.texts("x-kubernetes-list-map-keys:", s.ListMapKeys)
	e.optional("x-kubernetes-list-type:", s.ListType.V)
	e.keyword("x-kubernetes-list-type", s.Other)
	e.optional("x-kubernetes-map-type:", s.MapType.V)
	e.keyword("x-kubernetes-map-type", s.Other)
	e.tristate("x-kubernetes-preserve-unknown-fields:", s.PreserveUnknownFields)
	e.rules(s.Rules)
}

// DescriptionLen returns how many bytes of a file a schema's description takes, with its key, where so many named fields and so
// many lists and maps are on the way to the schema.
func DescriptionLen(text string, fields, wrapped int) int {
	const root = 4 * step // spec.versions[].schema.openAPIV3Schema
	e := encoder{indent: root + 2*step*fields + step*wrapped}
	e.text("description:", text)
	if e.bol {
		return len(e.out) - 1 // the line break is the next line's
	}
	return len(e.out)
}

func (e *encoder) schemas(key string, list []*schema.Schema) {
	if len(list) == 0 {
		return
	}
	e.name(key)
	in := e.beginList()
	for _, s := range list {
		e.item()
		e.schema(s)
	}
	e.indent -= in
}

// propertyMap writes properties in the order of their names. They are sorted on a stack of pointers that nested
// nodes go on using above this node's part, hence the access by index.
func (e *encoder) propertyMap(list []schema.Property) {
	if len(list) == 0 {
		return
	}
	e.name("properties:")
	e.indent += step
	base := len(e.properties)
	for i := range list {
		e.properties = append(e.properties, &list[i])
	}
	sortProperties(e.properties[base:])
	for i := range list {
		p := e.properties[base+i]
		e.key(p.Name)
		e.schema(p.Schema)
	}
	e.properties = e.properties[:base]
	e.indent -= step
}

func (e *encoder) rules(list []schema.Rule) {
	if len(list) == 0 {
		return
	}
	e.name("x-kubernetes-validations:")
	in := e.beginList()
	for i := range list {
		r := &list[i]
		e.item()
		e.indent += step
		e.optional("fieldPath:", r.FieldPath.V)
		e.optional("message:", r.Message.V)
		e.optional("messageExpression:", r.MessageExpression.V)
		e.tristate("optionalOldSelf:", r.OptionalOldSelf)
		e.optional("reason:", r.Reason.V)
		e.text("rule:", r.Rule.V)
		e.indent -= step
	}
	e.indent -= in
}

func (e *encoder) externalDocs(d *schema.ExternalDocs) {
	if d == nil {
		return
	}
	e.name("externalDocs:")
	if d.Description.V == "" && d.URL.V == "" {
		e.raw("{}")
		return
	}
	e.indent += step
	e.optional("description:", d.Description.V)
	e.optional("url:", d.URL.V)
	e.indent -= step
}

// keyword writes the keyword of that name, if the list has it.
func (e *encoder) keyword(name string, list []schema.Keyword) {
	for i := range list {
		if list[i].Name == name {
			e.name(name + ":")
			e.value(&list[i].Value)
		}
	}
}

// flag writes a boolean whose Go type is bool: false is omitted.
func (e *encoder) flag(key string, f *schema.Flag) {
	if f != nil && f.V {
		e.name(key)
		e.bool(true)
	}
}

// tristate writes a boolean whose Go type is *bool: false is a value.
func (e *encoder) tristate(key string, f *schema.Flag) {
	if f != nil {
		e.name(key)
		e.bool(f.V)
	}
}

func (e *encoder) limit(key string, n *schema.Int) {
	if n != nil {
		e.name(key)
		e.integer(n.V)
	}
}

func (e *encoder) constraint(key string, n *schema.Number) {
	if n != nil {
		e.name(key)
		e.raw(n.V)
	}
}
