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
func (b *builder) unenforced(m *markers.Marker) {
	own, typ := b.ownPlace(m.At)
	if typ == nil || b.opaque {
		return // no kind leads there, or what the type says does not count
	}
	what := m.At.Text()
	if b.annotated != "" {
		what += " on " + b.annotated
	}
	typ.unenforced = append(typ.unenforced, unenforced{what, m.At})
	b.leaveOut(own, typ, what, m.At)
}

// wrongTag reports a mistake in a marker of a part, or in a tag. In other people's packages it is told as what is not
// enforced: nobody can mend it there.
func (b *builder) wrongTag(d diag.Diagnostic) {
	if b.program.Owns(d.Span) {
		b.mistake(d)
		return
	}
	if own, typ := b.ownPlace(d.Span); typ != nil && !b.opaque {
		typ.unenforced = append(typ.unenforced, unenforced{d.Message, d.Span})
		b.leaveOut(own, typ, d.Message, d.Span)
	}
}

// unenforced is one thing that a type demands in vain, and where.
type unenforced struct {
	what string
	at   diag.Span
}

// leaveOut adds to what is not enforced of a type. Each type is told once a run, at the first place that leads to it: nobody
// can mend it at any.
func (b *builder) leaveOut(own diag.Span, t *typ, what string, at diag.Span) {
	if !own.IsValid() {
		return
	}
	for i := range b.leftOut {
		l := &b.leftOut[i]
		if l.typ.decl != t.decl { // the type is described anew for each CRD
			continue
		}
		if !slices.Contains(l.what, what) {
			l.what = append(l.what, what)
		}
		return
	}
	b.leftOut = append(b.leftOut, leftOut{own, t, []string{what}, at})
}
