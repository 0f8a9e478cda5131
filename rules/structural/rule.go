package structural

import (
	"fmt"
	"slices"
	"strings"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema"
)

// ruleRows returns the checks of the fields of a rule other than its expressions.
func ruleRows() []session.Row {
	return []session.Row{
		explained(diag.Check{ID: "cel-empty"},
			reason{"x-kubernetes-validations[].rule", required, "rule is not specified", explainNoRule},
			reason{"x-kubernetes-validations[].messageExpression", required, "", explainNoMessageExpression},
		),
		explained(diag.Check{ID: "cel-message"},
			reason{"x-kubernetes-validations[].message", "", "", explainMessage}),
		explained(diag.Check{ID: "cel-reason"}, reason{"x-kubernetes-validations[].reason", "", "", explainReason}),
		{Check: diag.Check{ID: "cel-field-path", Verdict: true}, Needs: session.EachSchema, Run: checkFieldPaths},
	}
}

// rule returns the rule that is rejected.
func (r *rejection) rule() schema.Rule { return r.Schema.Rules[r.Rejection.Index] }

func explainNoRule(r *rejection) {
	r.errorf(r.At(r.rule().Rule.At, r.rule().At), "the rule is empty").
		Help("write an expression, such as self.size() > 0")
}

func explainNoMessageExpression(r *rejection) {
	r.errorf(r.At(r.rule().MessageExpression.At, r.rule().At), "the messageExpression is blank").
		Help("remove it, or write an expression").Do(diag.Remove, "")
}

func explainMessage(r *rejection) {
	rule := r.rule()
	switch message := rule.Message; {
	case message.V == "":
		at := r.At(rule.Rule.At, rule.At)
		if at.Source != nil && at.Source.Syntax == diag.Go && !rule.At.Contains(at) {
			at = rule.At // of lines below a marker, or of a rule that it uses
		}
		r.errorf(at, "a rule of several lines needs a message").
			Help("add a message, or write the rule on one line")
	case isBlank(message.V):
		r.errorf(r.At(message.At, rule.At), "the message is blank").
			Help("remove it, or describe what the rule forbids").Do(diag.Remove, "")
	default:
		start := strings.IndexAny(message.V, "\n\r")
		r.errorf(r.At(message.Range(start, start+1), rule.At), "the message contains a line break").
			Help("write it on one line")
	}
}

func isBlank(text string) bool { return strings.TrimSpace(text) == "" }

func hasBreak(text string) bool { return strings.ContainsAny(text, "\n\r") }

func explainReason(r *rejection) {
	reason := r.rule().Reason
	list := []string{
		string(apiext.FieldValueRequired), string(apiext.FieldValueInvalid), string(apiext.FieldValueForbidden),
		string(apiext.FieldValueDuplicate),
	}
	r.unknown("reason", reason, list)
}

// checkFieldPaths asks the API server's code whether a path leads to a field, and finds out itself why it does not. It
// does not explain rejections: the server reports none for paths on which its code panics.
func checkFieldPaths(p *session.Pass) {
	for i, r := range p.Schema.Rules {
		if r.FieldPath.V == "" {
			continue
		}
		var fault error
		if s, err := kube.Structural(p.Schema); err == nil {
			_, fault = kube.FieldPath(s, r.FieldPath.V, true)
		}
		if fault != nil || isBlank(r.FieldPath.V) || hasBreak(r.FieldPath.V) {
			reportFieldPath(p, p.Key(ruleKey(i, "fieldPath")), r.FieldPath, fault)
		}
	}
}

func ruleKey(i int, key string) string { return fmt.Sprintf("x-kubernetes-validations[%d].%s", i, key) }

func reportFieldPath(p *session.Pass, key string, path schema.Text, fault error) {
	const help = "name a field below self, such as .spec.ports"
	at, t := p.At(path.At), follow(p.Schema, path.V)
	switch {
	case isBlank(path.V):
		p.Reportf(at, key, "the fieldPath is blank").Help("remove it, or name a field below self").Do(diag.Remove, "")
	case hasBreak(path.V):
		p.Reportf(at, key, "the fieldPath contains a line break").Help(help)
	case path.V[0] != '.' && path.V[0] != '[':
		p.Reportf(at, key, "fieldPath %q does not start with a dot", path.V).Help("write .%s", path.V)
	case t.missing != nil:
		p.Reportf(p.At(path.Range(t.missing.Start, t.missing.End)), key, "invalid fieldPath: %s",
			nowhere(t, "self")).
			Help("%s", near(t.missing.Name, t.in.PropertyNames(), help))
	case namesItem(path.V):
		p.Reportf(at, key, "the API server rejects fieldPath %q: %v", path.V, fault).
			Help("name the list instead of its items")
	default:
		p.Reportf(at, key, "the API server rejects fieldPath %q: %v", path.V, fault).Help(help)
	}
}

// namesItem reports whether a path leads to items of a list.
func namesItem(path string) bool {
	steps, _ := schema.ReadPath(path)
	return slices.ContainsFunc(steps, schema.WrittenStep.IsItem)
}
