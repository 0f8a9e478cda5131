package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"github.com/crdproof/crdproof/testdata/declarative/harness"
	"github.com/crdproof/crdproof/testdata/declarative/program"
	"github.com/crdproof/crdproof/testdata/declarative/types"
)

func main() {
	cfg := harness.Config{Dir: "types"}
	flag.Uint64Var(&cfg.Seed, "seed", 1, "make values from this `number`")
	flag.IntVar(&cfg.Values, "values", 1000, "`how many` values to make of each kind")
	flag.StringVar(&cfg.Only, "kind", "", "the `name` of the one kind to look at")
	kinds := flag.Int("kinds", 0, "`how many` kinds to make at random; 0 looks at those in types")
	first := flag.Int("first", 0, "the `number` of the first kind at random")
	details := flag.Int("details", 20, "`how many` failures to explain")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	report, err := compare(ctx, cfg, *first, *kinds)
	if err != nil {
		fmt.Fprintln(os.Stderr, "declarative:", err)
		os.Exit(2)
	}
	report.Details(os.Stdout, *details)
	report.Summary(os.Stdout)
	if len(report.Failures) > 0 {
		os.Exit(1)
	}
}

func compare(ctx context.Context, cfg harness.Config, first, kinds int) (*harness.Report, error) {
	if kinds > 0 {
		return program.Compare(ctx, ".", cfg, first, kinds)
	}
	return harness.Run(ctx, cfg, types.Kinds())
}
