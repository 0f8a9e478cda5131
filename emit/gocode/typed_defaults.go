package gocode

import (
	"go/types"
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/crdproof/crdproof/generator/gojson"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/kube"
)

// defaultHelper writes DefaultWidget.
func (t *typed) defaultHelper(of jen.Code) {
	var body []jen.Code
	params := []jen.Code{jen.Id("_").Op("*").Add(of)}
	if set := t.setBelow(goValue{typ: t.k.Type, code: jen.Id("obj"), isPointer: true},
		&schema.Place{Schema: t.k.schema()}, rootOf(t.k)); set != nil {
		params = []jen.Code{jen.Id("obj").Op("*").Add(of)}
		body = []jen.Code{jen.If(jen.Id("obj").Op("!=").Nil()).Block(set...)}
	}
	t.w.helper("Default"+t.k.Name, "sets the defaults of kind "+t.k.CRD.Kind.V+", version "+t.k.VersionName()+
		", in the fields of obj that its JSON does not have. These are not all fields with the zero value: one whose tag "+
		"has neither omitempty nor omitzero is always there, unless it is a nil pointer, list or map. And a field with "+
		"omitempty that is not a pointer cannot be zero in JSON, so a zero there becomes the default, and a default that "+
		"is zero does not become visible.", params, nil, body)
}

// hasDefaults reports whether something in a schema has a default.
func hasDefaults(s *schema.Schema) (has bool) {
	schema.Walk(s, func(p *schema.Place) { has = has || p.Schema.Default != nil && !p.Nested && p.Above != nil })
	return has
}

// setBelow are the statements that set defaults in a value that is there; nil if there are none.
func (t *typed) setBelow(x goValue, at *schema.Place, where place) []jen.Code {
	if !hasDefaults(at.Schema) {
		return nil
	}
	code, ok := t.w.typeCode(x.typ)
	shape := shapeOf(x.typ)
	if (shape == structShape || shape == listShape || shape == mapShape) && ok {
		name := t.setter(x.typ, code, at, where)
		if name == "" {
			return nil
		}
		if shape == structShape {
			return []jen.Code{jen.Id(name).Call(x.pointer())}
		}
		return []jen.Code{jen.Id(name).Call(x.value())}
	}
	if name := t.w.defaults(at.Schema, where); name != "" {
		return []jen.Code{jen.Id("crdDefaultInJSON").Call(x.pointer(), jen.Id(name))}
	}
	return nil
}

// setter returns the function that sets defaults in structs, lists or maps; "" if there are none.
func (t *typed) setter(of types.Type, code jen.Code, at *schema.Place, where place) string {
	x := goValue{typ: of, code: jen.Id("x")}
	var body []jen.Code
	switch shapeOf(of) {
	case structShape:
		x.isPointer = true
		code = jen.Op("*").Add(code)
		for _, f := range fieldsOf(of) {
			if child := childOf(at, f.Name); child != nil && child.Step == schema.InProperty && !f.Quoted {
				body = append(body, t.setField(x.field(f), f, child, where.property(f.Name))...)
			}
		}
	case listShape:
		for _, child := range at.Children() {
			if child.Step == schema.InItems {
				item := goValue{typ: of.Underlying().(interface{ Elem() types.Type }).Elem(),
					code: jen.Id("x").Index(jen.Id("i"))}
				if set := t.setItem(item, child, where.item()); set != nil {
					body = []jen.Code{jen.For(jen.Id("i").Op(":=").Range().Id("x")).Block(set...)}
				}
			}
		}
	case mapShape:
		for _, child := range at.Children() {
			if child.Step == schema.InValues {
				item := goValue{typ: of.Underlying().(*types.Map).Elem(), code: jen.Id("item")}
				if set := t.setItem(item, child, where.value()); set != nil {
					set = append(set, jen.Id("x").Index(jen.Id("key")).Op("=").Id("item"))
					body = []jen.Code{jen.For(jen.List(jen.Id("key"), jen.Id("item")).Op(":=").Range().Id("x")).Block(set...)}
				}
			}
		}
	}
	if len(body) == 0 {
		return ""
	}
	return t.w.function(function{name: "crdTypedDefault" + where.name, doc: "sets defaults in " + where.text(),
		identity: types.TypeString(of, nil), params: []jen.Code{jen.Id("x").Add(code)}, body: body})
}

