package apply

import (
	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/lower/internal/node"
	"github.com/crdproof/crdproof/generator/lower/internal/pattern"
	"github.com/crdproof/crdproof/generator/lower/internal/read"
	"github.com/crdproof/crdproof/generator/lower/internal/report"
	"github.com/crdproof/crdproof/markers"
)

// setFormat adds a format whose name is the marker's value.
func (ap Applier) setFormat(n *node.Node, m *markers.Marker, on node.Target) {
	v := m.Arg("")
	f, ok := pattern.FormatOf(v.Text)
	if !ok {
		ap.Report(unknownFormat(v, pattern.FormatNames(pattern.Formats())))
		return
	}
	if on.Field != nil && len(m.Steps) == 0 && n.Sort == node.ScalarSort &&
		read.Find(on.Field.Marks, read.MarkK8sOptional) != nil {
		f = f.OrEmpty() // an empty text counts as unset, and Kubernetes does not check the format of that
	}
	ap.require(n, m, f.Schema(v.At))
}

func unknownFormat(v *markers.Value, names []string) diag.Diagnostic {
	return diag.Errorf(v.At, markers.BadValue, "unknown format %q", v.Text).
		Help("%s", report.OneOfThese(v.Text, names))
}
