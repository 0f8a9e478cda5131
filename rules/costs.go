package rules

import (
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/cost"
	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/rules/kube"
)

// Costs reports what the rules of a CRD cost, for each version that has a structural schema; whether the CRD is sound is
// not asked. The zero range stands for kube.DefaultRange.
func Costs(crd *schema.CRD, versions kube.Range) []cost.Report {
	if versions == (kube.Range{}) {
		versions = kube.DefaultRange()
	}
	var out []cost.Report
	for i := range crd.Versions {
		v := &crd.Versions[i]
		if v.Schema == nil {
			continue
		}
		structure, err := kube.Structural(v.Schema)
		if err != nil {
			continue
		}
		compiled, _ := expr.Compile(i, v.Schema, structure, versions)
		out = append(out, cost.Explain(v.Name.V, compiled))
	}
	return out
}
