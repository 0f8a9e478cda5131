// Package harness holds what Kubernetes' own Go validators say of random objects against what the API server says of them under
// the CRDs that crdproof makes of the same Go types.
package harness

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/crdproof/crdproof/testdata/declarative/server"
	"github.com/crdproof/crdproof/testdata/declarative/subject"
)

// Config says how much to try.
type Config struct {
	// Dir is the directory of the kinds' packages.
	Dir  string
	Seed uint64
	// Values is how many objects to make of each kind, each of which is changed, too.
	Values int
	// Only is the name of the one kind to look at; "" for all.
	Only string
}

// Run compares all kinds. The error is I/O, or a kind without a CRD that the server accepts.
func Run(ctx context.Context, cfg Config, kinds []subject.Kind) (*Report, error) {
	crds, err := crdsOf(ctx, cfg.Dir)
	if err != nil {
		return nil, err
	}
	report := newReport(cfg)
	for _, kind := range kinds {
		if _, ok := crds[kind.Name]; !ok && cfg.Only == "" {
			report.Unmade = append(report.Unmade, kind.Name)
		}
	}
	kinds = slices.DeleteFunc(slices.Clone(kinds), func(k subject.Kind) bool {
		return crds[k.Name] == nil || cfg.Only != "" && cfg.Only != k.Name
	})
	results, errs := make([]result, len(kinds)), make([]error, len(kinds))
	var wait sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		wait.Go(func() {
			for i := w; i < len(kinds); i += workers {
				resource, err := server.Establish(crds[kinds[i].Name])
				if err != nil {
					errs[i] = fmt.Errorf("%s: %w", kinds[i].Name, err)
					continue
				}
				results[i], errs[i] = compare(cfg.Seed, cfg.Values, kinds[i], resource)
			}
		})
	}
	wait.Wait()
	for i, err := range errs {
		if err != nil {
			report.Unmade = append(report.Unmade, err.Error())
			continue
		}
		report.add(kinds[i].Name, results[i])
	}
	return report, nil
}
