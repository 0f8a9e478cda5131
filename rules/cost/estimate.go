// Package cost estimates the cost of the rules of a CRD as the API server does before it accepts them. It explains
// what causes the cost, and finds the bounds that bring it within the budget.
package cost

import (
	"math/bits"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	kubecel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/library"

	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/expr"
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
	// Each is the cost for a single value.
	Each uint64
	// Cardinality is how many values an object can have at the place. A messageExpression is counted once, however many
	// values there are.
	Cardinality uint64
	// Unbounded is set if only the size of a request limits the cardinality.
	Unbounded bool
	// Cost is the product, or the greatest number.
	Cost uint64
}

// Path is the field in the notation of the API server.
func (e *Estimate) Path() string { return e.Rule.Path() + "." + e.Part }

// text is the expression with its place.
func (e *Estimate) text() schema.Text {
	if e.Part == PartMessage {
		return e.Rule.Source.MessageExpression
	}
	return e.Rule.Source.Rule
}

// ast is the compiled expression.
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
	known := map[*cel.Ast]uint64{} // a rule at several places is compiled once
	each := func(r *expr.Rule, ast *cel.Ast) uint64 {
		cost, ok := known[ast]
		if !ok {
			cost = estimate(r, ast, &sizes{root: r.Decl})
			known[ast] = cost
		}
		return cost
	}
	for i := range rules {
		r := &rules[i]
		if r.Checked == nil {
			continue
		}
		e := Estimate{Rule: r, Part: PartRule, Each: each(r, r.Checked)}
		e.Cardinality, e.Unbounded = cardinality(r, bound)
		e.Cost = product(e.Each, e.Cardinality)
		out = append(out, e)
		if r.Message != nil {
			cost := each(r, r.Message)
			out = append(out, Estimate{Rule: r, Part: PartMessage, Each: cost, Cardinality: 1, Cost: cost})
		}
	}
	return out
}

// Total is the sum, to compare with VersionBudget.
func Total(list []Estimate) uint64 {
	var total uint64
	for i := range list {
		total = sum(total, list[i].Cost)
	}
	return total
}

// estimate returns the cost of an expression for one value. The API server rejects an expression without an estimate,
// whose cost is 0 here.
func estimate(r *expr.Rule, ast *cel.Ast, s *sizes) uint64 {
	cost, err := r.Env.EstimateCost(ast, &library.CostEstimator{SizeEstimator: s})
	if err != nil {
		return 0
	}
	return cost.Max
}

// sizes tell the estimator how large the values are that an expression reads, from their declared types, as the API
// server's do (pkg/apiserver/schema/cel, sizeEstimator).
type sizes struct {
	// root is the type of self.
	root *kubecel.DeclType
	// instead are sizes to use instead of those declared, by way.
	instead map[string]uint64
	// asked, if not nil, records what the estimator asks for.
	asked map[string][]string
}

// EstimateSize implements checker.CostEstimator. The path begins with the variable, which is always of self's type.
func (s *sizes) EstimateSize(element checker.AstNode) *checker.SizeEstimate {
	path := element.Path()
	if len(path) == 0 {
		return nil
	}
	decl := s.root
	for _, step := range path[1:] {
		if decl = declBelow(decl, step); decl == nil {
			return nil
		}
	}
	size := uint64(decl.MaxElements)
	if s.instead != nil || s.asked != nil {
		key := wayKey(path[1:])
		if s.asked != nil {
			s.asked[key] = path[1:]
		}
		if n, ok := s.instead[key]; ok {
			size = n
		}
	}
	return &checker.SizeEstimate{Max: size}
}

// EstimateCallCost implements checker.CostEstimator: the API server's own functions are the library's business.
func (s *sizes) EstimateCallCost(string, string, *checker.AstNode, []checker.AstNode) *checker.CallEstimate {
	return nil
}

// declBelow is the type one step of a path below another, or nil.
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
