package mutate

import (
	"encoding/json"
	"math/rand/v2"
)

// junctorOperators add and change allOf, anyOf, oneOf and not.
func junctorOperators() []operator {
	junctors := []string{"allOf", "anyOf", "oneOf"}
	return []operator{
		{"junctor: added", whole, func(r *rand.Rand, n *node) string {
			return add(n.schema, pick(r, junctors...), branch(r, n, 2))
		}},
		{"junctor: added, good", whole, func(r *rand.Rand, n *node) string {
			return add(n.schema, pick(r, junctors...), goodBranch(r,
				n))
		}},
		{"junctor: not", whole, func(r *rand.Rand, n *node) string { return set(n.schema, "not", branch(r, n, 2)) }},
		{"junctor: nested", (*node).inJunctor, func(r *rand.Rand, n *node) string {
			return add(n.schema, pick(r, junctors...), branch(r, n,
				2))
		}},
		{"junctor: keyword within", (*node).inJunctor, func(r *rand.Rand, n *node) string {
			return spoilBranch(r, n.schema)
		}},
		{"junctor: odd", anywhere, func(r *rand.Rand, n *node) string {
			return set(n.schema, pick(r, append(junctors, "not")...),
				pick[any](r, []any{}, object{}, nil, []any{object{}}, []any{nil},
					true, "a", []any{object{}, object{}}))
		}},
		{"junctor: int-or-string shape", structural, func(r *rand.Rand, n *node) string {
			shape := []any{object{"type": "integer"}, object{"type": "string"}}
			return set(n.schema, pick(r, junctors...), pick[any](r, shape, []any{object{"anyOf": shape}}, append(shape,
				object{"type": "boolean"})))
		}},
	}
}

// goodBranch is a branch that says something about what is there.
func goodBranch(r *rand.Rand, n *node) object {
	if names := properties(n.schema); len(names) > 0 && r.IntN(4) > 0 {
		name := pick(r, names...)
		for name == "metadata" && len(names) > 1 {
			name = pick(r, names...)
		}
		return pick(r, object{"required": []any{name}}, object{"properties": object{name: object{}}},
			object{"properties": object{name: object{"minLength": json.Number("1")}}},
			object{"not": object{"required": []any{name}}},
			object{"anyOf": []any{object{"required": []any{name}}, object{}}})
	}
	if n.has("items") && r.IntN(2) == 0 {
		return object{"items": object{"maxLength": json.Number("3")}}
	}
	return pick(r, object{}, object{"maxLength": json.Number("3")}, object{"enum": []any{"a"}},
		object{"minimum": json.Number("3")},
		object{"format": "uri"},
		object{"pattern": "^a"}, object{"maxItems": json.Number("3")}, object{"minProperties": json.Number("1")},
		object{"uniqueItems": false})
}

// branch is a branch that may be good or not.
func branch(r *rand.Rand, n *node, depth int) object {
	if depth > 0 && r.IntN(4) == 0 {
		below := branch(r, n, depth-1)
		return pick(r, object{"not": below}, object{"allOf": []any{below}}, object{"anyOf": []any{below, object{}}},
			object{"items": below},
			object{"properties": object{"nowhere": below}}, object{"additionalProperties": below})
	}
	out := goodBranch(r, n)
	if r.IntN(2) == 0 {
		spoilBranch(r, out)
	}
	return out
}

// spoilBranch gives a branch a keyword that it must not have, or one that does not fit.
func spoilBranch(r *rand.Rand, s object) string {
	keywords := []struct {
		name   string
		values []any
	}{
		{"type", types[:]},
		{"default", []any{"a", nil, object{}}},
		{"title", []any{"a", ""}},
		{"description", []any{"a", ""}},
		{"nullable", []any{true, false}},
		{"additionalProperties", []any{object{"type": "string"}, object{}, true, false}},
		{"items", []any{object{"minLength": json.Number("1")}, object{}, object{"type": "string"}, []any{object{}}}},
		{"properties", []any{object{"nowhere": object{}}, object{"metadata": object{}}, object{},
			object{"a": object{"type": "string"}}}},
		{"x-kubernetes-preserve-unknown-fields", []any{true, false}},
		{"x-kubernetes-embedded-resource", []any{true, false}},
		{"x-kubernetes-int-or-string", []any{true, false}},
		{"x-kubernetes-list-type", []any{"set", "atomic", ""}},
		{"x-kubernetes-list-map-keys", []any{[]any{"a"}, []any{}}},
		{"x-kubernetes-map-type", []any{"atomic", ""}},
		{"x-kubernetes-validations", []any{[]any{object{"rule": "true"}}, []any{}}},
		{"example", []any{"a"}},
		{"externalDocs", []any{object{"url": "a"}}},
	}
	k := pick(r, keywords...)
	return set(s, k.name, pick(r, k.values...))
}
