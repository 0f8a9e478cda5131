package objects

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apimachinery/pkg/runtime"
)

// A maker makes one object.
type maker struct {
	*rand.Rand
	// budget is how many values may still be made for no need.
	budget int
}

func (m *maker) one(n int) bool { return m.IntN(n) == 0 }

func pick[T any](m *maker, list ...T) T { return list[m.IntN(len(list))] }

// value makes a value that the schema allows, as far as that is easy: what rules and junctors say is tried, not
// promised.
func (m *maker) value(n *node) any { return m.valueWith(n, nil) }

// valueWith makes a value in which there is something at the end of a way.
func (m *maker) valueWith(n *node, to way) any {
	limits := n.limits()
	v := m.plain(n, limits, to)
	if limits.AnyOf != nil || limits.OneOf != nil || limits.AllOf != nil || limits.Not != nil {
		v = m.junctors(v, n, limits)
	}
	return v
}

func (m *maker) plain(n *node, limits structural.ValueValidation, to way) any {
	m.budget--
	switch {
	case len(to) > 0 && n.Type == "object":
		return m.object(n, limits, to)
	case len(to) > 0 && n.Type == "array":
		return m.list(n, limits, to)
	case n.Nullable && m.one(12):
		return nil
	case len(limits.Enum) > 0:
		return runtime.DeepCopyJSONValue(pick(m, limits.Enum...).Object)
	case n.Default.Object != nil && m.one(6):
		return runtime.DeepCopyJSONValue(n.Default.Object)
	case n.XIntOrString:
		if m.one(2) {
			return m.integer(n, limits)
		}
		return m.text(n, limits)
	}
	switch n.Type {
	case "object":
		return m.object(n, limits, to)
	case "array":
		return m.list(n, limits, to)
	case "string":
		return m.text(n, limits)
	case "integer":
		return m.integer(n, limits)
	case "number":
		return m.number(n, limits)
	case "boolean":
		return m.one(2)
	}
	return m.json(2)
}

// object makes an object with what is required and, as far as the budget goes, some of what is not.
func (m *maker) object(n *node, limits structural.ValueValidation, to way) map[string]any {
	out := map[string]any{}
	if n.XEmbeddedResource {
		m.identify(out)
	}
	if len(to) > 0 && to[0] == "[*]" {
		out[m.key(n)] = m.valueWith(n.values, to[1:])
	} else if len(to) > 0 {
		out[to[0][1:]] = m.valueWith(n.field(to[0][1:]), to[1:])
	}
	for _, name := range limits.Required {
		if f := n.child(name); f != nil && out[name] == nil && !(n.root && isMeta(name)) {
			out[name] = m.value(f)
		}
	}
	share := pick(m, 0, 1, 2, 3, 5, 8)
	switch {
	case to != nil && len(to) == 0: // this is what the object is about
		share = pick(m, 3, 5, 8, 9)
		m.budget = max(m.budget, 20)
	case len(to) > 0:
		share = pick(m, 0, 0, 1, 3)
	case n.root:
		share = pick(m, 5, 8, 9)
	}
	for _, f := range n.fields {
		if _, ok := out[f.name]; !ok && m.budget > 0 && m.IntN(10) < share &&
			!((n.root || n.XEmbeddedResource) && isMeta(f.name)) {
			out[f.name] = m.value(f)
		}
	}
	least, most := bounds(limits.MinProperties, limits.MaxProperties, 3)
	if n.values != nil {
		for range least + m.IntN(most-least+1) {
			if m.budget > 0 || len(out) < least {
				out[m.key(n)] = m.value(n.values)
			}
		}
	}
	for _, f := range n.fields {
		if len(out) < least && !isMeta(f.name) && out[f.name] == nil {
			out[f.name] = m.value(f)
		}
	}
	if n.XPreserveUnknownFields && m.one(2) {
		for range m.IntN(3) {
			out[pick(m, words...)] = m.json(2)
		}
	}
	return out
}

// isMeta reports whether a field is one that every resource has.
func isMeta(name string) bool { return name == "apiVersion" || name == "kind" || name == "metadata" }

// identify makes a resource of an object.
func (m *maker) identify(object map[string]any) {
	object["apiVersion"] = pick(m, "v1", "apps/v1", "example.com/v1alpha1")
	object["kind"] = pick(m, "Pod", "Deployment", "Widget")
	if m.one(2) {
		object["metadata"] = map[string]any{"name": pick(m, "a", "web-1"), "labels": map[string]any{"app": "web"}}
	}
}

