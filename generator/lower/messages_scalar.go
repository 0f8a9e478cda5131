package lower

import (
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/markers"
)

// This file holds the texts of diagnostics about formats, names, durations, quantities and percentages.

func unknownFormat(v *markers.Value, names []string) diag.Diagnostic {
	d := diag.Diagnostic{
		Span: v.At, Check: "marker-value", Message: "format " + strconv.Quote(v.Text) + " is not known",
		HelpText: "use one of " + strings.Join(names, ", "),
	}
	if near := diag.Near(v.Text, names); near != "" {
		d.HelpText = diag.Meant(near)
	}
	return d
}

func saysNothing(m *markers.Marker) diag.Diagnostic {
	return diag.Diagnostic{
		Span: m.At, Check: "marker-missing", Message: "marker " + m.Def.Name + " limits nothing without an argument",
		HelpText: "for example " + m.Def.Example,
	}
}

func longerThanNames(v *markers.Value) diag.Diagnostic {
	return diag.Diagnostic{
		Span: v.At, Check: "marker-range", Message: "no name is as long: names of objects have at most 253 characters", HelpText: "lower minLength",
	}
}

func anyNameFits(v *markers.Value) diag.Diagnostic {
	return diag.Diagnostic{
		Span: v.At, Check: "marker-range", Message: "this limits nothing: names of objects have at most 253 characters anyway",
		HelpText: "remove maxLength, or lower it",
	}
}

// unfitFormat speaks of a format that is not known, or that no name, or no beginning of one, can have.
func unfitFormat(m *markers.Marker, v *markers.Value, permitted []string) diag.Diagnostic {
	d := unknownFormat(v, permitted)
	if _, ok := findFormat(nameFormats(), v.Text); ok {
		d.Message = "generateName is the beginning of a name, of which format " + strconv.Quote(v.Text) + " says nothing"
		d.HelpText = "limit the name that is made of it: +" + markObjectName + ":format=" + v.Text
	} else if _, ok := formatOf(v.Text); ok {
		d.Message = "names of objects have no slash, but what is of format " + strconv.Quote(v.Text) + " has one"
		d.HelpText = "use one of " + strings.Join(permitted, ", ")
	}
	return d
}

// badBound speaks of a bound that cannot be read; kind says what was expected.
func badBound(v *markers.Value, kind, example string) diag.Diagnostic {
	return diag.Diagnostic{
		Span: v.At, Check: "marker-value", Message: strconv.Quote(v.Text) + " is not " + kind, HelpText: "write " + example,
	}
}

func (b *builder) intOrDuration(m *markers.Marker, on target) diag.Diagnostic {
	return b.reached(diag.Diagnostic{
		Span: m.At, Check: "marker-type",
		Message:  "marker " + m.Def.Name + " applies to strings, but " + on.what() + " is an integer or a string",
		HelpText: "remove the marker",
	})
}
