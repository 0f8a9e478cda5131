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
		map[string]any{"a": "x", "b": nil, "c": int64(1)}, &Failure{"before"}}
}

// sameOutcome compares outcomes of CEL, and failures by their messages.
func sameOutcome(a, b any) bool {
	left, ok := a.(*Failure)
	right, both := b.(*Failure)
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
		typ    Type
	}{
		"string": {func(v any) any { return JSONString(v).Dyn() }, Type{Name: "string"}},
		"int":    {func(v any) any { return JSONInt(v).Dyn() }, Type{Name: "integer"}},
		"double": {func(v any) any { return JSONDouble(v).Dyn() }, Type{Name: "number"}},
		"bool":   {func(v any) any { return JSONBool(v).Dyn() }, Type{Name: "boolean"}},
		"bytes":  {func(v any) any { return JSONBytes(v).Dyn() }, Type{Name: "string", Format: "byte"}},
		"date":   {func(v any) any { return JSONDate(v).Dyn() }, Type{Name: "string", Format: "date"}},
		"date-time": {func(v any) any { return JSONDateTime(v).Dyn() },
			Type{Name: "string", Format: "date-time"}},
		"duration": {func(v any) any { return JSONDuration(v).Dyn() }, Type{Name: "string", Format: "duration"}},
		"either":   {func(v any) any { return JSONIntOrString(v).Dyn() }, Type{IntOrString: true}},
		"object": {func(v any) any {
			if r := JSONObject(v); r.err != nil {
				return r.err
			}
			return schemaObject{v.(map[string]any), &Type{Name: "object"}}
		}, Type{Name: "object"}},
		"list": {func(v any) any {
			if r := JSONList(v); r.err != nil {
				return r.err
			}
			return List{Items: v.([]any), Type: &Type{Name: "array"}}
		}, Type{Name: "array"}},
	} {
		for _, value := range someValues() {
			if got, want := read.static(value), JSONValue(value, &read.typ); !sameOutcome(got, want) {
				t.Errorf("%s of %v is %v, want %v", name, value, got, want)
			}
		}
	}
}

// TestStaticFields reads fields, keys and items as the dynamic functions do, one by one and with shared parts.
func TestStaticFields(t *testing.T) {
	text := &Type{Name: "string"}
	object := &Type{Name: "object", Fields: []TypeField{{"a", text}, {"b", text}, {"c", text},
		{"namespace", text}}}
	labels, list := &Type{Name: "object", Values: text}, &Type{Name: "array", Items: text}
	fields := NewFieldReader("a")
	read := func(raw any) any { return JSONString(raw).Dyn() }
	check := func(what string, value, got, want any) {
		t.Helper()
		if !sameOutcome(got, want) {
			t.Errorf("%s of %v is %v, want %v", what, value, got, want)
		}
	}
	for _, value := range append(someValues(), map[string]any{"namespace": "n"}) {
		o, m, l := JSONValue(value, object), JSONValue(value, labels), JSONValue(value, list)
		for _, name := range []string{"a", "b", "c", "d"} {
			check("field "+name, value, read(fields.There(Peek(value, name), name)), read(fields.Get(value, name)))
			check("presence of "+name, value, IsThere(Peek(value, name), JSONString).Dyn(),
				Has(value, name, JSONString).Dyn())
			check("key "+name, value, read(fields.GetKey(value, name)), Select(m, name))
			check("key "+name, value, read(GetAny(value, OK(name))), Select(m, name))
			check(name+" in", value, HasKey(OK(name), value, JSONString).Dyn(), In(name, m))
			if name != "d" { // which the schema does not know
				check("field "+name, value, read(fields.Get(value, name)), Select(o, name))
				check("presence of "+name, value, Has(value, name, JSONString).Dyn(), Present(o, name))
			}
		}
		check("escaped field", value, read(fields.GetEscaped(value, "namespace", "__namespace__")),
			Select(o, "__namespace__"))
		for _, index := range []int64{-1, 0, 2, 9} {
			check("item", value, read(ItemOf(value, OK(index))), Index(l, index))
		}
		late := &Failure{"late"}
		check("failing index", value, ItemOf(value, fail[int64](late)), Index(l, late))
		check("failing key", value, GetAny(value, fail[string](late)), Index(m, late))
		check("failing key", value, HasKey(fail[string](late), value, JSONString).Dyn(), In(late, m))
		check("size", value, ItemCount(value).Dyn(), Size(l))
		check("size", value, FieldCount(value).Dyn(), Size(m))
	}
}

