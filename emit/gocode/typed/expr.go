package typed

import (
	"slices"

	"github.com/dave/jennifer/jen"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	celtypes "github.com/google/cel-go/common/types"

	"github.com/crdproof/crdproof/emit/gocode/internal/object"
	"github.com/crdproof/crdproof/schema"
)

// A goCompiler compiles a checked CEL expression on Go values. What has no form of its own here is compiled as for
// JSON.
type goCompiler struct {
	*object.Compiler
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
	node  *object.Node
	// sizeOf is set for the number of items of a list, and countIn for that of some of them.
	sizeOf, countIn *goValue
	// cond is set for the plain value of a condition.
	cond *object.Condition
	// whenTrue are the conditions that hold unless the value is false, and whenFalse those that hold unless it is true.
	whenTrue, whenFalse []string
	// direct is the code of a result that is known, and that cannot fail, under the conditions when.
	direct jen.Code
	when   []object.Condition
	// certain is set for a bool that may be unknown, and for the plain one of several conditions.
	certain *certainty
}

// factsOf returns the facts about a value.
func factsOf(v object.Value) goFacts {
	if f, ok := v.Typed.(*goFacts); ok {
		return *f
	}
	return goFacts{}
}

// on returns a value with these facts.
func (f goFacts) on(v object.Value) object.Value {
	v.Typed = &f
	return v
}

// goOf returns the Go value that typed code reads, and nodeOf its schema.
func goOf(v object.Value) *goValue       { return factsOf(v).value }
func nodeOf(v object.Value) *object.Node { return factsOf(v).node }

// withSure returns a bool with its certainty.
func withSure(v object.Value, certain *certainty) object.Value {
	f := factsOf(v)
	f.certain = certain
	return f.on(v)
}

// Compile compiles an expression that typed code reads or whose certainty it knows.
func (c *goCompiler) Compile(e ast.Expr) (object.Value, bool) {
	switch e.Kind() {
	case ast.SelectKind:
		if c.Ast.ReferenceMap()[e.ID()] == nil {
			return c.goSelection(e.AsSelect()), true
		}
	case ast.ComprehensionKind:
		if m := c.Macro(e); m != nil && m.Kind != object.MacroBind {
			values := c.Expr(m.Fold.IterRange())
			if v, ok := c.goMacro(m, values); ok {
				return v, true
			}
			return c.Unfold(m, values), true
		}
	case ast.CallKind:
		call := e.AsCall()
		args := call.Args()
		if call.IsMemberFunction() {
			args = append([]ast.Expr{call.Target()}, args...)
		}
		return c.goCall(call.FunctionName(), args)
	}
	return object.Value{}, false
}

// goCall compiles an operator.
func (c *goCompiler) goCall(name string, args []ast.Expr) (object.Value, bool) {
	switch name {
	case operators.LogicalAnd:
		return c.goJunction("&&", args), true
	case operators.LogicalOr:
		return c.goJunction("||", args), true
	case operators.LogicalNot:
		if _, isDouble := object.OperationOf(args[0], operators.LogicalNot, 1); !isDouble {
			return c.goNegated(c.Condition(args[0])), true
		}
	case operators.Conditional:
		return c.goConditional(args), true
	case operators.In, operators.OldIn:
		if _, ok := object.ConstantItems(args[1]); ok {
			return object.Value{}, false
		}
		x, container := c.Expr(args[0]), c.Expr(args[1])
		if v, ok := c.goIn(x, container); ok {
			return v, true
		}
		return c.IsIn(x, container), true
	case operators.Index:
		operand, key := c.Expr(args[0]), c.Expr(args[1])
		if v, ok := c.goIndex(operand, key); ok {
			return v, true
		}
		return c.Index(args[0], operand, key), true
	case operators.OptSelect:
		operand := c.Expr(args[0])
		if v, ok := c.goOptional(operand, object.NameIn(args)); ok {
			return v, true
		}
		return c.OptionalField(args, operand), true
	case "size":
		return c.goSizeOf(args[0])
	}
	o, ok := object.Comparisons[name]
	if !ok {
		return object.Value{}, false
	}
	return c.goComparison(o, c.Expr(args[0]), c.Expr(args[1])), true
}

