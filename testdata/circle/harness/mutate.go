package harness

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// node is one value within an object, and how to put another in its place.
type node struct {
	value  any
	schema *apiextensionsv1.JSONSchemaProps
	set    func(any)
	// remove takes the value away; it is nil for elements of lists.
	remove func()
	rename func(string)
}

// nodes are all values below an object or list, in a fixed order.
func nodes(v any, s *apiextensionsv1.JSONSchemaProps) []node {
	var list []node
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			sub, _ := below(s, key)
			list = append(list, node{
				value: v[key], schema: sub, set: func(x any) { v[key] = x }, remove: func() { delete(v, key) },
				rename: func(to string) {
					value := v[key]
					delete(v, key)
					v[to] = value
				},
			})
			list = append(list, nodes(v[key], sub)...)
		}
	case []any:
		for i := range v {
			sub, _ := below(s, fmt.Sprint(i))
			list = append(list, node{value: v[i], schema: sub, set: func(x any) { v[i] = x }})
			list = append(list, nodes(v[i], sub)...)
		}
	}
	return list
}

// mutate changes one value below spec.
func mutate(r *rand.Rand, object map[string]any, s *apiextensionsv1.JSONSchemaProps) {
	spec, _ := below(s, "spec")
	list := append(nodes(object["spec"], spec),
		node{value: object["spec"], schema: spec, set: func(v any) { object["spec"] = v }})
	n := list[r.IntN(len(list))]
	switch c := r.IntN(20); {
	case c == 0 && n.remove != nil:
		n.remove()
	case c == 1:
		n.set(nil)
	case c == 2 && n.rename != nil:
		n.rename(pick(r, texts[:]...))
	case c == 3:
		n.set(pick[any](r, map[string]any{}, []any{}, "", int64(0), true, 1.5, map[string]any{"x": int64(1)},
			[]any{nil}))
	default:
		n.set(changed(r, n.value, n.schema))
	}
}

func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

// numbers are extremes of all kinds of Go, and neighbours of them.
var numbers = [...]json.Number{
	"0", "-0", "1", "-1", "0.5", "1.0", "1e3", "1E+2", "127", "128", "-128", "-129", "255", "256", "32767", "32768",
	"-32769", "65535", "65536", "2147483647",
	"2147483648", "-2147483648", "-2147483649", "4294967295", "4294967296", "9007199254740993", "9223372036854775807",
	"9223372036854775808",
	"-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616", "1e19", "-1e19",
	"1e21", "1e38", "1e39", "1e300", "1e-300",
}

// texts are strings that some Go type or other reads, and neighbours of them.
var texts = [...]string{
	"", " ", "a", "ž", "🐎", "null", "true", "false", "True", "0", "-0", "1", "+1", "01", "0x1", "1_0", "1.0", "1e3",
	"-1", "128", "256", "65536", "2147483648",
	"9223372036854775808", "18446744073709551616", "1e400", "NaN", "Inf", "1s", "1h30m", "1.5h", "-1ns", "1 day",
	"2562048h", "1d", "1Gi", "100m", "1.5Gi", "1e1000",
	".5", "1.", "1E", "Ki", "10.0.0.1", "10.0.0.01", "10.0.0.256", "::1", "::ffff:1.2.3.4", "fe80::1%eth0",
	"10.0.0.0/8", "10.0.0.1/33", "::/0", "10.0.0.1:80",
	"[::1]:80", "10.0.0.1:65536", "2024-02-29T23:59:59Z", "2023-02-29T00:00:00Z", "2024-01-01T00:00:00+00:00",
	"2024-01-01T00:00:00.123456789Z",
	"2024-01-01T00:00:00.123456Z", "2024-01-01T24:00:00Z", "2024-01-01T23:59:60Z", "2024-01-01T00:00:00",
	"2024-01-01 00:00:00Z", "2024-01-01T00:00:00,5Z",
	"2024-01-01T00:00:00+24:00", "2024-01-01", "0000-01-01T00:00:00Z", "10000-01-01T00:00:00Z", "AA==", "AA", "AAA=",
	"A", "A_-=", "AA=\n=", "AAAA\n", "{}", "\"a\"",
	"\"1\"", "\"", "http://example.com/%zz", "Always", "\u0000",
}

