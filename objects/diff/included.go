package diff

import (
	"maps"
	"math"
	"math/big"
	"slices"

	"github.com/crdproof/crdproof/objects/internal/witness"
	"github.com/crdproof/crdproof/rules/symbolic"
	"github.com/crdproof/crdproof/schema"
)

// included reports whether each value of a structure that satisfies one schema of a junctor satisfies another, as far
// as that can be read from both keyword by keyword. False means that it is not known.
func (w *walk) included(a, b, structure *schema.Schema) bool {
	if !w.Steps.Schemas.Spend(1) {
		return false
	}
	if w.IsSame(a, b) {
		return true
	}
	for _, name := range scalarKeywords {
		k := schema.KeywordOf(name)
		for _, leaf := range w.LeavesOf(b) {
			if k.IsSet(leaf) && !w.impliesLeaf(a, leaf, structure, k) {
				return false
			}
		}
	}
	if b.Type.V != "" && a.Type.V != b.Type.V &&
		(structure == nil || !slices.Equal(witness.TypesOf(structure), []string{b.Type.V})) {
		return false
	}
	for _, bounds := range [][2]*schema.Int{{a.MaxItems, b.MaxItems}, {a.MaxProperties, b.MaxProperties}} {
		if bounds[1] != nil && (bounds[0] == nil || bounds[0].V > bounds[1].V) {
			return false
		}
	}
	for _, bounds := range [][2]*schema.Int{{a.MinItems, b.MinItems}, {a.MinProperties, b.MinProperties}} {
		if bounds[1] != nil && bounds[1].V > 0 && (bounds[0] == nil || bounds[0].V < bounds[1].V) {
			return false
		}
	}
	return w.includedParts(a, b, structure) && w.includedJunctors(a, b, structure)
}

// impliesLeaf reports whether a schema implies a keyword of another.
func (w *walk) impliesLeaf(a, leaf, structure *schema.Schema, k *schema.Keyword) bool {
	if slices.ContainsFunc(w.LeavesOf(a), func(s *schema.Schema) bool {
		return !w.Steps.Schemas.Spend(1) || w.Solver.SameKeyword(k, s, leaf)
	}) {
		return true
	}
	if structure == nil || structure.Type.V == "" && !structure.IntOrString.True() {
		return false
	}
	joined := *structure
	joined.AllOf = append([]*schema.Schema{a}, structure.AllOf...)
	found, decided := w.Solver.Solve(&joined, w.Solver.Alone(structure, leaf, k))
	return decided && len(found) == 0
}

func (w *walk) includedParts(a, b, structure *schema.Schema) bool {
	if !w.Steps.Schemas.Spend(len(b.Required) + len(b.Properties)) {
		return false
	}
	for _, name := range b.Required {
		if !w.Requires(a, name.V) && (structure == nil || !w.IsRequired(structure, name.V)) {
			return false
		}
	}
	for i := range b.Properties {
		p := &b.Properties[i]
		inner := w.Property(a, p.Name)
		if inner == nil {
			inner = &schema.Schema{}
		}
		if !w.included(inner, p.Schema, w.Child(structure, schema.Key(p.Name))) {
			return false
		}
	}
	if b.Items != nil {
		return a.Items != nil && w.included(a.Items, b.Items, w.Child(structure, schema.Item(0)))
	}
	return b.AdditionalProperties == nil && !b.AdditionalAllowed && len(b.Other) == 0
}

func (w *walk) includedJunctors(a, b, structure *schema.Schema) bool {
	for _, nested := range b.AllOf {
		if !w.included(a, nested, structure) && !slices.ContainsFunc(a.AllOf, func(s *schema.Schema) bool {
			return w.included(s, nested, structure)
		}) {
			return false
		}
	}
	if len(b.AnyOf) > 0 && !w.anyIncluded(a.AnyOf, b.AnyOf, structure) {
		return false
	}
	if len(b.OneOf) > 0 && !w.sameSet(a.OneOf, b.OneOf) {
		return false
	}
	return b.Not == nil || a.Not != nil && w.included(b.Not, a.Not, structure)
}

// anyIncluded reports whether each schema of one list is included in one of another.
func (w *walk) anyIncluded(a, b []*schema.Schema, structure *schema.Schema) bool {
	isOther := func(name string) bool { return name != witness.IntegerType && name != witness.StringType }
	if structure != nil && w.coversTypes(b) && !hasFractions(structure) &&
		!slices.ContainsFunc(witness.TypesOf(structure), isOther) {
		return true
	}
	same := w.set(b)
	return len(a) > 0 && !slices.ContainsFunc(a, func(s *schema.Schema) bool {
		return !same[w.IDs.Of(s)] &&
			!slices.ContainsFunc(b, func(t *schema.Schema) bool { return w.included(s, t, structure) })
	})
}

// hasFractions reports whether a schema may accept numbers for an int-or-string that are neither integers nor strings.
// They are above 500 million.
func hasFractions(s *schema.Schema) bool {
	const most = 500_000_000
	isBounded := s.Minimum != nil && witness.Rat(s.Minimum.V).Cmp(big.NewRat(-most, 1)) >= 0 &&
		s.Maximum != nil && witness.Rat(s.Maximum.V).Cmp(big.NewRat(most, 1)) <= 0
	return s.IntOrString.True() && !isBounded
}

