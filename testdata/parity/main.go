package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/crdproof/crdproof/testdata/parity/harness"
)

func main() {
	run := flag.String("run", "", "run only the cases whose name matches this `regexp`")
	keep := flag.String("keep", "", "keep the binaries and what they write in this `directory`")
	crdproof := flag.String("crdproof", os.Getenv("CRDPROOF"), "test this `binary` instead of building crdproof")
	effects := flag.Bool("effects", false, "count the CRDs and lines that each deviation changes, optional ones included, "+
		"with a run for each")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ok, err := parity(ctx, *run, *keep, *crdproof, *effects)
	if err != nil {
		fmt.Fprintln(os.Stderr, "parity:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

// parity compares all selected cases and prints a row for each; it reports whether no fault was found.
func parity(ctx context.Context, run, keep, crdproof string, effects bool) (bool, error) {
	selected, err := regexp.Compile(run)
	if err != nil {
		return false, err
	}
	work, cleanup, err := workDir(keep)
	if err != nil {
		return false, err
	}
	defer cleanup()
	tools, err := harness.Build(ctx, ".", work, crdproof)
	if err != nil {
		return false, err
	}

	cases := slices.DeleteFunc(harness.Cases(), func(c harness.Case) bool { return !selected.MatchString(c.Name) })
	if len(cases) == 0 {
		return false, fmt.Errorf("no case matches %q", run)
	}
	var results []result
	printHead(os.Stdout)
	for _, c := range cases {
		r, err := compareCase(ctx, tools, c.WorkDir("."), work, c, effects)
		if err != nil {
			return false, err
		}
		printRow(os.Stdout, r)
		results = append(results, r)
	}
	printSum(os.Stdout, results)
	printDeviations(os.Stdout, results)
	printFaults(os.Stdout, results)
	isSmall := run != "" || share(sumOf(results)) <= mostDeviating
	if !isSmall {
		fmt.Printf("\nmore than %v %% of the lines deviate\n", mostDeviating)
	}
	if err := checkAnnotation(ctx, tools, ".", work, cases[0]); err != nil {
		fmt.Printf("\n--- annotation\n%v\n", err)
		return false, nil
	}
	return isSmall && !anyFault(results), nil
}

// mostDeviating is the percentage of the lines of all cases that may differ from controller-gen's by default.
const mostDeviating = 0.1

// workDir is where binaries and output go: a temporary directory unless the user wants to look at them.
func workDir(keep string) (dir string, cleanup func(), err error) {
	if keep != "" {
		dir, err := filepath.Abs(keep)
		return dir, func() {}, err
	}
	dir, err = os.MkdirTemp("", "parity")
	return dir, func() { os.RemoveAll(dir) }, err
}
