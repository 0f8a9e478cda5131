package gocode

import (
	"go/types"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/expr"
)

// rulesAt are the steps for the rules of a place.
func (t *typed) rulesAt(x, old goValue, at *schema.Place, where place) (body steps) {
	for _, r := range t.rules.byPlace[at.Path()] {
		body = append(body, valid(t.rule(r, x, old, where))...)
	}
	return body
}

// rule is the condition that one rule is true.
func (t *typed) rule(r *expr.Rule, x, old goValue, where place) condition {
	if strings.TrimSpace(r.Source.Rule.V) == "" {
		return always
	}
	if r.Checked == nil {
		return never
	}
	of, ok := t.ruleParam(x)
	if !ok {
		return never
	}
	params := []jen.Code{jen.Id(selfName).Add(of)}
	args := []jen.Code{t.ruleArgument(x)}
	isOptional := isSet(r.Source.OptionalOldSelf)
	if r.UsesOldSelf {
		was := jen.Add(of)
		if isScalar(x.typ) && isOptional {
			return never
		}
		params = []jen.Code{jen.List(jen.Id(selfName), jen.Id(oldName)).Add(was)}
		if !isOptional {
			args = append(args, t.ruleArgument(old))
		} else {
			args = append(args, jen.Id("old"))
		}
	}
	name, isPlain := t.ruleFunction(r, x.typ, params, where)
	isTrue := holds(jen.Id(name).Call(args...))
	if !isPlain {
		isTrue = holds(jen.Id("crdIsTrue").Call(isTrue.code()))
	}
	if r.UsesOldSelf && !isOptional {
		return anyOf(allOf(old.there...).opposite(), isTrue)
	}
	return isTrue
}

func isScalar(t types.Type) bool {
	switch shapeOf(t) {
	case structShape, mapShape, listShape:
		return false
	}
	return true
}

// ruleParam is the type of self in the function of a rule.
func (t *typed) ruleParam(x goValue) (jen.Code, bool) {
	switch shapeOf(x.typ) {
	case structShape:
		of, ok := t.w.typeCode(x.typ)
		return jen.Op("*").Add(of), ok
	case mapShape, listShape:
		return t.w.typeCode(x.typ)
	case stringShape:
		return jen.String(), true
	case boolShape:
		return jen.Bool(), true
	case intShape, uintShape:
		return jen.Int64(), true
	case floatShape:
		return jen.Float64(), true
	}
	return nil, false
}

func (t *typed) ruleArgument(x goValue) jen.Code {
	switch shapeOf(x.typ) {
	case structShape:
		return x.pointer()
	case mapShape, listShape:
		return x.value()
	}
	return x.converted()
}

// ruleFunction writes the function that evaluates a rule on Go values. Its result is a bool if the rule is plain, and
// otherwise a crdResult.
func (t *typed) ruleFunction(r *expr.Rule, of types.Type, params []jen.Code, where place) (name string, isPlain bool) {
	node := selfNode(r.Place.Schema, isResource(r.Place), where)
	c := t.w.compiler(r.Checked, r.Source.Rule, where, nil)
	c.inGo = true
	self := func(name string) celValue {
		g := goValue{typ: of, code: jen.Id(name), isPointer: shapeOf(of) == structShape, isOld: name == oldName}
		if isScalar(of) {
			return c.goScalar(g, node, nil, true)
		}
		return inGo(g, node)
	}
	vars := map[string]celValue{selfName: self(selfName), oldName: self(oldName)}
	if isSet(r.Source.OptionalOldSelf) {
		old := self(oldName)
		vars[oldName] = dynamic(jen.Id("crdOptionalIf").Call(jen.Id(oldName).Op("!=").Nil(), lazy(value(), c.dyn(old))))
	}
	c.inputs = vars
	c.vars = map[string]celValue{selfName: vars[selfName], oldName: vars[oldName]}
	v := c.expr(c.ast.Expr())
	code, returns := jen.Code(jen.Id("crdVerdict").Call(c.dyn(v))), resultOf(celBool)
	is, isPlain := v.certain()
	switch {
	case isPlain:
		code, returns = is.yes.lines(), jen.Bool()
	case v.known() == celBool:
		code = c.result(v)
	}
	return t.w.function(function{
		name: "crdTypedRule" + where.name, doc: "is a rule on " + where.text(), text: r.Source.Rule.V,
		identity: types.TypeString(of, nil), params: params, results: []jen.Code{returns},
		body: []jen.Code{jen.Return(code)},
	}), isPlain
}
