package gocode

import (
	"go/types"
	"slices"

	"github.com/dave/jennifer/jen"
	"github.com/google/cel-go/common/ast"

	"github.com/crdproof/crdproof/generator/gojson"
	"github.com/crdproof/crdproof/generator/schema"
)

// This file compiles CEL to reads of Go values, in typed code. A failure means there that the result is unknown: it may
// be one of CEL, or typed code may not know what JSON has. && and || treat both alike. What has no form of its own here
// is read from the JSON of the value.

// inGo is a value of a Go type that is not a scalar.
func inGo(g goValue, node *celNode) celValue { return celValue{form: formGo, inGo: &g, node: node} }

// unknown is the value that typed code does not know.
func unknown() celValue { return dynamic(jen.Id("crdUnknown")) }

// goScalar is a scalar. An absent one has the value of a default, nil for none. It is plain if it is known to be there.
func (c *celCompiler) goScalar(g goValue, node *celNode, absent jen.Code, known bool) celValue {
	t := node.scalar()
	fits := map[goShape][]celType{stringShape: {celString}, boolShape: {celBool}, intShape: {celInt, celDouble},
		uintShape: {celInt, celDouble}, floatShape: {celDouble}}[shapeOf(g.typ)]
	if node.mayBeNull || isSet(node.schema.IntOrString) || !slices.Contains(fits, t) {
		return celValue{form: formGo, inGo: &g, node: node}
	}
	x := g.converted()
	if known {
		x = g.code // a parameter
	}
	if t == celDouble && shapeOf(g.typ) != floatShape {
		x = jen.Float64().Call(x)
	}
	if t == celString {
		c.w.texts[node.schema] = true
		if g.isOld {
			g.there, absent = append(slices.Clip(g.there), jen.Qual("unicode/utf8", "ValidString").Call(x)), nil
		}
	}
	switch {
	case len(g.there) == 0:
		v := plain(x, t)
		if t == celBool {
			v.compares = []string{source(x)}
		}
		return v
	case absent != nil:
		return plain(jen.Func().Params().Add(t.code()).Block(jen.If(allOf(g.there)).Block(jen.Return(x)),
			jen.Return(absent)).Call(), t)
	}
	return result(jen.Func().Params().Add(resultOf(t)).Block(
		jen.If(allOf(g.there)).Block(jen.Return(jen.Id("crdOK").Types(t.code()).Call(x))),
		jen.Return(jen.Id("crdFail").Types(t.code()).Call(jen.Id("crdUnknown")))).Call(), t)
}

// goDyn is a value as a dynamic one: its JSON is read.
func (c *celCompiler) goDyn(v celValue) jen.Code {
	return jen.Id("crdJSONValue").Call(c.goRaw(v).code, v.node.typeOf(c.w))
}

// goRaw is the JSON of a value.
func (c *celCompiler) goRaw(v celValue) celValue {
	s, where := v.node.schema, v.node.at
	prune, defaults := jen.Code(jen.Nil()), jen.Code(jen.Nil())
	switch p := c.w.prune(s, pruning{}, where); p {
	case pruneNothing:
	case pruneRest:
		prune = jen.Parens(jen.Op("*").Id("crdPruning")).Dot("rest")
	default:
		prune = jen.Id(string(p))
	}
	if name := c.w.defaults(s, where); name != "" {
		defaults = jen.Id(name)
	}
	code := jen.Id("crdJSONIn").Call(v.inGo.value(), prune, defaults)
	if len(v.inGo.there) > 0 {
		code = jen.Func().Params().Any().Block(jen.If(allOf(v.inGo.there)).Block(jen.Return(code)),
			jen.Return(jen.Id("crdUnknown"))).Call()
	}
	return raw(code, v.node)
}

// goShape is the shape of a Go value that typed code can read, opaqueShape otherwise.
func (v celValue) goShape() goShape {
	if v.form != formGo || v.node.mayBeNull && false {
		return opaqueShape
	}
	switch shape := shapeOf(v.inGo.typ); {
	case shape == structShape && v.node.isObject(), shape == mapShape && v.node.isMap(),
		shape == listShape && v.node.isList():
		return shape
	}
	return opaqueShape
}

