package object

import (
	"encoding/json"
	"strings"

	"github.com/dave/jennifer/jen"
	apicel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"

	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/schema"
)

// RulesPass returns the pass for the rules of a kind that a server evaluates.
func (w *Writer) RulesPass(k *Kind) RulesPass {
	p := RulesPass{ByPlace: map[string][]*expr.Rule{}, bySchema: map[*schema.Schema][]*expr.Rule{},
		areCounted: k.Uncounted > 0}
	for i := range k.Rules {
		if r := &k.Rules[i]; !r.Unreached {
			path := r.Place.Path()
			p.ByPlace[path] = append(p.ByPlace[path], r)
		}
	}
	return p
}

// A RulesPass has the rules of a kind.
type RulesPass struct {
	// ByPlace are the rules by the path of their schema, bySchema by the schema.
	ByPlace  map[string][]*expr.Rule
	bySchema map[*schema.Schema][]*expr.Rule
	// areCounted is set if objects may exceed the budgets.
	areCounted bool
}

// BeginRules makes the rules of a kind known to the structures that are written from now on.
func (w *Writer) BeginRules(k *Kind) {
	w.rules = w.RulesPass(k)
	schema.Walk(k.Schema(), func(p *schema.Place) {
		if rules := w.rules.ByPlace[p.Path()]; rules != nil && w.rules.bySchema[p.Schema] == nil {
			w.rules.bySchema[p.Schema] = rules
		}
	})
}

// RulesTable returns the table of rules as a pointer.
func (w *Writer) RulesTable() *jen.Statement {
	w.Data.usesRules = true
	return jen.Op("&").Id(rulesName)
}

// rulesData returns the JSON of the rules on the values of a schema, and writes their functions.
func (w *Writer) rulesData(s *schema.Schema, at Place) (out []json.RawMessage) {
	for _, r := range w.rules.bySchema[s] {
		if strings.TrimSpace(r.Source.Rule.V) == "" {
			continue
		}
		o := &dataObject{}
		if fault := w.fault(r); fault != "" {
			o.set("fault", fault)
		} else {
			o.set("check", w.rulePosition(r, at))
			w.setAbout(o, r, at)
		}
		out = append(out, o.text())
	}
	return out
}

// setAbout adds what errors say about a rule.
func (w *Writer) setAbout(o *dataObject, r *expr.Rule, at Place) {
	if text := strings.TrimSpace(r.Source.Message.V); text != "" {
		o.set("message", text)
	} else if r.Source.Message.V == "" {
		o.set("text", strings.TrimSpace(r.Source.Rule.V))
	}
	switch r.Source.Reason.V {
	case "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate":
		o.set("reason", r.Source.Reason.V)
	}
	if path := r.Source.FieldPath.V; path != "" {
		if normalized, _, err := apicel.ValidFieldPath(path, r.Self); err == nil {
			o.set("path", normalized.String())
		}
	}
	o.setIf(r.UsesOldSelf, "transition", true)
	o.setIf(r.HasOptionalOldSelf(), "optional", true)
	if r.Message != nil && instantiates(r, r.Message) {
		o.set("messageExpression", w.messagePosition(r, at))
		o.setIf(w.rules.areCounted, "messageText", r.Source.MessageExpression.V)
	}
}

// rulePosition writes the function that evaluates a rule, and returns its position.
func (w *Writer) rulePosition(r *expr.Rule, at Place) int {
	node, used := SelfNode(r.Place.Schema, IsResource(r.Place), at), &celFields{}
	self := raw(jen.Id(SelfName), node)
	self.fields = used
	vars := map[string]Value{SelfName: self, OldName: raw(jen.Id(OldName), node)}
	if r.HasOptionalOldSelf() {
		vars[OldName] = Dynamic(Runtime("OptionalOld").Call(jen.Id(OldName), node.TypeOf(w)))
	}
	c := w.Compiler(r.Checked, r.Source.Rule, at, vars)
	v := c.Expr(c.Ast.Expr())
	code := jen.Code(Runtime("Verdict").Call(c.Dyn(v)))
	if v.Known() == BoolType {
		code = c.Result(v)
	}
	position := positionOf(&w.Data.checks, w.Function(Function{
		Name: "crdRule" + at.Name, Doc: "is a rule on " + at.Text(), Text: r.Source.Rule.V,
		Identity: w.costIdentity(r.Source.Rule.V, node),
		Params:   ruleParams(), Results: []jen.Code{ResultOf(BoolType)},
		Body: append(used.lookUps(), jen.Return(code)),
	}))
	if w.rules.areCounted {
		w.addCost("rule", position, c, node)
	}
	return position
}

// costIdentity tells functions apart that cost differently, if that matters.
func (w *Writer) costIdentity(text string, self *Node) string {
	if !w.rules.areCounted {
		return ""
	}
	return w.TypeOf(self.Schema, self.at) + " " + text
}

// ruleParams returns the parameters of the functions in the table of rules.
func ruleParams() []jen.Code { return []jen.Code{jen.List(jen.Id(SelfName), jen.Id(OldName)).Any()} }

// messagePosition writes the function that evaluates a messageExpression, and returns its position. The function gets
// the old value itself, even if the rule has optionalOldSelf, and null if no rule of the place uses it.
func (w *Writer) messagePosition(r *expr.Rule, at Place) int {
	self := SelfNode(r.Place.Schema, IsResource(r.Place), at)
	vars := map[string]Value{SelfName: raw(jen.Id(SelfName), self),
		OldName: raw(Runtime("MessageOld").Call(jen.Id(OldName)), self)}
	c := w.Compiler(r.Message, r.Source.MessageExpression, at, vars)
	position := positionOf(&w.Data.messages, w.Function(Function{
		Name: "crdMessage" + at.Name, Doc: "is the message of a rule on " + at.Text(),
		Text:     r.Source.MessageExpression.V,
		Identity: w.costIdentity(r.Source.MessageExpression.V, self),
		Params:   ruleParams(), Results: []jen.Code{jen.Any()},
		Body: []jen.Code{jen.Return(c.Dyn(c.Expr(c.Ast.Expr())))},
	}))
	if w.rules.areCounted {
		w.addCost("message", position, c, self)
	}
	return position
}

// IsResource reports whether a place is the root of a resource, in which rules see apiVersion, kind and the name.
func IsResource(p *schema.Place) bool { return p.Above == nil || p.Schema.EmbeddedResource.True() }
