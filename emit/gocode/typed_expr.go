package gocode

import (
	"slices"

	"github.com/dave/jennifer/jen"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	celtypes "github.com/google/cel-go/common/types"

	"github.com/crdproof/crdproof/schema"
)

// A goCompiler compiles a checked CEL expression on Go values. What has no form of its own here is compiled as for JSON.
type goCompiler struct {
	*celCompiler
	types goWriter
	// facts are the conditions of Go values that hold where code is compiled.
	facts []string
	// texts are the schemas of the strings, or of the maps with keys, that rules compare.
	texts map[*schema.Schema]bool
}

// goFacts are what typed code knows about a value.
type goFacts struct {
	c *goCompiler
	// value is a value of form formTyped, and node its schema.
	value *goValue
	node  *celNode
	// sizeOf is set for the number of items of a list, and countIn for that of some of them.
	sizeOf, countIn *goValue
	// is is set for the plain value of a condition.
	is *condition
	// whenTrue are the conditions that hold unless the value is false, and whenFalse those that hold unless it is true.
	whenTrue, whenFalse []string
	// bare is the code of a result that is known, and that cannot fail, under the conditions when.
	bare jen.Code
	when []condition
	// sure is set for a bool that may be unknown, and for the plain one of several conditions.
	sure *certainty
}

// factsOf returns the facts about a value.
func factsOf(v celValue) goFacts {
	if f, ok := v.typed.(*goFacts); ok {
		return *f
	}
	return goFacts{}
}

// of returns a value with these facts.
func (f goFacts) of(v celValue) celValue {
	v.typed = &f
	return v
}

// goOf returns the Go value that typed code reads, and nodeOf its schema.
func goOf(v celValue) *goValue   { return factsOf(v).value }
func nodeOf(v celValue) *celNode { return factsOf(v).node }

// withSure returns a bool with its certainty.
func withSure(v celValue, sure *certainty) celValue {
	f := factsOf(v)
	f.sure = sure
	return f.of(v)
}

// Compile compiles an expression that typed code reads or whose certainty it knows.
func (c *goCompiler) Compile(e ast.Expr) (celValue, bool) {
	switch e.Kind() {
	case ast.SelectKind:
		if c.ast.ReferenceMap()[e.ID()] == nil {
			return c.goSelection(e.AsSelect()), true
		}
	case ast.ComprehensionKind:
		if m := c.macro(e); m != nil && m.kind != macroBind {
			values := c.expr(m.fold.IterRange())
			if v, ok := c.goMacro(m, values); ok {
				return v, true
			}
			return c.unfold(m, values), true
		}
	case ast.CallKind:
		call := e.AsCall()
		args := call.Args()
		if call.IsMemberFunction() {
			args = append([]ast.Expr{call.Target()}, args...)
		}
		return c.goCall(call.FunctionName(), args)
	}
	return celValue{}, false
}

// goCall compiles an operator.
func (c *goCompiler) goCall(name string, args []ast.Expr) (celValue, bool) {
	switch name {
	case operators.LogicalAnd:
		return c.goJunction("&&", args), true
	case operators.LogicalOr:
		return c.goJunction("||", args), true
	case operators.LogicalNot:
		if _, isDouble := operationOf(args[0], operators.LogicalNot, 1); !isDouble {
			return c.goNegated(c.condition(args[0])), true
		}
	case operators.Conditional:
		return c.goConditional(args), true
	case operators.In, operators.OldIn:
		if _, ok := constantItems(args[1]); ok {
			return celValue{}, false
		}
		x, container := c.expr(args[0]), c.expr(args[1])
		if v, ok := c.goIn(x, container); ok {
			return v, true
		}
		return c.isIn(x, container), true
	case operators.Index:
		operand, key := c.expr(args[0]), c.expr(args[1])
		if v, ok := c.goIndex(operand, key); ok {
			return v, true
		}
		return c.index(args[0], operand, key), true
	case operators.OptSelect:
		operand := c.expr(args[0])
		if v, ok := c.goOptional(operand, nameIn(args)); ok {
			return v, true
		}
		return c.optionalField(args, operand), true
	case "size":
		return c.goSizeOf(args[0])
	}
	o, ok := comparisons[name]
	if !ok {
		return celValue{}, false
	}
	return c.goComparison(o, c.expr(args[0]), c.expr(args[1])), true
}

