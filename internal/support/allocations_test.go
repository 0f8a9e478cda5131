package support

import "testing"

// TestAllocations has rules on a small object that && and || decide although a field is missing, and others that are
// often in objects, also on whole objects: none allocates memory.
func TestAllocations(t *testing.T) {
	object := map[string]any{"kind": "a", "empty": map[string]any{}, "data": "YWJj", "address": "10.0.0.1"}
	other := map[string]any{"kind": "b", "empty": map[string]any{}, "data": "YWJj", "address": "10.0.0.1"}
	typ := &crdType{name: "object", fields: []crdTypeField{
		{"address", &crdType{name: "string"}}, {"empty", &crdType{name: "object", values: &crdType{name: "string"}}},
		{"kind", &crdType{name: "string"}},
	}}
	missing := func() crdResult[bool] {
		return crdEq(crdJSONString(crdGet(crdGet(object, "empty"), "mode")), crdOK("x"))
	}
	present := func() crdResult[bool] { return crdEq(crdJSONString(crdGet(object, "kind")), crdOK("a")) }
	for name, rule := range map[string]func() crdResult[bool]{
		"missing || present": func() crdResult[bool] { return crdOr(missing(), present) },
		"present || missing": func() crdResult[bool] { return crdOr(present(), missing) },
		"!(missing && !present)": func() crdResult[bool] {
			return crdNot(crdAnd(missing(), func() crdResult[bool] { return crdNot(present()) }))
		},
		"escaped || present": func() crdResult[bool] {
			return crdOr(crdEq(crdJSONInt(crdGetEscaped(object, "x-y", "x__dash__y")), crdOK(int64(1))), present)
		},
		"key || present": func() crdResult[bool] {
			return crdOr(crdEq(crdJSONString(crdGetKey(crdGet(object, "empty"), "key")), crdOK("x")), present)
		},
		"count": func() crdResult[bool] {
			return crdEq(crdCountTrue(present(), crdHas(object, "mode", crdJSONString)), crdOK(int64(1)))
		},
		"objects": func() crdResult[bool] {
			return crdAnd(crdEqualRaw(object, object, typ), func() crdResult[bool] {
				return crdNotEqualRaw(object, other, typ)
			})
		},
		"has bytes": func() crdResult[bool] { return crdHas(object, "data", crdCheckBytes) },
		"formats": func() crdResult[bool] {
			return crdOK(crdIsAddress("ipv4", "10.0.0.1") && crdIsAddress("cidr", "10.0.0.0/8") &&
				crdIsAddress("ipv6", "::1") && crdIsIP("10.0.0.1") && !crdIsIP("example.com"))
		},
	} {
		if got := rule(); got != crdOK(true) {
			t.Errorf("%s: %v", name, got)
		}
		if n := testing.AllocsPerRun(100, func() { rule() }); n > 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// TestMissingKeys has keys whose failures are made in advance, and others.
func TestMissingKeys(t *testing.T) {
	for _, name := range []string{"", "a", "key", "keys", "mode", "x__dash__y", "z"} {
		if got := crdNoKey(name).text; got != "no such key: "+name {
			t.Errorf("%q: %s", name, got)
		}
	}
	if first, second := crdNoKey("mode"), crdNoKey("mode"); first != second {
		t.Error("the failure for a key in rules is made twice")
	}
}
