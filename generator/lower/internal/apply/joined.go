package apply

import (
	"slices"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/lower/internal/node"
	"github.com/crdproof/crdproof/generator/lower/internal/report"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/schema"
)

// checkJoined reports an Enum such as A|B|C, whose separators are part of its only value. It returns true if that
// cannot be meant, since the value does not fit the type. For any other string the value may be meant: a warning,
// which quotes around the value silence.
func (ap Applier) checkJoined(n *node.Node, m *markers.Marker, on node.Target) bool {
	v := m.Arg("")
	meant := markers.Joined(v)
	if meant == "" || !ap.Program.Owns(v.At) {
		return false
	}
	d := diag.Errorf(v.At, markers.LooseValue, "expected items separated by ;, got %s", v.At.Text()).
		Help("write %s", meant)
	got := n.JSONType()
	if n.IsIntOrString() || got == "" {
		got = "string"
	}
	var constants []string
	decl := on.Decl
	if on.Field != nil {
		decl = nil
		if n.Ref != nil {
			decl = n.Ref.Decl
		}
	}
	if decl != nil {
		for _, c := range decl.Constants() {
			if value := constantValue(c.Value); value.Kind == schema.String {
				constants = append(constants, value.Text)
			}
		}
	}
	if got != "string" || len(constants) > 0 && !slices.Contains(constants, v.Items[0].Text) {
		ap.Mistake(d)
		return true
	}
	text := report.ValueText(v.Items[0])
	ap.Mistake(diag.Warningf(v.At, markers.LooseValue, "%s is one value; items are separated by ;", text).
		Help("write %s, or write %s", meant, text))
	return false
}
