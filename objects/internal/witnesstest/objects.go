// Package witnesstest makes random objects of a schema. Only tests use it.
package witnesstest

import (
	"fmt"
	"math/rand/v2"

	"github.com/crdproof/crdproof/objects/internal/witness"
	"github.com/crdproof/crdproof/schema"
)

// Objects makes random objects of two schemas.
type Objects struct {
	*rand.Rand
	// Special are further values that objects may have.
	Special []any
	// pools are the values of schemas, beside others.
	pools map[[2]*schema.Schema][]any
}

// New returns a maker of objects.
func New(r *rand.Rand) *Objects { return &Objects{Rand: r, pools: map[[2]*schema.Schema][]any{}} }

// Spec is the spec of a random object of the first builder's schema, with values that are special for either of two.
func (g *Objects) Spec(b, other *witness.Builder) (any, bool) {
	return g.Value(b, b.Root.Property("spec"), other.Root.Property("spec"))
}

// Object is a random object of the kind Thing with such a spec.
func (g *Objects) Object(b, other *witness.Builder) (map[string]any, bool) {
	spec, ok := g.Spec(b, other)
	return map[string]any{"apiVersion": "example.com/v1", "kind": "Thing",
		"metadata": map[string]any{"name": "a"}, "spec": spec}, ok
}

// Value is a random value of a schema, with values that are special for another one.
func (g *Objects) Value(b *witness.Builder, s, other *schema.Schema) (any, bool) {
	if g.IntN(25) == 0 {
		return nil, true
	}
	types := witness.TypesOf(s)
	switch {
	case len(types) == 1 && types[0] == witness.ObjectType:
		return g.fields(b, s, other), true
	case len(types) == 1 && types[0] == witness.ArrayType:
		out := []any{}
		var items *schema.Schema
		if other != nil {
			items = other.Items
		}
		for range g.IntN(4) {
			if item, ok := g.Value(b, s.Items, items); ok {
				out = append(out, item)
			}
		}
		return out, true
	}
	return g.scalar(b, s, other)
}

func (g *Objects) scalar(b *witness.Builder, s, other *schema.Schema) (any, bool) {
	pool, ok := g.pools[[2]*schema.Schema{s, other}]
	if !ok {
		pool = poolOf(b, s, other, g.Special)
		g.pools[[2]*schema.Schema{s, other}] = pool
	}
	if len(pool) == 0 {
		return nil, false
	}
	return pool[g.IntN(len(pool))], true
}

// poolOf are the values that random objects have for a schema.
func poolOf(b *witness.Builder, s, other *schema.Schema, special []any) []any {
	pool, _ := b.Solver.Solve(s, nil)
	if other != nil {
		more, _ := b.Solver.Solve(s, other)
		pool = append(pool, more...)
		more, _ = b.Solver.Solve(other, s)
		pool = append(pool, more...)
	}
	for _, value := range append([]any{"", "a", "b", "c", "ab", "a1", "10%", "2024-01-01", int64(0), int64(1), int64(2),
		int64(3), int64(4), int64(5), int64(7), int64(12), 0.5, 2.0, -1.5, true, false}, special...) {
		if b.Accepts(s, value) {
			pool = append(pool, value)
		}
	}
	return pool
}

func (g *Objects) fields(b *witness.Builder, s, other *schema.Schema) any {
	out := map[string]any{}
	for i := range s.Properties {
		p := &s.Properties[i]
		if g.IntN(3) == 0 && !b.IsRequired(s, p.Name) {
			continue
		}
		if value, ok := g.Value(b, p.Schema, b.Child(other, schema.Key(p.Name))); ok {
			out[p.Name] = value
		}
	}
	if s.AdditionalProperties != nil || witness.KeepsUnknown(s) {
		for i := range g.IntN(4) {
			values := s.AdditionalProperties
			if values == nil {
				values = witness.Anything
			}
			if value, ok := g.Value(b, values, b.Child(other, schema.Key("a"))); ok {
				out[[]string{"a", "b", fmt.Sprint("new", i), "longer"}[g.IntN(4)]] = value
			}
		}
	}
	return out
}
