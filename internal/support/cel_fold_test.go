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
			{"a.all(x, x)", func(a any) any { return AllOf(a, As[bool]).Dyn() }},
			{"a.exists(x, x)", func(a any) any { return ExistsOf(a, As[bool]).Dyn() }},
			{"a.exists_one(x, x)", func(a any) any { return ExistsOneOf(a, As[bool]).Dyn() }},
			{"a.filter(x, x)", func(a any) any { return Filter(a, As[bool]) }},
			{"a.map(x, x)", func(a any) any { return MapOf(a, func(x any) any { return x }) }},
			{"a.map(x, x, 1 / (size(a) - 2))", func(a any) any {
				return MapIf(a, As[bool],
					func(any) any { return Divide(int64(1), Subtract(Size(a), int64(2))) })
			}},
			{"a.all(i, x, x || i > 2)", func(a any) any {
				return AllPairs(a, func(i, x any) Result[bool] {
					return Or(As[bool](x), func() Result[bool] { return As[bool](Greater(i, int64(2))) })
				}).Dyn()
			}},
			{"a.exists(i, x, x)", func(a any) any {
				return ExistsPair(a, func(_, x any) Result[bool] { return As[bool](x) }).Dyn()
			}},
			{"a.existsOne(i, x, x)", func(a any) any {
				return ExistsOnePair(a, func(_, x any) Result[bool] { return As[bool](x) }).Dyn()
			}},
			{"a.transformList(i, x, x)", func(a any) any {
				return TransformList(a,
					func(_, x any) any { return x })
			}},
			{"a.transformList(i, x, x, 1 / (i - 1))", func(a any) any {
				return TransformListIf(a, func(_, x any) Result[bool] { return As[bool](x) },
					func(i, _ any) any { return Divide(int64(1), Subtract(i, int64(1))) })
			}},
			{"a.transformMap(i, x, x, 1 / (i - 1))", func(a any) any {
				return TransformMap(a, func(_, x any) Result[bool] { return As[bool](x) },
					func(i, _ any) any { return Divide(int64(1), Subtract(i, int64(1))) })
			}},
			{"a.transformMapEntry(i, x, {x: i})", func(a any) any {
				return TransformMapEntry(a, Always, func(i, x any) any { return MapLiteral(x, i) })
			}},
			{"a.transformMapEntry(i, x, x, {dyn(1): i, dyn(1u): i})", func(a any) any {
				return TransformMapEntry(a, func(_, x any) Result[bool] { return As[bool](x) },
					func(i, _ any) any { return MapLiteral(int64(1), i, uint64(1), i) })
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
				append(ours, &Failure{fmt.Sprint("failure ", n)})
		case 1:
			theirs, ours = append(theirs, types.Int(1)), append(ours, int64(1))
		default:
			b := r.IntN(2) == 0
			theirs, ours = append(theirs, types.Bool(b)), append(ours, b)
		}
	}
	return value{"verdicts", types.NewRefValList(types.DefaultTypeAdapter, theirs), List{Items: ours}}
}

// A comprehension that is not a macro is folded step by step. Evaluated as the steps of a macro, it has the same
// result.
func TestCELFold(t *testing.T) {
	r := random{rand.New(rand.NewPCG(3, 4))}
	truth := func(x any) func() Result[bool] { return func() Result[bool] { return As[bool](x) } }
	for range 2_000 {
		a := verdicts(r).ours
		all := Fold(a, true, func(accu, _ any) any { return accu },
			func(accu, x any) any { return And(As[bool](accu), truth(x)).Dyn() })
		if want := AllOf(a, As[bool]).Dyn(); showOurs(all) != showOurs(want) {
			t.Errorf("all of %s: got %s, want %s", showOurs(a), showOurs(all), showOurs(want))
		}
		one := FoldPair(a, int64(0), func(any, any, any) any { return true }, func(accu, _, x any) any {
			return IfDyn(As[bool](x), func() any { return Add(accu, int64(1)) }, func() any { return accu })
		})
		got := Equal(one, int64(1))
		want := ExistsOnePair(a, func(_, x any) Result[bool] { return As[bool](x) }).Dyn()
		if showOurs(got) != showOurs(want) {
			t.Errorf("one of %s: got %s, want %s", showOurs(a), showOurs(got), showOurs(want))
		}
	}
	failed := &Failure{"no list"}
	if got := Fold(failed, nil, nil, nil); got != failed {
		t.Errorf("of a failure: %v", got)
	}
	if got := FoldPair(failed, nil, nil, nil); got != failed {
		t.Errorf("of a failure: %v", got)
	}
}

// Functions of plain values are applied to results: the first failure is kept, and nothing is computed after it.
func TestCELLifts(t *testing.T) {
	left, right := fail[int64](&Failure{"left"}), fail[int64](&Failure{"right"})
	add := func(a, b int64) int64 { return a + b }
	for _, c := range []struct{ got, want any }{
		{Both(OK(int64(1)), OK(int64(2)), add).Dyn(), int64(3)},
		{Both(left, right, add).Dyn(), left.err},
		{Both(OK(int64(1)), right, add).Dyn(), right.err},
		{BothTry(OK(int64(1)), OK(int64(0)), DivideInt).Dyn(), divisionByZero},
		{BothTry(left, right, DivideInt).Dyn(), left.err},
		{BothTry(OK(int64(1)), right, DivideInt).Dyn(), right.err},
		{Then(OK(1.5), DoubleToString).Dyn(), "1.5"},
		{Then(fail[float64](left.err), DoubleToString).Dyn(), left.err},
		{ThenTry(OK("1"), StringToInt).Dyn(), int64(1)},
		{ThenTry(fail[string](left.err), StringToInt).Dyn(), left.err},
		{If(OK(true), func() Result[int64] { return OK(int64(1)) },
			func() Result[int64] { return left }).Dyn(), int64(1)},
		{If(OK(false), func() Result[int64] { return OK(int64(1)) },
			func() Result[int64] { return left }).Dyn(), left.err},
		{If(fail[bool](right.err), func() Result[int64] { return OK(int64(1)) },
			func() Result[int64] { return left }).Dyn(), right.err},
	} {
		if c.got != c.want {
			t.Errorf("got %s, want %s", showOurs(c.got), showOurs(c.want))
		}
	}
}

// TestNamed shows that an empty list or map of the schema loses the schema when it gets a name, and nothing else does.
func TestNamed(t *testing.T) {
	typ := &Type{Name: "object"}
	list, object := List{Items: []any{"a"}, Type: typ}, schemaObject{map[string]any{"a": "b"}, typ}
	for _, value := range []any{int64(1), list, object} {
		if got := Named(value); !reflect.DeepEqual(got, value) {
			t.Errorf("%v, want %v", got, value)
		}
	}
	if list, ok := Named(List{Type: typ}).(List); !ok || list.Type != nil {
		t.Errorf("%v", list)
	}
	if m, ok := Named(schemaObject{map[string]any{}, typ}).(*celMap); !ok || len(m.entries) != 0 {
		t.Errorf("%v", m)
	}
}
