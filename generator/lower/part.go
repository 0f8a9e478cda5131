package lower

import (
	"slices"

	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/markers"
)

// isPart reports whether a kind is probably a part of other objects, such as the spec of a provider in a RawExtension,
// or the configuration of a program: its package has types for lists of other kinds, as clients need them, but none for
// this one, and no marker asks for a CRD.
func (w *framer) isPart(decls []*load.TypeDecl) bool {
	for _, d := range decls {
		hasList := func(d *load.TypeDecl) bool { return d.Pkg.Lookup(d.Name+"List") != nil }
		isOfKind := func(m markers.Marker) bool { return m.Def.OfKind }
		if hasList(d) || !slices.ContainsFunc(d.Pkg.Kinds(), hasList) ||
			slices.ContainsFunc(w.marks.TypeMarkers(d), isOfKind) {
			return false
		}
	}
	return len(decls) > 0
}
