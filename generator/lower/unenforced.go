package lower

import (
	"slices"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/markers"
)

// leftOut is what the type of another package demands, and the CRD does not, at a place of the user's that leads there.
type leftOut struct {
	own  diag.Span
	typ  *typ
	what []string
	at   diag.Span
}

// unenforced notes that a marker in another package is not enforced.
func (r reporter) unenforced(m *markers.Marker) {
	what := m.At.Text()
	if r.annotated != "" {
		what += " on " + r.annotated
	}
	r.demandsInVain(what, m.At)
}

// wrongTag reports a mistake in a marker of a part, or in a tag. In other people's packages it is reported as what is
// not enforced: nobody can fix it there.
func (r reporter) wrongTag(d diag.Diagnostic) {
	if r.program.Owns(d.Span) {
		r.mistake(d)
	} else {
		r.demandsInVain(d.Message, d.Span)
	}
}

// demandsInVain notes what the type of another package demands and no CRD can. It does not matter if no kind leads
// there, or if what the type says does not count.
func (r reporter) demandsInVain(what string, at diag.Span) {
	if own, typ := r.ownPlace(at); typ != nil && !r.opaque {
		typ.unenforced = append(typ.unenforced, unenforced{what, at})
		r.leaveOut(own, typ, what, at)
	}
}

// unenforced is one thing that a type demands in vain, and where.
type unenforced struct {
	what string
	at   diag.Span
}

// leaveOut adds to what is not enforced of a type. Each type is told once a run, at the first place that leads to it:
// nobody can mend it at any.
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