// goSelection compiles x.field and has(x.field).
func (c *goCompiler) goSelection(s ast.SelectExpr) celValue {
	operand := c.expr(s.Operand())
	isStruct := goShapeOf(operand) == structShape
	if s.IsTestOnly() {
		if isStruct {
			if v, ok := c.goHas(operand, s.FieldName()); ok {
				return v
			}
		}
		return c.has(s.Operand(), operand, s.FieldName())
	}
	if isStruct {
		if v, ok := c.goField(operand, s.FieldName()); ok {
			return v
		}
	}
	return c.field(s, operand)
}

// goSizeOf compiles the size of what typed code reads or counts.
func (c *goCompiler) goSizeOf(e ast.Expr) (celValue, bool) {
	if m := c.macro(e); m != nil && m.kind == macroFilter {
		if count, ok := c.countTrue(m); ok {
			return count, true
		}
		values := c.expr(m.fold.IterRange())
		if count, ok := c.goCount(m, values); ok {
			return count, true
		}
		return c.filteredSize(m, values), true
	}
	v := c.expr(e)
	if shape := goShapeOf(v); shape == listShape || shape == mapShape && !goOf(v).isOld &&
		!canBeNull(elemOf(goOf(v).typ)) {
		c.texts[nodeOf(v).schema] = true
		return c.goSize(v), true
	}
	return c.sizeOf(v), true
}

// given compiles where facts hold.
func (c *goCompiler) given(facts []string, e ast.Expr, compile func(ast.Expr) celValue) celValue {
	before := c.facts
	c.facts = slices.Concat(before, facts)
	v := compile(e)
	c.facts = before
	return v
}

// goJunction compiles && and ||. The right operands are compiled with the conditions that hold unless the left ones
// decide.
func (c *goCompiler) goJunction(operator string, operands []ast.Expr) celValue {
	decides := operator == "||"
	left := c.condition(operands[0])
	for _, operand := range operands[1:] {
		known := factsOf(left).whenTrue
		if decides {
			known = factsOf(left).whenFalse
		}
		right := c.given(known, operand, c.condition)
		switch {
		case isSame(left, right), isConstant(right, !decides), isConstant(left, decides):
		case isConstant(left, !decides):
			left = right
		default:
			left = c.goJoin(operator, left, right)
		}
	}
	return left
}

// goJoin joins two conditions with && or ||.
func (c *goCompiler) goJoin(operator string, left, right celValue) celValue {
	both := goFacts{sure: c.joined(operator, left, right)}
	l, r := factsOf(left), factsOf(right)
	if _, ok := certain(right); !ok { // what it knows may not hold if the left operand decides
		r = goFacts{}
	}
	if operator == "&&" {
		both.whenTrue = slices.Concat(l.whenTrue, r.whenTrue)
	} else {
		both.whenFalse = slices.Concat(l.whenFalse, r.whenFalse)
	}
	return both.of(c.join(operator, left, right))
}

// isConstant reports whether a value is the condition that always or never holds.
func isConstant(v celValue, value bool) bool {
	is := factsOf(v).is
	return is != nil && (value && is.isAlways() || !value && is.isNever())
}

// goNegated compiles ! for a condition.
func (c *goCompiler) goNegated(v celValue) celValue {
	if v.negates != nil {
		return *v.negates
	}
	negated, f := c.negated(v), factsOf(v)
	var out goFacts
	if f.is != nil {
		negated = plainCondition(f.is.opposite())
		negated.negates = &v
		out = factsOf(negated)
	}
	if f.sure != nil {
		out.sure = &certainty{f.sure.no, f.sure.yes}
	}
	out.whenTrue, out.whenFalse = f.whenFalse, f.whenTrue
	return out.of(negated)
}

