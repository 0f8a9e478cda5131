package structural

import (
	"strings"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/rules/kube"
)

// ruleRows are the checks of what a rule has besides its expressions.
func ruleRows() []row {
	return []row{
		{
			Check: diag.Check{
				ID: "cel-empty", Verdict: true,
				Doc:  "A rule has an expression, and so has a messageExpression that is given.",
				Bad:  "// +kubebuilder:validation:XValidation:rule=\" \"\nName string `json:\"name,omitempty\"`",
				Good: "// +kubebuilder:validation:XValidation:rule=\"self != ''\"\nName string `json:\"name,omitempty\"`",
			},
			ofSchema: checkExpressions,
		},
		{
			Check: diag.Check{
				ID: "cel-message", Verdict: true,
				Doc:  "The message of a rule is one line that is not blank. A rule of several lines has one.",
				Bad:  "// +kubebuilder:validation:XValidation:rule=\"self != ''\",message=\"a\\nb\"\nName string `json:\"name,omitempty\"`",
				Good: "// +kubebuilder:validation:XValidation:rule=\"self != ''\",message=\"a, b\"\nName string `json:\"name,omitempty\"`",
			},
			ofSchema: checkMessages,
		},
		{
			Check: diag.Check{
				ID: "cel-reason", Verdict: true,
				Doc:  "The reason of a rule is one of four.",
				Bad:  "type: string\nx-kubernetes-validations:\n- {rule: self != '', reason: Invalid}",
				Good: "type: string\nx-kubernetes-validations:\n- {rule: self != '', reason: FieldValueInvalid}",
			},
			ofSchema: checkReasons,
		},
		{
			Check: diag.Check{
				ID: "cel-field-path", Verdict: true,
				Doc: "The fieldPath of a rule is the path of a field below self, such as .spec.ports or .labels['a.b']; items of lists " +
					"cannot be named.",
				Bad:  "// +kubebuilder:validation:XValidation:rule=\"self.id > 0\",fieldPath=\".ident\"\nPort Port `json:\"port,omitempty\"`",
				Good: "// +kubebuilder:validation:XValidation:rule=\"self.id > 0\",fieldPath=\".id\"\nPort Port `json:\"port,omitempty\"`",
			},
			ofSchema: checkFieldPaths,
		},
	}
}

func isBlank(text string) bool { return strings.TrimSpace(text) == "" }

func hasBreak(text string) bool { return strings.ContainsAny(text, "\n\r") }

func checkExpressions(n *node) []finding {
	var out []finding
	for i, r := range n.s.Rules {
		if isBlank(r.Rule.V) {
			out = append(out, n.emptyRule(i, r))
		}
		if r.MessageExpression.V != "" && isBlank(r.MessageExpression.V) {
			out = append(out, n.emptyMessageExpression(i, r))
		}
	}
	return out
}

func checkMessages(n *node) []finding {
	var out []finding
	for i, r := range n.s.Rules {
		message := strings.TrimSpace(r.Message.V)
		switch {
		case isBlank(r.Rule.V): // which is told as such
		case r.Message.V != "" && message == "":
			out = append(out, n.blankMessage(i, r))
		case hasBreak(message):
			out = append(out, n.brokenMessage(i, r))
		case hasBreak(strings.TrimSpace(r.Rule.V)) && message == "":
			out = append(out, n.noMessage(i, r))
		}
	}
	return out
}

// reasons are those of a rule that API servers accept (apiextensions/v1, FieldValueErrorReason).
func reasons() []string {
	return []string{
		string(apiext.FieldValueRequired), string(apiext.FieldValueInvalid), string(apiext.FieldValueForbidden), string(apiext.FieldValueDuplicate),
	}
}

func checkReasons(n *node) []finding {
	var out []finding
	for i, r := range n.s.Rules {
		if r.Reason.V != "" && !isOneOf(r.Reason.V, reasons()) {
			out = append(out, n.badReason(i, r.Reason))
		}
	}
	return out
}

// checkFieldPaths asks the API server's code whether a path leads anywhere, and finds out itself why it does not.
func checkFieldPaths(n *node) []finding {
	var out []finding
	for i, r := range n.s.Rules {
		if r.FieldPath.V == "" {
			continue
		}
		var fault error
		if s, err := kube.Structural(n.s); err == nil {
			_, fault = kube.FieldPath(s, r.FieldPath.V, true)
		}
		if fault != nil || isBlank(r.FieldPath.V) || hasBreak(r.FieldPath.V) {
			out = append(out, n.badFieldPath(i, r.FieldPath, fault))
		}
	}
	return out
}
