package build

import (
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/markers"
)

// This file holds the texts of diagnostics about formats, names, durations, quantities and percentages.

func unknownFormat(v *markers.Value, names []string) diag.Diagnostic {
	d := diag.Diagnostic{
		Span: v.At, Rule: "marker-value", Message: "format " + strconv.Quote(v.Text) + " is not known",
		Help: "use one of " + strings.Join(names, ", "),
	}
	if near := diag.Near(v.Text, names); near != "" {
		d.Help = "did you mean " + strconv.Quote(near) + "?"
	}
	return d
}
