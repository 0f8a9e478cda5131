package support

import (
	"flag"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
)

type j = map[string]any

// schemaValues are values of small schemas. Some are not valid for their schema.
func schemaValues() []value {
	text, integer, number, boolean := scalar("string", ""), scalar("integer", ""), scalar("number", ""),
		scalar("boolean", "")
	pair := object(map[string]node{"k": text, "v": integer.nullable(), "x-y": text})
	keyed := object(map[string]node{"a": text, "b": integer, "c": text, "d": text, "v": text})
	at := scalar("string", "date-time")
	resource := embedded(map[string]node{"spec": pair})
	loose := object(map[string]node{"k": text, "u": preserved()})
	var all []value
	for _, n := range []struct {
		name string
		node
		json []any
	}{
		{"string", text, []any{"a", int64(1), nil}},
		{"int", integer, []any{int64(1), float64(1), "1", nil}},
		{"number", number, []any{int64(1), float64(1.5), "1", true}},
		{"bool", boolean, []any{true, "true"}},
		{"nullable", integer.nullable(), []any{nil, int64(2)}},
		{"int-or-string", intOrString(), []any{int64(1), "1", 1.5, nil}},
		{"duration", scalar("string", "duration"), []any{"1h", "3 days", "no"}},
		{"date", scalar("string", "date"), []any{"2020-02-29", "2020-02-30"}},
		{"date-time", at, []any{"2020-02-29T23:59:59Z", "2020-02-29T23:59:59", "", "no"}},
		{"byte", scalar("string", "byte"), []any{"YQ==", "_-==", "a"}},
		{"preserved", preserved(), []any{j{"a": int64(1)}, j{"a": float64(1)}, []any{}, "a", nil}},
		{"list", listOf(text, ""), []any{[]any{}, []any{"a"}, []any{"a", "b"}, []any{"b", "a"}, []any{"a", int64(1)},
			[]any{nil}, j{}, nil}},
		{"atomic", listOf(integer, "atomic"),
			[]any{[]any{int64(1)}, []any{int64(1), int64(2)}, []any{int64(1), float64(2)}}},
		{"set", listOf(text, "set"), []any{[]any{}, []any{"a"}, []any{"a", "b"}, []any{"b", "a"}, []any{"a", "a"},
			[]any{"a", nil}}},
		{"int set", listOf(integer, "set"), []any{[]any{int64(1), int64(2)}, []any{int64(2), int64(1)}}},
		{"number set", listOf(number, "set"), []any{[]any{int64(1)}, []any{float64(1), int64(2)}}},
		{"time set", listOf(at, "set"), []any{[]any{"2020-02-29T23:59:59Z"}, []any{"2020-02-29T23:59:59+01:00"}}},
		{"byte set", listOf(scalar("string", "byte"), "set"), []any{[]any{"YQ==", "Yg=="}, []any{"Yg==", "YQ=="}}},
		{"list set", listOf(listOf(text, ""), "set"), []any{[]any{[]any{"a"}}}},
		{"map list", listOf(pair, "map", "k"), []any{
			[]any{}, []any{j{"k": "a"}}, []any{j{"k": "a", "v": int64(1)}},
			[]any{j{"k": "a", "v": int64(1)}, j{"k": "b"}}, []any{j{"k": "b"}, j{"k": "a", "v": int64(1)}},
			[]any{j{"k": "a", "v": int64(2)}, j{"k": "b"}}, []any{j{"k": "a"}, j{"k": "a"}}, []any{j{"v": int64(1)}},
			[]any{j{"v": int64(1)}, j{"k": nil, "v": int64(2)}}, []any{"a"}, []any{j{"k": "a", "v": "wrong"}}}},
		{"escaped key", listOf(pair, "map", "x-y"),
			[]any{[]any{j{"x-y": "1"}, j{"x-y": "2"}}, []any{j{"x-y": "2"}, j{"x-y": "1"}}}},
		{"two keys", listOf(keyed, "map", "a", "b"),
			[]any{[]any{j{"a": "x", "b": int64(1)}, j{"a": "x", "b": int64(2)}},
				[]any{j{"a": "x", "b": int64(2)}, j{"a": "x", "b": int64(1)}}}},
		{"three keys", listOf(keyed, "map", "a", "b", "c"),
			[]any{[]any{j{"a": "x", "c": "1"}, j{"a": "x", "c": "2"}},
				[]any{j{"a": "x", "c": "2"}, j{"a": "x", "c": "1"}}}},
		{"four keys", listOf(keyed, "map", "a", "b", "c", "d"),
			[]any{[]any{j{"a": "x", "d": "1"}, j{"a": "x", "d": "2", "v": "y"}},
				[]any{j{"a": "x", "d": "2"}, j{"a": "x", "d": "1"}}}},
		{"map", mapOf(text), []any{j{}, j{"a": "1"}, j{"a": "1", "b": "2"}, j{"b": "1"}, j{"a": nil}, j{"a": int64(1)},
			j{"x-y": "a", "__dot__": "b"}, []any{}}},
		{"null map", mapOf(integer.nullable()), []any{j{"a": nil}, j{"a": int64(1)}}},
		{"object", pair, []any{j{}, j{"k": "a"}, j{"k": "a", "v": int64(1)}, j{"k": "a", "v": nil},
			j{"k": "b", "x-y": "a"}, j{"k": "a", "u": int64(1)}, j{"k": "a", "u": int64(2)}, j{"k": int64(1)},
			j{"v": "x"}}},
		{"loose", loose, []any{j{"k": "a", "u": j{"x": []any{int64(1), "a"}}},
			j{"k": "a", "u": j{"x": []any{int64(1), "b"}}}, j{"k": "a", "u": "x"}}},
		{"typeless", node{&schema.Structural{}, &Type{}}, []any{int64(1)}},
		{"embedded", resource, []any{
			j{"apiVersion": "v1", "kind": "a", "metadata": j{"name": "n", "labels": j{}}, "spec": j{"k": "a"}},
			j{"apiVersion": "v1", "kind": "b", "metadata": j{"name": int64(1)}},
			j{"metadata": j{"generateName": "n"}, "k": "v"}, j{"kind": nil}, "a"}},
		{"empty", object(nil), []any{j{}, j{"k": "a"}, j{"k": "b"}}},
		{"keyword", object(map[string]node{"namespace": text, "a.b": text, "a__b": text}),
			[]any{j{"namespace": "a", "a.b": "b", "a__b": "c"}, j{"namespace": "a"}}},
		{"deep", object(map[string]node{"a": mapOf(listOf(pair, "map", "k")), "b": listOf(mapOf(integer), "")}), []any{
			j{"a": j{"a": []any{j{"k": "1"}, j{"k": "2"}}}, "b": []any{j{"a": int64(1)}}},
			j{"a": j{"a": []any{j{"k": "2"}, j{"k": "1"}}}, "b": []any{j{"a": int64(1)}}}}},
	} {
		for _, json := range n.json {
			all = append(all, n.value(strings.TrimSpace(n.name+" "+showOurs(readJSON(json, n.ours))), json))
		}
	}
	return all
}