// setItem sets the defaults in an item of a list or a value of a map, or that of a null.
func (t *typed) setItem(item goValue, at *schema.Place, where place) []jen.Code {
	x := item.reached()
	set := t.setBelow(x, at, where)
	var otherwise []jen.Code
	if d := completeDefault(at.Schema); d.Kind != schema.Null && len(x.there) > 0 && !isSet(at.Schema.Nullable) {
		otherwise = t.assign(item, d)
	}
	return choose(x.there, set, otherwise)
}

// setField sets the default of a field, or the defaults in its value.
func (t *typed) setField(here goValue, f gojson.Field, at *schema.Place, where place) []jen.Code {
	x := here.reached()
	set := t.setBelow(x, at, where)
	d := completeDefault(at.Schema)
	if d.Kind == schema.Null || len(x.there) == 0 {
		return choose(x.there, set, nil)
	}
	for _, v := range f.Path[:len(f.Path)-1] {
		if isPointer(v.Type()) { // without the embedded struct there is no place for the default
			return choose(x.there, set, nil)
		}
	}
	otherwise := t.assign(here, d)
	if isSet(at.Schema.Nullable) { // null stays
		if len(here.there) == 0 {
			return choose(x.there, set, nil)
		}
		return append(choose(here.there, nil, otherwise), choose(x.there, set, nil)...)
	}
	return choose(x.there, set, otherwise)
}

// choose are statements under conditions, and others if they are not met.
func choose(conditions, body, otherwise []jen.Code) []jen.Code {
	switch {
	case len(body) == 0 && len(otherwise) == 0:
		return nil
	case len(conditions) == 0:
		return body
	case len(otherwise) == 0:
		return []jen.Code{jen.If(allOf(conditions)).Block(body...)}
	case len(body) == 0:
		return []jen.Code{jen.If(jen.Op("!").Parens(allOf(conditions))).Block(otherwise...)}
	}
	return []jen.Code{jen.If(allOf(conditions)).Block(body...).Else().Block(otherwise...)}
}

// assign sets a value. One that the type cannot hold stays absent.
func (t *typed) assign(to goValue, v schema.Value) []jen.Code {
	target, of := to.value(), to.typ
	pointer := false
	if p, ok := of.Underlying().(*types.Pointer); ok {
		pointer, of = true, p.Elem()
	}
	if code, ok := t.constant(of, v); ok {
		name, isNamed := t.w.typeCode(of)
		if !pointer {
			return []jen.Code{target.Op("=").Add(code)}
		}
		if isNamed {
			return []jen.Code{target.Op("=").Id("crdNew").Types(name).Call(code)}
		}
	}
	return []jen.Code{jen.Id("crdDecodeInto").Call(to.pointer(), jen.Lit(string(kube.AppendJSON(nil, v))))}
}

// constant is the constant for a value of a type; false if there is none.
func (t *typed) constant(of types.Type, v schema.Value) (jen.Code, bool) {
	switch shape := shapeOf(of); {
	case shape == stringShape && v.Kind == schema.String, shape == boolShape && v.Kind == schema.Bool:
		return literal(v), true
	case shape == intShape && v.Kind == schema.NumberKind:
		i, err := strconv.ParseInt(v.Text, 10, 64)
		of := gojson.RangeOf(of.Underlying().(*types.Basic).Kind())
		if err == nil && of != nil && i >= of.Min && (i < 0 || uint64(i) <= of.Max) {
			return jen.Lit(int(i)), true
		}
	}
	return nil, false
}
