package support

import (
	"reflect"
	"testing"
)

// someValues are values of all JSON types, and a failure.
func someValues() []any {
	return []any{nil, true, int64(1), int64(2), 1.5, 2.0, "a", "1h", "2020-01-01", "2020-01-01T00:00:00Z", "YWJj",
		"wrong!",
		[]any{}, []any{"a", "b"}, []any{int64(1), "a", nil}, map[string]any{},
		map[string]any{"a": "x", "b": nil, "c": int64(1)}, &crdFailure{"before"}}
}

// sameOutcome compares outcomes of CEL, and failures by their messages.
func sameOutcome(a, b any) bool {
	left, ok := a.(*crdFailure)
	right, both := b.(*crdFailure)
	if ok || both {
		return ok && both && left.text == right.text
	}
	return reflect.DeepEqual(a, b)
}

// TestStaticReads reads values with a known schema, and compares them with the dynamic functions, which other tests
// compare with cel-go.
func TestStaticReads(t *testing.T) {
	for name, read := range map[string]struct {
		static func(any) any
		typ    crdType
	}{
		"string": {func(v any) any { return crdJSONString(v).dyn() }, crdType{name: "string"}},
		"int":    {func(v any) any { return crdJSONInt(v).dyn() }, crdType{name: "integer"}},
		"double": {func(v any) any { return crdJSONDouble(v).dyn() }, crdType{name: "number"}},
		"bool":   {func(v any) any { return crdJSONBool(v).dyn() }, crdType{name: "boolean"}},
		"bytes":  {func(v any) any { return crdJSONBytes(v).dyn() }, crdType{name: "string", format: "byte"}},
		"date":   {func(v any) any { return crdJSONDate(v).dyn() }, crdType{name: "string", format: "date"}},
		"date-time": {func(v any) any { return crdJSONDateTime(v).dyn() },
			crdType{name: "string", format: "date-time"}},
		"duration": {func(v any) any { return crdJSONDuration(v).dyn() }, crdType{name: "string", format: "duration"}},
		"either":   {func(v any) any { return crdJSONIntOrString(v).dyn() }, crdType{intOrString: true}},
		"object": {func(v any) any {
			if r := crdJSONObject(v); r.err != nil {
				return r.err
			}
			return crdObject{v.(map[string]any), &crdType{name: "object"}}
		}, crdType{name: "object"}},
		"list": {func(v any) any {
			if r := crdJSONList(v); r.err != nil {
				return r.err
			}
			return crdList{items: v.([]any), typ: &crdType{name: "array"}}
		}, crdType{name: "array"}},
	} {
		for _, value := range someValues() {
			if got, want := read.static(value), crdJSONValue(value, &read.typ); !sameOutcome(got, want) {
				t.Errorf("%s of %v is %v, want %v", name, value, got, want)
			}
		}
	}
}

