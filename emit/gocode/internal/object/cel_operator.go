package object

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	celtypes "github.com/google/cel-go/common/types"
)

// Condition compiles an operand that must be a bool, to a value of known type.
func (c *Compiler) Condition(e ast.Expr) Value {
	v := c.Expr(e)
	if v.Known() == BoolType {
		return v
	}
	return asserted(c.Dyn(v), BoolType)
}

// junction compiles && and ||. An operand may decide the result even if the other one fails.
func (c *Compiler) junction(operator string, operands []ast.Expr) Value {
	left := c.Condition(operands[0])
	for _, operand := range operands[1:] {
		if right := c.Condition(operand); !IsSame(left, right) {
			left = c.Join(operator, left, right)
		}
	}
	return left
}

// Join joins two conditions with && or ||.
func (c *Compiler) Join(operator string, left, right Value) Value {
	again := slices.ContainsFunc(right.Compares,
		func(text string) bool { return slices.Contains(left.Compares, text) })
	if left.Form == FormPlain && right.Form == FormPlain && !again {
		both := Plain(jen.Parens(jen.Add(left.Code).Op(operator).Add(right.Code)), BoolType)
		both.Compares = slices.Concat(left.Compares, right.Compares)
		return both
	}
	function := map[string]string{"&&": "And", "||": "Or"}[operator]
	return Result(Runtime(function).Call(c.Result(left), Lazy(ResultOf(BoolType), c.Result(right))), BoolType)
}

// negation compiles !. A double negation is removed.
func (c *Compiler) negation(operand ast.Expr) Value {
	if negated, ok := OperationOf(operand, operators.LogicalNot, 1); ok {
		return c.Condition(negated[0])
	}
	return c.Negated(c.Condition(operand))
}

// Negated compiles ! for a condition.
func (c *Compiler) Negated(v Value) Value {
	if v.Negates != nil {
		return *v.Negates
	}
	negated := Result(Runtime("Not").Call(c.Result(v)), BoolType)
	if v.Form == FormPlain {
		negated = Plain(jen.Op("!").Add(v.Code), BoolType)
		negated.Compares = v.Compares
	}
	negated.Negates = &v
	return negated
}

// conditional compiles ?:.
func (c *Compiler) conditional(args []ast.Expr) Value {
	cond, yes, no := c.Condition(args[0]), c.Expr(args[1]), c.Expr(args[2])
	return c.Choice(cond, yes, no, yes.Form == FormPlain && no.Form == FormPlain)
}

// Choice is condition ? yes : no. If it is eager, both alternatives are plain and evaluated before.
func (c *Compiler) Choice(cond, yes, no Value, isEager bool) Value {
	condition := c.Result(cond)
	t := yes.Known()
	switch {
	case yes.Form == formRaw && no.Form == formRaw && yes.node.Schema == no.node.Schema &&
		yes.node.MayBeNull == no.node.MayBeNull:
		return raw(Runtime("IfDyn").Call(condition, Lazy(AnyType(), yes.Code), Lazy(AnyType(), no.Code)), yes.node)
	case t == DynType || t != no.Known():
		return Dynamic(Runtime("IfDyn").Call(condition, Lazy(AnyType(), c.Dyn(yes)), Lazy(AnyType(), c.Dyn(no))))
	case isEager:
		return Result(Runtime("Choose").Types(t.Code()).Call(condition, yes.Code, no.Code), t)
	}
	return Result(Runtime("If").Call(
		condition, Lazy(ResultOf(t), c.Result(yes)), Lazy(ResultOf(t), c.Result(no))), t)
}

// IsSame reports whether two operands are the same plain Go code, which staticcheck reports as a mistake.
func IsSame(left, right Value) bool {
	return left.Form == FormPlain && right.Form == FormPlain && Source(left.Code) == Source(right.Code)
}

// Comparable reports whether == of Go is == of CEL for two values of a type.
func (t Type) Comparable() bool {
	return slices.Contains([]Type{BoolType, IntType, celUint, DoubleType, StringType, celDuration}, t)
}

// ordered reports whether < of Go is < of CEL for two values of a type, which a double may not be: NaN is an error.
func (t Type) ordered() bool {
	return slices.Contains([]Type{IntType, celUint, StringType, celDuration}, t)
}

