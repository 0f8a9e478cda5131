package kube

import (
	"context"
	"maps"
	"slices"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdproof/crdproof/schema"
)

// DropCertain drops rules from the schemas of the result of Internal, of a CRD whose schemas in the IR are given. Those
// are dropped that are certain: the server's verdict on them is known, and compiling them takes most of the time of
// Judge. What remains is everything that Judge has to look at besides:
//
//   - rules in junctors, which are forbidden
//   - rules in fields called metadata: that of an object must have none (pkg/apiserver/schema/validation.go,
//     validateStructuralMetadataInvariants)
//   - rules with anything else than a plain text that the server validates: see isPlain
//
// A rule that is dropped changes nothing in what the server finds elsewhere: each rule adds its own errors and its cost
// to the sum of the version (apis/apiextensions/validation, ValidateCustomResourceDefinitionOpenAPISchema). Only the
// defaults above it have to satisfy it as well: see Defaults.
func DropCertain(crd *apiextensions.CustomResourceDefinition, c *schema.CRD, certain func(*schema.Rule) bool) {
	drop := dropper(certain)
	if v := crd.Spec.Validation; v != nil {
		drop.from(v.OpenAPIV3Schema, c.Versions[0].Schema)
	}
	for i := range crd.Spec.Versions {
		if v := crd.Spec.Versions[i].Schema; v != nil {
			drop.from(v.OpenAPIV3Schema, c.Versions[i].Schema)
		}
	}
}

// A dropper tells which rules are certain.
type dropper func(*schema.Rule) bool

// from drops rules from a schema and all below it, and reports whether it has dropped any.
func (certain dropper) from(p *apiextensions.JSONSchemaProps, s *schema.Schema) (changed bool) {
	if p == nil || !s.HasRules() {
		return false
	}
	if len(p.XValidations) > 0 && len(p.XValidations) == len(s.Rules) {
		var kept apiextensions.ValidationRules // the slice is shared with the object
		for i, r := range p.XValidations {
			if r.Rule != s.Rules[i].Rule.V || r.FieldPath != s.Rules[i].FieldPath.V || !isPlain(&r) ||
				!certain(&s.Rules[i]) {
				kept = append(kept, r)
			}
		}
		changed = len(kept) < len(p.XValidations)
		p.XValidations = kept
	}
	for i := range s.Properties {
		name, below := s.Properties[i].Name, s.Properties[i].Schema
		if name == "metadata" || !below.HasRules() {
			continue
		}
		if property, ok := p.Properties[name]; ok && certain.from(&property, below) {
			p.Properties[name], changed = property, true
		}
	}
	if p.Items != nil {
		changed = certain.from(p.Items.Schema, s.Items) || changed
	}
	if p.AdditionalProperties != nil {
		changed = certain.from(p.AdditionalProperties.Schema, s.AdditionalProperties) || changed
	}
	return changed
}

// reasons are those that the server accepts (apis/apiextensions/validation, supportedValidationReason).
var reasons = []apiextensions.FieldValueErrorReason{
	apiextensions.FieldValueRequired, apiextensions.FieldValueForbidden, apiextensions.FieldValueInvalid,
	apiextensions.FieldValueDuplicate,
}

// isPlain reports whether the server surely accepts all of a rule but the expressions and the field path.
func isPlain(r *apiextensions.ValidationRule) bool {
	isLine := func(text string) bool { return strings.TrimSpace(text) != "" && !strings.ContainsAny(text, "\r\n") }
	return isLine(r.Rule) && (r.Message == "" || isLine(r.Message)) && (r.FieldPath == "" || isLine(r.FieldPath)) &&
		(r.Reason == nil || slices.Contains(reasons, *r.Reason)) &&
		(r.MessageExpression == "" || strings.TrimSpace(r.MessageExpression) != "")
}

// Defaults returns what the API server finds wrong with the defaults in a structural schema whose root is at a path:
// what it finds when it creates a CRD (pkg/apiserver/schema/defaulting/validation.go). It may rewrite defaults of
// embedded resources.
func Defaults(ctx context.Context, at string, s *structural.Structural, isResource bool) field.ErrorList {
	// The error is about defaults without a place in an object, which do not occur.
	errs, _ := defaulting.ValidateDefaults(ctx, field.NewPath(at), s, isResource, true)
	return errs
}

// RulesOfDefaults returns a copy of a structural schema with only those rules that the API server evaluates for
// defaults; nil if there are none. It compiles all rules below a default, but evaluates only those of what the default
// holds (pkg/apiserver/schema/cel/validation.go).
func RulesOfDefaults(s *structural.Structural) *structural.Structural {
	if out, ruled := rulesFor(s, nil); ruled {
		return out
	}
	return nil
}

// rulesFor does what RulesOfDefaults does for a place at which defaults above it have values. It reports whether there
// are rules.
func rulesFor(s *structural.Structural, values []any) (out *structural.Structural, ruled bool) {
	if s.Default.Object != nil {
		values = append(slices.Clip(values), s.Default.Object)
	}
	only := *s
	if len(values) == 0 {
		only.XValidations = nil
	}
	ruled = len(only.XValidations) > 0
	add := func(below *structural.Structural, values []any) *structural.Structural {
		part, more := rulesFor(below, values)
		ruled = ruled || more
		return part
	}
	if s.Items != nil {
		only.Items = add(s.Items, inside(values, func(v any) []any {
			list, _ := v.([]any)
			return list
		}))
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Structural != nil {
		all := inside(values, func(v any) []any {
			object, _ := v.(map[string]any)
			return slices.Collect(maps.Values(object))
		})
		only.AdditionalProperties = &structural.StructuralOrBool{
			Structural: add(s.AdditionalProperties.Structural, all), Bool: s.AdditionalProperties.Bool,
		}
	}
	if s.Properties != nil {
		only.Properties = make(map[string]structural.Structural, len(s.Properties))
	}
	for name, property := range s.Properties {
		only.Properties[name] = *add(&property, inside(values, func(v any) []any {
			object, _ := v.(map[string]any)
			if value, ok := object[name]; ok {
				return []any{value}
			}
			return nil
		}))
	}
	if !ruled {
		only.Default.Object = nil // it is known to be valid
	}
	return &only, ruled
}

// inside returns the values in others.
func inside(values []any, in func(any) []any) (out []any) {
	for _, v := range values {
		out = append(out, in(v)...)
	}
	return out
}
