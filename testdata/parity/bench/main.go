// Bench measures controller-gen and crdproof side by side: on the real API modules of parity, and on generated trees
// with a growing number of kinds. It compares no results. Times depend on the machine.
//
//	go run ./bench [-run regexp] [-rounds n] [-kinds list] [-options list] [-keep dir] [-crdproof binary]
//
// Without -options, crdproof runs with compat=controller-gen. It then writes the same bytes, runs all of its checks,
// validates the CRDs, and accepts the modules that have mistakes.
//
// Run it in testdata/parity.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/testdata/parity/harness"
)

// A config is what the flags say.
type config struct {
	run    *regexp.Regexp
	rounds int
	kinds  []int
	// options are added to those of a module, for crdproof only.
	options  []string
	work     string
	crdproof string
}

func main() {
	run := flag.String("run", "", "measure only the cases whose name matches this `regexp`; ^$ leaves the kinds alone")
	rounds := flag.Int("rounds", 5, "measured runs of each tool, after one that is not measured")
	kinds := flag.String("kinds", "250,500,1000", "sizes of the generated trees, a `list`; empty for none")
	options := flag.String("options", "compat=controller-gen", "a `list` of options of crd: for crdproof alone")
	keep := flag.String("keep", "", "keep the binaries, trees and output in this `directory`")
	crdproof := flag.String("crdproof", os.Getenv("CRDPROOF"), "measure this `binary` instead of building crdproof")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	cfg := config{rounds: max(*rounds, 1), options: splitList(*options), crdproof: *crdproof}
	if err := start(ctx, cfg, *run, *kinds, *keep); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// start completes the config by what may fail, finds a place to work in, and measures.
func start(ctx context.Context, cfg config, run, kinds, keep string) error {
	var err error
	if cfg.run, err = regexp.Compile(run); err != nil {
		return err
	}
	if cfg.kinds, err = parseSizes(kinds); err != nil {
		return err
	}
	if keep != "" {
		cfg.work, err = filepath.Abs(keep)
	} else {
		cfg.work, err = os.MkdirTemp("", "bench")
		defer os.RemoveAll(cfg.work)
	}
	if err != nil {
		return err
	}
	return bench(ctx, cfg)
}

func splitList(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' })
}

func parseSizes(list string) ([]int, error) {
	var sizes []int
	for _, field := range splitList(list) {
		n, err := strconv.Atoi(field)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("-kinds: %q is not a positive number", field)
		}
		sizes = append(sizes, n)
	}
	return sizes, nil
}

// bench measures everything and prints each row as soon as it is known.
func bench(ctx context.Context, cfg config) error {
	tools, err := harness.Build(ctx, ".", cfg.work, cfg.crdproof)
	if err != nil {
		return err
	}
	if err := benchCases(ctx, cfg, tools); err != nil {
		return err
	}
	return benchKinds(ctx, cfg, tools)
}

// benchCases measures the real modules.
func benchCases(ctx context.Context, cfg config, tools harness.Tools) error {
	var pairs []pair
	for _, c := range harness.Cases() {
		if c.Repeats() || !cfg.run.MatchString(c.Name) {
			continue
		}
		if pairs == nil {
			printCasesHead(os.Stdout, cfg.rounds)
		}
		p, err := measure(ctx, tools, cfg, harness.Job{
			Dir:     c.WorkDir("."),
			Options: c.Options,
			Paths:   c.Paths,
			Out:     filepath.Join(cfg.work, c.Name),
		})
		if err != nil {
			return err
		}
		printCase(os.Stdout, c.Name, p)
		pairs = append(pairs, p)
	}
	if len(pairs) > 0 {
		printMeans(os.Stdout, pairs)
	}
	return nil
}

// benchKinds measures the generated trees, from small to large.
func benchKinds(ctx context.Context, cfg config, tools harness.Tools) error {
	if len(cfg.kinds) == 0 {
		return nil
	}
	printKindsHead(os.Stdout, cfg.rounds)
	var before pair
	for i, n := range cfg.kinds {
		tree := filepath.Join(cfg.work, "tree"+strconv.Itoa(n))
		write := exec.CommandContext(ctx, "go", "run", "./kinds", strconv.Itoa(n), tree)
		if out, err := write.CombinedOutput(); err != nil {
			return fmt.Errorf("kinds: %w\n%s", err, out)
		}
		p, err := measure(ctx, tools, cfg, harness.Job{
			Dir:   tree,
			Paths: "./...",
			Out:   filepath.Join(cfg.work, "kinds"+strconv.Itoa(n)),
		})
		if err != nil {
			return err
		}
		printKinds(os.Stdout, n, p)
		if i > 0 {
			printGrowth(os.Stdout, cfg.kinds[i-1], n, before, p)
		}
		before = p
	}
	return nil
}
