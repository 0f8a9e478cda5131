package object

import (
	"math"

	"github.com/dave/jennifer/jen"
	"github.com/google/cel-go/common/ast"
	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// constantValue returns the Go code of a constant.
func constantValue(constant ref.Val) Value {
	v := Value{Form: FormPlain, Constant: constant}
	switch constant := constant.(type) {
	case celtypes.Bool:
		v.Code, v.Typ = jen.Lit(bool(constant)), BoolType
	case celtypes.Int:
		v.Code, v.Typ = jen.Lit(int64(constant)), IntType
	case celtypes.Uint:
		v.Code, v.Typ = jen.Lit(uint64(constant)), celUint
	case celtypes.Double:
		v.Code, v.Typ = double(float64(constant)), DoubleType
	case celtypes.String:
		v.Code, v.Typ = jen.Lit(string(constant)), StringType
	case celtypes.Bytes:
		v.Code, v.Typ = jen.Index().Byte().Call(jen.Lit(string(constant))), celBytes
	case celtypes.Duration:
		v.Code, v.Typ = jen.Qual("time", "Duration").Call(jen.Lit(int(constant.Duration))), celDuration
	default:
		v.Code, v.Form = jen.Nil(), formDynamic
	}
	return v
}

// double returns the Go code of a double. Go has no constants for NaN and infinities, which conversions may return.
func double(number float64) jen.Code {
	switch {
	case math.IsNaN(number):
		return jen.Qual("math", "NaN").Call()
	case math.IsInf(number, 0):
		sign := 1
		if number < 0 {
			sign = -1
		}
		return jen.Qual("math", "Inf").Call(jen.Lit(sign))
	case number == 0 && math.Signbit(number):
		return float(number)
	}
	return jen.Float64().Call(jen.Lit(number))
}

// ConstantItems returns the items of a list literal, if all are literals themselves.
func ConstantItems(e ast.Expr) (items []Value, ok bool) {
	if e.Kind() != ast.ListKind || len(e.AsList().OptionalIndices()) > 0 {
		return nil, false
	}
	for _, item := range e.AsList().Elements() {
		if item.Kind() != ast.LiteralKind {
			return nil, false
		}
		items = append(items, constantValue(item.AsLiteral()))
	}
	return items, true
}

// OneOf returns the function that reports whether a text or an integer is one of some.
func (w *Writer) OneOf(t Type, values []jen.Code, at Place) string {
	var cases []jen.Code
	seen := map[string]bool{}
	for _, v := range values {
		if text := Source(v); !seen[text] {
			cases, seen[text] = append(cases, v), true
		}
	}
	return w.Function(Function{
		Name: "crdIsOneOf" + at.Name, Doc: "reports whether a value is one of those of " + at.Text(),
		Params: []jen.Code{jen.Id("x").Add(t.Code())}, Results: []jen.Code{jen.Bool()},
		Body: []jen.Code{
			jen.Switch(jen.Id("x")).Block(jen.Case(cases...).Block(jen.Return(jen.True()))),
			jen.Return(jen.False()),
		},
	})
}

// constantList returns a list of literals, which is made once.
func (c *Compiler) constantList(constants []Value) jen.Code {
	return jen.Id(c.Writer.variable("crdConstantList"+c.at.Name, "is a list of constants of a rule on "+c.at.Text(),
		jen.Any().Call(Runtime("List").Values(jen.Id("Items").Op(":").Index().Any().ValuesFunc(func(g *jen.Group) {
			for _, constant := range constants {
				g.Add(constant.Code)
			}
		})))))
}

// list compiles a list literal.
func (c *Compiler) list(e ast.Expr) Value {
	if constants, ok := ConstantItems(e); ok {
		return dynamicList(c.constantList(constants))
	}
	list := e.AsList()
	optional := map[int]bool{}
	for _, i := range list.OptionalIndices() {
		optional[int(i)] = true
	}
	var items []jen.Code
	for i, item := range list.Elements() {
		items = append(items, entry(c.Dyn(c.Expr(item)), optional[i]))
	}
	return dynamicList(Runtime("ListLiteral").Call(items...))
}

// entry returns a value of a literal, which is omitted if it is an empty optional.
func entry(code jen.Code, optional bool) jen.Code {
	if optional {
		return Runtime("EntryIf").Values(jen.Id("Value").Op(":").Add(code))
	}
	return code
}

// mapping compiles a map literal. One of constants is made once.
func (c *Compiler) mapping(e ast.Expr) Value {
	var pairs []jen.Code
	constant := true
	for _, member := range e.AsMap().Entries() {
		member := member.AsMapEntry()
		constant = constant && !member.IsOptional() && member.Key().Kind() == ast.LiteralKind && member.Value().
			Kind() == ast.LiteralKind
		pairs = append(pairs, c.Dyn(c.Expr(member.Key())), entry(c.Dyn(c.Expr(member.Value())), member.IsOptional()))
	}
	code := Runtime("MapLiteral").Call(pairs...)
	if constant {
		return Dynamic(jen.Id(c.Writer.variable("crdConstantMap"+c.at.Name,
			"is a map of constants of a rule on "+c.at.Text(), code)))
	}
	return Dynamic(code)
}
