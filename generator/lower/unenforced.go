package lower

import (
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/markers"
)

// leftOut is what an imported type requires and the CRD does not, at the place in the user's code that leads there.
type leftOut struct {
	own  diag.Span
	typ  *typ
	what []string
	at   diag.Span
}

// unenforced records that a marker in an imported package is not enforced.
func (r reporter) unenforced(m *markers.Marker) {
	what := m.At.Text()
	if r.annotated != "" {
		what += " on " + r.annotated
	}
	r.notEnforced(what, m.At)
}

// wrongTag reports a mistake in a marker for a part, or in a tag. In imported packages, which users cannot fix, it is
// reported as not enforced.
func (r reporter) wrongTag(d diag.Diagnostic) {
	if r.program.Owns(d.Span) {
		r.mistake(d)
	} else {
		r.notEnforced(d.Message, d.Span)
	}
}

// notEnforced records what an imported type requires and a CRD cannot. It has no effect if no kind leads there, or if
// the type is opaque.
func (r reporter) notEnforced(what string, at diag.Span) {
	if own, typ := r.ownPlace(at); typ != nil && !r.opaque {
		typ.unenforced = append(typ.unenforced, unenforced{what: what, at: at})
		r.leaveOut(own, typ, what, at)
	}
}

// unenforced is one requirement of a type that is not enforced, and its place.
type unenforced struct {
	what string
	at   diag.Span
}

// leaveOut adds to what is not enforced of a type. Each type is reported once a run, at the first place that leads to
// it.
func (r reporter) leaveOut(own diag.Span, t *typ, what string, at diag.Span) {
	if !own.IsValid() {
		return
	}
	for i := range r.leftOut {
		l := &r.leftOut[i]
		if l.typ.decl != t.decl { // the type is described anew for each CRD
			continue
		}
		if !slices.Contains(l.what, what) {
			l.what = append(l.what, what)
		}
		return
	}
	r.leftOut = append(r.leftOut, leftOut{own, t, []string{what}, at})
}

// allFindings returns what was reported. Warnings and what is not enforced are part of it if there are no errors.
func (r reporter) allFindings() []diag.Diagnostic {
	if diag.HasErrors(r.program.Diagnostics) || diag.HasErrors(r.diagnostics) {
		return r.diagnostics
	}
	out := append(r.diagnostics, r.advice...)
	for _, l := range r.leftOut {
		out = append(out, diag.Warningf(l.own, tagUnenforced, "a CRD cannot enforce this of type %s: %s", l.typ.name,
			strings.Join(l.what, "; ")).
			Help("if you need it here, write a rule with +kubebuilder:validation:XValidation on this field").
			See(l.at, "the first one"))
	}
	return out
}
