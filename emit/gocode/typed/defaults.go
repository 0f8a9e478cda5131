package typed

import (
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/dave/jennifer/jen"

	"github.com/crdproof/crdproof/emit/gocode/internal/object"
	"github.com/crdproof/crdproof/internal/gojson"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

// hasDefaults reports whether something in a schema has a default.
func hasDefaults(s *schema.Schema) (has bool) {
	schema.Walk(s, func(p *schema.Place) { has = has || p.Schema.Default != nil && !p.Nested && p.Above != nil })
	return has
}

// setBelow returns the statements that set defaults in a value, which is there.
func (t *typed) setBelow(x goValue, at *schema.Place, where object.Place) []jen.Code {
	if !hasDefaults(at.Schema) {
		return nil
	}
	code, ok := t.w.typeCode(x.typ)
	shape := shapeOf(x.typ)
	if shape != structShape && shape != listShape && shape != mapShape || !ok {
		t.noteUnheld(x.typ, at)
		return []jen.Code{object.Runtime("DefaultInJSON").Call(x.pointer(), t.w.Structure(at.Schema, where))}
	}
	if shape == structShape && !x.isPointer && !t.isLong[at.Path()] {
		here := x
		here.there = nil
		if body := t.setFields(here, at, placeOf(x.typ, where)); len(body) <= 2 {
			return body
		}
		t.isLong[at.Path()] = true
	}
	if elem, child := structItems(x.typ, at); child != nil {
		if typ, ok := t.w.typeCode(elem); ok {
			if name := t.setter(elem, typ, child, where.Item()); name != "" {
				return []jen.Code{object.Runtime("InEach").Call(x.value(), jen.Id(name))}
			}
			return nil
		}
	}
	if name := t.setter(x.typ, code, at, where); name != "" {
		return []jen.Code{jen.Id(name).Call(x.argument())}
	}
	return nil
}

// structItems returns the type of the items of a slice of structs and their place; nil for other types.
func structItems(typ types.Type, at *schema.Place) (types.Type, *schema.Place) {
	list, ok := typ.Underlying().(*types.Slice)
	if !ok || shapeOf(typ) != listShape || shapeOf(list.Elem()) != structShape {
		return nil, nil
	}
	for _, child := range at.Children() {
		if child.Step == schema.InItems {
			return list.Elem(), child
		}
	}
	return nil, nil
}

// setsNothing reports whether the statements of setBelow have no effect on an empty list or map.
func setsNothing(x goValue) bool {
	own := []object.Condition{isNotNil(x.value()), isFull(x.value())}
	isThere := func(c object.Condition) bool { return c.Source() == x.there[0].Source() }
	return shapeOf(x.typ) != structShape && len(x.there) == 1 && slices.ContainsFunc(own, isThere)
}

// setter returns the function that sets defaults in structs, lists or maps; "" if there are none.
func (t *typed) setter(typ types.Type, code jen.Code, at *schema.Place, where object.Place) string {
	x := goValue{typ: typ, code: jen.Id("x")}
	where = placeOf(typ, where)
	var body []jen.Code
	switch shapeOf(typ) {
	case structShape:
		x.isPointer = true
		code = jen.Op("*").Add(code)
		body = t.setFields(x, at, where)
	case listShape:
		for _, child := range at.Children() {
			if child.Step == schema.InItems {
				item := goValue{typ: elemOf(typ),
					code: jen.Id("x").Index(jen.Id("i"))}
				if set := t.setItem(item, child, where.Item()); set != nil {
					body = append(body, jen.For(jen.Id("i").Op(":=").Range().Id("x")).Block(set...))
				}
			}
		}
	case mapShape:
		for _, child := range at.Children() {
			if child.Step == schema.InValues {
				item := goValue{typ: elemOf(typ), code: jen.Id("item")}
				if set := t.setItem(item, child, where.Value()); set != nil {
					set = append(set, jen.Id("x").Index(jen.Id("key")).Op("=").Id("item"))
					each := jen.List(jen.Id("key"), jen.Id("item")).Op(":=").Range().Id("x")
					body = []jen.Code{jen.For(each).Block(set...)}
				}
			}
		}
	}
	if len(body) == 0 {
		return ""
	}
	return t.w.Function(object.Function{Name: "crdTypedDefault" + where.Name, Doc: "sets defaults in " + where.Text(),
		Identity: types.TypeString(typ, nil), Params: []jen.Code{jen.Id("x").Add(code)}, Body: body})
}

// setItem sets the defaults in an item of a list or a value of a map, or that of a null.
func (t *typed) setItem(item goValue, at *schema.Place, where object.Place) []jen.Code {
	d := object.CompleteDefault(at.Schema)
	if at.Schema.Nullable.True() {
		d = schema.Value{}
	}
	return t.choose(item, d, t.setBelow(item.reached(), at, where))
}

// setField sets the default of a field, or the defaults in its value.
func (t *typed) setField(here goValue, at *schema.Place, where object.Place) []jen.Code {
	set := t.setBelow(here.reached(), at, where)
	d := object.CompleteDefault(at.Schema)
	switch {
	case !at.Schema.Nullable.True():
		return t.choose(here, d, set)
	case d.Kind == schema.Null || len(here.there) == 0: // null stays
		return t.choose(here, schema.Value{}, set)
	}
	otherwise := jen.If(object.AllOf(here.there...).Opposite().Code()).Block(t.assign(here, d)...)
	return append([]jen.Code{otherwise}, t.choose(here, schema.Value{}, set)...)
}

// choose returns the statements for a value if it is there and not null, or sets it to a default that is not null.
func (t *typed) choose(here goValue, d schema.Value, body []jen.Code) []jen.Code {
	x := here.reached()
	there := object.AllOf(x.there...)
	var otherwise []jen.Code
	if d.Kind != schema.Null && len(x.there) > 0 {
		otherwise = t.assign(here, d)
	}
	switch {
	case len(body) == 0 && len(otherwise) == 0:
		return nil
	case there.IsAlways(), len(otherwise) == 0 && setsNothing(x):
		return body
	case len(body) == 0:
		if set := t.setAbsent(here, there, d); set != nil {
			return []jen.Code{set}
		}
		return []jen.Code{jen.If(there.Opposite().Code()).Block(otherwise...)}
	}
	set := jen.If(there.Code()).Block(body...)
	if name, ok := setterOf(here, x, body); ok {
		if len(otherwise) == 0 {
			return []jen.Code{object.Runtime("SetIn").Call(here.code, jen.Id(name))}
		}
		return []jen.Code{object.Runtime("SetInOr").Call(here.pointer(), jen.Id(name), jsonText(d))}
	}
	if len(otherwise) > 0 {
		set = set.Else().Block(otherwise...)
	}
	return []jen.Code{set}
}

// setterOf returns the function that statements call with a pointer to a struct if that is not nil; false for other
// statements and conditions.
func setterOf(here, x goValue, body []jen.Code) (name string, ok bool) {
	if !isPointer(here.typ) || isPointer(elemOf(here.typ)) || here.isPointer || shapeOf(x.typ) != structShape ||
		len(x.there) != 1 || x.there[0].Source() != isNotNil(here.code).Source() || len(body) != 1 {
		return "", false
	}
	name, ok = strings.CutSuffix(object.Source(body[0]), "("+object.Source(x.argument())+")")
	return name, ok && token.IsIdentifier(name)
}

// jsonText returns the literal of a value as JSON.
func jsonText(v schema.Value) jen.Code {
	text := string(kube.AppendJSON(nil, v))
	isOdd := func(r rune) bool { return r == '`' || !unicode.IsPrint(r) }
	if strings.Contains(text, `"`) && !strings.ContainsFunc(text, isOdd) {
		return jen.Id("`" + text + "`")
	}
	return jen.Lit(text)
}

// setAbsent sets a nil pointer or the zero value to a constant; nil if this needs other statements.
func (t *typed) setAbsent(here goValue, there object.Condition, d schema.Value) jen.Code {
	function, typ := "SetZero", here.typ
	if p, ok := typ.Underlying().(*types.Pointer); ok {
		function, typ = "SetNil", p.Elem()
	}
	code, ok := t.constant(typ, d)
	if !ok || there.Source() != notEmpty(here).Source() {
		return nil
	}
	return object.Runtime(function).Call(here.pointer(), code)
}

// assign sets a value. One that the type cannot hold stays absent.
func (t *typed) assign(to goValue, v schema.Value) []jen.Code {
	target, typ := to.value(), to.typ
	pointer := false
	if p, ok := typ.Underlying().(*types.Pointer); ok {
		pointer, typ = true, p.Elem()
	}
	if code, ok := t.constant(typ, v); ok {
		name, isNamed := t.w.typeCode(typ)
		if !pointer {
			if isZero := slices.Contains([]string{`""`, "0", "false"}, object.Source(code)); isZero {
				return nil
			}
			return []jen.Code{target.Op("=").Add(code)}
		}
		if isNamed {
			return []jen.Code{target.Op("=").Add(object.Runtime("New")).Types(name).Call(code)}
		}
	}
	return []jen.Code{object.Runtime("DecodeInto").Call(to.pointer(), jsonText(v))}
}

// constant returns the constant for a value of a type; false if there is none.
func (t *typed) constant(typ types.Type, v schema.Value) (jen.Code, bool) {
	switch shape := shapeOf(typ); {
	case shape == stringShape && v.Kind == schema.String, shape == boolShape && v.Kind == schema.Bool:
		return object.Literal(v), true
	case shape == intShape && v.Kind == schema.NumberKind:
		i, err := strconv.ParseInt(v.Text, 10, 64)
		typ := gojson.RangeOf(typ.Underlying().(*types.Basic).Kind())
		if err == nil && typ != nil && i >= typ.Min && (i < 0 || uint64(i) <= typ.Max) {
			return jen.Lit(int(i)), true
		}
	}
	return nil, false
}
