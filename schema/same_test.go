package schema

import (
	"testing"

	"github.com/crdproof/crdproof/diag"
)

func TestSame(t *testing.T) {
	at := diag.Span{Source: &diag.Source{Path: "a.go"}, Start: 1, End: 2}
	full := func(at diag.Span) *Schema {
		return &Schema{
			At: at, Pattern: Text{V: "a", At: at}, Minimum: &Number{V: "1", At: at}, MaxLength: &Int{V: 2, At: at},
			Enum:       []Value{{Kind: Array, Items: []Value{{Kind: String, Text: "a"}}, At: at}},
			Properties: []Property{{"a", &Schema{Required: []Text{{V: "b", At: at}}}}},
			Not:        &Schema{UniqueItems: &Flag{V: true, At: at}},
		}
	}
	if !Same(full(at), full(diag.Span{})) {
		t.Error("schemas differ by their positions")
	}
	for name, change := range map[string]func(*Schema){
		"a text":            func(s *Schema) { s.Pattern.V = "b" },
		"a number":          func(s *Schema) { s.Minimum.V = "1.0" },
		"a missing number":  func(s *Schema) { s.Minimum = nil },
		"one more bound":    func(s *Schema) { s.MinLength = s.MaxLength },
		"a value":           func(s *Schema) { s.Enum[0].Items[0].Text = "b" },
		"a name":            func(s *Schema) { s.Properties[0].Name = "b" },
		"what lies below":   func(s *Schema) { s.Properties[0].Schema.Required = nil },
		"a flag in not":     func(s *Schema) { s.Not.UniqueItems.V = false },
		"a nullable schema": func(s *Schema) { s.Nullable = &Flag{V: true} },
	} {
		other := full(at)
		change(other)
		if Same(full(at), other) || Same(other, full(at)) {
			t.Errorf("schemas that differ by %s are the same", name)
		}
		if n := NewNumbering(); n.Of(full(at)) != n.Of(full(diag.Span{})) || n.Of(full(at)) == n.Of(other) {
			t.Errorf("schemas that differ by %s have one number, or equal ones do not", name)
		}
	}
}
