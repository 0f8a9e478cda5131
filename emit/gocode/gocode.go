package gocode

import (
	"go/ast"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/emit/gocode/internal/object"
	"github.com/crdproof/crdproof/emit/gocode/typed"
)

// The files of a package of helpers, a line of each of them, and the package of the runtime.
const (
	FileName    = object.FileName
	SupportName = object.SupportName
	Signature   = object.Signature
	RuntimePath = object.RuntimePath
)

type (
	// A Kind is one version of a kind.
	Kind = object.Kind
	// A Package is the content of one directory.
	Package = object.Package
)

// Checks returns the table of findings about helpers.
func Checks() []*diag.Check { return []*diag.Check{object.NotInGo} }

// Files writes a package: the helpers and, if the package asks for it, a copy of what they use of the runtime. If a
// rule cannot be compiled to Go, it reports an error at the rule and returns no files.
func Files(p Package) ([]emit.File, []diag.Diagnostic) {
	w := object.NewWriter(p.Path, p.Kube)
	for i := range p.Kinds {
		k := &p.Kinds[i]
		w.BeginRules(k)
		w.Kind(k, typed.Helpers(w, k))
	}
	return w.Files(p)
}

// RegistryNames returns the names that the list of the kinds of a package declares, besides those of the helpers.
func RegistryNames() []string { return object.RegistryNames() }

// GoName converts the name of a property to a part of a Go name: x-y.z is XYZ.
func GoName(name string) string { return object.GoName(name) }

// ImportName returns the name under which a file imports a package: the explicit one, or the last part of the path
// without a version.
func ImportName(spec *ast.ImportSpec, path string) string { return object.ImportName(spec, path) }

// IsThirdParty reports whether a package is outside the standard library.
func IsThirdParty(path string) bool { return object.IsThirdParty(path) }
