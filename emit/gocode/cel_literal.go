package gocode

import (
	"math"

	"github.com/dave/jennifer/jen"
	"github.com/google/cel-go/common/ast"
	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// constantValue is the Go code of a constant.
func constantValue(constant ref.Val) celValue {
	v := celValue{form: formPlain, constant: constant}
	switch constant := constant.(type) {
	case celtypes.Bool:
		v.code, v.typ = jen.Lit(bool(constant)), celBool
	case celtypes.Int:
		v.code, v.typ = jen.Lit(int64(constant)), celInt
	case celtypes.Uint:
		v.code, v.typ = jen.Lit(uint64(constant)), celUint
	case celtypes.Double:
		v.code, v.typ = double(float64(constant)), celDouble
	case celtypes.String:
		v.code, v.typ = jen.Lit(string(constant)), celString
	case celtypes.Bytes:
		v.code, v.typ = jen.Index().Byte().Call(jen.Lit(string(constant))), celBytes
	case celtypes.Duration:
		v.code, v.typ = jen.Qual("time", "Duration").Call(jen.Lit(int(constant.Duration))), celDuration
	default:
		v.code, v.form = jen.Nil(), formDynamic
	}
	return v
}

// double is the Go code of a double. Go has no constants for NaN and infinities, which conversions may return.
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

// constantItems are the items of a list literal, if all are literals themselves.
func constantItems(e ast.Expr) (items []celValue, ok bool) {
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

// oneOf is the function that reports whether a text or an integer is one of some.
func (w *writer) oneOf(t celType, values []jen.Code, at place) string {
	var cases []jen.Code
	seen := map[string]bool{}
	for _, v := range values {
		if text := source(v); !seen[text] {
			cases, seen[text] = append(cases, v), true
		}
	}
	return w.function(function{
		name: "crdIsOneOf" + at.name, doc: "reports whether a value is one of those of " + at.text(),
		params: []jen.Code{jen.Id("x").Add(t.code())}, results: []jen.Code{jen.Bool()},
		body: []jen.Code{
			jen.Switch(jen.Id("x")).Block(jen.Case(cases...).Block(jen.Return(jen.True()))),
			jen.Return(jen.False()),
		},
	})
}

// constantList is a list of literals, which is made once.
func (c *celCompiler) constantList(constants []celValue) jen.Code {
	return jen.Id(c.w.variable("crdConstantList"+c.at.name, "is a list of constants of a rule on "+c.at.text(),
		jen.Any().Call(jen.Id("crdList").Values(jen.Id("items").Op(":").Index().Any().ValuesFunc(func(g *jen.Group) {
			for _, constant := range constants {
				g.Add(constant.code)
			}
		})))))
}

// list compiles a list literal.
func (c *celCompiler) list(e ast.Expr) celValue {
	if constants, ok := constantItems(e); ok {
		return dynamicList(c.constantList(constants))
	}
	list := e.AsList()
	optional := map[int]bool{}
	for _, i := range list.OptionalIndices() {
		optional[int(i)] = true
	}
	var items []jen.Code
	for i, item := range list.Elements() {
		items = append(items, entry(c.dyn(c.expr(item)), optional[i]))
	}
	return dynamicList(jen.Id("crdListLiteral").Call(items...))
}

// entry is a value of a literal, which is omitted if it is an empty optional.
func entry(code jen.Code, optional bool) jen.Code {
	if optional {
		return jen.Id("crdEntryIf").Values(code)
	}
	return code
}

// mapping compiles a map literal. One of constants is made once.
func (c *celCompiler) mapping(e ast.Expr) celValue {
	var pairs []jen.Code
	constant := true
	for _, member := range e.AsMap().Entries() {
		member := member.AsMapEntry()
		constant = constant && !member.IsOptional() && member.Key().Kind() == ast.LiteralKind && member.Value().
			Kind() == ast.LiteralKind
		pairs = append(pairs, c.dyn(c.expr(member.Key())), entry(c.dyn(c.expr(member.Value())), member.IsOptional()))
	}
	code := jen.Id("crdMapLiteral").Call(pairs...)
	if constant {
		return dynamic(jen.Id(c.w.variable("crdConstantMap"+c.at.name,
			"is a map of constants of a rule on "+c.at.text(), code)))
	}
	return dynamic(code)
}
