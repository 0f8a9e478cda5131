package gocode

import (
	"fmt"
	"go/types"
	"slices"

	"github.com/dave/jennifer/jen"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	celtypes "github.com/google/cel-go/common/types"
)

// condition compiles an operand that must be a bool, to a value of known type.
func (c *celCompiler) condition(e ast.Expr) celValue {
	v := c.expr(e)
	if v.known() == celBool {
		return v
	}
	return asserted(c.dyn(v), celBool)
}

// junction compiles && and ||. An operand may decide the result even if the other one fails. The right
// operands are compiled with the conditions that hold unless the left ones decide.
func (c *celCompiler) junction(function, operator string, operands []ast.Expr) celValue {
	known := func(v celValue) []string {
		if operator == "||" {
			return v.whenFalse
		}
		return v.whenTrue
	}
	left := c.condition(operands[0])
	for _, operand := range operands[1:] {
		right := c.given(known(left), func() celValue { return c.condition(operand) })
		switch decides := operator == "||"; {
		case isSame(left, right), right.isConstant(!decides), left.isConstant(decides):
			continue
		case left.isConstant(!decides):
			left = right
			continue
		}
		left = c.join(function, operator, left, right)
	}
	return left
}

// join joins two conditions with && or ||.
func (c *celCompiler) join(function, operator string, left, right celValue) (both celValue) {
	again := slices.ContainsFunc(right.compares,
		func(text string) bool { return slices.Contains(left.compares, text) })
	if left.form == formPlain && right.form == formPlain && !again {
		both = plain(jen.Parens(jen.Add(left.code).Op(operator).Add(right.code)), celBool)
		both.compares = slices.Concat(left.compares, right.compares)
	} else {
		both = result(jen.Id(function).Call(c.result(left), lazy(resultOf(celBool), c.result(right))), celBool)
	}
	if !c.inGo {
		return both
	}
	both.sure = c.joined(operator, left, right)
	if _, ok := right.certain(); !ok { // what it knows may not hold if the left operand decides
		right.whenTrue, right.whenFalse = nil, nil
	}
	if operator == "&&" {
		both.whenTrue = slices.Concat(left.whenTrue, right.whenTrue)
	} else {
		both.whenFalse = slices.Concat(left.whenFalse, right.whenFalse)
	}
	return both
}

// isConstant reports whether a value is the condition that always or never holds.
func (v celValue) isConstant(value bool) bool {
	return v.is != nil && (value && v.is.isAlways() || !value && v.is.isNever())
}

// given compiles where facts hold.
func (c *celCompiler) given(facts []string, compile func() celValue) celValue {
	before := c.facts
	c.facts = slices.Concat(before, facts)
	v := compile()
	c.facts = before
	return v
}

// negation compiles !. A double negation is removed.
func (c *celCompiler) negation(operand ast.Expr) celValue {
	if negated, ok := operationOf(operand, operators.LogicalNot, 1); ok {
		return c.condition(negated[0])
	}
	return c.negated(c.condition(operand))
}

// negated compiles ! for a condition.
func (c *celCompiler) negated(v celValue) celValue {
	if v.negates != nil {
		return *v.negates
	}
	negated := result(jen.Id("crdNot").Call(c.result(v)), celBool)
	switch {
	case v.is != nil:
		negated = plainCondition(v.is.opposite())
	case v.form == formPlain:
		negated = plain(jen.Op("!").Add(v.code), celBool)
		negated.compares = v.compares
	}
	if v.sure != nil {
		negated.sure = &certainty{v.sure.no, v.sure.yes}
	}
	negated.whenTrue, negated.whenFalse, negated.negates = v.whenFalse, v.whenTrue, &v
	return negated
}

