package typed

import (
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/crdproof/crdproof/emit/gocode/internal/object"
	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/schema"
)

// rulesAt returns the steps for the rules of a place. Those that do not read the old value are one function.
func (t *typed) rulesAt(x, old goValue, at *schema.Place, where object.Place) (body steps) {
	var own, looking []*expr.Rule
	for _, r := range t.rules.ByPlace[at.Path()] {
		switch {
		case strings.TrimSpace(r.Source.Rule.V) == "": // it is always true
		case r.Checked == nil:
			return valid(object.Never)
		case r.UsesOldSelf:
			looking = append(looking, r)
		default:
			own = append(own, r)
		}
	}
	typ, ok := t.ruleParam(x)
	switch {
	case len(own)+len(looking) == 0:
		return nil
	case !ok:
		return valid(object.Never)
	case len(own) > 0:
		name := t.ruleFunction(own, x.typ, []jen.Code{jen.Id(object.SelfName).Add(typ)}, where)
		t.noteRules(x.typ, at, own, name)
		body = valid(object.Holds(jen.Id(name).Call(t.ruleArgument(x))))
	}
	for _, r := range looking {
		body = append(body, valid(t.transition(r, typ, x, old, where))...)
	}
	return body
}

// noteRules notes the function for the rules of a struct, a list or a map. One for an object with its status does not
// answer for the object without.
func (t *typed) noteRules(typ types.Type, at *schema.Place, rules []*expr.Rule, name string) {
	if t.hasStatusAt(at) && slices.ContainsFunc(rules, readsStatus) {
		name = ""
	}
	switch shapeOf(typ) {
	case structShape:
		t.found.add(typ, rulesOfStruct, name)
	case mapShape, listShape:
		t.found.add(typ, rulesOfItems, name)
	}
}

// transition returns the condition that a rule is true which reads the old value. of is the type of self.
func (t *typed) transition(r *expr.Rule, typ jen.Code, x, old goValue, where object.Place) object.Condition {
	isOptional := r.HasOptionalOldSelf()
	if isScalar(x.typ) && isOptional {
		return object.Never
	}
	before := t.ruleArgument(old)
	if isOptional {
		before = jen.Id("old")
	}
	params := []jen.Code{jen.List(jen.Id(object.SelfName), jen.Id(object.OldName)).Add(typ)}
	name := t.ruleFunction([]*expr.Rule{r}, x.typ, params, where)
	isTrue := object.Holds(jen.Id(name).Call(t.ruleArgument(x), before))
	if isOptional {
		return isTrue
	}
	return object.AnyOf(object.AllOf(old.there...).Opposite(), isTrue)
}

func isScalar(t types.Type) bool {
	switch shapeOf(t) {
	case structShape, mapShape, listShape:
		return false
	}
	return true
}

// ruleParam returns the type of self in the function of a rule.
func (t *typed) ruleParam(x goValue) (jen.Code, bool) {
	switch shapeOf(x.typ) {
	case structShape:
		typ, ok := t.w.typeCode(x.typ)
		return jen.Op("*").Add(typ), ok
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
func (t *typed) ruleFunction(rules []*expr.Rule, typ types.Type, params []jen.Code, where object.Place) string {
	var all []object.Condition
	var texts []string
	for _, r := range rules {
		all, texts = append(all, t.ruleCondition(r, typ, where)), append(texts, strings.TrimSpace(r.Source.Rule.V))
	}
	return t.w.Function(object.Function{
		Name: "crdTypedRule" + placeOf(typ, where).Name, Doc: "checks rules on " + where.Text(),
		Text:     strings.Join(texts, "\n"),
		Identity: types.TypeString(typ, nil), Params: params, Results: []jen.Code{jen.Bool()},
		Body: []jen.Code{jen.Return(t.w.Merged(object.Factored(all)).Lines())},
	})
}

// ruleCondition returns the condition that a rule is certainly true.
func (t *typed) ruleCondition(r *expr.Rule, typ types.Type, where object.Place) object.Condition {
	node := object.SelfNode(r.Place.Schema, object.IsResource(r.Place), where)
	c := &goCompiler{Compiler: t.w.Compiler(r.Checked, r.Source.Rule, where, nil), types: t.w, texts: t.texts}
	c.Typed = c
	self := func(name string) object.Value {
		g := goValue{typ: typ, code: jen.Id(name), isPointer: shapeOf(typ) == structShape,
			isOld: name == object.OldName}
		if isScalar(typ) {
			return c.goScalar(g, node, nil, true)
		}
		return c.inGo(g, node)
	}
	c.Inputs = map[string]object.Value{object.SelfName: self(object.SelfName), object.OldName: self(object.OldName)}
	if r.HasOptionalOldSelf() {
		old := c.Dyn(c.Inputs[object.OldName])
		c.Inputs[object.OldName] = object.Dynamic(object.Runtime("OptionalIf").
			Call(jen.Id(object.OldName).Op("!=").Nil(), object.Lazy(object.AnyType(), old)))
	}
	c.Vars = maps.Clone(c.Inputs)
	v := c.Expr(c.Ast.Expr())
	if cond, ok := certain(v); ok {
		return cond.yes
	}
	result := jen.Code(object.Runtime("Verdict").Call(c.Dyn(v)))
	if v.Known() == object.BoolType {
		result = c.Result(v)
	}
	return object.Holds(object.Runtime("IsTrue").Call(result))
}
