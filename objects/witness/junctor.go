package diff

import (
	"slices"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/schema"
)

// junctors are plans under which a value at a path satisfies the junctors of a schema, or violates one of them. The
// structure is the schema that describes the value.
func (b *builder) junctors(s, structure *schema.Schema, at path, want bool) []plan {
	var parts [][]plan
	for _, nested := range s.AllOf {
		parts = append(parts, b.meet(nested, structure, at, want))
	}
	if len(s.AnyOf) > 0 {
		var each [][]plan
		for _, nested := range s.AnyOf {
			each = append(each, b.meet(nested, structure, at, want))
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
		parts = append(parts, b.meet(s.Not, structure, at, !want))
	}
	if want {
		return b.all(parts)
	}
	return anyOf(parts...)
}

// exactlyOne are plans for oneOf: one schema is satisfied and no other; or none, or two of them.
func (b *builder) exactlyOne(s, structure *schema.Schema, at path, want bool) (out []plan) {
	known := make([][2][]plan, len(s.OneOf)) // plans to violate each schema, and to satisfy it
	meet := func(i, want int) []plan {
		if known[i][want] == nil {
			known[i][want] = append([]plan{}, b.meet(s.OneOf[i], structure, at, want == 1)...)
		}
		return known[i][want]
	}
	only := func(satisfied ...int) []plan {
		if !b.steps.plans.Spend(len(s.OneOf)) {
			return nil
		}
		var parts [][]plan
		for i := range s.OneOf {
			parts = append(parts, meet(i, weight(slices.Contains(satisfied, i))))
		}
		return b.all(parts)
	}
	isEnough := func() bool { return len(out) >= effort.DiffAlternatives.N() || b.steps.plans.Ended() }
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

// meet are plans under which a value at a path satisfies a schema in a junctor, or violates it.
func (b *builder) meet(s, structure *schema.Schema, at path, want bool) []plan {
	if !b.steps.plans.Spend(1) {
		return nil
	}
	var parts [][]plan
	for _, name := range s.Required {
		w := wish{at: at.field(name.V), isAny: want, absent: !want}
		parts = append(parts, []plan{{w}})
	}
	for i := range s.Properties {
		p := &s.Properties[i]
		below := b.meet(p.Schema, b.child(structure, step{name: p.Name}), at.field(p.Name), want)
		if want { // the field may also be absent
			below = anyOf(below, []plan{{{at: at.field(p.Name), absent: true}}})
		}
		parts = append(parts, below)
	}
	if s.Items != nil && !want {
		parts = append(parts, b.meet(s.Items, b.child(structure, step{}), at.item(0), false))
	}
	if b.isLeaf(s) {
		parts = append(parts, b.leaf(s, structure, at, want))
	}
	if len(s.AllOf)+len(s.AnyOf)+len(s.OneOf) > 0 || s.Not != nil {
		parts = append(parts, b.junctors(s, structure, at, want))
	}
	if want {
		return b.all(parts)
	}
	return anyOf(parts...)
}

// isLeaf reports whether a schema has keywords about a value that is neither a list nor an object, or about sizes.
func (b *builder) isLeaf(s *schema.Schema) bool {
	return s.Type.V != "" || s.Pattern.V != "" || s.Format.V != "" || len(s.Enum) > 0 || s.Minimum != nil ||
		s.Maximum != nil || s.MultipleOf != nil || s.MinLength != nil || s.MaxLength != nil || s.MinItems != nil ||
		s.MaxItems != nil || s.MinProperties != nil || s.MaxProperties != nil
}

// leaf are plans with values that satisfy or violate those keywords.
func (b *builder) leaf(s, structure *schema.Schema, at path, want bool) []plan {
	if structure == nil {
		return nil
	}
	if hasType(structure, objectType) || hasType(structure, arrayType) {
		return b.sized(s, structure, at, want)
	}
	self := *s // without what is about parts of the value
	self.AllOf, self.AnyOf, self.OneOf, self.Not = nil, nil, nil, nil
	return []plan{{{at: at, of: &self, isNot: !want}}}
}

// sized are plans with lists and objects of another size.
func (b *builder) sized(s, structure *schema.Schema, at path, want bool) (out []plan) {
	try := func(n int64) {
		if value, ok := b.ofSize(structure, int(n)); ok {
			out = append(out, plan{{at: at, value: value}})
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

// ofSize returns a list or an object with n items or fields, if that is not too many.
func (b *builder) ofSize(s *schema.Schema, n int) (any, bool) {
	if n < 0 || n > effort.DiffKeys.N() {
		return nil, false
	}
	if hasType(s, arrayType) {
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
		if value, ok := b.value(b.child(s, to), 0); ok {
			out[to.name] = value
		}
	}
	return out, len(out) == n
}
