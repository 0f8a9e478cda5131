package typed

import (
	"go/types"
	"slices"

	"github.com/dave/jennifer/jen"
	celtypes "github.com/google/cel-go/common/types"

	"github.com/crdproof/crdproof/emit/gocode/internal/object"
	"github.com/crdproof/crdproof/internal/gojson"
	"github.com/crdproof/crdproof/schema"
)

// This file compiles CEL to reads of Go values, in typed code. A failure means there that the result is unknown: it may
// be one of CEL, or typed code may not know what JSON has. && and || treat both alike. What has no form of its own here
// is read from the JSON of the value.

// inGo returns a value of a Go type that is not a scalar.
func (c *goCompiler) inGo(g goValue, node *object.Node) object.Value {
	v := object.Value{Form: object.FormTyped, Typed: &goFacts{c: c, value: &g, node: node}}
	if node.IsList() && !node.MayBeNull {
		v.Typ = object.ListType
	}
	return v
}

// unknown returns the value that typed code does not know.
func unknown() object.Value { return object.Dynamic(object.Runtime("Unknown")) }

// goScalar returns a scalar. An absent one has the value of a default, nil for none. It is plain if it is known to be
// there.
func (c *goCompiler) goScalar(g goValue, node *object.Node, absent jen.Code, known bool) object.Value {
	t := node.Scalar()
	numbers := []object.Type{object.IntType, object.DoubleType}
	fits := map[goShape][]object.Type{stringShape: {object.StringType}, boolShape: {object.BoolType},
		intShape: numbers, uintShape: numbers, floatShape: {object.DoubleType}}[shapeOf(g.typ)]
	if node.MayBeNull || node.Schema.IntOrString.True() || !slices.Contains(fits, t) {
		return c.inGo(g, node)
	}
	x := g.converted()
	if known {
		x = g.code // a parameter
	}
	if t == object.DoubleType && shapeOf(g.typ) != floatShape {
		x = jen.Float64().Call(x)
	}
	if t == object.StringType {
		c.texts[node.Schema] = true
		if g.isOld {
			g.there, absent = append(slices.Clip(g.there), isValidText(x)), nil
		}
	}
	switch missing := c.missing(g.there); {
	case len(missing) == 0:
		v := object.Plain(x, t)
		if t == object.BoolType {
			v.Compares = []string{object.Source(x)}
		}
		return v
	case absent != nil:
		return object.Plain(callIf("OrElse", missing, t, x, absent), t)
	default:
		return c.ifThere(missing, x, t)
	}
}

// missing returns the conditions that do not follow from what has been compared before.
func (c *goCompiler) missing(conditions []object.Condition) (missing []object.Condition) {
	for _, condition := range conditions {
		if !slices.Contains(c.facts, condition.Source()) {
			missing = append(missing, condition)
		}
	}
	return missing
}

// ifThere returns a value of a type that is unknown without conditions.
func (c *goCompiler) ifThere(missing []object.Condition, x jen.Code, t object.Type) object.Value {
	return knownIf(object.Result(callIf("IfThere", missing, t, x), t), missing, x)
}

// callIf calls a function with conditions and a function that returns a value if they hold.
func callIf(function string, conditions []object.Condition, t object.Type, x jen.Code,
	more ...jen.Code) *jen.Statement {
	read := object.InLine(jen.Func().Params().Add(t.Code()), jen.Return(x))
	return object.Runtime(function).Call(append([]jen.Code{object.AllOf(conditions...).Code(), read}, more...)...)
}

// Dynamic returns a value as a dynamic one: its JSON is read.
func (f *goFacts) Dynamic() jen.Code {
	typ := f.node.TypeOf(f.c.Writer)
	code := object.Runtime("JSONIn").Call(f.value.value(), typ)
	if missing := f.c.missing(f.value.there); len(missing) > 0 {
		code = callIf("IfThere", missing, object.DynType, code).Dot("Dyn").Call()
	}
	return object.Runtime("JSONValue").Call(code, typ)
}

// goShapeOf returns the shape of a Go value that typed code can read, opaqueShape otherwise.
func goShapeOf(v object.Value) goShape {
	if v.Form != object.FormTyped {
		return opaqueShape
	}
	f := factsOf(v)
	switch shape := shapeOf(f.value.typ); {
	case shape == structShape && f.node.IsObject(), shape == mapShape && f.node.IsMap(),
		shape == listShape && f.node.IsList():
		return shape
	}
	return opaqueShape
}

