package lower

import (
	"slices"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/schema"
)

// checkJoined reports an Enum such as A|B|C, whose separators are part of its only value. It returns true if that
// cannot be meant, since the value does not fit the type. For any other string the value may be meant: a warning,
// which quotes around the value silence.
func (ap applier) checkJoined(n *node, m *markers.Marker, on target) bool {
	v := m.Arg("")
	meant := markers.Joined(v)
	if meant == "" || !ap.program.Owns(v.At) {
		return false
	}
	d := diag.Errorf(v.At, markers.LooseValue, "expected items separated by ;, got %s", v.At.Text()).
		Help("write %s", meant)
	got := n.jsonType()
	if n.isIntOrString() || got == "" {
		got = "string"
	}
	var constants []string
	decl := on.decl
	if on.field != nil {
		decl = nil
		if n.ref != nil {
			decl = n.ref.decl
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
		ap.mistake(d)
		return true
	}
	text := valueText(v.Items[0])
	ap.mistake(diag.Warningf(v.At, markers.LooseValue, "%s is one value; items are separated by ;", text).
		Help("write %s, or write %s", meant, text))
	return false
}
