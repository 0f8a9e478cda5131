package mutate

import (
	"encoding/json"
	"math/rand/v2"
)

// subresourceOperators change subresources, printer columns and selectable fields.
func subresourceOperators() []operator {
	of := func(name string, do func(r *rand.Rand, v object) string) operator {
		return operator{name, nil, func(r *rand.Rand, n *node) string {
			list := versions(n.crd)
			if len(list) == 0 {
				return ""
			}
			v := pick(r, list...)
			return text(v["name"]) + ": " + do(r, v)
		}}
	}
	return []operator{
		of("subresource: scale", func(r *rand.Rand, v object) string {
			scale := object{"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas",
				"labelSelectorPath": ".status.selector"}
			what := "valid"
			if r.IntN(4) > 0 {
				what = set(scale, pick(r, sortedKeys(scale)...),
					pick[any](r, "", ".spec", ".spec.", ".status.a.b", ".spec.a.b",
						"spec.replicas", ".metadata.name", ".spec.a[0]", ".spec['a']",
						".spec.a b", ".spec.a..b", absent{}, nil, ".spec.x-y", `.spec.a\.b`, json.Number("1"),
						".Spec.replicas", ".status"))
			}
			set(child(v, "subresources"), "scale", scale)
			return what
		}),
		of("subresource: set", func(r *rand.Rand, v object) string {
			return set(v, "subresources", pick[any](r, absent{}, nil, object{}, object{"status": nil},
				object{"status": object{}},
				object{"status": true}, object{"scale": nil}, object{"scale": object{}},
				object{"status": object{}, unknownKey: object{}}, []any{}))
		}),
		of("subresource: keyword at the root", func(r *rand.Rand, v object) string {
			if r.IntN(4) > 0 {
				set(child(v, "subresources"), "status", object{})
			}
			root := child(child(v, "schema"), "openAPIV3Schema")
			keys := []struct {
				key    string
				values []any
			}{
				{"oneOf", []any{[]any{object{}}, []any{}}}, {"anyOf", []any{[]any{object{}}}},
				{"allOf", []any{[]any{object{}}}}, {"not",
					[]any{object{"required": []any{"nowhere"}}}},
				{"enum", []any{[]any{object{}}}}, {"minProperties", []any{json.Number("1")}},
				{"maxProperties", []any{json.Number("5")}},
				{"nullable", []any{true, false}},
				{"example", []any{object{}}}, {"title", []any{"a"}}, {"externalDocs", []any{object{"url": "a"}}},
				{"x-kubernetes-preserve-unknown-fields", []any{true}},
				{"x-kubernetes-map-type", []any{"atomic"}}, {"format", []any{"a"}}, {"required", []any{[]any{"spec"}}},
				{"x-kubernetes-embedded-resource", []any{true}},
				{"maxLength", []any{json.Number("5")}},
				{"x-kubernetes-validations", []any{[]any{object{"rule": "true"}}}}, {"minimum",
					[]any{json.Number("1")}}, {"pattern", []any{"a"}},
			}
			k := pick(r, keys...)
			return set(root, k.key, pick(r, k.values...))
		}),
		of("column: added", func(r *rand.Rand, v object) string {
			column := object{"name": "A", "type": "string", "jsonPath": ".spec.a"}
			if r.IntN(4) > 0 {
				spoilColumn(r, column)
			}
			return add(v, "additionalPrinterColumns", column)
		}),
		of("column: changed", func(r *rand.Rand, v object) string {
			list, _ := v["additionalPrinterColumns"].([]any)
			if len(list) == 0 {
				return ""
			}
			column, ok := pick(r, list...).(object)
			if !ok {
				return ""
			}
			return spoilColumn(r, column)
		}),
		of("column: list", func(r *rand.Rand, v object) string {
			return set(v, "additionalPrinterColumns", pick[any](r, []any{}, nil, absent{}, object{}, []any{nil},
				[]any{object{}}))
		}),
		of("selectable: fields", selectableFields),
		of("selectable: list", func(r *rand.Rand, v object) string {
			return set(v, "selectableFields", pick[any](r, []any{}, nil, absent{}, object{}, []any{nil},
				[]any{object{}}, []any{"a"},
				[]any{object{"jsonPath": ""}}))
		}),
		of("selectable: without a schema", func(r *rand.Rand, v object) string {
			set(v, "selectableFields", []any{object{"jsonPath": ".spec.a"}})
			return set(v, "schema", pick[any](r, absent{}, object{}, object{"openAPIV3Schema": object{"type": "object",
				"x-kubernetes-preserve-unknown-fields": true}}))
		}),
	}
}

func spoilColumn(r *rand.Rand, column object) string {
	values := map[string][]any{
		"name": {"", "a", absent{}, nil, json.Number("1"), "Age"},
		"type": {"integer", "number", "boolean", "date", "String", "int", "", absent{}, nil, "object"},
		"jsonPath": {".metadata.creationTimestamp", "spec.a", "", ".", ".spec.a[0]", ".spec.a[?(@.b=='c')].d",
			".spec['a']",
			"{.spec.a}", ".spec.a b", absent{}, nil, ".spec.nowhere", ".spec.a[", "..a", ".*"},
		"format":      {"int32", "date-time", "Int32", "", "password", "uuid", "byte", "float", nil},
		"priority":    {json.Number("1"), json.Number("-1"), json.Number("1.5"), "1", nil, json.Number("2147483648")},
		"description": {"a", "", nil, json.Number("1")},
		"JSONPath":    {".spec.a"},
	}
	key := pick(r, sortedKeys(values)...)
	return set(column, key, pick(r, values[key]...))
}

// selectableFields adds some fields of the schema, or of none.
func selectableFields(r *rand.Rand, v object) string {
	root := child(child(v, "schema"), "openAPIV3Schema")
	if r.IntN(2) == 0 {
		names := []string{"a", "b", "c", "d", "e", "f", "g", "h", "i"}
		leaves := child(child(child(root, "properties"), "spec"), "properties")
		for _, name := range names {
			leaves[name] = object{"type": pick[any](r, "string", "string", "boolean", "integer")}
		}
		list := []any{}
		for _, name := range names[:1+r.IntN(9)] {
			list = append(list, object{"jsonPath": ".spec." + name})
		}
		if r.IntN(4) == 0 {
			list = append(list, object{"jsonPath": ".spec.a"})
		}
		return set(v, "selectableFields", list)
	}
	names := append(properties(property(root, "spec")), "nowhere")
	path := pick(r, ".spec."+pick(r, names...), ".spec."+pick(r, names...), "spec.a", ".metadata.name", ".metadata",
		".kind", ".spec",
		".spec."+pick(r, names...)+"[0]", ".spec['"+pick(r, names...)+"']", ".", " ")
	return set(v, "selectableFields", []any{object{"jsonPath": path}})
}
