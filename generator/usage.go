package generator

import (
	"slices"

	kubeversion "k8s.io/apimachinery/pkg/version"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/check"
	"github.com/crdproof/crdproof/schema"
)

// usage knows where the fields of a program's types are used, and so whom findings about them hurt.
type usage struct {
	// owns reports whether a place is in the user's own packages.
	owns func(diag.Span) bool
	// old and oldPackages have true for what only versions have that are older than the stored one, status for what
	// only a status has, part for what only kinds have whose CRDs are not installed; all have false for what is used
	// elsewhere too.
	old, status, part map[diag.Span]bool
	oldPackages       map[string]bool
}

func newUsage(owns func(diag.Span) bool) usage {
	return usage{owns, map[diag.Span]bool{}, map[diag.Span]bool{}, map[diag.Span]bool{}, map[string]bool{}}
}

// add adds the versions of a CRD.
func (u usage) add(crd *schema.CRD) {
	stored := slices.IndexFunc(crd.Versions, func(v schema.Version) bool { return v.Storage })
	for _, v := range crd.Versions {
		isOld := stored >= 0 &&
			kubeversion.CompareKubeAwareVersionStrings(v.Name.V, crd.Versions[stored].Name.V) < 0
		if v.Package != nil {
			note(u.oldPackages, v.Package.Path, isOld)
		}
		schema.Walk(v.Schema, func(p *schema.Place) {
			if at := p.At(); u.owns(at) {
				note(u.old, at, isOld)
				note(u.status, at, isInStatus(p))
				note(u.part, at, crd.IsPart)
			}
		})
	}
}

// isInStatus reports whether a place is in the status of a kind.
func isInStatus(p *schema.Place) bool {
	for ; p.Above != nil; p = p.Above {
		if p.Above.Above == nil {
			return p.Name == "status"
		}
	}
	return false
}

// note records one use, and whether it is a special one.
func note[K comparable](known map[K]bool, key K, isSpecial bool) {
	if before, isKnown := known[key]; !isKnown || before {
		known[key] = isSpecial
	}
}

// isOld reports whether only older versions have what is at a place.
func (u usage) isOld(at diag.Span) bool {
	if isOld, isField := u.old[at]; isField {
		return isOld
	}
	return u.oldPackages[at.Package()]
}

// mark sets whom warnings hurt. The fields of older versions are frozen, and what clients still write there is
// converted; a marker without effect is a mistake in any version. A status is written by a controller, as a whole.
func (u usage) mark(found []diag.Diagnostic, checks check.Table) {
	for i := range found {
		d := &found[i]
		c := checks.Of(d.Check)
		switch {
		case c == nil || c.Mistake || d.Severity != diag.Warning:
		case u.isOld(d.Span):
			d.Hurts = diag.OldVersions
		case c.Group == diag.GoClients && u.status[d.Span] || u.part[d.Span]:
			d.Hurts = diag.Unlikely
		}
	}
}
