package harness

import (
	"context"
	"fmt"
	"os"

	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/emit/crd"
	"github.com/crdproof/crdproof/generator"
)

// crdsOf runs crdproof on packages below a directory and returns its CRDs by kind. What it says against the packages is an
// error: it refuses none of their tags.
func crdsOf(ctx context.Context, dir string) (map[string][]byte, error) {
	crds := map[string][]byte{}
	if os.Getenv("ORACLE_DEV") != "" {
		list, diags, err := generator.CRDs(ctx, generator.Config{Dir: dir, Paths: []string{"./..."}})
		if err != nil {
			return nil, err
		}
		for _, d := range diags {
			fmt.Println(d.Severity, d.Span.Source.Path, d.Rule, d.Message)
		}
		for _, c := range list {
			crds[c.Kind.V] = crd.Encode(c, crd.Options{})
		}
		return crds, nil
	}
	made, err := generator.Run(ctx, generator.Config{Dir: dir, Paths: []string{"./..."}})
	if err != nil {
		return nil, err
	}
	for _, f := range made.Files {
		var crd struct {
			Spec struct{ Names struct{ Kind string } }
		}
		if err := yaml.Unmarshal(f.Data, &crd); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Path, err)
		}
		crds[crd.Spec.Names.Kind] = f.Data
	}
	return crds, nil
}
