package kube

import (
	"context"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// Beyond returns for what else an API server would reject a CRD if nothing kept it from looking at all of it. It does
// not look at the structure of a schema with keywords for which there is no structural form, and at nothing at all if
// its code panics, which paths of fields make it do. The refusals are those of Verdict; they may be in the result
// again.
func Beyond(ctx context.Context, object *apiext.CustomResourceDefinition, refusals []Refusal) []Refusal {
	panics := len(refusals) == 1 && refusals[0].Err == nil
	object = object.DeepCopy()
	isObstructed := panics
	for i := range object.Spec.Versions {
		v := &object.Spec.Versions[i]
		if panics {
			v.SelectableFields = nil
		}
		if v.Schema != nil && v.Schema.OpenAPIV3Schema != nil {
			isObstructed = unobstruct(v.Schema.OpenAPIV3Schema, panics) || isObstructed
		}
	}
	if !isObstructed {
		return nil
	}
	beyond, err := Verdict(ctx, object)
	if err != nil {
		return nil // which Verdict has said of the object as it was
	}
	return beyond
}

// unobstruct removes keywords that have no structural form from a schema and from all below it, and reports whether
// there are any. With paths it removes those of rules too.
func unobstruct(s *apiext.JSONSchemaProps, paths bool) bool {
	found := s.ID != "" || s.Schema != "" || s.Ref != nil || len(s.PatternProperties) > 0 || len(s.Dependencies) > 0 ||
		s.AdditionalItems != nil || len(s.Definitions) > 0
	s.ID, s.Schema, s.Ref, s.AdditionalItems = "", "", nil, nil
	s.PatternProperties, s.Dependencies, s.Definitions = nil, nil, nil
	if p := s.XPreserveUnknownFields; p != nil && !*p {
		s.XPreserveUnknownFields, found = nil, true
	}
	if s.Items != nil && len(s.Items.JSONSchemas) > 0 {
		s.Items, found = nil, true
	}
	for i := range s.XValidations {
		if paths {
			s.XValidations[i].FieldPath = ""
		}
	}
	below := func(child *apiext.JSONSchemaProps) { found = child != nil && unobstruct(child, paths) || found }
	for name, property := range s.Properties {
		below(&property)
		s.Properties[name] = property
	}
	if s.Items != nil {
		below(s.Items.Schema)
	}
	if s.AdditionalProperties != nil {
		below(s.AdditionalProperties.Schema)
	}
	below(s.Not)
	for _, list := range [][]apiext.JSONSchemaProps{s.AllOf, s.AnyOf, s.OneOf} {
		for i := range list {
			below(&list[i])
		}
	}
	return found
}
