package symbolic

import (
	"slices"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
)

// A comparison of two objects or lists compares all of their parts (apiserver/pkg/cel/common, valuesunstructured.go).

// A whole is what is known of the comparison of two values of a schema.
type whole struct {
	// mayFail is set if the comparison fails for some values, even for a value and itself.
	mayFail bool
	// isLoose is set if the comparison may be true for values with different fields.
	isLoose bool
}

func (w whole) or(x whole) whole { return whole{w.mayFail || x.mayFail, w.isLoose || x.isLoose} }

// checkWhole doubts a comparison of two objects, lists or maps if it may fail, or tells nothing of their parts.
func (m *model) checkWhole(a, b thing) {
	if !m.decides {
		return
	}
	w := m.wholeOf(a).or(m.wholeOf(b))
	if w.mayFail || w.isLoose && a.key() != b.key() {
		m.doubt()
	}
}

// wholeOf returns what is known of the comparison of a thing with another one.
func (m *model) wholeOf(t thing) (out whole) {
	switch t := t.(type) {
	case *place:
		if t.schema.Type == "string" || t.schema.XIntOrString { // what reads it has noted what may fail
			return whole{}
		}
		known, ok := m.wholes[t.path]
		if !ok {
			if m.wholes == nil {
				m.wholes = map[string]whole{}
			}
			known = m.wholeBelow(t.schema)
			m.wholes[t.path] = known
		}
		return known
	case *list:
		for _, i := range t.items {
			out = out.or(m.wholeOf(i.what))
		}
	case some:
		return m.wholeOf(t.value)
	}
	return out
}

// wholeBelow returns the same for values of a schema. If that takes too many steps, nothing is decided anyway.
func (m *model) wholeBelow(s *structural.Structural) (out whole) {
	if s == nil || !m.spend(1) {
		return whole{}
	}
	isSet := s.Type == "array" && s.XListType != nil && *s.XListType == "set"
	out.mayFail = s.XIntOrString || mayNotRead(s) || isSet && !isScalarType(s.Items)
	// The comparison counts fields that are null, and fields that are not in the schema, but does not compare them.
	out.isLoose = s.Properties != nil && (s.XPreserveUnknownFields || s.XEmbeddedResource)
	for _, p := range s.Properties {
		out.isLoose = out.isLoose || isNullable(&p)
		out = out.or(m.wholeBelow(&p))
	}
	if values := s.AdditionalProperties; values != nil {
		out = out.or(m.wholeBelow(values.Structural))
	}
	return out.or(m.wholeBelow(s.Items))
}

func isScalarType(s *structural.Structural) bool {
	return s != nil && (s.XIntOrString || slices.Contains([]string{"string", "integer", "number", "boolean"}, s.Type))
}

// mayNotRead reports whether CEL reads a text as a value of another type, which fails for some texts that the API
// server accepts. Durations and dates are read as they are validated (strfmt.ParseDuration, strfmt.IsDate).
func mayNotRead(s *structural.Structural) bool {
	formats := []string{"byte", "date-time", "datetime"}
	return s.ValueValidation != nil && slices.Contains(formats, s.ValueValidation.Format)
}
