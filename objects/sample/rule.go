package sample

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/schema"
	"github.com/crdproof/crdproof/schema/read"
)

// Rules returns the rules of a CRD that the errors of an API server about an object may come from.
func Rules(crd crds.CRD, o *read.Object, errs field.ErrorList) (out []diag.Related) {
	k := newKind(crd)
	j := &judgement{object: o, kind: k, version: k.version(versionOf(o))}
	if j.version == nil {
		return nil
	}
	for _, e := range errs {
		out = append(out, j.rules(e, o.Root.Locate(e.Field))...)
	}
	return out
}

// rules are those that an error at a place may come from, judged by its text: rules of the value's schema, or of a
// parent if they name the field with fieldPath.
func (j *judgement) rules(e *field.Error, at schema.Location) (out []diag.Related) {
	var dynamic []diag.Related
	for i, s := range schemasAlong(j.version.Schema, at.Way) {
		for k := range s.Rules {
			r := &s.Rules[k]
			related := diag.Related{Span: r.Rule.At,
				Message: "the rule: " + shortened(strings.Join(strings.Fields(r.Rule.V), " "))}
			switch {
			case !slices.Equal(names(e.Field), slices.Concat(namesOf(at.Way[:i]), names(r.FieldPath.V))):
			case isMessageOf(r, e.Detail):
				out = append(out, related)
			case r.MessageExpression.V != "" && mayCompute(r, e):
				dynamic = append(dynamic, related)
			}
		}
	}
	if len(out) == 0 && len(dynamic) == 1 {
		return dynamic
	}
	return out
}

// maxRule is how many characters of a rule are shown.
const maxRule = 160

func shortened(text string) string {
	if r := []rune(text); len(r) > maxRule {
		return string(r[:maxRule-1]) + "…"
	}
	return text
}

// names are the parts of the path of an error or of fieldPath, in either notation: those of a.b['c'] and a.b.c are
// equal.
func names(path string) []string {
	if path == "<nil>" {
		return nil // the root
	}
	return strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune(`.[]'"`, r) })
}

// namesOf returns the same parts of a path that has been read.
func namesOf(way schema.Path) (out []string) {
	for _, step := range way {
		if step.IsItem() {
			out = append(out, strconv.Itoa(step.Index))
		} else {
			out = append(out, names(step.Name)...)
		}
	}
	return out
}

// isMessageOf reports whether a message is that of a rule, or one about its evaluation
// (k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/validation.go, ruleMessageOrDefault and ruleErrorString).
func isMessageOf(r *schema.Rule, detail string) bool {
	rule, message := strings.TrimSpace(r.Rule.V), strings.TrimSpace(r.Message.V)
	return message != "" && detail == message || message == "" && detail == "failed rule: "+rule ||
		strings.HasSuffix(detail, "evaluating rule: "+rule) ||
		message != "" && strings.HasSuffix(detail, "evaluating rule: "+message)
}

// mayCompute reports whether a rule may have computed the message of an error at its place. Messages of keywords
// contain "in body", or are empty.
func mayCompute(r *schema.Rule, e *field.Error) bool {
	// The reasons that rules may have are among the types of errors.
	reason := cmp.Or(r.Reason.V, string(field.ErrorTypeInvalid))
	return string(e.Type) == reason && e.Detail != "" && !strings.Contains(e.Detail, " in body ")
}
