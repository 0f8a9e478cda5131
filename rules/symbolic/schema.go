package symbolic

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/google/cel-go/common/types"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
)

// admitted says when the schema's value validations admit a place, as far as they refer to what is there and to
// constants. Others are conditions of their own.
func (m *model) admitted(p *place) formula {
	v := p.schema.ValueValidation
	if v == nil {
		return always
	}
	return m.and(m.junctors(p, v), m.properties(p, v))
}

func (m *model) junctors(p *place, v *structural.ValueValidation) formula {
	out := always
	for _, nested := range v.AllOf {
		out = m.and(out, m.nested(p, &nested))
	}
	if len(v.AnyOf) > 0 {
		out = m.and(out, m.or(m.nestedAll(p, v.AnyOf)...))
	}
	if len(v.OneOf) > 0 {
		one, _ := m.countOne(m.nestedAll(p, v.OneOf))
		out = m.and(out, one)
	}
	if v.Not != nil {
		out = m.and(out, m.not(m.nested(p, v.Not)))
	}
	return out
}

func (m *model) nestedAll(p *place, list []structural.NestedValueValidation) []formula {
	var out []formula
	for _, nested := range list {
		out = append(out, m.nested(p, &nested))
	}
	return out
}

// nested says when a schema inside a junctor admits a place.
func (m *model) nested(p *place, v *structural.NestedValueValidation) formula {
	out := m.and(m.junctors(p, &v.ValueValidation), m.properties(p, &v.ValueValidation))
	for _, name := range v.Required {
		if child, there := m.below(p, step{toProperty, name}); child == nil || isNullable(child.schema) {
			out = m.and(out, m.or(there, m.condition("null "+p.name+fieldName(name))))
		} else {
			out = m.and(out, there)
		}
	}
	if v.Enum != nil {
		var list []formula
		for _, e := range v.Enum {
			list = append(list, m.isLiteral(p, e.Object))
		}
		out = m.and(out, m.or(list...))
	}
	for _, name := range slices.Sorted(maps.Keys(v.Properties)) {
		property := v.Properties[name]
		if child, there := m.below(p, step{toProperty, name}); child != nil {
			out = m.and(out, m.or(m.not(there), child.null, m.nested(child, &property)))
		}
	}
	if v.Items != nil || v.AdditionalProperties != nil {
		out = m.and(out, m.truth(m.unknown())) // items are not looked at
	}
	rest := *v
	if m.decides {
		out = m.and(out, m.bounds(p, &rest.ValueValidation))
		if m.isCounted(p) && v.MinProperties != nil && *v.MinProperties == 1 {
			rest.MinProperties = nil // properties has it
		}
	}
	if other := otherValidations(&rest); other != "" {
		out = m.and(out, m.condition(p.name+" satisfies "+other))
	}
	return out
}

// bounds says when a place is within the bounds of integers, of lengths and of patterns, which it removes.
func (m *model) bounds(p *place, v *structural.ValueValidation) formula {
	out := always
	least := func(t thing, n int64) { out = m.and(out, m.atLeast(t, n)) }
	most := func(t thing, n int64) { out = m.and(out, m.not(m.atLeast(t, n+1))) }
	whole := func(bound *float64) bool {
		return bound != nil && *bound == math.Trunc(*bound) && math.Abs(*bound) < 1<<53
	}
	if p.schema.Type == "integer" && whole(v.Minimum) {
		least(p, int64(*v.Minimum)+excess(v.ExclusiveMinimum))
		v.Minimum = nil
	}
	if p.schema.Type == "integer" && whole(v.Maximum) {
		most(p, int64(*v.Maximum)-excess(v.ExclusiveMaximum))
		v.Maximum = nil
	}
	lengths := map[string][2]**int64{"string": {&v.MinLength, &v.MaxLength}, "array": {&v.MinItems, &v.MaxItems}}
	if limits, ok := lengths[p.schema.Type]; ok {
		for i, bound := range []func(thing, int64){least, most} {
			if *limits[i] != nil {
				bound(m.size(p), **limits[i])
				*limits[i] = nil
			}
		}
	}
	if p.schema.Type == "string" && v.Pattern != "" {
		holds := m.condition(p.name + " matches " + v.Pattern)
		m.noteLanguage(p, holds, v.Pattern)
		out = m.and(out, holds)
		v.Pattern = ""
	}
	return out
}

// excess is what an exclusive bound adds.
func excess(isExclusive bool) int64 {
	if isExclusive {
		return 1
	}
	return 0
}

func (m *model) isLiteral(p *place, literal any) formula {
	switch literal := literal.(type) {
	case string:
		m.checkEnum(p)
		return m.equal(p, constant{types.String(literal)})
	case bool:
		return m.equal(p, constant{types.Bool(literal)})
	case int64:
		m.checkEnum(p)
		return m.equal(p, constant{types.Int(literal)})
	}
	return m.condition(fmt.Sprintf("%s == %v", p.name, literal))
}

// isCounted reports whether it is known for each property of an object whether it counts as one.
func (m *model) isCounted(p *place) bool {
	for _, property := range p.schema.Properties {
		if isNullable(&property) {
			return false
		}
	}
	return p.schema.Properties != nil && p.isClosed()
}

// properties says when an object has as many properties as it may have, if that is at least or at most one.
func (m *model) properties(p *place, v *structural.ValueValidation) formula {
	if p.schema.Properties == nil || p.schema.XPreserveUnknownFields ||
		v.MinProperties == nil && v.MaxProperties == nil {
		return always
	}
	var has []formula
	nullable := false
	for _, name := range slices.Sorted(maps.Keys(p.schema.Properties)) {
		child, there := m.below(p, step{toProperty, name})
		has = append(has, there)
		nullable = nullable || isNullable(child.schema)
	}
	out := always
	if v.MinProperties != nil && *v.MinProperties == 1 && !nullable {
		out = m.or(has...)
	}
	if v.MaxProperties != nil && *v.MaxProperties == 1 {
		one, none := m.countOne(has)
		out = m.and(out, m.or(one, none))
	}
	return out
}

// otherValidations writes the value validations that nested does not look into, "" if there are none.
func otherValidations(v *structural.NestedValueValidation) string {
	w := v.ValueValidation
	var out []string
	for i, number := range []*float64{w.Maximum, w.Minimum, w.MultipleOf} {
		if number != nil {
			out = append(out, fmt.Sprintf("number %d %v %t %t", i, *number, w.ExclusiveMaximum, w.ExclusiveMinimum))
		}
	}
	lengths := []*int64{w.MaxLength, w.MinLength, w.MaxItems, w.MinItems, w.MaxProperties, w.MinProperties}
	for i, length := range lengths {
		if length != nil {
			out = append(out, fmt.Sprintf("length %d %d", i, *length))
		}
	}
	if w.Format+w.Pattern+v.ForbiddenGenerics.Type != "" {
		out = append(out, fmt.Sprintf("%q %q %q", w.Format, w.Pattern, v.ForbiddenGenerics.Type))
	}
	return strings.Join(out, ", ")
}
