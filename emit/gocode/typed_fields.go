package gocode

import (
	"fmt"
	"go/types"
	"math"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/crdproof/crdproof/generator/gojson"
	"github.com/crdproof/crdproof/generator/schema"
)

// fields are the statements for the fields of a struct, and for the required fields that it does not have.
func (t *typed) fields(x, old goValue, at *schema.Place, where place) (body []jen.Code) {
	s := at.Schema
	missing := map[string]bool{}
	for _, r := range s.Required {
		property := s.Property(r.V)
		missing[r.V] = property == nil || completeDefault(property).Kind == schema.Null
	}
	for _, f := range fieldsOf(x.typ) {
		here, before := x.field(f), old.field(f)
		child := childOf(at, f.Name)
		if child == nil {
			body = append(body, ifThere(t.unseen(here.reached(), f), here.reached().there)...)
			if missing[f.Name] { // it is required although the schema does not describe it
				body = append(body, t.absent(here)...)
			}
			delete(missing, f.Name)
			continue
		}
		spot := where.property(f.Name)
		if child.Step == schema.InValues {
			spot = where.value()
		}
		body = append(body, t.field(here, before, f, child, spot, missing[f.Name])...)
		delete(missing, f.Name)
	}
	for _, r := range s.Required {
		if missing[r.V] {
			return append(body, fails())
		}
	}
	if isMetadata(x.typ) {
		body = append(body, unless(jen.Id("crdAreManaged").Call(x.base().Dot("ManagedFields"))))
	}
	return body
}

// count are the statements for the number of fields of a struct. Those that the schema does not have are dropped.
func (t *typed) count(x goValue, at *schema.Place) []jen.Code {
	s := at.Schema
	if s.MinProperties == nil && s.MaxProperties == nil {
		return nil
	}
	always := 0
	var body, some []jen.Code
	for _, p := range s.Properties {
		hasDefault := completeDefault(p.Schema).Kind != schema.Null
		f := fieldOf(x.typ, p.Name)
		if f == nil {
			if hasDefault {
				always++
			}
			continue
		}
		here := x.field(*f)
		there := here.reached().there
		if isSet(p.Schema.Nullable) {
			there = here.there // null stays
		}
		switch {
		case hasDefault || len(there) == 0:
			always++
		case shapeOf(here.reached().typ) == opaqueShape:
			return []jen.Code{fails()} // it may encode itself as null
		default:
			some = append(some, jen.Parens(allOf(there)))
			body = append(body, jen.If(allOf(there)).Block(jen.Id("n").Op("++")))
		}
	}
	low, high := int64(0), int64(math.MaxInt32)
	if s.MinProperties != nil {
		low = s.MinProperties.V
	}
	if s.MaxProperties != nil {
		high = s.MaxProperties.V
	}
	switch {
	case isEnough(low, always) && int64(always+len(some)) <= high:
		return nil
	case int64(always)+1 == low && len(some) > 0 && int64(always+len(some)) <= high:
		any := jen.Add(some[0])
		for _, c := range some[1:] {
			any = any.Op("||").Add(c)
		}
		return []jen.Code{unless(jen.Parens(any))}
	}
	body = append([]jen.Code{jen.Id("n").Op(":=").Lit(always)}, body...)
	wrong := jen.Id("n").Op("<").Lit(int(low))
	switch {
	case isEnough(low, always):
		wrong = jen.Id("n").Op(">").Lit(int(high))
	case int64(always+len(some)) > high:
		wrong = wrong.Op("||").Id("n").Op(">").Lit(int(high))
	}
	return []jen.Code{jen.Block(append(body, jen.If(wrong).Block(fails()))...)}
}

func isEnough(low int64, always int) bool { return int64(always) >= low }

func isMetadata(t types.Type) bool {
	pkg, name := gojson.NameOf(t)
	return pkg == pkgMeta && name == "ObjectMeta"
}

// absent fails if a required field is omitted.
func (t *typed) absent(here goValue) []jen.Code {
	if len(here.there) == 0 {
		return nil
	}
	return []jen.Code{jen.If(jen.Op("!").Parens(allOf(here.there))).Block(fails())}
}

