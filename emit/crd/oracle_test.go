package crd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	toolscrd "sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/controller-tools/pkg/genall"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/crdproof/crdproof/generator/schema"
)

// The oracle is controller-gen's own code for everything after the schema is built: the conversion to the internal
// version and back, the removal of status and creationTimestamp, and the YAML. Only the way from our IR to the API
// type is written here.

// oracle returns what controller-gen writes for a CRD.
func oracle(c *schema.CRD, opts Options) ([]byte, error) {
	converted, err := toolscrd.AsVersion(*apiCRD(c, opts), apiext.SchemeGroupVersion)
	if err != nil {
		return nil, err
	}
	transforms := []*genall.WriteYAMLOptions{
		genall.WithTransform(func(obj map[string]any) error { delete(obj, "status"); return nil }),
		genall.WithTransform(genall.TransformRemoveCreationTimestamp),
	}
	if c.PreserveUnknownFields != nil {
		transforms = append(transforms, genall.WithTransform(func(obj map[string]any) error {
			obj["spec"].(map[string]any)["preserveUnknownFields"] = *c.PreserveUnknownFields
			return nil
		}))
	}
	var out captured
	ctx := genall.GenerationContext{OutputRule: &out}
	err = ctx.WriteYAML("", string(opts.Header), []any{converted}, transforms...)
	return out.Bytes(), err
}

// captured is an output rule that keeps what is written.
type captured struct{ bytes.Buffer }

func (c *captured) Open(*loader.Package, string) (io.WriteCloser, error) { return c, nil }
func (c *captured) Close() error                                         { return nil }

// mustMatch compares Encode with the oracle.
func mustMatch(t *testing.T, c *schema.CRD, opts Options) {
	t.Helper()
	want, err := oracle(c, opts)
	if err != nil {
		t.Fatalf("the oracle refuses: %v", err)
	}
	if got := Encode(c, opts); !bytes.Equal(got, want) {
		t.Fatal(difference(got, want))
	}
}

// difference shows the first line that differs, with those around it.
func difference(got, want []byte) string {
	g, w := bytes.SplitAfter(got, []byte("\n")), bytes.SplitAfter(want, []byte("\n"))
	i := 0
	for i < len(g) && i < len(w) && bytes.Equal(g[i], w[i]) {
		i++
	}
	around := func(lines [][]byte) string {
		var b strings.Builder
		for _, line := range lines[max(0, min(i-2, len(lines))):min(i+3, len(lines))] {
			fmt.Fprintf(&b, "\t%q\n", line)
		}
		return b.String()
	}
	return fmt.Sprintf("first difference in line %d\ngot\n%swant\n%s", i+1, around(g), around(w))
}

