package structural_test

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
)

// decode makes the IR of a CRD in YAML, without positions.
func decode(t testing.TB, data []byte) *schema.CRD {
	t.Helper()
	var o apiext.CustomResourceDefinition
	if err := yaml.UnmarshalStrict(data, &o); err != nil {
		t.Fatal(err)
	}
	text := func(s string) schema.Text { return schema.Text{V: s} }
	c := &schema.CRD{
		At:   diag.At(&diag.Source{Path: "crd.yaml", Data: data, Syntax: diag.YAML}, 0, 0),
		Name: text(o.Name), Group: text(o.Spec.Group), Kind: text(o.Spec.Names.Kind), ListKind: text(o.Spec.Names.ListKind), Plural: text(o.Spec.Names.Plural),
		Singular: text(o.Spec.Names.Singular), ShortNames: texts(o.Spec.Names.ShortNames), Categories: texts(o.Spec.Names.Categories),
		Scope: text(string(o.Spec.Scope)), Annotations: keyValues(o.Annotations), Labels: keyValues(o.Labels),
	}
	if o.Spec.PreserveUnknownFields {
		c.PreserveUnknownFields = &schema.Flag{V: true}
	}
	c.Conversion = decodeConversion(o.Spec.Conversion)
	for _, v := range o.Spec.Versions {
		c.Versions = append(c.Versions, decodeVersion(t, v))
	}
	return c
}

func texts(list []string) (out []schema.Text) {
	for _, s := range list {
		out = append(out, schema.Text{V: s})
	}
	return out
}

func pointer(s *string) *schema.Text {
	if s == nil {
		return nil
	}
	return &schema.Text{V: *s}
}

func keyValues(m map[string]string) (out []schema.KeyValue) {
	for k, v := range m {
		out = append(out, schema.KeyValue{Key: k, Value: v})
	}
	slices.SortFunc(out, func(a, b schema.KeyValue) int { return cmp.Compare(a.Key, b.Key) })
	return out
}

func decodeConversion(o *apiext.CustomResourceConversion) *schema.Conversion {
	if o == nil {
		return nil
	}
	c := &schema.Conversion{Strategy: schema.Text{V: string(o.Strategy)}}
	if o.Webhook == nil {
		return c
	}
	c.Webhook = &schema.Webhook{ReviewVersions: texts(o.Webhook.ConversionReviewVersions)}
	if client := o.Webhook.ClientConfig; client != nil {
		c.Webhook.Client = &schema.WebhookClient{URL: pointer(client.URL)}
		if s := client.Service; s != nil {
			c.Webhook.Client.Service = &schema.Service{Namespace: schema.Text{V: s.Namespace}, Name: schema.Text{V: s.Name}, Path: pointer(s.Path)}
			if s.Port != nil {
				c.Webhook.Client.Service.Port = &schema.Int{V: int64(*s.Port)}
			}
		}
	}
	return c
}

func decodeVersion(t testing.TB, o apiext.CustomResourceDefinitionVersion) schema.Version {
	v := schema.Version{
		Name: schema.Text{V: o.Name}, Served: o.Served, Storage: o.Storage, Deprecated: o.Deprecated, DeprecationWarning: pointer(o.DeprecationWarning),
	}
	if o.Schema != nil && o.Schema.OpenAPIV3Schema != nil {
		v.Schema = decodeSchema(t, o.Schema.OpenAPIV3Schema)
	}
	if s := o.Subresources; s != nil {
		v.Subresources = &schema.Subresources{}
		if s.Status != nil {
			v.Subresources.Status = &diag.Span{}
		}
		if s.Scale != nil {
			v.Subresources.Scale = &schema.Scale{
				SpecReplicasPath: schema.Text{V: s.Scale.SpecReplicasPath}, StatusReplicasPath: schema.Text{V: s.Scale.StatusReplicasPath},
				LabelSelectorPath: pointer(s.Scale.LabelSelectorPath),
			}
		}
	}
	for _, c := range o.AdditionalPrinterColumns {
		v.Columns = append(v.Columns, schema.Column{
			Name: schema.Text{V: c.Name}, Type: schema.Text{V: c.Type}, JSONPath: schema.Text{V: c.JSONPath}, Format: schema.Text{V: c.Format},
		})
	}
	for _, f := range o.SelectableFields {
		v.SelectableFields = append(v.SelectableFields, schema.Text{V: f.JSONPath})
	}
	return v
}

// decodeSchema goes by the JSON of a schema: what the IR has no place for is kept as it is.
func decodeSchema(t testing.TB, o *apiext.JSONSchemaProps) *schema.Schema {
	t.Helper()
	data, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	return schemaOf(t, valueOf(t, data))
}

func valueOf(t testing.TB, data []byte) schema.Value {
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return value(v)
}

func value(v any) schema.Value {
	switch v := v.(type) {
	case nil:
		return schema.Value{}
	case bool:
		if v {
			return schema.Value{Kind: schema.Bool, Text: "true"}
		}
		return schema.Value{Kind: schema.Bool, Text: "false"}
	case json.Number:
		return schema.Value{Kind: schema.NumberKind, Text: schema.CanonicalNumber(v.String())}
	case string:
		return schema.Value{Kind: schema.String, Text: v}
	case []any:
		out := schema.Value{Kind: schema.Array}
		for _, item := range v {
			out.Items = append(out.Items, value(item))
		}
		return out
	}
	out := schema.Value{Kind: schema.Object}
	for k, item := range v.(map[string]any) {
		out.Members = append(out.Members, schema.Member{Key: k, Value: value(item)})
	}
	slices.SortFunc(out.Members, func(a, b schema.Member) int { return cmp.Compare(a.Key, b.Key) })
	return out
}

