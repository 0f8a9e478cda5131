package diff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/objects/internal/witness"
	"github.com/crdproof/crdproof/schema"
)

func (w *walk) object(n *node) {
	before, after := w.sides(n.Accept, n.Reject)
	if was, now := mapText(before), mapText(after); was != now {
		w.add(n, "x-kubernetes-map-type", gap{text: fmt.Sprintf("map type is %s, was %s", now, was), isTopology: true})
	}
	w.meta(n)
	w.Steps.Schemas.Spend(len(n.Accept.Properties) + len(n.Reject.Properties) + len(n.Reject.Required))
	w.required(n)
	w.sizes(n, "maxProperties", "minProperties")
	if n.Reject.EmbeddedResource.True() && !n.Accept.EmbeddedResource.True() {
		if made, ok := w.Value(n.Accept, 0); ok {
			w.add(n, "x-kubernetes-embedded-resource", gap{
				text:  "values must be resources, which have apiVersion and kind",
				plans: []witness.Plan{{{At: n.At, Value: made}}}})
		}
	}
	for i := range n.Accept.Properties {
		p := &n.Accept.Properties[i]
		if isMeta(n, p.Name) {
			continue
		}
		switch other := w.Property(n.Reject, p.Name); {
		case other != nil:
			w.compare(w.below(n, schema.Key(p.Name), p.Schema, other))
		case n.Reject.AdditionalProperties != nil:
			w.compare(w.below(n, schema.Key(p.Name), p.Schema, n.Reject.AdditionalProperties))
		case w.drops(n, p.Name):
			w.dropped(n, schema.Key(p.Name), p.Schema)
		default: // it is kept like all unknown fields
			w.compare(w.below(n, schema.Key(p.Name), p.Schema, witness.Anything))
		}
	}
	w.unlisted(n)
}

// unlisted compares the fields that only the rejecting side lists, and all others.
func (w *walk) unlisted(n *node) {
	open := n.Accept.AdditionalProperties
	if open == nil && witness.KeepsAny(n.Accept) {
		open = witness.Anything
	}
	if open == nil {
		return
	}
	for i := range n.Reject.Properties {
		switch p := &n.Reject.Properties[i]; {
		case w.Property(n.Accept, p.Name) != nil || isMeta(n, p.Name):
		default:
			w.compare(w.below(n, schema.Key(p.Name), open, p.Schema))
		}
	}
	other := schema.Key("key0")
	switch {
	case n.Reject.AdditionalProperties != nil:
		w.compare(w.below(n, other, open, n.Reject.AdditionalProperties))
	case !witness.KeepsAny(n.Reject):
		w.dropped(n, other, open)
	default:
		w.compare(w.below(n, other, open, witness.Anything))
	}
}

// dropped adds a gap about a field that only the accepting side knows.
func (w *walk) dropped(n *node, to schema.PathStep, s *schema.Schema) {
	below := w.below(n, to, s, witness.Anything)
	g := gap{field: below.field, text: w.either("field removed", "new field"), questions: []Question{Kept},
		accept: s.At, reject: n.Reject.At, plans: []witness.Plan{{{At: below.At, IsAny: true}}}}
	if w.Property(n.Accept, to.Name) == nil {
		g.text = w.either("unknown fields are dropped, were kept", "unknown fields are kept")
	}
	if made, ok := w.Value(s, 0); ok && made != nil {
		g.plans = []witness.Plan{{{At: below.At, Value: made}}}
	}
	if made, ok := w.Value(s, 1); ok { // the first one may be the default
		g.plans = append(g.plans, witness.Plan{{At: below.At, Value: made}})
	}
	w.add(n, "", g)
}

func (w *walk) required(n *node) {
	for _, name := range n.Reject.Required {
		if p := w.Property(n.Reject, name.V); p != nil && p.Default != nil && p.Default.Kind != schema.Null {
			continue
		}
		if w.IsRequired(n.Accept, name.V) && !w.drops(n, name.V) || len(n.At) == 0 && isMeta(n, name.V) {
			continue
		}
		gone := n.At.Then(schema.Key(name.V))
		g := gap{field: n.fieldOf(name.V), reject: name.At,
			text:  w.either("field is required, was optional", "field is optional, was required"),
			plans: []witness.Plan{{{At: n.At, IsAny: true}, {At: gone, Absent: true}}}}
		if w.drops(n, name.V) && w.Property(n.Accept, name.V) != nil {
			g.text = w.either("field is required, but does not exist", "required field that did not exist")
			g.plans = append(g.plans, witness.Plan{{At: gone, IsAny: true}})
		}
		w.add(n, "required", g)
	}
}

// drops reports whether the rejecting side drops a field of the accepting one.
func (w *walk) drops(n *node, name string) bool {
	r := n.Reject
	return w.Property(r, name) == nil && r.AdditionalProperties == nil && !witness.KeepsAny(r) && !isMeta(n, name)
}

