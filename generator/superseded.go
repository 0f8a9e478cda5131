package generator

import (
	"slices"

	kubeversion "k8s.io/apimachinery/pkg/version"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/check"
	"github.com/crdproof/crdproof/schema"
)

// superseded knows what only versions have that are older than the stored one.
type superseded struct {
	// owns reports whether a place is in the user's own packages.
	owns func(diag.Span) bool
	// fields and packages have true for what only older versions have, false for what others have too.
	fields   map[diag.Span]bool
	packages map[string]bool
}

func newSuperseded(owns func(diag.Span) bool) superseded {
	return superseded{owns, map[diag.Span]bool{}, map[string]bool{}}
}

// add adds the versions of a CRD.
func (s superseded) add(crd *schema.CRD) {
	stored := slices.IndexFunc(crd.Versions, func(v schema.Version) bool { return v.Storage })
	for _, v := range crd.Versions {
		isOld := stored >= 0 &&
			kubeversion.CompareKubeAwareVersionStrings(v.Name.V, crd.Versions[stored].Name.V) < 0
		if v.Package != nil {
			note(s.packages, v.Package.Path, isOld)
		}
		schema.Walk(v.Schema, func(p *schema.Place) {
			if at := p.At(); s.owns(at) {
				note(s.fields, at, isOld)
			}
		})
	}
}

// note records something that a version has.
func note[K comparable](known map[K]bool, key K, isOld bool) {
	if before, isKnown := known[key]; !isKnown || before {
		known[key] = isOld
	}
}

// isOld reports whether only older versions have what is at a place.
func (s superseded) isOld(at diag.Span) bool {
	if isOld, isField := s.fields[at]; isField {
		return isOld
	}
	return s.packages[at.Package()]
}

// mark marks the warnings about older versions: their fields are frozen, and what clients still write is converted. A
// marker without effect is a mistake in any version.
func (s superseded) mark(found []diag.Diagnostic, checks check.Table) {
	for i := range found {
		d := &found[i]
		if c := checks.Of(d.Check); c != nil && !c.Mistake && d.Severity == diag.Warning && s.isOld(d.Span) {
			d.Hurts = diag.OldVersions
		}
	}
}
