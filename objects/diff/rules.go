package diff

import (
	"math"
	"slices"

	"github.com/google/cel-go/common/ast"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/schema"
)

// ruleGaps adds gaps about rules.
func (w *walk) ruleGaps(n *node) {
	if len(n.reject.Rules) == 0 {
		return
	}
	k := &knowledge{aim: aim{builder: w.builder, vars: map[string]target{"self": {at: n.at, s: n.accept}}}, node: n}
	var had []ast.Expr
	for i := range n.accept.Rules {
		had = append(had, w.parsed(&n.accept.Rules[i]).conjuncts...)
	}
	given := k.givenBy(had)
	changed, retyped := w.changesBelow(n, typing, math.MaxInt), w.changesBelow(n, typing[:typeKeywords], math.MaxInt)
	for i := range n.reject.Rules {
		r := w.parsed(&n.reject.Rules[i])
		w.reached = nil
		var open []ast.Expr
		isNew := false
		for _, e := range r.conjuncts {
			// Fields that the accepting side does not know are absent, and values are those of its enums.
			isTrue := k.decided(e)
			is := !isTrue && !k.entails(given, e) && !w.cannotFail(k, e)
			if w.ended() {
				isTrue, is = false, true
			}
			isNew = isNew || is
			// Values of another type that are stored make any expression fail that reads them.
			if is || w.readsChanged(e, retyped) || !isTrue && w.readsChanged(e, changed) {
				open = append(open, e)
			}
		}
		if len(open) == 0 {
			continue
		}
		g := gap{rule: &rule{source: r.source, conjuncts: open}, reject: r.source.Rule.At,
			text:    w.either("new rule: ", "rule removed: ") + r.source.Rule.V,
			unknown: "no object was found that is valid under the old schema and violates the rule"}
		if w.reached != nil {
			g.unknown += "; " + w.reached.Reason("the rule, or the rules that it may follow from")
		}
		if !isNew {
			g.text = "a rule reads values whose schema has changed: " + r.source.Rule.V
		}
		g.isSafe = !slices.ContainsFunc(open, func(e ast.Expr) bool {
			return !isSafe(k, e) || w.readsChanged(e, retyped)
		}) && !w.ended()
		for _, e := range open {
			g.plans = append(g.plans, w.plansFor(e, n.at, n.accept, false)...)
			for _, r := range w.readings(e) { // reading what does not exist is an error, and so are functions of null
				if len(r.at) > 0 && len(g.plans) < 2*effort.DiffAlternatives.N() {
					at := append(slices.Clip(n.at), r.at...)
					above := wish{at: at[:len(at)-1], isAny: true}
					g.plans = append(g.plans, plan{above, {at: at, absent: true}})
					if of := w.schemaAt(n.accept, r.at); of != nil && isNullable(of) {
						g.plans = append(g.plans, plan{above, {at: at}})
					}
				}
			}
		}
		n.ensure(g.plans)
		w.add(n, "x-kubernetes-validations", g)
	}
}

// cannotFail reports whether an expression is true because no value violates it: each way to make it false demands a
// value that the schema does not accept.
func (w *walk) cannotFail(k *knowledge, e ast.Expr) bool {
	exact := true
	a := aim{builder: w.builder, vars: k.vars, know: k, exact: &exact}
	for _, p := range a.make(e, false) {
		if !w.isImpossible(p) {
			return false
		}
	}
	return exact
}

// typing are the keywords that decide how a rule reads a value: its type, and then whether it exists.
var typing = []string{"type", "format", "x-kubernetes-int-or-string", "x-kubernetes-preserve-unknown-fields",
	"x-kubernetes-embedded-resource", "nullable", "default"}

// typeKeywords is how many of them are about the type.
const typeKeywords = 5

// readsChanged reports whether an expression may read values that rules read in another way now, or that have another
// default.
func (b *builder) readsChanged(e ast.Expr, changed []path) bool {
	return len(changed) > 0 && b.areChanged(b.readings(e), changed)
}

// areChanged reports whether one of several readings is of a value in a part that has changed, or of a whole value with
// such a part in it. It is true if that takes too many steps.
func (w *work) areChanged(list []reading, changed []path) bool {
	return !w.steps.schemas.Spend(len(list)*len(changed)) || slices.ContainsFunc(list, func(r reading) bool {
		return slices.ContainsFunc(changed, func(at path) bool {
			return r.at.isIn(at) || r.isWhole && at.isIn(r.at)
		})
	})
}

// changesBelow are the parts of a node, down to a depth, with a change of some keywords, or with a new default if that
// is one of them. If that takes too many steps, the node is one of them.
func (w *work) changesBelow(n *node, keywords []string, depth int) (out []path) {
	byPresence := len(keywords) > typeKeywords
	var compare func(at path, a, r *schema.Schema)
	compare = func(at path, a, r *schema.Schema) {
		switch {
		case a == r || len(at) > depth:
			return
		case !w.steps.schemas.Spend(1 + len(at)):
			return
		case r == nil: // it is dropped
			if byPresence {
				out = append(out, at)
			}
			return
		case a == nil:
			if byPresence && r.Default != nil {
				out = append(out, at)
			}
			return // nothing below exists without it
		}
		if listText(a) != listText(r) {
			out = append(out, at)
			return
		}
		for _, name := range keywords {
			k := schema.KeywordOf(name)
			if k.IsSet(a) != k.IsSet(r) || k.IsSet(a) && !sameValue(k, a, r) {
				out = append(out, at)
				break
			}
		}
		for i := range r.Properties {
			p := &r.Properties[i]
			was := w.child(a, step{name: p.Name})
			if byPresence && was == nil && keepsAny(a) && !isNullable(p.Schema) {
				out = append(out, at.field(p.Name)) // null is dropped
			}
			compare(at.field(p.Name), was, p.Schema)
		}
		for i := range a.Properties {
			p := &a.Properties[i]
			switch below := at.field(p.Name); {
			case w.property(r, p.Name) != nil:
			case r.AdditionalProperties != nil:
				compare(below, p.Schema, r.AdditionalProperties)
			case byPresence && !(keepsAny(r) && isNullable(p.Schema)): // it, or null, is dropped by one of them
				out = append(out, below)
			}
		}
		if r.Items != nil {
			compare(at.item(0), a.Items, r.Items)
		}
		if r.AdditionalProperties != nil {
			if byPresence && a.AdditionalProperties != nil && dropsNull(a) != dropsNull(r) {
				out = append(out, at) // it has other keys
			}
			compare(at.item(0), a.AdditionalProperties, r.AdditionalProperties)
		}
	}
	compare(nil, n.accept, n.reject)
	if w.steps.schemas.Ended() {
		out = append(out, path{})
	}
	return out
}

// keepsAny reports whether an object may have fields that the schema does not describe.
func keepsAny(s *schema.Schema) bool { return keepsUnknown(s) || s.AdditionalAllowed }

// dropsNull reports whether the API server drops the nulls of a map.
func dropsNull(s *schema.Schema) bool {
	return !isNullable(s.AdditionalProperties) && s.AdditionalProperties.Default == nil
}

func sameValue(k *schema.Keyword, a, b *schema.Schema) bool {
	var x, y schema.Schema
	k.Copy(&x, a)
	k.Copy(&y, b)
	return schema.Same(&x, &y)
}