// apiCRD is the CRD as controller-gen holds it before it writes.
func apiCRD(c *schema.CRD, opts Options) *apiext.CustomResourceDefinition {
	out := &apiext.CustomResourceDefinition{
		TypeMeta: metav1.TypeMeta{APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition"},
		ObjectMeta: metav1.ObjectMeta{
			Name:        c.Plural.V + "." + c.Group,
			Annotations: apiMap(c.Annotations),
			Labels:      apiMap(c.Labels),
		},
		Spec: apiext.CustomResourceDefinitionSpec{
			Group: c.Group,
			Names: apiext.CustomResourceDefinitionNames{
				Kind: c.Kind, ListKind: c.ListKind, Plural: c.Plural.V, Singular: c.Singular.V,
				ShortNames: apiTexts(c.ShortNames), Categories: apiTexts(c.Categories),
			},
			Scope: apiext.ResourceScope(c.Scope.V),
		},
	}
	if opts.ToolVersion != "" {
		if out.Annotations == nil {
			out.Annotations = map[string]string{}
		}
		out.Annotations[VersionAnnotation] = opts.ToolVersion
	}
	if c.Versions != nil {
		out.Spec.Versions = []apiext.CustomResourceDefinitionVersion{}
	}
	for i := range c.Versions {
		out.Spec.Versions = append(out.Spec.Versions, apiVersion(&c.Versions[i]))
	}
	return out
}

func apiVersion(v *schema.Version) apiext.CustomResourceDefinitionVersion {
	out := apiext.CustomResourceDefinitionVersion{
		Name: v.Name, Served: v.Served, Storage: v.Storage, Deprecated: v.Deprecated,
	}
	if v.DeprecationWarning != nil {
		out.DeprecationWarning = &v.DeprecationWarning.V
	}
	if v.Schema != nil {
		out.Schema = &apiext.CustomResourceValidation{OpenAPIV3Schema: apiSchema(v.Schema)}
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
			if sub.Scale.LabelSelectorPath != nil {
				out.Subresources.Scale.LabelSelectorPath = &sub.Scale.LabelSelectorPath.V
			}
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

func apiSchema(s *schema.Schema) *apiext.JSONSchemaProps {
	out := &apiext.JSONSchemaProps{
		Title: s.Title.V, Description: s.Description.V, Type: s.Type.V, Format: s.Format.V, Pattern: s.Pattern.V,
		Maximum: apiNumber(s.Maximum), Minimum: apiNumber(s.Minimum), MultipleOf: apiNumber(s.MultipleOf),
		ExclusiveMaximum: apiFlag(s.ExclusiveMaximum), ExclusiveMinimum: apiFlag(s.ExclusiveMinimum),
		MaxLength: apiInt(s.MaxLength), MinLength: apiInt(s.MinLength),
		MaxItems: apiInt(s.MaxItems), MinItems: apiInt(s.MinItems),
		MaxProperties: apiInt(s.MaxProperties), MinProperties: apiInt(s.MinProperties),
		UniqueItems: apiFlag(s.UniqueItems),
		Default:     apiLiteral(s.Default), Example: apiLiteral(s.Example),
		Required: apiTexts(s.Required),
		AllOf:    apiSchemas(s.AllOf), AnyOf: apiSchemas(s.AnyOf), OneOf: apiSchemas(s.OneOf),
		Nullable: apiFlag(s.Nullable), XEmbeddedResource: apiFlag(s.EmbeddedResource),
		XIntOrString: apiFlag(s.IntOrString), XListMapKeys: apiTexts(s.ListMapKeys),
		XListType: apiOptional(s.ListType), XMapType: apiOptional(s.MapType),
	}
	for _, e := range s.Enum {
		out.Enum = append(out.Enum, apiext.JSON{Raw: []byte(jsonText(e.Value))})
	}
	if s.ExternalDocs != nil {
		out.ExternalDocs = &apiext.ExternalDocumentation{
			URL: s.ExternalDocs.URL.V, Description: s.ExternalDocs.Description.V,
		}
	}
	if s.Items != nil {
		out.Items = &apiext.JSONSchemaPropsOrArray{Schema: apiSchema(s.Items)}
	}
	if s.AdditionalProperties != nil {
		out.AdditionalProperties = &apiext.JSONSchemaPropsOrBool{
			Allows: true, Schema: apiSchema(s.AdditionalProperties),
		}
	} else if s.AdditionalAllowed {
		out.AdditionalProperties = &apiext.JSONSchemaPropsOrBool{Allows: true}
	}
	if s.Properties != nil {
		out.Properties = map[string]apiext.JSONSchemaProps{}
	}
	for _, p := range s.Properties {
		out.Properties[p.Name] = *apiSchema(p.Schema)
	}
	if s.Not != nil {
		out.Not = apiSchema(s.Not)
	}
	if s.PreserveUnknownFields != nil {
		out.XPreserveUnknownFields = &s.PreserveUnknownFields.V
	}
	for _, r := range s.Rules {
		out.XValidations = append(out.XValidations, apiRule(r))
	}
	return out
}

func apiRule(r schema.Rule) apiext.ValidationRule {
	out := apiext.ValidationRule{
		Rule: r.Rule.V, Message: r.Message.V, MessageExpression: r.MessageExpression.V, FieldPath: r.FieldPath.V,
		Reason: (*apiext.FieldValueErrorReason)(apiOptional(r.Reason)),
	}
	if r.OptionalOldSelf != nil {
		out.OptionalOldSelf = &r.OptionalOldSelf.V
	}
	return out
}

func apiSchemas(list []*schema.Schema) (out []apiext.JSONSchemaProps) {
	for _, s := range list {
		out = append(out, *apiSchema(s))
	}
	return out
}

func apiMap(list []schema.KeyValue) map[string]string {
	if list == nil {
		return nil
	}
	out := map[string]string{}
	for _, kv := range list {
		out[kv.Key] = kv.Value
	}
	return out
}

func apiTexts(list []schema.Text) (out []string) {
	for _, t := range list {
		out = append(out, t.V)
	}
	return out
}

func apiOptional(t schema.Text) *string {
	if t.V == "" {
		return nil
	}
	return &t.V
}

func apiFlag(f *schema.Flag) bool { return f != nil && f.V }

func apiInt(n *schema.Int) *int64 {
	if n == nil {
		return nil
	}
	return &n.V
}

func apiNumber(n *schema.Number) *float64 {
	if n == nil {
		return nil
	}
	f, err := strconv.ParseFloat(n.V, 64)
	if err != nil {
		panic(err)
	}
	return &f
}

func apiLiteral(l *schema.Literal) *apiext.JSON {
	if l == nil {
		return nil
	}
	return &apiext.JSON{Raw: []byte(jsonText(l.Value))}
}

// jsonText is a value as JSON, numbers as they are written.
func jsonText(v schema.Value) string {
	switch v.Kind {
	case schema.Null:
		return "null"
	case schema.Bool, schema.NumberKind:
		return v.Text
	case schema.String:
		return jsonString(v.Text)
	case schema.Array:
		var items []string
		for _, item := range v.Items {
			items = append(items, jsonText(item))
		}
		return "[" + strings.Join(items, ",") + "]"
	}
	var members []string
	for _, m := range v.Members {
		members = append(members, jsonString(m.Key)+":"+jsonText(m.Value))
	}
	return "{" + strings.Join(members, ",") + "}"
}

func jsonString(s string) string {
	out, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(out)
}

// hasCycle reports whether the library's order runs in circles for these keys, so that its output depends on chance.
func hasCycle(keys []string) bool {
	sorted := slices.Clone(keys)
	slices.SortFunc(sorted, compareKeys)
	for i := range sorted {
		for j := i + 1; j < len(sorted); j++ {
			if compareKeys(sorted[i], sorted[j]) > 0 {
				return true
			}
		}
	}
	return false
}