// coversTypes reports whether schemas accept all integers and all strings, as those beside x-kubernetes-int-or-string.
func (w *walk) coversTypes(list []*schema.Schema) bool {
	same := w.set(list)
	has := func(name string) bool { return same[w.IDs.Of(&schema.Schema{Type: schema.Text{V: name}})] }
	return has(witness.IntegerType) && has(witness.StringType)
}

// set returns the numbers of schemas.
func (w *walk) set(list []*schema.Schema) map[uint64]bool {
	out := make(map[uint64]bool, len(list))
	if !w.Steps.Schemas.Spend(len(list)) {
		return out
	}
	for _, s := range list {
		out[w.IDs.Of(s)] = true
	}
	return out
}

func (w *walk) sameSet(a, b []*schema.Schema) bool {
	return len(a) == len(b) && maps.Equal(w.set(a), w.set(b)) && !w.Steps.Schemas.Ended()
}

// junctorGaps adds gaps about allOf, anyOf, oneOf and not.
func (w *walk) junctorGaps(n *node) {
	if len(n.reject.AllOf)+len(n.reject.AnyOf)+len(n.reject.OneOf) == 0 && n.reject.Not == nil {
		return
	}
	isScalar := !witness.HasType(n.accept, witness.ObjectType) && !witness.HasType(n.accept, witness.ArrayType)
	changed := w.changesBelow(n, typing, math.MaxInt)
	// A junctor may see other fields than before, although it is the same.
	sees := func(list ...*schema.Schema) bool {
		return len(changed) > 0 && slices.ContainsFunc(list, func(s *schema.Schema) bool {
			return w.areChanged(w.seenBy(s, nil), changed)
		})
	}
	gapOf := func(keyword string, only *schema.Schema, seen ...*schema.Schema) {
		g := gap{text: w.keywordText(schema.KeywordOf(keyword), n.accept, n.reject),
			unknown: "no object was found that violates " + keyword}
		switch {
		case sees(seen...): // what satisfies it may violate it then
			g.plans = w.JunctorPlans(only, n.accept, n.at, true)
		case !w.isBackward:
			answer, shown := w.violatesJunctors(n, only)
			if answer == symbolic.No {
				return
			} else if shown != nil {
				g.plans = append(g.plans, planOf(shown.Object, n))
			}
			g.unknown = w.limited(g.unknown)
		}
		if n.accept.IntOrString.True() {
			g.plans = append(g.plans, valuesAt(n.at, []any{symbolic.Fraction, -symbolic.Fraction})...)
		}
		g.plans = append(g.plans, w.JunctorPlans(only, n.accept, n.at, false)...)
		n.ensure(g.plans)
		w.add(n, keyword, g)
	}
	had := w.set(n.accept.AllOf)
	for _, nested := range n.reject.AllOf {
		rest := *nested
		if isScalar { // the keywords of leaves are compared one by one
			rest = schema.Schema{AnyOf: nested.AnyOf, OneOf: nested.OneOf, Not: nested.Not}
		}
		isIncluded := func(s *schema.Schema) bool { return w.included(s, nested, n.accept) }
		if sees(&rest) || !had[w.IDs.Of(nested)] && !w.included(n.accept, &rest, n.accept) &&
			!slices.ContainsFunc(n.accept.AllOf, isIncluded) {
			gapOf("allOf", &schema.Schema{AllOf: []*schema.Schema{&rest}}, &rest)
		}
	}
	if len(n.reject.AnyOf) > 0 && (sees(n.reject.AnyOf...) ||
		!w.anyIncluded(n.accept.AnyOf, n.reject.AnyOf, n.accept)) {
		gapOf("anyOf", &schema.Schema{AnyOf: n.reject.AnyOf}, n.reject.AnyOf...)
	}
	if len(n.reject.OneOf) > 0 && (sees(n.reject.OneOf...) || !w.sameSet(n.accept.OneOf, n.reject.OneOf)) {
		gapOf("oneOf", &schema.Schema{OneOf: n.reject.OneOf}, n.reject.OneOf...)
	}
	if n.reject.Not != nil && (n.accept.Not == nil || sees(n.reject.Not) ||
		!w.included(n.reject.Not, n.accept.Not, n.accept)) {
		gapOf("not", &schema.Schema{Not: n.reject.Not}, n.reject.Not)
	}
}

// seenBy returns the parts of a value that a schema in a junctor is about.
func (w *walk) seenBy(s *schema.Schema, at schema.Path) (out []witness.Reading) {
	var add func(s *schema.Schema, at schema.Path)
	add = func(s *schema.Schema, at schema.Path) {
		if !w.Steps.Schemas.Spend(1 + len(s.Required) + len(at)) {
			return
		}
		for _, name := range s.Required { // whether it exists
			out = append(out, witness.Reading{At: at.Then(schema.Key(name.V))})
		}
		for i := range s.Properties {
			p := &s.Properties[i]
			out = append(out, witness.Reading{At: at.Then(schema.Key(p.Name)), IsWhole: true})
			add(p.Schema, at.Then(schema.Key(p.Name)))
		}
		for _, list := range [][]*schema.Schema{s.AllOf, s.AnyOf, s.OneOf, {s.Not}} {
			for _, nested := range list {
				if nested != nil {
					add(nested, at)
				}
			}
		}
		if s.Items != nil || s.AdditionalProperties != nil || s.MinProperties != nil || s.MaxProperties != nil {
			out = append(out, witness.Reading{At: at, IsWhole: true})
		}
	}
	add(s, at)
	return out
}