// list makes a list; sets and maps have no duplicates.
func (m *maker) list(n *node, limits structural.ValueValidation, to way) []any {
	least, most := bounds(limits.MinItems, limits.MaxItems, 3)
	out := []any{}
	if len(to) > 0 {
		out = append(out, m.valueWith(n.items, to[1:]))
	}
	for range least + m.IntN(most-least+1) - len(out) {
		if n.items == nil || m.budget <= 0 && len(out) >= least {
			break
		}
		for range 8 {
			item := m.value(n.items)
			if n.XListType == nil || *n.XListType == "atomic" || !n.duplicate(out, item) {
				out = append(out, item)
				break
			}
		}
	}
	return out
}

// duplicate reports whether a list of type set or map has an item like this one.
func (n *node) duplicate(list []any, item any) bool {
	key := func(v any) string {
		object, ok := v.(map[string]any)
		if !ok || n.XListType == nil || *n.XListType != "map" {
			return fmt.Sprintf("%#v", v)
		}
		var out []any
		for _, k := range n.XListMapKeys {
			value, ok := object[k]
			if f := n.items.field(k); !ok && f != nil {
				value = f.Default.Object
			}
			out = append(out, value)
		}
		return fmt.Sprintf("%#v", out)
	}
	return slices.ContainsFunc(list, func(v any) bool { return key(v) == key(item) })
}

// bounds returns how many there are at least and at most, about as many as asked for beyond what is needed.
func bounds(least, most *int64, about int) (int, int) {
	low := 0
	if least != nil {
		low = int(max(0, min(*least, 64)))
	}
	high := low + about
	if most != nil {
		high = int(max(int64(low), min(int64(high), *most)))
	}
	return low, high
}

// integer makes an integer within the bounds, often at one.
func (m *maker) integer(n *node, limits structural.ValueValidation) any {
	low, high := int64(-20), int64(200)
	if limits.Minimum != nil {
		low = clamp(math.Ceil(*limits.Minimum))
		if limits.ExclusiveMinimum && float64(low) == *limits.Minimum {
			low++
		}
		high = max(high, add(low, 10))
	}
	if limits.Maximum != nil {
		high = clamp(math.Floor(*limits.Maximum))
		if limits.ExclusiveMaximum && float64(high) == *limits.Maximum {
			high--
		}
		low = min(low, high)
	}
	var v int64
	switch {
	case len(n.rules.numbers) > 0 && m.one(3):
		v = add(clamp(pick(m, n.rules.numbers...)), m.Int64N(3)-1)
	case m.one(4):
		v = low
	case m.one(4):
		v = high
	case m.one(3):
		v = m.Int64N(5)
	default:
		v = low + m.Int64N(max(1, min(1000, add(high, -low))))
	}
	v = max(low, min(high, v))
	if d := limits.MultipleOf; d != nil && *d >= 1 {
		v -= v % int64(*d)
	}
	if m.one(20) && math.Abs(float64(v)) < 1<<50 {
		return float64(v) // 2.0 is an integer
	}
	return v
}

// add adds without overflow.
func add(a, b int64) int64 {
	if sum := a + b; (sum > a) == (b > 0) {
		return sum
	}
	return a
}

func clamp(f float64) int64 {
	return int64(max(-1<<53, min(1<<53, f)))
}

// number makes a number within the bounds; some are integers.
func (m *maker) number(n *node, limits structural.ValueValidation) any {
	if m.one(2) {
		return m.integer(n, limits)
	}
	low, high := -2.5, 100.25
	if limits.Minimum != nil {
		low = *limits.Minimum
		high = max(high, low+1)
	}
	if limits.Maximum != nil {
		high = *limits.Maximum
		low = min(low, high)
	}
	if len(n.rules.numbers) > 0 && m.one(3) {
		return max(low, min(high, pick(m, n.rules.numbers...)+pick(m, 0, 0.5, -0.5)))
	}
	return pick(m, low, high, low+(high-low)/2, low+(high-low)*float64(m.IntN(9))/8)
}

// json makes any value at all.
func (m *maker) json(depth int) any {
	switch m.IntN(9) {
	case 0:
		return nil
	case 1:
		return m.one(2)
	case 2:
		return pick[int64](m, 0, 1, -1, 7, math.MaxInt32, math.MaxInt32+1, math.MaxInt64, math.MinInt64)
	case 3:
		return pick(m, 0.0, 2.0, 1e3, 0.5, -1.5, 1e300, 1e19)
	case 4, 5:
		if depth > 0 {
			out := map[string]any{}
			for range m.IntN(3) {
				out[pick(m, words...)] = m.json(depth - 1)
			}
			return out
		}
	case 6:
		if depth > 0 {
			out := []any{}
			for range m.IntN(3) {
				out = append(out, m.json(depth-1))
			}
			return out
		}
	}
	return pick(m, words...)
}