// field are the statements for a field that the schema describes. It must be there if it is required, which it is not
// with a default.
func (t *typed) field(here, old goValue, f gojson.Field, at *schema.Place, where place, required bool) []jen.Code {
	x, before := here.reached(), old.reached()
	s := at.Schema
	var body []jen.Code
	switch shape := shapeOf(x.typ); {
	case f.Quoted:
		if !isPlain(s) || s.Type.V != "string" {
			body = []jen.Code{fails()}
		}
	case shape == opaqueShape:
		body = t.asJSON(x, at, where, !required)
	default:
		body = t.one(x, before, at, where)
	}
	body = live(body)
	var otherwise []jen.Code
	if required && len(x.there) > 0 {
		otherwise = []jen.Code{fails()}
		if isSet(s.Nullable) && len(here.there) == 0 {
			otherwise = nil // null is a value
		}
	}
	if d := s.Default; d != nil && completeDefault(s).Kind != schema.Null && len(x.there) > 0 {
		if !t.k.DefaultsAreValid || t.defaultMatters(x, at) {
			otherwise = []jen.Code{fails()}
		}
	}
	switch {
	case len(x.there) == 0:
		return scoped(body)
	case len(body) == 0 && otherwise == nil:
		return nil
	case len(body) == 0:
		return []jen.Code{jen.If(jen.Op("!").Parens(allOf(x.there))).Block(otherwise...)}
	case otherwise == nil:
		return []jen.Code{jen.If(allOf(x.there)).Block(body...)}
	}
	return []jen.Code{jen.If(allOf(x.there)).Block(body...).Else().Block(otherwise...)}
}

// defaultMatters reports whether a rule compares the default of an absent value with the old value.
func (t *typed) defaultMatters(_ goValue, at *schema.Place) bool {
	_, looksBack := t.rulesBelow(at)
	return looksBack
}

// scoped are statements in a block of their own if they declare a variable.
func scoped(body []jen.Code) []jen.Code {
	if len(body) > 1 && source(body[0])[:3] == "var" {
		return []jen.Code{jen.Block(body...)}
	}
	return body
}

// ifThere are statements under conditions.
func ifThere(body []jen.Code, conditions []jen.Code) []jen.Code {
	if len(body) == 0 || len(conditions) == 0 {
		return body
	}
	return []jen.Code{jen.If(allOf(conditions)).Block(body...)}
}

// unseen are the statements for a value that no schema describes: it must be possible to encode it.
func (t *typed) unseen(x goValue, f gojson.Field) []jen.Code {
	switch {
	case isMetadata(x.typ):
		return []jen.Code{unless(jen.Id("crdAreManaged").Call(x.base().Dot("ManagedFields")))}
	case !mayFail(x.typ, nil):
		return nil
	case shapeOf(x.typ) == floatShape:
		return t.encodes(x)
	}
	fits := jen.Id("crdFits").Call(x.pointer(), jen.True(), jen.Nil(), jen.Nil())
	if isRaw(x.typ) {
		return []jen.Code{rawOr(x, false, fits)}
	}
	return []jen.Code{unless(fits)}
}

// mayFail reports whether values of a type exist that encoding/json cannot encode, or whose JSON cannot be decoded.
func mayFail(t types.Type, above []types.Type) bool {
	for isPointer(t) {
		t = t.Underlying().(*types.Pointer).Elem()
	}
	if slices.Contains(above, t) {
		return true // it may contain itself
	}
	above = append(slices.Clip(above), t)
	switch shapeOf(t) {
	case structShape:
		return isMetadata(t) || slices.ContainsFunc(fieldsOf(t), func(f gojson.Field) bool { return mayFail(f.Type(), above) })
	case mapShape, listShape:
		return mayFail(t.Underlying().(interface{ Elem() types.Type }).Elem(), above)
	case floatShape, intOrStringShape, opaqueShape:
		return true
	case timeShape:
		return false
	}
	return false
}

// items are the statements for a list.
func (t *typed) items(x, old goValue, at *schema.Place, where place) (body []jen.Code) {
	s := at.Schema
	elem := x.typ.Underlying().(interface{ Elem() types.Type }).Elem()
	body = between(x.value(), s.MinItems, "", s.MaxItems, "", failing)
	item := goValue{typ: elem, code: jen.Id("x").Index(jen.Id("i"))}
	var each []jen.Code
	if s.Items == nil {
		each = t.unseen(item.reached(), gojson.Field{})
		each = ifThere(each, item.reached().there)
	} else {
		for _, child := range at.Children() {
			if child.Step == schema.InItems {
				each = t.item(item, old, at, child, where)
			}
		}
	}
	if len(each) > 0 {
		body = append(body, jen.For(jen.Id("i").Op(":=").Range().Id("x")).Block(each...))
	}
	switch s.ListType.V {
	case "set":
		body = append(body, t.set(elem, at, where)...)
	case "map":
		body = append(body, t.keyed(elem, at, where)...)
	}
	return body
}