// TestStaticFields reads fields, keys and items as the dynamic functions do, one by one and with shared parts.
func TestStaticFields(t *testing.T) {
	text := &crdType{name: "string"}
	object := &crdType{name: "object", fields: []crdTypeField{{"a", text}, {"b", text}, {"c", text},
		{"namespace", text}}}
	labels, list := &crdType{name: "object", values: text}, &crdType{name: "array", items: text}
	read := func(raw any) any { return crdJSONString(raw).dyn() }
	check := func(what string, value, got, want any) {
		t.Helper()
		if !sameOutcome(got, want) {
			t.Errorf("%s of %v is %v, want %v", what, value, got, want)
		}
	}
	for _, value := range append(someValues(), map[string]any{"namespace": "n"}) {
		o, m, l := crdJSONValue(value, object), crdJSONValue(value, labels), crdJSONValue(value, list)
		for _, name := range []string{"a", "b", "c", "d"} {
			check("field "+name, value, read(crdThere(crdPeek(value, name), name)), read(crdGet(value, name)))
			check("presence of "+name, value, crdIsThere(crdPeek(value, name), crdJSONString).dyn(),
				crdHas(value, name, crdJSONString).dyn())
			check("key "+name, value, read(crdGetKey(value, name)), crdSelect(m, name))
			check("key "+name, value, read(crdGetAny(value, crdOK(name))), crdSelect(m, name))
			check(name+" in", value, crdHasKey(crdOK(name), value, crdJSONString).dyn(), crdIn(name, m))
			if name != "d" { // which the schema does not know
				check("field "+name, value, read(crdGet(value, name)), crdSelect(o, name))
				check("presence of "+name, value, crdHas(value, name, crdJSONString).dyn(), crdPresent(o, name))
			}
		}
		check("escaped field", value, read(crdGetEscaped(value, "namespace", "__namespace__")),
			crdSelect(o, "__namespace__"))
		for _, index := range []int64{-1, 0, 2, 9} {
			check("item", value, read(crdItemOf(value, crdOK(index))), crdIndex(l, index))
		}
		late := &crdFailure{"late"}
		check("failing index", value, crdItemOf(value, crdFail[int64](late)), crdIndex(l, late))
		check("failing key", value, crdGetAny(value, crdFail[string](late)), crdIndex(m, late))
		check("failing key", value, crdHasKey(crdFail[string](late), value, crdJSONString).dyn(), crdIn(late, m))
		check("size", value, crdItemCount(value).dyn(), crdSize(l))
		check("size", value, crdFieldCount(value).dyn(), crdSize(m))
	}
}

// TestStaticMacros iterates over JSON as the dynamic macros iterate over values.
func TestStaticMacros(t *testing.T) {
	list := &crdType{name: "array", items: &crdType{name: "string"}}
	object := &crdType{name: "object", values: &crdType{name: "string"}}
	// Predicates that are true, false, or fail, in any mixture.
	for pattern := range 81 {
		verdict := func(x any) crdResult[bool] {
			n := pattern
			for _, name := range []string{"a", "b", "c", "d"} {
				if x == name {
					switch n % 3 {
					case 0:
						return crdOK(false)
					case 1:
						return crdOK(true)
					}
					return crdFail[bool](&crdFailure{"at " + name})
				}
				n /= 3
			}
			return crdFail[bool](crdJSONString(x).err)
		}
		key := func(k string) crdResult[bool] { return verdict(k) }
		test := func(x any) crdResult[bool] { return verdict(x) }
		for _, value := range []any{[]any{"a", "b", "c", "d"}, []any{"a", "b"}, []any{"a", int64(1)}, []any{}, nil,
			"a"} {
			l := crdJSONValue(value, list)
			item := func(x any) crdResult[bool] {
				if s := crdJSONString(x); s.err != nil {
					return crdFail[bool](s.err)
				}
				return test(x)
			}
			dynamic := func(x any) crdResult[bool] {
				if err, ok := x.(*crdFailure); ok {
					return crdFail[bool](err)
				}
				return test(x)
			}
			for name, pair := range map[string][2]any{
				"all":    {crdAllItems(value, item).dyn(), crdAllOf(l, dynamic).dyn()},
				"exists": {crdExistsItem(value, item).dyn(), crdExistsOf(l, dynamic).dyn()},
				"one":    {crdExistsOneItem(value, item).dyn(), crdExistsOneOf(l, dynamic).dyn()},
				"count":  {crdCountItems(value, crdJSONString, item).dyn(), crdSize(crdFilter(l, dynamic))},
				"in":     {crdInList(crdOK("b"), value, crdJSONString).dyn(), crdIn("b", l)},
			} {
				if !sameOutcome(pair[0], pair[1]) {
					t.Errorf("%s of %v with %d is %v, want %v", name, value, pattern, pair[0], pair[1])
				}
			}
		}
		for _, value := range []any{map[string]any{"a": "x", "b": "x", "d": "x"}, map[string]any{"c": "x"},
			map[string]any{}, []any{}} {
			m := crdJSONValue(value, object)
			for name, pair := range map[string][2]any{
				"all":    {crdAllKeys(value, key).dyn(), crdAllOf(m, test).dyn()},
				"exists": {crdExistsKey(value, key).dyn(), crdExistsOf(m, test).dyn()},
				"one":    {crdExistsOneKey(value, key).dyn(), crdExistsOneOf(m, test).dyn()},
			} {
				if !sameOutcome(pair[0], pair[1]) {
					t.Errorf("%s of the keys of %v with %d is %v, want %v", name, value, pattern, pair[0], pair[1])
				}
			}
		}
	}
}

