package support

import "testing"

// TestAllocations has rules on a small object that && and || decide although a field is missing, and others that are
// often in objects, also on whole objects: none allocates memory.
func TestAllocations(t *testing.T) {
	rules := NewFieldReader("key", "mode", "x__dash__y")
	object := map[string]any{"kind": "a", "empty": map[string]any{}, "data": "YWJj", "address": "10.0.0.1"}
	other := map[string]any{"kind": "b", "empty": map[string]any{}, "data": "YWJj", "address": "10.0.0.1"}
	typ := &Type{Name: "object", Fields: []TypeField{
		{"address", &Type{Name: "string"}}, {"empty", &Type{Name: "object", Values: &Type{Name: "string"}}},
		{"kind", &Type{Name: "string"}},
	}}
	missing := func() Result[bool] {
		return Eq(JSONString(rules.Get(rules.Get(object, "empty"), "mode")), OK("x"))
	}
	present := func() Result[bool] { return Eq(JSONString(rules.Get(object, "kind")), OK("a")) }
	for name, rule := range map[string]func() Result[bool]{
		"missing || present": func() Result[bool] { return Or(missing(), present) },
		"present || missing": func() Result[bool] { return Or(present(), missing) },
		"!(missing && !present)": func() Result[bool] {
			return Not(And(missing(), func() Result[bool] { return Not(present()) }))
		},
		"escaped || present": func() Result[bool] {
			return Or(Eq(JSONInt(rules.GetEscaped(object, "x-y", "x__dash__y")), OK(int64(1))), present)
		},
		"key || present": func() Result[bool] {
			return Or(Eq(JSONString(rules.GetKey(rules.Get(object, "empty"), "key")), OK("x")), present)
		},
		"count": func() Result[bool] {
			return Eq(CountTrue(present(), Has(object, "mode", JSONString)), OK(int64(1)))
		},
		"objects": func() Result[bool] {
			return And(EqualRaw(object, object, typ), func() Result[bool] {
				return NotEqualRaw(object, other, typ)
			})
		},
		"has bytes": func() Result[bool] { return Has(object, "data", CheckBytes) },
		"formats": func() Result[bool] {
			return OK(IsAddress("ipv4", "10.0.0.1") && IsAddress("cidr", "10.0.0.0/8") &&
				IsAddress("ipv6", "::1") && IsIP("10.0.0.1") && !IsIP("example.com"))
		},
	} {
		if got := rule(); got != OK(true) {
			t.Errorf("%s: %v", name, got)
		}
		if n := testing.AllocsPerRun(100, func() { rule() }); n > 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// TestMissingKeys has keys whose failures are made in advance, and others.
func TestMissingKeys(t *testing.T) {
	rules := NewFieldReader("x__dash__y", "mode", "key")
	for _, name := range []string{"", "a", "key", "keys", "mode", "x__dash__y", "z"} {
		if got := rules.noKey(name).text; got != "no such key: "+name {
			t.Errorf("%q: %s", name, got)
		}
	}
	if first, second := rules.noKey("mode"), rules.noKey("mode"); first != second {
		t.Error("the failure for a key in rules is made twice")
	}
}
