package typed

import (
	"go/token"
	"go/types"
	"math"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/crdproof/crdproof/emit/gocode/internal/object"
	"github.com/crdproof/crdproof/internal/gojson"
	"github.com/crdproof/crdproof/schema"
)

// fields returns the steps for the fields of a struct, and for the required fields that it does not have.
func (t *typed) fields(x, old goValue, at *schema.Place, where object.Place) (body steps) {
	s := at.Schema
	missing := map[string]bool{}
	for _, r := range s.Required {
		property := s.Property(r.V)
		missing[r.V] = property == nil || object.CompleteDefault(property).Kind == schema.Null
	}
	for _, f := range fieldsOf(x.typ) {
		if f.Name == statusField && t.hasStatusAt(at) {
			body = append(body, t.status(old, f, at, where, missing[f.Name])...)
			delete(missing, f.Name)
			continue
		}
		here, before := t.w.field(x, f), t.w.field(old, f)
		child := childOf(at, f.Name)
		if child == nil {
			reached := here.reached()
			body = append(body, valid(object.AnyOf(object.AllOf(reached.there...).Opposite(), t.unseen(reached)))...)
			if missing[f.Name] { // it is required although the schema does not describe it
				body = append(body, valid(here.there...)...)
			}
			delete(missing, f.Name)
			continue
		}
		spot := where.Property(f.Name)
		if child.Step == schema.InValues {
			spot = where.Value()
		}
		body = append(body, t.field(here, before, f, child, spot, missing[f.Name])...)
		delete(missing, f.Name)
	}
	for _, r := range s.Required {
		if missing[r.V] {
			return append(body, step{Condition: object.Never})
		}
	}
	if isMetadata(x.typ) {
		body = append(body, valid(object.Holds(object.Runtime("AreManaged").Call(x.base().Dot("ManagedFields"))))...)
	}
	return body
}

// status returns the steps for a status that is a subresource, if the object has one. One that did not change may
// remain invalid, but for its rules and embedded resources.
func (t *typed) status(old goValue, f gojson.Field, at *schema.Place, where object.Place, required bool) (body steps) {
	owner := statusValue(old.typ)
	isNone := object.Compares(owner.code, "==", jen.Nil())
	if child := childOf(at, f.Name); child != nil {
		body = t.field(t.w.field(owner, f), t.w.field(old, f), f, child, where.Property(f.Name), required)
		if has, _ := t.rulesBelow(child); !has && !t.w.Content(child.Schema).Resources {
			isNone = object.AnyOf(isNone, object.Compares(owner.code, "==", jen.Id("old")))
		}
	}
	if required {
		return append(valid(isNotNil(owner.code)), body...)
	}
	return body.unless(isNone)
}

// fieldCount returns the condition for the number of fields of a struct. Those that the schema does not have are
// dropped.
func (t *typed) fieldCount(x goValue, at *schema.Place) object.Condition {
	s := at.Schema
	if s.MinProperties == nil && s.MaxProperties == nil {
		return object.Always
	}
	fixed := int64(0)
	var some []object.Condition
	for _, p := range s.Properties {
		hasDefault := object.CompleteDefault(p.Schema).Kind != schema.Null
		f := fieldOf(x.typ, p.Name)
		if f == nil {
			if hasDefault {
				fixed++
			}
			continue
		}
		here := t.w.field(x, *f)
		there := here.reached().there
		if p.Schema.Nullable.True() {
			there = here.there // null stays
		}
		switch {
		case hasDefault || len(there) == 0:
			fixed++
		case shapeOf(here.reached().typ) == opaqueShape:
			return object.Never // it may encode itself as null
		default:
			some = append(some, object.AllOf(there...))
		}
	}
	low, high := int64(0), int64(math.MaxInt32)
	if s.MinProperties != nil {
		low = s.MinProperties.V
	}
	if s.MaxProperties != nil {
		high = s.MaxProperties.V
	}
	low, high = low-fixed, high-fixed
	most := int64(len(some))
	if low == 1 && most <= high {
		return object.AnyOf(some...)
	}
	var list []jen.Code
	for _, c := range some {
		list = append(list, c.Code())
	}
	count := object.Runtime("CountOf").Call(list...)
	var right []object.Condition
	if low > 0 {
		right = append(right, object.Compares(count, ">=", jen.Lit(int(low))))
	}
	if most > high {
		right = append(right, object.Compares(count, "<=", jen.Lit(int(high))))
	}
	return object.AllOf(right...)
}

