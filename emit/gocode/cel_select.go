package gocode

import (
	"github.com/dave/jennifer/jen"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	celtypes "github.com/google/cel-go/common/types"
)

// selection compiles x.field and has(x.field); the name of a type may look the same.
func (c *celCompiler) selection(e ast.Expr) celValue {
	if ref := c.ast.ReferenceMap()[e.ID()]; ref != nil {
		return c.ident(e, ref.Name)
	}
	s := e.AsSelect()
	operand := c.operand(s.Operand(), s.FieldName())
	if s.IsTestOnly() {
		return c.has(s.Operand(), operand, s.FieldName())
	}
	return c.field(s, operand)
}

// field compiles operand.field.
func (c *celCompiler) field(s ast.SelectExpr, operand celValue) celValue {
	n := operand.described()
	switch property, name := n.property(s.FieldName()); {
	case property != nil && operand.fields != nil:
		return raw(jen.Id("crdThere").Call(operand.fields.use(name), jen.Lit(s.FieldName())), property)
	case property != nil:
		return raw(getField(operand.code, name, s.FieldName()), property)
	case n.isMap():
		return raw(jen.Id("crdGetKey").Call(operand.code, jen.Lit(s.FieldName())), n.value())
	}
	return dynamic(jen.Id("crdSelect").Call(c.link(s.Operand(), operand), jen.Lit(s.FieldName())))
}

// operand compiles the operand of a selection. Of self, only the field is used if the schema describes it.
func (c *celCompiler) operand(e ast.Expr, field string) celValue {
	if e.Kind() == ast.IdentKind {
		v := c.vars[e.AsIdent()]
		if property, _ := v.node.property(field); property != nil && v.fields != nil {
			if reader, _ := property.reader(); reader != "" {
				return v
			}
		}
	}
	v := c.expr(e)
	v.fields = nil
	return v
}

// getField is a field of an object; CEL may have another name for it.
func getField(object jen.Code, name, escaped string) jen.Code {
	if name == escaped {
		return jen.Id("crdGet").Call(object, jen.Lit(name))
	}
	return jen.Id("crdGetEscaped").Call(object, jen.Lit(name), jen.Lit(escaped))
}

// link is the dynamic operand of a selection. In a chain of selections cel-go looks into an optional value only at
// the beginning, or after an optional selection: one that a plain selection has found in a map stays closed.
func (c *celCompiler) link(e ast.Expr, operand celValue) jen.Code {
	code := c.dyn(operand)
	var before ast.Expr
	switch {
	case !c.isOptional(e):
		return code
	case e.Kind() == ast.SelectKind && !e.AsSelect().IsTestOnly():
		before = e.AsSelect().Operand()
	case e.Kind() == ast.CallKind && e.AsCall().FunctionName() == operators.Index:
		before = e.AsCall().Args()[0]
	}
	if before == nil || c.isOptional(before) {
		return code
	}
	return jen.Id("crdClosed").Call(code)
}

func (c *celCompiler) isOptional(e ast.Expr) bool {
	return c.ast.GetType(e.ID()).TypeName() == "optional_type"
}

// has compiles has(x.field).
func (c *celCompiler) has(e ast.Expr, operand celValue, field string) celValue {
	n := operand.described()
	if property, name := n.property(field); property != nil {
		switch reader := property.checker(); {
		case reader == "":
		case operand.fields != nil:
			return result(jen.Id("crdIsThere").Call(operand.fields.use(name), jen.Id(reader)), celBool)
		default:
			return result(jen.Id("crdHas").Call(operand.code, jen.Lit(name), jen.Id(reader)), celBool)
		}
	}
	if n.isMap() {
		if reader := n.value().checker(); reader != "" {
			key := jen.Id("crdOK").Call(jen.Lit(field))
			return result(jen.Id("crdHasKey").Call(key, operand.code, jen.Id(reader)), celBool)
		}
	}
	return asserted(jen.Id("crdPresent").Call(c.link(e, operand), jen.Lit(field)), celBool)
}

// index compiles operand[key]. The operand is the value of e.
func (c *celCompiler) index(e ast.Expr, operand, key celValue) celValue {
	switch n := operand.described(); {
	case n.isList() && key.known() == celInt:
		return raw(jen.Id("crdItemOf").Call(operand.code, c.result(key)), n.item())
	case n.isMap() && key.known() == celString:
		if constant, ok := key.constant.(celtypes.String); ok {
			return raw(jen.Id("crdGetKey").Call(operand.code, jen.Lit(string(constant))), n.value())
		}
		return raw(jen.Id("crdGetAny").Call(operand.code, c.result(key)), n.value())
	}
	return dynamic(jen.Id("crdIndex").Call(c.link(e, operand), c.dyn(key)))
}