// conditional compiles ?:.
func (c *celCompiler) conditional(args []ast.Expr) celValue {
	is := c.condition(args[0])
	yes := c.given(is.whenTrue, func() celValue { return c.expr(args[1]) })
	no := c.given(is.whenFalse, func() celValue { return c.expr(args[2]) })
	switch {
	case is.isConstant(true):
		return yes
	case is.isConstant(false):
		return no
	case c.inGo && is.form == formPlain && yes.known() == celBool && no.known() == celBool:
		switch {
		case no.constant == celtypes.True:
			return c.join("crdOr", "||", c.negated(is), yes)
		case no.constant == celtypes.False:
			return c.join("crdAnd", "&&", is, yes)
		case yes.constant == celtypes.True:
			return c.join("crdOr", "||", is, no)
		case yes.constant == celtypes.False:
			return c.join("crdAnd", "&&", c.negated(is), no)
		}
	}
	return c.choice(is, yes, no)
}

// choice is condition ? yes : no.
func (c *celCompiler) choice(is, yes, no celValue) (v celValue) {
	condition := c.result(is)
	t := yes.known()
	switch {
	case yes.form == formRaw && no.form == formRaw && yes.node.schema == no.node.schema &&
		yes.node.mayBeNull == no.node.mayBeNull:
		return raw(jen.Id("crdIfDyn").Call(condition, lazy(value(), yes.code), lazy(value(), no.code)), yes.node)
	case t == celDyn || t != no.known():
		return dynamic(jen.Id("crdIfDyn").Call(condition, lazy(value(), c.dyn(yes)), lazy(value(), c.dyn(no))))
	case yes.form == formPlain && no.form == formPlain && (!c.inGo || yes.constant != nil && no.constant != nil):
		v = result(jen.Id("crdChoose").Types(t.code()).Call(condition, yes.code, no.code), t)
	default:
		v = result(jen.Id("crdIf").Call(
			condition, lazy(resultOf(t), c.result(yes)), lazy(resultOf(t), c.result(no))), t)
	}
	if c.inGo && t == celBool {
		v.sure = chosen(is, yes, no)
	}
	return v
}

// isSame reports whether two operands are the same plain Go code, which staticcheck reports as a mistake.
func isSame(left, right celValue) bool {
	return left.form == formPlain && right.form == formPlain &&
		fmt.Sprintf("%#v", left.code) == fmt.Sprintf("%#v", right.code)
}

// comparable reports whether == of Go is == of CEL for two values of a type.
func (t celType) comparable() bool {
	return slices.Contains([]celType{celBool, celInt, celUint, celDouble, celString, celDuration}, t)
}

// equality compiles == and !=.
func (c *celCompiler) equality(name string, args []ast.Expr) celValue {
	operator, typed, function := "==", "crdEq", "crdEqual"
	if name == operators.NotEquals {
		operator, typed, function = "!=", "crdNe", "crdNotEqual"
	}
	return c.comparison(operator, typed, function, args, celType.comparable)
}

// ordered reports whether < of Go is < of CEL for two values of a type, which a double may not be: NaN is an error.
func (t celType) ordered() bool {
	return slices.Contains([]celType{celInt, celUint, celString, celDuration}, t)
}

// order compiles <, <=, > and >=.
func (c *celCompiler) order(name string, args []ast.Expr) celValue {
	operator, typed, function := "<", "crdLt", "crdLess"
	switch name {
	case operators.LessEquals:
		operator, typed, function = "<=", "crdLe", "crdLessEqual"
	case operators.Greater:
		operator, typed, function = ">", "crdGt", "crdGreater"
	case operators.GreaterEquals:
		operator, typed, function = ">=", "crdGe", "crdGreaterEqual"
	}
	return c.comparison(operator, typed, function, args, celType.ordered)
}