func isMetadata(t types.Type) bool {
	pkg, name := gojson.NameOf(t)
	return pkg == pkgMeta && name == "ObjectMeta"
}

// field returns the steps for a field that the schema describes. It must be there if it is required, which it is not
// with a default.
func (t *typed) field(here, old goValue, f gojson.Field, at *schema.Place, where object.Place,
	required bool) (body steps) {
	x, before := here.reached(), old.reached()
	s := at.Schema
	switch shape := shapeOf(x.typ); {
	case f.Quoted:
		if !object.IsPlain(s) || s.Type.V != "string" {
			body = valid(object.Never)
		}
	case shape == opaqueShape:
		body = valid(t.asJSON(x, at, where, !required))
	default:
		body = t.checkValue(x, before, at, where)
	}
	there := object.AllOf(x.there...)
	switch {
	case required && !(s.Nullable.True() && len(here.there) == 0), rejectsNull(s) && len(x.there) > len(here.there):
		return append(valid(there), body...) // null may be a value
	case s.Default != nil && object.CompleteDefault(s).Kind != schema.Null && (!t.k.DefaultsAreValid ||
		t.looksBack(at)):
		return append(valid(there), body...) // the default may be invalid
	}
	return body.unless(there.Opposite())
}

// rejectsNull reports whether null is an invalid value although a schema is nullable: an enum does not have it.
func rejectsNull(s *schema.Schema) bool { return s.Nullable.True() && len(s.Enum) > 0 }

// looksBack reports whether a rule on a place or below it compares with the old value.
func (t *typed) looksBack(at *schema.Place) bool {
	_, looksBack := t.rulesBelow(at)
	return looksBack
}

// unseen returns the condition for a value that no schema describes: it must be possible to encode it.
func (t *typed) unseen(x goValue) object.Condition {
	switch {
	case isMetadata(x.typ):
		return object.Holds(object.Runtime("AreManaged").Call(x.base().Dot("ManagedFields")))
	case !mayFail(x.typ, nil):
		return object.Always
	case shapeOf(x.typ) == floatShape:
		return t.encodes(x)
	}
	fits := object.Holds(object.Runtime("Fits").Call(x.pointer(), jen.True(), jen.Nil()))
	if isRaw(x.typ) {
		return rawOr(x, false, fits)
	}
	return fits
}

// mayFail reports whether values of a type exist that encoding/json cannot encode, or whose JSON cannot be decoded.
func mayFail(t types.Type, above []types.Type) bool {
	for isPointer(t) {
		t = elemOf(t)
	}
	if slices.Contains(above, t) {
		return true // it may contain itself
	}
	above = append(slices.Clip(above), t)
	switch shapeOf(t) {
	case structShape:
		return isMetadata(t) ||
			slices.ContainsFunc(fieldsOf(t), func(f gojson.Field) bool { return mayFail(f.Type(), above) })
	case mapShape, listShape:
		return mayFail(elemOf(t), above)
	case floatShape, intOrStringShape, opaqueShape:
		return true
	case timeShape:
		return false
	}
	return false
}

// items returns the steps for a list.
func (t *typed) items(x, old goValue, at *schema.Place, where object.Place) (body steps) {
	s := at.Schema
	elem := elemOf(x.typ)
	body = valid(t.sizes(x, s.MinItems, s.MaxItems)...)
	list := x.value()
	if _, isArray := x.typ.Underlying().(*types.Array); isArray {
		list = x.base().Index(jen.Op(":"))
	}
	if s.Items == nil {
		item := goValue{typ: elem, code: jen.Id("x"), isPointer: true}.reached()
		if cond := t.unseen(item); !cond.IsAlways() {
			cond = object.AnyOf(object.AllOf(item.there...).Opposite(), cond)
			body = append(body,
				valid(object.Holds(object.Runtime("AllAre").Call(list, t.itemFunction(elem, valid(cond)))))...)
		}
	}
	for _, child := range at.Children() {
		if child.Step == schema.InItems {
			body = append(body, valid(t.checkItems(list, elem, at, child, where))...)
		}
	}
	switch s.ListType.V {
	case "set":
		body = append(body, valid(t.distinctItems(x, list, at, where))...)
	case "map":
		body = append(body, valid(t.distinctKeys(x, list, elem, at, where))...)
	}
	return body
}

