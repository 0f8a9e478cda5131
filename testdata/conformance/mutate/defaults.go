package mutate

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
)

// defaultOperators give nodes defaults, good and bad.
func defaultOperators() []operator {
	return []operator{
		{"default: valid", structural, func(r *rand.Rand, n *node) string {
			return set(n.schema, "default", instance(r, n.schema, 3))
		}},
		{"default: spoilt", structural, func(r *rand.Rand, n *node) string {
			return set(n.schema, "default", spoil(r, instance(r, n.schema, 3)))
		}},
		{"default: any", anywhere, func(r *rand.Rand, n *node) string { return set(n.schema, "default", anyValue(r)) }},
		{"default: beyond a bound", of("string", "integer", "number", "array", "object"),
			func(r *rand.Rand, n *node) string {
				set(n.schema, "default", instance(r, n.schema, 2))
				key := map[string]string{
					"string": "minLength", "integer": "minimum", "number": "minimum", "array": "minItems",
					"object": "minProperties",
				}[n.typ()]
				return set(n.schema, key, json.Number(pick(r, "0", "1000"))) + ", with a default"
			}},
		{"default: beside an enum", of("string", "integer"), func(r *rand.Rand, n *node) string {
			a, b := instance(r, n.schema, 1), instance(r, n.schema, 1)
			set(n.schema, "default", a)
			return set(n.schema, "enum", pick(r, []any{a, b}, []any{b}, []any{a})) + ", with the default " + text(a)
		}},
		{"default: empty object", of("object"), func(r *rand.Rand, n *node) string {
			return set(n.schema, "default", object{})
		}},
		{"default: required child with a default", of("object"), func(r *rand.Rand, n *node) string {
			set(child(n.schema, "properties"), "wanted", object{"type": "string", "default": "here"})
			add(n.schema, "required", "wanted")
			return set(n.schema, "default", pick[any](r, object{}, object{"wanted": "there"}))
		}},
		{"default: in a map", of("object"), func(r *rand.Rand, n *node) string {
			delete(n.schema, "properties")
			value := object{"type": "integer", "default": pick[any](r, json.Number("1"), "one", nil)}
			return set(n.schema, "additionalProperties", value)
		}},
		{"default: list twice the same", of("array"), func(r *rand.Rand, n *node) string {
			value := instance(r, n.items(), 1)
			return set(n.schema, "default", []any{value, clone(value)})
		}},
		{"default: in metadata", (*node).isRoot, defaultInMetadata},
		{"default: embedded resource", structural, func(r *rand.Rand, n *node) string {
			clear(n.schema)
			n.schema["type"], n.schema["x-kubernetes-embedded-resource"],
				n.schema["x-kubernetes-preserve-unknown-fields"] = "object",
				true, true
			return set(n.schema, "default", pick[any](r, object{}, object{"apiVersion": "v1", "kind": "Pod"},
				object{"apiVersion": "v1",
					"kind": "Pod", "metadata": object{"name": "a b"}},
				object{"apiVersion": "v1", "kind": "Pod",
					"metadata": object{"name": "a", "labels": object{"a": json.Number("1")}}},
				object{"apiVersion": "a/b/c", "kind": "Pod"},
				object{"apiVersion": "v1", "kind": "Pod", "metadata": object{"unknown": "a"}},
				object{"apiVersion": "v1",
					"kind": "pod pod", "x": "y"}))
		}},
		{"default: int or string", structural, func(r *rand.Rand, n *node) string {
			clear(n.schema)
			n.schema["x-kubernetes-int-or-string"] = true
			n.schema["pattern"] = `^\d+%?$`
			return set(n.schema, "default", pick[any](r, json.Number("1"), "1%", "1Gi", json.Number("1.5"), true,
				json.Number("4294967296"), nil))
		}},
		{"default: against a rule", of("string", "integer"), func(r *rand.Rand, n *node) string {
			rules := map[string][]string{"string": {"self == 'a'", "self != 'a'", "oldSelf == self"},
				"integer": {"self == 7", "self != 7",
					"self > oldSelf"}}
			set(n.schema, "default", map[string]any{"string": "a", "integer": json.Number("7")}[n.typ()])
			return set(n.schema, "x-kubernetes-validations", []any{object{"rule": pick(r, rules[n.typ()]...)}}) +
				", with a default"
		}},
	}
}

func defaultInMetadata(r *rand.Rand, n *node) string {
	where := pick(r, "metadata", "kind", "apiVersion", "metadata.name", "metadata.labels")
	s := n.schema
	for name := range strings.SplitSeq(where, ".") {
		s = child(child(s, "properties"), name)
		s["type"] = "object"
	}
	if where != "metadata" {
		s["type"] = pick[any](r, "string", "object")
	}
	return where + ": " + set(s, "default", pick[any](r, "a", object{}, nil, object{"name": "a"}))
}

// instance returns a value that is valid under the schema, if only types matter.
func instance(r *rand.Rand, s object, depth int) any {
	if list, ok := s["enum"].([]any); ok && len(list) > 0 {
		return clone(pick(r, list...))
	}
	t, _ := s["type"].(string)
	switch t {
	case "string":
		return pick[any](r, "a", "b", "", "1Gi", "10.0.0.1", "2024-02-29T00:00:00Z", "http://example.com",
			strings.Repeat("x", 300))
	case "integer":
		return json.Number(pick(r, "0", "1", "2", "8080", "-1", "2147483648"))
	case "number":
		return json.Number(pick(r, "0", "1.5", "-2", "1e3"))
	case "boolean":
		return r.IntN(2) == 0
	case "array":
		items, _ := s["items"].(object)
		out := []any{}
		for range min(depth, r.IntN(3)) {
			out = append(out, instance(r, items, depth-1))
		}
		return out
	case "object":
		return instanceObject(r, s, depth)
	}
	return pick[any](r, "a", json.Number("1"), object{}, []any{})
}

func instanceObject(r *rand.Rand, s object, depth int) any {
	out := object{}
	required, _ := s["required"].([]any)
	for _, name := range required {
		if name, ok := name.(string); ok {
			out[name] = instance(r, property(s, name), depth-1)
		}
	}
	for _, name := range properties(s) {
		if depth > 0 && r.IntN(4) == 0 {
			out[name] = instance(r, property(s, name), depth-1)
		}
	}
	if value, ok := s["additionalProperties"].(object); ok && depth > 0 {
		out["key"] = instance(r, value, depth-1)
	}
	return out
}

// spoil changes something within a value.
func spoil(r *rand.Rand, v any) any {
	switch v := v.(type) {
	case object:
		names := sortedKeys(v)
		if len(names) == 0 || r.IntN(4) == 0 {
			v[pick(r, "unknown", "metadata", "", "a.b")] = anyValue(r)
			return v
		}
		name := pick(r, names...)
		if r.IntN(4) == 0 {
			delete(v, name)
			return v
		}
		v[name] = spoil(r, v[name])
		return v
	case []any:
		if len(v) > 0 && r.IntN(4) > 0 {
			i := r.IntN(len(v))
			v[i] = spoil(r, v[i])
			return v
		}
		return append(v, anyValue(r))
	}
	return anyValue(r)
}

// anyValue is a value of any type.
func anyValue(r *rand.Rand) any {
	return pick[any](r, nil, true, false, "", "a", json.Number("0"), json.Number("-1"), json.Number("1.5"),
		json.Number("9223372036854775808"),
		object{}, object{"a": nil}, object{"unknown": "a"}, []any{}, []any{nil}, []any{"a", "a"}, []any{object{}})
}
