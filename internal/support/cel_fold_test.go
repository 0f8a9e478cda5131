package support

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// If several values fail, cel-go decides which failure a macro returns. The test uses random lists of verdicts: some
// are failures, and some are not bools.
func TestCELFailuresInMacros(t *testing.T) {
	o := newOracle(t)
	r := random{rand.New(rand.NewPCG(1, 2))}
	for range 4_000 {
		a := verdicts(r)
		for _, macro := range []struct {
			expression string
			ours       func(a any) any
		}{
			{"a.all(x, x)", func(a any) any { return crdAllOf(a, crdAs[bool]).dyn() }},
			{"a.exists(x, x)", func(a any) any { return crdExistsOf(a, crdAs[bool]).dyn() }},
			{"a.exists_one(x, x)", func(a any) any { return crdExistsOneOf(a, crdAs[bool]).dyn() }},
			{"a.filter(x, x)", func(a any) any { return crdFilter(a, crdAs[bool]) }},
			{"a.map(x, x)", func(a any) any { return crdMapOf(a, func(x any) any { return x }) }},
			{"a.map(x, x, 1 / (size(a) - 2))", func(a any) any {
				return crdMapIf(a, crdAs[bool],
					func(any) any { return crdDivide(int64(1), crdSubtract(crdSize(a), int64(2))) })
			}},
			{"a.all(i, x, x || i > 2)", func(a any) any {
				return crdAllPairs(a, func(i, x any) crdResult[bool] {
					return crdOr(crdAs[bool](x), func() crdResult[bool] { return crdAs[bool](crdGreater(i, int64(2))) })
				}).dyn()
			}},
			{"a.exists(i, x, x)", func(a any) any {
				return crdExistsPair(a, func(_, x any) crdResult[bool] { return crdAs[bool](x) }).dyn()
			}},
			{"a.existsOne(i, x, x)", func(a any) any {
				return crdExistsOnePair(a, func(_, x any) crdResult[bool] { return crdAs[bool](x) }).dyn()
			}},
			{"a.transformList(i, x, x)", func(a any) any {
				return crdTransformList(a,
					func(_, x any) any { return x })
			}},
			{"a.transformList(i, x, x, 1 / (i - 1))", func(a any) any {
				return crdTransformListIf(a, func(_, x any) crdResult[bool] { return crdAs[bool](x) },
					func(i, _ any) any { return crdDivide(int64(1), crdSubtract(i, int64(1))) })
			}},
			{"a.transformMap(i, x, x, 1 / (i - 1))", func(a any) any {
				return crdTransformMap(a, func(_, x any) crdResult[bool] { return crdAs[bool](x) },
					func(i, _ any) any { return crdDivide(int64(1), crdSubtract(i, int64(1))) })
			}},
			{"a.transformMapEntry(i, x, {x: i})", func(a any) any {
				return crdTransformMapEntry(a, crdAlways, func(i, x any) any { return crdMapLiteral(x, i) })
			}},
			{"a.transformMapEntry(i, x, x, {dyn(1): i, dyn(1u): i})", func(a any) any {
				return crdTransformMapEntry(a, func(_, x any) crdResult[bool] { return crdAs[bool](x) },
					func(i, _ any) any { return crdMapLiteral(int64(1), i, uint64(1), i) })
			}},
		} {
			ours, theirs := showOurs(macro.ours(a.ours)), o.eval(macro.expression, a)
			if ours != theirs && !o.mayBe(ours, macro.expression, a) {
				t.Errorf("%s, a = %s:\n got %s\nwant %s", macro.expression, showOurs(a.ours), ours, theirs)
			}
		}
	}
}

// verdicts are bools, failures, and other values.
func verdicts(r random) value {
	var theirs []ref.Val
	var ours []any
	for range r.IntN(5) {
		switch r.IntN(5) {
		case 0:
			n := r.IntN(3)
			theirs, ours = append(theirs, types.NewErr("failure %d", n)),
				append(ours, &crdFailure{fmt.Sprint("failure ", n)})
		case 1:
			theirs, ours = append(theirs, types.Int(1)), append(ours, int64(1))
		default:
			b := r.IntN(2) == 0
			theirs, ours = append(theirs, types.Bool(b)), append(ours, b)
		}
	}
	return value{"verdicts", types.NewRefValList(types.DefaultTypeAdapter, theirs), crdList{items: ours}}
}

