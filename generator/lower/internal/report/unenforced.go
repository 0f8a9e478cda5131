package report

import (
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/lower/internal/checks"
	"github.com/crdproof/crdproof/generator/lower/internal/node"
	"github.com/crdproof/crdproof/markers"
)

// leftOut is what an imported type requires and the CRD does not, at the place in the user's code that leads there.
type leftOut struct {
	own  diag.Span
	typ  *node.Type
	what []string
	at   diag.Span
}

// Unenforced records that a marker in an imported package is not enforced.
func (r Reporter) Unenforced(m *markers.Marker) {
	what := m.At.Text()
	if r.Annotated != "" {
		what += " on " + r.Annotated
	}
	r.notEnforced(what, m.At)
}

// WrongTag reports a mistake in a marker for a part, or in a tag. In imported packages, which users cannot fix, it is
// reported as not enforced.
func (r Reporter) WrongTag(d diag.Diagnostic) {
	if r.Program.Owns(d.Span) {
		r.Mistake(d)
	} else {
		r.notEnforced(d.Message, d.Span)
	}
}

// notEnforced records what an imported type requires and a CRD cannot. It has no effect if no kind leads there, or if
// the type is opaque.
func (r Reporter) notEnforced(what string, at diag.Span) {
	if own, typ := r.OwnPlace(at); typ != nil && !r.Opaque {
		typ.Unenforced = append(typ.Unenforced, node.Unenforced{What: what, At: at})
		r.LeaveOut(own, typ, what, at)
	}
}

// LeaveOut adds to what is not enforced of a type. Each type is reported once a run, at the first place that leads to
// it.
func (r Reporter) LeaveOut(own diag.Span, t *node.Type, what string, at diag.Span) {
	if !own.IsValid() {
		return
	}
	for i := range r.leftOut {
		l := &r.leftOut[i]
		if l.typ.Decl != t.Decl { // the type is described anew for each CRD
			continue
		}
		if !slices.Contains(l.what, what) {
			l.what = append(l.what, what)
		}
		return
	}
	r.leftOut = append(r.leftOut, leftOut{own, t, []string{what}, at})
}

// Findings returns what was reported. Warnings and what is not enforced are part of it if there are no errors.
func (r Reporter) Findings() []diag.Diagnostic {
	if diag.HasErrors(r.Program.Diagnostics) || diag.HasErrors(r.Diagnostics) {
		return r.Diagnostics
	}
	out := append(r.Diagnostics, r.advice...)
	for _, l := range r.leftOut {
		out = append(out, diag.Warningf(l.own, checks.TagUnenforced, "a CRD cannot enforce this of type %s: %s",
			l.typ.Name, strings.Join(l.what, "; ")).
			Help("if you need it here, write a rule with +kubebuilder:validation:XValidation on this field").
			See(l.at, "the first one"))
	}
	return out
}
