package gocode_test

import (
	"encoding/json"
	"math/rand/v2"
)

// A schemaMaker makes random schemas that are structural, as they are in a CRD.
type schemaMaker struct{ *rand.Rand }

// spec makes the schema of an object, as JSON.
func (m schemaMaker) spec() []byte {
	s := m.ofType("object", 3)
	data, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return data
}

// any makes a schema of any type.
func (m schemaMaker) any(depth int) map[string]any {
	types := []string{"string", "integer", "number", "boolean", "string", "int-or-string", "unknown", "array", "object",
		"object"}
	if depth <= 0 {
		types = types[:7]
	}
	return m.ofType(types[m.IntN(len(types))], depth)
}

func (m schemaMaker) ofType(name string, depth int) map[string]any {
	s := map[string]any{}
	switch name {
	case "int-or-string":
		s["x-kubernetes-int-or-string"] = true
	case "unknown":
		s["x-kubernetes-preserve-unknown-fields"] = true
	default:
		s["type"] = name
	}
	switch {
	case name == "array":
		s["items"] = m.any(depth - 1)
	case name == "object" && m.IntN(3) == 0:
		s["additionalProperties"] = m.any(depth - 1)
	case name == "object":
		properties := map[string]any{}
		for _, field := range []string{"a", "b", "c"}[:1+m.IntN(3)] {
			properties[field] = m.any(depth - 1)
		}
		s["properties"] = properties
	}
	if m.IntN(6) == 0 && depth < 3 {
		s["nullable"] = true
	}
	m.say(s, s, depth)
	return s
}

// say adds constraints on values, at a place with a given structure.
func (m schemaMaker) say(s, structure map[string]any, depth int) {
	for range m.IntN(3) {
		keyword := pick(m.Rand, "maxLength", "minLength", "minimum", "maximum", "maxItems", "minItems", "maxProperties",
			"minProperties")
		s[keyword] = m.IntN(3)
	}
	if m.IntN(4) == 0 {
		s["pattern"] = pick(m.Rand, "a", "^b", "c$")
	}
	if m.IntN(6) == 0 {
		s["enum"] = []any{"a", 1, 2.5, true}[m.IntN(3):]
	}
	if m.IntN(6) == 0 {
		s["multipleOf"] = pick(m.Rand, 1, 2, 0.5)
	}
	if m.IntN(3) == 0 {
		s["required"] = []string{"b", "a", "z"}[m.IntN(3):]
	}
	if depth < 0 {
		return
	}
	for _, junctor := range []string{"allOf", "anyOf", "oneOf"} {
		if m.IntN(4) > 0 {
			continue
		}
		var schemas []any
		for range 1 + m.IntN(3) {
			schemas = append(schemas, m.nested(structure, depth-1))
		}
		s[junctor] = schemas
	}
	if m.IntN(8) == 0 {
		s["not"] = m.nested(structure, depth-1)
	}
}

// nested makes a schema of a junctor.
func (m schemaMaker) nested(structure map[string]any, depth int) map[string]any {
	s := map[string]any{}
	m.say(s, structure, depth)
	if items, ok := structure["items"].(map[string]any); ok && m.IntN(2) == 0 {
		s["items"] = m.nested(items, depth-1)
	}
	if properties, ok := structure["properties"].(map[string]any); ok {
		of := map[string]any{}
		for _, name := range []string{"a", "b", "c"} {
			if below, ok := properties[name].(map[string]any); ok && m.IntN(2) == 0 {
				of[name] = m.nested(below, depth-1)
			}
		}
		if len(of) > 0 {
			s["properties"] = of
		}
	}
	return s
}

func pick[T any](m *rand.Rand, from ...T) T { return from[m.IntN(len(from))] }
