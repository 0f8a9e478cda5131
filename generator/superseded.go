package generator

import (
	"slices"

	kubeversion "k8s.io/apimachinery/pkg/version"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/check"
	"github.com/crdproof/crdproof/schema"
)

// superseded has the packages whose kinds are stored in a newer version.
type superseded map[string]bool

// add adds the packages of a CRD.
func (s superseded) add(crd *schema.CRD) {
	stored := slices.IndexFunc(crd.Versions, func(v schema.Version) bool { return v.Storage })
	for _, v := range crd.Versions {
		if v.Package == nil {
			continue
		}
		isOld := stored >= 0 &&
			kubeversion.CompareKubeAwareVersionStrings(v.Name.V, crd.Versions[stored].Name.V) < 0
		if before, isKnown := s[v.Package.Path]; !isKnown || before {
			s[v.Package.Path] = isOld
		}
	}
}

// mark marks the warnings about types in these packages: their fields are frozen, and what clients still write is
// converted. A marker without effect is a mistake in any version.
func (s superseded) mark(found []diag.Diagnostic, checks check.Table) {
	for i := range found {
		d := &found[i]
		if c := checks.Of(d.Check); c != nil && !c.Mistake && d.Severity == diag.Warning && s[d.Span.Package()] {
			d.Hurts = diag.OldVersions
		}
	}
}
