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

// function returns the function for the values of a type that are structs, maps or lists; "" if all of them are valid.
func (t *typed) function(typ types.Type, at *schema.Place, where object.Place) (name string, looksBack bool) {
	x := goValue{typ: typ, code: jen.Id("x")}
	old := goValue{typ: typ, code: jen.Id("old")}
	code, nameable := t.w.typeCode(typ)
	param := jen.Add(code)
	if shapeOf(typ) == structShape {
		x.isPointer, old.isPointer = true, true
		param = jen.Op("*").Add(code)
	}
	old = old.when(isNotNil(jen.Id("old")))
	old.param = param
	_, looksBack = t.rulesBelow(at)
	if !nameable {
		return "", looksBack
	}
	body := t.body(x, old, at, where)
	names := []jen.Code{jen.Id("x")}
	switch {
	case at.Above == nil:
		names = append(names, statusValue(typ).code, jen.Id("old"))
	case len(body) == 0:
		return "", false
	case looksBack:
		names = append(names, jen.Id("old"))
	}
	params := []jen.Code{jen.List(names...).Add(param)}
	where = placeOf(typ, where)
	return t.w.Function(object.Function{Name: "crdTyped" + where.Name, Doc: "checks " + where.Text(),
		Identity: types.TypeString(typ, nil), Params: params, Results: []jen.Code{jen.Bool()},
		Body: body.body()}), looksBack
}

// of returns a place with the name of its type, if this is a struct with a name. So names are short.
func placeOf(typ types.Type, where object.Place) object.Place {
	if _, name := gojson.NameOf(typ); name != "" && shapeOf(typ) == structShape {
		where.Name = object.GoName(name)
	}
	const most = 48
	if len(where.Name) > most {
		where.Name = strings.ToValidUTF8(where.Name[:most], "")
	}
	return where
}

// body returns the steps for a value of a function.
func (t *typed) body(x, old goValue, at *schema.Place, where object.Place) steps {
	where = placeOf(x.typ, where)
	body := t.rulesAt(x, old, at, where)
	if at.Above == nil {
		body = append(body, t.scale(x, at)...)
		if t.hasStatusAt(at) && (at.Schema.MinProperties != nil || at.Schema.MaxProperties != nil ||
			slices.ContainsFunc(t.rules.ByPlace[at.Path()], readsStatus)) {
			body = append(body, step{Condition: object.Never}) // the parts of two objects cannot be seen as one
		}
	}
	switch shapeOf(x.typ) {
	case structShape:
		body = append(body, valid(t.fieldCount(x, at))...)
		body = append(body, t.fields(x, old, at, where)...)
	case mapShape:
		body = append(body, t.values(x, old, at, where)...)
	case listShape:
		body = append(body, t.items(x, old, at, where)...)
	}
	return body
}

// longestInLine is the number of characters of a body that is written in the place of a call.
const longestInLine = 180

// parts returns the steps for a struct, a map or a list: those in it, if they are few, or a call of a function.
func (t *typed) parts(x, old goValue, at *schema.Place, where object.Place) steps {
	key := at.Path() + " " + types.TypeString(x.typ, nil)
	name, isKnown := t.known[key]
	looksBack := t.looksBack(at)
	if !looksBack && (!isKnown || name == "") {
		here := x
		here.there = nil
		body := t.body(here, old, at, where)
		if cond, ok := body.condition(); ok && len(cond.Source()) <= longestInLine {
			t.known[key] = ""
			t.found.add(x.typ, structPart, "")
			return body
		}
	}
	if !isKnown || name == "" {
		name, looksBack = t.function(x.typ, at, where)
		t.known[key] = name
	}
	if kind := structPart; shapeOf(x.typ) == structShape {
		if looksBack {
			kind = newStructPart
		}
		t.found.add(x.typ, kind, name)
	}
	if name == "" {
		return nil
	}
	return t.call(name, looksBack, x, old)
}

// argument returns the value as an argument of its function.
func (g goValue) argument() jen.Code {
	if shapeOf(g.typ) == structShape {
		return g.pointer()
	}
	return g.value()
}

// call calls the function of a value.
func (t *typed) call(name string, looksBack bool, x, old goValue) steps {
	if !looksBack {
		return valid(object.Holds(jen.Id(name).Call(x.argument())))
	}
	typ, _ := t.w.typeCode(x.typ)
	if shapeOf(x.typ) == structShape {
		typ = jen.Op("*").Add(typ)
	}
	if before := old.oldArgument(typ); before != nil {
		return valid(object.Holds(jen.Id(name).Call(x.argument(), before)))
	}
	return steps{{statements: []jen.Code{jen.Block(
		jen.Var().Id("before").Add(typ),
		jen.If(object.AllOf(old.there...).Code()).Block(jen.Id("before").Op("=").Add(old.argument())),
		jen.If(jen.Op("!").Id(name).Call(x.argument(), jen.Id("before"))).Block(jen.Return(jen.False())),
	)}}}
}

// oldArgument returns a part of an old value as an argument of a type, or nil if it is not there; nil if this needs
// statements.
func (g goValue) oldArgument(typ jen.Code) jen.Code {
	argument := g.argument()
	there := slices.DeleteFunc(slices.Clone(g.there), func(c object.Condition) bool {
		return c.Source() == isNotNil(jen.Id("old")).Source() || c.Source() == isNotNil(argument).Source()
	})
	switch signature := jen.Func().Params(jen.Id("old").Add(g.param)).Add(typ); {
	case len(there) == 0 && object.Source(argument) == "old":
		return argument
	case g.param == nil:
		return nil
	case len(there) == 0:
		return object.Runtime("PartOf").Call(jen.Id("old"), object.InLine(signature, jen.Return(argument)))
	default:
		return object.Runtime("PartOf").Call(jen.Id("old"), signature.Block(
			jen.If(object.AllOf(there...).Opposite().Code()).Block(jen.Return(jen.Nil())),
			jen.Return(argument)))
	}
}
