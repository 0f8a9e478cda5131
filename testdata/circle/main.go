package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"github.com/crdproof/crdproof/testdata/circle/harness"
)

func main() {
	cfg := harness.Config{Root: "."}
	flag.Uint64Var(&cfg.Seed, "seed", 1, "generate from this `number`")
	flag.IntVar(&cfg.Types, "types", 1000, "`how many` kinds to generate")
	flag.IntVar(&cfg.First, "first", 0, "the `number` of the first kind")
	flag.IntVar(&cfg.Values, "values", 20, "`how many` objects to make of each kind")
	flag.IntVar(&cfg.Mutations, "mutations", 10, "`how many` changes to try on each object")
	flag.BoolVar(&cfg.NilElements, "nil-elements", true, "put nil pointers into lists and maps, rarely")
	details := flag.Int("details", 20, "`how many` failures to explain")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	report, err := harness.Run(ctx, cfg)
	if err != nil {
		fmt.Fprintln(os.Stderr, "circle:", err)
		os.Exit(2)
	}
	report.Details(os.Stdout, *details)
	report.Summary(os.Stdout)
	if len(report.Failures) > 0 {
		os.Exit(1)
	}
}
