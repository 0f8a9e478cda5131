package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/internal/cli/arguments"
	"github.com/crdproof/crdproof/internal/cli/target"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/objects/suite"
	"github.com/crdproof/crdproof/rules/kube"
)

// testSettings are the flags of test.
type testSettings struct {
	crdSettings
	policySettings
	serverSettings
	pattern, junit   string
	update, coverage bool
	verbose          bool
}

func (set *testSettings) flags(flags *pflag.FlagSet) {
	set.crdSettings.flags(flags, "the CRDs of each suite are searched as described above")
	set.policySettings.flags(flags)
	set.serverSettings.flags(flags, kube.DefaultRange(),
		"the Kubernetes version whose API server answers; of a range,\nthe last one")
	flags.StringVar(&set.pattern, "run", "", "run only the cases whose names match this regular expression")
	flags.BoolVarP(&set.verbose, "verbose", "v", false, "list all cases")
	flags.BoolVar(&set.coverage, "coverage", false, "list the rules and validations that no case violates")
	flags.BoolVar(&set.update, "update", false, "write the actual results into the suites")
	flags.StringVar(&set.junit, "junit", "", "write a report in the XML format of JUnit to this file")
}

// run reads the suites, runs their cases, and prints the results. It returns the exit code.
func (set *testSettings) run(ctx context.Context, args []string, stdin io.Reader, rep *reporter) int {
	collectLess()
	pattern, err := regexp.Compile(set.pattern)
	if err != nil {
		_, reason, _ := strings.Cut(err.Error(), "error parsing regexp: ")
		return rep.usage(input.Errorf("--run: invalid regular expression %q: %s", set.pattern, reason).
			Help("escape special characters with a backslash, for example \\["))
	}
	if problems := append(set.apply(rep), set.parse()...); len(problems) > 0 {
		return rep.usage(problems...)
	}
	if len(args) == 0 {
		args = []string{"./..."}
	}
	if problems := readTwice(args, set.crds); len(problems) > 0 {
		return rep.usage(problems...)
	}
	sources, found := suite.Files().Sources(ctx, args, stdin)
	for _, src := range sources {
		if set.update && !input.IsFile(src) {
			found = append(found, input.Errorf("--update cannot write to %s: it is not a file", src.Path).
				Help("name the files of the suites"))
		}
	}
	found = append(found, arguments.CheckPaths("--paths", set.paths)...)
	where, problem := set.where(stdin, rep)
	if problem != nil {
		found = append(found, *problem)
	}
	if diag.HasErrors(found) {
		return rep.usage(found...)
	}
	suites, problems := suite.ParseAll(ctx, sources)
	report := suite.Run(ctx, suites, suite.Options{
		Where: where, Kube: set.versions.Last, Selects: pattern.MatchString,
	})
	if len(report.Outcomes) == 0 && report.Skipped > 0 && !diag.HasErrors(problems) &&
		!diag.HasErrors(report.Problems) {
		return rep.usage(input.Errorf("--run=%s matches none of %s", set.pattern, diag.Counted(report.Skipped, "case")).
			Note("cases are named <suite>/onCreate/<case> and <suite>/onUpdate/<case>").
			Help("run crdproof test -v to list all cases"))
	}
	if len(report.Outcomes) == 0 && !set.coverage && !diag.HasErrors(problems) && !diag.HasErrors(report.Problems) {
		return rep.usage(append(problems, input.Errorf("no case in %s", diag.Counted(len(suites), "suite")).
			Help("add cases, or run crdproof test --coverage to list what they can test"))...)
	}
	coverage := report.Cover()
	if ctx.Err() != nil {
		return rep.interrupted()
	}
	return set.finish(ctx, rep, args, report, coverage, append(found, problems...))
}

// named returns the directories that the command line names: of suites and of the report.
func (set *testSettings) named(args []string) []string {
	out := []string{filepath.Dir(set.junit)}
	for _, arg := range args {
		dir := strings.TrimSuffix(filepath.ToSlash(arg), "/...")
		if i := strings.IndexAny(dir, "*?["); i >= 0 {
			dir = dir[:i+1]
		}
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			dir = path.Dir(dir)
		}
		out = append(out, dir)
	}
	return out
}

// finish writes files and the report, and returns the exit code. found has the findings about the files of suites,
// which args name.
func (set *testSettings) finish(
	ctx context.Context, rep *reporter, args []string, report *suite.Report, coverage suite.Coverage,
	found []diag.Diagnostic,
) int {
	var files []emit.File
	if set.update {
		updated, problems := report.Update()
		files, found = updated, append(found, problems...)
	}
	bounds, err := target.In(set.named(args)...)
	if err != nil {
		return rep.failed(err)
	}
	defer bounds.Close()
	if set.junit != "" {
		files = append(files, emit.File{Path: set.junit, Data: report.JUnit(slices.Concat(found, report.Problems))})
	}
	if _, err := writeAll(ctx, bounds, files, nil, rep.stdout, rep.progress()); err != nil {
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
	rep.cases = report.Results(workingDir())
	code := rep.write(diag.Sort(found))
	if rep.summarizes() {
		report.WriteText(rep.stdout, coverage, set.verbose)
	}
	return code
}
