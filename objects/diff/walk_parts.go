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
	before, after := w.sides(n.accept, n.reject)
	if was, now := mapText(before), mapText(after); was != now {
		w.add(n, "x-kubernetes-map-type", gap{text: fmt.Sprintf("map type is %s, was %s", now, was), isTopology: true})
	}
	w.meta(n)
	w.Steps.Schemas.Spend(len(n.accept.Properties) + len(n.reject.Properties) + len(n.reject.Required))
	w.required(n)
	w.sizes(n, "maxProperties", "minProperties")
	if n.reject.EmbeddedResource.True() && !n.accept.EmbeddedResource.True() {
		if made, ok := w.Value(n.accept, 0); ok {
			w.add(n, "x-kubernetes-embedded-resource", gap{
				text:  "values must be resources, which have apiVersion and kind",
				plans: []witness.Plan{{{At: n.at, Value: made}}}})
		}
	}
	for i := range n.accept.Properties {
		p := &n.accept.Properties[i]
		if isMeta(n, p.Name) {
			continue
		}
		switch other := w.Property(n.reject, p.Name); {
		case other != nil:
			w.compare(w.below(n, schema.Key(p.Name), p.Schema, other))
		case n.reject.AdditionalProperties != nil:
			w.compare(w.below(n, schema.Key(p.Name), p.Schema, n.reject.AdditionalProperties))
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
	open := n.accept.AdditionalProperties
	if open == nil && witness.KeepsAny(n.accept) {
		open = witness.Anything
	}
	if open == nil {
		return
	}
	for i := range n.reject.Properties {
		switch p := &n.reject.Properties[i]; {
		case w.Property(n.accept, p.Name) != nil || isMeta(n, p.Name):
		default:
			w.compare(w.below(n, schema.Key(p.Name), open, p.Schema))
		}
	}
	other := schema.Key("key0")
	switch {
	case n.reject.AdditionalProperties != nil:
		w.compare(w.below(n, other, open, n.reject.AdditionalProperties))
	case !witness.KeepsAny(n.reject):
		w.dropped(n, other, open)
	default:
		w.compare(w.below(n, other, open, witness.Anything))
	}
}

// dropped adds a gap about a field that only the accepting side knows.
func (w *walk) dropped(n *node, to schema.PathStep, s *schema.Schema) {
	below := w.below(n, to, s, witness.Anything)
	g := gap{field: below.field, text: w.either("field removed", "new field"), questions: []Question{Kept},
		accept: s.At, reject: n.reject.At, plans: []witness.Plan{{{At: below.at, IsAny: true}}}}
	if w.Property(n.accept, to.Name) == nil {
		g.text = w.either("unknown fields are dropped, were kept", "unknown fields are kept")
	}
	if made, ok := w.Value(s, 0); ok && made != nil {
		g.plans = []witness.Plan{{{At: below.at, Value: made}}}
	}
	if made, ok := w.Value(s, 1); ok { // the first one may be the default
		g.plans = append(g.plans, witness.Plan{{At: below.at, Value: made}})
	}
	w.add(n, "", g)
}

func (w *walk) required(n *node) {
	for _, name := range n.reject.Required {
		if p := w.Property(n.reject, name.V); p != nil && p.Default != nil && p.Default.Kind != schema.Null {
			continue
		}
		if w.IsRequired(n.accept, name.V) && !w.drops(n, name.V) || len(n.at) == 0 && isMeta(n, name.V) {
			continue
		}
		gone := n.at.Then(schema.Key(name.V))
		g := gap{field: n.fieldOf(name.V), reject: name.At,
			only:  &schema.Schema{Required: []schema.Text{name}},
			text:  w.either("field is required, was optional", "field is optional, was required"),
			plans: []witness.Plan{{{At: n.at, IsAny: true}, {At: gone, Absent: true}}}}
		if w.drops(n, name.V) && w.Property(n.accept, name.V) != nil {
			g.text = w.either("field is required, but does not exist", "required field that did not exist")
			g.plans, g.only = append(g.plans, witness.Plan{{At: gone, IsAny: true}}), nil
		}
		w.add(n, "required", g)
	}
}

// drops reports whether the rejecting side drops a field of the accepting one.
func (w *walk) drops(n *node, name string) bool {
	r := n.reject
	return w.Property(r, name) == nil && r.AdditionalProperties == nil && !witness.KeepsAny(r) && !isMeta(n, name)
}

// sizes adds gaps about the number of items or fields.
func (w *walk) sizes(n *node, most, least string) {
	for _, k := range []*schema.Keyword{schema.KeywordOf(most), schema.KeywordOf(least)} {
		limit, had := k.Bound(n.reject), k.Bound(n.accept)
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
		g := gap{text: w.keywordText(k, n.accept, n.reject)}
		if before != nil && witness.Rat(before.V).Cmp(witness.Rat(limit.V)) == 0 {
			g.text = fmt.Sprintf("%s is %s, and other fields count", k.Name, limit.V)
		}
		if !countsOther {
			g.only = &schema.Schema{}
			k.Copy(g.only, n.reject)
		}
		if size < 0 || isMost && !w.canHave(n.accept, size) && !countsOther {
			continue
		}
		if countsOther { // null is dropped where it is not accepted
			for _, p := range n.accept.Properties[:min(len(n.accept.Properties), effort.DiffKeys.N())] {
				g.plans = append(g.plans, witness.Plan{{At: n.at, IsAny: true}, {At: n.at.Then(schema.Key(p.Name))}})
			}
		}
		isList := witness.HasType(n.accept, witness.ArrayType)
		if isList && 0 < size && size <= effort.DiffKeys.N() { // items that can be repaired
			g.plans = append(g.plans, witness.Plan{{At: n.at.Then(schema.Item(size - 1)), IsAny: true}})
		}
		for _, n0 := range []int{size, size - 1, size + 1, 0} {
			if value, ok := w.OfSize(n.accept, n0); ok {
				g.plans = append(g.plans, witness.Plan{{At: n.at, Value: value}})
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
	if n.accept.Items != nil || n.reject.Items != nil {
		accept, reject := cmp.Or(n.accept.Items, witness.Anything), cmp.Or(n.reject.Items, witness.Anything)
		w.compare(w.below(n, schema.Item(0), accept, reject))
	}
}

// topology compares how server-side apply merges lists, and which items must differ.
func (w *walk) topology(n *node) {
	before, after := w.sides(n.accept, n.reject)
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
	switch was := n.accept.ListType.V; n.reject.ListType.V {
	case "set":
		return was != "map" && was != "set"
	case "map":
		has := schema.Texts(n.reject.ListMapKeys)
		return was != "map" || slices.ContainsFunc(schema.Texts(n.accept.ListMapKeys), func(name string) bool {
			return !slices.Contains(has, name)
		})
	}
	return false
}

// duplicates makes plans with items that are equal for the rejecting side.
func (w *walk) duplicates(n *node) (out []witness.Plan) {
	differ := n.accept.ListType.V == "set" || n.accept.ListType.V == "map"
	for variant := range 3 {
		first, ok := w.Value(n.accept.Items, variant)
		second, _ := w.Value(n.accept.Items, variant)
		if differ {
			second, _ = w.Value(n.accept.Items, variant+1)
			for _, name := range schema.Texts(n.reject.ListMapKeys) {
				copyField(second, first, name)
			}
		}
		if ok {
			out = append(out, witness.Plan{{At: n.at, Value: []any{first, second}}})
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
