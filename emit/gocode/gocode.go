package gocode

import (
	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit"
)

// Checks is the table of findings about helpers.
func Checks() []*diag.Check { return []*diag.Check{notInGo} }

// Files writes a package: the helpers, and the support that they use. If a rule cannot be compiled to Go, it reports
// an error at the rule and returns no files.
func Files(p Package) ([]emit.File, []diag.Diagnostic) {
	w := newWriter(p.Path, p.Kube)
	for i := range p.Kinds {
		k := &p.Kinds[i]
		w.helpers(k)
		if k.Type != nil {
			Helpers(w, k)
		}
	}
	return w.files(p)
}
