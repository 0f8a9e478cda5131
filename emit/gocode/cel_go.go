package gocode

import (
	"go/types"
	"slices"

	"github.com/dave/jennifer/jen"
	celtypes "github.com/google/cel-go/common/types"

	"github.com/crdproof/crdproof/internal/gojson"
	"github.com/crdproof/crdproof/schema"
)

// This file compiles CEL to reads of Go values, in typed code. A failure means there that the result is unknown: it may
// be one of CEL, or typed code may not know what JSON has. && and || treat both alike. What has no form of its own here
// is read from the JSON of the value.

// inGo is a value of a Go type that is not a scalar.
func (c *goCompiler) inGo(g goValue, node *celNode) celValue {
	v := celValue{form: formTyped, typed: &goFacts{c: c, value: &g, node: node}}
	if node.isList() && !node.mayBeNull {
		v.typ = celList
	}
	return v
}

// unknown is the value that typed code does not know.
func unknown() celValue { return dynamic(jen.Id("crdUnknown")) }

// goScalar is a scalar. An absent one has the value of a default, nil for none. It is plain if it is known to be there.
func (c *goCompiler) goScalar(g goValue, node *celNode, absent jen.Code, known bool) celValue {
	t := node.scalar()
	fits := map[goShape][]celType{stringShape: {celString}, boolShape: {celBool}, intShape: {celInt, celDouble},
		uintShape: {celInt, celDouble}, floatShape: {celDouble}}[shapeOf(g.typ)]
	if node.mayBeNull || isSet(node.schema.IntOrString) || !slices.Contains(fits, t) {
		return c.inGo(g, node)
	}
	x := g.converted()
	if known {
		x = g.code // a parameter
	}
	if t == celDouble && shapeOf(g.typ) != floatShape {
		x = jen.Float64().Call(x)
	}
	if t == celString {
		c.texts[node.schema] = true
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
func (c *goCompiler) missing(conditions []condition) (missing []condition) {
	for _, condition := range conditions {
		if !slices.Contains(c.facts, condition.source()) {
			missing = append(missing, condition)
		}
	}
	return missing
}

// ifThere is a value of a type that is unknown without conditions.
func (c *goCompiler) ifThere(missing []condition, x jen.Code, t celType) celValue {
	return knownIf(result(jen.Id("crdIfThere").Call(allOf(missing...).code(), inLine(jen.Func().Params().Add(t.code()),
		jen.Return(x))), t), missing, x)
}

// Dynamic is a value as a dynamic one: its JSON is read.
func (f *goFacts) Dynamic() jen.Code {
	typ := f.node.typeOf(f.c.w)
	code := jen.Id("crdJSONIn").Call(f.value.value(), typ)
	if missing := f.c.missing(f.value.there); len(missing) > 0 {
		code = jen.Id("crdIfThere").Call(allOf(missing...).code(), inLine(jen.Func().Params().Any(), jen.Return(code))).
			Dot("dyn").Call()
	}
	return jen.Id("crdJSONValue").Call(code, typ)
}

// goShapeOf is the shape of a Go value that typed code can read, opaqueShape otherwise.
func goShapeOf(v celValue) goShape {
	if v.form != formTyped {
		return opaqueShape
	}
	f := factsOf(v)
	switch shape := shapeOf(f.value.typ); {
	case shape == structShape && f.node.isObject(), shape == mapShape && f.node.isMap(),
		shape == listShape && f.node.isList():
		return shape
	}
	return opaqueShape
}

// goField compiles operand.name for a struct; false if the schema does not describe the field.
func (c *goCompiler) goField(operand celValue, escaped string) (celValue, bool) {
	property, name := nodeOf(operand).property(escaped)
	if property == nil {
		return celValue{}, false
	}
	if reader, _ := property.reader(); reader == "" {
		return celValue{}, false
	}
	f := fieldOf(goOf(operand).typ, name)
	var absent jen.Code
	d := completeDefault(property.schema)
	certain := len(c.missing(goOf(operand).there)) == 0
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
	g := c.types.field(*goOf(operand), *f).reached()
	if len(property.schema.Properties) == 0 && isScalar(g.typ) {
		return c.goScalar(g, property, absent, false), true
	}
	return c.inGo(g, property), true
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
func (c *goCompiler) goHas(operand celValue, escaped string) (celValue, bool) {
	property, name := nodeOf(operand).property(escaped)
	if property == nil {
		return celValue{}, false
	}
	if reader, _ := property.reader(); reader == "" {
		return celValue{}, false
	}
	own := *goOf(operand)
	own.there = nil
	has := never
	f := fieldOf(own.typ, name)
	switch {
	case completeDefault(property.schema).Kind != schema.Null && !isSet(property.schema.Nullable):
		has = always
	case completeDefault(property.schema).Kind != schema.Null:
		return unknown(), true
	case f == nil:
	case shapeOf(c.types.field(own, *f).reached().typ) == opaqueShape:
		return unknown(), true // it may encode itself as null
	default:
		has = allOf(c.types.field(own, *f).reached().there...)
	}
	if missing := c.missing(goOf(operand).there); len(missing) > 0 {
		return withSure(c.ifThere(missing, has.code(), celBool), certaintyIf(missing, certaintyOf(has))), true
	}
	return c.known(has), true
}

// known is the value of a condition.
func (c *goCompiler) known(is condition) celValue {
	whenTrue := is.all()
	is = allOf(c.missing(whenTrue)...)
	v := plainCondition(is)
	f := factsOf(v)
	for _, part := range whenTrue {
		f.whenTrue = append(f.whenTrue, part.source())
	}
	return f.of(v)
}

// plainCondition is a condition as a value.
func plainCondition(is condition) celValue {
	code := is.code()
	if !is.isAlways() && !is.isNever() {
		code = jen.Parens(code)
	}
	v := plain(code, celBool)
	for _, part := range is.parts {
		v.compares = append(v.compares, part.source())
	}
	if is.joined == "" {
		v.compares = []string{is.source(), is.opposite().source()}
	}
	return goFacts{is: &is}.of(v)
}

// goSize compiles the size of a list or a map.
func (c *goCompiler) goSize(v celValue) celValue {
	size := jen.Int64().Call(jen.Len(goOf(v).value()))
	if missing := c.missing(goOf(v).there); len(missing) > 0 {
		return c.ifThere(missing, size, celInt)
	}
	return goFacts{sizeOf: goOf(v)}.of(plain(size, celInt))
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
func (c *goCompiler) goIndex(list, index celValue) (celValue, bool) {
	n, ok := index.constant.(celtypes.Int)
	if !ok || goShapeOf(list) != listShape || n < 0 || n > farthest {
		return celValue{}, false
	}
	item := goValue{typ: elemOf(goOf(list).typ), isOld: goOf(list).isOld,
		code: goOf(list).base().Index(jen.Lit(int(n))), there: goOf(list).there}
	if goOf(list).isPointer {
		item.code = jen.Parens(jen.Op("*").Add(goOf(list).code)).Index(jen.Lit(int(n)))
	}
	item = item.when(hasItem(*goOf(list), int64(n))).reached()
	node := nodeOf(list).item()
	if isScalar(item.typ) {
		return c.goScalar(item, node, nil, false), true
	}
	return c.inGo(item, node), true
}

// goElem are an item of a list or a value of a map behind a pointer with the name, and the code of its type.
func (c *goCompiler) goElem(v celValue, id jen.Code, node *celNode) (celValue, jen.Code, bool) {
	elem := elemOf(goOf(v).typ)
	of, ok := c.types.typeCode(elem)
	g := goValue{typ: elem, code: jen.Add(id), isPointer: true, isOld: goOf(v).isOld}.reached()
	item := c.inGo(g, node)
	if isScalar(g.typ) {
		item = c.goScalar(g, node, nil, false)
	}
	return item, jen.Op("*").Add(of), ok
}

// goMacro compiles a quantifier over the items of a list or the keys of a map.
func (c *goCompiler) goMacro(m *celMacro, values celValue) (celValue, bool) {
	functions, ok := goQuantifiers[m.kind]
	if !ok || m.fold.IterVar2() != "" {
		return celValue{}, false
	}
	switch goShapeOf(values) {
	case listShape:
		test, ok := c.goTest(m, values)
		if !ok {
			return celValue{}, false
		}
		v := c.andThere(values, jen.Id(functions.items).Call(goOf(values).value(), test.result), celBool)
		return withSure(v, test.quantified(m.kind, goOf(values), c.missing(goOf(values).there))), true
	case mapShape:
		if c.texts[nodeOf(values).schema] = true; goOf(values).isOld {
			return celValue{}, false
		}
		return c.andThere(values, jen.Id(functions.keys).Call(goOf(values).value(), c.testKey(m)), celBool), true
	}
	return celValue{}, false
}

// goTest compiles a predicate on the items of a list.
func (c *goCompiler) goTest(m *celMacro, values celValue) (test goTest, ok bool) {
	_, of, ok := c.goElem(values, jen.Id("_"), nodeOf(values).item())
	if !ok {
		return goTest{}, false
	}
	elem := func(id jen.Code) celValue {
		item, _, _ := c.goElem(values, id, nodeOf(values).item())
		return item
	}
	c.scoped(m.fold.IterVar(), elem, func(id jen.Code) {
		body := c.condition(m.predicate)
		test.result = jen.Func().Params(jen.Add(id, of)).Add(resultOf(celBool)).Block(jen.Return(c.result(body)))
		if is, ok := certain(body); ok {
			test.isKnown = is.isKnown()
			signature := jen.Func().Params(jen.Add(id, of)).Bool()
			test.yes = jen.Add(signature).Block(jen.Return(is.yes.code()))
			test.no = jen.Add(signature).Block(jen.Return(is.no.code()))
		}
	})
	return test, true
}

// goQuantifiers are the functions for the macros that ask for a bool, over items and keys.
var goQuantifiers = map[celMacroKind]struct{ items, keys string }{
	macroAll:       {"crdAllIn", "crdAllKeysIn"},
	macroExists:    {"crdExistsIn", "crdExistsKeyIn"},
	macroExistsOne: {"crdExistsOneIn", "crdExistsOneKeyIn"},
}

// andThere is a result that is unknown if a value is not there.
func (c *goCompiler) andThere(v celValue, code jen.Code, t celType) celValue {
	missing := c.missing(goOf(v).there)
	if len(missing) == 0 {
		return result(code, t)
	}
	return result(jen.Id("crdIfKnown").Call(allOf(missing...).code(),
		inLine(jen.Func().Params().Add(resultOf(t)), jen.Return(code))), t)
}

// goIn compiles membership in a list or among the keys of a map.
func (c *goCompiler) goIn(x, container celValue) (celValue, bool) {
	switch goShapeOf(container) {
	case listShape:
		item, of, ok := c.goElem(container, jen.Id("item"), nodeOf(container).item())
		if t := item.known(); ok && t != celDyn && x.known() == t && t.comparable() {
			read := jen.Func().Params(jen.Id("item").Add(of)).Add(resultOf(t)).Block(jen.Return(c.result(item)))
			code := jen.Id("crdIsIn").Call(c.result(x), goOf(container).value(), read)
			v := c.andThere(container, code, celBool)
			if wanted, when, ok := bareCode(x); ok && item.form == formPlain {
				is := holds(jen.Id("crdAnyIs").Call(goOf(container).value(), inLine(jen.Func().
					Params(jen.Id("item").Add(of)).Bool(), jen.Return(jen.Add(item.code).Op("==").Add(wanted)))))
				v = withSure(v, certaintyIf(slices.Concat(c.missing(goOf(container).there), when), certaintyOf(is)))
			}
			return v, true
		}
	case mapShape:
		c.texts[nodeOf(container).schema] = true
		if x.known() == celString && !goOf(container).isOld && !nodeOf(container).value().mayBeNull &&
			!canBeNull(elemOf(goOf(container).typ)) {
			return c.andThere(container, jen.Id("crdIsKeyIn").Call(c.result(x), goOf(container).value()), celBool), true
		}
	}
	return celValue{}, false
}

// canBeNull reports whether values of a type may be null in JSON.
func canBeNull(t types.Type) bool {
	return shapeOf(t) == opaqueShape || len(goValue{typ: t, code: jen.Id("x")}.reached().there) > 0
}

// goCount compiles the size of a filtered list.
func (c *goCompiler) goCount(m *celMacro, values celValue) (celValue, bool) {
	if goShapeOf(values) != listShape {
		return celValue{}, false
	}
	test, ok := c.goTest(m, values)
	if !ok || canBeNull(elemOf(goOf(values).typ)) {
		return celValue{}, false
	}
	v := c.andThere(values, jen.Id("crdCountIn").Call(goOf(values).value(), test.result), celInt)
	if test.isKnown {
		count := jen.Int64().Call(jen.Id("crdCountAre").Call(goOf(values).value(), test.yes))
		f := factsOf(knownIf(v, c.missing(goOf(values).there), count))
		f.countIn = goOf(values)
		v = f.of(v)
	}
	return v, true
}

// goOptional compiles operand.?name for a struct.
func (c *goCompiler) goOptional(operand celValue, escaped string) (celValue, bool) {
	if goShapeOf(operand) != structShape {
		return celValue{}, false
	}
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
