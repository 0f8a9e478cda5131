package report

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/lower/internal/checks"
	"github.com/crdproof/crdproof/schema"
)

// OneOfThese suggests the nearest name, or lists all.
func OneOfThese(name string, names []string) string {
	return cmp.Or(diag.Meant(diag.Near(name, names)), "write one of "+strings.Join(names, ", "))
}

// EmptyRange reports a minimum above the maximum.
func EmptyRange(
	minName, minValue string, minAt diag.Span, maxName, maxValue string, maxAt diag.Span,
) diag.Diagnostic {
	return diag.Errorf(minAt, checks.Contradictory, "%s %s is above %s %s: no value is valid", minName, minValue,
		maxName, maxValue).
		Help("swap or change the bounds").See(maxAt, "%s is set here", maxName)
}

// ValueText returns a value as messages show it.
func ValueText(v schema.Value) string {
	if v.Kind == schema.String {
		return strconv.Quote(v.Text)
	}
	return v.Text
}

// Related returns a second place of a diagnostic.
func Related(at diag.Span, message string) []diag.Related {
	if !at.IsValid() {
		return nil
	}
	return []diag.Related{{Span: at, Message: message}}
}

// Undescribed are the markers of a field of any JSON object, whose Go type is not described.
const Undescribed = "+kubebuilder:validation:Schemaless, +kubebuilder:validation:Type=object and " +
	"+kubebuilder:pruning:PreserveUnknownFields"

// Plural names the values of a JSON type.
func Plural(jsonType string) string {
	if jsonType == "" {
		return ""
	}
	return jsonType + "s"
}

// TypePhrase names a JSON type in a sentence.
func TypePhrase(jsonType string) string {
	switch jsonType {
	case "":
		return "of unknown type"
	case "array", "object", "integer":
		return "an " + jsonType
	}
	return "a " + jsonType
}