// goField compiles operand.name for a struct; false if the schema does not describe the field.
func (c *goCompiler) goField(operand object.Value, escaped string) (object.Value, bool) {
	property, name := nodeOf(operand).Property(escaped)
	if property == nil {
		return object.Value{}, false
	}
	if reader, _ := property.Reader(); reader == "" {
		return object.Value{}, false
	}
	f := fieldOf(goOf(operand).typ, name)
	var absent jen.Code
	d := object.CompleteDefault(property.Schema)
	certain := len(c.missing(goOf(operand).there)) == 0
	if f == nil {
		if code, ok := literalOf(d, property.Scalar()); ok && certain {
			return object.Plain(code, property.Scalar()), true
		}
		return unknown(), true
	}
	if f.Quoted {
		return unknown(), true
	}
	if code, ok := literalOf(d, property.Scalar()); ok && certain {
		absent = code
	}
	g := c.types.field(*goOf(operand), *f).reached()
	if len(property.Schema.Properties) == 0 && isScalar(g.typ) {
		return c.goScalar(g, property, absent, false), true
	}
	return c.inGo(g, property), true
}

// literalOf returns the code of a default that is a scalar of a type.
func literalOf(v schema.Value, t object.Type) (jen.Code, bool) {
	switch {
	case v.Kind == schema.String && t == object.StringType, v.Kind == schema.Bool && t == object.BoolType:
		return object.Literal(v), true
	case v.Kind == schema.NumberKind && t == object.IntType:
		return scalarLiteral(v, intShape)
	}
	return nil, false
}

// fieldOf returns the field of a struct that has a key, nil if there is none.
func fieldOf(t types.Type, key string) *gojson.Field {
	for _, f := range fieldsOf(t) {
		if f.Name == key {
			return &f
		}
	}
	return nil
}

// goHas compiles has(operand.name) for a struct; false if the schema does not describe the field.
func (c *goCompiler) goHas(operand object.Value, escaped string) (object.Value, bool) {
	property, name := nodeOf(operand).Property(escaped)
	if property == nil {
		return object.Value{}, false
	}
	if reader, _ := property.Reader(); reader == "" {
		return object.Value{}, false
	}
	own := *goOf(operand)
	own.there = nil
	has := object.Never
	f := fieldOf(own.typ, name)
	switch {
	case object.CompleteDefault(property.Schema).Kind != schema.Null && !property.Schema.Nullable.True():
		has = object.Always
	case object.CompleteDefault(property.Schema).Kind != schema.Null:
		return unknown(), true
	case f == nil:
	case shapeOf(c.types.field(own, *f).reached().typ) == opaqueShape:
		return unknown(), true // it may encode itself as null
	default:
		has = object.AllOf(c.types.field(own, *f).reached().there...)
	}
	if missing := c.missing(goOf(operand).there); len(missing) > 0 {
		return withSure(c.ifThere(missing, has.Code(), object.BoolType), certaintyIf(missing, certaintyOf(has))), true
	}
	return c.known(has), true
}

// known returns the value of a condition.
func (c *goCompiler) known(cond object.Condition) object.Value {
	whenTrue := cond.All()
	cond = object.AllOf(c.missing(whenTrue)...)
	v := plainCondition(cond)
	f := factsOf(v)
	for _, part := range whenTrue {
		f.whenTrue = append(f.whenTrue, part.Source())
	}
	return f.on(v)
}

// plainCondition returns a condition as a value.
func plainCondition(cond object.Condition) object.Value {
	code := cond.Code()
	if !cond.IsAlways() && !cond.IsNever() {
		code = jen.Parens(code)
	}
	v := object.Plain(code, object.BoolType)
	for _, part := range cond.Parts {
		v.Compares = append(v.Compares, part.Source())
	}
	if cond.Joined == "" {
		v.Compares = []string{cond.Source(), cond.Opposite().Source()}
	}
	return goFacts{cond: &cond}.on(v)
}