// comparison compiles a comparison: with an operator of Go, with a function on results, or with one on dynamic values.
func (c *celCompiler) comparison(operator, typed, function string, args []ast.Expr,
	direct func(celType) bool) celValue {
	left, right := c.expr(args[0]), c.expr(args[1])
	if left.constant != nil && right.constant == nil && (operator == "==" || operator == "!=") && c.inGo {
		left, right = right, left
	}
	switch t := left.known(); {
	case c.haveSameSchema(left, right) && (operator == "==" || operator == "!="):
		return result(jen.Id(function+"Raw").Call(left.code, right.code, left.node.typeOf(c.w)), celBool)
	case t != right.known() || !direct(t):
		return asserted(jen.Id(function).Call(c.dyn(left), c.dyn(right)), celBool)
	case t != celDouble && isSame(left, right):
		return constantValue(celtypes.Bool(operator == "==" || operator == "<=" || operator == ">="))
	case left.form == formPlain && right.form == formPlain:
		v := plain(jen.Parens(jen.Add(left.code).Op(operator).Add(right.code)), celBool)
		for _, side := range []celValue{left, right} {
			if side.constant == nil {
				v.compares = append(v.compares, fmt.Sprintf("%#v", side.code))
			}
		}
		v.whenTrue, v.whenFalse = knownItems(operator, left, right)
		v.sure = c.compared(left, operator, right)
		return v
	default:
		v := result(jen.Id(typed).Call(c.result(left), c.result(right)), celBool)
		v.sure = c.compared(left, operator, right)
		return v
	}
}

// compared is the certainty of a comparison in typed code; nil if it is unknown.
func (c *celCompiler) compared(left celValue, operator string, right celValue) *certainty {
	x, ifLeft, isLeft := left.bareCode()
	y, ifRight, isRight := right.bareCode()
	if !c.inGo || !isLeft || !isRight {
		return nil
	}
	is := compares(x, operator, y)
	_, isLimit := right.constant.(celtypes.Int)
	if isLimit && left.countIn != nil && (operator == "<" || operator == "<=") { // most lists are short
		is = anyOf(compares(jen.Int64().Call(jen.Len(left.countIn.value())), operator, y), is)
	}
	return certaintyIf(slices.Concat(ifLeft, ifRight), certainty{is, is.opposite()})
}

// haveSameSchema reports whether two values are JSON of lists or objects with the same schema.
func (c *celCompiler) haveSameSchema(left, right celValue) bool {
	return left.form == formRaw && right.form == formRaw && left.node.scalar() == celDyn &&
		fmt.Sprintf("%#v", left.node.typeOf(c.w)) == fmt.Sprintf("%#v", right.node.typeOf(c.w))
}

