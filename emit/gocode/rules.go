package gocode

import (
	"strings"

	"github.com/dave/jennifer/jen"
	apicel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"

	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/rules/kube"
)

// rules returns the function that checks all rules of a kind, func(v *crdValidation, value, old any), where old is
// nil without an old object; "" without rules (apiextensions-apiserver, pkg/apiserver/schema/cel/validation.go).
func (w *writer) rules(k *Kind) string {
	p := rulesPass{w: w, byPlace: rulesByPlace(k)}
	if len(p.byPlace) == 0 {
		return ""
	}
	name, _ := p.node(&schema.Place{Schema: k.schema()}, rootOf(k))
	return name
}

// rulesByPlace are the rules of a kind that a server evaluates, by the path of their schema.
func rulesByPlace(k *Kind) map[string][]*expr.Rule {
	byPlace := map[string][]*expr.Rule{}
	for i := range k.Rules {
		if r := &k.Rules[i]; !r.Unreached {
			path := r.Place.Path()
			byPlace[path] = append(byPlace[path], r)
		}
	}
	return byPlace
}

// A rulesPass writes the functions that check the rules of a kind.
type rulesPass struct {
	w *writer
	// byPlace are the rules by the path of their schema.
	byPlace map[string][]*expr.Rule
}

// node returns the function that checks the rules of a value and of everything inside, "" without rules, and
// whether it uses the old value.
func (p *rulesPass) node(place *schema.Place, at place) (name string, looksBack bool) {
	var own, fields, items []jen.Code
	rules := p.byPlace[place.Path()]
	for _, r := range rules {
		looksBack = looksBack || r.UsesOldSelf
	}
	fieldsOfSelf, named := &celFields{}, false
	for _, r := range rules {
		own = append(own, p.rule(r, at, looksBack, fieldsOfSelf)...)
	}
	own = append(fieldsOfSelf.lookUps(), own...)
	for _, child := range place.Children() {
		if child.Nested {
			continue
		}
		var code []jen.Code
		var below bool
		switch child.Step {
		case schema.InItems:
			items, below = p.items(child, at)
		case schema.InValues:
			code, below = p.values(child, at)
			fields, named = append(code, fields...), named || code != nil // the server checks them before properties
		case schema.InProperty:
			code, below = p.property(child, at, fieldsOfSelf)
			fields, named = append(fields, code...), named || code != nil && !fieldsOfSelf.has(child.Name)
		}
		looksBack = looksBack || below
	}
	if own == nil && fields == nil && items == nil {
		return "", false
	}
	body := append([]jen.Code{jen.If(jen.Id("value").Op("==").Nil()).Block(jen.Return())}, own...)
	return p.w.function(function{
		name: "crdRules" + at.name, doc: "checks the rules of " + at.text(),
		params: []jen.Code{jen.Id("v").Op("*").Id("crdValidation"), jen.List(jen.Id("value"), jen.Id("old")).
			Add(value())},
		body: append(body, inside(fields, items, named)...),
	}), looksBack
}

// inside checks the parts of a value: the fields of an object, or the items of a list. Fields that were looked up for
// the rules are reused.
func inside(fields, items []jen.Code, named bool) []jen.Code {
	switch {
	case fields != nil:
		object := "_"
		if named {
			object = "object"
		}
		return []jen.Code{jen.If(asObject(object, jen.Id("value")), jen.Id("ok")).Block(fields...)}
	case items != nil:
		return []jen.Code{jen.If(asList("items", jen.Id("value")), jen.Id("ok")).Block(items...)}
	}
	return nil
}

// below steps into a value. Old is the code of the old value, nil without one. It writes no code without rules.
func (p *rulesPass) below(child *schema.Place, at place, step string, to, value, old jen.Code) ([]jen.Code, bool) {
	check, looksBack := p.node(child, at)
	if check == "" {
		return nil, false
	}
	looksBack = looksBack && old != nil
	if !looksBack {
		old = jen.Nil()
	}
	return visit(step, to, jen.Id(check).Call(jen.Id("v"), value, old)), looksBack
}

