package load

import (
	"slices"

	"golang.org/x/tools/go/packages"
)

// A Listed is a package that the go command listed, with the files that were read of it.
type Listed struct {
	// Path is the import path, Dir the directory; "" if the package was not found.
	Path, Dir string
	// ModuleDir is the directory of its module, "" for the standard library and for vendored packages.
	ModuleDir string
	// Files are the Go files that were read.
	Files []string
	// Failed is set if the go command reported an error, Cgo if it ran cgo for the package.
	Failed, Cgo bool
}

// ListedOf describes packages and all their imports, each once for each list that has it. read returns the files that
// were read of a package.
func ListedOf(roots []*packages.Package, read func(*packages.Package) []string) (out []Listed) {
	packages.Visit(roots, nil, func(pkg *packages.Package) {
		listed := Listed{Path: pkg.PkgPath, Dir: pkg.Dir, Files: read(pkg)}
		if pkg.Module != nil {
			listed.ModuleDir = pkg.Module.Dir
		}
		isError := func(e packages.Error) bool { return e.Kind != packages.TypeError }
		listed.Failed = slices.ContainsFunc(pkg.Errors, isError)
		generated := func(file string) bool { return !slices.Contains(pkg.GoFiles, file) }
		listed.Cgo = slices.ContainsFunc(pkg.CompiledGoFiles, generated)
		out = append(out, listed)
	})
	return out
}

// Packages describes the packages of the listing, with the files that all calls of Load have read.
func (l *Listing) Packages() (out []Listed) {
	for _, result := range l.results {
		out = append(out, ListedOf(result, func(pkg *packages.Package) []string {
			return slices.DeleteFunc(slices.Clone(pkg.GoFiles), func(name string) bool { return !l.read[name] })
		})...)
	}
	return out
}

// hasRead records the files that a program has read.
func (l *Listing) hasRead(p *Program) {
	if l.read == nil {
		l.read = map[string]bool{}
	}
	for _, pkg := range p.all {
		for _, f := range pkg.files {
			if f != nil {
				l.read[f.name] = true
			}
		}
	}
}
