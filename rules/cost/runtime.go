package cost

import (
	"slices"

	celconfig "k8s.io/apiserver/pkg/apis/cel"
)

// The budgets when rules are evaluated, in CEL's cost units: that of one evaluation of an expression, and that of all
// of them for one object (apiserver, pkg/apis/cel/config.go).
const (
	CallBudget   = celconfig.PerCallLimit
	ObjectBudget = celconfig.RuntimeCELCostBudget
)

// Overruns returns where API servers may give up on an object in the middle of its rules, by the estimates: at the
// fields whose rules or messages may cost more than CallBudget at a time, each once, and, if whole is set, at any rule,
// since all together may cost more than ObjectBudget. All others never exceed a budget.
func Overruns(list []Estimate) (fields []string, whole bool) {
	var total uint64
	for i := range list {
		e := &list[i]
		each := e.At(e.Rule.Kube.Last) // helpers answer as the newest version does
		if field := e.Rule.Place.Field(); each > CallBudget && !slices.Contains(fields, field) {
			fields = append(fields, field)
		}
		values, _ := cardinality(e.Rule, bound) // there is a message for each value that violates the rule
		total = sum(total, product(each, values))
	}
	return fields, total > ObjectBudget
}
