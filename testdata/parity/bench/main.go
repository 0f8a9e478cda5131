// Bench measures controller-gen and crdproof side by side: on the real API modules of parity, and on generated trees
// with a growing number of kinds. It compares no results. Times depend on the machine.
//
//	go run ./bench [-run regexp] [-rounds n] [-kinds list] [-options list] [-keep dir] [-crdproof binary] [-doc file]
//
// Without -options, crdproof runs with compat=controller-gen. It then writes the same bytes, runs all of its checks,
// validates the CRDs, and accepts the modules that have mistakes.
//
// The output is Markdown. With -doc it also replaces what is between the lines <!-- bench --> and <!-- end --> of a
// file. With -profile it measures nothing: it writes a profile of the processor's time of one run of crdproof.
//
// Run it in testdata/parity.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
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
	out      io.Writer
	// profile is the file for a profile, "" for none.
	profile string
}

func main() {
	run := flag.String("run", "", "measure only the cases whose name matches this `regexp`; ^$ leaves the kinds alone")
	rounds := flag.Int("rounds", 5, "measured runs of each tool, after one that is not measured")
	kinds := flag.String("kinds", "250,500,1000,2000", "sizes of the generated trees, a `list`; empty for none")
	options := flag.String("options", "compat=controller-gen", "a `list` of options of crd: for crdproof alone")
	keep := flag.String("keep", "", "keep the binaries, trees and output in this `directory`")
	crdproof := flag.String("crdproof", os.Getenv("CRDPROOF"), "measure this `binary` instead of building crdproof")
	doc := flag.String("doc", "", "write the tables into this `file`, too")
	profile := flag.String("profile", "", "write a profile of the first case to this `file`")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var tables bytes.Buffer
	cfg := config{
		rounds: max(*rounds, 1), options: splitList(*options), crdproof: *crdproof,
		out: io.MultiWriter(os.Stdout, &tables), profile: *profile,
	}
	err := start(ctx, cfg, *run, *kinds, *keep)
	if err == nil && *doc != "" {
		err = writeDoc(*doc, tables.String())
	}
	if err != nil {
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
	if cfg.profile != "" {
		return profileCase(ctx, cfg, tools)
	}
	if err := benchCases(ctx, cfg, tools); err != nil {
		return err
	}
	return benchKinds(ctx, cfg, tools)
}

// jobOf is the run of a case.
func (cfg *config) jobOf(c harness.Case) harness.Job {
	return harness.Job{
		Dir: c.WorkDir("."), Options: c.Options, Paths: c.Paths, Out: filepath.Join(cfg.work, c.Name),
	}
}

// profileCase runs crdproof without a cache on the first case that is to be measured.
func profileCase(ctx context.Context, cfg config, tools harness.Tools) error {
	for _, c := range harness.Cases() {
		if !cfg.run.MatchString(c.Name) {
			continue
		}
		path, err := filepath.Abs(cfg.profile)
		if err != nil {
			return err
		}
		job := cold.job(tools, cfg, cfg.jobOf(c), 0)
		job.Env = append(job.Env, "CRDPROOF_CPUPROFILE="+path)
		if report, err := harness.Run(ctx, job); err != nil {
			return fmt.Errorf("%w\n%s", err, report.Output)
		}
		fmt.Printf("%s: a profile of %s; go tool pprof -http=: %[1]s shows it\n", path, c.Name)
		return nil
	}
	return errors.New("-run matches no case")
}

// The lines of a document around the tables.
const docBegin, docEnd = "<!-- bench -->\n", "<!-- end -->\n"

// writeDoc replaces the tables of a document.
func writeDoc(path, tables string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, begins := strings.Cut(string(data), docBegin)
	_, after, ends := strings.Cut(rest, docEnd)
	if !begins || !ends {
		return fmt.Errorf("%s: expected the lines %q and %q", path, docBegin, docEnd)
	}
	return os.WriteFile(path, []byte(before+docBegin+"\n"+tables+"\n"+docEnd+after), 0o666)
}

// benchCases measures the real modules.
func benchCases(ctx context.Context, cfg config, tools harness.Tools) error {
	var rows []row
	for _, c := range harness.Cases() {
		if c.Repeats() || !cfg.run.MatchString(c.Name) {
			continue
		}
		if rows == nil {
			printHead(cfg.out, "Module")
		}
		r, err := measure(ctx, tools, cfg, cfg.jobOf(c))
		if err != nil {
			return err
		}
		printRow(cfg.out, c.Name, r)
		rows = append(rows, r)
	}
	if len(rows) > 0 {
		printSummary(cfg.out, rows)
	}
	return nil
}

// benchKinds measures the generated trees, from small to large.
func benchKinds(ctx context.Context, cfg config, tools harness.Tools) error {
	if len(cfg.kinds) == 0 {
		return nil
	}
	fmt.Fprintln(cfg.out)
	printHead(cfg.out, "Generated kinds")
	var rows []row
	for _, n := range cfg.kinds {
		tree := filepath.Join(cfg.work, "tree"+strconv.Itoa(n))
		write := exec.CommandContext(ctx, "go", "run", "./kinds", strconv.Itoa(n), tree)
		if out, err := write.CombinedOutput(); err != nil {
			return fmt.Errorf("kinds: %w\n%s", err, out)
		}
		r, err := measure(ctx, tools, cfg, harness.Job{
			Dir:   tree,
			Paths: "./...",
			Out:   filepath.Join(cfg.work, "kinds"+strconv.Itoa(n)),
		})
		if err != nil {
			return err
		}
		printRow(cfg.out, strconv.Itoa(n), r)
		rows = append(rows, r)
	}
	fmt.Fprintln(cfg.out)
	for i := 1; i < len(rows); i++ {
		printGrowth(cfg.out, cfg.kinds[i-1], cfg.kinds[i], rows[i-1], rows[i])
	}
	return nil
}
