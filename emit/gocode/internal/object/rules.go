package object

import (
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"
	apicel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"

	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

// Rules returns the function that checks all rules of a kind, func(v *Validation, value, old any), where old is
// nil without an old object; "" without rules (apiextensions-apiserver, pkg/apiserver/schema/cel/validation.go).
func (w *Writer) Rules(k *Kind) string {
	p := w.RulesPass(k)
	if len(p.ByPlace) == 0 {
		return ""
	}
	name, _ := p.Node(&schema.Place{Schema: k.Schema()}, RootOf(k))
	return name
}

// RulesPass returns the pass for the rules of a kind that a server evaluates.
func (w *Writer) RulesPass(k *Kind) RulesPass {
	p := RulesPass{w: w, ByPlace: map[string][]*expr.Rule{}}
	for i := range k.Rules {
		if r := &k.Rules[i]; !r.Unreached {
			path := r.Place.Path()
			p.ByPlace[path] = append(p.ByPlace[path], r)
		}
	}
	return p
}

// A RulesPass writes the functions that check the rules of a kind.
type RulesPass struct {
	w *Writer
	// ByPlace are the rules by the path of their schema.
	ByPlace map[string][]*expr.Rule
}

// Node returns the function that checks the rules of a value and of everything inside, a RulesCheck, "" without
// rules, and whether it uses the old value.
func (p *RulesPass) Node(place *schema.Place, at Place) (name string, looksBack bool) {
	var own, values, parts []jen.Code
	rules := p.ByPlace[place.Path()]
	for _, r := range rules {
		looksBack = looksBack || r.UsesOldSelf
	}
	fields := &celFields{}
	for _, r := range rules {
		own = append(own, p.rule(r, at, looksBack, fields)...)
	}
	own = append(fields.lookUps(), own...)
	for _, child := range place.Children() {
		if child.Nested {
			continue
		}
		code, below := p.inside(child, at, fields)
		if child.Step == schema.InValues {
			values = append(values, code...) // the server checks them before properties
		} else {
			parts = append(parts, code...)
		}
		looksBack = looksBack || below
	}
	body := slices.Concat(own, values, parts)
	if body == nil {
		return "", false
	}
	return p.w.Function(Function{
		Name: "crdRules" + at.Name, Doc: "checks the rules of " + at.Text(),
		Params: []jen.Code{jen.Id("v").Op("*").Add(Runtime("Validation")), jen.List(jen.Id("value"), jen.Id("old")).
			Add(AnyType())},
		Body: body,
	}), looksBack
}

// inside checks the rules of a part of a value. Fields that were looked up for the rules of the value are reused. Of
// the items of lists, only those of a list of type map have old ones.
func (p *RulesPass) inside(child *schema.Place, at Place, fields *celFields) (body []jen.Code, looksBack bool) {
	switch child.Step {
	case schema.InItems:
		at = at.Item()
	case schema.InValues:
		at = at.Value()
	case schema.InProperty:
		at = at.Property(child.Name)
	}
	check, looksBack := p.Node(child, at)
	if check == "" {
		return nil, false
	}
	list := child.Above.Schema
	looksBack = looksBack && (child.Step != schema.InItems || list.ListType.V == "map" && len(list.ListMapKeys) > 0)
	old := jen.Nil()
	if looksBack {
		old = jen.Id("old")
	}
	switch child.Step {
	case schema.InItems:
		args := []jen.Code{jen.Id("value"), old, jen.Id(check)}
		if looksBack {
			args = append(args, texts(list.ListMapKeys)...)
		}
		return []jen.Code{state("RulesOfItems", args...)}, looksBack
	case schema.InValues:
		return []jen.Code{state("RulesOfValues", jen.Id("value"), old, jen.Id(check))}, looksBack
	}
	field := jen.Code(Runtime("Peek").Call(jen.Id("value"), jen.Lit(child.Name)))
	if fields.has(child.Name) {
		field = fields.use(child.Name)
	}
	return []jen.Code{state("RulesOfField", jen.Lit(child.Name), field, old, jen.Id(check))}, looksBack
}

// rule checks one rule. A message may use the old value if any rule of the same place does.
func (p *RulesPass) rule(r *expr.Rule, at Place, looksBack bool, all *celFields) []jen.Code {
	if strings.TrimSpace(r.Source.Rule.V) == "" {
		return nil
	}
	if fault := p.w.fault(r); fault != "" {
		return []jen.Code{state("Uncompiled", jen.Lit(r.Self.Type), jen.Lit(fault))}
	}
	function, used := p.function(r, at)
	args := used.arguments(all)
	if r.UsesOldSelf {
		args = append(args, jen.Id("old"))
	}
	method, old := "Rule", jen.Nil()
	if !p.w.Minor.Has(kube.RuleValues) {
		method = "RuleByType"
	}
	if looksBack {
		old = jen.Id("old")
	}
	check := state(method, jen.Id(function).Call(args...), jen.Id("value"), old, p.about(r, at, looksBack))
	if r.UsesOldSelf && !r.HasOptionalOldSelf() {
		check = jen.If(jen.Id("old").Op("!=").Nil()).Block(check)
	}
	return []jen.Code{check}
}

// about returns the Rule of a rule.
func (p *RulesPass) about(r *expr.Rule, at Place, looksBack bool) jen.Code {
	members := []jen.Code{jen.Id("Type").Op(":").Lit(r.Self.Type)}
	name, text := "Message", r.Source.Message.V
	if text == "" {
		name, text = "Text", r.Source.Rule.V
	}
	if text = strings.TrimSpace(text); text != "" {
		members = append(members, jen.Id(name).Op(":").Lit(text))
	}
	switch r.Source.Reason.V {
	case "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate":
		reason := "ErrorType" + strings.TrimPrefix(r.Source.Reason.V, "FieldValue")
		members = append(members, jen.Id("Reason").Op(":").
			Qual("k8s.io/apimachinery/pkg/util/validation/field", reason))
	}
	if path := r.Source.FieldPath.V; path != "" {
		if normalized, _, err := apicel.ValidFieldPath(path, r.Self); err == nil {
			members = append(members, jen.Id("Path").Op(":").Lit(normalized.String()))
		}
	}
	if r.Index > 0 {
		members = append(members, jen.Id("At").Op(":").Lit(r.Index))
	}
	if r.UsesOldSelf {
		members = append(members, jen.Id("Transition").Op(":").True())
	}
	if r.Message != nil && instantiates(r, r.Message) {
		members = append(members, jen.Id("Expression").Op(":").Id(p.messageFunction(r, at, looksBack)))
	}
	return Runtime("Rule").Values(members...)
}

// function writes the function that evaluates a rule.
func (p *RulesPass) function(r *expr.Rule, at Place) (string, *celFields) {
	node, used := SelfNode(r.Place.Schema, IsResource(r.Place), at), &celFields{}
	self := raw(jen.Id(SelfName), node)
	self.fields = used
	vars := map[string]Value{SelfName: self, OldName: raw(jen.Id(OldName), node)}
	if r.HasOptionalOldSelf() {
		vars[OldName] = Dynamic(Runtime("OptionalOld").Call(jen.Id(OldName), node.TypeOf(p.w)))
	}
	c := p.w.Compiler(r.Checked, r.Source.Rule, at, vars)
	v := c.Expr(c.Ast.Expr())
	code := jen.Code(Runtime("Verdict").Call(c.Dyn(v)))
	if v.Known() == BoolType {
		code = c.Result(v)
	}
	params := used.parameters()
	if r.UsesOldSelf {
		params = append(params, jen.Id(OldName))
	}
	if len(params) > 0 {
		params = []jen.Code{jen.List(params...).Any()}
	}
	return p.w.Function(Function{
		Name: "crdRule" + at.Name, Doc: "is a rule on " + at.Text(), Text: r.Source.Rule.V,
		Params: params, Results: []jen.Code{ResultOf(BoolType)}, Body: []jen.Code{jen.Return(code)},
	}), used
}

// messageFunction writes the function that evaluates a messageExpression. It gets the old value itself, even if the
// rule has optionalOldSelf, and null if no rule of the place uses it.
func (p *RulesPass) messageFunction(r *expr.Rule, at Place, looksBack bool) string {
	self := SelfNode(r.Place.Schema, IsResource(r.Place), at)
	old := jen.Code(Runtime("MessageOld").Call(jen.Id("oldSelf")))
	if !looksBack {
		old = Runtime("MessageOld").Call(jen.Nil())
	}
	vars := map[string]Value{SelfName: raw(jen.Id("self"), self), OldName: raw(old, self)}
	c := p.w.Compiler(r.Message, r.Source.MessageExpression, at, vars)
	return p.w.Function(Function{
		Name: "crdMessage" + at.Name, Doc: "is the message of a rule on " + at.Text(),
		Text:   r.Source.MessageExpression.V,
		Params: []jen.Code{jen.List(jen.Id("self"), jen.Id("oldSelf")).Add(AnyType())}, Results: []jen.Code{jen.Any()},
		Body: []jen.Code{jen.Return(c.Dyn(c.Expr(c.Ast.Expr())))},
	})
}

// IsResource reports whether a place is the root of a resource, in which rules see apiVersion, kind and the name.
func IsResource(p *schema.Place) bool { return p.Above == nil || p.Schema.EmbeddedResource.True() }