// item are the statements for the item i of a list. Those of a list of type map have old values.
func (t *typed) item(item, old goValue, list, at *schema.Place, where place) []jen.Code {
	x := item.reached()
	_, looksBack := t.rulesBelow(at)
	before := goValue{typ: x.typ, code: jen.Id("was"), isPointer: true, there: []jen.Code{jen.Id("was").Op("!=").Nil()}}
	var body []jen.Code
	if looksBack {
		key, ok := t.keyFunction(item.typ, list, where)
		if list.Schema.ListType.V != "map" || len(list.Schema.ListMapKeys) == 0 {
			of, _ := t.w.typeCode(x.typ)
			body = append(body, jen.Var().Id("was").Op("*").Add(of))
		} else if !ok || isPointer(item.typ) {
			body = append(body, jen.If(jen.Id("old").Op("!=").Nil()).Block(fails()), jen.Var().Id("was").Op("*").
				Add(must(t.w.typeCode(x.typ))))
		} else {
			body = append(body, jen.List(jen.Id("was"), jen.Id("ok")).Op(":=").Id("crdOldOf").
				Call(jen.Id("old"), item.pointer(), jen.Id(key)),
				jen.If(jen.Op("!").Id("ok")).Block(fails()))
		}
	}
	own := t.one(x, before, at, where.item())
	if shapeOf(x.typ) == opaqueShape {
		own = t.asJSON(x, at, where.item(), false)
	}
	own = live(own)
	if len(own) == 0 && len(x.there) == 0 {
		return nil
	}
	if len(x.there) == 0 {
		return append(body, own...)
	}
	if isSet(at.Schema.Nullable) {
		if len(own) == 0 {
			return nil
		}
		return append(body, jen.If(allOf(x.there)).Block(own...))
	}
	if len(own) == 0 {
		return []jen.Code{jen.If(jen.Op("!").Parens(allOf(x.there))).Block(fails())}
	}
	return append(body, jen.If(allOf(x.there)).Block(own...).Else().Block(fails()))
}

func must(code *jen.Statement, _ bool) *jen.Statement { return code }

// set checks that no item of a list is repeated.
func (t *typed) set(elem types.Type, at *schema.Place, where place) []jen.Code {
	switch shapeOf(elem) {
	case stringShape, intShape, boolShape:
		return []jen.Code{jen.If(jen.Id("crdRepeatsValue").Call(jen.Id("x"))).Block(fails())}
	}
	return t.asLists(at, where)
}

// asLists checks lists as JSON.
func (t *typed) asLists(at *schema.Place, where place) []jen.Code {
	check := t.w.lists(at.Schema, where)
	return []jen.Code{unless(jen.Id("crdFits").Call(jen.Op("&").Id("x"), jen.False(), jen.Nil(), t.defaultsOf(at, where),
		jen.Id(check)))}
}

func (t *typed) defaultsOf(at *schema.Place, where place) jen.Code {
	if name := t.w.defaults(at.Schema, where); name != "" {
		return jen.Id(name)
	}
	return jen.Nil()
}

// keyed checks that no two items of a list of type map have the same keys.
func (t *typed) keyed(elem types.Type, at *schema.Place, where place) []jen.Code {
	key, ok := t.keyFunction(elem, at, where)
	if !ok {
		return t.asLists(at, where)
	}
	return []jen.Code{jen.If(jen.Id("crdRepeatsKey").Call(jen.Id("x"), jen.Id(key))).Block(fails())}
}

// keyFunction returns the function that reads the keys of an item; false if typed code cannot read them. It has the form
// func(x *T) (keys [n]any or a scalar, ok bool): ok is false if a key is missing.
func (t *typed) keyFunction(elem types.Type, list *schema.Place, where place) (string, bool) {
	s := list.Schema.Items
	of, ok := t.w.typeCode(elem)
	if !ok || s == nil || isPointer(elem) || shapeOf(elem) != structShape {
		return "", false
	}
	x := goValue{typ: elem, code: jen.Id("x"), isPointer: true}
	var body, members, values []jen.Code
	for i, k := range list.Schema.ListMapKeys {
		at := slices.IndexFunc(fieldsOf(elem), func(f gojson.Field) bool { return f.Name == k.V })
		if at < 0 || fieldsOf(elem)[at].Quoted || s.Property(k.V) == nil {
			return "", false
		}
		v := x.field(fieldsOf(elem)[at]).reached()
		basic := map[goShape]*jen.Statement{stringShape: jen.String(), boolShape: jen.Bool(), intShape: jen.Int64()}
		typ := basic[shapeOf(v.typ)]
		if typ == nil {
			return "", false
		}
		name := fmt.Sprintf("k%d", i)
		members = append(members, jen.Id(name).Add(typ))
		key := jen.Id("key").Dot(name)
		set := jen.Add(key).Op("=").Add(v.converted())
		otherwise := []jen.Code{jen.Return(jen.Id("key"), jen.False())}
		if d := s.Property(k.V).Default; d != nil {
			if code, ok := scalarLiteral(*d, shapeOf(v.typ)); ok {
				otherwise = []jen.Code{jen.Add(key).Op("=").Add(code)}
			}
		}
		if len(v.there) == 0 {
			body = append(body, set)
		} else {
			body = append(body, jen.If(allOf(v.there)).Block(set).Else().Block(otherwise...))
		}
		values = append(values, key)
	}
	if len(values) == 0 {
		return "", false
	}
	results := []jen.Code{jen.Id("key").Struct(members...), jen.Id("ok").Bool()}
	body = append(body, jen.Return(jen.Id("key"), jen.True()))
	return t.w.function(function{name: "crdTypedKey" + where.name, doc: "reads the keys of an item of " + where.text(),
		identity: types.TypeString(elem, nil),
		params:   []jen.Code{jen.Id("x").Op("*").Add(of)}, results: results, body: body}), true
}