// A Comparison is an operator that compares two values, as in Go, and the functions that do so for results and for
// dynamic values. An operator of Go compares values of a type for which direct returns true.
type Comparison struct {
	Operator, results, dynamic string
	Direct                     func(Type) bool
}

// Comparisons are those of CEL, by the name of the operator.
var Comparisons = map[string]Comparison{
	operators.Equals:        {"==", "Eq", "Equal", Type.Comparable},
	operators.NotEquals:     {"!=", "Ne", "NotEqual", Type.Comparable},
	operators.Less:          {"<", "Lt", "Less", Type.ordered},
	operators.LessEquals:    {"<=", "Le", "LessEqual", Type.ordered},
	operators.Greater:       {">", "Gt", "Greater", Type.ordered},
	operators.GreaterEquals: {">=", "Ge", "GreaterEqual", Type.ordered},
}

// IsEquality reports whether a comparison is == or !=.
func (o Comparison) IsEquality() bool { return o.Operator == "==" || o.Operator == "!=" }

// Comparison compiles a comparison: with an operator of Go, with a function on results, or with one on dynamic values.
func (c *Compiler) Comparison(o Comparison, left, right Value) Value {
	switch t := left.Known(); {
	case o.IsEquality() && c.haveSameSchema(left, right):
		return Result(Runtime(o.dynamic+"Raw").Call(left.Code, right.Code, left.node.TypeOf(c.Writer)), BoolType)
	case t != right.Known() || !o.Direct(t):
		return asserted(Runtime(o.dynamic).Call(c.Dyn(left), c.Dyn(right)), BoolType)
	case t != DoubleType && IsSame(left, right):
		return constantValue(celtypes.Bool(strings.Contains(o.Operator, "=") && o.Operator != "!="))
	case left.Form == FormPlain && right.Form == FormPlain:
		v := Plain(jen.Parens(jen.Add(left.Code).Op(o.Operator).Add(right.Code)), BoolType)
		for _, side := range []Value{left, right} {
			if side.Constant == nil {
				v.Compares = append(v.Compares, Source(side.Code))
			}
		}
		return v
	}
	return Result(Runtime(o.results).Call(c.Result(left), c.Result(right)), BoolType)
}

// haveSameSchema reports whether two values are JSON of lists or objects with the same schema.
func (c *Compiler) haveSameSchema(left, right Value) bool {
	return left.Form == formRaw && right.Form == formRaw && left.node.Scalar() == DynType &&
		fmt.Sprintf("%#v", left.node.TypeOf(c.Writer)) == fmt.Sprintf("%#v", right.node.TypeOf(c.Writer))
}

// arithmetic compiles + - * / % and unary -.
func (c *Compiler) arithmetic(name string, args []ast.Expr) Value {
	function := map[string]string{
		operators.Add: "Add", operators.Subtract: "Subtract", operators.Multiply: "Multiply",
		operators.Divide: "Divide", operators.Modulo: "Modulo", operators.Negate: "Negate",
	}[name]
	operands := c.exprs(args)
	t := operands[0].Known()
	if len(operands) > 1 && operands[1].Known() != t {
		t = DynType
	}
	switch {
	case t == IntType, t == celUint && name != operators.Negate:
		suffix := map[Type]string{IntType: "Int", celUint: "Uint"}[t]
		return c.lift(c.Writer.Support.call(function+suffix), operands)
	case t == StringType && name == operators.Add:
		return c.lift(c.Writer.Support.call("Concat"), operands)
	}
	return Dynamic(Runtime(function).Call(c.dynamics(operands)...))
}

// in compiles membership in a list or among the keys of a map.
func (c *Compiler) in(args []ast.Expr) Value {
	if constants, ok := ConstantItems(args[1]); ok {
		return c.inConstants(args[0], constants)
	}
	return c.IsIn(c.Expr(args[0]), c.Expr(args[1]))
}

