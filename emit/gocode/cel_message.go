package gocode

import (
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"
	"github.com/google/cel-go/common/ast"
	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// anyMessage is the message that holds the encoded bytes of another one.
const anyMessage = "google.protobuf.Any"

// messageTypes are the types of messages whose value is a scalar.
var messageTypes = map[string]celType{
	"google.protobuf.BoolValue": celBool, "google.protobuf.BytesValue": celBytes,
	"google.protobuf.DoubleValue": celDouble, "google.protobuf.FloatValue": celDouble,
	"google.protobuf.Int32Value": celInt, "google.protobuf.Int64Value": celInt,
	"google.protobuf.StringValue": celString,
	"google.protobuf.UInt32Value": celUint, "google.protobuf.UInt64Value": celUint,
	"google.protobuf.Duration": celDuration, "google.protobuf.Timestamp": celTimestamp,
}

// message compiles a message literal.
func (c *celCompiler) message(e ast.Expr) celValue {
	message := e.AsStruct()
	name := strings.TrimPrefix(message.TypeName(), ".")
	if name == anyMessage {
		return c.any(e)
	}
	pairs := []jen.Code{jen.Lit(name)}
	for _, f := range message.Fields() {
		field := f.AsStructField()
		pairs = append(pairs, jen.Lit(field.Name()), entry(c.dyn(c.expr(field.Value())), field.IsOptional()))
	}
	code := jen.Id("crdNewMessage").Call(pairs...)
	if t := messageTypes[name]; t != celDyn {
		return asserted(code, t)
	}
	return dynamic(code)
}

// any compiles a google.protobuf.Any. cel-go decodes its content, which must be constant.
func (c *celCompiler) any(e ast.Expr) celValue {
	fields := map[string]ref.Val{}
	for _, f := range e.AsStruct().Fields() {
		field := f.AsStructField()
		if field.IsOptional() || field.Value().Kind() != ast.LiteralKind {
			return c.fail(e, "only a "+anyMessage+" with constant fields can be decoded")
		}
		fields[field.Name()] = field.Value().AsLiteral()
	}
	registry, err := celtypes.NewRegistry()
	if err != nil {
		return c.fail(e, err.Error())
	}
	return c.decoded(e, registry.NewValue(anyMessage, fields))
}

// decoded is the code of a value that a google.protobuf.Any holds.
func (c *celCompiler) decoded(e ast.Expr, v ref.Val) celValue {
	switch v := v.(type) {
	case *celtypes.Err:
		return dynamic(jen.Op("&").Id("crdFailure").Values(jen.Lit(v.Error())))
	case celtypes.Null:
		return dynamic(jen.Nil())
	case celtypes.Timestamp:
		unix := jen.Qual("time", "Unix").Call(jen.Lit(int(v.Unix())), jen.Lit(v.Nanosecond()))
		return dynamic(unix.Dot("UTC").Call())
	case traits.Lister:
		var items []jen.Code
		for i := range v.Size().(celtypes.Int) {
			items = append(items, c.dyn(c.decoded(e, v.Get(i))))
		}
		return dynamicList(jen.Id("crdListLiteral").Call(items...))
	case traits.Mapper:
		var keys []string
		for it := v.Iterator(); it.HasNext() == celtypes.True; {
			keys = append(keys, string(it.Next().(celtypes.String)))
		}
		slices.Sort(keys)
		var pairs []jen.Code
		for _, key := range keys {
			pairs = append(pairs, jen.Lit(key), c.dyn(c.decoded(e, v.Get(celtypes.String(key)))))
		}
		return dynamic(jen.Id("crdMapLiteral").Call(pairs...))
	}
	if constant := constantValue(v); constant.form == formPlain {
		return constant
	}
	if v.Type().TypeName() == "google.protobuf.Empty" {
		return dynamic(jen.Id("crdNewMessage").Call(jen.Lit("google.protobuf.Empty")))
	}
	return c.fail(e, "a "+v.Type().TypeName()+" cannot be decoded")
}
