package support

import (
	"os"
	"reflect"
	"strings"
	"testing"
)

// TestTypesData reads data with all members that are documented. The file is never changed, but for members that are
// added: generated code that has such data must work with each later version.
func TestTypesData(t *testing.T) {
	data, err := os.ReadFile("testdata/types.txt")
	if err != nil {
		t.Fatal(err)
	}
	matcher := &Matcher{Pattern: "^a"}
	types := &Types{Data: string(data), Matchers: []*Matcher{matcher}, HasFormat: HasFormat}
	root := types.Type("Widget")
	text, five := root.field("text"), 5
	if !root.Embedded || root.Has != Lists|Resources|withRules|withOldRules || root.Resource != nil ||
		text.more.matcher != matcher || root.field("all").Fields[0].Type != types.Type("Shared") {
		t.Errorf("the object is %+v", root)
	}
	for _, c := range []struct {
		name      string
		got, want any
	}{
		{"text", *text, Type{Name: "string", MinLength: 1, MaxLength: 3, Nullable: true, Format: "odd", more: text.more}},
		{"enum", root.field("enum").Only, []string{"a", "b"}},
		{"list", root.field("list").ListKeys, []string{"name"}},
		{"item default", root.field("items").ItemDefault, []any{int64(1), 1.5, "x", nil}},
		{"value default", root.field("map").ValueDefault, "v"},
		{"defaults", root.Defaults, []Default{{"enum", "a"}}},
		{"required", root.Needs, []string{"text"}},
		{"rules", root.rules, []Rule{{check: 1, message: 1, Type: "object", Message: "m", Path: ".text",
			Reason: reasonType("FieldValueForbidden"), Transition: true, isOptional: true},
			{Type: "object", fault: "no", At: 1}}},
		{"text of a rule", root.field("list").rules, []Rule{{check: 2, Type: "array", Text: "self != []"}}},
		{"numbers", root.field("number").more.number, func() *Number {
			n := &Number{Type: "integer", Format: "int32", MultipleOf: Bound{Set: true, Value: 2},
				Minimum: Bound{true, -1, true}, Maximum: Bound{true, 1.5, true}}
			n.prepare()
			return n
		}()},
		{"fields", *root.field("any").more, constraints{minFields: 1, maxFields: &five, isResource: true, isClosed: true}},
		{"items", *root.field("items").more, constraints{isUnique: true, isCounted: true, maxItems: new(int)}},
		{"junctors", *root.field("all").more, constraints{anyOf: []*Type{{Name: "object"}}, oneOf: []*Type{{Open: true}},
			allOf: []*Type{{Preserve: true}}, not: &Type{IntOrString: true}}},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%s\ngot  %+v\nwant %+v", c.name, c.got, c.want)
		}
	}
	if m := root.field("time").more; !m.hasTexts || !m.isFormatted("2024-02-29T10:11:12Z") || m.isFormatted("now") {
		t.Error("the format date-time is another one")
	}
	if r := root.field("any").Resource; r.Name != "object" || r.Has != 0 {
		t.Errorf("the resource is %+v", r)
	}
}

// TestWrongData does not accept data that a later version may have written.
func TestWrongData(t *testing.T) {
	for _, data := range []string{`Widget {"later":1}`, `Widget {"type":1}`, `Widget {`, `Other {}`,
		`Widget {"items":"Missing"}`, `Widget {"rules":[{"later":1}]}`} {
		func() {
			defer func() {
				if text, _ := recover().(string); !strings.HasPrefix(text, "the generated helpers were changed") {
					t.Errorf("%s is accepted: %v", data, text)
				}
			}()
			(&Types{Data: data}).Type("Widget")
		}()
	}
}
