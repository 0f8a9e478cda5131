// Package harness compares what Kubernetes' own Go validators report for random objects with what the API server
// reports for them under the CRDs that crdproof derives from the same Go types.
package harness

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/testdata/declarative/server"
	"github.com/crdproof/crdproof/testdata/declarative/subject"
)

// Config says how much to try.
type Config struct {
	// Dir is the directory of the kinds' packages, which Paths name; none means all below it.
	Dir   string
	Paths []string
	// Program has the validators of the next version; "" means those that are linked.
	Program string
	// Formats is a file with formats of a project's own, "" for none.
	Formats string
	Seed    uint64
	// Values is how many objects to make of each kind, each of which is changed, too.
	Values int
	// Only is the name of the one kind to look at; "" for all.
	Only string
	// Break changes the schema of each kind's spec, so that a test can see that this is found out; nil leaves it.
	Break func(spec map[string]any) `json:"-"`
}

// Run compares all kinds. The error is I/O; the findings are in the report.
func Run(ctx context.Context, cfg Config, kinds []subject.Kind) (report *Report, err error) {
	crds, complaints, err := crdsOf(ctx, cfg)
	if err != nil {
		return nil, err
	}
	if cfg.Program != "" {
		o, err := startOracle(ctx, cfg.Program)
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, o.stop()) }()
		kinds = o.kinds(kinds)
	}
	if cfg.Only != "" {
		kinds = slices.DeleteFunc(slices.Clone(kinds), func(k subject.Kind) bool { return k.Name != cfg.Only })
	}
	results, errs := make([]result, len(kinds)), make([]error, len(kinds))
	var wait sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		wait.Go(func() {
			for i := w; i < len(kinds); i += workers {
				results[i], errs[i] = compareKind(cfg, kinds[i], crds[kinds[i].Name])
			}
		})
	}
	wait.Wait()
	report = &Report{Seed: cfg.Seed, Kinds: len(kinds), Unmade: complaints, Excused: map[string]int{}}
	for i, err := range errs {
		if err != nil {
			report.Unmade = append(report.Unmade, fmt.Sprintf("%s: %v", kinds[i].Name, err))
			continue
		}
		report.add(results[i])
	}
	return report, nil
}

func compareKind(cfg Config, kind subject.Kind, crd []byte) (result, error) {
	if crd == nil {
		return result{}, fmt.Errorf("crdproof writes no CRD of it")
	}
	if cfg.Break != nil {
		var err error
		if crd, err = broken(crd, cfg.Break); err != nil {
			return result{}, err
		}
	}
	resource, err := server.Establish(crd)
	if err != nil {
		return result{}, err
	}
	return compare(cfg.Seed, cfg.Values, kind, resource)
}

// broken changes the schema of the spec in a CRD of one version.
func broken(crd []byte, change func(spec map[string]any)) ([]byte, error) {
	var object map[string]any
	if err := yaml.Unmarshal(crd, &object); err != nil {
		return nil, err
	}
	version := object["spec"].(map[string]any)["versions"].([]any)[0].(map[string]any)
	root := version["schema"].(map[string]any)["openAPIV3Schema"].(map[string]any)
	change(root["properties"].(map[string]any)["spec"].(map[string]any))
	return yaml.Marshal(object)
}
