package overlay

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/schema"
)

// A selector is what the selecting keys of an entry say.
type selector struct {
	kinds, versions []string
	typ             string
	within, path    []schema.PatternStep
}

// A draft is an entry that is going to be written.
type draft struct {
	selector
	ops []op
	// spots are the places that it selects.
	spots   []*spot
	loosens bool
}

// A bundle is a list of ops that are needed at the same places.
type bundle struct {
	ops   []op
	spots []*spot
	// in are the spots, right the places that are known to be right or wrong.
	in, right map[*spot]bool
}

// entries returns the entries that make all ops, in the order of the file: those of kinds with their paths, then those
// of Go types and wildcards, which may select what the former leave.
func (t *translator) entries(ctx context.Context, way frugality) (out []*draft) {
	t.index()
	bundles := t.bundles(way)
	for _, b := range bundles {
		b.in, b.right = map[*spot]bool{}, map[*spot]bool{}
		for _, s := range b.spots {
			b.in[s] = true
		}
	}
	slices.SortStableFunc(bundles, func(a, b *bundle) int { return len(a.spots) - len(b.spots) })
	for _, b := range bundles {
		if ctx.Err() != nil {
			return nil
		}
		best := t.cover(b, nil, way)
		if way != byPlaces {
			if other := t.cover(b, out, way); b.cost(other) < b.cost(best) {
				best = other
			}
		}
		for _, d := range best {
			if len(d.ops) == 0 {
				out = append(out, d)
			}
			d.ops = append(d.ops, b.ops...)
		}
	}
	first := map[string]int{} // the first place of the kinds
	for _, d := range out {
		key := fmt.Sprint(d.kinds)
		if at, ok := first[key]; !ok || d.spots[0].order < at {
			first[key] = d.spots[0].order
		}
	}
	slices.SortStableFunc(out, func(a, b *draft) int {
		return cmp.Or(a.rank()-b.rank(), first[fmt.Sprint(a.kinds)]-first[fmt.Sprint(b.kinds)],
			a.spots[0].order-b.spots[0].order)
	})
	return inOrder(out)
}

// rank is 0 for a path without wildcards.
func (d *draft) rank() int {
	if d.typ == "" && !slices.ContainsFunc(d.path, isWildcard) {
		return 0
	}
	return 1
}

// inOrder moves entries that select places which others drop or replace behind these others.
func inOrder(entries []*draft) (out []*draft) {
	droppers := map[*spot][]*draft{}
	for _, d := range entries {
		for _, s := range d.spots {
			if slices.ContainsFunc(d.ops, func(o op) bool { return o.drops() && s.has(&o) }) {
				droppers[s] = append(droppers[s], d)
			}
		}
	}
	after := map[*draft]map[*draft]bool{}
	for _, d := range entries {
		after[d] = map[*draft]bool{}
		for _, s := range d.spots {
			for above := s; above != nil && (s.after == nil || above == s && s.isReplaced()); above = above.above {
				for _, other := range droppers[above] {
					after[d][other] = other != d
				}
			}
		}
	}
	for left := slices.Clone(entries); len(left) > 0; {
		i := slices.IndexFunc(left, func(d *draft) bool {
			return !slices.ContainsFunc(left, func(other *draft) bool { return after[d][other] })
		})
		i = max(i, 0) // each waits for another one
		out, left = append(out, left[i]), slices.Delete(left, i, i+1)
	}
	return out
}

func isWildcard(s schema.PatternStep) bool {
	return s.Kind == schema.AnyField || s.Kind == schema.AnyDepth
}

// bundles joins ops that are needed at the same places. byPlaces has one bundle for each place.
func (t *translator) bundles(way frugality) (out []*bundle) {
	byOp := map[string]*bundle{}
	for _, s := range t.spots {
		if way == byPlaces && len(s.ops) > 0 {
			out = append(out, &bundle{ops: s.ops, spots: []*spot{s}})
			continue
		}
		for _, o := range s.ops {
			b := byOp[o.id]
			if b == nil {
				b = &bundle{ops: []op{o}}
				byOp[o.id] = b
				out = append(out, b)
			}
			b.spots = append(b.spots, s)
		}
	}
	if way == byPlaces {
		return out
	}
	bySpots := map[string]*bundle{}
	return slices.DeleteFunc(out, func(b *bundle) bool {
		var key strings.Builder
		for _, s := range b.spots {
			fmt.Fprintln(&key, s.order)
		}
		known := bySpots[key.String()]
		if known == nil {
			bySpots[key.String()] = b
			return false
		}
		known.ops = append(known.ops, b.ops...)
		return true
	})
}

