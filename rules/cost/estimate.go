// Package cost estimates the cost of the rules of a CRD as the API server does before it accepts them. It explains
// what causes the cost, and finds the bounds that bring it within the budget.
//
// The package carries no promise, and may change in any release: see docs/stability.md.
package cost

import (
	"math/bits"
	"slices"

	"github.com/google/cel-go/cel"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	kubecel "k8s.io/apiserver/pkg/cel"

	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

// The budgets, in CEL's cost units: that of a rule with all values that it is evaluated on, or of a messageExpression,
// and that of all of them in the schema of a version.
const (
	RuleBudget    = validation.StaticEstimatedCostLimit
	VersionBudget = validation.StaticEstimatedCRDCostLimit
)

// The parts of a rule that have a cost.
const (
	PartRule    = "rule"
	PartMessage = "messageExpression"
)

// An Estimate is what a rule or its messageExpression costs at most at one place of the schema.
type Estimate struct {
	Rule *expr.Rule
	// Part is "rule" or "messageExpression".
	Part string
	// Each is the cost for a single value: the highest that a server of the range estimates.
	Each uint64
	// Cardinality is how many values an object can have at the place. A messageExpression is counted once, however many
	// values there are.
	Cardinality uint64
	// Unbounded is set if only the size of a request limits the cardinality.
	Unbounded bool
	// Cost is the product, or the greatest number.
	Cost uint64
	// each are the costs for a single value by generation of the range.
	each []uint64
}

// costIn returns the cost that the servers of a generation estimate.
func (e *Estimate) costIn(generation int) uint64 {
	if e.Part == PartMessage {
		return e.each[generation]
	}
	return product(e.each[generation], e.Cardinality)
}

// At returns the cost for a single value that servers of a version of the range estimate.
func (e *Estimate) At(minor kube.Minor) uint64 {
	isOf := func(r kube.Range) bool { return r.First <= minor && minor <= r.Last }
	return e.each[slices.IndexFunc(generations(e.Rule.Kube), isOf)]
}

// Excess returns the versions of the range whose servers find the cost above the budget of a rule, oldest first.
func (e *Estimate) Excess() []kube.Range {
	costs := make([]uint64, len(e.each))
	for g := range costs {
		costs[g] = e.costIn(g)
	}
	return excess(e.Rule.Kube, costs, RuleBudget)
}

// Path returns the field in the notation of the API server.
func (e *Estimate) Path() string { return e.Rule.Path() + "." + e.Part }

// text returns the expression with its place.
func (e *Estimate) text() schema.Text {
	if e.Part == PartMessage {
		return e.Rule.Source.MessageExpression
	}
	return e.Rule.Source.Rule
}

// ast returns the compiled expression.
func (e *Estimate) ast() *cel.Ast {
	if e.Part == PartMessage {
		return e.Rule.Message
	}
	return e.Rule.Checked
}

// Estimates returns the costs of the rules that compile, each followed by its messageExpression
// (apis/apiextensions/validation, ValidateCustomResourceDefinitionOpenAPISchema).
func Estimates(rules []expr.Rule) []Estimate {
	var out []Estimate
	known := map[*cel.Ast][]uint64{} // a rule at several places is compiled once
	each := func(r *expr.Rule, ast *cel.Ast) []uint64 {
		costs, ok := known[ast]
		if !ok {
			costs = question{rule: r, ast: ast}.answers()
			known[ast] = costs
		}
		return costs
	}
	for i := range rules {
		r := &rules[i]
		if r.Checked == nil {
			continue
		}
		costs := each(r, r.Checked)
		e := Estimate{Rule: r, Part: PartRule, Each: slices.Max(costs), each: costs}
		e.Cardinality, e.Unbounded = cardinality(r, bound)
		e.Cost = product(e.Each, e.Cardinality)
		out = append(out, e)
		if r.Message != nil {
			costs := each(r, r.Message)
			cost := slices.Max(costs)
			out = append(out, Estimate{
				Rule: r, Part: PartMessage, Each: cost, Cardinality: 1, Cost: cost, each: costs,
			})
		}
	}
	return out
}

// Total returns the sum, to compare with VersionBudget: the highest that a server of the range comes to.
func Total(list []Estimate) uint64 { return slices.Max(append(totals(list), 0)) }

// TotalExcess returns the versions of the range whose servers find the sum above the budget of a version.
func TotalExcess(list []Estimate) []kube.Range {
	if len(list) == 0 {
		return nil
	}
	return excess(list[0].Rule.Kube, totals(list), VersionBudget)
}

// totals returns the sums by generation.
func totals(list []Estimate) (out []uint64) {
	for i := range list {
		if out == nil {
			out = make([]uint64, len(list[i].each))
		}
		for g := range out {
			out[g] = sum(out[g], list[i].costIn(g))
		}
	}
	return out
}

// declBelow returns the type one step of a path below another, or nil.
func declBelow(d *kubecel.DeclType, step string) *kubecel.DeclType {
	switch step {
	case "@items", "@values":
		return d.ElemType
	case "@keys":
		return d.KeyType
	}
	if f := d.Fields[step]; f != nil {
		return f.Type
	}
	return nil
}

// cardinality returns how many values an object can have at a rule's place: the product of the bounds of the lists and
// maps above it or, if one of them has no bound, as many of the smallest values as fit into a request
// (apis/apiextensions/validation, extractMaxElements; pkg/apiserver/schema/cel, maxCardinality).
func cardinality(r *expr.Rule, bound func(*schema.Place) *int64) (n uint64, unbounded bool) {
	n = 1
	for p := r.Place.Above; p != nil; p = p.Above {
		if !multiplies(p.Schema) {
			continue
		}
		limit := bound(p)
		if limit == nil {
			return uint64(celconfig.MaxRequestSizeBytes / (r.Decl.MinSerializedSize + 1)), true
		}
		n = product(n, uint64(max(0, *limit)))
	}
	return n, false
}

// multiplies reports whether there can be several values of what is below a schema.
func multiplies(s *schema.Schema) bool {
	return s.Type.V == "array" || s.Type.V == "object" && (s.AdditionalProperties != nil || s.AdditionalAllowed)
}

// bound returns the bound of a list or map as it is.
func bound(p *schema.Place) *int64 {
	limit := p.Schema.MaxItems
	if p.Schema.Type.V == "object" {
		limit = p.Schema.MaxProperties
	}
	if limit == nil {
		return nil
	}
	return &limit.V
}

// product multiplies. If the result is too large, it returns the greatest number.
func product(a, b uint64) uint64 {
	if high, low := bits.Mul64(a, b); high == 0 {
		return low
	}
	return unlimited
}

// sum adds likewise.
func sum(a, b uint64) uint64 {
	if s, carry := bits.Add64(a, b, 0); carry == 0 {
		return s
	}
	return unlimited
}

// unlimited stands for costs that are too large for a number.
const unlimited = 1<<64 - 1

// immeasurable reports whether a cost is about that large. Unknown values have unlimited sizes, and the cost of looking
// at a character is a fraction of one.
func immeasurable(cost uint64) bool { return cost >= unlimited/1000 }
