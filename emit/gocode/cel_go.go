package gocode

import (
	"go/types"
	"slices"

	"github.com/dave/jennifer/jen"
	"github.com/google/cel-go/common/ast"
	celtypes "github.com/google/cel-go/common/types"

	"github.com/crdproof/crdproof/internal/gojson"
	"github.com/crdproof/crdproof/schema"
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
	if node.mayBeNull || node.schema.IntOrString.True() || !slices.Contains(fits, t) {
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
			g.there, absent = append(slices.Clip(g.there), isValidText(x)), nil
		}
	}
	switch missing := c.missing(g.there); {
	case len(missing) == 0:
		v := plain(x, t)
		if t == celBool {
			v.compares = []string{source(x)}
		}
		return v
	case absent != nil:
		return plain(jen.Id("crdOrElse").Call(allOf(missing...).code(), inLine(jen.Func().Params().Add(t.code()),
			jen.Return(x)), absent), t)
	default:
		return c.ifThere(missing, x, t)
	}
}

// missing are the conditions that do not follow from what has been compared before.
func (c *celCompiler) missing(conditions []condition) (missing []condition) {
	for _, condition := range conditions {
		if !slices.Contains(c.facts, condition.source()) {
			missing = append(missing, condition)
		}
	}
	return missing
}

// ifThere is a value of a type that is unknown without conditions.
func (c *celCompiler) ifThere(missing []condition, x jen.Code, t celType) celValue {
	return result(jen.Id("crdIfThere").Call(allOf(missing...).code(), inLine(jen.Func().Params().Add(t.code()),
		jen.Return(x))), t).knownIf(missing, x)
}

// goDyn is a value as a dynamic one: its JSON is read.
func (c *celCompiler) goDyn(v celValue) jen.Code {
	return jen.Id("crdJSONValue").Call(c.goRaw(v).code, v.node.typeOf(c.w))
}

// goRaw is the JSON of a value.
func (c *celCompiler) goRaw(v celValue) celValue {
	code := jen.Id("crdJSONIn").Call(v.inGo.value(), v.node.typeOf(c.w))
	if missing := c.missing(v.inGo.there); len(missing) > 0 {
		code = jen.Id("crdIfThere").Call(allOf(missing...).code(), inLine(jen.Func().Params().Any(), jen.Return(code))).
			Dot("dyn").Call()
	}
	return raw(code, v.node)
}

