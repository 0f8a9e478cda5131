package session

import (
	"slices"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdproof/crdproof/rules/cost"
	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/rules/kube"
)

// isElsewhere reports whether the library's server rejects the CRD for a reason that no server of the range has, since
// it is not in the range: they drop the field, or they compile the expression, or find that it costs less.
func (s *Session) isElsewhere(r kube.Rejection) bool {
	if s.Kube.Has(kube.Latest()) || r.Err == nil {
		return false
	}
	return s.isDropped(r.Path) || s.isWithinBudget(r) || s.isCompiled(r)
}

// internalOfRange returns the object in the server's own form, without what the library's server looks at and no server
// of the range does: examples and references to documentation, which only matter in the schema of metadata, and formats
// that they do not know.
func (s *Session) internalOfRange() (*apiextensions.CustomResourceDefinition, error) {
	if s.Kube.Last.Has(kube.MetadataExamples) && s.Kube.Last.Has(kube.IntegerFormats) {
		return s.decoded()
	}
	object := s.Object().DeepCopy()
	for i := range object.Spec.Versions {
		v := &object.Spec.Versions[i]
		if v.Schema != nil {
			s.ofRange(v.Schema.OpenAPIV3Schema)
		}
		if !s.Kube.Last.Has(kube.SelectableFields) {
			v.SelectableFields = nil // with some, the library's server panics
		}
	}
	return kube.Internal(object)
}

// ofRange changes a schema and all below it.
func (s *Session) ofRange(p *apiext.JSONSchemaProps) {
	if p == nil {
		return
	}
	if !s.Kube.Last.Has(kube.MetadataExamples) {
		p.Example, p.ExternalDocs = nil, nil
	}
	isName := kube.KnowsFormat(p.Format) && !s.Kube.Last.Validates("string", p.Format)
	isNumber := p.Type == "integer" || p.Type == "number"
	if isName || isNumber && !s.Kube.Last.Has(kube.IntegerFormats) {
		p.Format = ""
	}
	for name, property := range p.Properties {
		s.ofRange(&property)
		p.Properties[name] = property
	}
	if p.Items != nil {
		s.ofRange(p.Items.Schema)
	}
	if p.AdditionalProperties != nil {
		s.ofRange(p.AdditionalProperties.Schema)
	}
	s.ofRange(p.Not)
	for _, list := range [][]apiext.JSONSchemaProps{p.AllOf, p.AnyOf, p.OneOf} {
		for i := range list {
			s.ofRange(&list[i])
		}
	}
}

// isDropped reports whether all servers of the range drop a field.
func (s *Session) isDropped(path string) bool {
	names := inBrackets.ReplaceAllString(path, "") + "."
	for _, f := range kube.Features() {
		if f.Field() != "" && !s.Kube.Last.Has(f) && strings.Contains(names, "."+f.Field()+".") {
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
	i, place, _ := s.Find(r.Path)
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
	i, _, _ := s.Find(r.Path)
	if i < 0 || r.Err.Type != field.ErrorTypeInvalid || !strings.Contains(r.Message, "compilation failed") {
		return false
	}
	return slices.ContainsFunc(s.Versions[i].Rules(), func(rule expr.Rule) bool {
		return r.Path == rule.Path()+"."+cost.PartRule && rule.Checked != nil ||
			r.Path == rule.Path()+"."+cost.PartMessage && rule.Message != nil
	})
}