// goConditional compiles ?:.
func (c *goCompiler) goConditional(args []ast.Expr) celValue {
	is := c.condition(args[0])
	yes := c.given(factsOf(is).whenTrue, args[1], c.expr)
	no := c.given(factsOf(is).whenFalse, args[2], c.expr)
	switch {
	case isConstant(is, true):
		return yes
	case isConstant(is, false):
		return no
	case is.form == formPlain && yes.known() == celBool && no.known() == celBool:
		switch {
		case no.constant == celtypes.True:
			return c.goJoin("||", c.goNegated(is), yes)
		case no.constant == celtypes.False:
			return c.goJoin("&&", is, yes)
		case yes.constant == celtypes.True:
			return c.goJoin("||", is, no)
		case yes.constant == celtypes.False:
			return c.goJoin("&&", c.goNegated(is), no)
		}
	}
	isEager := yes.form == formPlain && no.form == formPlain && yes.constant != nil && no.constant != nil
	v := c.choice(is, yes, no, isEager)
	if yes.known() == celBool && v.known() == celBool {
		v = withSure(v, chosen(is, yes, no))
	}
	return v
}

// goComparison compiles a comparison.
func (c *goCompiler) goComparison(o celComparison, left, right celValue) celValue {
	if left.constant != nil && right.constant == nil && o.isEquality() {
		left, right = right, left
	}
	v := c.comparison(o, left, right)
	if left.known() != right.known() || !o.direct(left.known()) || v.constant != nil {
		return v
	}
	f := goFacts{sure: compared(left, o.operator, right)}
	if v.form == formPlain {
		f.whenTrue, f.whenFalse = knownItems(o.operator, left, right)
	}
	return f.of(v)
}

// compared is the certainty of a comparison; nil if it is unknown.
func compared(left celValue, operator string, right celValue) *certainty {
	x, ifLeft, isLeft := bareCode(left)
	y, ifRight, isRight := bareCode(right)
	if !isLeft || !isRight {
		return nil
	}
	is := compares(x, operator, y)
	_, isLimit := right.constant.(celtypes.Int)
	if list := factsOf(left).countIn; isLimit && list != nil && (operator == "<" || operator == "<=") {
		is = anyOf(compares(jen.Int64().Call(jen.Len(list.value())), operator, y), is) // most lists are short
	}
	return certaintyIf(slices.Concat(ifLeft, ifRight), certaintyOf(is))
}

// knownItems are the conditions about the items of a list that follow if a comparison of their number holds, and if it
// does not.
func knownItems(operator string, left, right celValue) (whenTrue, whenFalse []string) {
	swapped := map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
	list, n := factsOf(left).sizeOf, right.constant
	if size := factsOf(right).sizeOf; size != nil {
		list, n, operator = size, left.constant, swapped[operator]
	}
	number, ok := n.(celtypes.Int)
	if !ok || list == nil {
		return nil, nil
	}
	switch than := int64(number); operator {
	case ">":
		return hasItems(list, than), nil
	case ">=", "==":
		return hasItems(list, than-1), nil
	case "<=":
		return nil, hasItems(list, than)
	case "<":
		return nil, hasItems(list, than-1)
	case "!=":
		if than == 0 {
			return hasItems(list, 0), nil
		}
		return nil, hasItems(list, than-1)
	}
	return nil, nil
}

// Lifted adds to the value of a call what its operands say about it.
func (c *goCompiler) Lifted(v celValue, call celCall, function jen.Code, operands []celValue, l *language) celValue {
	var bare []jen.Code
	var when []condition
	for _, operand := range operands {
		code, under, ok := bareCode(operand)
		if !ok {
			return v
		}
		bare, when = append(bare, code), append(when, under...)
	}
	switch {
	case v.form == formPlain && l != nil:
		is := l.holds(v.code, bare[0])
		return goFacts{is: &is}.of(v)
	case v.form != formResult || call.fails:
		return v
	}
	code := jen.Add(function).Call(bare...)
	v = knownIf(v, when, code)
	if l != nil {
		v = withSure(v, certaintyIf(when, certaintyOf(l.holds(code, bare[0]))))
	}
	return v
}
