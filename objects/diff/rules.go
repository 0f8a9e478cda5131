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

// ruleGaps adds gaps about rules: those that objects may violate, and those that read what has changed.
func (w *walk) ruleGaps(n *node) {
	if len(n.reject.Rules) == 0 {
		return
	}
	had := map[ruleText]bool{}
	for i := range n.accept.Rules {
		had[ruleTextOf(&n.accept.Rules[i])] = true
	}
	changed := w.changesBelow(n, typing, math.MaxInt)
	claims := w.claimant(n)
	for i := range n.reject.Rules {
		r := w.Parsed(&n.reject.Rules[i])
		isNew, reads := !had[ruleTextOf(r.Source)], w.readsAny(r.Conjuncts, changed)
		if !isNew && !reads {
			continue
		}
		answer, shown := claims.violates(i)
		reason := w.limited("no object was found that is valid under the old schema and violates the rule")
		isNew = isNew && answer != symbolic.No && (reads || !w.followsForPairs(n, r))
		if !isNew && (!reads || w.isBackward) { // such a rule is not removed
			continue
		}
		g := gap{rule: r, shown: shown, reject: r.Source.Rule.At,
			text:    w.either("new rule: ", "rule removed: ") + r.Source.Rule.V,
			unknown: reason}
		if !isNew {
			g.text = "a rule reads values whose schema has changed: " + r.Source.Rule.V
		}
		g.isSafe = !reads && claims.isSafe(i)
		if shown != nil {
			g.plans = append(g.plans, planOf(shown.Object, n))
		}
		for _, e := range r.Conjuncts {
			g.plans = append(g.plans, w.RulePlans(e, n.at, n.accept, false)...)
			g.plans = append(g.plans, w.failingReads(n, e, 2*effort.DiffAlternatives.N()-len(g.plans))...)
		}
		n.ensure(g.plans)
		w.add(n, "x-kubernetes-validations", g)
	}
}

// A ruleText is what decides which values a rule accepts.
type ruleText struct {
	rule            string
	optionalOldSelf bool
}

func ruleTextOf(r *schema.Rule) ruleText { return ruleText{r.Rule.V, r.OptionalOldSelf.True()} }

// failingReads returns plans for objects in which an expression reads what does not exist, which is an error, or null,
// which most functions do not take. Fields are read as long as there are fewer plans than the limit.
func (w *walk) failingReads(n *node, e ast.Expr, limit int) (out []witness.Plan) {
	for _, r := range w.Readings(e) {
		if len(r.At) > 0 && len(out) < limit {
			at := append(slices.Clip(n.at), r.At...)
			above := witness.Edit{At: at[:len(at)-1], IsAny: true}
			out = append(out, witness.Plan{above, {At: at, Absent: true}})
			if field := w.SchemaAt(n.accept, r.At); field != nil && witness.IsNullable(field) {
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
	c.compare(nil, n.accept, n.reject, false)
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
