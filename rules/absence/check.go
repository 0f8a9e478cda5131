package absence

import (
	"slices"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/rules/expr"
)

// Checks is the table of this package's checks.
func Checks() []*diag.Check {
	return []*diag.Check{
		{
			ID: idAbsent, Severity: diag.Warning,
			Doc:  "A rule reads a field, a key or an item that an object may lack. An API server refuses such an object with \"no such key\" instead of the rule's message.",
			Bad:  "// +kubebuilder:validation:XValidation:rule=\"self.ttl > 0\"\ntype Spec struct {\n\tTTL *int32 `json:\"ttl,omitempty\"`\n}",
			Good: "// +kubebuilder:validation:XValidation:rule=\"!has(self.ttl) || self.ttl > 0\"\ntype Spec struct {\n\tTTL *int32 `json:\"ttl,omitempty\"`\n}",
		},
		{
			ID: idNever, Severity: diag.Error, Accepted: true,
			Doc:  "A rule reads what is absent in every object that is created, so that nothing passes it.",
			Bad:  "// +kubebuilder:validation:XValidation:rule=\"self == oldSelf.value()\",optionalOldSelf=true",
			Good: "// +kubebuilder:validation:XValidation:rule=\"!oldSelf.hasValue() || self == oldSelf.value()\",optionalOldSelf=true",
		},
		{
			ID: idMessage, Severity: diag.Warning,
			Doc:  "A messageExpression reads what an object may lack. An API server says the rule's plain message then, and nothing of why.",
			Bad:  "// +kubebuilder:validation:XValidation:rule=\"self.min < 9\",messageExpression=\"'min is below ' + self.name\"\ntype Spec struct {\n\tMin  int32  `json:\"min\"`\n\tName string `json:\"name,omitempty\"`\n}",
			Good: "// +kubebuilder:validation:XValidation:rule=\"self.min < 9\",messageExpression=\"'min is below ' + self.?name.orValue('nine')\"\ntype Spec struct {\n\tMin  int32  `json:\"min\"`\n\tName string `json:\"name,omitempty\"`\n}",
		},
		{
			ID: idMessageOldSelf, Severity: diag.Warning,
			Doc:  "In a messageExpression oldSelf is there on updates alone, and never an optional, in spite of optionalOldSelf. Where it fails, an API server says the rule's plain message.",
			Bad:  "// +kubebuilder:validation:XValidation:rule=\"self > oldSelf.orValue(0)\",messageExpression=\"'was ' + string(oldSelf.value())\",optionalOldSelf=true",
			Good: "// +kubebuilder:validation:XValidation:rule=\"self > oldSelf.orValue(0)\",message=\"may only grow\",optionalOldSelf=true",
		},
	}
}

// Check reports what the rules of a version's schema read that an object may lack.
func Check(structure *structural.Structural, rules []expr.Rule) []diag.Diagnostic {
	var out []diag.Diagnostic
	for _, f := range Find(structure, rules) {
		for _, d := range f.diagnostics() {
			// A rule that is written once and stands at several places is told once, for each of its uses.
			d.For = f.Rule.Source.Use()
			i := slices.IndexFunc(out, func(e diag.Diagnostic) bool {
				return e.Span == d.Span && e.For == d.For && e.Check == d.Check && e.Message == d.Message && e.HelpText == d.HelpText && len(e.SeeAlso) == len(d.SeeAlso)
			})
			if i < 0 {
				out = append(out, d)
			} else {
				out[i].AlsoPaths = append(out[i].AlsoPaths, d.Path)
			}
		}
	}
	return out
}
