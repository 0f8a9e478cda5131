package generator

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/helpers"
	"github.com/crdproof/crdproof/generator/load"
)

// judged returns whether the run would have found the findings of a check in a Go package: if nothing hides findings,
// those in the packages that the paths name, and in packages of their modules that no longer exist. What helpers find
// is known only if helpers are written.
func (cfg Config) judged(program *load.Program, listing *load.Listing, isComplete bool) func(unit, check string) bool {
	if cfg.CRD.Policy.Known == nil {
		return nil // nothing is judged
	}
	roots := map[string]bool{}
	for _, pkg := range program.Roots {
		roots[pkg.Path] = true
	}
	listed := slices.DeleteFunc(listing.Packages(), func(l load.Listed) bool { return !roots[l.Path] })
	return func(unit, check string) bool {
		ofHelpers := slices.ContainsFunc(helpers.Checks(), func(c *diag.Check) bool { return c.ID == check })
		if !isComplete || ofHelpers && cfg.Helpers == nil {
			return false
		}
		return roots[unit] || slices.ContainsFunc(listed, func(l load.Listed) bool { return isGone(unit, l) })
	}
}

// isGone reports whether a package would be in the module of another one, but has no directory.
func isGone(path string, other load.Listed) bool {
	below, err := filepath.Rel(other.ModuleDir, other.Dir)
	if err != nil || other.ModuleDir == "" {
		return false
	}
	module := other.Path
	if below != "." {
		module = strings.TrimSuffix(other.Path, "/"+filepath.ToSlash(below))
	}
	rest, isInModule := strings.CutPrefix(path, module+"/")
	if !isInModule {
		return false
	}
	_, err = os.Stat(filepath.Join(other.ModuleDir, filepath.FromSlash(rest)))
	return os.IsNotExist(err)
}
