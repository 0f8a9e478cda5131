package object

import (
	"github.com/dave/jennifer/jen"
	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// A celForm is the representation of the value of an expression.
type celForm uint8

const (
	// A dynamic value is an any that holds a value of CEL or a *Failure.
	formDynamic celForm = iota
	// A plain value is one of its Go type, and cannot fail.
	FormPlain
	// A result is a Result of its Go type.
	FormResult
	// A raw value is an any that holds the JSON which a node of the schema describes, or a *Failure.
	formRaw
	// A typed value is one of a Go type, which only typed code can read.
	FormTyped
)

// A Value is the Go code of an expression.
type Value struct {
	Code jen.Code
	Form celForm
	// Typ is the Go type of a plain value, of a result, or of a dynamic value that is not a failure; DynType if it is
	// unknown.
	Typ Type
	// node is the schema of a raw value.
	node *Node
	// fields are set for self, whose fields are looked up once for all rules of a place.
	fields *celFields
	// Compares is the operands of a plain comparison: go vet reports two comparisons of one variable in a chain.
	Compares []string
	// Negates is the value of which this one is the negation.
	Negates *Value
	// Constant is the value of a literal.
	Constant ref.Val
	// Typed is what typed code knows about the value; nil for nothing.
	Typed typedValue
}

// A typedValue is what typed code knows about a value.
type typedValue interface {
	// Dynamic is the code of a value of form formTyped as a dynamic one.
	Dynamic() jen.Code
}

// Dynamic returns the dynamic value of code.
func Dynamic(code jen.Code) Value     { return Value{Code: code} }
func dynamicList(code jen.Code) Value { return Value{Code: code, Typ: ListType} }

// Plain returns the plain value of code that cannot fail.
func Plain(code jen.Code, t Type) Value { return Value{Code: code, Form: FormPlain, Typ: t} }

// Result returns the result of code that may fail.
func Result(code jen.Code, t Type) Value { return Value{Code: code, Form: FormResult, Typ: t} }
func raw(code jen.Code, node *Node) Value {
	return Value{Code: code, Form: formRaw, node: node}
}

// asserted returns a dynamic value that must have a type, which is checked at run time.
func asserted(code jen.Code, t Type) Value {
	return Result(Runtime("As").Types(t.Code()).Call(code), t)
}

// described returns the schema of a raw value that is not null; nil for other values.
func (v Value) described() *Node {
	if v.Form == formRaw && !v.node.MayBeNull {
		return v.node
	}
	return nil
}

// Known returns the Go type of a value if it is certain; DynType if a dynamic function must check it.
func (v Value) Known() Type {
	if v.Form == formRaw {
		if v.described().IsList() {
			return ListType
		}
		return v.node.Scalar()
	}
	return v.Typ
}

// Result returns a Result of the value, whose type is known.
func (c *Compiler) Result(v Value) jen.Code {
	switch {
	case v.Form == FormPlain:
		if i, ok := v.Constant.(celtypes.Int); ok && int64(int32(i)) == int64(i) {
			return Runtime("OK").Types(jen.Int64()).Call(jen.Lit(int(i)))
		}
		return Runtime("OK").Call(v.Code)
	case v.Form == formRaw && v.node.Scalar() != DynType:
		reader, _ := v.node.Reader()
		return Runtime(reader).Call(v.Code)
	case v.Form == FormResult:
		return v.Code
	}
	return asserted(c.Dyn(v), v.Known()).Code
}

// Dyn returns the value as a dynamic one.
func (c *Compiler) Dyn(v Value) jen.Code {
	switch v.Form {
	case FormResult:
		return jen.Add(v.Code).Dot("Dyn").Call()
	case formRaw:
		return Runtime("JSONValue").Call(v.Code, v.node.TypeOf(c.Writer))
	case FormTyped:
		return v.Typed.Dynamic()
	}
	return v.Code
}

// celTypes are the types that hold values of checked types; a value of any other is dynamic.
var celTypes = map[celtypes.Kind]Type{
	celtypes.BoolKind: BoolType, celtypes.IntKind: IntType, celtypes.UintKind: celUint, celtypes.DoubleKind: DoubleType,
	celtypes.StringKind: StringType, celtypes.BytesKind: celBytes, celtypes.TimestampKind: celTimestamp,
	celtypes.DurationKind: celDuration,
}

// Lazy returns a function literal without parameters that returns the code.
func Lazy(typ jen.Code, code jen.Code) jen.Code {
	return jen.Func().Params().Add(typ).Block(jen.Return(code))
}

// ResultOf returns the type of a Result.
func ResultOf(t Type) *jen.Statement { return Runtime("Result").Types(t.Code()) }
