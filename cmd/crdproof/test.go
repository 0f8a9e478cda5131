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

// testSettings are the flags of test.
type testSettings struct {
	crdSettings
	pattern, junit   string
	update, coverage bool
	verbose          bool
}

func (set *testSettings) flags(flags *pflag.FlagSet) {
	set.add(flags, "they are looked for, for each suite, as said above")
	flags.StringVar(&set.pattern, "run", "", "run only the cases in whose name this regular expression is found")
	flags.BoolVarP(&set.verbose, "verbose", "v", false, "list all cases")
	flags.BoolVar(&set.coverage, "coverage", false, "list the rules and validations that no case has made fail")
	flags.BoolVar(&set.update, "update", false, "write into the suites what the API server does")
	flags.StringVar(&set.junit, "junit", "", "write a report to this file, as JUnit's XML")
}

// run reads the suites, runs their cases, and reports. It returns the exit code.
func (set *testSettings) run(ctx context.Context, args []string, stdin io.Reader, rep *reporter) int {
	pattern, err := regexp.Compile(set.pattern)
	if err != nil {
		_, reason, _ := strings.Cut(err.Error(), "error parsing regexp: ")
		return rep.usage(input.Errorf("--run: %q is no regular expression: %s", set.pattern, reason).
			Help("put a backslash before a character that stands for itself, as in \\["))
	}
	if len(args) == 0 {
		args = []string{"./..."}
	}
	if problems := readTwice(args, set.crds); len(problems) > 0 {
		return rep.usage(problems...)
	}
	sources, found := suite.Files().Sources(args, stdin)
	for _, src := range sources {
		if set.update && !input.IsFile(src) {
			found = append(found, input.Errorf("--update writes into suites, and %s is no file", src.Path).
				Help("name the files of the suites"))
		}
	}
	found = append(found, arguments.CheckPaths("--paths", set.paths)...)
	if diag.HasErrors(found) {
		return rep.usage(found...)
	}
	suites, problems := suite.ParseAll(ctx, sources)
	report := suite.Run(ctx, suites, suite.Options{
		Where: set.where(stdin, rep.progress()), Selects: pattern.MatchString,
	})
	if len(report.Outcomes) == 0 && report.Skipped > 0 && !diag.HasErrors(problems) &&
		!diag.HasErrors(report.Problems) {
		return rep.usage(input.Errorf("--run=%s: no name of %s matches", set.pattern,
			diag.Counted(report.Skipped, "case")).
			Note("cases are called <suite>/onCreate/<case> and <suite>/onUpdate/<case>").Help("list them with -v"))
	}
	coverage := report.Cover()
	if ctx.Err() != nil {
		return rep.interrupted()
	}
	return set.finish(ctx, rep, report, coverage, append(found, problems...))
}

// finish writes files and reports, and returns the exit code. What was found is about the suites as files.
func (set *testSettings) finish(
	ctx context.Context, rep *reporter, report *suite.Report, coverage suite.Coverage, found []diag.Diagnostic,
) int {
	var files []emit.File
	if set.update {
		updated, problems := report.Update()
		files, found = updated, append(found, problems...)
	}
	if set.junit != "" {
		files = append(files, emit.File{Path: set.junit, Data: report.JUnit(slices.Concat(found, report.Problems))})
	}
	if err := writeAll(ctx, files, nil, rep.stdout, rep.progress()); err != nil {
		if errors.Is(err, context.Canceled) {
			return rep.interrupted()
		}
		return rep.write([]diag.Diagnostic{writeFailed(err)})
	}
	found = append(found, report.Findings()...)
	if set.coverage {
		rep.all = true
		found = append(found, coverage.Missing...)
	}
	code := rep.write(diag.Sort(found))
	if rep.summarizes() {
		report.WriteText(rep.stdout, coverage, set.verbose)
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
