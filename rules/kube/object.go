package kube

import (
	"encoding/base64"
	"encoding/json"
	"strconv"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/crdproof/crdproof/generator/schema"
)

// Decode returns a CRD as an API server decodes it from the JSON that a client sends, which drops the fields that it does
// not know. The error is the server's.
func Decode(sent []byte) (*apiext.CustomResourceDefinition, error) {
	out := &apiext.CustomResourceDefinition{}
	if err := utiljson.Unmarshal(sent, out); err != nil {
		return nil, err
	}
	return out, nil
}

// Object returns the CRD as an object of the API, as it is written to a file and applied.
func Object(c *schema.CRD) *apiext.CustomResourceDefinition {
	out := &apiext.CustomResourceDefinition{
		TypeMeta: metav1.TypeMeta{APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition"},
		ObjectMeta: metav1.ObjectMeta{
			Name:        c.ObjectName(),
			Annotations: keyValues(c.Annotations),
			Labels:      keyValues(c.Labels),
		},
		Spec: apiext.CustomResourceDefinitionSpec{
			Group: c.Group.V,
			Names: apiext.CustomResourceDefinitionNames{
				Kind: c.Kind.V, ListKind: c.ListKind.V, Plural: c.Plural.V, Singular: c.Singular.V,
				ShortNames: texts(c.ShortNames), Categories: texts(c.Categories),
			},
			Scope:                 apiext.ResourceScope(c.Scope.V),
			PreserveUnknownFields: isTrue(c.PreserveUnknownFields),
		},
	}
	addKeywords(&out.ObjectMeta, c.Metadata)
	out.Spec.Conversion = conversion(c.Conversion)
	if c.Versions != nil {
		out.Spec.Versions = []apiext.CustomResourceDefinitionVersion{}
	}
	for i := range c.Versions {
		out.Spec.Versions = append(out.Spec.Versions, objectVersion(&c.Versions[i]))
	}
	return out
}

func conversion(c *schema.Conversion) *apiext.CustomResourceConversion {
	if c == nil {
		return nil
	}
	out := &apiext.CustomResourceConversion{Strategy: apiext.ConversionStrategyType(c.Strategy.V)}
	if c.Webhook == nil {
		return out
	}
	out.Webhook = &apiext.WebhookConversion{ConversionReviewVersions: texts(c.Webhook.ReviewVersions)}
	client := c.Webhook.Client
	if client == nil {
		return out
	}
	out.Webhook.ClientConfig = &apiext.WebhookClientConfig{URL: textPointer(client.URL)}
	if client.CABundle.V != "" {
		// What is no base64 was refused where it was read.
		out.Webhook.ClientConfig.CABundle, _ = base64.StdEncoding.DecodeString(client.CABundle.V)
	}
	if s := client.Service; s != nil {
		out.Webhook.ClientConfig.Service = &apiext.ServiceReference{
			Namespace: s.Namespace.V, Name: s.Name.V, Path: textPointer(s.Path),
		}
		if s.Port != nil {
			port := int32(s.Port.V)
			out.Webhook.ClientConfig.Service.Port = &port
		}
	}
	return out
}

func objectVersion(v *schema.Version) apiext.CustomResourceDefinitionVersion {
	out := apiext.CustomResourceDefinitionVersion{
		Name: v.Name.V, Served: v.Served, Storage: v.Storage, Deprecated: v.Deprecated,
	}
	out.DeprecationWarning = textPointer(v.DeprecationWarning)
	if v.Schema != nil {
		out.Schema = &apiext.CustomResourceValidation{OpenAPIV3Schema: Props(v.Schema)}
	}
	if sub := v.Subresources; sub != nil {
		out.Subresources = &apiext.CustomResourceSubresources{}
		if sub.Status != nil {
			out.Subresources.Status = &apiext.CustomResourceSubresourceStatus{}
		}
		if sub.Scale != nil {
			out.Subresources.Scale = &apiext.CustomResourceSubresourceScale{
				SpecReplicasPath: sub.Scale.SpecReplicasPath.V, StatusReplicasPath: sub.Scale.StatusReplicasPath.V,
			}
			out.Subresources.Scale.LabelSelectorPath = textPointer(sub.Scale.LabelSelectorPath)
		}
	}
	for _, c := range v.Columns {
		out.AdditionalPrinterColumns = append(out.AdditionalPrinterColumns, apiext.CustomResourceColumnDefinition{
			Name: c.Name.V, Type: c.Type.V, JSONPath: c.JSONPath.V, Description: c.Description.V, Format: c.Format.V,
			Priority: c.Priority,
		})
	}
	for _, f := range v.SelectableFields {
		out.SelectableFields = append(out.SelectableFields, apiext.SelectableField{JSONPath: f.V})
	}
	return out
}

// Props returns a node of the IR, with all below it, as a schema of the API.
func Props(s *schema.Schema) *apiext.JSONSchemaProps {
	out := &apiext.JSONSchemaProps{
		Title: s.Title.V, Description: s.Description.V, Type: s.Type.V, Format: s.Format.V, Pattern: s.Pattern.V,
		Maximum: number(s.Maximum), Minimum: number(s.Minimum), MultipleOf: number(s.MultipleOf),
		ExclusiveMaximum: isTrue(s.ExclusiveMaximum), ExclusiveMinimum: isTrue(s.ExclusiveMinimum),
		MaxLength: integer(s.MaxLength), MinLength: integer(s.MinLength),
		MaxItems: integer(s.MaxItems), MinItems: integer(s.MinItems),
		MaxProperties: integer(s.MaxProperties), MinProperties: integer(s.MinProperties),
		UniqueItems: isTrue(s.UniqueItems),
		Default:     literal(s.Default), Example: literal(s.Example),
		Required: texts(s.Required),
		AllOf:    propsList(s.AllOf), AnyOf: propsList(s.AnyOf), OneOf: propsList(s.OneOf),
		Nullable: isTrue(s.Nullable), XEmbeddedResource: isTrue(s.EmbeddedResource),
		XIntOrString: isTrue(s.IntOrString), XListMapKeys: texts(s.ListMapKeys),
		XListType: optional(s.ListType), XMapType: optional(s.MapType),
	}
	for _, e := range s.Enum {
		value := apiext.JSON{} // which is null
		if e.Value.Kind != schema.Null {
			value.Raw = AppendJSON(nil, e.Value)
		}
		out.Enum = append(out.Enum, value)
	}
	if s.ExternalDocs != nil {
		out.ExternalDocs = &apiext.ExternalDocumentation{
			URL: s.ExternalDocs.URL.V, Description: s.ExternalDocs.Description.V,
		}
	}
	if s.Items != nil {
		out.Items = &apiext.JSONSchemaPropsOrArray{Schema: Props(s.Items)}
	}
	if s.AdditionalProperties != nil {
		out.AdditionalProperties = &apiext.JSONSchemaPropsOrBool{
			Allows: true, Schema: Props(s.AdditionalProperties),
		}
	} else if s.AdditionalAllowed {
		out.AdditionalProperties = &apiext.JSONSchemaPropsOrBool{Allows: true}
	}
	if s.Properties != nil {
		out.Properties = map[string]apiext.JSONSchemaProps{}
	}
	for _, p := range s.Properties {
		out.Properties[p.Name] = *Props(p.Schema)
	}
	if s.Not != nil {
		out.Not = Props(s.Not)
	}
	if s.PreserveUnknownFields != nil {
		out.XPreserveUnknownFields = &s.PreserveUnknownFields.V
	}
	for _, r := range s.Rules {
		out.XValidations = append(out.XValidations, validationRule(r))
	}
	addKeywords(out, s.Other)
	return out
}

func validationRule(r schema.Rule) apiext.ValidationRule {
	out := apiext.ValidationRule{
		Rule: r.Rule.V, Message: r.Message.V, MessageExpression: r.MessageExpression.V, FieldPath: r.FieldPath.V,
		Reason: (*apiext.FieldValueErrorReason)(optional(r.Reason)),
	}
	if r.OptionalOldSelf != nil {
		out.OptionalOldSelf = &r.OptionalOldSelf.V
	}
	return out
}

// addKeywords sets fields of an API object by their names in JSON. One whose value has the wrong type is left out.
func addKeywords(object any, list []schema.Keyword) {
	for _, k := range list {
		member := schema.Value{Kind: schema.Object, Members: []schema.Member{{Key: k.Name, Value: k.Value}}}
		// No API server decodes the wrong type either, so that there is nothing to lose.
		_ = utiljson.Unmarshal(AppendJSON(nil, member), object)
	}
}

func propsList(list []*schema.Schema) (out []apiext.JSONSchemaProps) {
	for _, s := range list {
		out = append(out, *Props(s))
	}
	return out
}

func keyValues(list []schema.KeyValue) map[string]string {
	if list == nil {
		return nil
	}
	out := map[string]string{}
	for _, kv := range list {
		out[kv.Key] = kv.Value
	}
	return out
}

func texts(list []schema.Text) (out []string) {
	for _, t := range list {
		out = append(out, t.V)
	}
	return out
}

func optional(t schema.Text) *string {
	if t.V == "" {
		return nil
	}
	return &t.V
}

func textPointer(t *schema.Text) *string {
	if t == nil {
		return nil
	}
	return &t.V
}

func isTrue(f *schema.Flag) bool { return f != nil && f.V }

func integer(n *schema.Int) *int64 {
	if n == nil {
		return nil
	}
	return &n.V
}

func number(n *schema.Number) *float64 {
	if n == nil {
		return nil
	}
	// The literal is canonical. Beyond the range of float64 the nearest there is stands for it, as in the API server's
	// decoder.
	f, _ := strconv.ParseFloat(n.V, 64)
	return &f
}

func literal(l *schema.Literal) *apiext.JSON {
	if l == nil {
		return nil
	}
	return &apiext.JSON{Raw: AppendJSON(nil, l.Value)}
}

// AppendJSON appends a value as JSON, numbers as they are written.
func AppendJSON(out []byte, v schema.Value) []byte {
	switch v.Kind {
	case schema.Null:
		return append(out, "null"...)
	case schema.Bool, schema.NumberKind:
		return append(out, v.Text...)
	case schema.String:
		return appendString(out, v.Text)
	case schema.Array:
		out = append(out, '[')
		for i, item := range v.Items {
			if i > 0 {
				out = append(out, ',')
			}
			out = AppendJSON(out, item)
		}
		return append(out, ']')
	}
	out = append(out, '{')
	for i, m := range v.Members {
		if i > 0 {
			out = append(out, ',')
		}
		out = AppendJSON(append(appendString(out, m.Key), ':'), m.Value)
	}
	return append(out, '}')
}

func appendString(out []byte, s string) []byte {
	quoted, _ := json.Marshal(s) // a string always has JSON
	return append(out, quoted...)
}
