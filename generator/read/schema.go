package read

import (
	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
)

// schemaAt reads a schema that stands at a place.
func (r *reader) schemaAt(n *Node, at diag.Span) *schema.Schema {
	s := &schema.Schema{At: at}
	readObject(r, n, s, r.schema)
	return s
}

// schemaFields are the keywords of JSONSchemaProps
// (k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1/types_jsonschema.go).
func schemaFields() fields[schema.Schema] {
	other := func(s *schema.Schema) *[]schema.Keyword { return &s.Other }
	return fields[schema.Schema]{
		"title":       text(func(s *schema.Schema) *schema.Text { return &s.Title }),
		"description": text(func(s *schema.Schema) *schema.Text { return &s.Description }),
		"type":        text(func(s *schema.Schema) *schema.Text { return &s.Type }),
		"format":      text(func(s *schema.Schema) *schema.Text { return &s.Format }),
		"pattern":     text(func(s *schema.Schema) *schema.Text { return &s.Pattern }),

		"maximum":          number(func(s *schema.Schema) **schema.Number { return &s.Maximum }),
		"minimum":          number(func(s *schema.Schema) **schema.Number { return &s.Minimum }),
		"multipleOf":       number(func(s *schema.Schema) **schema.Number { return &s.MultipleOf }),
		"exclusiveMaximum": flag(func(s *schema.Schema) **schema.Flag { return &s.ExclusiveMaximum }),
		"exclusiveMinimum": flag(func(s *schema.Schema) **schema.Flag { return &s.ExclusiveMinimum }),
		"maxLength":        integer(64, func(s *schema.Schema) **schema.Int { return &s.MaxLength }),
		"minLength":        integer(64, func(s *schema.Schema) **schema.Int { return &s.MinLength }),
		"maxItems":         integer(64, func(s *schema.Schema) **schema.Int { return &s.MaxItems }),
		"minItems":         integer(64, func(s *schema.Schema) **schema.Int { return &s.MinItems }),
		"maxProperties":    integer(64, func(s *schema.Schema) **schema.Int { return &s.MaxProperties }),
		"minProperties":    integer(64, func(s *schema.Schema) **schema.Int { return &s.MinProperties }),
		"uniqueItems":      flag(func(s *schema.Schema) **schema.Flag { return &s.UniqueItems }),

		"enum":    enum,
		"default": literalValue(func(s *schema.Schema) **schema.Literal { return &s.Default }),
		"example": literalValue(func(s *schema.Schema) **schema.Literal { return &s.Example }),
		"externalDocs": object(func(s *schema.Schema, at diag.Span) *schema.ExternalDocs {
			s.ExternalDocs = &schema.ExternalDocs{At: at}
			return s.ExternalDocs
		}, func(r *reader) fields[schema.ExternalDocs] { return r.docs }),

		"items":                items,
		"additionalProperties": additionalProperties,
		"properties":           properties,
		"required":             texts(func(s *schema.Schema) *[]schema.Text { return &s.Required }),

		"allOf": schemas(func(s *schema.Schema) *[]*schema.Schema { return &s.AllOf }),
		"anyOf": schemas(func(s *schema.Schema) *[]*schema.Schema { return &s.AnyOf }),
		"oneOf": schemas(func(s *schema.Schema) *[]*schema.Schema { return &s.OneOf }),
		"not":   func(r *reader, s *schema.Schema, m *Member) { s.Not = r.schemaAt(m.Value, m.KeyAt) },

		"nullable":                             flag(func(s *schema.Schema) **schema.Flag { return &s.Nullable }),
		"x-kubernetes-preserve-unknown-fields": flag(func(s *schema.Schema) **schema.Flag { return &s.PreserveUnknownFields }),
		"x-kubernetes-embedded-resource":       flag(func(s *schema.Schema) **schema.Flag { return &s.EmbeddedResource }),
		"x-kubernetes-int-or-string":           flag(func(s *schema.Schema) **schema.Flag { return &s.IntOrString }),
		"x-kubernetes-list-type":               topology(func(s *schema.Schema) *schema.Text { return &s.ListType }),
		"x-kubernetes-list-map-keys":           texts(func(s *schema.Schema) *[]schema.Text { return &s.ListMapKeys }),
		"x-kubernetes-map-type":                topology(func(s *schema.Schema) *schema.Text { return &s.MapType }),
		"x-kubernetes-validations":             rules,

		"id":                keyword(other, schema.String),
		"$schema":           keyword(other, schema.String),
		"$ref":              keyword(other, schema.String),
		"definitions":       keyword(other, schema.Object),
		"dependencies":      keyword(other, schema.Object),
		"patternProperties": keyword(other, schema.Object),
		"additionalItems":   keyword(other, schema.Bool, schema.Object),
	}
}