// goSelection compiles x.field and has(x.field).
func (c *goCompiler) goSelection(s ast.SelectExpr) object.Value {
	operand := c.Expr(s.Operand())
	isStruct := goShapeOf(operand) == structShape
	if s.IsTestOnly() {
		if isStruct {
			if v, ok := c.goHas(operand, s.FieldName()); ok {
				return v
			}
		}
		return c.Has(s.Operand(), operand, s.FieldName())
	}
	if isStruct {
		if v, ok := c.goField(operand, s.FieldName()); ok {
			return v
		}
	}
	return c.Field(s, operand)
}

// goSizeOf compiles the size of what typed code reads or counts.
func (c *goCompiler) goSizeOf(e ast.Expr) (object.Value, bool) {
	if m := c.Macro(e); m != nil && m.Kind == object.MacroFilter {
		if count, ok := c.CountTrue(m); ok {
			return count, true
		}
		values := c.Expr(m.Fold.IterRange())
		if count, ok := c.goCount(m, values); ok {
			return count, true
		}
		return c.FilteredSize(m, values), true
	}
	v := c.Expr(e)
	if shape := goShapeOf(v); shape == listShape || shape == mapShape && !goOf(v).isOld &&
		!canBeNull(elemOf(goOf(v).typ)) {
		c.texts[nodeOf(v).Schema] = true
		return c.goSize(v), true
	}
	return c.SizeOf(v), true
}

// given compiles where facts hold.
func (c *goCompiler) given(facts []string, e ast.Expr, compile func(ast.Expr) object.Value) object.Value {
	before := c.facts
	c.facts = slices.Concat(before, facts)
	v := compile(e)
	c.facts = before
	return v
}

// goJunction compiles && and ||. The right operands are compiled with the conditions that hold unless the left ones
// decide.
func (c *goCompiler) goJunction(operator string, operands []ast.Expr) object.Value {
	decides := operator == "||"
	left := c.Condition(operands[0])
	for _, operand := range operands[1:] {
		known := factsOf(left).whenTrue
		if decides {
			known = factsOf(left).whenFalse
		}
		right := c.given(known, operand, c.Condition)
		switch {
		case object.IsSame(left, right), isConstant(right, !decides), isConstant(left, decides):
		case isConstant(left, !decides):
			left = right
		default:
			left = c.goJoin(operator, left, right)
		}
	}
	return left
}

// goJoin joins two conditions with && or ||.
func (c *goCompiler) goJoin(operator string, left, right object.Value) object.Value {
	both := goFacts{certain: c.joined(operator, left, right)}
	l, r := factsOf(left), factsOf(right)
	if _, ok := certain(right); !ok { // what it knows may not hold if the left operand decides
		r = goFacts{}
	}
	if operator == "&&" {
		both.whenTrue = slices.Concat(l.whenTrue, r.whenTrue)
	} else {
		both.whenFalse = slices.Concat(l.whenFalse, r.whenFalse)
	}
	return both.on(c.Join(operator, left, right))
}

// isConstant reports whether a value is the condition that always or never holds.
func isConstant(v object.Value, value bool) bool {
	cond := factsOf(v).cond
	return cond != nil && (value && cond.IsAlways() || !value && cond.IsNever())
}

// goNegated compiles ! for a condition.
func (c *goCompiler) goNegated(v object.Value) object.Value {
	if v.Negates != nil {
		return *v.Negates
	}
	negated, f := c.Negated(v), factsOf(v)
	var out goFacts
	if f.cond != nil {
		negated = plainCondition(f.cond.Opposite())
		negated.Negates = &v
		out = factsOf(negated)
	}
	if f.certain != nil {
		out.certain = &certainty{f.certain.no, f.certain.yes}
	}
	out.whenTrue, out.whenFalse = f.whenFalse, f.whenTrue
	return out.on(negated)
}

