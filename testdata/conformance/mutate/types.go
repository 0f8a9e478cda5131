package mutate

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
)

// types are those that a schema may have.
var types = [...]any{"object", "array", "string", "integer", "number", "boolean"}

// typeOperators change what type a value has.
func typeOperators() []operator {
	return []operator{
		{"type: another", with("type"), func(r *rand.Rand, n *node) string {
			return set(n.schema, "type", pick(r, types[:]...))
		}},
		{"type: misspelt", with("type"), func(r *rand.Rand, n *node) string {
			return set(n.schema, "type", pick[any](r, "strng", "String", "int", "float", "null", "any", "list", "map",
				"", " string"))
		}},
		{"type: removed", with("type"), func(r *rand.Rand, n *node) string { return set(n.schema, "type", absent{}) }},
		{"type: in a junctor", (*node).inJunctor, func(r *rand.Rand, n *node) string {
			return set(n.schema, "type", pick(r, types[:]...))
		}},
		{"type: leaf", structural, func(r *rand.Rand, n *node) string {
			clear(n.schema)
			return set(n.schema, "type", pick[any](r, "string", "integer", "number", "boolean"))
		}},
		{"type: empty schema", anywhere, func(r *rand.Rand, n *node) string {
			clear(n.schema)
			return "nothing left"
		}},
		{"type: format", anywhere, func(r *rand.Rand, n *node) string {
			return set(n.schema, "format", pick[any](r, "int32", "int64", "date-time", "byte", "uuid", "quantity",
				"k8s-short-name",
				"uint8", "", "Date", absent{}))
		}},
		{"type: nullable", anywhere, func(r *rand.Rand, n *node) string {
			return set(n.schema, "nullable", r.IntN(3) > 0)
		}},
		{"type: int-or-string", structural, func(r *rand.Rand, n *node) string { return intOrString(r, n.schema) }},
	}
}

// intOrString makes a node an integer or a string, in one of the ways that are permitted, or nearly.
func intOrString(r *rand.Rand, s object) string {
	number, word := object{"type": "integer"}, object{"type": "string"}
	shape := object{"x-kubernetes-int-or-string": true}
	switch r.IntN(8) {
	case 0:
		shape["type"] = pick(r, types[:]...)
	case 1:
		shape["anyOf"] = []any{number, word}
	case 2:
		shape["anyOf"] = []any{word, number}
	case 3:
		shape["allOf"] = []any{object{"anyOf": []any{number, word}}, object{"pattern": "^a"}}
	case 4:
		shape["allOf"] = []any{object{"pattern": "^a"}, object{"anyOf": []any{number, word}}}
	case 5:
		shape["anyOf"] = []any{number, word}
		shape["pattern"], shape["maximum"] = "^[0-9]+%$", json.Number("100")
	case 6:
		shape["x-kubernetes-preserve-unknown-fields"] = true
	}
	if r.IntN(2) == 0 {
		clear(s)
	} else {
		delete(s, "type")
	}
	maps.Copy(s, shape)
	return text(shape) + " set"
}

// treeOperators change what properties and items there are.
func treeOperators() []operator {
	return []operator{
		{"tree: property removed", with("properties"), func(r *rand.Rand, n *node) string {
			names := properties(n.schema)
			if len(names) == 0 {
				return ""
			}
			name := pick(r, names...)
			delete(child(n.schema, "properties"), name)
			return name + " removed"
		}},
		{"tree: property renamed", with("properties"), renameProperty},
		{"tree: property added", with("properties"), func(r *rand.Rand, n *node) string {
			name := pick(r, propertyNames(n)...)
			return set(child(n.schema, "properties"), name, someSchema(r, 2)) + " in properties"
		}},
		{"tree: required", of("object"), func(r *rand.Rand, n *node) string {
			return set(n.schema, "required", pick[any](r, absent{}, []any{}, []any{"nowhere"}, []any{"a", "a"},
				anys(properties(n.schema)),
				"a", nil))
		}},
		{"tree: subtree moved in", whole, func(r *rand.Rand, n *node) string {
			root := n
			for !root.isRoot() {
				root = root.parent
			}
			all := appendNodes(nil, root)
			from := pick(r, all...)
			if len(text(from.schema)) > 150 { // text is cut: large trees make slow tests
				from = all[len(all)-1]
			}
			return set(child(n.schema, "properties"), "copied", clone(from.schema)) + " from " + from.path
		}},
		{"tree: items", of("array"), func(r *rand.Rand, n *node) string {
			items := n.schema["items"]
			return set(n.schema, "items", pick[any](r, absent{}, nil, true, object{}, []any{}, []any{items},
				[]any{items, items},
				someSchema(r, 2), "string"))
		}},
		{"tree: deep", structural, func(r *rand.Rand, n *node) string {
			var s any = object{"type": "string"}
			for range pick(r, 5, 30, 200) {
				s = pick[any](r, object{"type": "object", "properties": object{"a": s}},
					object{"type": "array", "items": s},
					object{"type": "object", "additionalProperties": s})
			}
			clear(n.schema)
			maps.Copy(n.schema, s.(object))
			return "replaced by " + text(s)
		}},
	}
}

// propertyNames are names that something may be special about.
func propertyNames(n *node) []string {
	names := []string{"added", "a b", "a.b", "x-y", "", "$ref", "metadata", "kind", "apiVersion", "spec", "status",
		"__x__", "ž", "0",
		"self", "true", "if"}
	return append(names, properties(n.schema)...)
}

func renameProperty(r *rand.Rand, n *node) string {
	names := properties(n.schema)
	if len(names) == 0 {
		return ""
	}
	from, to := pick(r, names...), pick(r, propertyNames(n)...)
	list := child(n.schema, "properties")
	s := list[from]
	delete(list, from)
	list[to] = s
	return from + " renamed to " + text(to)
}

// someSchema returns a small schema that is valid, most of the time.
func someSchema(r *rand.Rand, depth int) any {
	if depth > 0 && r.IntN(2) == 0 {
		below := someSchema(r, depth-1)
		return pick[any](r,
			object{"type": "object", "properties": object{"a": below}, "required": []any{"a"}},
			object{"type": "object", "additionalProperties": below},
			object{"type": "array", "items": below},
			object{"type": "object"}, object{"type": "array"}, object{"properties": object{"a": below}},
			object{"items": below},
		)
	}
	return pick[any](r,
		object{"type": "string"}, object{"type": "integer"}, object{"type": "string", "maxLength": json.Number("5")},
		object{"type": "boolean"}, object{"type": "number"},
		object{"type": "object", "x-kubernetes-preserve-unknown-fields": true},
		object{"x-kubernetes-preserve-unknown-fields": true},
		object{"x-kubernetes-int-or-string": true}, object{"type": "string", "enum": []any{"a", "b"}},
		object{}, object{"description": "no type"}, object{"type": "string", "default": "a"},
	)
}

func anys(list []string) []any {
	out := make([]any, len(list))
	for i := range list {
		out[i] = list[i]
	}
	return slices.Clip(out)
}