// goSize compiles the size of a list or a map.
func (c *goCompiler) goSize(v object.Value) object.Value {
	size := jen.Int64().Call(jen.Len(goOf(v).value()))
	if missing := c.missing(goOf(v).there); len(missing) > 0 {
		return c.ifThere(missing, size, object.IntType)
	}
	return goFacts{sizeOf: goOf(v)}.on(object.Plain(size, object.IntType))
}

// hasItem returns the condition that a list has an item with an index.
func hasItem(list goValue, index int64) object.Condition {
	return object.Compares(jen.Len(list.value()), ">", jen.Lit(int(index)))
}

// farthest is the last index of which typed code knows whether an item has it.
const farthest = 255

// hasItems returns the conditions that a list has more than n items.
func hasItems(list *goValue, n int64) (out []string) {
	for i := int64(0); list != nil && i <= min(n, farthest); i++ {
		out = append(out, hasItem(*list, i).Source())
	}
	return out
}

// goIndex compiles list[n] with a constant.
func (c *goCompiler) goIndex(list, index object.Value) (object.Value, bool) {
	n, ok := index.Constant.(celtypes.Int)
	if !ok || goShapeOf(list) != listShape || n < 0 || n > farthest {
		return object.Value{}, false
	}
	item := goValue{typ: elemOf(goOf(list).typ), isOld: goOf(list).isOld,
		code: goOf(list).base().Index(jen.Lit(int(n))), there: goOf(list).there}
	if goOf(list).isPointer {
		item.code = jen.Parens(jen.Op("*").Add(goOf(list).code)).Index(jen.Lit(int(n)))
	}
	item = item.when(hasItem(*goOf(list), int64(n))).reached()
	node := nodeOf(list).Item()
	if isScalar(item.typ) {
		return c.goScalar(item, node, nil, false), true
	}
	return c.inGo(item, node), true
}

// goElem returns an item of a list or a value of a map behind a pointer with the name, and the code of its type.
func (c *goCompiler) goElem(v object.Value, id jen.Code, node *object.Node) (object.Value, jen.Code, bool) {
	elem := elemOf(goOf(v).typ)
	typ, ok := c.types.typeCode(elem)
	g := goValue{typ: elem, code: jen.Add(id), isPointer: true, isOld: goOf(v).isOld}.reached()
	item := c.inGo(g, node)
	if isScalar(g.typ) {
		item = c.goScalar(g, node, nil, false)
	}
	return item, jen.Op("*").Add(typ), ok
}

// goMacro compiles a quantifier over the items of a list or the keys of a map.
func (c *goCompiler) goMacro(m *object.Macro, values object.Value) (object.Value, bool) {
	functions, ok := goQuantifiers[m.Kind]
	if !ok || m.Fold.IterVar2() != "" {
		return object.Value{}, false
	}
	switch goShapeOf(values) {
	case listShape:
		test, ok := c.goTest(m, values)
		if !ok {
			return object.Value{}, false
		}
		holds := object.Runtime(functions.items).Call(goOf(values).value(), test.result)
		v := c.andThere(values, holds, object.BoolType)
		return withSure(v, test.quantified(m.Kind, goOf(values), c.missing(goOf(values).there))), true
	case mapShape:
		if c.texts[nodeOf(values).Schema] = true; goOf(values).isOld {
			return object.Value{}, false
		}
		return c.andThere(values, object.Runtime(functions.keys).Call(goOf(values).value(), c.TestKey(m)),
			object.BoolType), true
	}
	return object.Value{}, false
}

// goTest compiles a predicate on the items of a list.
func (c *goCompiler) goTest(m *object.Macro, values object.Value) (test goTest, ok bool) {
	_, typ, ok := c.goElem(values, jen.Id("_"), nodeOf(values).Item())
	if !ok {
		return goTest{}, false
	}
	elem := func(id jen.Code) object.Value {
		item, _, _ := c.goElem(values, id, nodeOf(values).Item())
		return item
	}
	c.Scoped(m.Fold.IterVar(), elem, func(id jen.Code) {
		body := c.Condition(m.Predicate)
		test.result = jen.Func().Params(jen.Add(id, typ)).Add(object.ResultOf(object.BoolType)).
			Block(jen.Return(c.Result(body)))
		if cond, ok := certain(body); ok {
			test.isKnown = cond.isKnown()
			signature := jen.Func().Params(jen.Add(id, typ)).Bool()
			test.yes = jen.Add(signature).Block(jen.Return(cond.yes.Code()))
			test.no = jen.Add(signature).Block(jen.Return(cond.no.Code()))
		}
	})
	return test, true
}

