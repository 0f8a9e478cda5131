package gocode

import (
	"github.com/dave/jennifer/jen"
	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// A celForm is the representation of the value of an expression.
type celForm uint8

const (
	// A dynamic value is an any that holds a value of CEL or a *crdFailure.
	formDynamic celForm = iota
	// A plain value is one of its Go type, and cannot fail.
	formPlain
	// A result is a crdResult of its Go type.
	formResult
	// A raw value is an any that holds the JSON which a node of the schema describes, or a *crdFailure.
	formRaw
	// A typed value is one of a Go type, which only typed code can read.
	formTyped
)

// A celValue is the Go code of an expression.
type celValue struct {
	code jen.Code
	form celForm
	// typ is the Go type of a plain value, of a result, or of a dynamic value that is not a failure; celDyn if it is
	// unknown.
	typ celType
	// node is the schema of a raw value.
	node *celNode
	// fields are set for self, whose fields are looked up once for all rules of a place.
	fields *celFields
	// compares is the operands of a plain comparison: go vet reports two comparisons of one variable in a chain.
	compares []string
	// negates is the value of which this one is the negation.
	negates *celValue
	// constant is the value of a literal.
	constant ref.Val
	// typed is what typed code knows about the value; nil for nothing.
	typed typedValue
}

// A typedValue is what typed code knows about a value.
type typedValue interface {
	// Dynamic is the code of a value of form formTyped as a dynamic one.
	Dynamic() jen.Code
}

func dynamic(code jen.Code) celValue           { return celValue{code: code} }
func dynamicList(code jen.Code) celValue       { return celValue{code: code, typ: celList} }
func plain(code jen.Code, t celType) celValue  { return celValue{code: code, form: formPlain, typ: t} }
func result(code jen.Code, t celType) celValue { return celValue{code: code, form: formResult, typ: t} }
func raw(code jen.Code, node *celNode) celValue {
	return celValue{code: code, form: formRaw, node: node}
}

// asserted is a dynamic value that must have a type, which is checked at run time.
func asserted(code jen.Code, t celType) celValue {
	return result(jen.Id("crdAs").Types(t.code()).Call(code), t)
}

// described is the schema of a raw value that is not null; nil for other values.
func (v celValue) described() *celNode {
	if v.form == formRaw && !v.node.mayBeNull {
		return v.node
	}
	return nil
}

// known is the Go type of a value if it is certain; celDyn if a dynamic function must check it.
func (v celValue) known() celType {
	if v.form == formRaw {
		if v.described().isList() {
			return celList
		}
		return v.node.scalar()
	}
	return v.typ
}

// result is a crdResult of the value, whose type is known.
func (c *celCompiler) result(v celValue) jen.Code {
	switch {
	case v.form == formPlain:
		if i, ok := v.constant.(celtypes.Int); ok && int64(int32(i)) == int64(i) {
			return jen.Id("crdOK").Types(jen.Int64()).Call(jen.Lit(int(i)))
		}
		return jen.Id("crdOK").Call(v.code)
	case v.form == formRaw && v.node.scalar() != celDyn:
		reader, _ := v.node.reader()
		return jen.Id(reader).Call(v.code)
	case v.form == formResult:
		return v.code
	}
	return asserted(c.dyn(v), v.known()).code
}

// dyn is the value as a dynamic one.
func (c *celCompiler) dyn(v celValue) jen.Code {
	switch v.form {
	case formResult:
		return jen.Add(v.code).Dot("dyn").Call()
	case formRaw:
		return jen.Id("crdJSONValue").Call(v.code, v.node.typeOf(c.w))
	case formTyped:
		return v.typed.Dynamic()
	}
	return v.code
}

// celTypes are the types that hold values of checked types; a value of any other is dynamic.
var celTypes = map[celtypes.Kind]celType{
	celtypes.BoolKind: celBool, celtypes.IntKind: celInt, celtypes.UintKind: celUint, celtypes.DoubleKind: celDouble,
	celtypes.StringKind: celString, celtypes.BytesKind: celBytes, celtypes.TimestampKind: celTimestamp,
	celtypes.DurationKind: celDuration,
}

// lazy is a function literal without parameters that returns the code.
func lazy(of jen.Code, code jen.Code) jen.Code {
	return jen.Func().Params().Add(of).Block(jen.Return(code))
}

// resultOf is the type of a crdResult.
func resultOf(t celType) *jen.Statement { return jen.Id("crdResult").Types(t.code()) }