// sizes returns the conditions for the size of a list or a map.
func (t *typed) sizes(x goValue, low, high *schema.Int) (out []object.Condition) {
	if low != nil && low.V == 1 {
		out, low = append(out, isFull(x.value())), nil
	}
	return append(out, object.SizesFit(x.value(), low, high)...)
}

// checkItems returns the condition that all items of a list are valid. Those of a list of type map have old values.
func (t *typed) checkItems(list jen.Code, elem types.Type, in, at *schema.Place, where object.Place) object.Condition {
	x := goValue{typ: elem, code: jen.Id("x"), isPointer: true}.reached()
	typ, nameable := t.w.typeCode(x.typ)
	before := goValue{typ: x.typ, code: jen.Id("old"), isPointer: true, param: jen.Op("*").Add(typ)}.
		when(isNotNil(jen.Id("old")))
	var own steps
	if shapeOf(x.typ) == opaqueShape {
		own = valid(t.asJSON(x, at, where.Item(), false))
	} else {
		own = t.checkValue(x, before, at, where.Item())
	}
	if at.Schema.Nullable.True() && !rejectsNull(at.Schema) {
		own = own.unless(object.AllOf(x.there...).Opposite())
	} else {
		own = append(valid(x.there...), own...)
	}
	switch looksBack := t.looksBack(at) && nameable; {
	case len(own) == 0:
		return object.Always
	case !looksBack:
		return object.Holds(object.Runtime("AllAre").Call(list, t.itemFunction(elem, own)))
	case in.Schema.ListType.V != "map" || len(in.Schema.ListMapKeys) == 0:
		return object.Holds(object.Runtime("NewAre").Call(list, t.itemFunction(elem, own, x.typ)))
	default:
		key, ok := t.keyFunction(elem, in)
		if !ok {
			return object.AllOf(object.Compares(jen.Id("old"), "==", jen.Nil()),
				object.Holds(object.Runtime("NewAre").Call(list, t.itemFunction(elem, own, x.typ))))
		}
		return object.Holds(object.Runtime("KeyedAre").Call(list, jen.Id("old"), key,
			t.itemFunction(elem, own, x.typ)))
	}
}

// itemFunction returns the function for the items of a list: func(x *T) bool, or func(x *T, old *Old) bool.
func (t *typed) itemFunction(elem types.Type, cond steps, old ...types.Type) jen.Code {
	params := []jen.Code{jen.Id("x").Op("*").Add(t.codeOf(elem))}
	for _, typ := range old {
		params = append(params, jen.Id("old").Op("*").Add(t.codeOf(typ)))
	}
	signature := jen.Func().Params(params...).Bool()
	if all, ok := cond.condition(); ok {
		for _, args := range []string{"(x)", "(x, old)"} { // it is the function itself
			name, found := strings.CutSuffix(all.Source(), args)
			if found && token.IsIdentifier(name) && shapeOf(elem) == structShape &&
				(args == "(x)") == (len(old) == 0) {
				return jen.Id(name)
			}
		}
		if code := all.Code(); len(object.Source(code)) < 90 {
			return object.InLine(signature, jen.Return(code))
		}
	}
	return signature.Block(cond.body()...)
}

// codeOf returns the code of a type that the package can name.
func (t *typed) codeOf(typ types.Type) jen.Code {
	code, _ := t.w.typeCode(typ)
	return code
}

// distinctItems returns the condition that no item of a list is repeated.
func (t *typed) distinctItems(x goValue, list jen.Code, at *schema.Place, where object.Place) object.Condition {
	switch shapeOf(elemOf(x.typ)) {
	case stringShape, intShape, boolShape:
		return object.Holds(object.Runtime("AreDistinct").Call(list))
	}
	return t.asLists(x, at, where)
}

