package main

import (
	"context"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/generator/arguments"
	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/input"
	"github.com/crdproof/crdproof/rules/suite"
)

// commandTest is the first word of a command line that asks for the cases of suites to be run.
const commandTest = "test"

// testSettings are the flags of test.
type testSettings struct {
	crdSettings
	run, junit       string
	update, coverage bool
	verbose          bool
}

func newTestFlags(set *testSettings) *pflag.FlagSet {
	flags := pflag.NewFlagSet("crdproof test", pflag.ContinueOnError)
	set.add(flags, "they are looked for, for each suite, as said above")
	flags.StringVar(&set.run, "run", "", "run only the cases in whose name this regular expression is found")
	flags.BoolVarP(&set.verbose, "verbose", "v", false, "list all cases")
	flags.BoolVar(&set.coverage, "coverage", false, "list the rules and validations that no case has made fail")
	flags.BoolVar(&set.update, "update", false, "write into the suites what the API server does")
	flags.StringVar(&set.junit, "junit", "", "write a report to this file, as JUnit's XML")
	return flags
}

// runTest is the whole command: flags, suites, cases, report. It returns the exit code.
func runTest(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var set testSettings
	flags := newTestFlags(&set)
	rep, code := begin(flags, testUsage, args, stdout, stderr)
	if rep == nil {
		return code
	}
	pattern, err := regexp.Compile(set.run)
	if err != nil {
		_, reason, _ := strings.Cut(err.Error(), "error parsing regexp: ")
		rep.usage([]diag.Diagnostic{input.Errorf("--run: %q is no regular expression: %s", set.run, reason).
			Help("put a backslash before a character that stands for itself, as in \\[")})
		return exitUsage
	}
	words := flags.Args()
	if len(words) == 0 {
		words = []string{"./..."}
	}
	if problems := readTwice(words, set.crds); len(problems) > 0 {
		rep.usage(problems)
		return exitUsage
	}
	sources, problems := suite.Files().Sources(words, stdin)
	if set.update {
		problems = append(problems, notUpdatable(sources)...)
	}
	problems = append(problems, arguments.CheckPaths("--paths", set.paths)...)
	if diag.HasErrors(problems) {
		rep.usage(problems)
		return exitUsage
	}
	t := tests{reporter: rep, set: set, found: problems}
	return t.run(ctx, sources, suite.Options{
		Where:   suite.Where{CRDs: set.crds, Paths: set.paths, BuildTags: set.buildTags, Stdin: stdin},
		Selects: pattern.MatchString, Progress: rep.progress(),
	})
}

// notUpdatable are the sources that have no file which could be written.
func notUpdatable(sources []*diag.Source) (found []diag.Diagnostic) {
	for _, src := range sources {
		if !input.IsFile(src) {
			found = append(found, input.Errorf("--update writes into suites, and %s is no file", src.Path).
				Help("name the files of the suites"))
		}
	}
	return found
}

// tests are what came of a run, to be told.
type tests struct {
	*reporter
	set testSettings
	// found is what was found in the arguments, and in the suites.
	found    []diag.Diagnostic
	report   *suite.Report
	coverage suite.Coverage
	// broken is set where a suite cannot be read.
	broken bool
}

// run runs the cases, and tells what came of them.
func (t *tests) run(ctx context.Context, sources []*diag.Source, opts suite.Options) int {
	suites, found := suite.ParseAll(ctx, sources)
	t.found, t.broken = append(t.found, found...), diag.HasErrors(found)
	t.report = suite.Run(ctx, suites, opts)
	if len(t.report.Outcomes) == 0 && t.report.Skipped > 0 && !t.broken && !diag.HasErrors(t.report.Problems) {
		t.usage([]diag.Diagnostic{
			input.Errorf("--run=%s: no name of %s matches", t.set.run, diag.Counted(t.report.Skipped, "case")).
				Note("cases are called <suite>/onCreate/<case> and <suite>/onUpdate/<case>").Help("list them with -v"),
		})
		return exitUsage
	}
	t.coverage = t.report.Cover()
	if ctx.Err() != nil {
		return t.interrupted()
	}
	return t.finish(ctx, t.found)
}

// finish writes files and reports, and returns the exit code. What was found is about the suites as files.
func (t *tests) finish(ctx context.Context, found []diag.Diagnostic) int {
	var files []emit.File
	if t.set.update {
		updated, problems := t.report.Update()
		found = append(found, problems...)
		for _, f := range updated {
			files = append(files, f)
		}
	}
	if t.set.junit != "" {
		files = append(files, emit.File{Path: t.set.junit, Data: t.report.JUnit(slices.Concat(found, t.report.Problems))})
	}
	if err := writeAll(ctx, files, nil, t.stdout, t.progress()); err != nil {
		if errors.Is(err, context.Canceled) {
			return t.interrupted()
		}
		return t.write([]diag.Diagnostic{writeFailed(err)})
	}
	found = append(found, t.report.Findings()...)
	if t.set.coverage {
		t.all = true
		found = append(found, t.coverage.Missing...)
	}
	code := t.write(diag.Sort(found))
	if t.summarizes() {
		t.report.WriteText(t.stdout, t.coverage, t.set.verbose)
	}
	return code
}

const testUsage = `crdproof test runs suites of cases against CRDs, without a cluster: it does what an API server does when an object is created or
updated, and holds the result against what the suite expects.

Usage:
  crdproof test [flags] [<file, directory or tree>…]

A suite is a file <name>.testsuite.yaml, or <name>.yaml in a folder tests/<crd name>, in the form of OpenShift's API repository. A
directory stands for the suites in it, <directory>/... for those below it as well; none stands for ./... . A case is
called <suite>/onCreate/<case> or <suite>/onUpdate/<case>.

The CRDs are those of --crds and --paths. Without these they are looked for, for each suite: the file that its key crd names;
zz_generated.crd-manifests beside its folder tests; config/crd/bases or config/crd in the nearest directory above, up to
the root of the repository or module; and where there are none, they are made of the module's Go packages, in memory.

The exit code is 1 where a case fails. The last line is "<n> passed, <n> failed".

Examples:
  crdproof test
  crdproof test tests/... --crds=config/crd/bases
  crdproof test --run=onCreate/.*negative -v
  crdproof test --update api/v1/widget.testsuite.yaml
  crdproof test --format=github --junit=report.xml ./...
`
