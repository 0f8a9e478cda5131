// Package expressions generates random, well-typed CEL expressions over random schemas, as rules of a CRD may contain
// them, from a seed.
package expressions

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

type object = map[string]any

// A maker makes one schema, or one expression.
type maker struct{ *rand.Rand }

func (m maker) one(n int) bool { return m.IntN(n) == 0 }

func pick[T any](m maker, list ...T) T { return list[m.IntN(len(list))] }

// names are those of properties. Some mean something in CEL, some have to be escaped, and some cannot be.
var names = []string{
	"a", "b", "c", "name", "ports", "x-y", "d.e", "in", "namespace", "__x__", "f/g", "kind", "size", "self", "type",
	"as", "Ünicode", "1st", "int", "has",
	"apiVersion", "spec", "metadata", "status", "map", "true", "oldSelf", "_", "A",
}

// schema makes the schema of a kind.
func (m maker) schema() object {
	root := object{"type": "object", "required": []any{"spec"},
		"properties": object{"spec": m.object(3, 10), "status": m.object(1, 3)}}
	if m.one(4) {
		root["properties"].(object)["metadata"] = object{
			"type": "object", "properties": object{"name": object{"type": "string", "maxLength": 63}}}
	}
	return root
}

func (m maker) object(depth, fields int) object {
	properties := object{}
	for range 1 + m.IntN(fields) {
		properties[pick(m, names...)] = m.node(depth - 1)
	}
	s := object{"type": "object", "properties": properties}
	var required []any
	for _, name := range sortedKeys(properties) {
		if !m.one(4) { // so that rules have something to work on
			required = append(required, name)
		}
	}
	s["required"] = required
	if m.one(8) {
		s["x-kubernetes-map-type"] = pick(m, "atomic", "granular")
	}
	return s
}

// node makes the schema of a value. All types are there, and few limits: rules are asked of valid objects only.
func (m maker) node(depth int) object {
	s := m.plain(depth)
	if m.one(7) && s["x-kubernetes-list-type"] == nil {
		s["nullable"] = true
	}
	return s
}

func (m maker) plain(depth int) object {
	if depth > 0 && m.one(2) {
		switch m.IntN(8) {
		case 0:
			return object{"type": "object", "additionalProperties": m.node(depth - 1)}
		case 1, 2:
			return m.list(depth)
		case 3:
			return object{"type": "object", "x-kubernetes-embedded-resource": true,
				"x-kubernetes-preserve-unknown-fields": true,
				"properties":                           object{"spec": m.object(depth-1, 3)}}
		case 4:
			s := m.object(depth, 4)
			s["x-kubernetes-preserve-unknown-fields"] = true
			return s
		default:
			return m.object(depth, 5)
		}
	}
	return m.scalar()
}

func (m maker) scalar() object {
	switch m.IntN(16) {
	case 0, 1:
		return object{"type": "string", "maxLength": 20}
	case 2:
		return object{"type": "string", "enum": []any{"a", "b", "TCP"}}
	case 3:
		return object{"type": "string", "format": pick(m, "byte", "date", "date-time", "duration")}
	case 4:
		return object{"type": "string", "format": pick(m, "ipv4", "cidr", "uri", "email", "password", "k8s-short-name",
			"datetime", "uuid")}
	case 5, 6:
		return object{"type": "integer"}
	case 7:
		return object{"type": "integer", "format": pick(m, "int32", "int64"), "minimum": -5}
	case 8, 9:
		return object{"type": "number"}
	case 10:
		return object{"type": "boolean"}
	case 11, 12:
		return object{"x-kubernetes-int-or-string": true}
	case 13:
		return object{"x-kubernetes-preserve-unknown-fields": true}
	case 14:
		return object{"type": "object", "x-kubernetes-preserve-unknown-fields": true}
	}
	return object{"type": "string"}
}

func (m maker) list(depth int) object {
	switch m.IntN(5) {
	case 0: // a set
		item := pick(m, object{"type": "string"}, object{"type": "integer"}, object{"type": "number"},
			object{"x-kubernetes-int-or-string": true})
		return object{"type": "array", "maxItems": 8, "x-kubernetes-list-type": "set", "items": item}
	case 1: // a map
		item := m.object(depth-1, 3)
		properties := item["properties"].(object)
		delete(item, "x-kubernetes-map-type")
		keys := []any{"id"}
		properties["id"] = pick(m, object{"type": "string"}, object{"type": "integer"})
		if m.one(2) {
			keys = append(keys, "p")
			properties["p"] = object{"type": "string", "default": "TCP"}
		}
		required, _ := item["required"].([]any)
		item["required"] = append(slices.DeleteFunc(
			required, func(name any) bool { return name == "id" || name == "p" }), "id")
		return object{"type": "array", "maxItems": 8, "x-kubernetes-list-type": "map",
			"x-kubernetes-list-map-keys": keys, "items": item}
	case 2:
		return object{"type": "array", "maxItems": 8, "x-kubernetes-list-type": "atomic", "items": m.node(depth - 1)}
	}
	return object{"type": "array", "maxItems": 8, "items": m.node(depth - 1)}
}

// A place is a schema that can have rules.
type place struct {
	schema object
	// path leads to it: properties, "items" and "additionalProperties".
	path []string
	// old reports that there may be an old value to compare with.
	old bool
}

// places are all of a schema.
func places(out []place, s object, path []string, old bool) []place {
	out = append(out, place{s, path, old})
	below := func(step string, v any, old bool) {
		if s, ok := v.(object); ok {
			out = places(out, s, append(path[:len(path):len(path)], step), old)
		}
	}
	properties, _ := s["properties"].(object)
	for _, name := range sortedKeys(properties) {
		if len(path) > 0 || name != "metadata" {
			below("."+name, properties[name], old)
		}
	}
	below("[*]", s["additionalProperties"], old)
	below("[]", s["items"], old && s["x-kubernetes-list-type"] == "map")
	return out
}

// crd makes a CRD of a schema.
func crd(kind, group string, schema object) object {
	plural := fmt.Sprintf("%ss", kind)
	return object{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": object{"name": plural + "." + group},
		"spec": object{
			"group": group, "scope": "Namespaced",
			"names": object{"plural": plural, "singular": kind, "kind": kind, "listKind": kind + "List"},
			"versions": []any{object{"name": "v1", "served": true, "storage": true,
				"schema": object{"openAPIV3Schema": schema}}},
		},
	}
}