// isRight reports whether all ops of a bundle may be applied at a place.
func (b *bundle) isRight(s *spot) bool {
	isRight, isKnown := b.right[s]
	if !isKnown {
		isRight = b.in[s] || !slices.ContainsFunc(b.ops, func(o op) bool { return !o.isRight(s) })
		b.right[s] = isRight
	}
	return isRight
}

// needed returns the spots in pairs that are right and have a place of the bundle.
func (b *bundle) needed(spots []*spot, isRight func(pair int) bool) []*spot {
	needs := map[int]bool{}
	for _, s := range spots {
		needs[s.pair] = needs[s.pair] || b.in[s]
	}
	return slices.DeleteFunc(slices.Clone(spots), func(s *spot) bool { return !needs[s.pair] || !isRight(s.pair) })
}

// A choice is a selector for a bundle, with what it selects.
type choice struct {
	selector
	spots []*spot
}

// cost returns about how many bytes a bundle takes if it is added to entries, some of which are new.
func (b *bundle) cost(entries []*draft) (n int) {
	for _, d := range entries {
		if len(d.ops) == 0 {
			n += overhead + len(d.key())
		}
		for i := range b.ops {
			n += b.ops[i].size()
		}
	}
	return n
}

// key identifies a selector.
func (s *selector) key() string {
	return strings.Join([]string{strings.Join(s.kinds, ","), strings.Join(s.versions, ","), s.typ, pathText(s.within),
		pathText(s.path)}, " ")
}

// cover chooses selectors for a bundle: those of known entries first, and then, of those that select nothing else, the
// one that selects the most places.
func (t *translator) cover(b *bundle, known []*draft, way frugality) (out []*draft) {
	left := map[*spot]bool{}
	for _, s := range b.spots {
		left[s] = true
	}
	for _, d := range known {
		isNeeded := slices.ContainsFunc(d.spots, func(s *spot) bool { return left[s] })
		if isNeeded && !slices.ContainsFunc(d.spots, func(s *spot) bool { return !b.isRight(s) }) {
			for _, s := range d.spots {
				delete(left, s)
			}
			out = append(out, d)
		}
	}
	if len(left) == 0 {
		return b.withoutSpare(out)
	}
	rest := *b
	rest.spots = slices.DeleteFunc(slices.Clone(b.spots), func(s *spot) bool { return !left[s] })
	choices := t.byPath(&rest, way)
	if way == byTypes && len(rest.spots) > 1 {
		choices = slices.Concat(choices, t.byTypes(&rest), t.byPatterns(&rest))
	}
	for len(left) > 0 {
		var best *choice
		most := 0
		for i := range choices {
			n := 0
			for _, s := range choices[i].spots {
				if left[s] {
					n++
				}
			}
			if n > most {
				best, most = &choices[i], n
			}
		}
		for _, s := range best.spots {
			delete(left, s)
		}
		out = append(out, &draft{selector: best.selector, spots: best.spots})
	}
	return b.withoutSpare(out)
}

// withoutSpare removes entries whose places the others select too.
func (b *bundle) withoutSpare(entries []*draft) []*draft {
	times := map[*spot]int{}
	for _, d := range entries {
		for _, s := range d.spots {
			times[s]++
		}
	}
	return slices.DeleteFunc(entries, func(d *draft) bool {
		if slices.ContainsFunc(d.spots, func(s *spot) bool { return b.in[s] && times[s] == 1 }) {
			return false
		}
		for _, s := range d.spots {
			times[s]--
		}
		return true
	})
}

// byPath returns the selectors of kinds and paths without wildcards: one for each path and list of versions.
func (t *translator) byPath(b *bundle, way frugality) (out []choice) {
	index := map[string]int{}
	for _, pair := range sortedPairs(b.spots) {
		for _, path := range distinctPaths(b.spots, pair) {
			var all, good []*spot
			var versions []string
			isExact := true
			for _, v := range t.pairs[pair].Generated.Versions {
				s := t.at(pair, v.Name.V, path)
				if s == nil {
					continue
				}
				all, isExact = append(all, s), isExact && b.isRight(s) && s.after != nil && (way != byPlaces || b.in[s])
				if b.in[s] {
					good, versions = append(good, s), append(versions, v.Name.V)
				}
			}
			if isExact {
				good, versions = all, nil
			}
			key := pathText(path) + fmt.Sprint(versions)
			i, ok := index[key]
			if !ok {
				i = len(out)
				index[key], out = i, append(out, choice{selector: selector{versions: versions, path: path}})
			}
			out[i].spots = append(out[i].spots, good...)
		}
	}
	for i := range out {
		sorted := sortedPairs(out[i].spots)
		if len(sorted) < len(t.pairs) || len(sorted) == 1 || out[i].versions != nil {
			out[i].kinds = t.kindsOf(sorted)
		}
	}
	return out
}

