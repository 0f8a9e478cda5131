package objects

import (
	"maps"
	"slices"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
)

// junctors changes a value to what allOf, one branch each of anyOf and oneOf, and not ask for.
func (m *maker) junctors(v any, n *node, limits structural.ValueValidation) any {
	for i := range limits.AllOf {
		v = m.conform(v, n, &limits.AllOf[i])
	}
	if len(limits.AnyOf) > 0 && !m.one(12) {
		v = m.conform(v, n, &limits.AnyOf[m.IntN(len(limits.AnyOf))])
	}
	if len(limits.OneOf) > 0 && !m.one(12) {
		chosen := m.IntN(len(limits.OneOf))
		for i := range limits.OneOf {
			if i != chosen {
				v = m.avoid(v, &limits.OneOf[i])
			}
		}
		v = m.conform(v, n, &limits.OneOf[chosen])
	}
	if limits.Not != nil && !m.one(12) {
		v = m.avoid(v, limits.Not)
	}
	return v
}

// conform changes a value to what a branch of a junctor asks for.
func (m *maker) conform(v any, n *node, branch *structural.NestedValueValidation) any {
	if n == nil {
		return v
	}
	if t := branch.ForbiddenGenerics.Type; t != "" && n.XIntOrString {
		if t == "integer" {
			return m.integer(n, n.limits())
		}
		return m.text(n, n.limits())
	}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range branch.Required {
			if f := n.child(name); f != nil && v[name] == nil {
				v[name] = m.value(f)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(branch.Properties)) {
			below := branch.Properties[name]
			if value, ok := v[name]; ok {
				v[name] = m.conform(value, n.child(name), &below)
			}
		}
	case []any:
		if branch.Items != nil {
			for i := range v {
				v[i] = m.conform(v[i], n.items, branch.Items)
			}
		}
	case nil:
	default:
		limits := branch.ValueValidation
		if limits.Enum != nil || limits.Pattern != "" || limits.Format != "" || limits.Maximum != nil ||
			limits.Minimum != nil ||
			limits.MinLength != nil || limits.MaxLength != nil {
			return m.plain(n, merge(n.limits(), limits), nil)
		}
	}
	return m.junctors(v, n, branch.ValueValidation)
}

// avoid takes what a branch requires out of an object, so that the branch does not hold.
func (m *maker) avoid(v any, branch *structural.NestedValueValidation) any {
	if object, ok := v.(map[string]any); ok && len(branch.Required) > 0 {
		delete(object, branch.Required[m.IntN(len(branch.Required))])
	}
	return v
}
