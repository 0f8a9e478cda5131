package gocode

import (
	"fmt"
	"slices"
	"strings"

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

// junction compiles && and ||. An operand may decide the result even if the other one fails.
func (c *celCompiler) junction(operator string, operands []ast.Expr) celValue {
	left := c.condition(operands[0])
	for _, operand := range operands[1:] {
		if right := c.condition(operand); !isSame(left, right) {
			left = c.join(operator, left, right)
		}
	}
	return left
}

// join joins two conditions with && or ||.
func (c *celCompiler) join(operator string, left, right celValue) celValue {
	again := slices.ContainsFunc(right.compares,
		func(text string) bool { return slices.Contains(left.compares, text) })
	if left.form == formPlain && right.form == formPlain && !again {
		both := plain(jen.Parens(jen.Add(left.code).Op(operator).Add(right.code)), celBool)
		both.compares = slices.Concat(left.compares, right.compares)
		return both
	}
	function := map[string]string{"&&": "crdAnd", "||": "crdOr"}[operator]
	return result(jen.Id(function).Call(c.result(left), lazy(resultOf(celBool), c.result(right))), celBool)
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
	if v.form == formPlain {
		negated = plain(jen.Op("!").Add(v.code), celBool)
		negated.compares = v.compares
	}
	negated.negates = &v
	return negated
}

// conditional compiles ?:.
func (c *celCompiler) conditional(args []ast.Expr) celValue {
	is, yes, no := c.condition(args[0]), c.expr(args[1]), c.expr(args[2])
	return c.choice(is, yes, no, yes.form == formPlain && no.form == formPlain)
}

// choice is condition ? yes : no. If it is eager, both alternatives are plain and evaluated before.
func (c *celCompiler) choice(is, yes, no celValue, isEager bool) celValue {
	condition := c.result(is)
	t := yes.known()
	switch {
	case yes.form == formRaw && no.form == formRaw && yes.node.schema == no.node.schema &&
		yes.node.mayBeNull == no.node.mayBeNull:
		return raw(jen.Id("crdIfDyn").Call(condition, lazy(value(), yes.code), lazy(value(), no.code)), yes.node)
	case t == celDyn || t != no.known():
		return dynamic(jen.Id("crdIfDyn").Call(condition, lazy(value(), c.dyn(yes)), lazy(value(), c.dyn(no))))
	case isEager:
		return result(jen.Id("crdChoose").Types(t.code()).Call(condition, yes.code, no.code), t)
	}
	return result(jen.Id("crdIf").Call(
		condition, lazy(resultOf(t), c.result(yes)), lazy(resultOf(t), c.result(no))), t)
}

// isSame reports whether two operands are the same plain Go code, which staticcheck reports as a mistake.
func isSame(left, right celValue) bool {
	return left.form == formPlain && right.form == formPlain && source(left.code) == source(right.code)
}

// comparable reports whether == of Go is == of CEL for two values of a type.
func (t celType) comparable() bool {
	return slices.Contains([]celType{celBool, celInt, celUint, celDouble, celString, celDuration}, t)
}

// ordered reports whether < of Go is < of CEL for two values of a type, which a double may not be: NaN is an error.
func (t celType) ordered() bool {
	return slices.Contains([]celType{celInt, celUint, celString, celDuration}, t)
}

// A celComparison is an operator that compares two values, as in Go, and the functions that do so for results and for
// dynamic values. An operator of Go compares values of a type for which direct returns true.
type celComparison struct {
	operator, results, dynamic string
	direct                     func(celType) bool
}

// comparisons are those of CEL, by the name of the operator.
var comparisons = map[string]celComparison{
	operators.Equals:        {"==", "crdEq", "crdEqual", celType.comparable},
	operators.NotEquals:     {"!=", "crdNe", "crdNotEqual", celType.comparable},
	operators.Less:          {"<", "crdLt", "crdLess", celType.ordered},
	operators.LessEquals:    {"<=", "crdLe", "crdLessEqual", celType.ordered},
	operators.Greater:       {">", "crdGt", "crdGreater", celType.ordered},
	operators.GreaterEquals: {">=", "crdGe", "crdGreaterEqual", celType.ordered},
}

// isEquality reports whether a comparison is == or !=.
func (o celComparison) isEquality() bool { return o.operator == "==" || o.operator == "!=" }

// comparison compiles a comparison: with an operator of Go, with a function on results, or with one on dynamic values.
func (c *celCompiler) comparison(o celComparison, left, right celValue) celValue {
	switch t := left.known(); {
	case o.isEquality() && c.haveSameSchema(left, right):
		return result(jen.Id(o.dynamic+"Raw").Call(left.code, right.code, left.node.typeOf(c.w)), celBool)
	case t != right.known() || !o.direct(t):
		return asserted(jen.Id(o.dynamic).Call(c.dyn(left), c.dyn(right)), celBool)
	case t != celDouble && isSame(left, right):
		return constantValue(celtypes.Bool(strings.Contains(o.operator, "=") && o.operator != "!="))
	case left.form == formPlain && right.form == formPlain:
		v := plain(jen.Parens(jen.Add(left.code).Op(o.operator).Add(right.code)), celBool)
		for _, side := range []celValue{left, right} {
			if side.constant == nil {
				v.compares = append(v.compares, source(side.code))
			}
		}
		return v
	}
	return result(jen.Id(o.results).Call(c.result(left), c.result(right)), celBool)
}

// haveSameSchema reports whether two values are JSON of lists or objects with the same schema.
func (c *celCompiler) haveSameSchema(left, right celValue) bool {
	return left.form == formRaw && right.form == formRaw && left.node.scalar() == celDyn &&
		fmt.Sprintf("%#v", left.node.typeOf(c.w)) == fmt.Sprintf("%#v", right.node.typeOf(c.w))
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
	return c.isIn(c.expr(args[0]), c.expr(args[1]))
}

// isIn compiles membership of a value in a container.
func (c *celCompiler) isIn(x, container celValue) celValue {
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
	if m := c.macro(e); m != nil && m.kind == macroFilter {
		if count, ok := c.countTrue(m); ok {
			return count
		}
		return c.filteredSize(m, c.expr(m.fold.IterRange()))
	}
	return c.sizeOf(c.expr(e))
}

// filteredSize compiles the number of values that a filter keeps.
func (c *celCompiler) filteredSize(m *celMacro, values celValue) celValue {
	if count, ok := c.count(m, values); ok {
		return count
	}
	return c.sizeOf(c.dynamicMacro(m, c.dyn(values)))
}

// sizeOf compiles the size of a value.
func (c *celCompiler) sizeOf(v celValue) celValue {
	if v.known() == celString {
		return c.lift(c.w.support.call("crdStringSize"), []celValue{v})
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
