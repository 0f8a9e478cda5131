// Package harness closes the circle: generated Go types, what encoding/json writes for them, the schema that crdproof
// derives from their source, and the API server's own library, which must accept, and return, what Go writes and
// reads.
package harness

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"sync"

	"github.com/crdproof/crdproof/testdata/circle/program"
	"github.com/crdproof/crdproof/testdata/circle/source"
)

// Config says how much to try.
type Config struct {
	// Root is the directory of the module circle.
	Root string
	Seed uint64
	// Types is how many kinds to generate; First is the number of the first.
	Types, First int
	// Values is how many objects to make of each kind; Mutations is how many changes to try on each of them.
	Values, Mutations int
	// NilElements permits nil elements in lists and maps of pointers.
	NilElements bool
}

// perPackage is how many kinds share a package: few packages compile faster than many.
const perPackage = 25

// runs are the options that packages are run with, in turn.
var runs = [...]source.Options{
	{AllowDangerousTypes: true},
	{AllowDangerousTypes: true, GenerateEmbeddedObjectMeta: true, Plain: true},
	{},
	{AllowDangerousTypes: true, Plain: true},
}

// Run generates kinds and closes the circle for each. The error is I/O; the findings are in the report.
func Run(ctx context.Context, cfg Config) (*Report, error) {
	return runBatches(ctx, cfg, batchesOf(cfg))
}

// batchesOf are the kinds that are generated, by package.
func batchesOf(cfg Config) (batches []batch) {
	for number := cfg.First; number < cfg.First+cfg.Types; number++ {
		n := number / perPackage // so that a kind is the same whatever the first is
		if number == cfg.First || number%perPackage == 0 {
			batches = append(batches, batch{options: runs[n%len(runs)]})
		}
		b := &batches[len(batches)-1]
		b.kinds = append(b.kinds, source.Generate(cfg.Seed, number, fmt.Sprintf("p%04d", n), b.options))
	}
	return batches
}

// batch is the kinds of one package, and the options that it is run with.
type batch struct {
	options source.Options
	kinds   []source.Kind
}

// runBatches builds the kinds' program while crdproof reads them, and then checks each kind.
func runBatches(ctx context.Context, cfg Config, batches []batch) (*Report, error) {
	var kinds []source.Kind
	for _, b := range batches {
		kinds = append(kinds, b.kinds...)
	}
	prog, clean, err := temporary(cfg.Root, kinds)
	defer clean()
	if err != nil {
		return nil, err
	}
	built := make(chan error, 1)
	go func() { built <- prog.Build(ctx) }()

	// crdproof gets files of its own, since those that it rejects are taken away.
	files, clean, err := temporary(cfg.Root, kinds)
	defer clean()
	if err != nil {
		return nil, err
	}
	outcomes, err := runProduct(ctx, files.Dir, batches)
	if buildErr := <-built; buildErr != nil {
		return nil, buildErr
	}
	if err != nil {
		return nil, err
	}
	return check(ctx, cfg, prog, kinds, outcomes)
}

func temporary(root string, kinds []source.Kind) (*program.Program, func(), error) {
	dir, err := os.MkdirTemp("", "circle")
	if err != nil {
		return nil, func() {}, err
	}
	prog, err := program.Write(dir, root, kinds)
	return prog, func() { os.RemoveAll(dir) }, err
}

// check closes the circle for each kind, with a process a core. The report does not depend on how they share the work.
func check(ctx context.Context, cfg Config, prog *program.Program, kinds []source.Kind,
	outcomes map[string]outcome) (*Report, error) {
	results := make([]result, len(kinds))
	workers := min(runtime.GOMAXPROCS(0), len(kinds))
	errs := make([]error, workers)
	var wait sync.WaitGroup
	for w := range workers {
		wait.Go(func() {
			process, err := prog.Start(ctx)
			if err != nil {
				errs[w] = err
				return
			}
			defer process.Close()
			for i := w; i < len(kinds); i += workers {
				if results[i], err = checkKind(cfg, process, kinds[i], outcomes[kinds[i].Name]); err != nil {
					errs[w] = fmt.Errorf("%s: %w", kinds[i].Name, err)
					return
				}
			}
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return newReport(cfg, results), nil
}
