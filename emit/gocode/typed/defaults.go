package typed

import (
	"go/types"
	"slices"
	"strconv"

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

// setBelow returns the statements that set defaults in a value. One that is a nil pointer, list or map has none.
func (t *typed) setBelow(x goValue, at *schema.Place, where object.Place) []jen.Code {
	if !hasDefaults(at.Schema) {
		return nil
	}
	code, ok := t.w.typeCode(x.typ)
	shape := shapeOf(x.typ)
	if (shape == structShape || shape == listShape || shape == mapShape) && ok {
		if shape == listShape {
			for _, child := range at.Children() {
				elem := goValue{typ: elemOf(x.typ)}
				if _, isSlice := x.typ.Underlying().(*types.Slice); isSlice && child.Step == schema.InItems &&
					shapeOf(elem.typ) == structShape {
					if typ, ok := t.w.typeCode(elem.typ); ok {
						name := t.setter(elem.typ, typ, child, where.Item())
						if name == "" {
							return nil
						}
						return []jen.Code{object.Runtime("InEach").Call(x.value(), jen.Id(name))}
					}
				}
			}
		}
		name := t.setter(x.typ, code, at, where)
		if name == "" {
			return nil
		}
		return []jen.Code{jen.Id(name).Call(x.argument())}
	}
	t.noteUnheld(x.typ, at)
	return []jen.Code{object.Runtime("DefaultInJSON").Call(x.pointer(), t.w.Structure(at.Schema, where))}
}

// setsNothing reports whether the statements of setBelow have no effect if the conditions of a value do not hold: if it
// is a nil pointer, or an empty list or map.
func setsNothing(x goValue) bool {
	own := []object.Condition{isNotNil(x.value()), isFull(x.value())}
	if shapeOf(x.typ) == structShape {
		own = []object.Condition{isNotNil(x.code)}
	}
	return len(x.there) == 1 && slices.ContainsFunc(own, func(c object.Condition) bool {
		return c.Source() == x.there[0].Source()
	})
}

// setter returns the function that sets defaults in structs, lists or maps; "" if there are none.
func (t *typed) setter(typ types.Type, code jen.Code, at *schema.Place, where object.Place) string {
	x := goValue{typ: typ, code: jen.Id("x")}
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
	switch {
	case len(body) == 0:
		return ""
	case shapeOf(typ) == structShape:
		body = append([]jen.Code{jen.If(jen.Id("x").Op("==").Nil()).Block(jen.Return())}, body...)
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
	case len(otherwise) == 0:
		return []jen.Code{jen.If(there.Code()).Block(body...)}
	case len(body) == 0:
		if set := t.setAbsent(here, there, d); set != nil {
			return []jen.Code{set}
		}
		return []jen.Code{jen.If(there.Opposite().Code()).Block(otherwise...)}
	}
	return []jen.Code{jen.If(there.Code()).Block(body...).Else().Block(otherwise...)}
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
	return []jen.Code{object.Runtime("DecodeInto").Call(to.pointer(), jen.Lit(string(kube.AppendJSON(nil, v))))}
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
