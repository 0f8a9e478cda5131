package gocode_test

import (
	"math/rand/v2"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
)

// A maker makes random objects of a schema that are nearly what it describes.
type maker struct{ *rand.Rand }

// object makes an object of a resource.
func (m maker) object(s *structural.Structural) map[string]any {
	object := map[string]any{}
	m.fill(object, s)
	if m.IntN(3) > 0 {
		object["apiVersion"], object["kind"] = "example.com/v1", "Kind"
		object["metadata"] = map[string]any{"name": "name", "labels": map[string]any{"a": "b"}}
	}
	return object
}

// value makes a value of a schema, now and then one of another type.
func (m maker) value(s *structural.Structural) any {
	switch {
	case m.IntN(12) == 0:
		return nil
	case s == nil || m.IntN(12) == 0:
		return m.anything(2)
	case s.XIntOrString:
		return []any{"50%", int64(3)}[m.IntN(2)]
	}
	switch s.Type {
	case "array":
		list := []any{}
		for range m.IntN(4) {
			list = append(list, m.value(s.Items))
		}
		return list
	case "object":
		object := map[string]any{}
		m.fill(object, s)
		return object
	}
	if s.Type == "" && (s.Properties != nil || s.Items != nil) {
		other := *s
		other.Type = []string{"array", "object"}[m.IntN(2)]
		return m.value(&other)
	}
	return m.anything(2)
}

// fill gives an object fields: those of the schema, and some that it does not know.
func (m maker) fill(object map[string]any, s *structural.Structural) {
	for name, below := range s.Properties {
		if m.IntN(3) > 0 {
			object[name] = m.value(&below)
		}
	}
	if s.AdditionalProperties != nil {
		for range m.IntN(4) {
			object[m.name()] = m.value(s.AdditionalProperties.Structural)
		}
	}
	for range m.IntN(3) {
		object[m.name()] = m.anything(3)
	}
}

// name is one that schemas may know, or not.
func (m maker) name() string {
	names := []string{"a", "b", "name", "apiVersion", "kind", "metadata", "unknown", "x-y", "a.b", ""}
	return names[m.IntN(len(names))]
}

// anything makes any value.
func (m maker) anything(depth int) any {
	switch n := m.IntN(7); {
	case n == 0:
		return nil
	case n == 1 && depth > 0:
		object := map[string]any{}
		for range m.IntN(4) {
			object[m.name()] = m.anything(depth - 1)
		}
		return object
	case n == 2 && depth > 0:
		list := []any{}
		for range m.IntN(4) {
			list = append(list, m.anything(depth-1))
		}
		return list
	case n == 3:
		return m.IntN(2) == 0
	case n == 4:
		return float64(m.IntN(5)) / 2
	case n == 5:
		return int64(m.IntN(9)) - 2
	}
	return m.name()
}
