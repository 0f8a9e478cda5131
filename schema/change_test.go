package schema

import (
	"slices"
	"testing"
)

// TestChanges compares two trees that differ in each kind of keyword.
func TestChanges(t *testing.T) {
	text := func(s string) Text { return Text{V: s} }
	before := &Schema{Type: text("object"), Required: []Text{text("a"), text("b")}, Properties: []Property{
		{"a", &Schema{Type: text("integer"), Format: text("int32"), Minimum: &Number{V: "9007199254740992"}}},
		{"b", &Schema{Type: text("string"), AllOf: []*Schema{{MaxLength: &Int{V: 5}}, {Pattern: text("^x")}}}},
		{"gone", &Schema{Type: text("string")}},
		{"same", &Schema{Type: text("string"), Description: text("an old text")}},
	}}
	after := &Schema{Type: text("object"), Required: []Text{text("b"), text("c")}, Properties: []Property{
		{"a", &Schema{Type: text("integer"), Minimum: &Number{V: "9007199254740993"},
			Enum: []Value{{Kind: NumberKind, Text: "1"}}, Default: &Value{Kind: String, Text: "x"}}},
		{"b", &Schema{Type: text("string"), AllOf: []*Schema{{Pattern: text("^x")}}, Rules: []Rule{
			{Rule: text("self != ''"), Message: text("line\nbreak")}}}},
		{"new", &Schema{Type: text("array"), Items: &Schema{Type: text("string")}, Nullable: &Flag{V: true}}},
		{"same", &Schema{Type: text("string"), Description: text("an old text")}},
	}}
	var got []string
	for _, c := range Changes(before, after) {
		got = append(got, c.Place.Field()+" "+c.Keyword+": "+c.Before+" → "+c.After)
	}
	want := []string{
		" required: [a] → [c]",
		"a format: int32 → none",
		`a default: none → "x"`,
		"a minimum: 9007199254740992 → 9007199254740993",
		"a enum: none → [1]",
		"b allOf: {maxLength: 5} → none",
		`b x-kubernetes-validations: none → self != '', message: "line\nbreak"`,
		"new : none → {type: array, items: string, nullable: true}",
		"gone : string → none",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if same := Changes(after, after); len(same) > 0 {
		t.Errorf("a tree differs from itself: %v", same)
	}
}
