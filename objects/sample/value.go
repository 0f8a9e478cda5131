package sample

import (
	"cmp"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/schema"
)

// helpWithValue adds a help that says what to write instead of a value, if that is obvious.
func (j *judgement) helpWithValue(d *diag.Diagnostic, e *field.Error, at schema.Location) {
	if at.Missing != "" {
		if name := strings.TrimPrefix(at.Missing, "."); e.Type == field.ErrorTypeRequired &&
			!strings.ContainsAny(name, ".[") {
			d.HelpText = addField(name, namePath(at.Way), at.Way.Then(schema.Key(name)).Schema(j.version.Schema))
		}
		return
	}
	s := at.Way.Schema(j.version.Schema)
	switch {
	case s == nil:
	case e.Type == field.ErrorTypeRequired && at.Node.Kind == schema.Null:
		d.HelpText = nothingWritten
	case e.Type == field.ErrorTypeNotSupported:
		d.HelpText = cmp.Or(schema.Meant(at.Node.Text, s.Enum), d.HelpText)
	case e.Type == field.ErrorTypeInvalid && at.Node.Kind == schema.String &&
		strings.Contains(e.Detail, " should match "):
		j.helpWithText(d, e, at.Node.Text, s)
	case e.Type == field.ErrorTypeTypeInvalid || strings.Contains(e.Detail, " must be of type "):
		d.HelpText = otherType(s, at.Node)
	}
}

// helpWithText says what to write instead of a duration or a quantity as people write it. The patterns of
// Kubernetes' own types are not shown.
func (j *judgement) helpWithText(d *diag.Diagnostic, e *field.Error, text string, s *schema.Schema) {
	kind := map[string]string{schema.QuantityPattern: "quantity", schema.DurationPattern: "duration"}[s.Pattern.V]
	if kind != "" {
		d.Message = fmt.Sprintf("%s: %q is not a %s that Kubernetes reads", e.Field, text, kind)
	}
	meant, ok := readHuman(text, s)
	switch {
	case ok:
		*d = d.Note("the units of a %s are %s", meant.what, meant.units)
		d.HelpText = "write " + meant.text
	case kind == "quantity":
		*d = d.Note("a quantity is a number with a unit, such as 10G or 512Mi")
	case kind == "duration":
		*d = d.Note("a duration is a number with a unit, such as 90s or 1h30m")
	}
}

// otherType returns a help that says how to write a value with the right type, "" if that is not obvious.
func otherType(s *schema.Schema, n *schema.Value) string {
	isScalar := n.Kind == schema.Bool || n.Kind == schema.NumberKind || n.Kind == schema.String
	source := n.At.Text()
	switch {
	case n.Kind == schema.Null:
		return nothingWritten
	case s.Type.V == "string" && isScalar && n.Kind != schema.String:
		return inQuotes(source)
	case s.Type.V == "array" && isScalar && !strings.ContainsAny(source, ",:[]{}#\n"):
		return "write [" + source + "]"
	case s.Type.V == "array" && n.Kind != schema.Array:
		return asList
	case n.Kind != schema.String:
	case s.Type.V == "boolean" && (n.Text == "true" || n.Text == "false"),
		s.Type.V == "integer" && schema.IsWholeNumber(n.Text):
		return "write " + n.Text
	}
	return ""
}

func addField(name, where string, s *schema.Schema) string {
	what := ""
	if s != nil && s.Type.V != "" {
		what = map[string]string{
			"string": ", a string", "integer": ", an integer", "number": ", a number", "boolean": ", true or false",
			"array": ", a list", "object": ", an object",
		}[s.Type.V]
	}
	if s != nil && len(s.Enum) > 0 && len(s.Enum) <= maxListed {
		what = ", one of " + strings.Join(schema.Literals(s.Enum), ", ")
	}
	return fmt.Sprintf("add %s to %s%s", name, where, what)
}

const (
	nothingWritten = "write a value: an empty value is null"
	asList         = "write a list: begin each item with a dash"
)

func inQuotes(source string) string { return fmt.Sprintf("put it in quotes: %q", source) }
