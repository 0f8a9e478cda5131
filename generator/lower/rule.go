package lower

import (
	"slices"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/schema"
)

// reasons are the values of a rule's reason that the API server accepts (apiextensions/v1, FieldValueErrorReason).
var reasons = [...]string{"FieldValueRequired", "FieldValueInvalid", "FieldValueForbidden", "FieldValueDuplicate"}

// setRule adds a rule in CEL.
func (ap applier) setRule(n *node, m *markers.Marker, _ target) {
	ap.addRule(n, withArguments(schema.Rule{At: m.At}, m))
}

// setNamedRule adds a rule in CEL that is written over several lines or has a name.
func (ap applier) setNamedRule(n *node, m *markers.Marker, on target) {
	ap.marks.at(ap.reporter).rulesOf(on.decl.Pkg) // which reports mistakes in names there
	r := schema.Rule{At: m.At}
	if use := m.Arg("use"); use != nil {
		named := ap.marks.at(ap.reporter).findRule(use, on.decl)
		if named == nil {
			return
		}
		r = *named
		r.At, r.Declared = m.At, r.At
		if m.Arg("message") != nil {
			r.MessageExpression = schema.Text{} // would be preferred to the message
		}
	}
	ap.addRule(n, withArguments(r, m))
}

// withArguments returns a rule with the arguments of a marker in place of its own.
func withArguments(r schema.Rule, m *markers.Marker) schema.Rule {
	texts := map[string]*schema.Text{
		"rule": &r.Rule, "message": &r.Message, "messageExpression": &r.MessageExpression, "reason": &r.Reason,
		"fieldPath": &r.FieldPath,
	}
	for _, arg := range m.Args {
		if text := texts[arg.Name]; text != nil {
			*text = textOf(&arg.Value)
		} else if arg.Name == "optionalOldSelf" {
			r.OptionalOldSelf = &schema.Flag{V: arg.Value.Text == "true", At: arg.Value.At}
		}
	}
	return r
}

func (ap applier) addRule(n *node, r schema.Rule) {
	if ap.marks.at(ap.reporter).knownReason(r) {
		n.s.Rules = append(n.s.Rules, r)
	}
}

// knownReason reports whether the API server accepts a rule's reason, with a diagnostic if not.
func (rd reader) knownReason(r schema.Rule) bool {
	if r.Reason.V == "" || slices.Contains(reasons[:], r.Reason.V) {
		return true
	}
	rd.report(diag.Errorf(r.Reason.At, markers.BadValue, "unknown reason %q", r.Reason.V).
		Help("%s", oneOfThese(r.Reason.V, reasons[:])))
	return false
}
