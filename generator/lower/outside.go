package lower

import (
	"regexp"
	"slices"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/generator/lower/internal/checks"
)

// apiVersion matches the name of a package that is a version of an API.
var apiVersion = regexp.MustCompile(`^v[0-9]+((alpha|beta)[0-9]+)?$`)

// isOutside reports whether a package with kinds is not a part of the API, although paths such as ./... reach it: it
// has no group, it is not named like a version, and other packages have a group. The internal form of kinds that have
// versions elsewhere, which programs convert to, is left out silently.
func (w *framer) isOutside(pkg *load.Package) bool {
	kinds := pkg.Kinds()
	if len(kinds) == 0 || w.Opts.Compat || w.marks.PackageMarkers(pkg).HasGroup || apiVersion.MatchString(pkg.Name) {
		return false
	}
	hasOthers, hasVersions := false, false
	for _, other := range w.Program.Roots {
		if len(other.Kinds()) == 0 || !w.marks.PackageMarkers(other).HasGroup {
			continue
		}
		hasOthers = true
		hasVersions = hasVersions || slices.ContainsFunc(kinds, func(d *load.TypeDecl) bool {
			return slices.ContainsFunc(other.Kinds(), func(v *load.TypeDecl) bool { return v.Name == d.Name })
		})
	}
	for _, d := range kinds {
		w.isVersion[d] = hasOthers // their markers are for the versions
	}
	if hasOthers && !hasVersions {
		var names []string
		for _, d := range kinds {
			names = append(names, d.Name)
		}
		w.Report(diag.Warningf(kinds[0].At, checks.KindNone, "package %s has no +groupName marker, so %s get no CRDs",
			pkg.Name, diag.And(names)).
			Help("add +groupName=example.com above the package clause, or add +kubebuilder:skip above the package " +
				"clause to leave the package out"))
	}
	return hasOthers
}