// TestTypedOperators compares operators on known types with those on any.
func TestTypedOperators(t *testing.T) {
	failures := []crdResult[int64]{crdFail[int64](&crdFailure{"one"}), crdFail[int64](&crdFailure{"two"})}
	values := append(failures, crdOK[int64](-1), crdOK[int64](0), crdOK[int64](7))
	for _, a := range values {
		for _, b := range values {
			for name, pair := range map[string][2]any{
				"==": {crdEq(a, b).dyn(), crdEqual(a.dyn(), b.dyn())},
				"!=": {crdNe(a, b).dyn(), crdNotEqual(a.dyn(), b.dyn())},
				"<":  {crdLt(a, b).dyn(), crdLess(a.dyn(), b.dyn())},
				"<=": {crdLe(a, b).dyn(), crdLessEqual(a.dyn(), b.dyn())},
				">":  {crdGt(a, b).dyn(), crdGreater(a.dyn(), b.dyn())},
				">=": {crdGe(a, b).dyn(), crdGreaterEqual(a.dyn(), b.dyn())},
				"in": {crdOneOf(a, 0, 3).dyn(), crdIn(a.dyn(), crdListLiteral(int64(0), int64(3)))},
			} {
				if !sameOutcome(pair[0], pair[1]) {
					t.Errorf("%v %s %v is %v, want %v", a.dyn(), name, b.dyn(), pair[0], pair[1])
				}
			}
		}
	}
	if got := crdChoose(crdOK(true), 1, 2); got != crdOK(1) {
		t.Error(got)
	}
	if got := crdChoose(crdOK(false), 1, 2); got != crdOK(2) {
		t.Error(got)
	}
	if got := crdConcat("a", "b"); got != "ab" {
		t.Error(got)
	}
}

// TestLifts makes sure that functions return the first failure among their arguments.
func TestLifts(t *testing.T) {
	one, two, ok := crdFail[string](&crdFailure{"one"}), crdFail[string](&crdFailure{"two"}), crdOK("x")
	join3 := func(a, b, c string) string { return a + b + c }
	join4 := func(a, b, c, d string) string { return a + b + c + d }
	for _, c := range []struct{ got, want any }{
		{crdThree(ok, ok, ok, join3).dyn(), "xxx"},
		{crdThree(ok, two, one, join3).dyn(), two.err},
		{crdThreeTry(ok, ok, ok, func(a, b, c string) crdResult[string] { return one }).dyn(), one.err},
		{crdThreeTry(one, ok, two, func(a, b, c string) crdResult[string] { return ok }).dyn(), one.err},
		{crdFour(ok, ok, ok, ok, join4).dyn(), "xxxx"},
		{crdFour(ok, ok, two, one, join4).dyn(), two.err},
		{crdAny("x").dyn(), "x"},
		{crdAny(one.err).dyn(), one.err},
		{crdArgument[string]("f", 1, int64(1), "x").dyn(), "x"},
		{crdArgument[string]("f", 0, int64(1), "x").dyn(), &crdFailure{"no such overload: f(int, string)"}},
		{crdArgument[string]("f", 0, int64(1), one.err).dyn(), one.err},
	} {
		if !sameOutcome(c.got, c.want) {
			t.Errorf("got %v, want %v", c.got, c.want)
		}
	}
}
