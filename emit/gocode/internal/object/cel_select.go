package object

import (
	"github.com/dave/jennifer/jen"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	celtypes "github.com/google/cel-go/common/types"
)

// selection compiles x.field and has(x.field); the name of a type may look the same.
func (c *Compiler) selection(e ast.Expr) Value {
	if ref := c.Ast.ReferenceMap()[e.ID()]; ref != nil {
		return c.ident(e, ref.Name)
	}
	s := e.AsSelect()
	operand := c.operand(s.Operand(), s.FieldName())
	if s.IsTestOnly() {
		return c.Has(s.Operand(), operand, s.FieldName())
	}
	return c.Field(s, operand)
}

// Field compiles operand.field.
func (c *Compiler) Field(s ast.SelectExpr, operand Value) Value {
	n := operand.described()
	switch property, name := n.Property(s.FieldName()); {
	case property != nil && operand.fields != nil:
		there := c.Writer.reads(s.FieldName()).Dot("There")
		return raw(there.Call(operand.fields.use(name), jen.Lit(s.FieldName())), property)
	case property != nil:
		return raw(c.getField(operand.Code, name, s.FieldName()), property)
	case n.IsMap():
		return raw(c.getKey(operand.Code, s.FieldName()), n.Value())
	}
	return Dynamic(Runtime("Select").Call(c.link(s.Operand(), operand), jen.Lit(s.FieldName())))
}

// operand compiles the operand of a selection. Of self, only the field is used if the schema describes it.
func (c *Compiler) operand(e ast.Expr, field string) Value {
	if e.Kind() == ast.IdentKind {
		v := c.Vars[e.AsIdent()]
		if property, _ := v.node.Property(field); property != nil && v.fields != nil {
			if reader, _ := property.Reader(); reader != "" {
				return v
			}
		}
	}
	v := c.Expr(e)
	v.fields = nil
	return v
}

// getField returns a field of an object; CEL may have another name for it.
func (c *Compiler) getField(object jen.Code, name, escaped string) jen.Code {
	fields := c.Writer.reads(escaped)
	if name == escaped {
		return fields.Dot("Get").Call(object, jen.Lit(name))
	}
	return fields.Dot("GetEscaped").Call(object, jen.Lit(name), jen.Lit(escaped))
}

// getKey returns the value of a key of a map.
func (c *Compiler) getKey(object jen.Code, key string) jen.Code {
	return c.Writer.reads(key).Dot("GetKey").Call(object, jen.Lit(key))
}

// link returns the dynamic operand of a selection. In a chain of selections cel-go looks into an optional value only
// at the beginning, or after an optional selection: one that a plain selection has found in a map stays closed.
func (c *Compiler) link(e ast.Expr, operand Value) jen.Code {
	code := c.Dyn(operand)
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
	return Runtime("Closed").Call(code)
}

func (c *Compiler) isOptional(e ast.Expr) bool {
	return c.Ast.GetType(e.ID()).TypeName() == "optional_type"
}

// Has compiles has(x.field).
func (c *Compiler) Has(e ast.Expr, operand Value, field string) Value {
	n := operand.described()
	if property, name := n.Property(field); property != nil {
		switch reader := property.checker(); {
		case reader == "":
		case operand.fields != nil:
			return Result(Runtime("IsThere").Call(operand.fields.use(name), Runtime(reader)), BoolType)
		default:
			return Result(Runtime("Has").Call(operand.Code, jen.Lit(name), Runtime(reader)), BoolType)
		}
	}
	if n.IsMap() {
		if reader := n.Value().checker(); reader != "" {
			key := Runtime("OK").Call(jen.Lit(field))
			return Result(Runtime("HasKey").Call(key, operand.Code, Runtime(reader)), BoolType)
		}
	}
	return asserted(Runtime("Present").Call(c.link(e, operand), jen.Lit(field)), BoolType)
}

// Index compiles operand[key]. The operand is the value of e.
func (c *Compiler) Index(e ast.Expr, operand, key Value) Value {
	switch n := operand.described(); {
	case n.IsList() && key.Known() == IntType:
		return raw(Runtime("ItemOf").Call(operand.Code, c.Result(key)), n.Item())
	case n.IsMap() && key.Known() == StringType:
		if constant, ok := key.Constant.(celtypes.String); ok {
			return raw(c.getKey(operand.Code, string(constant)), n.Value())
		}
		return raw(Runtime("GetAny").Call(operand.Code, c.Result(key)), n.Value())
	}
	return Dynamic(Runtime("Index").Call(c.link(e, operand), c.Dyn(key)))
}
