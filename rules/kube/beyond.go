package kube

import (
	"context"
	"slices"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crdproof/crdproof/schema"
)

// Beyond returns for what else an API server would reject a CRD if nothing kept it from looking at all of it. It does
// not look at the structure of a schema with keywords for which there is no structural form, and at nothing at all if
// its code panics, which paths of fields make it do. The rejections are those of Verdict for the object; they may be in
// the result again.
func Beyond(
	ctx context.Context, c *schema.CRD, object *apiext.CustomResourceDefinition, rejections []Rejection,
) []Rejection {
	panics := len(rejections) == 1 && rejections[0].Err == nil
	object = object.DeepCopy()
	isObstructed := panics
	for i := range c.Versions {
		v := &object.Spec.Versions[i]
		if panics {
			v.SelectableFields = nil
		}
		if before := c.Versions[i].Schema; before != nil {
			after := schema.Map(before, func(p *schema.Place) *schema.Schema { return unobstructed(p.Schema, panics) })
			if after != before {
				v.Schema.OpenAPIV3Schema, isObstructed = Props(after), true
			}
		}
	}
	if !isObstructed {
		return nil
	}
	beyond, err := Verdict(ctx, object)
	if err != nil {
		return nil // Verdict has reported it for the original object
	}
	return beyond
}

// unobstructed returns a schema without keywords that have no structural form. With paths it has none of rules either.
func unobstructed(s *schema.Schema, paths bool) *schema.Schema {
	out := *s
	out.Other = slices.DeleteFunc(slices.Clone(s.Other), func(k schema.Verbatim) bool {
		_, isVerbatim := schema.KeywordOf(k.Name).Field.(schema.VerbatimField)
		return isVerbatim || k.Name == "items"
	})
	isSame := len(out.Other) == len(s.Other)
	if f := s.PreserveUnknownFields; f != nil && !f.V {
		out.PreserveUnknownFields, isSame = nil, false
	}
	if paths && len(s.Rules) > 0 {
		out.Rules, isSame = slices.Clone(s.Rules), false
		for i := range out.Rules {
			out.Rules[i].FieldPath = schema.Text{}
		}
	}
	if isSame {
		return s
	}
	return &out
}
