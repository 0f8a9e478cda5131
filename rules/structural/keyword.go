package structural

import (
	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
)

// A keyword is one that a schema states, with the place of its value.
type keyword struct {
	name string
	at   diag.Span
}

// keywords lists what a schema states, in the order of the API's Go type. It is one flat list, long as it is.
func keywords(s *schema.Schema) []keyword {
	var out []keyword
	add := func(name string, isStated bool, at diag.Span) {
		if isStated {
			out = append(out, keyword{name, at})
		}
	}
	text := func(name string, t schema.Text) { add(name, t.V != "", t.At) }
	integer := func(name string, n *schema.Int) {
		if n != nil {
			add(name, true, n.At)
		}
	}
	number := func(name string, n *schema.Number) {
		if n != nil {
			add(name, true, n.At)
		}
	}
	flag := func(name string, f *schema.Flag) {
		if isSet(f) {
			add(name, true, f.At)
		}
	}
	text("description", s.Description)
	text("type", s.Type)
	text("format", s.Format)
	text("title", s.Title)
	if s.Default != nil {
		add("default", true, s.Default.At)
	}
	number("maximum", s.Maximum)
	flag("exclusiveMaximum", s.ExclusiveMaximum)
	number("minimum", s.Minimum)
	flag("exclusiveMinimum", s.ExclusiveMinimum)
	integer("maxLength", s.MaxLength)
	integer("minLength", s.MinLength)
	text("pattern", s.Pattern)
	integer("maxItems", s.MaxItems)
	integer("minItems", s.MinItems)
	flag("uniqueItems", s.UniqueItems)
	number("multipleOf", s.MultipleOf)
	if len(s.Enum) > 0 {
		add("enum", true, s.Enum[0].At)
	}
	integer("maxProperties", s.MaxProperties)
	integer("minProperties", s.MinProperties)
	if len(s.Required) > 0 {
		add("required", true, s.Required[0].At)
	}
	if s.Items != nil {
		add("items", true, s.Items.At)
	}
	for _, list := range []struct {
		name    string
		schemas []*schema.Schema
	}{{"allOf", s.AllOf}, {"oneOf", s.OneOf}, {"anyOf", s.AnyOf}} {
		if len(list.schemas) > 0 {
			add(list.name, true, list.schemas[0].At)
		}
	}
	if s.Not != nil {
		add("not", true, s.Not.At)
	}
	if len(s.Properties) > 0 {
		add("properties", true, s.Properties[0].Schema.At)
	}
	if s.AdditionalProperties != nil {
		add("additionalProperties", true, s.AdditionalProperties.At)
	}
	add("additionalProperties", s.AdditionalAllowed, diag.Span{})
	if s.ExternalDocs != nil {
		add("externalDocs", true, s.ExternalDocs.At)
	}
	if s.Example != nil {
		add("example", true, s.Example.At)
	}
	flag("nullable", s.Nullable)
	if s.PreserveUnknownFields != nil {
		add("x-kubernetes-preserve-unknown-fields", true, s.PreserveUnknownFields.At)
	}
	flag("x-kubernetes-embedded-resource", s.EmbeddedResource)
	flag("x-kubernetes-int-or-string", s.IntOrString)
	if len(s.ListMapKeys) > 0 {
		add("x-kubernetes-list-map-keys", true, s.ListMapKeys[0].At)
	}
	text("x-kubernetes-list-type", s.ListType)
	text("x-kubernetes-map-type", s.MapType)
	if len(s.Rules) > 0 {
		add("x-kubernetes-validations", true, s.Rules[0].At)
	}
	for _, k := range s.Other {
		add(k.Name, true, k.At)
	}
	return out
}
