package mutate

import (
	"encoding/json"
	"math/rand/v2"
)

// extensionOperators combine x-kubernetes-*, additionalProperties and metadata.
func extensionOperators() []operator {
	flag := func(key string) operator {
		return operator{"extension: " + key, anywhere, func(r *rand.Rand, n *node) string {
			return set(n.schema, key, pick[any](r, true, true, false, absent{}, nil, "true"))
		}}
	}
	return []operator{
		flag("x-kubernetes-preserve-unknown-fields"), flag("x-kubernetes-embedded-resource"),
		flag("x-kubernetes-int-or-string"),
		{"extension: embedded resource", structural, func(r *rand.Rand, n *node) string {
			return embedded(r, n.schema)
		}},
		{"extension: additionalProperties", anywhere, func(r *rand.Rand, n *node) string {
			return set(n.schema, "additionalProperties", pick[any](r, true, false, object{}, object{"type": "string"},
				someSchema(r, 2),
				nil, "true", []any{}))
		}},
		{"extension: map instead of properties", of("object"), func(r *rand.Rand, n *node) string {
			delete(n.schema, "properties")
			delete(n.schema, "required")
			return set(n.schema, "additionalProperties", pick[any](r, true, false, someSchema(r, 2)))
		}},
		{"extension: metadata", func(n *node) bool { return n.is("object") }, func(r *rand.Rand, n *node) string {
			return set(child(n.schema, "properties"), "metadata", metadata(r)) + " in properties"
		}},
		{"extension: metadata at the root", (*node).isRoot, func(r *rand.Rand, n *node) string {
			return set(child(n.schema, "properties"), "metadata", metadata(r)) + " in properties"
		}},
		{"extension: kind and apiVersion", (*node).isRoot, func(r *rand.Rand, n *node) string {
			name := pick(r, "kind", "apiVersion")
			return set(child(n.schema, "properties"), name, pick[any](r, object{"type": "string", "enum": []any{"a"}},
				object{"type": "integer"}, object{}, object{"type": "string", "default": "a"},
				object{"type": "string", "maxLength": json.Number("3")}, object{"type": "string", "nullable": true})) +
				" in properties"
		}},
		{"extension: preserving leaf", structural, func(r *rand.Rand, n *node) string {
			clear(n.schema)
			if r.IntN(2) == 0 {
				n.schema["type"] = pick(r, types[:]...)
			}
			return set(n.schema, "x-kubernetes-preserve-unknown-fields", true) + " on " + text(n.schema)
		}},
		{"extension: unknown", anywhere, func(r *rand.Rand, n *node) string {
			return set(n.schema, pick(r, "x-kubernetes-group-version-kind", "x-kubernetes-unions", "x-nope",
				"x-kubernetes-patch-strategy",
				"x-kubernetes-validation", "X-Kubernetes-Map-Type"), "a")
		}},
	}
}

// embedded makes a node an embedded resource, in one of many ways.
func embedded(r *rand.Rand, s object) string {
	clear(s)
	s["x-kubernetes-embedded-resource"] = true
	s["type"] = "object"
	switch r.IntN(8) {
	case 0:
		s["x-kubernetes-preserve-unknown-fields"] = true
	case 1:
		s["properties"] = object{"metadata": metadata(r)}
	case 2:
		s["properties"] = object{"kind": object{"type": pick[any](r, "string", "integer")},
			"spec": object{"type": "object"}}
	case 3:
		s["additionalProperties"] = object{"type": "string"}
	case 4:
		s["x-kubernetes-preserve-unknown-fields"] = true
		set(s, "type", pick[any](r, "string", absent{}))
	case 5:
		s["x-kubernetes-int-or-string"] = true
	case 6:
		s["properties"] = object{"metadata": object{
			"type": "object", "properties": object{"labels": object{"type": "object",
				"additionalProperties": object{"type": "string", "default": "a"}}}}}
	}
	return text(s)
}

