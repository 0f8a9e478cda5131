package gocode

import (
	"go/types"
	"maps"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/schema"
)

// rulesAt are the steps for the rules of a place. Those that do not read the old value are one function.
func (t *typed) rulesAt(x, old goValue, at *schema.Place, where place) (body steps) {
	var own, looking []*expr.Rule
	for _, r := range t.rules.byPlace[at.Path()] {
		switch {
		case strings.TrimSpace(r.Source.Rule.V) == "": // it is always true
		case r.Checked == nil:
			return valid(never)
		case r.UsesOldSelf:
			looking = append(looking, r)
		default:
			own = append(own, r)
		}
	}
	of, ok := t.ruleParam(x)
	switch {
	case len(own)+len(looking) == 0:
		return nil
	case !ok:
		return valid(never)
	case len(own) > 0:
		name := t.ruleFunction(own, x.typ, []jen.Code{jen.Id(selfName).Add(of)}, where)
		body = valid(holds(jen.Id(name).Call(t.ruleArgument(x))))
	}
	for _, r := range looking {
		body = append(body, valid(t.transition(r, of, x, old, where))...)
	}
	return body
}

// transition is the condition that a rule is true which reads the old value. of is the type of self.
func (t *typed) transition(r *expr.Rule, of jen.Code, x, old goValue, where place) condition {
	isOptional := isSet(r.Source.OptionalOldSelf)
	if isScalar(x.typ) && isOptional {
		return never
	}
	before := t.ruleArgument(old)
	if isOptional {
		before = jen.Id("old")
	}
	params := []jen.Code{jen.List(jen.Id(selfName), jen.Id(oldName)).Add(of)}
	name := t.ruleFunction([]*expr.Rule{r}, x.typ, params, where)
	isTrue := holds(jen.Id(name).Call(t.ruleArgument(x), before))
	if isOptional {
		return isTrue
	}
	return anyOf(allOf(old.there...).opposite(), isTrue)
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

// ruleFunction writes the function that reports whether rules on Go values are certainly true.
func (t *typed) ruleFunction(rules []*expr.Rule, of types.Type, params []jen.Code, where place) string {
	var all []condition
	var texts []string
	for _, r := range rules {
		all, texts = append(all, t.ruleCondition(r, of, where)), append(texts, strings.TrimSpace(r.Source.Rule.V))
	}
	return t.w.function(function{
		name: "crdTypedRule" + where.name, doc: "checks rules on " + where.text(), text: strings.Join(texts, "\n"),
		identity: types.TypeString(of, nil), params: params, results: []jen.Code{jen.Bool()},
		body: []jen.Code{jen.Return(t.w.merged(factored(all)).lines())},
	})
}

// ruleCondition is the condition that a rule is certainly true.
func (t *typed) ruleCondition(r *expr.Rule, of types.Type, where place) condition {
	node := selfNode(r.Place.Schema, isResource(r.Place), where)
	c := &goCompiler{celCompiler: t.w.compiler(r.Checked, r.Source.Rule, where, nil), types: t.w, texts: t.texts}
	c.typed = c
	self := func(name string) celValue {
		g := goValue{typ: of, code: jen.Id(name), isPointer: shapeOf(of) == structShape, isOld: name == oldName}
		if isScalar(of) {
			return c.goScalar(g, node, nil, true)
		}
		return c.inGo(g, node)
	}
	c.inputs = map[string]celValue{selfName: self(selfName), oldName: self(oldName)}
	if isSet(r.Source.OptionalOldSelf) {
		old := c.dyn(c.inputs[oldName])
		c.inputs[oldName] = dynamic(jen.Id("crdOptionalIf").Call(jen.Id(oldName).Op("!=").Nil(), lazy(value(), old)))
	}
	c.vars = maps.Clone(c.inputs)
	v := c.expr(c.ast.Expr())
	if is, ok := certain(v); ok {
		return is.yes
	}
	result := jen.Code(jen.Id("crdVerdict").Call(c.dyn(v)))
	if v.known() == celBool {
		result = c.result(v)
	}
	return holds(jen.Id("crdIsTrue").Call(result))
}
