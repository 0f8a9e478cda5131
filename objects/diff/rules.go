package diff

import (
	"math"
	"slices"

	"github.com/google/cel-go/common/ast"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/objects/internal/witness"
	"github.com/crdproof/crdproof/rules/symbolic"
	"github.com/crdproof/crdproof/schema"
)

// ruleGaps adds gaps about rules.
func (w *walk) ruleGaps(n *node) {
	if len(n.Reject.Rules) == 0 {
		return
	}
	k := w.KnownAt(n.Place)
	var had []ast.Expr
	for i := range n.Accept.Rules {
		had = append(had, w.Parsed(&n.Accept.Rules[i]).Conjuncts...)
	}
	given := k.Given(had)
	changed, retyped := w.changesBelow(n, typing, math.MaxInt), w.changesBelow(n, typing[:typeKeywords], math.MaxInt)
	var claims *claimant
	for i := range n.Reject.Rules {
		r := w.Parsed(&n.Reject.Rules[i])
		w.Reached = nil
		var open []ast.Expr
		isNew := false
		for _, e := range r.Conjuncts {
			// Fields that the accepting side does not know are absent, and values are those of its enums.
			isTrue := k.Decides(e)
			mayFail := !isTrue && !k.Entails(given, e) && !k.CannotFail(e)
			if w.Ended() {
				isTrue, mayFail = false, true
			}
			isNew = isNew || mayFail
			// Values of another type that are stored make any expression fail that reads them.
			if mayFail || w.readsChanged(e, retyped) || !isTrue && w.readsChanged(e, changed) {
				open = append(open, e)
			}
		}
		if len(open) == 0 {
			continue
		}
		var shown *symbolic.Object
		if !w.isBackward {
			if claims == nil {
				claims = w.claimant(n)
			}
			var answer symbolic.Answer
			answer, shown = claims.violates(i)
			if isSame := !w.readsAny(r.Conjuncts, changed) && !w.readsAny(r.Conjuncts, retyped); isSame {
				open = slices.DeleteFunc(open, func(e ast.Expr) bool { return w.followsForPairs(n, e, had) })
				if answer == symbolic.No || len(open) == 0 {
					continue
				}
			}
		}
		g := gap{rule: &witness.Rule{Source: r.Source, Conjuncts: open}, reject: r.Source.Rule.At,
			text:    w.either("new rule: ", "rule removed: ") + r.Source.Rule.V,
			unknown: "no object was found that is valid under the old schema and violates the rule"}
		if w.Reached != nil {
			g.unknown += "; " + w.Reached.Reason("the rule, or the rules that it may follow from")
		}
		if !isNew {
			g.text = "a rule reads values whose schema has changed: " + r.Source.Rule.V
		}
		g.isSafe = !slices.ContainsFunc(open, func(e ast.Expr) bool {
			return !k.IsSafe(e) || w.readsChanged(e, retyped)
		}) && !w.Ended()
		if shown != nil {
			g.plans, g.shown = append(g.plans, planOf(shown.Object, n)), shown
		}
		for _, e := range open {
			g.plans = append(g.plans, w.RulePlans(e, n.At, n.Accept, false)...)
			g.plans = append(g.plans, w.failingReads(n, e, 2*effort.DiffAlternatives.N()-len(g.plans))...)
		}
		n.ensure(g.plans)
		w.add(n, "x-kubernetes-validations", g)
	}
}

// failingReads returns plans for objects in which an expression reads what does not exist, which is an error, or null,
// which most functions do not take. Fields are read as long as there are fewer plans than the limit.
func (w *walk) failingReads(n *node, e ast.Expr, limit int) (out []witness.Plan) {
	for _, r := range w.Readings(e) {
		if len(r.At) > 0 && len(out) < limit {
			at := append(slices.Clip(n.At), r.At...)
			above := witness.Edit{At: at[:len(at)-1], IsAny: true}
			out = append(out, witness.Plan{above, {At: at, Absent: true}})
			if field := w.SchemaAt(n.Accept, r.At); field != nil && witness.IsNullable(field) {
				out = append(out, witness.Plan{above, {At: at}})
			}
		}
	}
	return out
}

// typing are the keywords that decide how a rule reads a value: its type, and then whether it exists.
var typing = []string{"type", "format", "x-kubernetes-int-or-string", "x-kubernetes-preserve-unknown-fields",
	"x-kubernetes-embedded-resource", "nullable", "default"}

// typeKeywords is how many of them are about the type.
const typeKeywords = 5