func enum(r *reader, s *schema.Schema, m *Member) {
	r.each(m.Value, func(n *Node) { s.Enum = append(s.Enum, schema.EnumValue{Value: n.Value(), At: n.At}) })
}

func literalValue(at func(*schema.Schema) **schema.Literal) field[schema.Schema] {
	return func(_ *reader, s *schema.Schema, m *Member) {
		*at(s) = &schema.Literal{Value: m.Value.Value(), At: m.Value.At}
	}
}

// items reads a schema; that of a list of schemas is refused by API servers, and anything else they take for nothing.
func items(r *reader, s *schema.Schema, m *Member) {
	r.lenient++
	defer func() { r.lenient-- }()
	if m.Value.Kind == schema.Object {
		s.Items = r.schemaAt(m.Value, m.KeyAt)
		return
	}
	if m.Value.Kind != schema.Array {
		r.report(itemsIgnored(m.Value))
	}
	s.Other = append(s.Other, asKeyword(m))
}

func additionalProperties(r *reader, s *schema.Schema, m *Member) {
	r.lenient++
	defer func() { r.lenient-- }()
	switch m.Value.Kind {
	case schema.Object:
		s.AdditionalProperties = r.schemaAt(m.Value, m.KeyAt)
	case schema.Bool:
		if s.AdditionalAllowed = m.Value.Text == "true"; !s.AdditionalAllowed {
			s.Other = append(s.Other, asKeyword(m))
		}
	default:
		r.wrongType(m.Value, wantSchemaOrBool)
	}
}

func properties(r *reader, s *schema.Schema, m *Member) {
	if !r.is(m.Value, schema.Object, wantObject) {
		return
	}
	s.Properties = make([]schema.Property, 0, len(m.Value.Members))
	for i := range m.Value.Members {
		p := &m.Value.Members[i]
		r.enter("[" + p.Key + "]")
		s.Properties = append(s.Properties, schema.Property{Name: p.Key, Schema: r.schemaAt(p.Value, p.KeyAt)})
		r.leave()
	}
}

func schemas(at func(*schema.Schema) *[]*schema.Schema) field[schema.Schema] {
	return func(r *reader, s *schema.Schema, m *Member) {
		r.each(m.Value, func(n *Node) { *at(s) = append(*at(s), r.schemaAt(n, n.Start())) })
	}
}

// topology is a list type or a map type. An empty one is a value of its own, that API servers refuse.
func topology(at func(*schema.Schema) *schema.Text) field[schema.Schema] {
	return func(r *reader, s *schema.Schema, m *Member) {
		t := r.text(m.Value)
		if t.V == "" {
			s.Other = append(s.Other, asKeyword(m))
			return
		}
		*at(s) = t
	}
}

func docsFields() fields[schema.ExternalDocs] {
	return fields[schema.ExternalDocs]{
		"url":         text(func(d *schema.ExternalDocs) *schema.Text { return &d.URL }),
		"description": text(func(d *schema.ExternalDocs) *schema.Text { return &d.Description }),
	}
}

func rules(r *reader, s *schema.Schema, m *Member) {
	r.each(m.Value, func(n *Node) {
		rule := schema.Rule{At: n.Start()}
		readObject(r, n, &rule, r.rule)
		s.Rules = append(s.Rules, rule)
	})
}

func ruleFields() fields[schema.Rule] {
	return fields[schema.Rule]{
		"rule":              text(func(r *schema.Rule) *schema.Text { return &r.Rule }),
		"message":           text(func(r *schema.Rule) *schema.Text { return &r.Message }),
		"messageExpression": text(func(r *schema.Rule) *schema.Text { return &r.MessageExpression }),
		"reason":            text(func(r *schema.Rule) *schema.Text { return &r.Reason }),
		"fieldPath":         text(func(r *schema.Rule) *schema.Text { return &r.FieldPath }),
		"optionalOldSelf":   flag(func(r *schema.Rule) **schema.Flag { return &r.OptionalOldSelf }),
	}
}
