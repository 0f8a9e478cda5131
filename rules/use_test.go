package rules

import (
	"testing"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/schema"
)

// TestAtUse reports mistakes in a rule at the rule, or at its use if the rule is imported.
func TestAtUse(t *testing.T) {
	own, library := &diag.Source{Path: "own.go"}, &diag.Source{Path: "library.go"}
	use, expression := diag.At(own, 10, 20), diag.At(library, 5, 9)
	r := &schema.Rule{At: use, Declared: diag.At(library, 1, 4), Rule: schema.Text{V: "self", At: expression}}
	for name, c := range map[string]struct {
		at         diag.Span
		owns       func(diag.Span) bool
		want, note diag.Span
	}{
		"all is ours":         {expression, nil, expression, use},
		"the library is ours": {expression, func(diag.Span) bool { return true }, expression, use},
		"it is not":           {expression, func(s diag.Span) bool { return s.Source == own }, use, expression},
		"said at the use":     {diag.At(own, 15, 18), nil, diag.At(own, 15, 18), diag.Span{}},
	} {
		d := atUse(diag.Diagnostic{Span: c.at}, r, c.owns)
		var note diag.Span
		if len(d.SeeAlso) == 1 {
			note = d.SeeAlso[0].Span
		}
		if d.Span != c.want || note != c.note || d.For.IsValid() != c.note.IsValid() {
			t.Errorf("%s: reported at %v, with a note at %v", name, d.Span, d.SeeAlso)
		}
	}
}
