package harness

import (
	"context"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit/crd"
	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/generator/lower"
)

// crdsOf runs crdproof on the packages below a directory and returns its CRDs by kind, and what it says against kinds
// of which there is none. Whether the API server takes a CRD is left to the API server.
func crdsOf(ctx context.Context, dir string) (crds map[string][]byte, complaints []string, err error) {
	made, err := generator.CRDs(ctx, generator.Config{
		Dir: dir, Paths: []string{"./..."},
		CRD: generator.Options{Options: lower.Options{Declarative: true}}, // for the tags that are alpha or beta
	})
	if err != nil {
		return nil, nil, err
	}
	for _, d := range made.Diagnostics {
		if d.Severity == diag.Error {
			complaints = append(complaints, d.Message+" ["+d.Check+"]")
		}
	}
	crds = map[string][]byte{}
	for _, s := range made.CRDs {
		crds[s.CRD.Kind.V] = crd.Encode(s.CRD, crd.Options{})
	}
	return crds, complaints, nil
}