// goField compiles operand.name for a struct; false if the schema does not describe the field.
func (c *celCompiler) goField(operand celValue, escaped string) (celValue, bool) {
	property, name := operand.node.property(escaped)
	if property == nil {
		return celValue{}, false
	}
	if reader, _ := property.reader(); reader == "" {
		return celValue{}, false
	}
	f := fieldOf(operand.inGo.typ, name)
	var absent jen.Code
	d := completeDefault(property.schema)
	if f == nil {
		if code, ok := literalOf(d, property.scalar()); ok && len(operand.inGo.there) == 0 {
			return plain(code, property.scalar()), true
		}
		return unknown(), true
	}
	if f.Quoted {
		return unknown(), true
	}
	own := *operand.inGo
	own.there = nil
	inner := own.field(*f).reached()
	if code, ok := literalOf(d, property.scalar()); ok && len(operand.inGo.there) == 0 {
		absent = code
	} else if d.Kind != schema.Null && len(operand.inGo.there) > 0 && len(inner.there) > 0 {
		absent = nil // unknown if it is not there
	}
	g := operand.inGo.field(*f).reached()
	if len(property.schema.Properties) == 0 && isScalar(g.typ) {
		return c.goScalar(g, property, absent, false), true
	}
	return inGo(g, property), true
}

// literalOf is the code of a default that is a scalar of a type.
func literalOf(v schema.Value, t celType) (jen.Code, bool) {
	switch {
	case v.Kind == schema.String && t == celString, v.Kind == schema.Bool && t == celBool:
		return literal(v), true
	case v.Kind == schema.NumberKind && t == celInt:
		return scalarLiteral(v, intShape)
	}
	return nil, false
}

// fieldOf is the field of a struct that has a key, nil if there is none.
func fieldOf(t types.Type, key string) *gojson.Field {
	for _, f := range fieldsOf(t) {
		if f.Name == key {
			return &f
		}
	}
	return nil
}

// goHas compiles has(operand.name) for a struct; false if the schema does not describe the field.
func (c *celCompiler) goHas(operand celValue, escaped string) (celValue, bool) {
	property, name := operand.node.property(escaped)
	if property == nil {
		return celValue{}, false
	}
	if reader, _ := property.reader(); reader == "" {
		return celValue{}, false
	}
	own := *operand.inGo
	own.there = nil
	has := jen.Code(jen.False())
	f := fieldOf(own.typ, name)
	switch {
	case completeDefault(property.schema).Kind != schema.Null && !isSet(property.schema.Nullable):
		has = jen.True()
	case completeDefault(property.schema).Kind != schema.Null:
		return unknown(), true
	case f == nil:
	case shapeOf(own.field(*f).reached().typ) == opaqueShape:
		return unknown(), true // it may encode itself as null
	default:
		has = jen.True()
		if there := own.field(*f).reached().there; len(there) > 0 {
			has = jen.Parens(allOf(there))
		}
	}
	if len(operand.inGo.there) == 0 {
		v := plain(has, celBool)
		if f != nil {
			for _, c := range own.field(*f).reached().there {
				v.compares = append(v.compares, source(c))
			}
		}
		return v, true
	}
	return result(jen.Func().Params().Add(resultOf(celBool)).Block(
		jen.If(allOf(operand.inGo.there)).Block(jen.Return(jen.Id("crdOK").Call(has))),
		jen.Return(jen.Id("crdFail").Types(celBool.code()).Call(jen.Id("crdUnknown")))).Call(), celBool), true
}

// goSize compiles the size of a list or a map.
func goSize(v celValue) celValue {
	size := jen.Int64().Call(jen.Len(v.inGo.value()))
	if len(v.inGo.there) == 0 {
		return plain(size, celInt)
	}
	return result(jen.Func().Params().Add(resultOf(celInt)).Block(
		jen.If(allOf(v.inGo.there)).Block(jen.Return(jen.Id("crdOK").Types(jen.Int64()).Call(size))),
		jen.Return(jen.Id("crdFail").Types(celInt.code()).Call(jen.Id("crdUnknown")))).Call(), celInt)
}

// goElem are an item of a list or a value of a map behind a pointer with the name, and the code of its type.
func (c *celCompiler) goElem(v celValue, id jen.Code, node *celNode) (celValue, jen.Code, bool) {
	elem := v.inGo.typ.Underlying().(interface{ Elem() types.Type }).Elem()
	of, ok := c.w.typeCode(elem)
	g := goValue{typ: elem, code: jen.Add(id), isPointer: true, isOld: v.inGo.isOld}.reached()
	item := inGo(g, node)
	if isScalar(g.typ) {
		item = c.goScalar(g, node, nil, false)
	}
	return item, jen.Op("*").Add(of), ok
}

