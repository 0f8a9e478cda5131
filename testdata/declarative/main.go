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
	linked := flag.Bool("linked", false, "compare with validation-gen of the linked version only")
	next := flag.Bool("next", false, "compare with validation-gen of the next version only")
	details := flag.Int("details", 20, "`how many` failures to explain")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	failed := false
	for _, isNext := range []bool{false, true} {
		if isNext && *linked || !isNext && *next {
			continue
		}
		report, err := compare(ctx, cfg, *first, *kinds, isNext)
		if err != nil {
			fmt.Fprintln(os.Stderr, "declarative:", err)
			os.Exit(2)
		}
		fmt.Println(map[bool]string{false: "the linked version:", true: "the next version:"}[isNext])
		report.Details(os.Stdout, *details)
		report.Summary(os.Stdout)
		failed = failed || len(report.Failures) > 0
	}
	if failed {
		os.Exit(1)
	}
}

func compare(ctx context.Context, cfg harness.Config, first, kinds int, isNext bool) (*harness.Report, error) {
	switch {
	case kinds > 0:
		return program.Random(ctx, ".", cfg, first, kinds, isNext)
	case isNext:
		return program.Fixed(ctx, ".", cfg)
	}
	return harness.Run(ctx, cfg, types.Kinds())
}