// sizes adds gaps about the number of items or fields.
func (w *walk) sizes(n *node, most, least string) {
	for _, k := range []*schema.Keyword{schema.KeywordOf(most), schema.KeywordOf(least)} {
		limit, had := k.Bound(n.Reject), k.Bound(n.Accept)
		if limit == nil {
			continue
		}
		isMost := k.Name == most
		countsOther := strings.HasSuffix(k.Name, "Properties") && w.countsOther(n)
		before := had
		if countsOther {
			had = nil
		}
		if had != nil && (isMost && witness.Rat(had.V).Cmp(witness.Rat(limit.V)) <= 0 ||
			!isMost && witness.Rat(had.V).Cmp(witness.Rat(limit.V)) >= 0) {
			continue
		}
		size := int(witness.Rat(limit.V).Num().Int64())
		if isMost {
			size++
		} else {
			size--
		}
		g := gap{text: w.keywordText(k, n.Accept, n.Reject)}
		if before != nil && witness.Rat(before.V).Cmp(witness.Rat(limit.V)) == 0 {
			g.text = fmt.Sprintf("%s is %s, and other fields count", k.Name, limit.V)
		}
		if size < 0 || isMost && !w.canHave(n.Accept, size) && !countsOther {
			continue
		}
		if countsOther { // null is dropped where it is not accepted
			for _, p := range n.Accept.Properties[:min(len(n.Accept.Properties), effort.DiffKeys.N())] {
				g.plans = append(g.plans, witness.Plan{{At: n.At, IsAny: true}, {At: n.At.Then(schema.Key(p.Name))}})
			}
		}
		isList := witness.HasType(n.Accept, witness.ArrayType)
		if isList && 0 < size && size <= effort.DiffKeys.N() { // items that can be repaired
			g.plans = append(g.plans, witness.Plan{{At: n.At.Then(schema.Item(size - 1)), IsAny: true}})
		}
		for _, n0 := range []int{size, size - 1, size + 1, 0} {
			if value, ok := w.OfSize(n.Accept, n0); ok {
				g.plans = append(g.plans, witness.Plan{{At: n.At, Value: value}})
			}
		}
		g.unknown = fmt.Sprintf("no value with %d items or fields was found", size)
		w.add(n, k.Name, g)
	}
}

// countsOther reports whether both sides may see different numbers of fields in the same object: because of defaults,
// of nulls, and of fields that one of them drops.
func (w *walk) countsOther(n *node) bool {
	return slices.ContainsFunc(w.changesBelow(n, typing, 1), func(at schema.Path) bool { return len(at) == 1 }) ||
		w.Steps.Schemas.Ended()
}

// canHave reports whether a list or an object may have n items or fields.
func (w *walk) canHave(s *schema.Schema, n int) bool {
	return witness.HasType(s, witness.ArrayType) || s.AdditionalProperties != nil || witness.KeepsAny(s) ||
		len(s.Properties) >= n
}

func (w *walk) array(n *node) {
	w.sizes(n, "maxItems", "minItems")
	w.topology(n)
	if n.Accept.Items != nil || n.Reject.Items != nil {
		accept, reject := cmp.Or(n.Accept.Items, witness.Anything), cmp.Or(n.Reject.Items, witness.Anything)
		w.compare(w.below(n, schema.Item(0), accept, reject))
	}
}

// topology compares how server-side apply merges lists, and which items must differ.
func (w *walk) topology(n *node) {
	before, after := w.sides(n.Accept, n.Reject)
	was, now := listText(before), listText(after)
	if was == now {
		return
	}
	g := gap{text: fmt.Sprintf("list type is %s, was %s", now, was), isTopology: true}
	if w.mayRepeat(n) {
		g.plans, g.unknown = w.duplicates(n), "no list with equal items was found"
	}
	w.add(n, "x-kubernetes-list-type", g)
}

// mayRepeat reports whether the accepting side accepts items that are equal for the other one.
func (w *walk) mayRepeat(n *node) bool {
	switch was := n.Accept.ListType.V; n.Reject.ListType.V {
	case "set":
		return was != "map" && was != "set"
	case "map":
		has := schema.Texts(n.Reject.ListMapKeys)
		return was != "map" || slices.ContainsFunc(schema.Texts(n.Accept.ListMapKeys), func(name string) bool {
			return !slices.Contains(has, name)
		})
	}
	return false
}

// duplicates makes plans with items that are equal for the rejecting side.
func (w *walk) duplicates(n *node) (out []witness.Plan) {
	differ := n.Accept.ListType.V == "set" || n.Accept.ListType.V == "map"
	for variant := range 3 {
		first, ok := w.Value(n.Accept.Items, variant)
		second, _ := w.Value(n.Accept.Items, variant)
		if differ {
			second, _ = w.Value(n.Accept.Items, variant+1)
			for _, name := range schema.Texts(n.Reject.ListMapKeys) {
				copyField(second, first, name)
			}
		}
		if ok {
			out = append(out, witness.Plan{{At: n.At, Value: []any{first, second}}})
		}
	}
	return out
}

func copyField(to, from any, name string) {
	a, isA := to.(map[string]any)
	b, isB := from.(map[string]any)
	if value, ok := b[name]; isA && isB && ok {
		a[name] = value
	} else if isA {
		delete(a, name)
	}
}

func mapText(s *schema.Schema) string {
	if s.MapType.V == "" {
		return "granular"
	}
	return s.MapType.V
}

func listText(s *schema.Schema) string {
	switch s.ListType.V {
	case "":
		return "atomic"
	case "map":
		names := schema.Texts(s.ListMapKeys)
		slices.Sort(names)
		return "map with the keys " + strings.Join(names, ", ")
	}
	return s.ListType.V
}
