package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"time"

	"github.com/crdproof/crdproof/testdata/conformance/harness"
	"github.com/crdproof/crdproof/testdata/conformance/server"
	parity "github.com/crdproof/crdproof/testdata/parity/harness"
)

// options are those of the command line.
type options struct {
	harness.Config
	run       string
	crdproof  string
	details   int
	operators bool
}

func main() {
	opts := options{Config: harness.Config{Judge: harness.Crdproof}}
	flag.Uint64Var(&opts.Seed, "seed", 1, "mutate from this `number`")
	flag.IntVar(&opts.Mutations, "mutations", 3000, "`how many` mutations to try")
	flag.IntVar(&opts.First, "first", 0, "the `number` of the first mutation")
	flag.StringVar(&opts.run, "run", "", "take only the modules whose name matches this `regexp`")
	flag.StringVar(&opts.crdproof, "crdproof", os.Getenv("CRDPROOF"),
		"generate with this `binary` instead of building crdproof")
	flag.IntVar(&opts.details, "details", 20, "`how many` disagreements to explain")
	words := flag.Bool("words", false, "ask for the server's reasons, verbatim")
	flag.BoolVar(&opts.operators, "operators", false, "count verdicts by the kind of change")
	flag.Parse()
	if *words {
		opts.Judge, opts.Words = harness.Library, true
	}

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ok, err := conformance(ctx, opts)
	if err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

// conformance judges the modules and the mutations, and reports whether all verdicts are the same.
func conformance(ctx context.Context, opts options) (bool, error) {
	files, err := generate(ctx, opts)
	if err != nil {
		return false, err
	}
	modules, err := judgeModules(ctx, files, opts)
	if err != nil {
		return false, err
	}
	modules.Details(os.Stdout)
	if opts.CRDs, err = harness.CRDs(files); err != nil {
		return false, err
	}
	s, err := server.Start()
	if err != nil {
		return false, err
	}
	defer s.Stop()
	start := time.Now()
	report, err := harness.Run(ctx, s, opts.Config)
	if err != nil {
		return false, err
	}
	if opts.operators {
		report.Operators(os.Stdout)
	}
	report.Details(os.Stdout, opts.details)
	report.Summary(os.Stdout)
	fmt.Printf("in %.0f s\n", time.Since(start).Seconds())
	return len(modules.Findings)+len(report.Disagreements) == 0, nil
}

// generate runs crdproof on the selected modules.
func generate(ctx context.Context, opts options) ([]harness.File, error) {
	const parityDir = "../parity"
	selected, err := regexp.Compile(opts.run)
	if err != nil {
		return nil, err
	}
	cases := slices.DeleteFunc(parity.Cases(), func(c parity.Case) bool { return !selected.MatchString(c.Name) })
	work, err := os.MkdirTemp("", "conformance")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	tools, err := parity.Build(ctx, parityDir, work, opts.crdproof)
	if err != nil {
		return nil, err
	}
	return harness.Generate(ctx, parityDir, tools.Crdproof, work, cases)
}

// judgeModules has a server of its own, since it creates the CRDs.
func judgeModules(ctx context.Context, files []harness.File, opts options) (*harness.ModuleReport, error) {
	start := time.Now()
	s, err := server.Start()
	if err != nil {
		return nil, err
	}
	defer s.Stop()
	started := time.Since(start)
	report, err := harness.Modules(ctx, s, files, opts.Judge)
	if err != nil {
		return nil, err
	}
	fmt.Printf("the server started in %.1f s; of %d CRDs it accepts %d as they are and %d once they are fixed, in "+
		"%.0f s; %d findings\n",
		started.Seconds(), len(files), report.Accepted, report.Fixed, time.Since(start).Seconds(),
		len(report.Findings))
	return report, nil
}
