package lower

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/markers"
)

// This file holds the texts of diagnostics about value validations in junctors.

const suchValidation = "write keywords in braces, such as {minimum: 1}"

// valuePhrase names a marker's value in a sentence.
func valuePhrase(v *markers.Value) string {
	switch v.Kind {
	case markers.List:
		return "a list"
	case markers.Map:
		return "a map"
	case markers.String:
		return strconv.Quote(v.Text)
	}
	return v.Text
}

func notAValidation(v *markers.Value) diag.Diagnostic {
	return diag.Diagnostic{
		Span: v.At, Check: "marker-value", Message: "expected a value validation, found " + valuePhrase(v), HelpText: suchValidation,
	}
}

func emptyValidation(v *markers.Value) diag.Diagnostic {
	return diag.Diagnostic{
		Span: v.At, Check: "marker-value", Message: "a value validation without keywords holds for every value", HelpText: suchValidation,
	}
}

func wrongKeywordValue(m *markers.Member, expected string) diag.Diagnostic {
	d := diag.Diagnostic{
		Span: m.Value.At, Check: "marker-value", Message: fmt.Sprintf("%s must be %s, found %s", m.Key, expected, valuePhrase(&m.Value)),
	}
	switch {
	case expected == "a list" && m.Value.Kind != markers.List && m.Value.Text != "":
		d.HelpText = "write {" + m.Value.Text + "}"
	case expected == "a list":
		d.HelpText = "write the items in braces, such as {a, b}"
	case expected == "a map in braces":
		d.HelpText = "write {field: {keyword: value}}"
	case expected == "a string":
		d.HelpText = "write " + m.Key + ": \"…\""
	case expected == "true or false":
		d.HelpText = "write true or false"
	case expected != "a number":
		d.HelpText = "write a whole number, such as 10"
	default:
		d.HelpText = "write nothing but a number, such as 0.5"
	}
	return d
}

func noFieldName(v *markers.Value) diag.Diagnostic {
	return diag.Diagnostic{
		Span: v.At, Check: "marker-value", Message: "required lists names of fields, found " + valuePhrase(v), HelpText: "write {a, b}",
	}
}

func (b *builder) wrongKeyword(want, got string, m *markers.Member, p place) diag.Diagnostic {
	d := diag.Diagnostic{
		Span: m.KeyAt, Check: "marker-type",
		Message:  fmt.Sprintf("%s applies to %s, but %s is %s", m.Key, plural(want), p.what, typePhrase(got)),
		HelpText: "remove it",
	}
	side := m.Key[:min(3, len(m.Key))]
	switch {
	case p.n.isIntOrString():
		d.Message = fmt.Sprintf("%s applies to %s, but %s is an integer or a string", m.Key, plural(want), p.what)
	case got == "array" && p.n.element().jsonType() == want:
		d.HelpText = "to constrain the items, write {items: {" + m.Key + ": …}}"
	case (side == "max" || side == "min") && boundOf(side, got) != "":
		d.HelpText = diag.Meant(boundOf(side, got))
	}
	return b.reached(d)
}

// noKeyword speaks of a keyword that value validations do not have.
func (j *junctor) noKeyword(m *markers.Member, p place) diag.Diagnostic {
	if cure := misplaced(m); cure != "" {
		if m.Key == "type" && p.n.isIntOrString() {
			cure = "remove it: what is said of strings holds for every integer, and the other way round, so that one validation can say both"
		}
		return diag.Diagnostic{
			Span: m.KeyAt, Check: "nested-keyword",
			Message: fmt.Sprintf("there is no %s inside of %s, which validates values and describes no structure", m.Key, j.name), HelpText: cure,
		}
	}
	d := diag.Diagnostic{
		Span: m.KeyAt, Check: "marker-argument", Message: "no value validation has a keyword " + strconv.Quote(m.Key),
		HelpText: "use " + strings.Join(validationKeywords(), ", "),
	}
	if near := diag.Near(m.Key, validationKeywords()); near != "" {
		d.HelpText = diag.Meant(near)
	}
	return d
}

// misplaced says where to say what a keyword says that has no place inside of junctors; "" for all others. These are the
// keywords of structure and documentation (KEP-2335, rule 3-i), and those that a CRD has nowhere.
func misplaced(m *markers.Member) string {
	switch m.Key {
	case "type":
		return "remove it: the Go type says it; what is an integer or a string is an intstr.IntOrString"
	case "additionalProperties":
		if m.Value.Kind == markers.Bool {
			return "remove it: the API server prunes the fields that the schema does not have"
		}
		return "constrain the values of the map outside of junctors, or use a rule"
	case "title", "description", "example", "externalDocs":
		return "remove it, and write it in the comment of the type or field"
	case "nullable":
		return "put +nullable on the field"
	case "default":
		return "put +kubebuilder:default on the field"
	case "uniqueItems":
		return "put +listType=set on the field"
	case "x-kubernetes-validations":
		return "put +kubebuilder:validation:XValidation on the type or field"
	case "$ref", "definitions":
		return "write out the schema: its structure as a Go type, what it demands of values here"
	case "patternProperties":
		return "use a rule, such as self.all(key, key.matches('^[a-z]+$'))"
	case "dependencies":
		return "use a rule, such as !has(self.a) || has(self.b)"
	}
	if strings.HasPrefix(m.Key, "x-kubernetes-") {
		return "put the marker for it on the type or field"
	}
	return ""
}

// noField speaks of a field that a value validation names, but which is not there (KEP-2335, rule 3-ii).
func (j *junctor) noField(name schema.Text, names []string, p place) diag.Diagnostic {
	d := diag.Diagnostic{
		Span: name.At, Check: "nested-unknown",
		Message:  fmt.Sprintf("%s speaks of the field %q, but %s has no such field", j.name, name.V, p.what),
		HelpText: "remove it: the API server prunes the fields that the schema does not have",
	}
	if near := diag.Near(name.V, names); near != "" {
		d.HelpText = diag.Meant(near)
	} else if len(names) > 0 {
		names = slices.Compact(slices.Sorted(slices.Values(names)))
		d.Notes = []string{"its fields are " + strings.Join(names, ", ")}
	}
	return j.b.reached(d)
}
