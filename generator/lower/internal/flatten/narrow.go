package flatten

import (
	"slices"

	"github.com/crdproof/crdproof/schema"
)

// Narrow makes a schema require a keyword of another one too, whatever it requires itself. The tighter of two bounds
// stays. If the keyword cannot hold both values, the second is in allOf.
func Narrow(k *schema.Keyword, dst, by *schema.Schema) {
	switch {
	case !k.IsSet(by):
	case k.Of == "number" && k.Merge != schema.MergeEqual:
		tightenLimit(k, dst, by)
	case !k.IsSet(dst):
		k.Copy(dst, by)
	case k.Merge == schema.MergeSmallest, k.Merge == schema.MergeLargest:
		tightenSize(k, dst, by)
	case k.Merge == schema.MergeBoth:
		addBoth(k, dst, by)
	case !equalOn(k, dst, by):
		other := &schema.Schema{At: k.At(by)}
		k.Copy(other, by)
		dst.AllOf = append(slices.Clip(dst.AllOf), other)
	}
}

// equalOn reports whether two schemas have the same value of a keyword.
func equalOn(k *schema.Keyword, a, b *schema.Schema) bool {
	var x, y schema.Schema
	k.Copy(&x, a)
	k.Copy(&y, b)
	return schema.Same(&x, &y)
}

// tightenSize keeps the tighter of two bounds of a size that both schemas have.
func tightenSize(k *schema.Keyword, dst, src *schema.Schema) {
	size := k.Field.(schema.One[schema.Int])
	a, b := *size(dst), *size(src)
	if a.V != b.V && (b.V > a.V) == (k.Merge == schema.MergeLargest) {
		*size(dst) = b
	}
}

// tightenLimit keeps the tighter of two limits of numbers together with its exclusiveness; of two equal ones the
// exclusive. The keyword is the limit or its exclusiveness.
func tightenLimit(k *schema.Keyword, dstSchema, srcSchema *schema.Schema) {
	limits := func(s *schema.Schema) (**schema.Number, **schema.Flag) { return &s.Minimum, &s.ExclusiveMinimum }
	tighter := +1
	if k.Name == "maximum" || k.Name == "exclusiveMaximum" {
		limits = func(s *schema.Schema) (**schema.Number, **schema.Flag) { return &s.Maximum, &s.ExclusiveMaximum }
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
	case schema.CompareNumbers((*src).V, (*dst).V) == tighter:
		*dst, *dstOpen = *src, *srcOpen
	case schema.CompareNumbers((*src).V, (*dst).V) == 0 && isOpen:
		*dstOpen = *srcOpen
	}
}

// addBoth keeps the values of a keyword of both schemas.
func addBoth(k *schema.Keyword, dst, src *schema.Schema) {
	switch at := k.Field.(type) {
	case schema.One[schema.Flag]:
		if (*at(src)).V && (*at(dst) == nil || !(*at(dst)).V) {
			*at(dst) = *at(src)
		}
	case schema.Many[schema.Text]:
		*at(dst) = append(slices.Clone(*at(dst)), *at(src)...)
	case schema.Many[*schema.Schema]:
		for _, s := range *at(src) {
			if !slices.ContainsFunc(*at(dst), func(t *schema.Schema) bool { return schema.Same(s, t) }) {
				*at(dst) = append(slices.Clip(*at(dst)), s)
			}
		}
	case schema.One[schema.Schema]:
		*at(dst) = Either(*at(dst), *at(src))
	case schema.Many[schema.Rule]:
		*at(dst) = append(slices.Clone(*at(src)), *at(dst)...)
	}
}