// distinctPaths returns the paths of the spots in a pair.
func distinctPaths(spots []*spot, pair int) (out [][]schema.PatternStep) {
	seen := map[string]bool{}
	for _, s := range spots {
		if path := s.path(); s.pair == pair && !seen[pathText(path)] {
			seen[pathText(path)] = true
			out = append(out, path)
		}
	}
	return out
}

// byTypes returns the selectors of Go types, from the nearest type above the places to the root.
func (t *translator) byTypes(b *bundle) (out []choice) {
	seen := map[string]bool{}
	for _, s := range b.spots {
		var path []schema.PatternStep
		for a := s; a != nil; a = a.above {
			for _, name := range typeNames(a.before.GoType) {
				if key := name + " " + pathText(path); !seen[key] {
					seen[key] = true
					out = append(out, t.ofType(b, name, path)...)
				}
			}
			path = slices.Concat([]schema.PatternStep{a.step}, path)
		}
	}
	return out
}

// ofType returns the selectors of a Go type and a path from it, for all kinds or for some, and below paths.
func (t *translator) ofType(b *bundle, name string, path []schema.PatternStep) (out []choice) {
	var found []*spot
	wrong := map[int][]*spot{}
	for _, a := range t.byType[name] {
		s := a.along(path)
		if s == nil {
			continue
		}
		if found = append(found, s); !b.isRight(s) {
			wrong[s.pair] = append(wrong[s.pair], s)
		}
	}
	sel := selector{typ: name, path: path}
	if len(wrong) == 0 {
		return []choice{{sel, found}}
	}
	if good := b.needed(found, func(pair int) bool { return wrong[pair] == nil }); len(good) > 0 {
		sel.kinds = t.kindsOf(sortedPairs(good))
		out = append(out, choice{sel, good})
	}
	for _, pair := range sortedPairs(found) {
		if wrong[pair] == nil {
			continue
		}
		sel.within = commonPrefix(slices.DeleteFunc(slices.Clone(found), func(s *spot) bool {
			return s.pair != pair || !b.in[s]
		}))
		isOutside := func(s *spot) bool { return s.pair != pair || !s.isBelow(sel.within) }
		sel.within = sel.within[:max(0, len(sel.within)-len(path))]
		good := slices.DeleteFunc(slices.Clone(found), isOutside)
		if len(sel.within) > 0 && !slices.ContainsFunc(good, func(s *spot) bool { return !b.isRight(s) }) {
			sel.kinds = t.kindsOf([]int{pair})
			out = append(out, choice{sel, good})
		}
	}
	return out
}

// byPatterns returns the selectors with wildcards: between what the paths of the places begin with and what they end
// with, of all kinds or of one.
func (t *translator) byPatterns(b *bundle) (out []choice) {
	// What is removed is absent elsewhere; for all else, a wildcard selects only what it changes.
	removes := !slices.ContainsFunc(b.ops, func(o op) bool { return o.key != keyRemove && o.how != keyDrop })
	pairs := sortedPairs(b.spots)
	lists := [][]*spot{b.spots}
	if len(pairs) > 1 {
		for _, pair := range pairs {
			isOther := func(s *spot) bool { return s.pair != pair }
			lists = append(lists, slices.DeleteFunc(slices.Clone(b.spots), isOther))
		}
	}
	for _, list := range lists {
		for _, path := range generalized(list) {
			var found []*spot
			wrong := map[int]bool{}
			for _, root := range t.roots {
				root.match(path, func(s *spot) {
					found = append(found, s)
					wrong[s.pair] = wrong[s.pair] || !b.isRight(s) || !b.in[s] && s.after != nil && !removes
				})
			}
			good := b.needed(found, func(pair int) bool { return !wrong[pair] })
			if len(good) < 2 {
				continue
			}
			sel := selector{path: path}
			if sorted := sortedPairs(good); len(sorted) < len(t.pairs) || len(sorted) == 1 {
				sel.kinds = t.kindsOf(sorted)
			}
			out = append(out, choice{sel, good})
		}
	}
	return out
}
