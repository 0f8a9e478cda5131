package diff

import (
	"fmt"

	"github.com/crdproof/crdproof/schema"
)

// object is a random object of the first builder's schema, with values that are special for either of two.
func (g *pairMaker) object(b, other *builder) (map[string]any, bool) {
	spec, ok := g.value(b, b.root.Property("spec"), other.root.Property("spec"))
	return map[string]any{"apiVersion": "example.com/v1", "kind": "Thing",
		"metadata": map[string]any{"name": "a"}, "spec": spec}, ok
}

func (g *pairMaker) value(b *builder, s, other *schema.Schema) (any, bool) {
	if g.IntN(25) == 0 {
		return nil, true
	}
	types := typesOf(s)
	switch {
	case len(types) == 1 && types[0] == objectType:
		return g.fields(b, s, other), true
	case len(types) == 1 && types[0] == arrayType:
		out := []any{}
		var items *schema.Schema
		if other != nil {
			items = other.Items
		}
		for range g.IntN(4) {
			if item, ok := g.value(b, s.Items, items); ok {
				out = append(out, item)
			}
		}
		return out, true
	}
	return g.scalar(b, s, other)
}

func (g *pairMaker) scalar(b *builder, s, other *schema.Schema) (any, bool) {
	pool, ok := g.pools[[2]*schema.Schema{s, other}]
	if !ok {
		pool = poolOf(b, s, other)
		g.pools[[2]*schema.Schema{s, other}] = pool
	}
	if len(pool) == 0 {
		return nil, false
	}
	return pool[g.IntN(len(pool))], true
}

// poolOf are the values that random objects have for a schema.
func poolOf(b *builder, s, other *schema.Schema) []any {
	pool, _ := b.solver.values(s, nil)
	if other != nil {
		more, _ := b.solver.values(s, other)
		pool = append(pool, more...)
		more, _ = b.solver.values(other, s)
		pool = append(pool, more...)
	}
	for _, value := range []any{"", "a", "b", "c", "ab", "a1", "10%", "2024-01-01", int64(0), int64(1), int64(2),
		int64(3), int64(4), int64(5), int64(7), int64(12), 0.5, 2.0, -1.5, true, false} {
		if b.holds(s, value) {
			pool = append(pool, value)
		}
	}
	return pool
}

func (g *pairMaker) fields(b *builder, s, other *schema.Schema) any {
	out := map[string]any{}
	for i := range s.Properties {
		p := &s.Properties[i]
		if g.IntN(3) == 0 && !b.isRequired(s, p.Name) {
			continue
		}
		if value, ok := g.value(b, p.Schema, b.child(other, step{name: p.Name})); ok {
			out[p.Name] = value
		}
	}
	if s.AdditionalProperties != nil || keepsUnknown(s) {
		for i := range g.IntN(4) {
			of := s.AdditionalProperties
			if of == nil {
				of = anything
			}
			if value, ok := g.value(b, of, b.child(other, step{name: "a"})); ok {
				out[g.oneOf("a", "b", fmt.Sprint("new", i), "longer")] = value
			}
		}
	}
	return out
}