// A comprehension that is not a macro is folded step by step. Evaluated as the steps of a macro, it has the same
// result.
func TestCELFold(t *testing.T) {
	r := random{rand.New(rand.NewPCG(3, 4))}
	truth := func(x any) func() crdResult[bool] { return func() crdResult[bool] { return crdAs[bool](x) } }
	for range 2_000 {
		a := verdicts(r).ours
		all := crdFold(a, true, func(accu, _ any) any { return accu },
			func(accu, x any) any { return crdAnd(crdAs[bool](accu), truth(x)).dyn() })
		if want := crdAllOf(a, crdAs[bool]).dyn(); showOurs(all) != showOurs(want) {
			t.Errorf("all of %s: got %s, want %s", showOurs(a), showOurs(all), showOurs(want))
		}
		one := crdFoldPair(a, int64(0), func(any, any, any) any { return true }, func(accu, _, x any) any {
			return crdIfDyn(crdAs[bool](x), func() any { return crdAdd(accu, int64(1)) }, func() any { return accu })
		})
		got := crdEqual(one, int64(1))
		want := crdExistsOnePair(a, func(_, x any) crdResult[bool] { return crdAs[bool](x) }).dyn()
		if showOurs(got) != showOurs(want) {
			t.Errorf("one of %s: got %s, want %s", showOurs(a), showOurs(got), showOurs(want))
		}
	}
	failed := &crdFailure{"no list"}
	if got := crdFold(failed, nil, nil, nil); got != failed {
		t.Errorf("of a failure: %v", got)
	}
	if got := crdFoldPair(failed, nil, nil, nil); got != failed {
		t.Errorf("of a failure: %v", got)
	}
}

// Functions of plain values are applied to results: the first failure is kept, and nothing is computed after it.
func TestCELLifts(t *testing.T) {
	left, right := crdFail[int64](&crdFailure{"left"}), crdFail[int64](&crdFailure{"right"})
	add := func(a, b int64) int64 { return a + b }
	for _, c := range []struct{ got, want any }{
		{crdBoth(crdOK(int64(1)), crdOK(int64(2)), add).dyn(), int64(3)},
		{crdBoth(left, right, add).dyn(), left.err},
		{crdBoth(crdOK(int64(1)), right, add).dyn(), right.err},
		{crdBothTry(crdOK(int64(1)), crdOK(int64(0)), crdDivideInt).dyn(), crdDivisionByZero},
		{crdBothTry(left, right, crdDivideInt).dyn(), left.err},
		{crdBothTry(crdOK(int64(1)), right, crdDivideInt).dyn(), right.err},
		{crdThen(crdOK(1.5), crdDoubleToString).dyn(), "1.5"},
		{crdThen(crdFail[float64](left.err), crdDoubleToString).dyn(), left.err},
		{crdThenTry(crdOK("1"), crdStringToInt).dyn(), int64(1)},
		{crdThenTry(crdFail[string](left.err), crdStringToInt).dyn(), left.err},
		{crdIf(crdOK(true), func() crdResult[int64] { return crdOK(int64(1)) },
			func() crdResult[int64] { return left }).dyn(), int64(1)},
		{crdIf(crdOK(false), func() crdResult[int64] { return crdOK(int64(1)) },
			func() crdResult[int64] { return left }).dyn(), left.err},
		{crdIf(crdFail[bool](right.err), func() crdResult[int64] { return crdOK(int64(1)) },
			func() crdResult[int64] { return left }).dyn(), right.err},
	} {
		if c.got != c.want {
			t.Errorf("got %s, want %s", showOurs(c.got), showOurs(c.want))
		}
	}
}

// TestNamed shows that an empty list or map of the schema loses the schema when it gets a name, and nothing else does.
func TestNamed(t *testing.T) {
	typ := &crdType{name: "object"}
	list, object := crdList{items: []any{"a"}, typ: typ}, crdObject{map[string]any{"a": "b"}, typ}
	for _, value := range []any{int64(1), list, object} {
		if got := crdNamed(value); !reflect.DeepEqual(got, value) {
			t.Errorf("%v, want %v", got, value)
		}
	}
	if list, ok := crdNamed(crdList{typ: typ}).(crdList); !ok || list.typ != nil {
		t.Errorf("%v", list)
	}
	if m, ok := crdNamed(crdObject{map[string]any{}, typ}).(*crdMap); !ok || len(m.entries) != 0 {
		t.Errorf("%v", m)
	}
}
