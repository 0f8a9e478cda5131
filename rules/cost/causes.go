package cost

import (
	"cmp"
	"math"
	"slices"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
)

// A cause is a bound that a cost depends on.
type cause struct {
	limit *limit
	// repeats is set for lists and maps above the rule, for each of whose values it is evaluated.
	repeats bool
	// power tells how the cost for one value grows with the size; 0 if that is unknown.
	power int
}

// causes returns the bounds that a cost depends on, the most important first.
func (a *analysis) causes(e *Estimate, most int) []cause {
	type weighed struct {
		cause
		cost uint64
	}
	var list []weighed
	seen := map[*limit]bool{}
	add := func(c cause, with chosen) {
		least := a.cost(e, with, map[*cel.Ast]uint64{})
		if !seen[c.limit] && least < e.Cost-e.Cost/10 { // what changes little is not a cause
			list = append(list, weighed{c, least})
			seen[c.limit] = true
		}
	}
	lacking := chosen{}
	for _, l := range a.above(e) {
		if l.now < 0 {
			lacking[l.key] = 1
		}
	}
	for _, l := range a.above(e) {
		with := lacking // one of several alone changes nothing
		if l.now >= 0 {
			with = chosen{l.key: 1}
		}
		add(cause{limit: l, repeats: true}, with)
	}
	for _, r := range a.read(e) {
		add(cause{limit: r.limit}, chosen{r.limit.key: 1})
	}
	slices.SortStableFunc(list, func(a, b weighed) int { return cmp.Compare(a.cost, b.cost) })
	var out []cause
	for _, w := range list[:min(len(list), most)] {
		if !w.repeats {
			w.power = a.power(e, w.limit)
		}
		out = append(out, w.cause)
	}
	return out
}

// power tells with which power of a size the cost for one value grows, by doubling it; 0 if it is not one of the first
// few.
func (a *analysis) power(e *Estimate, l *limit) int {
	with := chosen{}
	for _, r := range a.read(e) {
		with[r.limit.key] = r.limit.room()
	}
	// Large enough for what does not grow to be of no importance.
	n := max(1<<14, l.room())
	with[l.key] = n
	before := a.each(e, with)
	with[l.key] = 2 * n
	after := a.each(e, with)
	if before == 0 || after == unlimited {
		return 0
	}
	power := math.Log2(float64(after) / float64(before))
	if whole := math.Round(power); math.Abs(power-whole) < 0.05 && whole >= 1 {
		return int(whole)
	}
	return 0
}

// calls reports whether an expression calls a function.
func calls(checked *cel.Ast, function string) bool {
	found := false
	ast.PreOrderVisit(checked.NativeRep().Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		found = found || e.Kind() == ast.CallKind && e.AsCall().FunctionName() == function
	}))
	return found
}
