package schema

import (
	"regexp"
	"slices"
	"strconv"

	"github.com/crdproof/crdproof/diag"
)

var (
	// plainNumber is a number of a marker or of YAML 1.1: 1.30, 0755, 0x1f, 1e3, 1_000, 1:30 and .inf.
	plainNumber = regexp.MustCompile(`^[-+.]?[0-9.][-+.:\w]*$`)
	plainWord   = regexp.MustCompile(`^[A-Za-z][\w./-]*$`)
	// notString are the words that YAML 1.1 reads as other types.
	notString = regexp.MustCompile(`^(?i:y|n|yes|no|on|off|true|false|null)$`)
)

// Written returns a scalar as its author wrote it, without quotes: 1.30, whose Text is 1.3, or yes, whose Text is true.
// It returns Text if the source has something else, such as the name of a constant.
func (v *Value) Written() string {
	switch source := v.At.Text(); {
	case v.Kind == NumberKind && plainNumber.MatchString(source),
		v.Kind == Bool && v.At.Source != nil && v.At.Source.Syntax == diag.YAML && notString.MatchString(source):
		return source
	}
	return v.Text
}

// Literal returns a scalar as markers and YAML read it: a string is in quotes if it may be read as another type.
func (v *Value) Literal() string {
	if v.Kind == String && (!plainWord.MatchString(v.Text) || notString.MatchString(v.Text)) {
		return strconv.Quote(v.Text)
	}
	return v.Text
}

// Literals returns the literals of scalars.
func Literals(values []Value) (out []string) {
	for i := range values {
		out = append(out, values[i].Literal())
	}
	return out
}

// Meant returns the help that suggests the value of an enum that is near a text, "" if there is none.
func Meant(text string, enum []Value) string {
	var texts []string
	for i := range enum {
		texts = append(texts, enum[i].Text)
	}
	i := slices.Index(texts, diag.Near(text, texts))
	if i < 0 || texts[i] == text {
		return ""
	}
	if enum[i].Kind != String {
		return "did you mean " + texts[i] + "?"
	}
	return diag.Meant(texts[i])
}
