package support

import "testing"

// TestEqualRaw compares values that have the same schema with each other, as JSON and as values of CEL. Some do not fit
// the schema.
func TestEqualRaw(t *testing.T) {
	text, integer := &Type{Name: "string"}, &Type{Name: "integer"}
	pair := &Type{Name: "object", Fields: []TypeField{
		{"a__b", text}, {"k", text}, {"v", &Type{Name: "integer", Nullable: true}}, {"x-y", text},
	}}
	list := func(of *Type, kind string, keys ...string) *Type {
		return &Type{Name: "array", Items: of, ListType: kind, ListKeys: keys}
	}
	certain := 0
	for _, c := range []struct {
		typ    *Type
		values []any
	}{
		{text, []any{"a", "b", int64(1), nil}},
		{&Type{Name: "string", Format: "date-time"},
			[]any{"2020-02-29T23:59:59Z", "2020-02-29T22:59:59-01:00", "no"}},
		{&Type{Name: "string", Format: "duration"}, []any{"60s", "1m", "no"}},
		{&Type{Name: "string", Format: "hostname"}, []any{"a", "b"}},
		{integer, []any{int64(1), int64(2), 1.0, "1"}},
		{&Type{Name: "number"}, []any{int64(1), 1.0, 1.5, "1"}},
		{&Type{Name: "boolean"}, []any{true, false, "true"}},
		{&Type{IntOrString: true}, []any{int64(1), "1", "2", 1.5}},
		{&Type{Name: "integer", Nullable: true}, []any{int64(1), nil}},
		{&Type{Preserve: true}, []any{j{"a": int64(1)}, j{"a": 1.0}, []any{}, "a", nil}},
		{pair, []any{j{}, j{"k": "a"}, j{"k": "b"}, j{"v": nil}, j{"v": int64(1)}, j{"k": nil}, j{"k": int64(1)},
			j{"k": "a", "v": "wrong"}, j{"k": "b", "v": int64(1)}, j{"x-y": "a"}, j{"x-y": "b"}, j{"a__b": "a"},
			j{"a__b": "b"}, j{"other": 1.5}, j{"other": int64(1)}, []any{}, &Failure{"failed"}}},
		{&Type{Name: "object", Values: text}, []any{j{}, j{"a": "b"}, j{"a": "c"}, j{"b": "b"}, j{"a": nil},
			j{"a": int64(1)}, j{"a": "b", "b": int64(1)}, j{"a": "c", "b": int64(1)}}},
		{&Type{Name: "object", Embedded: true, Fields: []TypeField{{"spec", pair}}, Resource: &Type{
			Name: "object", Fields: []TypeField{{"kind", text}, {"spec", pair}}}},
			[]any{j{"kind": "A"}, j{"kind": "B"}, j{"kind": int64(1)}, j{"spec": j{"k": "a"}}}},
		{list(text, ""),
			[]any{[]any{}, []any{"a"}, []any{"b"}, []any{"a", "b"}, []any{"b", int64(1)}, []any{nil}, j{}}},
		{list(text, "set"), []any{[]any{}, []any{"a", "b"}, []any{"b", "a"}, []any{"a", "a"}, []any{"a", "c"}}},
		{list(pair, "set"), []any{[]any{}, []any{j{}}, []any{j{"k": "a"}}}},
		{list(list(text, ""), "set"), []any{[]any{[]any{"a"}}, []any{[]any{"b"}}}},
		{list(pair, "map", "k"), []any{
			[]any{}, []any{j{"k": "a"}}, []any{j{"k": "a", "v": int64(1)}}, []any{j{"k": "a"}, j{"k": "b"}},
			[]any{j{"k": "b"}, j{"k": "a"}}, []any{j{"k": "a", "v": int64(1)}, j{"k": "a"}}, []any{"a"},
			[]any{j{"v": int64(1)}, j{"k": nil, "v": int64(2)}}, []any{j{"v": int64(1)}, j{}}}},
		{list(pair, "map", "x-y"), []any{[]any{j{"x-y": "a"}}, []any{j{"x-y": "a", "k": "a"}, j{"x-y": "b"}}}},
		{list(pair, "map", "k", "v"), []any{[]any{j{"k": "a", "v": int64(1)}, j{"k": "a", "v": int64(2)}}}},
	} {
		for _, a := range c.values {
			for _, b := range c.values {
				same := *c.typ // so that the comparison does not know that the types are the same
				if same.Resource != nil {
					resource := *same.Resource
					same.Resource = &resource
				}
				x, y := JSONValue(a, &same), JSONValue(b, c.typ)
				if got, want := EqualRaw(a, b, c.typ), As[bool](Equal(x, y)); !alike(got, want) {
					t.Errorf("%v == %v: %v, want %v", a, b, got, want)
				}
				if got, want := NotEqualRaw(a, b, c.typ), As[bool](NotEqual(x, y)); !alike(got, want) {
					t.Errorf("%v != %v: %v, want %v", a, b, got, want)
				}
				if c.typ.compare(a, b) != unsure {
					certain++
				}
			}
		}
	}
	if certain < 200 {
		t.Errorf("only %d comparisons are certain", certain)
	}
}

// alike reports whether two results are the same.
func alike(a, b Result[bool]) bool {
	if a.err != nil && b.err != nil {
		return a.err.text == b.err.text
	}
	return a == b
}
