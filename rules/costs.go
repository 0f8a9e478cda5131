package rules

import (
	"github.com/crdproof/crdproof/rules/cost"
	"github.com/crdproof/crdproof/rules/session"
)

// Costs reports what the rules of a CRD cost, for each version that has a structural schema. Whether the CRD is valid does not matter.
func Costs(s *session.Session) []cost.Report {
	var out []cost.Report
	for _, v := range s.Versions {
		if _, err := v.Structure(); err == nil {
			out = append(out, cost.Explain(v.Name.V, v.Rules(), v.Estimates()))
		}
	}
	return out
}
