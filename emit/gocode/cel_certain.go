package gocode

import (
	"slices"

	"github.com/dave/jennifer/jen"
	celtypes "github.com/google/cel-go/common/types"
)

// This file compiles rules of typed code to conditions without results. Such a rule need not tell apart what is false
// from what is unknown.

// A certainty are the conditions that a bool is certainly true, and that it is certainly false. Neither holds if it is
// unknown. Code may be evaluated under the facts whenTrue of a value unless it is certainly false, and under whenFalse
// unless it is certainly true.
type certainty struct{ yes, no condition }

// certaintyOf is that of a condition, which is always known.
func certaintyOf(is condition) certainty { return certainty{is, is.opposite()} }

// isKnown reports whether the bool is always known.
func (is certainty) isKnown() bool { return is.no.source() == is.yes.opposite().source() }

// certain is the certainty of a bool; false if only its result can be computed.
func certain(v celValue) (certainty, bool) {
	f := factsOf(v)
	switch {
	case f.sure != nil:
		return *f.sure, true
	case f.is != nil:
		return certaintyOf(*f.is), true
	case v.constant == celtypes.True:
		return certainty{always, never}, true
	case v.constant == celtypes.False:
		return certainty{never, always}, true
	case v.form == formPlain && v.typ == celBool:
		return certaintyOf(holds(v.code)), true
	}
	return certainty{}, false
}

// bareCode is the code of a value that cannot fail, and the conditions under which it is known; false for other values.
func bareCode(v celValue) (code jen.Code, when []condition, ok bool) {
	f := factsOf(v)
	if v.form == formPlain {
		return v.code, nil, true
	}
	return f.bare, f.when, f.bare != nil
}

// knownIf sets the code of a result under the conditions that it is known.
func knownIf(v celValue, when []condition, bare jen.Code) celValue {
	f := factsOf(v)
	f.bare, f.when = bare, when
	if v.typ == celBool {
		f.sure = certaintyIf(when, certaintyOf(holds(bare)))
	}
	return f.of(v)
}

// certaintyIf is a certainty under conditions.
func certaintyIf(when []condition, is certainty) *certainty {
	return &certainty{yes: allOf(append(slices.Clip(when), is.yes)...), no: allOf(append(slices.Clip(when), is.no)...)}
}

// joined is the certainty of two conditions with && or ||; nil if it is unknown. The right one may be a result, which
// is only evaluated if the left one does not decide.
func (c *goCompiler) joined(operator string, left, right celValue) *certainty {
	l, ok := certain(left)
	if !ok {
		return nil
	}
	r, isCertain := certain(right)
	if !isCertain {
		code := c.result(right)
		r = certainty{holds(jen.Id("crdIsTrue").Call(code)), holds(jen.Id("crdIsFalse").Call(code))}
	}
	switch {
	case operator == "&&" && isCertain:
		return &certainty{allOf(l.yes, r.yes), anyOf(l.no, r.no)}
	case operator == "&&":
		return &certainty{allOf(l.yes, r.yes), anyOf(l.no, allOf(l.yes, r.no))}
	case isCertain:
		return &certainty{anyOf(l.yes, r.yes), allOf(l.no, r.no)}
	}
	return &certainty{anyOf(l.yes, allOf(l.no, r.yes)), allOf(l.no, r.no)}
}

// chosen is the certainty of of ? yes : no; nil if it is unknown.
func chosen(of, yes, no celValue) *certainty {
	is, ok := certain(of)
	y, isYes := certain(yes)
	n, isNo := certain(no)
	if !ok || !isYes || !isNo {
		return nil
	}
	isKnown := is.isKnown()
	either := func(y, n condition) condition {
		if isKnown && (y.isAlways() || n.isAlways()) {
			return allOf(anyOf(is.no, y), anyOf(is.yes, n))
		}
		return anyOf(allOf(is.yes, y), allOf(is.no, n))
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

// quantified is the certainty of a quantifier over the items of a list; nil if it is unknown.
func (t goTest) quantified(kind celMacroKind, list *goValue, when []condition) *certainty {
	if t.yes == nil {
		return nil
	}
	call := func(function string, test jen.Code) *jen.Statement { return jen.Id(function).Call(list.value(), test) }
	switch kind {
	case macroAll:
		return certaintyIf(when, certainty{holds(call("crdAllAre", t.yes)), holds(call("crdAnyIs", t.no))})
	case macroExists:
		return certaintyIf(when, certainty{holds(call("crdAnyIs", t.yes)), holds(call("crdAllAre", t.no))})
	}
	isOne := compares(call("crdCountAre", t.yes), "==", jen.Lit(1))
	if t.isKnown {
		return certaintyIf(when, certaintyOf(isOne))
	}
	known := compares(jen.Add(call("crdCountAre", t.yes)).Op("+").Add(call("crdCountAre", t.no)), "==",
		jen.Len(list.value()))
	return certaintyIf(when, certainty{allOf(isOne, known), allOf(isOne.opposite(), known)})
}