// schemaOf is one flat list of keywords.
func schemaOf(t testing.TB, v schema.Value) *schema.Schema {
	s := &schema.Schema{}
	text := func(v schema.Value) schema.Text { return schema.Text{V: v.Text} }
	flag := func(v schema.Value) *schema.Flag { return &schema.Flag{V: v.Text == "true"} }
	number := func(v schema.Value) *schema.Number { return &schema.Number{V: v.Text} }
	integer := func(v schema.Value) *schema.Int {
		var n int64
		if err := json.Unmarshal([]byte(v.Text), &n); err != nil {
			t.Fatal(err)
		}
		return &schema.Int{V: n}
	}
	list := func(v schema.Value) (out []*schema.Schema) {
		for _, item := range v.Items {
			out = append(out, schemaOf(t, item))
		}
		return out
	}
	strings := func(v schema.Value) (out []schema.Text) {
		for _, item := range v.Items {
			out = append(out, text(item))
		}
		return out
	}
	for _, m := range v.Members {
		v := m.Value
		switch m.Key {
		case "title":
			s.Title = text(v)
		case "description":
			s.Description = text(v)
		case "type":
			s.Type = text(v)
		case "format":
			s.Format = text(v)
		case "pattern":
			s.Pattern = text(v)
		case "maximum":
			s.Maximum = number(v)
		case "minimum":
			s.Minimum = number(v)
		case "multipleOf":
			s.MultipleOf = number(v)
		case "exclusiveMaximum":
			s.ExclusiveMaximum = flag(v)
		case "exclusiveMinimum":
			s.ExclusiveMinimum = flag(v)
		case "maxLength":
			s.MaxLength = integer(v)
		case "minLength":
			s.MinLength = integer(v)
		case "maxItems":
			s.MaxItems = integer(v)
		case "minItems":
			s.MinItems = integer(v)
		case "maxProperties":
			s.MaxProperties = integer(v)
		case "minProperties":
			s.MinProperties = integer(v)
		case "uniqueItems":
			s.UniqueItems = flag(v)
		case "enum":
			for _, item := range v.Items {
				s.Enum = append(s.Enum, schema.EnumValue{Value: item})
			}
		case "default":
			s.Default = &schema.Literal{Value: v}
		case "example":
			s.Example = &schema.Literal{Value: v}
		case "externalDocs":
			s.ExternalDocs = &schema.ExternalDocs{}
		case "properties":
			for _, p := range v.Members {
				s.Properties = append(s.Properties, schema.Property{Name: p.Key, Schema: schemaOf(t, p.Value)})
			}
		case "required":
			s.Required = strings(v)
		case "allOf":
			s.AllOf = list(v)
		case "anyOf":
			s.AnyOf = list(v)
		case "oneOf":
			s.OneOf = list(v)
		case "not":
			s.Not = schemaOf(t, v)
		case "nullable":
			s.Nullable = flag(v)
		case "x-kubernetes-preserve-unknown-fields":
			s.PreserveUnknownFields = flag(v)
		case "x-kubernetes-embedded-resource":
			s.EmbeddedResource = flag(v)
		case "x-kubernetes-int-or-string":
			s.IntOrString = flag(v)
		case "x-kubernetes-list-map-keys":
			s.ListMapKeys = strings(v)
		case "x-kubernetes-validations":
			for _, r := range v.Items {
				s.Rules = append(s.Rules, ruleOf(r))
			}
		case "items":
			if v.Kind == schema.Array {
				s.Other = append(s.Other, schema.Keyword{Name: m.Key, Value: v})
			} else {
				s.Items = schemaOf(t, v)
			}
		case "additionalProperties":
			switch {
			case v.Kind == schema.Object:
				s.AdditionalProperties = schemaOf(t, v)
			case v.Text == "true":
				s.AdditionalAllowed = true
			default:
				s.Other = append(s.Other, schema.Keyword{Name: m.Key, Value: v})
			}
		case "x-kubernetes-list-type", "x-kubernetes-map-type":
			switch {
			case v.Text == "":
				s.Other = append(s.Other, schema.Keyword{Name: m.Key, Value: v})
			case m.Key == "x-kubernetes-list-type":
				s.ListType = text(v)
			default:
				s.MapType = text(v)
			}
		default:
			s.Other = append(s.Other, schema.Keyword{Name: m.Key, Value: v})
		}
	}
	return s
}

func ruleOf(v schema.Value) schema.Rule {
	r := schema.Rule{}
	for _, m := range v.Members {
		text := schema.Text{V: m.Value.Text}
		switch m.Key {
		case "rule":
			r.Rule = text
		case "message":
			r.Message = text
		case "messageExpression":
			r.MessageExpression = text
		case "reason":
			r.Reason = text
		case "fieldPath":
			r.FieldPath = text
		case "optionalOldSelf":
			r.OptionalOldSelf = &schema.Flag{V: text.V == "true"}
		}
	}
	return r
}