// IsIn compiles membership of a value in a container.
func (c *Compiler) IsIn(x, container Value) Value {
	switch n := container.described(); {
	case n.IsList():
		if reader, t := n.Item().Reader(); x.Known() == t && t.Comparable() {
			return Result(Runtime("InList").Call(c.Result(x), container.Code, Runtime(reader)), BoolType)
		}
	case n.IsMap():
		if reader, _ := n.Value().Reader(); reader != "" && x.Known() == StringType {
			return Result(Runtime("HasKey").Call(c.Result(x), container.Code, Runtime(reader)), BoolType)
		}
	}
	return asserted(Runtime("In").Call(c.Dyn(x), c.Dyn(container)), BoolType)
}

// inConstants compiles membership in a list of constants, which cel-go turns into a set. The result for an empty list
// is false, even if the left operand fails.
func (c *Compiler) inConstants(e ast.Expr, constants []Value) Value {
	if len(constants) == 0 {
		return Plain(jen.False(), BoolType)
	}
	x := c.Expr(e)
	t := x.Known()
	list := []jen.Code{}
	for _, constant := range constants {
		if constant.Typ != t || constant.Form != FormPlain {
			t = DynType
		}
		list = append(list, constant.Code)
	}
	switch {
	case t == StringType, t == IntType, t == celUint:
		oneOf := Call{function: c.Writer.OneOf(t, list, c.at), params: []Type{t}, result: BoolType}
		return c.lift(oneOf, []Value{x})
	case t.Comparable():
		return Result(Runtime("OneOf").Call(append([]jen.Code{c.Result(x)}, list...)...), BoolType)
	}
	isOdd := func(constant Value) bool { return constant.Form != FormPlain || !constant.Typ.Comparable() }
	if slices.ContainsFunc(constants, isOdd) {
		return asserted(Runtime("In").Call(c.Dyn(x), c.constantList(constants)), BoolType)
	}
	set := c.Writer.variable("crdConstants"+c.at.Name, "are constants of a rule on "+c.at.Text(),
		jen.Index().Any().Values(list...))
	return asserted(Runtime("InConstants").Call(c.Dyn(x), jen.Id(set)), BoolType)
}

// size compiles size(x) and x.size().
func (c *Compiler) size(e ast.Expr) Value {
	if m := c.Macro(e); m != nil && m.Kind == MacroFilter {
		if count, ok := c.CountTrue(m); ok {
			return count
		}
		return c.FilteredSize(m, c.Expr(m.Fold.IterRange()))
	}
	return c.SizeOf(c.Expr(e))
}

// FilteredSize compiles the number of values that a filter keeps.
func (c *Compiler) FilteredSize(m *Macro, values Value) Value {
	if count, ok := c.count(m, values); ok {
		return count
	}
	return c.SizeOf(c.dynamicMacro(m, c.Dyn(values)))
}

// SizeOf compiles the size of a value.
func (c *Compiler) SizeOf(v Value) Value {
	if v.Known() == StringType {
		return c.lift(c.Writer.Support.call("StringSize"), []Value{v})
	}
	switch n := v.described(); {
	case n.IsList():
		return Result(Runtime("ItemCount").Call(v.Code), IntType)
	case n.IsMap():
		return Result(Runtime("FieldCount").Call(v.Code), IntType)
	}
	return asserted(Runtime("Size").Call(c.Dyn(v)), IntType)
}

// isTrue reports whether a predicate is a bool variable, or its comparison with true.
func isTrue(e ast.Expr, name string) bool {
	if sides, ok := OperationOf(e, operators.Equals, 2); ok && isLiteral(sides[1], celtypes.True) {
		e = sides[0]
	}
	return isIdent(e, name)
}

// CountTrue compiles the size of [a, b].filter(x, x), the usual way to count the conditions that hold.
func (c *Compiler) CountTrue(m *Macro) (Value, bool) {
	list := m.Fold.IterRange()
	if list.Kind() != ast.ListKind || len(list.AsList().OptionalIndices()) > 0 || m.Fold.IterVar2() != "" ||
		!isTrue(m.Predicate, m.Fold.IterVar()) {
		return Value{}, false
	}
	var conditions []jen.Code
	for _, condition := range c.exprs(list.AsList().Elements()) {
		if condition.Known() != BoolType {
			return Value{}, false
		}
		conditions = append(conditions, c.Result(condition))
	}
	return Result(Runtime("CountTrue").Call(conditions...), IntType), true
}