// metadata is a schema of a field with that name.
func metadata(r *rand.Rand) any {
	name := object{"type": "string", "maxLength": json.Number("5")}
	return pick[any](r, object{"type": "object"}, object{}, object{"type": "string"}, object{"type": "object",
		"properties": object{"name": name}},
		object{"type": "object", "properties": object{"name": name, "generateName": name}}, object{"type": "object",
			"properties": object{"labels": object{"type": "object"}}},
		object{"type": "object", "required": []any{"name"}}, object{"type": "object", "description": "a"},
		object{"type": "object",
			"additionalProperties": true},
		object{"type": "object", "properties": object{"name": object{"type": "string", "pattern": "["}}},
		object{"type": "object",
			"nullable": true},
		object{"type": "object", "x-kubernetes-preserve-unknown-fields": true}, object{"type": "object",
			"properties": object{"name": object{"type": "integer"}}},
		object{"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true},
		object{"type": "object", "minProperties": json.Number("1")},
		object{"type": "object", "x-kubernetes-validations": []any{object{"rule": "self.name == 'a'"}}})
}

// keywordOperators set keywords that a schema of a CRD must not have, to any value.
func keywordOperators() []operator {
	leaf := object{"type": "string"}
	keyword := func(key string, values ...any) operator {
		return operator{"keyword: " + key, anywhere, func(r *rand.Rand, n *node) string {
			return set(n.schema, key, pick(r, values...))
		}}
	}
	return []operator{
		keyword("$ref", "#/definitions/a", "", "a", nil), keyword("$schema", "http://json-schema.org/schema#", "",
			"nope"), keyword("id",
			"a", "", nil),
		keyword("definitions", object{}, object{"a": leaf}, nil),
		keyword("dependencies", object{}, object{"a": []any{"b"}},
			object{"a": leaf}, nil, object{"a": []any{}}),
		keyword("patternProperties", object{}, object{"^a": leaf}, object{"[": leaf}, nil),
		keyword("additionalItems", true, false, leaf,
			object{}, nil),
		keyword("uniqueItems", true, false, nil), keyword("example", "a", object{}, nil, []any{}),
		keyword("externalDocs",
			object{"url": "a"}, object{}, "a", object{unknownKey: "a"}),
		keyword("const", "a"), keyword("if", object{}), keyword("contains", object{}),
		keyword("title", "a", "", json.Number("1")),
		keyword("description", "a", true),
		keyword("readOnly", true), keyword("deprecated", true), keyword("minContains", json.Number("1")),
		keyword("propertyNames",
			object{}), keyword("examples", []any{}), keyword("xml", object{}),
		keyword(unknownKey, "a", nil),
	}
}

// harmlessOperators make changes that no server minds, most of the time.
func harmlessOperators() []operator {
	return []operator{
		{"harmless: description", whole, func(r *rand.Rand, n *node) string {
			return set(n.schema, "description", pick[any](r, "Another.", absent{}, "#!|>", "a: b", "- a", "'", "\"",
				"žluťoučký", "\u2028",
				"tab\t"))
		}},
		{"harmless: title", structural, func(r *rand.Rand, n *node) string { return set(n.schema, "title", "T") }},
		{"harmless: wider", of("string", "array", "object"), func(r *rand.Rand, n *node) string {
			key := map[string]string{"string": "minLength", "array": "minItems", "object": "minProperties"}[n.typ()]
			return set(n.schema, key, pick[any](r, absent{}, json.Number("0")))
		}},
		{"harmless: tighter", of("string", "array"), func(r *rand.Rand, n *node) string {
			key := map[string]string{"string": "maxLength", "array": "maxItems"}[n.typ()]
			return set(n.schema, key, json.Number(pick(r, "1", "3", "7")))
		}},
		{"harmless: nullable leaf", func(n *node) bool {
			return structural(n) && n.step == "properties" &&
				n.is("string", "boolean")
		},
			func(r *rand.Rand, n *node) string {
				return set(n.schema, "nullable", true)
			}},
		{"harmless: optional field", of("object"), func(r *rand.Rand, n *node) string {
			if n.has("additionalProperties") {
				return ""
			}
			return set(child(n.schema, "properties"), "addedField", object{"type": pick[any](r, "string", "boolean"),
				"default": absentOr(r)})
		}},
		{"harmless: atomic", of("array"), func(r *rand.Rand, n *node) string {
			delete(n.schema, "x-kubernetes-list-map-keys")
			return set(n.schema, "x-kubernetes-list-type", "atomic")
		}},
		{"harmless: category", nil, func(r *rand.Rand, n *node) string {
			return add(child(child(n.crd, "spec"), "names"), "categories", "more")
		}},
		{"harmless: label", nil, func(r *rand.Rand, n *node) string {
			return set(child(child(n.crd, "metadata"), "labels"), "a", "b")
		}},
		{"harmless: column", nil, func(r *rand.Rand, n *node) string {
			list := versions(n.crd)
			if len(list) == 0 {
				return ""
			}
			return add(pick(r, list...), "additionalPrinterColumns", object{"name": "Age", "type": "date",
				"jsonPath": ".metadata.creationTimestamp"})
		}},
	}
}

func absentOr(r *rand.Rand) any {
	if r.IntN(2) == 0 {
		return nil // a default of null is none
	}
	return "a"
}
