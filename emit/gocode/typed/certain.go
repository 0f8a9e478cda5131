package typed

import (
	"slices"

	"github.com/dave/jennifer/jen"
	celtypes "github.com/google/cel-go/common/types"

	"github.com/crdproof/crdproof/emit/gocode/internal/object"
)

// This file compiles rules of typed code to conditions without results. Such a rule need not tell apart what is false
// from what is unknown.

// A certainty are the conditions that a bool is certainly true, and that it is certainly false. Neither holds if it is
// unknown. Code may be evaluated under the facts whenTrue of a value unless it is certainly false, and under whenFalse
// unless it is certainly true.
type certainty struct{ yes, no object.Condition }

// certaintyOf returns that of a condition, which is always known.
func certaintyOf(cond object.Condition) certainty { return certainty{cond, cond.Opposite()} }

// isKnown reports whether the bool is always known.
func (cond certainty) isKnown() bool { return cond.no.Source() == cond.yes.Opposite().Source() }

// certain returns the certainty of a bool; false if only its result can be computed.
func certain(v object.Value) (certainty, bool) {
	f := factsOf(v)
	switch {
	case f.certain != nil:
		return *f.certain, true
	case f.cond != nil:
		return certaintyOf(*f.cond), true
	case v.Constant == celtypes.True:
		return certainty{object.Always, object.Never}, true
	case v.Constant == celtypes.False:
		return certainty{object.Never, object.Always}, true
	case v.Form == object.FormPlain && v.Typ == object.BoolType:
		return certaintyOf(object.Holds(v.Code)), true
	}
	return certainty{}, false
}

// bareCode returns the code of a value that cannot fail, and the conditions under which it is known; false for other
// values.
func bareCode(v object.Value) (code jen.Code, when []object.Condition, ok bool) {
	f := factsOf(v)
	if v.Form == object.FormPlain {
		return v.Code, nil, true
	}
	return f.direct, f.when, f.direct != nil
}

// knownIf sets the code of a result under the conditions that it is known.
func knownIf(v object.Value, when []object.Condition, direct jen.Code) object.Value {
	f := factsOf(v)
	f.direct, f.when = direct, when
	if v.Typ == object.BoolType {
		f.certain = certaintyIf(when, certaintyOf(object.Holds(direct)))
	}
	return f.on(v)
}

// certaintyIf returns a certainty under conditions.
func certaintyIf(when []object.Condition, cond certainty) *certainty {
	both := func(c object.Condition) object.Condition { return object.AllOf(append(slices.Clip(when), c)...) }
	return &certainty{yes: both(cond.yes), no: both(cond.no)}
}

// joined returns the certainty of two conditions with && or ||; nil if it is unknown. The right one may be a result,
// which is only evaluated if the left one does not decide.
func (c *goCompiler) joined(operator string, left, right object.Value) *certainty {
	l, ok := certain(left)
	if !ok {
		return nil
	}
	r, isCertain := certain(right)
	if !isCertain {
		code := c.Result(right)
		r = certainty{object.Holds(object.Runtime("IsTrue").Call(code)),
			object.Holds(object.Runtime("IsFalse").Call(code))}
	}
	switch {
	case operator == "&&" && isCertain:
		return &certainty{object.AllOf(l.yes, r.yes), object.AnyOf(l.no, r.no)}
	case operator == "&&":
		return &certainty{object.AllOf(l.yes, r.yes), object.AnyOf(l.no, object.AllOf(l.yes, r.no))}
	case isCertain:
		return &certainty{object.AnyOf(l.yes, r.yes), object.AllOf(l.no, r.no)}
	}
	return &certainty{object.AnyOf(l.yes, object.AllOf(l.no, r.yes)), object.AllOf(l.no, r.no)}
}

// chosen returns the certainty of of ? yes : no; nil if it is unknown.
func chosen(typ, yes, no object.Value) *certainty {
	cond, ok := certain(typ)
	y, isYes := certain(yes)
	n, isNo := certain(no)
	if !ok || !isYes || !isNo {
		return nil
	}
	isKnown := cond.isKnown()
	either := func(y, n object.Condition) object.Condition {
		if isKnown && (y.IsAlways() || n.IsAlways()) {
			return object.AllOf(object.AnyOf(cond.no, y), object.AnyOf(cond.yes, n))
		}
		return object.AnyOf(object.AllOf(cond.yes, y), object.AllOf(cond.no, n))
	}
	return &certainty{either(y.yes, n.yes), either(y.no, n.no)}
}

// A goTest is a predicate on the variable of a macro: the function that returns its result and, if it is certain, those
// that return whether it is true and whether it is false.
type goTest struct {
	result, yes, no jen.Code
	// isKnown is set if the predicate is always known.
	isKnown bool
}

// quantified returns the certainty of a quantifier over the items of a list; nil if it is unknown.
func (t goTest) quantified(kind object.MacroKind, list *goValue, when []object.Condition) *certainty {
	if t.yes == nil {
		return nil
	}
	call := func(function string, test jen.Code) *jen.Statement {
		return object.Runtime(function).Call(list.value(), test)
	}
	switch kind {
	case object.MacroAll:
		return certaintyIf(when, certainty{object.Holds(call("AllAre", t.yes)),
			object.Holds(call("AnyIs", t.no))})
	case object.MacroExists:
		return certaintyIf(when, certainty{object.Holds(call("AnyIs", t.yes)),
			object.Holds(call("AllAre", t.no))})
	}
	isOne := object.Compares(call("CountAre", t.yes), "==", jen.Lit(1))
	if t.isKnown {
		return certaintyIf(when, certaintyOf(isOne))
	}
	known := object.Compares(jen.Add(call("CountAre", t.yes)).Op("+").Add(call("CountAre", t.no)), "==",
		jen.Len(list.value()))
	return certaintyIf(when, certainty{object.AllOf(isOne, known), object.AllOf(isOne.Opposite(), known)})
}
