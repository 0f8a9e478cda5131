package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/internal/cli/adopt"
	"github.com/crdproof/crdproof/internal/cli/baseline"
	"github.com/crdproof/crdproof/internal/cli/catalog"
	"github.com/crdproof/crdproof/internal/cli/config"
	"github.com/crdproof/crdproof/internal/cli/target"
	"github.com/crdproof/crdproof/internal/cli/tools"
	"github.com/crdproof/crdproof/internal/input"
)

// adoptSettings are the flags of adopt.
type adoptSettings struct {
	write, pr, compat bool
	tool              string
	from, buildTags   []string
}

func (set *adoptSettings) flags(flags *pflag.FlagSet) {
	flags.BoolVar(&set.write, "write", false, "make the change: edit the calls, and write the settings, the baseline, "+
		"the pinned\ntool, a CI job and the generated files")
	flags.BoolVar(&set.pr, "pr", false, "print the text of a pull request instead of the page")
	flags.BoolVar(&set.compat, "compat", true, "keep the CRDs of controller-gen; with false, crdproof writes its own")
	flags.StringVar(&set.tool, "tool", "", "the command that starts crdproof; by default the one in tools.mod, which "+
		"is written\nif it is missing")
	listFlag(flags, &set.from, "from", "", "files or directories of the CRDs that ship: print the overlay file "+
		"with which\nthey are generated; with --write, write it")
	buildTagsFlag(flags, &set.buildTags)
}

// run prints what changes if crdproof replaces controller-gen in a repository, and changes it if that is asked for.
func (set *adoptSettings) run(ctx context.Context, args []string, _ io.Reader, rep *reporter) int {
	if len(set.from) > 0 {
		return set.translate(ctx, args, rep)
	}
	if len(args) > 1 {
		return rep.usage(input.Errorf("expected one directory, got %d", len(args)))
	}
	if rep.format != formatText && !set.write {
		return rep.usage(input.Errorf("--format=%s has no page", rep.format).
			Help("remove --format; what is not edited and what is rejected is part of the page"))
	}
	name := "this directory"
	if len(args) == 1 {
		name = args[0]
		if info, err := os.Stat(name); err != nil || !info.IsDir() {
			return rep.usage(input.Errorf("%s is not a directory", name))
		}
		if err := os.Chdir(name); err != nil {
			return rep.failed(err)
		}
		if rep.settings.Source == nil && !rep.settings.IsNone {
			var problems []diag.Diagnostic
			if rep.settings, problems = config.Load(ctx, "", catalog.Checks()); len(problems) > 0 {
				return rep.usage(problems...)
			}
		}
	}
	root := workingDir()
	found, err := adopt.Find(ctx, root)
	switch {
	case ctx.Err() != nil:
		return rep.interrupted()
	case err != nil:
		return rep.failed(err)
	case found.Done != "" && !slices.ContainsFunc(found.Calls, func(c adopt.Call) bool { return c.Writes() }):
		fmt.Fprintln(rep.stdout, diag.Printable(found.Done+" calls crdproof already"))
		return exitClean
	case len(found.Calls) == 0:
		return rep.usage(input.Errorf("no call of controller-gen in %s", name).
			Note("searched: Makefiles, files *.mk, scripts, Taskfiles and lines //go:generate").
			Help("run it in the root of a repository that calls controller-gen"))
	}
	a := &adoption{set: set, rep: rep, root: root,
		report: adopt.Report{Found: found, Linked: tools.Version, Compat: set.compat}}
	if err := a.prepare(ctx); err != nil {
		return rep.failed(err)
	}
	if ctx.Err() != nil {
		return rep.interrupted()
	}
	return a.finish(ctx)
}

// finish prints the page or the text of a pull request, and writes the files.
func (a *adoption) finish(ctx context.Context) int {
	print := a.report.Write
	if a.set.pr && len(a.files) > 0 {
		print = a.report.PullRequest
	}
	if err := print(a.rep.stdout); err != nil {
		return a.rep.failed(err)
	}
	if !a.set.write {
		if len(a.files) > 0 {
			fmt.Fprintln(a.rep.stderr, "to make the change, run crdproof adopt --write")
		}
		return exitClean
	}
	if len(a.files) == 0 {
		return a.rep.nothingWritten([]diag.Diagnostic{input.Errorf("there is nothing that adopt can edit")})
	}
	return a.writeFiles(ctx)
}

// writeFiles writes the files, if there are some.
func (a *adoption) writeFiles(ctx context.Context) int {
	if len(a.files) == 0 {
		return exitClean
	}
	bounds, err := target.In(a.root)
	if err != nil {
		return a.rep.failed(err)
	}
	defer bounds.Close()
	done, err := writeAll(ctx, bounds, a.files, nil, a.rep.stdout, a.rep.progress())
	switch {
	case ctx.Err() != nil && err != nil:
		return a.rep.interrupted()
	case err != nil:
		return a.rep.write([]diag.Diagnostic{writeFailed(err)})
	}
	fmt.Fprintln(a.rep.stderr, done.String())
	return exitClean
}

// The names of the files that adopt writes, beside those of the repository.
const workflowDir = ".github/workflows"

// prepare measures the change, and makes its files.
func (a *adoption) prepare(ctx context.Context) error {
	a.parse()
	calls := a.calls()
	if len(calls) == 0 {
		return nil
	}
	if err := a.measure(ctx, calls); err != nil || a.report.Failed != "" || ctx.Err() != nil {
		return err
	}
	tool, pin, err := a.pinned(ctx)
	if err != nil {
		return err
	}
	a.files = adopt.Edited(a.root, calls, tool)
	if a.rep.settings.Source == nil {
		a.add(config.Name, a.settings)
	}
	if len(a.entries) > 0 {
		a.add(baseline.Name, baseline.Format(a.entries, nil))
	}
	a.files = append(a.files, pin...)
	if info, err := os.Stat(filepath.Join(a.root, workflowDir)); err == nil && info.IsDir() {
		a.add(workflowDir+"/crdproof.yml", adopt.Workflow(tool, a.checks, len(pin) > 0))
	}
	for _, f := range a.files {
		a.report.Written = append(a.report.Written, filepath.ToSlash(diag.Relative(f.Path, a.root)))
	}
	a.files = append(a.files, a.generated...)
	return nil
}

// add adds a file of the repository.
func (a *adoption) add(name string, data []byte) {
	a.files = append(a.files, emit.File{Path: filepath.Join(a.root, filepath.FromSlash(name)), Data: data})
}
