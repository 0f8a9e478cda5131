package generator_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"
)

// A caseList asks the go command once for the packages of all cases: a process for each case would take longer than the
// tests themselves.
type caseList struct {
	root string

	once     sync.Once
	packages []*packages.Package
	err      error
}

// load replaces packages.Load. All callers load different packages in the same way.
func (l *caseList) load(cfg *packages.Config, patterns ...string) ([]*packages.Package, error) {
	l.once.Do(func() {
		whole := *cfg
		whole.Dir = l.root
		l.packages, l.err = packages.Load(&whole, "./...")
	})
	if l.err != nil {
		return nil, l.err
	}
	if cfg.Dir != l.root {
		return nil, fmt.Errorf("%s is not the module of the cases", cfg.Dir)
	}
	var out []*packages.Package
	for _, pattern := range patterns {
		found := caseRoots(l.packages, caseModule+strings.TrimPrefix(pattern, "."),
			func(pkg *packages.Package) string { return pkg.PkgPath })
		if len(found) == 0 && !strings.HasSuffix(pattern, "...") {
			return nil, fmt.Errorf("no case has a package %s", pattern)
		}
		for _, pkg := range found {
			if !slices.Contains(out, pkg) {
				out = append(out, pkg)
			}
		}
	}
	return out, nil
}

// caseRoots returns the packages that a pattern names by their paths.
func caseRoots[P any](all []P, pattern string, path func(P) string) (out []P) {
	prefix, deep := strings.CutSuffix(pattern, "/...")
	for _, pkg := range all {
		if p := path(pkg); p == prefix || deep && strings.HasPrefix(p, prefix+"/") {
			out = append(out, pkg)
		}
	}
	return out
}