// goConditional compiles ?:.
func (c *goCompiler) goConditional(args []ast.Expr) object.Value {
	cond := c.Condition(args[0])
	yes := c.given(factsOf(cond).whenTrue, args[1], c.Expr)
	no := c.given(factsOf(cond).whenFalse, args[2], c.Expr)
	switch {
	case isConstant(cond, true):
		return yes
	case isConstant(cond, false):
		return no
	case cond.Form == object.FormPlain && yes.Known() == object.BoolType && no.Known() == object.BoolType:
		switch {
		case no.Constant == celtypes.True:
			return c.goJoin("||", c.goNegated(cond), yes)
		case no.Constant == celtypes.False:
			return c.goJoin("&&", cond, yes)
		case yes.Constant == celtypes.True:
			return c.goJoin("||", cond, no)
		case yes.Constant == celtypes.False:
			return c.goJoin("&&", c.goNegated(cond), no)
		}
	}
	isEager := yes.Form == object.FormPlain && no.Form == object.FormPlain && yes.Constant != nil && no.Constant != nil
	v := c.Choice(cond, yes, no, isEager)
	if yes.Known() == object.BoolType && v.Known() == object.BoolType {
		v = withSure(v, chosen(cond, yes, no))
	}
	return v
}

// goComparison compiles a comparison.
func (c *goCompiler) goComparison(o object.Comparison, left, right object.Value) object.Value {
	if left.Constant != nil && right.Constant == nil && o.IsEquality() {
		left, right = right, left
	}
	v := c.Comparison(o, left, right)
	if left.Known() != right.Known() || !o.Direct(left.Known()) || v.Constant != nil {
		return v
	}
	f := goFacts{certain: compared(left, o.Operator, right)}
	if v.Form == object.FormPlain {
		f.whenTrue, f.whenFalse = knownItems(o.Operator, left, right)
	}
	return f.on(v)
}

// compared returns the certainty of a comparison; nil if it is unknown.
func compared(left object.Value, operator string, right object.Value) *certainty {
	x, ifLeft, isLeft := bareCode(left)
	y, ifRight, isRight := bareCode(right)
	if !isLeft || !isRight {
		return nil
	}
	cond := object.Compares(x, operator, y)
	_, isLimit := right.Constant.(celtypes.Int)
	if list := factsOf(left).countIn; isLimit && list != nil && (operator == "<" || operator == "<=") {
		// Most lists are short.
		cond = object.AnyOf(object.Compares(jen.Int64().Call(jen.Len(list.value())), operator, y), cond)
	}
	return certaintyIf(slices.Concat(ifLeft, ifRight), certaintyOf(cond))
}

// knownItems returns the conditions about the items of a list that follow if a comparison of their number holds, and
// if it does not.
func knownItems(operator string, left, right object.Value) (whenTrue, whenFalse []string) {
	swapped := map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
	list, n := factsOf(left).sizeOf, right.Constant
	if size := factsOf(right).sizeOf; size != nil {
		list, n, operator = size, left.Constant, swapped[operator]
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
func (c *goCompiler) Lifted(v object.Value, call object.Call, function jen.Code, operands []object.Value,
	l *object.Language) object.Value {
	var direct []jen.Code
	var when []object.Condition
	for _, operand := range operands {
		code, under, ok := bareCode(operand)
		if !ok {
			return v
		}
		direct, when = append(direct, code), append(when, under...)
	}
	switch {
	case v.Form == object.FormPlain && l != nil:
		cond := l.Holds(v.Code, direct[0])
		return goFacts{cond: &cond}.on(v)
	case v.Form != object.FormResult || call.Fails:
		return v
	}
	code := jen.Add(function).Call(direct...)
	v = knownIf(v, when, code)
	if l != nil {
		v = withSure(v, certaintyIf(when, certaintyOf(l.Holds(code, direct[0]))))
	}
	return v
}
