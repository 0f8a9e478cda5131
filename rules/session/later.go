package session

import (
	"cmp"
	"slices"
	"strings"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/cost"
	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/rules/kube"
)

// isLater reports whether the library's server rejects the CRD for a reason that no server of the range has, since all
// of them are older: they drop the field, or they compile the expression, or find that it costs less.
func (s *Session) isLater(r kube.Rejection) bool {
	if s.Kube.Last == kube.Latest() || r.Err == nil {
		return false
	}
	return s.isDropped(r.Path) || s.isWithinBudget(r) || s.isCompiled(r)
}

// objectOfRange is the object without what the library's server looks at and no server of the range does: examples and
// references to documentation, which only matter in the schema of metadata, and formats of numbers.
func (s *Session) objectOfRange() *apiext.CustomResourceDefinition {
	if s.Kube.Last.Has(kube.MetadataExamples) && s.Kube.Last.Has(kube.IntegerFormats) {
		return s.Object()
	}
	var object *apiext.CustomResourceDefinition
	for i, v := range s.Versions {
		if v.Schema == nil {
			continue
		}
		if without := schema.Map(v.Schema, s.schemaOfRange); without != v.Schema {
			if object == nil {
				object = s.Object().DeepCopy()
			}
			object.Spec.Versions[i].Schema.OpenAPIV3Schema = kube.Props(without)
		}
	}
	return cmp.Or(object, s.Object())
}

func (s *Session) schemaOfRange(p *schema.Place) *schema.Schema {
	hasExample := p.Schema.Example != nil || p.Schema.ExternalDocs != nil
	hasFormat := p.Schema.Format.V != "" && (p.Schema.Type.V == "integer" || p.Schema.Type.V == "number")
	if !hasExample && !hasFormat {
		return p.Schema
	}
	out := *p.Schema
	if !s.Kube.Last.Has(kube.MetadataExamples) {
		out.Example, out.ExternalDocs = nil, nil
	}
	if hasFormat && !s.Kube.Last.Has(kube.IntegerFormats) {
		out.Format = schema.Text{}
	}
	return &out
}

// isDropped reports whether all servers of the range drop a field.
func (s *Session) isDropped(path string) bool {
	for _, f := range []struct {
		name    string
		feature kube.Feature
	}{
		{".selectableFields", kube.SelectableFields}, {"].messageExpression", kube.MessageExpression},
		{"].reason", kube.RuleReason}, {"].fieldPath", kube.RuleFieldPath},
		{"].optionalOldSelf", kube.OptionalOldSelf},
	} {
		if strings.Contains(path, f.name) && !s.Kube.Last.Has(f.feature) {
			return true
		}
	}
	return false
}

// isWithinBudget reports whether a rejection is about a cost that all servers of the range find within its budget.
func (s *Session) isWithinBudget(r kube.Rejection) bool {
	if r.Err.Type != field.ErrorTypeForbidden || !strings.Contains(r.Message, "exceeds budget") {
		return false
	}
	i, place, _ := s.CRD.Find(r.Path)
	if i < 0 || place == nil {
		return false
	}
	estimates := s.Versions[i].Estimates()
	if !strings.HasSuffix(r.Path, "."+cost.PartRule) && !strings.HasSuffix(r.Path, "."+cost.PartMessage) {
		return cost.Total(estimates) <= cost.VersionBudget
	}
	return slices.ContainsFunc(estimates, func(e cost.Estimate) bool {
		return e.Path() == r.Path && e.Cost <= cost.RuleBudget
	})
}

// isCompiled reports whether a rejection is about an expression that all servers of the range compile.
func (s *Session) isCompiled(r kube.Rejection) bool {
	i, _, _ := s.CRD.Find(r.Path)
	if i < 0 || r.Err.Type != field.ErrorTypeInvalid || !strings.Contains(r.Message, "compilation failed") {
		return false
	}
	return slices.ContainsFunc(s.Versions[i].Rules(), func(rule expr.Rule) bool {
		return r.Path == rule.Path()+"."+cost.PartRule && rule.Checked != nil ||
			r.Path == rule.Path()+"."+cost.PartMessage && rule.Message != nil
	})
}