// scalarLiteral is the code of a scalar of a shape; false if the value has another type.
func scalarLiteral(v schema.Value, shape goShape) (jen.Code, bool) {
	switch {
	case v.Kind == schema.String && shape == stringShape, v.Kind == schema.Bool && shape == boolShape:
		return literal(v), true
	case v.Kind == schema.NumberKind && shape == intShape:
		if code := source(literal(v)); len(code) > 5 && code[:5] == "int64" {
			return literal(v), true
		}
	}
	return nil, false
}

// values are the statements for a map.
func (t *typed) values(x, old goValue, at *schema.Place, where place) (body []jen.Code) {
	s := at.Schema
	elem := x.typ.Underlying().(*types.Map).Elem()
	body = between(x.value(), s.MinProperties, "", s.MaxProperties, "", failing)
	if len(s.Required) > 0 {
		return append(body, t.asJSON(goValue{typ: x.typ, code: jen.Id("x")}, at, where, false)...)
	}
	if len(s.Properties) > 0 {
		return t.asJSON(goValue{typ: x.typ, code: jen.Id("x")}, at, where, false)
	}
	item := goValue{typ: elem, code: jen.Id("item")}
	inner := item.reached()
	var each []jen.Code
	for _, child := range at.Children() {
		if child.Step != schema.InValues {
			continue
		}
		_, looksBack := t.rulesBelow(child)
		before := goValue{typ: elem, code: jen.Id("was"), there: []jen.Code{jen.Id("is")}}.reached()
		switch {
		case shapeOf(inner.typ) == opaqueShape:
			each = t.asJSON(inner, child, where.value(), true)
		default:
			each = t.one(inner, before, child, where.value())
		}
		each = ifThere(live(each), inner.there)
		if len(inner.there) > 0 && child.Schema.Default != nil {
			each = append(each, jen.If(jen.Op("!").Parens(allOf(inner.there))).Block(fails()))
		}
		if looksBack && len(each) > 0 {
			each = append([]jen.Code{jen.List(jen.Id("was"), jen.Id("is")).Op(":=").Id("old").Index(jen.Id("key"))}, each...)
		}
		if len(each) > 0 || s.MinProperties != nil || s.MaxProperties != nil || t.readsTexts(at) {
			each = append([]jen.Code{validText(jen.String().Call(jen.Id("key")))}, each...)
		}
	}
	if each == nil && mayFail(elem, nil) {
		each = ifThere(t.unseen(inner, gojson.Field{}), inner.there)
	}
	if len(inner.there) > 0 && (s.MinProperties != nil || s.MaxProperties != nil) { // nulls are dropped
		each = append(each, jen.If(jen.Op("!").Parens(allOf(inner.there))).Block(fails()))
	}
	if len(each) == 0 {
		return body
	}
	variable := jen.Id("item")
	uses := "item"
	loop := jen.For(jen.List(jen.Id("key"), variable).Op(":=").Range().Id("x")).Block(each...)
	if text := source(jen.Block(each...)); !usesName(text, uses) {
		loop = jen.For(jen.Id("key").Op(":=").Range().Id("x")).Block(each...)
	} else if !usesName(text, "key") {
		loop = jen.For(jen.List(jen.Id("_"), variable).Op(":=").Range().Id("x")).Block(each...)
	}
	return append(body, loop)
}

// usesName reports whether code mentions a name.
func usesName(text, name string) bool {
	isPart := func(b byte) bool {
		return b == '_' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
	}
	for i := 0; i+len(name) <= len(text); i++ {
		if text[i:i+len(name)] == name && (i == 0 || !isPart(text[i-1]) && text[i-1] != '.') &&
			(i+len(name) == len(text) || !isPart(text[i+len(name)])) {
			return true
		}
	}
	return false
}