// goMacro compiles a quantifier over the items of a list or the keys of a map.
func (c *celCompiler) goMacro(m *celMacro, values celValue) (celValue, bool) {
	functions, ok := goQuantifiers[m.kind]
	if !ok {
		return celValue{}, false
	}
	var test jen.Code
	name := functions.items
	switch values.goShape() {
	case listShape:
		of, isNamed := c.goTest(m, values)
		if !isNamed {
			return celValue{}, false
		}
		test = of
	case mapShape:
		if c.w.texts[values.node.schema] = true; values.inGo.isOld {
			return celValue{}, false
		}
		name = functions.keys
		test = c.test(m, func(id jen.Code) celValue { return plain(id, celString) }, jen.String())
	default:
		return celValue{}, false
	}
	return c.ifThere(values, jen.Id(name).Call(values.inGo.value(), test), celBool), true
}

// goTest compiles a predicate on the items of a list.
func (c *celCompiler) goTest(m *celMacro, values celValue) (code jen.Code, ok bool) {
	_, of, ok := c.goElem(values, jen.Id("_"), values.node.item())
	if !ok {
		return nil, false
	}
	return c.test(m, func(id jen.Code) celValue {
		item, _, _ := c.goElem(values, id, values.node.item())
		return item
	}, of), true
}

// goQuantifiers are the functions for the macros that ask for a bool, over items and keys.
var goQuantifiers = map[celMacroKind]struct{ items, keys string }{
	macroAll:       {"crdAllIn", "crdAllKeysIn"},
	macroExists:    {"crdExistsIn", "crdExistsKeyIn"},
	macroExistsOne: {"crdExistsOneIn", "crdExistsOneKeyIn"},
}

// ifThere is a result that is unknown if a value is not there.
func (c *celCompiler) ifThere(v celValue, code jen.Code, t celType) celValue {
	if len(v.inGo.there) == 0 {
		return result(code, t)
	}
	return result(jen.Func().Params().Add(resultOf(t)).Block(jen.If(allOf(v.inGo.there)).Block(jen.Return(code)),
		jen.Return(jen.Id("crdFail").Types(t.code()).Call(jen.Id("crdUnknown")))).Call(), t)
}

// goIn compiles membership in a list or among the keys of a map.
func (c *celCompiler) goIn(x, container celValue) (celValue, bool) {
	switch container.goShape() {
	case listShape:
		item, of, ok := c.goElem(container, jen.Id("item"), container.node.item())
		if t := item.known(); ok && t != celDyn && x.known() == t && t.comparable() {
			read := jen.Func().Params(jen.Id("item").Add(of)).Add(resultOf(t)).Block(jen.Return(c.result(item)))
			return c.ifThere(container, jen.Id("crdIsIn").Call(c.result(x), container.inGo.value(), read), celBool), true
		}
	case mapShape:
		c.w.texts[container.node.schema] = true
		if x.known() == celString && !container.inGo.isOld && !container.node.value().mayBeNull &&
			!canBeNull(container.inGo.typ.Underlying().(*types.Map).Elem()) {
			return c.ifThere(container, jen.Id("crdIsKeyIn").Call(c.result(x), container.inGo.value()), celBool), true
		}
	}
	return celValue{}, false
}

// canBeNull reports whether values of a type may be null in JSON.
func canBeNull(t types.Type) bool {
	return shapeOf(t) == opaqueShape || len(goValue{typ: t, code: jen.Id("x")}.reached().there) > 0
}

// goCount compiles the size of a filtered list.
func (c *celCompiler) goCount(m *celMacro, values celValue) (celValue, bool) {
	if values.goShape() != listShape {
		return celValue{}, false
	}
	test, ok := c.goTest(m, values)
	if !ok || canBeNull(values.inGo.typ.Underlying().(interface{ Elem() types.Type }).Elem()) {
		return celValue{}, false
	}
	return c.ifThere(values, jen.Id("crdCountIn").Call(values.inGo.value(), test), celInt), true
}

// goOptional compiles operand.?name for a struct.
func (c *celCompiler) goOptional(operand celValue, e ast.Expr, escaped string) (celValue, bool) {
	has, ok := c.goHas(operand, escaped)
	if !ok || has.form == formDynamic || len(operand.inGo.there) > 0 {
		return celValue{}, false
	}
	field, ok := c.goField(operand, escaped)
	if !ok {
		return celValue{}, false
	}
	return dynamic(jen.Id("crdOptionalIf").Call(has.code, lazy(value(), c.dyn(field)))), true
}
