package witness

import (
	"slices"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/schema"
)

// JunctorPlans makes plans under which a value at a path satisfies the junctors of a schema, or violates one of them.
// The structure is the schema that describes the value.
func (b *Builder) JunctorPlans(s, structure *schema.Schema, at schema.Path, want bool) []Plan {
	var parts [][]Plan
	for _, nested := range s.AllOf {
		parts = append(parts, b.nested(nested, structure, at, want))
	}
	if len(s.AnyOf) > 0 {
		var each [][]Plan
		for _, nested := range s.AnyOf {
			each = append(each, b.nested(nested, structure, at, want))
		}
		if want {
			parts = append(parts, anyOf(each...))
		} else {
			parts = append(parts, b.all(each))
		}
	}
	if len(s.OneOf) > 0 {
		parts = append(parts, b.exactlyOne(s, structure, at, want))
	}
	if s.Not != nil {
		parts = append(parts, b.nested(s.Not, structure, at, !want))
	}
	if want {
		return b.all(parts)
	}
	return anyOf(parts...)
}

// exactlyOne makes plans for oneOf: one schema is satisfied and no other; or none, or two of them.
func (b *Builder) exactlyOne(s, structure *schema.Schema, at schema.Path, want bool) (out []Plan) {
	known := map[[2]int][]Plan{} // plans to violate each schema, and to satisfy it
	forSchema := func(i int, satisfied bool) []Plan {
		key := [2]int{i, 0}
		if satisfied {
			key[1] = 1
		}
		if _, ok := known[key]; !ok {
			known[key] = b.nested(s.OneOf[i], structure, at, satisfied)
		}
		return known[key]
	}
	only := func(satisfied ...int) []Plan {
		if !b.Steps.Plans.Spend(len(s.OneOf)) {
			return nil
		}
		var parts [][]Plan
		for i := range s.OneOf {
			parts = append(parts, forSchema(i, slices.Contains(satisfied, i)))
		}
		return b.all(parts)
	}
	isEnough := func() bool { return len(out) >= effort.DiffAlternatives.N() || b.Steps.Plans.Ended() }
	if want {
		for i := range s.OneOf {
			if !isEnough() {
				out = anyOf(out, only(i))
			}
		}
		return out
	}
	out = only()
	for i := range s.OneOf {
		for j := 0; j < i && !isEnough(); j++ {
			out = anyOf(out, only(j, i))
		}
	}
	return out
}

// nested makes plans under which a value at a path satisfies a schema in a junctor, or violates it.
func (b *Builder) nested(s, structure *schema.Schema, at schema.Path, want bool) []Plan {
	if !b.Steps.Plans.Spend(1) {
		return nil
	}
	var parts [][]Plan
	for _, name := range s.Required {
		w := Edit{At: at.Then(schema.Key(name.V)), IsAny: want, Absent: !want}
		parts = append(parts, []Plan{{w}})
	}
	for i := range s.Properties {
		p := &s.Properties[i]
		below := b.nested(p.Schema, b.Child(structure, schema.Key(p.Name)), at.Then(schema.Key(p.Name)), want)
		if want { // the field may also be absent
			below = anyOf(below, []Plan{{{At: at.Then(schema.Key(p.Name)), Absent: true}}})
		}
		parts = append(parts, below)
	}
	if s.Items != nil && !want {
		parts = append(parts, b.nested(s.Items, b.Child(structure, schema.Item(0)), at.Then(schema.Item(0)), false))
	}
	if b.isLeaf(s) {
		parts = append(parts, b.leaf(s, structure, at, want))
	}
	if len(s.AllOf)+len(s.AnyOf)+len(s.OneOf) > 0 || s.Not != nil {
		parts = append(parts, b.JunctorPlans(s, structure, at, want))
	}
	if want {
		return b.all(parts)
	}
	return anyOf(parts...)
}

// isLeaf reports whether a schema has keywords about a value that is neither a list nor an object, or about sizes.
func (b *Builder) isLeaf(s *schema.Schema) bool {
	return s.Type.V != "" || s.Pattern.V != "" || s.Format.V != "" || len(s.Enum) > 0 || s.Minimum != nil ||
		s.Maximum != nil || s.MultipleOf != nil || s.MinLength != nil || s.MaxLength != nil || s.MinItems != nil ||
		s.MaxItems != nil || s.MinProperties != nil || s.MaxProperties != nil
}

// leaf makes plans with values that satisfy or violate those keywords.
func (b *Builder) leaf(s, structure *schema.Schema, at schema.Path, want bool) []Plan {
	if structure == nil {
		return nil
	}
	if HasType(structure, ObjectType) || HasType(structure, ArrayType) {
		return b.sized(s, structure, at, want)
	}
	self := *s // without what is about parts of the value
	self.AllOf, self.AnyOf, self.OneOf, self.Not = nil, nil, nil, nil
	return []Plan{{{At: at, Schema: &self, IsNot: !want}}}
}

// sized makes plans with lists and objects of another size.
func (b *Builder) sized(s, structure *schema.Schema, at schema.Path, want bool) (out []Plan) {
	try := func(n int64) {
		if value, ok := b.OfSize(structure, int(n)); ok {
			out = append(out, Plan{{At: at, Value: value}})
		}
	}
	for _, bounds := range [][2]*schema.Int{{s.MinItems, s.MaxItems}, {s.MinProperties, s.MaxProperties}} {
		switch least, most := bounds[0], bounds[1]; {
		case want && least != nil:
			try(least.V)
		case want && most != nil:
			try(most.V)
		case least != nil:
			try(least.V - 1)
		case most != nil:
			try(most.V + 1)
		}
	}
	return out
}

// OfSize returns a list or an object with n items or fields, if that is not too many.
func (b *Builder) OfSize(s *schema.Schema, n int) (any, bool) {
	if n < 0 || n > effort.DiffKeys.N() {
		return nil, false
	}
	if HasType(s, ArrayType) {
		list, ok := b.items(s, []any{}, n, 0)
		return list, ok
	}
	made, ok := b.object(s, 0)
	if !ok {
		return nil, false
	}
	out := made.(map[string]any)
	for _, to := range b.more(s, out) {
		if len(out) >= n {
			break
		}
		if value, ok := b.Value(b.Child(s, to), 0); ok {
			out[to.Name] = value
		}
	}
	return out, len(out) == n
}
