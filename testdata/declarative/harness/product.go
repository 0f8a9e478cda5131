package harness

import (
	"context"
	"fmt"
	"os"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit/crd"
	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/generator/lower"
	"github.com/crdproof/crdproof/internal/cli/extensions"
)

// crdsOf runs crdproof on the packages of the kinds and returns its CRDs by kind, and what it says against kinds
// of which there is none. Whether the API server takes a CRD is left to the API server.
func crdsOf(ctx context.Context, cfg Config) (crds map[string][]byte, complaints []string, err error) {
	opts := lower.Options{Declarative: true} // for the tags that are alpha or beta
	if cfg.Formats != "" {
		data, err := os.ReadFile(cfg.Formats)
		if err != nil {
			return nil, nil, err
		}
		declared, mistakes := extensions.Read([]*diag.Source{{Path: cfg.Formats, Data: data}})
		for _, d := range mistakes {
			return nil, nil, fmt.Errorf("%s: %s", cfg.Formats, d.Message)
		}
		opts.Formats = declared
	}
	paths := cfg.Paths
	if paths == nil {
		paths = []string{"./..."}
	}
	made, err := generator.CRDs(ctx, generator.Config{
		Dir: cfg.Dir, Paths: paths, CRD: generator.Options{Options: opts},
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
