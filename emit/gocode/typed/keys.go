package typed

import (
	"go/types"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/crdproof/crdproof/emit/gocode/internal/object"
	"github.com/crdproof/crdproof/internal/gojson"
	"github.com/crdproof/crdproof/schema"
)

// keyFunction returns the function that reads the keys of an item; false if typed code cannot read them. It has the
// form func(x *T) (K, bool): K is a scalar or an array of scalars, and the bool is false if a key is missing.
func (t *typed) keyFunction(elem types.Type, list *schema.Place) (jen.Code, bool) {
	s := list.Schema.Items
	typ, ok := t.w.typeCode(elem)
	if !ok || s == nil || isPointer(elem) || shapeOf(elem) != structShape {
		return nil, false
	}
	x := goValue{typ: elem, code: jen.Id("x"), isPointer: true}
	var keys, results []jen.Code
	var there []object.Condition
	for _, k := range list.Schema.ListMapKeys {
		at := slices.IndexFunc(fieldsOf(elem), func(f gojson.Field) bool { return f.Name == k.V })
		if at < 0 || fieldsOf(elem)[at].Quoted || s.Property(k.V) == nil {
			return nil, false
		}
		v := t.w.field(x, fieldsOf(elem)[at]).reached()
		scalars := map[goShape]*jen.Statement{stringShape: jen.String(), boolShape: jen.Bool(), intShape: jen.Int64()}
		result := scalars[shapeOf(v.typ)]
		if result == nil {
			return nil, false
		}
		key, isThere := keyOf(v, result, s.Property(k.V).Default)
		keys, results = append(keys, key), append(results, result)
		there = append(there, isThere)
	}
	if len(keys) == 0 {
		return nil, false
	}
	key, result := keys[0], results[0]
	for i := range keys[1:] {
		key = object.Runtime("PairOf").Call(key, keys[i+1])
		result = object.Runtime("Pair").Types(result, results[i+1])
	}
	signature := jen.Func().Params(jen.Id("x").Op("*").Add(typ)).Params(result, jen.Bool())
	return inLine(signature, jen.Return(key, object.AllOf(there...).Code())), true
}

// inLine returns a function with one statement, in one line if it is short.
func inLine(signature *jen.Statement, statement jen.Code) jen.Code {
	if len(object.Source(statement)) < 90 {
		return object.InLine(signature, statement)
	}
	return signature.Block(statement)
}

// keyOf returns the code of a key, and the condition that it is there: always if it has a default.
func keyOf(v goValue, typ jen.Code, d *schema.Value) (jen.Code, object.Condition) {
	there := object.AllOf(v.there...)
	if d != nil {
		if code, ok := scalarLiteral(*d, shapeOf(v.typ)); ok && !there.IsAlways() {
			return orElse(there, typ, v.converted(), code), object.Always
		}
	}
	if slices.ContainsFunc(v.there, func(c object.Condition) bool { return strings.HasSuffix(c.Source(), "!= nil") }) {
		zeros := map[goShape]jen.Code{stringShape: jen.Lit(""), boolShape: jen.False(), intShape: jen.Lit(0)}
		zero := zeros[shapeOf(v.typ)]
		return orElse(there, typ, v.converted(), zero), there // a nil pointer cannot be read
	}
	return v.converted(), there
}

// orElse returns a value under a condition, and otherwise another one.
func orElse(condition object.Condition, typ, value, otherwise jen.Code) jen.Code {
	return object.Runtime("OrElse").Call(condition.Code(),
		object.InLine(jen.Func().Params().Add(typ), jen.Return(value)),
		otherwise)
}

// scalarLiteral returns the code of a scalar of a shape; false if the value has another type.
func scalarLiteral(v schema.Value, shape goShape) (jen.Code, bool) {
	switch {
	case v.Kind == schema.String && shape == stringShape, v.Kind == schema.Bool && shape == boolShape:
		return object.Literal(v), true
	case v.Kind == schema.NumberKind && shape == intShape:
		if code := object.Source(object.Literal(v)); len(code) > 5 && code[:5] == "int64" {
			return object.Literal(v), true
		}
	}
	return nil, false
}
