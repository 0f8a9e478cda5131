package gotype

import (
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/lower/internal/checks"
	"github.com/crdproof/crdproof/generator/lower/internal/node"
	"github.com/crdproof/crdproof/generator/lower/internal/report"
	"github.com/crdproof/crdproof/internal/effort"
)

// rejectDepth reports a type that is nested too deep, once for a CRD, and returns a node without a schema.
func (d Describer) rejectDepth(at diag.Span) *node.Node {
	if !d.reportedDeep {
		d.reportedDeep = true
		rejected := effort.SchemaDepth.Rejected(at, "this type is nested too deep")
		if parts := d.Parts(); len(parts) > 3 {
			rejected = rejected.Note("reached through %s → … → %s", parts[1], parts[len(parts)-1])
		}
		d.Report(rejected.Help("add %s to a field around it", report.Undescribed))
	}
	return &node.Node{}
}

// cycle describes the recursion that a reference to t closes.
func (d Describer) cycle(t *node.Type, at diag.Span) *diag.Diagnostic {
	start, steps := 0, d.Steps()
	for i, s := range steps {
		if s.Typ == t {
			start = i
		}
	}
	var way strings.Builder
	way.WriteString(t.Name)
	for _, s := range steps[start+1:] {
		switch {
		case s.Typ != nil:
			way.WriteString(" (" + s.Typ.Name + ")")
		case s.Part == "[]" || s.Part == "{}":
			way.WriteString(s.Part)
		case s.Part != "":
			way.WriteString(" → " + s.Part)
		}
	}
	way.WriteString(" → " + t.Name)
	closed := d.Reached(diag.Errorf(at, checks.TypeRecursive,
		"type %s contains itself, which a CRD schema cannot describe", t.Name).
		Note("cycle: %s", way.String()).
		Help("declare the type without a reference to itself, or use apiextensionsv1.JSON instead of it"))
	if endsInField(steps) {
		closed = closed.Help("break the cycle: add " + report.Undescribed + " to the field, or change its type to " +
			"apiextensionsv1.JSON")
	}
	return &closed
}

// endsInField reports whether steps end in the type of a field; otherwise they end in the declaration of a type.
func endsInField(steps []*report.Step) bool {
	for _, s := range slices.Backward(steps) {
		switch {
		case s.Typ != nil:
			return false
		case s.Part != "" && s.Part != "[]" && s.Part != "{}":
			return true
		}
	}
	return false
}