func everyValue() []value { return append(append(scalars(), containers()...), schemaValues()...) }

// The contents of a list or map with a schema are read in the same way, with the same failures.
func TestCELRead(t *testing.T) {
	for _, v := range schemaValues() {
		if ours, theirs := showOurs(v.ours), showTheirs(v.theirs); ours != theirs {
			t.Errorf("%s:\n got %s\nwant %s", v, ours, theirs)
		}
	}
}

var pairs = flag.Int("pairs", 9, "hold every so manieth pair of values against cel-go; 1 for all")

// Every operator of two operands, on pairs of all values.
func TestCELBinaryOperators(t *testing.T) {
	o := newOracle(t)
	values := append(everyValue(), opaqueValues()...)
	turn, every := 0, *pairs
	if testing.Short() {
		every *= 8
	}
	for _, op := range []struct {
		expression string
		ours       func(a, b any) any
	}{
		{"a == b", Equal}, {"a != b", NotEqual},
		{"a < b", Less}, {"a <= b", LessEqual}, {"a > b", Greater}, {"a >= b", GreaterEqual},
		{"a + b", Add}, {"a - b", Subtract}, {"a * b", Multiply}, {"a / b", Divide}, {"a % b", Modulo},
		{"a in b", In}, {"a[b]", Index}, {"a[?b]", IndexOptional},
		{"[a] + b", func(a, b any) any { return Add(ListLiteral(a), b) }},
		{"a + [b]", func(a, b any) any { return Add(a, ListLiteral(b)) }},
		{"a in ([1] + b)", func(a, b any) any { return In(a, Add(ListLiteral(int64(1)), b)) }},
		{"[a] == [b]", func(a, b any) any { return Equal(ListLiteral(a), ListLiteral(b)) }},
		{"([a] + [b]) == [b, a]", func(a, b any) any {
			return Equal(Add(ListLiteral(a), ListLiteral(b)), ListLiteral(b, a))
		}},
		{"(a + b) == (b + a)", func(a, b any) any { return Equal(Add(a, b), Add(b, a)) }},
		{"{'k': a} == {'k': b}", func(a, b any) any { return Equal(MapLiteral("k", a), MapLiteral("k", b)) }},
		{"optional.of(a) == optional.of(b)",
			func(a, b any) any { return Equal(OptionalOf(a), OptionalOf(b)) }},
		{"type(a) == type(b)", func(a, b any) any { return Equal(TypeOf(a), TypeOf(b)) }},
		{"{a: b}", func(a, b any) any { return MapLiteral(a, b) }},
		{"{dyn('k'): 1, a: 2}[b]", func(a, b any) any {
			return Index(MapLiteral("k", int64(1), a, int64(2)), b)
		}},
		{"[a, b]", func(a, b any) any { return ListLiteral(a, b) }},
		{"[?a.?a, b]", func(a, b any) any { return ListLiteral(EntryIf{SelectOptional(a, "a")}, b) }},
		{"{'x': b, 'y': b, ?'x': a.?a}", func(a, b any) any {
			return MapLiteral("x", b, "y", b, "x", EntryIf{SelectOptional(a, "a")})
		}},
		{"a in ['a'] || b", func(a, b any) any {
			return Or(As[bool](InConstants(a, []any{"a"})),
				func() Result[bool] { return As[bool](b) }).Dyn()
		}},
		{"b && a in ['a']", func(a, b any) any {
			return And(As[bool](b),
				func() Result[bool] { return As[bool](InConstants(a, []any{"a"})) }).Dyn()
		}},
		{"[1, 2].all(i, a in ['a'] && b)", func(a, b any) any {
			return AllOf(ListLiteral(int64(1), int64(2)), func(any) Result[bool] {
				return And(As[bool](InConstants(a, []any{"a"})),
					func() Result[bool] { return As[bool](b) })
			}).Dyn()
		}},
		{"[1, 2].exists_one(i, i == 1 ? a in ['a'] : b)", func(a, b any) any {
			return ExistsOneOf(ListLiteral(int64(1), int64(2)), func(i any) Result[bool] {
				return As[bool](IfDyn(As[bool](Equal(i, int64(1))),
					func() any { return InConstants(a, []any{"a"}) }, func() any { return b }))
			}).Dyn()
		}},
		{"[1, 2].map(i, i == 1 ? a in ['a'] : b, i)", func(a, b any) any {
			return MapIf(ListLiteral(int64(1), int64(2)), func(i any) Result[bool] {
				return As[bool](IfDyn(As[bool](Equal(i, int64(1))),
					func() any { return InConstants(a, []any{"a"}) }, func() any { return b }))
			}, func(i any) any { return i })
		}},
		{"b == (a in ['a'])", func(a, b any) any { return Equal(b, InConstants(a, []any{"a"})) }},
		{"b + dyn(a in ['a'])", func(a, b any) any { return Add(b, InConstants(a, []any{"a"})) }},
		{"a && b", func(a, b any) any {
			return And(As[bool](a), func() Result[bool] { return As[bool](b) }).Dyn()
		}},
		{"a || b", func(a, b any) any {
			return Or(As[bool](a), func() Result[bool] { return As[bool](b) }).Dyn()
		}},
		{"a ? b : 7", func(a, b any) any {
			return IfDyn(As[bool](a), func() any { return b }, func() any { return int64(7) })
		}},
		{"a.or(b)", func(a, b any) any { return OptionalOr(a, func() any { return b }) }},
		{"a.orValue(b)", func(a, b any) any { return OptionalOrValue(a, func() any { return b }) }},
		{"a.getHours(b)", func(a, b any) any { return ZonedPart("getHours", a, b, Hours) }},
		{"a.all(x, x == b)", func(a, b any) any {
			return AllOf(a, func(x any) Result[bool] { return As[bool](Equal(x, b)) }).Dyn()
		}},
		{"a.exists(x, x == b)", func(a, b any) any {
			return ExistsOf(a, func(x any) Result[bool] { return As[bool](Equal(x, b)) }).Dyn()
		}},
		{"a.exists_one(x, x == b)", func(a, b any) any {
			return ExistsOneOf(a, func(x any) Result[bool] { return As[bool](Equal(x, b)) }).Dyn()
		}},
		{"a.map(x, x + b)", func(a, b any) any { return MapOf(a, func(x any) any { return Add(x, b) }) }},
		{"a.map(x, x < b, x + b)", func(a, b any) any {
			return MapIf(a, func(x any) Result[bool] { return As[bool](Less(x, b)) },
				func(x any) any { return Add(x, b) })
		}},
		{"a.filter(x, x != b)", func(a, b any) any {
			return Filter(a, func(x any) Result[bool] { return As[bool](NotEqual(x, b)) })
		}},
		{"a.all(k, v, k == b || v == b)", func(a, b any) any {
			return AllPairs(a, func(k, v any) Result[bool] {
				return Or(As[bool](Equal(k, b)), func() Result[bool] { return As[bool](Equal(v, b)) })
			}).Dyn()
		}},
		{"a.exists(k, v, v == b)", func(a, b any) any {
			return ExistsPair(a, func(k, v any) Result[bool] { return As[bool](Equal(v, b)) }).Dyn()
		}},
		{"a.existsOne(k, v, v < b)", func(a, b any) any {
			return ExistsOnePair(a, func(k, v any) Result[bool] { return As[bool](Less(v, b)) }).Dyn()
		}},
		{"a.transformList(k, v, v + b)", func(a, b any) any {
			return TransformList(a, func(k, v any) any { return Add(v, b) })
		}},
		{"a.transformList(k, v, v < b, [k])", func(a, b any) any {
			return TransformListIf(a, func(k, v any) Result[bool] { return As[bool](Less(v, b)) },
				func(k, v any) any { return ListLiteral(k) })
		}},
		{"a.transformMap(k, v, v + b)", func(a, b any) any {
			return TransformMap(a, Always, func(k, v any) any { return Add(v, b) })
		}},
		{"a.transformMap(k, v, v < b, v)", func(a, b any) any {
			return TransformMap(a, func(k, v any) Result[bool] { return As[bool](Less(v, b)) },
				func(k, v any) any { return v })
		}},
		{"a.transformMapEntry(k, v, {v: b})", func(a, b any) any {
			return TransformMapEntry(a, Always, func(k, v any) any { return MapLiteral(v, b) })
		}},
		{"a.transformMapEntry(k, v, v < b, v)", func(a, b any) any {
			return TransformMapEntry(a, func(k, v any) Result[bool] { return As[bool](Less(v, b)) },
				func(k, v any) any { return v })
		}},
	} {
		t.Run(op.expression, func(t *testing.T) {
			wrong := 0
			for _, a := range values {
				for _, b := range values {
					if turn++; turn%every != 0 {
						continue
					}
					ours := showOurs(op.ours(a.ours, b.ours))
					theirs := o.eval(op.expression, a, b)
					if ours == theirs || mayDiffer(theirs) || o.mayBe(ours, op.expression, a, b) {
						continue
					}
					if wrong++; wrong > 5 {
						t.FailNow()
					}
					t.Errorf("a = %s, b = %s:\n got %s\nwant %s", a, b, ours, theirs)
				}
			}
		})
	}
}
