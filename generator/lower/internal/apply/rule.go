package apply

import (
	"github.com/crdproof/crdproof/generator/lower/internal/node"
	"github.com/crdproof/crdproof/generator/lower/internal/read"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/schema"
)

// setRule adds a rule in CEL.
func (ap Applier) setRule(n *node.Node, m *markers.Marker, _ node.Target) {
	ap.addRule(n, read.WithArguments(schema.Rule{At: m.At}, m))
}

// setNamedRule adds a rule in CEL that is written over several lines or has a name.
func (ap Applier) setNamedRule(n *node.Node, m *markers.Marker, on node.Target) {
	ap.Marks.At(ap.Reporter).RulesOf(on.Decl.Pkg) // which reports mistakes in names there
	r := schema.Rule{At: m.At}
	if use := m.Arg("use"); use != nil {
		named := ap.Marks.At(ap.Reporter).FindRule(use, on.Decl)
		if named == nil {
			return
		}
		r = *named
		r.At, r.Declared = m.At, r.At
		if m.Arg("message") != nil {
			r.MessageExpression = schema.Text{} // would be preferred to the message
		}
	}
	ap.addRule(n, read.WithArguments(r, m))
}

func (ap Applier) addRule(n *node.Node, r schema.Rule) {
	if ap.Marks.At(ap.Reporter).KnownReason(r) {
		n.Own.Rules = append(n.Own.Rules, r)
	}
}