// oldField is a field of the old value.
func oldField(name jen.Code) jen.Code { return jen.Id("crdOldField").Call(jen.Id("old"), name) }

// property checks a field of an object.
func (p *rulesPass) property(child *schema.Place, at place, all *celFields) ([]jen.Code, bool) {
	name, field := jen.Lit(child.Name), jen.Code(jen.Id("field"))
	if all.has(child.Name) {
		field = all.use(child.Name)
	}
	body, looksBack := p.below(child, at.property(child.Name), "field", name, field, oldField(name))
	switch {
	case body == nil:
		return nil, false
	case all.has(child.Name):
		return []jen.Code{jen.If(jen.Add(field).Op("!=").Nil()).Block(body...)}, looksBack
	}
	return []jen.Code{ifField("field", jen.Id("object"), child.Name, body...)}, looksBack
}

// values checks the values of a map, in the order of its keys.
func (p *rulesPass) values(child *schema.Place, at place) ([]jen.Code, bool) {
	key := jen.Id("key")
	body, looksBack := p.below(child, at.value(), "key", key, field(jen.Id("object"), key), oldField(key))
	if body == nil {
		return nil, false
	}
	keys := jen.Id("crdSortedKeys").Call(jen.Id("object"))
	return []jen.Code{jen.For(jen.List(jen.Id("_"), key).Op(":=").Range().Add(keys)).Block(body...)}, looksBack
}

// items checks the items of a list. Only those of a list of type map have old ones.
func (p *rulesPass) items(child *schema.Place, at place) (out []jen.Code, looksBack bool) {
	var old jen.Code
	s := child.Above.Schema
	if s.ListType.V == "map" && len(s.ListMapKeys) > 0 {
		old = jen.Id("oldItems").Dot("get").Call(jen.Id("item"))
	}
	body, looksBack := p.below(child, at.item(), "item", jen.Id("i"), jen.Id("item"), old)
	if body == nil {
		return nil, false
	}
	if looksBack {
		keyed := jen.Id("crdOldItems").Call(append([]jen.Code{jen.Id("old")}, texts(s.ListMapKeys)...)...)
		out = append(out, jen.Id("oldItems").Op(":=").Add(keyed))
	}
	return append(out, eachItem("i", "item", jen.Id("items"), body...)), looksBack
}

// rule checks one rule. A message may use the old value if any rule of the same place does.
func (p *rulesPass) rule(r *expr.Rule, at place, looksBack bool, all *celFields) []jen.Code {
	if strings.TrimSpace(r.Source.Rule.V) == "" {
		return nil
	}
	if fault := p.w.fault(r); fault != "" {
		return []jen.Code{state("uncompiled", jen.Lit(r.Self.Type), jen.Lit(fault))}
	}
	function, used := p.function(r, at)
	args := used.arguments(all)
	if r.UsesOldSelf {
		args = append(args, jen.Id("old"))
	}
	about := p.about(r, at, looksBack)
	broken := jen.Id("v").Dot("broken").Call(jen.Id("result"), jen.Id("value"), about)
	if !p.w.minor.Has(kube.RuleValues) {
		broken = jen.Id("v").Dot("brokenByType").Call(jen.Id("result"), about)
	}
	check := jen.If(jen.Id("result").Op(":=").Id(function).Call(args...),
		jen.Id("result").Dot("err").Op("!=").Nil().Op("||").Op("!").Id("result").Dot("val")).Block(broken)
	if r.UsesOldSelf && !isSet(r.Source.OptionalOldSelf) {
		check = jen.If(jen.Id("old").Op("!=").Nil()).Block(check)
	}
	return []jen.Code{check}
}

