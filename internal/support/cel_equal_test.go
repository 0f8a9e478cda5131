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
		{"typeless", node{&schema.Structural{}, &crdType{}}, []any{int64(1)}},
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
			all = append(all, n.value(strings.TrimSpace(n.name+" "+showOurs(crdRead(json, n.ours))), json))
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
		{"a == b", crdEqual}, {"a != b", crdNotEqual},
		{"a < b", crdLess}, {"a <= b", crdLessEqual}, {"a > b", crdGreater}, {"a >= b", crdGreaterEqual},
		{"a + b", crdAdd}, {"a - b", crdSubtract}, {"a * b", crdMultiply}, {"a / b", crdDivide}, {"a % b", crdModulo},
		{"a in b", crdIn}, {"a[b]", crdIndex}, {"a[?b]", crdIndexOptional},
		{"[a] + b", func(a, b any) any { return crdAdd(crdListLiteral(a), b) }},
		{"a + [b]", func(a, b any) any { return crdAdd(a, crdListLiteral(b)) }},
		{"a in ([1] + b)", func(a, b any) any { return crdIn(a, crdAdd(crdListLiteral(int64(1)), b)) }},
		{"[a] == [b]", func(a, b any) any { return crdEqual(crdListLiteral(a), crdListLiteral(b)) }},
		{"([a] + [b]) == [b, a]", func(a, b any) any {
			return crdEqual(crdAdd(crdListLiteral(a), crdListLiteral(b)), crdListLiteral(b, a))
		}},
		{"(a + b) == (b + a)", func(a, b any) any { return crdEqual(crdAdd(a, b), crdAdd(b, a)) }},
		{"{'k': a} == {'k': b}", func(a, b any) any { return crdEqual(crdMapLiteral("k", a), crdMapLiteral("k", b)) }},
		{"optional.of(a) == optional.of(b)",
			func(a, b any) any { return crdEqual(crdOptionalOf(a), crdOptionalOf(b)) }},
		{"type(a) == type(b)", func(a, b any) any { return crdEqual(crdTypeOf(a), crdTypeOf(b)) }},
		{"{a: b}", func(a, b any) any { return crdMapLiteral(a, b) }},
		{"{dyn('k'): 1, a: 2}[b]", func(a, b any) any {
			return crdIndex(crdMapLiteral("k", int64(1), a, int64(2)), b)
		}},
		{"[a, b]", func(a, b any) any { return crdListLiteral(a, b) }},
		{"[?a.?a, b]", func(a, b any) any { return crdListLiteral(crdEntryIf{crdSelectOptional(a, "a")}, b) }},
		{"{'x': b, 'y': b, ?'x': a.?a}", func(a, b any) any {
			return crdMapLiteral("x", b, "y", b, "x", crdEntryIf{crdSelectOptional(a, "a")})
		}},
		{"a in ['a'] || b", func(a, b any) any {
			return crdOr(crdAs[bool](crdInConstants(a, []any{"a"})),
				func() crdResult[bool] { return crdAs[bool](b) }).dyn()
		}},
		{"b && a in ['a']", func(a, b any) any {
			return crdAnd(crdAs[bool](b),
				func() crdResult[bool] { return crdAs[bool](crdInConstants(a, []any{"a"})) }).dyn()
		}},
		{"[1, 2].all(i, a in ['a'] && b)", func(a, b any) any {
			return crdAllOf(crdListLiteral(int64(1), int64(2)), func(any) crdResult[bool] {
				return crdAnd(crdAs[bool](crdInConstants(a, []any{"a"})),
					func() crdResult[bool] { return crdAs[bool](b) })
			}).dyn()
		}},
		{"[1, 2].exists_one(i, i == 1 ? a in ['a'] : b)", func(a, b any) any {
			return crdExistsOneOf(crdListLiteral(int64(1), int64(2)), func(i any) crdResult[bool] {
				return crdAs[bool](crdIfDyn(crdAs[bool](crdEqual(i, int64(1))),
					func() any { return crdInConstants(a, []any{"a"}) }, func() any { return b }))
			}).dyn()
		}},
		{"[1, 2].map(i, i == 1 ? a in ['a'] : b, i)", func(a, b any) any {
			return crdMapIf(crdListLiteral(int64(1), int64(2)), func(i any) crdResult[bool] {
				return crdAs[bool](crdIfDyn(crdAs[bool](crdEqual(i, int64(1))),
					func() any { return crdInConstants(a, []any{"a"}) }, func() any { return b }))
			}, func(i any) any { return i })
		}},
		{"b == (a in ['a'])", func(a, b any) any { return crdEqual(b, crdInConstants(a, []any{"a"})) }},
		{"b + dyn(a in ['a'])", func(a, b any) any { return crdAdd(b, crdInConstants(a, []any{"a"})) }},
		{"a && b", func(a, b any) any {
			return crdAnd(crdAs[bool](a), func() crdResult[bool] { return crdAs[bool](b) }).dyn()
		}},
		{"a || b", func(a, b any) any {
			return crdOr(crdAs[bool](a), func() crdResult[bool] { return crdAs[bool](b) }).dyn()
		}},
		{"a ? b : 7", func(a, b any) any {
			return crdIfDyn(crdAs[bool](a), func() any { return b }, func() any { return int64(7) })
		}},
		{"a.or(b)", func(a, b any) any { return crdOptionalOr(a, func() any { return b }) }},
		{"a.orValue(b)", func(a, b any) any { return crdOptionalOrValue(a, func() any { return b }) }},
		{"a.getHours(b)", func(a, b any) any { return crdZonedPart("getHours", a, b, crdHours) }},
		{"a.all(x, x == b)", func(a, b any) any {
			return crdAllOf(a, func(x any) crdResult[bool] { return crdAs[bool](crdEqual(x, b)) }).dyn()
		}},
		{"a.exists(x, x == b)", func(a, b any) any {
			return crdExistsOf(a, func(x any) crdResult[bool] { return crdAs[bool](crdEqual(x, b)) }).dyn()
		}},
		{"a.exists_one(x, x == b)", func(a, b any) any {
			return crdExistsOneOf(a, func(x any) crdResult[bool] { return crdAs[bool](crdEqual(x, b)) }).dyn()
		}},
		{"a.map(x, x + b)", func(a, b any) any { return crdMapOf(a, func(x any) any { return crdAdd(x, b) }) }},
		{"a.map(x, x < b, x + b)", func(a, b any) any {
			return crdMapIf(a, func(x any) crdResult[bool] { return crdAs[bool](crdLess(x, b)) },
				func(x any) any { return crdAdd(x, b) })
		}},
		{"a.filter(x, x != b)", func(a, b any) any {
			return crdFilter(a, func(x any) crdResult[bool] { return crdAs[bool](crdNotEqual(x, b)) })
		}},
		{"a.all(k, v, k == b || v == b)", func(a, b any) any {
			return crdAllPairs(a, func(k, v any) crdResult[bool] {
				return crdOr(crdAs[bool](crdEqual(k, b)), func() crdResult[bool] { return crdAs[bool](crdEqual(v, b)) })
			}).dyn()
		}},
		{"a.exists(k, v, v == b)", func(a, b any) any {
			return crdExistsPair(a, func(k, v any) crdResult[bool] { return crdAs[bool](crdEqual(v, b)) }).dyn()
		}},
		{"a.existsOne(k, v, v < b)", func(a, b any) any {
			return crdExistsOnePair(a, func(k, v any) crdResult[bool] { return crdAs[bool](crdLess(v, b)) }).dyn()
		}},
		{"a.transformList(k, v, v + b)", func(a, b any) any {
			return crdTransformList(a, func(k, v any) any { return crdAdd(v, b) })
		}},
		{"a.transformList(k, v, v < b, [k])", func(a, b any) any {
			return crdTransformListIf(a, func(k, v any) crdResult[bool] { return crdAs[bool](crdLess(v, b)) },
				func(k, v any) any { return crdListLiteral(k) })
		}},
		{"a.transformMap(k, v, v + b)", func(a, b any) any {
			return crdTransformMap(a, crdAlways, func(k, v any) any { return crdAdd(v, b) })
		}},
		{"a.transformMap(k, v, v < b, v)", func(a, b any) any {
			return crdTransformMap(a, func(k, v any) crdResult[bool] { return crdAs[bool](crdLess(v, b)) },
				func(k, v any) any { return v })
		}},
		{"a.transformMapEntry(k, v, {v: b})", func(a, b any) any {
			return crdTransformMapEntry(a, crdAlways, func(k, v any) any { return crdMapLiteral(v, b) })
		}},
		{"a.transformMapEntry(k, v, v < b, v)", func(a, b any) any {
			return crdTransformMapEntry(a, func(k, v any) crdResult[bool] { return crdAs[bool](crdLess(v, b)) },
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