// changed returns another value of the same type, most of the time.
func changed(r *rand.Rand, v any, s *apiextensionsv1.JSONSchemaProps) any {
	switch v := v.(type) {
	case bool:
		return pick[any](r, !v, text(v))
	case int64, float64:
		if r.IntN(10) == 0 {
			return text(v)
		}
		return pick(r, numbers[:]...)
	case string:
		return changedText(r, v)
	case []any:
		return changedList(r, v)
	case map[string]any:
		return changedMap(r, v, s)
	}
	if r.IntN(2) == 0 {
		return pick(r, texts[:]...)
	}
	return pick(r, numbers[:]...)
}

func changedText(r *rand.Rand, v string) any {
	runes := []rune(v)
	switch c := r.IntN(10); {
	case c == 0:
		return pick(r, numbers[:]...)
	case c == 1 && len(runes) > 0:
		i := r.IntN(len(runes))
		return string(slices.Delete(runes, i, i+1))
	case c == 2:
		return v + pick(r, texts[:]...)
	case c == 3 && len(runes) > 0:
		runes[r.IntN(len(runes))] = pick(r, []rune("0a-:.+= Z9")...)
		return string(runes)
	}
	return pick(r, texts[:]...)
}

func changedList(r *rand.Rand, v []any) any {
	if len(v) == 0 {
		return pick[any](r, []any{pick(r, numbers[:]...)}, []any{pick(r, texts[:]...)}, []any{nil},
			[]any{map[string]any{}}, []any{[]any{}})
	}
	switch r.IntN(4) {
	case 0:
		return v[:r.IntN(len(v))]
	case 1:
		return append(slices.Clone(v), nil)
	}
	return append(slices.Clone(v), v[r.IntN(len(v))], v[0])
}

// changedMap adds a key: of a property that is absent, or an unknown one.
func changedMap(r *rand.Rand, v map[string]any, s *apiextensionsv1.JSONSchemaProps) any {
	out := maps.Clone(v)
	key := pick(r, texts[:]...)
	value := pick[any](r, pick(r, numbers[:]...), pick(r, texts[:]...), true, map[string]any{}, []any{}, nil)
	if keys := slices.Sorted(maps.Keys(v)); len(keys) > 0 && r.IntN(2) == 0 {
		value = v[keys[r.IntN(len(keys))]]
	}
	if s != nil && len(s.Properties) > 0 && r.IntN(4) > 0 {
		key = pick(r, slices.Sorted(maps.Keys(s.Properties))...)
		value = typed(r, s.Properties[key])
	}
	out[key] = value
	return out
}

// typed returns a value of a schema's type.
func typed(r *rand.Rand, s apiextensionsv1.JSONSchemaProps) any {
	switch s.Type {
	case "string":
		return pick(r, texts[:]...)
	case "integer", "number":
		return pick(r, numbers[:]...)
	case "boolean":
		return r.IntN(2) == 0
	case "array":
		if s.Items == nil || s.Items.Schema == nil || r.IntN(3) == 0 {
			return []any{}
		}
		return []any{typed(r, *s.Items.Schema)}
	case "object":
		out := map[string]any{}
		for _, key := range slices.Sorted(maps.Keys(s.Properties)) {
			if r.IntN(3) > 0 {
				out[key] = typed(r, s.Properties[key])
			}
		}
		if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil && r.IntN(3) > 0 {
			out[pick(r, texts[:]...)] = typed(r, *s.AdditionalProperties.Schema)
		}
		return out
	}
	return pick[any](r, pick(r, numbers[:]...), pick(r, texts[:]...), true, map[string]any{}, []any{}, nil)
}