// goShape is the shape of a Go value that typed code can read, opaqueShape otherwise.
func (v celValue) goShape() goShape {
	if v.form != formGo {
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
	certain := len(c.missing(operand.inGo.there)) == 0
	if f == nil {
		if code, ok := literalOf(d, property.scalar()); ok && certain {
			return plain(code, property.scalar()), true
		}
		return unknown(), true
	}
	if f.Quoted {
		return unknown(), true
	}
	if code, ok := literalOf(d, property.scalar()); ok && certain {
		absent = code
	}
	g := c.w.field(*operand.inGo, *f).reached()
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
	has := never
	f := fieldOf(own.typ, name)
	switch {
	case completeDefault(property.schema).Kind != schema.Null && !property.schema.Nullable.True():
		has = always
	case completeDefault(property.schema).Kind != schema.Null:
		return unknown(), true
	case f == nil:
	case shapeOf(c.w.field(own, *f).reached().typ) == opaqueShape:
		return unknown(), true // it may encode itself as null
	default:
		has = allOf(c.w.field(own, *f).reached().there...)
	}
	if missing := c.missing(operand.inGo.there); len(missing) > 0 {
		v := c.ifThere(missing, has.code(), celBool)
		v.sure = certaintyIf(missing, certainty{has, has.opposite()})
		return v, true
	}
	return c.known(has), true
}

// known is the value of a condition.
func (c *celCompiler) known(is condition) celValue {
	whenTrue := is.all()
	is = allOf(c.missing(whenTrue)...)
	v := plainCondition(is)
	for _, part := range whenTrue {
		v.whenTrue = append(v.whenTrue, part.source())
	}
	return v
}

// plainCondition is a condition as a value.
func plainCondition(is condition) celValue {
	code := is.code()
	if !is.isAlways() && !is.isNever() {
		code = jen.Parens(code)
	}
	v := plain(code, celBool)
	v.is = &is
	for _, part := range is.parts {
		v.compares = append(v.compares, part.source())
	}
	if is.joined == "" {
		v.compares = []string{is.source(), is.opposite().source()}
	}
	return v
}

// goSize compiles the size of a list or a map.
func (c *celCompiler) goSize(v celValue) celValue {
	size := jen.Int64().Call(jen.Len(v.inGo.value()))
	if missing := c.missing(v.inGo.there); len(missing) > 0 {
		return c.ifThere(missing, size, celInt)
	}
	out := plain(size, celInt)
	out.sizeOf = v.inGo
	return out
}

// hasItem is the condition that a list has an item with an index.
func hasItem(list goValue, index int64) condition {
	return compares(jen.Len(list.value()), ">", jen.Lit(int(index)))
}

// farthest is the last index of which typed code knows whether an item has it.
const farthest = 255

// hasItems are the conditions that a list has more than n items.
func hasItems(list *goValue, n int64) (out []string) {
	for i := int64(0); list != nil && i <= min(n, farthest); i++ {
		out = append(out, hasItem(*list, i).source())
	}
	return out
}

// goIndex compiles list[n] with a constant.
func (c *celCompiler) goIndex(list, index celValue) (celValue, bool) {
	n, ok := index.constant.(celtypes.Int)
	if !ok || list.goShape() != listShape || n < 0 || n > farthest {
		return celValue{}, false
	}
	item := goValue{typ: list.inGo.typ.Underlying().(interface{ Elem() types.Type }).Elem(), isOld: list.inGo.isOld,
		code: list.inGo.base().Index(jen.Lit(int(n))), there: list.inGo.there}
	if list.inGo.isPointer {
		item.code = jen.Parens(jen.Op("*").Add(list.inGo.code)).Index(jen.Lit(int(n)))
	}
	item = item.when(hasItem(*list.inGo, int64(n))).reached()
	node := list.node.item()
	if isScalar(item.typ) {
		return c.goScalar(item, node, nil, false), true
	}
	return inGo(item, node), true
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
	switch values.goShape() {
	case listShape:
		test, ok := c.goTest(m, values)
		if !ok {
			return celValue{}, false
		}
		v := c.andThere(values, jen.Id(functions.items).Call(values.inGo.value(), test.result), celBool)
		v.sure = test.quantified(m.kind, values.inGo, c.missing(values.inGo.there))
		return v, true
	case mapShape:
		if c.w.texts[values.node.schema] = true; values.inGo.isOld {
			return celValue{}, false
		}
		test := c.test(m, func(id jen.Code) celValue { return plain(id, celString) }, jen.String())
		return c.andThere(values, jen.Id(functions.keys).Call(values.inGo.value(), test.result), celBool), true
	}
	return celValue{}, false
}

// goTest compiles a predicate on the items of a list.
func (c *celCompiler) goTest(m *celMacro, values celValue) (test goTest, ok bool) {
	_, of, ok := c.goElem(values, jen.Id("_"), values.node.item())
	if !ok {
		return goTest{}, false
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

// andThere is a result that is unknown if a value is not there.
func (c *celCompiler) andThere(v celValue, code jen.Code, t celType) celValue {
	missing := c.missing(v.inGo.there)
	if len(missing) == 0 {
		return result(code, t)
	}
	return result(jen.Id("crdIfKnown").Call(allOf(missing...).code(),
		inLine(jen.Func().Params().Add(resultOf(t)), jen.Return(code))), t)
}

// goIn compiles membership in a list or among the keys of a map.
func (c *celCompiler) goIn(x, container celValue) (celValue, bool) {
	switch container.goShape() {
	case listShape:
		item, of, ok := c.goElem(container, jen.Id("item"), container.node.item())
		if t := item.known(); ok && t != celDyn && x.known() == t && t.comparable() {
			read := jen.Func().Params(jen.Id("item").Add(of)).Add(resultOf(t)).Block(jen.Return(c.result(item)))
			code := jen.Id("crdIsIn").Call(c.result(x), container.inGo.value(), read)
			v := c.andThere(container, code, celBool)
			if wanted, when, ok := x.bareCode(); ok && item.form == formPlain {
				is := holds(jen.Id("crdAnyIs").Call(container.inGo.value(), inLine(jen.Func().
					Params(jen.Id("item").Add(of)).Bool(), jen.Return(jen.Add(item.code).Op("==").Add(wanted)))))
				v.sure = certaintyIf(slices.Concat(c.missing(container.inGo.there), when), certainty{is, is.opposite()})
			}
			return v, true
		}
	case mapShape:
		c.w.texts[container.node.schema] = true
		if x.known() == celString && !container.inGo.isOld && !container.node.value().mayBeNull &&
			!canBeNull(container.inGo.typ.Underlying().(*types.Map).Elem()) {
			return c.andThere(container, jen.Id("crdIsKeyIn").Call(c.result(x), container.inGo.value()), celBool), true
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
	v := c.andThere(values, jen.Id("crdCountIn").Call(values.inGo.value(), test.result), celInt)
	if test.isKnown {
		count := jen.Int64().Call(jen.Id("crdCountAre").Call(values.inGo.value(), test.yes))
		v = v.knownIf(c.missing(values.inGo.there), count)
		v.countIn = values.inGo
	}
	return v, true
}

// goOptional compiles operand.?name for a struct.
func (c *celCompiler) goOptional(operand celValue, e ast.Expr, escaped string) (celValue, bool) {
	has, ok := c.goHas(operand, escaped)
	if !ok || has.form != formPlain {
		return celValue{}, false
	}
	field, ok := c.goField(operand, escaped)
	if !ok {
		return celValue{}, false
	}
	return dynamic(jen.Id("crdOptionalIf").Call(has.code, lazy(value(), c.dyn(field)))), true
}
