package lower

import (
	"slices"

	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/markers"
)

// reasons are the values of a rule's reason that the API server accepts (apiextensions/v1, FieldValueErrorReason).
var reasons = [...]string{"FieldValueRequired", "FieldValueInvalid", "FieldValueForbidden", "FieldValueDuplicate"}

// applyRule adds a rule in CEL that is written over several lines or has a name, and reports whether the marker is one.
func (b *builder) applyRule(n *node, m *markers.Marker, on target) bool {
	if m.Def.Name != markRule {
		return false
	}
	b.deviate(ownMarkers, m.At)
	b.rulesOf(on.decl.Pkg) // which says what is wrong with names there
	r := schema.Rule{At: m.At}
	if use := m.Arg("use"); use != nil {
		named := b.findRule(use, on.decl)
		if named == nil {
			return true
		}
		r = named.rule
		r.At, r.Declared = m.At, r.At
		if m.Arg("message") != nil {
			r.MessageExpression = schema.Text{} // would be preferred to the message
		}
	}
	b.addRule(n, withArguments(r, m))
	return true
}

// withArguments returns a rule with what a marker says of it in place of what it says itself.
func withArguments(r schema.Rule, m *markers.Marker) schema.Rule {
	for _, arg := range m.Args {
		text := schema.Text{V: arg.Value.Text, At: arg.Value.At}
		switch arg.Name {
		case "rule":
			r.Rule = text
		case "message":
			r.Message = text
		case "messageExpression":
			r.MessageExpression = text
		case "reason":
			r.Reason = text
		case "fieldPath":
			r.FieldPath = text
		case "optionalOldSelf":
			r.OptionalOldSelf = &schema.Flag{V: arg.Value.Text == "true", At: arg.Value.At}
		}
	}
	return r
}

func (b *builder) addRule(n *node, r schema.Rule) {
	if b.knownReason(r) {
		n.s.Rules = append(n.s.Rules, r)
	}
}

// knownReason reports whether the API server accepts a rule's reason, and refuses it if not.
func (b *builder) knownReason(r schema.Rule) bool {
	if r.Reason.V == "" || slices.Contains(reasons[:], r.Reason.V) {
		return true
	}
	b.refuse(badReason(r.Reason))
	return false
}