// asLists returns the condition that lists are valid as JSON.
func (t *typed) asLists(x goValue, at *schema.Place, where object.Place) object.Condition {
	return object.Holds(object.Runtime("Fits").Call(x.pointer(), jen.False(), t.w.Structure(at.Schema, where),
		object.Method("CheckLists")))
}

// distinctKeys returns the condition that no two items of a list of type map have the same keys.
func (t *typed) distinctKeys(x goValue, list jen.Code, elem types.Type, at *schema.Place,
	where object.Place) object.Condition {
	key, ok := t.keyFunction(elem, at)
	if !ok {
		return t.asLists(x, at, where)
	}
	return object.Holds(object.Runtime("HaveOwnKeys").Call(list, key))
}

// values returns the steps for a map.
func (t *typed) values(x, old goValue, at *schema.Place, where object.Place) (body steps) {
	s := at.Schema
	elem := elemOf(x.typ)
	body = valid(t.sizes(x, s.MinProperties, s.MaxProperties)...)
	if len(s.Properties) > 0 || len(s.Required) > 0 {
		return append(body, valid(t.asJSON(x, at, where, false))...)
	}
	counted := s.MinProperties != nil || s.MaxProperties != nil
	item := goValue{typ: elem, code: jen.Id("item")}
	inner := item.reached()
	isNull := object.AllOf(inner.there...).Opposite()
	var each steps
	var before []jen.Code
	for _, child := range at.Children() {
		if child.Step != schema.InValues {
			continue
		}
		was := goValue{typ: elem, code: jen.Id("was"), there: []object.Condition{object.Holds(jen.Id("is"))}}.reached()
		if shapeOf(inner.typ) == opaqueShape {
			each = valid(t.asJSON(inner, child, where.Value(), true))
		} else {
			each = t.checkValue(inner, was, child, where.Value())
		}
		if child.Schema.Default != nil || rejectsNull(child.Schema) {
			each = append(valid(inner.there...), each...)
		} else {
			each = each.unless(isNull)
		}
		if t.looksBack(child) && len(each) > 0 {
			before = []jen.Code{jen.List(jen.Id("was"), jen.Id("is")).Op(":=").Id("old").Index(jen.Id("key"))}
		}
		if len(each) > 0 || counted || t.readsTexts(at) {
			each = append(valid(isValidText(jen.String().Call(jen.Id("key")))), each...)
		}
	}
	if each == nil {
		each = valid(object.AnyOf(isNull, t.unseen(inner)))
	}
	if counted { // nulls are dropped
		each = append(each, valid(inner.there...)...)
	}
	switch {
	case len(each) == 0:
		return body
	case each.areNever():
		return append(body, valid(isFull(x.value()).Opposite())...)
	}
	if all, ok := each.condition(); ok && before == nil {
		return append(body, valid(t.eachValue(x, all))...)
	}
	return append(body, step{statements: []jen.Code{rangeOver(x.value(), append(before, each.within()...))}})
}

// eachValue returns the condition that one holds for all keys and values of a map.
func (t *typed) eachValue(x goValue, cond object.Condition) object.Condition {
	text := cond.Source()
	if text == "utf8.ValidString(string(key))" {
		return object.Holds(object.Runtime("HaveTextKeys").Call(x.value()))
	}
	m := x.typ.Underlying().(*types.Map)
	params := []jen.Code{jen.Id("key").Add(t.codeOf(m.Key())), jen.Id("item").Add(t.codeOf(m.Elem()))}
	if !usesName(text, "item") {
		params[1] = jen.Id("_").Add(t.codeOf(m.Elem()))
	}
	signature := jen.Func().Params(params...).Bool()
	return object.Holds(object.Runtime("AllEntries").Call(x.value(), inLine(signature, jen.Return(cond.Lines()))))
}

// rangeOver returns the loop over a map. Of its variables key and item it declares those that its body uses.
func rangeOver(x jen.Code, body []jen.Code) jen.Code {
	key, value := "key", "item"
	switch text := object.Source(jen.Block(body...)); {
	case !usesName(text, key):
		key = "_"
	case !usesName(text, value):
		value = ""
	}
	variables := []jen.Code{jen.Id(key)}
	if value != "" {
		variables = append(variables, jen.Id(value))
	}
	return jen.For(jen.List(variables...).Op(":=").Range().Add(x)).Block(body...)
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