// readsChanged reports whether an expression may read values that rules read in another way now, or that have another
// default.
func (w *walk) readsChanged(e ast.Expr, changed []schema.Path) bool {
	return len(changed) > 0 && w.areChanged(w.Readings(e), changed)
}

// areChanged reports whether one of several readings is of a value in a part that has changed, or of a whole value with
// such a part in it. It is true if that takes too many steps.
func (w *walk) areChanged(list []witness.Reading, changed []schema.Path) bool {
	return !w.Steps.Schemas.Spend(len(list)*len(changed)) || slices.ContainsFunc(list, func(r witness.Reading) bool {
		return slices.ContainsFunc(changed, func(at schema.Path) bool {
			return r.At.IsIn(at) || r.IsWhole && at.IsIn(r.At)
		})
	})
}

// changesBelow returns the parts of a node, down to a depth, with a change of some keywords, or with a new default if
// that is one of them. If that takes too many steps, the node is one of them.
func (w *walk) changesBelow(n *node, keywords []string, depth int) []schema.Path {
	c := changes{w: w, keywords: keywords, byPresence: len(keywords) > typeKeywords, depth: depth}
	c.compare(nil, n.Accept, n.Reject, false)
	if w.Steps.Schemas.Ended() {
		c.found = append(c.found, schema.Path{})
	}
	return c.found
}

// changes are the parts of a node that have changed.
type changes struct {
	w        *walk
	keywords []string
	// byPresence is set if it matters whether a value exists.
	byPresence bool
	depth      int
	found      []schema.Path
}

// compare adds the changes at a path and below. isSet is set for a value that all objects have.
func (c *changes) compare(at schema.Path, a, r *schema.Schema, isSet bool) {
	switch {
	case a == r || len(at) > c.depth:
		return
	case !c.w.Steps.Schemas.Spend(1 + len(at)):
		return
	case r == nil: // it is dropped
		if c.byPresence {
			c.found = append(c.found, at)
		}
		return
	case a == nil:
		if c.byPresence && r.Default != nil {
			c.found = append(c.found, at)
		}
		return // nothing below exists without it
	}
	if listText(a) != listText(r) {
		c.found = append(c.found, at)
		return
	}
	if slices.ContainsFunc(c.keywords, func(name string) bool {
		k := schema.KeywordOf(name)
		if isSet && name == "default" {
			return false
		}
		return k.IsSet(a) != k.IsSet(r) || k.IsSet(a) && !sameValue(k, a, r)
	}) {
		c.found = append(c.found, at)
	}
	c.compareProperties(at, a, r)
	if r.Items != nil {
		c.compare(at.Then(schema.Item(0)), a.Items, r.Items, false)
	}
	if r.AdditionalProperties != nil {
		if c.byPresence && a.AdditionalProperties != nil && dropsNull(a) != dropsNull(r) {
			c.found = append(c.found, at) // it has other keys
		}
		c.compare(at.Then(schema.Item(0)), a.AdditionalProperties, r.AdditionalProperties, false)
	}
}

func (c *changes) compareProperties(at schema.Path, a, r *schema.Schema) {
	for i := range r.Properties {
		p := &r.Properties[i]
		was := c.w.Child(a, schema.Key(p.Name))
		if c.byPresence && was == nil && witness.KeepsAny(a) && !witness.IsNullable(p.Schema) {
			c.found = append(c.found, at.Then(schema.Key(p.Name))) // null is dropped
		}
		c.compare(at.Then(schema.Key(p.Name)), was, p.Schema, c.w.isAlwaysSet(a, p.Name))
	}
	for i := range a.Properties {
		p := &a.Properties[i]
		switch below := at.Then(schema.Key(p.Name)); {
		case c.w.Property(r, p.Name) != nil:
		case r.AdditionalProperties != nil:
			c.compare(below, p.Schema, r.AdditionalProperties, false)
		case c.byPresence && !(witness.KeepsAny(r) && witness.IsNullable(p.Schema)): // it, or null, is dropped by one
			c.found = append(c.found, below)
		}
	}
}

// dropsNull reports whether the API server drops the nulls of a map.
func dropsNull(s *schema.Schema) bool {
	return !witness.IsNullable(s.AdditionalProperties) && s.AdditionalProperties.Default == nil
}

func sameValue(k *schema.Keyword, a, b *schema.Schema) bool {
	var x, y schema.Schema
	k.Copy(&x, a)
	k.Copy(&y, b)
	return schema.Same(&x, &y)
}
