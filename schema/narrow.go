package schema

import "slices"

// This file merges keywords of two schemas that both hold.

// Narrow makes a schema require a keyword of another one too, whatever it requires itself. The tighter of two bounds
// stays. If the keyword cannot hold both values, the second is in allOf.
func (k *Keyword) Narrow(dst, by *Schema) {
	switch {
	case !k.IsSet(by):
	case k.Of == "number" && k.Merge != MergeEqual:
		k.TightenLimit(dst, by)
	case !k.IsSet(dst):
		k.Copy(dst, by)
	case k.Merge == MergeSmallest, k.Merge == MergeLargest:
		k.TightenSize(dst, by)
	case k.Merge == MergeBoth:
		k.AddBoth(dst, by)
	case !k.SameIn(dst, by):
		other := &Schema{At: k.At(by)}
		k.Copy(other, by)
		dst.AllOf = append(slices.Clip(dst.AllOf), other)
	}
}

// SameIn reports whether two schemas have the same value of a keyword.
func (k *Keyword) SameIn(a, b *Schema) bool {
	var x, y Schema
	k.Copy(&x, a)
	k.Copy(&y, b)
	return Same(&x, &y)
}

// TightenSize keeps the tighter of two bounds of a size that both schemas have.
func (k *Keyword) TightenSize(dst, src *Schema) {
	size := k.Field.(One[Int])
	a, b := *size(dst), *size(src)
	if a.V != b.V && (b.V > a.V) == (k.Merge == MergeLargest) {
		*size(dst) = b
	}
}

// TightenLimit keeps the tighter of two limits of numbers together with its exclusiveness; of two equal ones the
// exclusive. The keyword is the limit or its exclusiveness.
func (k *Keyword) TightenLimit(dstSchema, srcSchema *Schema) {
	limits := func(s *Schema) (**Number, **Flag) { return &s.Minimum, &s.ExclusiveMinimum }
	tighter := +1
	if k.Name == "maximum" || k.Name == "exclusiveMaximum" {
		limits = func(s *Schema) (**Number, **Flag) { return &s.Maximum, &s.ExclusiveMaximum }
		tighter = -1
	}
	dst, dstOpen := limits(dstSchema)
	src, srcOpen := limits(srcSchema)
	isOpen := *srcOpen != nil && (*srcOpen).V
	switch {
	case *src == nil && isOpen:
		*dstOpen = *srcOpen // belongs to the limit of the other
	case *src == nil:
	case *dst == nil:
		if *dst = *src; isOpen {
			*dstOpen = *srcOpen
		}
	case CompareNumbers((*src).V, (*dst).V) == tighter:
		*dst, *dstOpen = *src, *srcOpen
	case CompareNumbers((*src).V, (*dst).V) == 0 && isOpen:
		*dstOpen = *srcOpen
	}
}

// AddBoth keeps the values of a keyword of both schemas.
func (k *Keyword) AddBoth(dst, src *Schema) {
	switch at := k.Field.(type) {
	case One[Flag]:
		if (*at(src)).V && (*at(dst) == nil || !(*at(dst)).V) {
			*at(dst) = *at(src)
		}
	case Many[Text]:
		*at(dst) = append(slices.Clone(*at(dst)), *at(src)...)
	case Many[*Schema]:
		for _, s := range *at(src) {
			if !slices.ContainsFunc(*at(dst), func(t *Schema) bool { return Same(s, t) }) {
				*at(dst) = append(slices.Clip(*at(dst)), s)
			}
		}
	case One[Schema]:
		*at(dst) = Either(*at(dst), *at(src))
	case Many[Rule]:
		*at(dst) = append(slices.Clone(*at(src)), *at(dst)...)
	}
}

// Either returns a schema that holds if one of two does: a schema has only one not for everything that is forbidden.
func Either(a, b *Schema) *Schema {
	if a == nil {
		return b
	}
	out := &Schema{At: a.At}
	for _, s := range []*Schema{a, b} {
		alternatives := []*Schema{s}
		if len(s.AnyOf) > 0 && Same(s, &Schema{AnyOf: s.AnyOf}) {
			alternatives = s.AnyOf
		}
		for _, s := range alternatives {
			if !slices.ContainsFunc(out.AnyOf, func(t *Schema) bool { return Same(s, t) }) {
				out.AnyOf = append(out.AnyOf, s)
			}
		}
	}
	if len(out.AnyOf) == 1 {
		return a
	}
	return out
}