// about is the crdRule of a rule.
func (p *rulesPass) about(r *expr.Rule, at place, looksBack bool) jen.Code {
	text, message := strings.TrimSpace(r.Source.Rule.V), strings.TrimSpace(r.Source.Message.V)
	if r.Source.Message.V == "" {
		message = "failed rule: " + text
	} else {
		text = message
	}
	members := []jen.Code{jen.Id("typ").Op(":").Lit(r.Self.Type), jen.Id("text").Op(":").Lit(text), jen.Id("message").
		Op(":").Lit(message)}
	switch r.Source.Reason.V {
	case "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate":
		reason := "ErrorType" + strings.TrimPrefix(r.Source.Reason.V, "FieldValue")
		members = append(members, jen.Id("reason").Op(":").
			Qual("k8s.io/apimachinery/pkg/util/validation/field", reason))
	}
	if path := r.Source.FieldPath.V; path != "" {
		if normalized, _, err := apicel.ValidFieldPath(path, r.Self); err == nil {
			members = append(members, jen.Id("path").Op(":").Lit(normalized.String()))
		}
	}
	if r.UsesOldSelf {
		members = append(members, jen.Id("transition").Op(":").True())
	}
	if r.Message != nil && instantiates(r, r.Message) {
		call := jen.Id(p.messageFunction(r, at, looksBack)).Call(jen.Id("value"), jen.Id("old"))
		members = append(members, jen.Id("expression").Op(":").Add(lazy(value(), call)))
	}
	return jen.Id("crdRule").Custom(multiLine, members...)
}

// function writes the function that evaluates a rule.
func (p *rulesPass) function(r *expr.Rule, at place) (string, *celFields) {
	node, used := selfNode(r.Place.Schema, isResource(r.Place), at), &celFields{}
	self := raw(jen.Id(selfName), node)
	self.fields = used
	vars := map[string]celValue{selfName: self, oldName: raw(jen.Id(oldName), node)}
	if isSet(r.Source.OptionalOldSelf) {
		vars[oldName] = dynamic(jen.Id("crdOptionalOld").Call(jen.Id(oldName), node.typeOf(p.w)))
	}
	c := p.w.compiler(r.Checked, r.Source.Rule, at, vars)
	v := c.expr(c.ast.Expr())
	code := jen.Code(jen.Id("crdVerdict").Call(c.dyn(v)))
	if v.known() == celBool {
		code = c.result(v)
	}
	params := used.parameters()
	if r.UsesOldSelf {
		params = append(params, jen.Id(oldName))
	}
	if len(params) > 0 {
		params = []jen.Code{jen.List(params...).Any()}
	}
	return p.w.function(function{
		name: "crdRule" + at.name, doc: "is a rule on " + at.text(), text: r.Source.Rule.V,
		params: params, results: []jen.Code{resultOf(celBool)}, body: []jen.Code{jen.Return(code)},
	}), used
}

// messageFunction writes the function that evaluates a messageExpression. It gets the old value itself, even if the
// rule has optionalOldSelf, and null if no rule of the place uses it.
func (p *rulesPass) messageFunction(r *expr.Rule, at place, looksBack bool) string {
	self := selfNode(r.Place.Schema, isResource(r.Place), at)
	old := jen.Code(jen.Id("crdMessageOld").Call(jen.Id("oldSelf")))
	if !looksBack {
		old = jen.Id("crdMessageOld").Call(jen.Nil())
	}
	vars := map[string]celValue{selfName: raw(jen.Id("self"), self), oldName: raw(old, self)}
	c := p.w.compiler(r.Message, r.Source.MessageExpression, at, vars)
	return p.w.function(function{
		name: "crdMessage" + at.name, doc: "is the message of a rule on " + at.text(),
		text:   r.Source.MessageExpression.V,
		params: []jen.Code{jen.List(jen.Id("self"), jen.Id("oldSelf")).Add(value())}, results: []jen.Code{jen.Any()},
		body: []jen.Code{jen.Return(c.dyn(c.expr(c.ast.Expr())))},
	})
}

// isResource reports whether a place is the root of a resource, in which rules see apiVersion, kind and the name.
func isResource(p *schema.Place) bool { return p.Above == nil || isSet(p.Schema.EmbeddedResource) }