// goQuantifiers are the functions for the macros that ask for a bool, over items and keys.
var goQuantifiers = map[object.MacroKind]struct{ items, keys string }{
	object.MacroAll:       {"AllIn", "AllKeysIn"},
	object.MacroExists:    {"ExistsIn", "ExistsKeyIn"},
	object.MacroExistsOne: {"ExistsOneIn", "ExistsOneKeyIn"},
}

// andThere returns a result that is unknown if a value is not there.
func (c *goCompiler) andThere(v object.Value, code jen.Code, t object.Type) object.Value {
	missing := c.missing(goOf(v).there)
	if len(missing) == 0 {
		return object.Result(code, t)
	}
	return object.Result(object.Runtime("IfKnown").Call(object.AllOf(missing...).Code(),
		object.InLine(jen.Func().Params().Add(object.ResultOf(t)), jen.Return(code))), t)
}

// goIn compiles membership in a list or among the keys of a map.
func (c *goCompiler) goIn(x, container object.Value) (object.Value, bool) {
	switch goShapeOf(container) {
	case listShape:
		item, typ, ok := c.goElem(container, jen.Id("item"), nodeOf(container).Item())
		if t := item.Known(); ok && t != object.DynType && x.Known() == t && t.Comparable() {
			read := jen.Func().Params(jen.Id("item").Add(typ)).Add(object.ResultOf(t)).Block(jen.Return(c.Result(item)))
			code := object.Runtime("IsIn").Call(c.Result(x), goOf(container).value(), read)
			v := c.andThere(container, code, object.BoolType)
			if wanted, when, ok := bareCode(x); ok && item.Form == object.FormPlain {
				cond := object.Holds(object.Runtime("AnyIs").Call(goOf(container).value(), object.InLine(jen.Func().
					Params(jen.Id("item").Add(typ)).Bool(), jen.Return(jen.Add(item.Code).Op("==").Add(wanted)))))
				v = withSure(v, certaintyIf(slices.Concat(c.missing(goOf(container).there), when), certaintyOf(cond)))
			}
			return v, true
		}
	case mapShape:
		c.texts[nodeOf(container).Schema] = true
		if x.Known() == object.StringType && !goOf(container).isOld && !nodeOf(container).Value().MayBeNull &&
			!canBeNull(elemOf(goOf(container).typ)) {
			return c.andThere(container, object.Runtime("IsKeyIn").Call(c.Result(x), goOf(container).value()),
				object.BoolType), true
		}
	}
	return object.Value{}, false
}

// canBeNull reports whether values of a type may be null in JSON.
func canBeNull(t types.Type) bool {
	return shapeOf(t) == opaqueShape || len(goValue{typ: t, code: jen.Id("x")}.reached().there) > 0
}

// goCount compiles the size of a filtered list.
func (c *goCompiler) goCount(m *object.Macro, values object.Value) (object.Value, bool) {
	if goShapeOf(values) != listShape {
		return object.Value{}, false
	}
	test, ok := c.goTest(m, values)
	if !ok || canBeNull(elemOf(goOf(values).typ)) {
		return object.Value{}, false
	}
	v := c.andThere(values, object.Runtime("CountIn").Call(goOf(values).value(), test.result), object.IntType)
	if test.isKnown {
		count := jen.Int64().Call(object.Runtime("CountAre").Call(goOf(values).value(), test.yes))
		f := factsOf(knownIf(v, c.missing(goOf(values).there), count))
		f.countIn = goOf(values)
		v = f.on(v)
	}
	return v, true
}

// goOptional compiles operand.?name for a struct.
func (c *goCompiler) goOptional(operand object.Value, escaped string) (object.Value, bool) {
	if goShapeOf(operand) != structShape {
		return object.Value{}, false
	}
	has, ok := c.goHas(operand, escaped)
	if !ok || has.Form != object.FormPlain {
		return object.Value{}, false
	}
	field, ok := c.goField(operand, escaped)
	if !ok {
		return object.Value{}, false
	}
	code := object.Runtime("OptionalIf").Call(has.Code, object.Lazy(object.AnyType(), c.Dyn(field)))
	return object.Dynamic(code), true
}