// knownItems are the conditions about the items of a list that follow if a comparison of their number holds, and if it
// does not.
func knownItems(operator string, left, right celValue) (whenTrue, whenFalse []string) {
	swapped := map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
	list, n := left.sizeOf, right.constant
	if right.sizeOf != nil {
		list, n, operator = right.sizeOf, left.constant, swapped[operator]
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

// arithmetic compiles + - * / % and unary -.
func (c *celCompiler) arithmetic(name string, args []ast.Expr) celValue {
	function := map[string]string{
		operators.Add: "Add", operators.Subtract: "Subtract", operators.Multiply: "Multiply",
		operators.Divide: "Divide", operators.Modulo: "Modulo", operators.Negate: "Negate",
	}[name]
	operands := c.exprs(args)
	t := operands[0].known()
	if len(operands) > 1 && operands[1].known() != t {
		t = celDyn
	}
	switch {
	case t == celInt, t == celUint && name != operators.Negate:
		suffix := map[celType]string{celInt: "Int", celUint: "Uint"}[t]
		return c.lift(c.w.support.call("crd"+function+suffix), operands)
	case t == celString && name == operators.Add:
		return c.lift(c.w.support.call("crdConcat"), operands)
	}
	return dynamic(jen.Id("crd" + function).Call(c.dynamics(operands)...))
}

// in compiles membership in a list or among the keys of a map.
func (c *celCompiler) in(args []ast.Expr) celValue {
	if constants, ok := constantItems(args[1]); ok {
		return c.inConstants(args[0], constants)
	}
	x, container := c.expr(args[0]), c.expr(args[1])
	if v, ok := c.goIn(x, container); ok {
		return v
	}
	switch n := container.described(); {
	case n.isList():
		if reader, t := n.item().reader(); x.known() == t && t.comparable() {
			return result(jen.Id("crdInList").Call(c.result(x), container.code, jen.Id(reader)), celBool)
		}
	case n.isMap():
		if reader, _ := n.value().reader(); reader != "" && x.known() == celString {
			return result(jen.Id("crdHasKey").Call(c.result(x), container.code, jen.Id(reader)), celBool)
		}
	}
	return asserted(jen.Id("crdIn").Call(c.dyn(x), c.dyn(container)), celBool)
}

// inConstants compiles membership in a list of constants, which cel-go turns into a set. The result for an empty list
// is false, even if the left operand fails.
func (c *celCompiler) inConstants(e ast.Expr, constants []celValue) celValue {
	if len(constants) == 0 {
		return plain(jen.False(), celBool)
	}
	x := c.expr(e)
	t := x.known()
	list := []jen.Code{}
	for _, constant := range constants {
		if constant.typ != t || constant.form != formPlain {
			t = celDyn
		}
		list = append(list, constant.code)
	}
	switch {
	case t == celString, t == celInt, t == celUint:
		is := celCall{function: c.w.oneOf(t, list, c.at), params: []celType{t}, result: celBool}
		return c.lift(is, []celValue{x})
	case t.comparable():
		return result(jen.Id("crdOneOf").Call(append([]jen.Code{c.result(x)}, list...)...), celBool)
	}
	isOdd := func(constant celValue) bool { return constant.form != formPlain || !constant.typ.comparable() }
	if slices.ContainsFunc(constants, isOdd) {
		return asserted(jen.Id("crdIn").Call(c.dyn(x), c.constantList(constants)), celBool)
	}
	set := c.w.variable("crdConstants"+c.at.name, "are constants of a rule on "+c.at.text(),
		jen.Index().Any().Values(list...))
	return asserted(jen.Id("crdInConstants").Call(c.dyn(x), jen.Id(set)), celBool)
}

// size compiles size(x) and x.size().
func (c *celCompiler) size(e ast.Expr) celValue {
	var v celValue
	if m := c.macro(e); m != nil && m.kind == macroFilter {
		if count, ok := c.countTrue(m); ok {
			return count
		}
		values := c.expr(m.fold.IterRange())
		if count, ok := c.count(m, values); ok {
			return count
		}
		v = c.dynamicMacro(m, c.dyn(values))
	} else {
		v = c.expr(e)
	}
	if v.known() == celString {
		return c.lift(c.w.support.call("crdStringSize"), []celValue{v})
	}
	if shape := v.goShape(); shape == listShape || shape == mapShape && !v.inGo.isOld &&
		!canBeNull(v.inGo.typ.Underlying().(*types.Map).Elem()) {
		c.w.texts[v.node.schema] = true
		return c.goSize(v)
	}
	switch n := v.described(); {
	case n.isList():
		return result(jen.Id("crdItemCount").Call(v.code), celInt)
	case n.isMap():
		return result(jen.Id("crdFieldCount").Call(v.code), celInt)
	}
	return asserted(jen.Id("crdSize").Call(c.dyn(v)), celInt)
}

// isTrue reports whether a predicate is a bool variable, or its comparison with true.
func isTrue(e ast.Expr, name string) bool {
	if sides, ok := operationOf(e, operators.Equals, 2); ok && isLiteral(sides[1], celtypes.True) {
		e = sides[0]
	}
	return isIdent(e, name)
}

// countTrue compiles the size of [a, b].filter(x, x), the usual way to count the conditions that hold.
func (c *celCompiler) countTrue(m *celMacro) (celValue, bool) {
	list := m.fold.IterRange()
	if list.Kind() != ast.ListKind || len(list.AsList().OptionalIndices()) > 0 || m.fold.IterVar2() != "" ||
		!isTrue(m.predicate, m.fold.IterVar()) {
		return celValue{}, false
	}
	var conditions []jen.Code
	for _, condition := range c.exprs(list.AsList().Elements()) {
		if condition.known() != celBool {
			return celValue{}, false
		}
		conditions = append(conditions, c.result(condition))
	}
	return result(jen.Id("crdCountTrue").Call(conditions...), celInt), true
}
