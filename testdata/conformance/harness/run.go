// Package harness compares crdproof's verdict on CRDs with that of the real API server.
package harness

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"github.com/crdproof/crdproof/testdata/conformance/mutate"
	"github.com/crdproof/crdproof/testdata/conformance/server"
)

// Config says what to try.
type Config struct {
	CRDs []mutate.CRD
	Seed uint64
	// Mutations is how many to try; First is the number of the first.
	Mutations, First int
	Judge            Judge
	// Words asks for the same reasons, verbatim, and not for the same verdict alone.
	Words bool
}

// An outcome is what both made of a mutation.
type outcome struct {
	mutation mutate.Mutation
	server   server.Verdict
	ours     []string
	agree    bool
}

// Run makes mutations and asks for both verdicts. The error is I/O; the findings are in the report.
func Run(ctx context.Context, s *server.Server, cfg Config) (*Report, error) {
	if len(cfg.CRDs) == 0 {
		return nil, fmt.Errorf("there is no CRD to change")
	}
	workers := runtime.GOMAXPROCS(0)
	reports := make([]*Report, workers)
	errs := make([]error, workers)
	var wait sync.WaitGroup
	for w := range workers {
		reports[w] = newReport(cfg)
		wait.Go(func() {
			for i := w; i < cfg.Mutations && errs[w] == nil; i += workers {
				var o outcome
				if o, errs[w] = try(ctx, s, cfg, cfg.First+i); errs[w] == nil {
					reports[w].add(o)
				}
			}
		})
	}
	wait.Wait()
	report := newReport(cfg)
	for w := range workers {
		if errs[w] != nil {
			return nil, errs[w]
		}
		report.merge(reports[w])
	}
	return report, nil
}

// try asks for both verdicts on one mutation.
func try(ctx context.Context, s *server.Server, cfg Config, number int) (o outcome, err error) {
	if o.mutation, err = mutate.New(cfg.Seed, number, cfg.CRDs); err != nil {
		return o, err
	}
	if o.server, err = s.Judge(ctx, o.mutation.YAML); err != nil {
		return o, fmt.Errorf("%s: %w", o.mutation, err)
	}
	if o.ours, err = cfg.Judge(ctx, o.mutation.YAML); err != nil {
		return o, fmt.Errorf("%s: %w", o.mutation, err)
	}
	o.agree = o.server.Accepted == (len(o.ours) == 0)
	if cfg.Words {
		o.agree = o.agree && sameReasons(o.server, o.ours)
	}
	return o, nil
}