// TestStaticMacros iterates over JSON as the dynamic macros iterate over values.
func TestStaticMacros(t *testing.T) {
	list := &Type{Name: "array", Items: &Type{Name: "string"}}
	object := &Type{Name: "object", Values: &Type{Name: "string"}}
	// Predicates that are true, false, or fail, in any mixture.
	for pattern := range 81 {
		verdict := func(x any) Result[bool] {
			n := pattern
			for _, name := range []string{"a", "b", "c", "d"} {
				if x == name {
					switch n % 3 {
					case 0:
						return OK(false)
					case 1:
						return OK(true)
					}
					return fail[bool](&Failure{"at " + name})
				}
				n /= 3
			}
			return fail[bool](JSONString(x).err)
		}
		key := func(k string) Result[bool] { return verdict(k) }
		test := func(x any) Result[bool] { return verdict(x) }
		for _, value := range []any{[]any{"a", "b", "c", "d"}, []any{"a", "b"}, []any{"a", int64(1)}, []any{}, nil,
			"a"} {
			l := JSONValue(value, list)
			item := func(x any) Result[bool] {
				if s := JSONString(x); s.err != nil {
					return fail[bool](s.err)
				}
				return test(x)
			}
			dynamic := func(x any) Result[bool] {
				if err, ok := x.(*Failure); ok {
					return fail[bool](err)
				}
				return test(x)
			}
			for name, pair := range map[string][2]any{
				"all":    {AllItems(value, item).Dyn(), AllOf(l, dynamic).Dyn()},
				"exists": {ExistsItem(value, item).Dyn(), ExistsOf(l, dynamic).Dyn()},
				"one":    {ExistsOneItem(value, item).Dyn(), ExistsOneOf(l, dynamic).Dyn()},
				"count":  {CountItems(value, JSONString, item).Dyn(), Size(Filter(l, dynamic))},
				"in":     {InList(OK("b"), value, JSONString).Dyn(), In("b", l)},
			} {
				if !sameOutcome(pair[0], pair[1]) {
					t.Errorf("%s of %v with %d is %v, want %v", name, value, pattern, pair[0], pair[1])
				}
			}
		}
		for _, value := range []any{map[string]any{"a": "x", "b": "x", "d": "x"}, map[string]any{"c": "x"},
			map[string]any{}, []any{}} {
			m := JSONValue(value, object)
			for name, pair := range map[string][2]any{
				"all":    {AllKeys(value, key).Dyn(), AllOf(m, test).Dyn()},
				"exists": {ExistsKey(value, key).Dyn(), ExistsOf(m, test).Dyn()},
				"one":    {ExistsOneKey(value, key).Dyn(), ExistsOneOf(m, test).Dyn()},
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
	failures := []Result[int64]{fail[int64](&Failure{"one"}), fail[int64](&Failure{"two"})}
	values := append(failures, OK[int64](-1), OK[int64](0), OK[int64](7))
	for _, a := range values {
		for _, b := range values {
			for name, pair := range map[string][2]any{
				"==": {Eq(a, b).Dyn(), Equal(a.Dyn(), b.Dyn())},
				"!=": {Ne(a, b).Dyn(), NotEqual(a.Dyn(), b.Dyn())},
				"<":  {Lt(a, b).Dyn(), Less(a.Dyn(), b.Dyn())},
				"<=": {Le(a, b).Dyn(), LessEqual(a.Dyn(), b.Dyn())},
				">":  {Gt(a, b).Dyn(), Greater(a.Dyn(), b.Dyn())},
				">=": {Ge(a, b).Dyn(), GreaterEqual(a.Dyn(), b.Dyn())},
				"in": {OneOf(a, 0, 3).Dyn(), In(a.Dyn(), ListLiteral(int64(0), int64(3)))},
			} {
				if !sameOutcome(pair[0], pair[1]) {
					t.Errorf("%v %s %v is %v, want %v", a.Dyn(), name, b.Dyn(), pair[0], pair[1])
				}
			}
		}
	}
	if got := Choose(OK(true), 1, 2); got != OK(1) {
		t.Error(got)
	}
	if got := Choose(OK(false), 1, 2); got != OK(2) {
		t.Error(got)
	}
	if got := Concat("a", "b"); got != "ab" {
		t.Error(got)
	}
}

// TestLifts makes sure that functions return the first failure among their arguments.
func TestLifts(t *testing.T) {
	one, two, ok := fail[string](&Failure{"one"}), fail[string](&Failure{"two"}), OK("x")
	join3 := func(a, b, c string) string { return a + b + c }
	join4 := func(a, b, c, d string) string { return a + b + c + d }
	for _, c := range []struct{ got, want any }{
		{Three(ok, ok, ok, join3).Dyn(), "xxx"},
		{Three(ok, two, one, join3).Dyn(), two.err},
		{ThreeTry(ok, ok, ok, func(a, b, c string) Result[string] { return one }).Dyn(), one.err},
		{ThreeTry(one, ok, two, func(a, b, c string) Result[string] { return ok }).Dyn(), one.err},
		{Four(ok, ok, ok, ok, join4).Dyn(), "xxxx"},
		{Four(ok, ok, two, one, join4).Dyn(), two.err},
		{Any("x").Dyn(), "x"},
		{Any(one.err).Dyn(), one.err},
		{Argument[string]("f", 1, int64(1), "x").Dyn(), "x"},
		{Argument[string]("f", 0, int64(1), "x").Dyn(), &Failure{"no such overload: f(int, string)"}},
		{Argument[string]("f", 0, int64(1), one.err).Dyn(), one.err},
	} {
		if !sameOutcome(c.got, c.want) {
			t.Errorf("got %v, want %v", c.got, c.want)
		}
	}
}
