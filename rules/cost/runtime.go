package cost

import (
	"github.com/google/cel-go/cel"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
)

// The budgets when rules are evaluated, in CEL's cost units: that of one evaluation of an expression, and that of all
// of them for one object (apiserver, pkg/apis/cel/config.go).
const (
	CallBudget   = celconfig.PerCallLimit
	ObjectBudget = celconfig.RuntimeCELCostBudget
)

// Uncounted returns a size of objects, a power of two, up to which no budget is exceeded at run time: the number of
// values in their lists and maps, and of bytes in their texts, with those of the old object. It is 0 if no object
// exceeds a budget, by the estimates.
//
// If n values of the sizes s1, s2, ... have a rule, their costs are at most that of one value with the size of all
// together, and n times that of a value whose parts have the size 1: costs grow with products of sizes, and each number
// is rounded up by less than 1.
func Uncounted(list []Estimate) uint64 {
	if !mayExceed(list) {
		return 0
	}
	size := uint64(1)
	for isWithin(list, 2*size) {
		if size *= 2; size > longest { // no request has so many bytes
			return 0
		}
	}
	return size
}

// mayExceed reports whether an evaluation may cost more than CallBudget, or those of an object more than ObjectBudget.
func mayExceed(list []Estimate) bool {
	var total uint64
	for i := range list {
		e := &list[i]
		each := e.At(e.Rule.Kube.Last)          // helpers answer as the newest version does
		values, _ := cardinality(e.Rule, bound) // there is a message for each value that violates the rule
		if total = sum(total, product(each, values)); each > CallBudget || total > ObjectBudget {
			return true
		}
	}
	return false
}

// isWithin reports whether objects of a size are within the budgets.
func isWithin(list []Estimate, size uint64) bool {
	// Estimates are a little too low for some functions: the server's own counts the result of join twice.
	const margin = 2
	known := map[*cel.Ast][2]uint64{}
	total := uint64(0)
	for i := range list {
		e := &list[i]
		costs, ok := known[e.ast()]
		if !ok {
			for at, most := range []uint64{size, 1} {
				s := server{question: question{rule: e.Rule, ast: e.ast(), most: most}, minor: e.Rule.Kube.Last}
				costs[at] = product(s.estimate(), margin)
			}
			known[e.ast()] = costs
		}
		if costs[0] > CallBudget {
			return false
		}
		values, _ := cardinality(e.Rule, bound)
		total = sum(total, min(product(costs[0], values), sum(costs[0], product(costs[1], min(size, values)))))
	}
	return total <= ObjectBudget
}
