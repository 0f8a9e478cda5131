package main

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/generator/arguments"
	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/input"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/generator/stage"
	"github.com/crdproof/crdproof/generator/stale"
	"github.com/crdproof/crdproof/generator/tools"
)

// A product is what the generators of a run made.
type product struct {
	// files are in the order of the generators on the command line.
	files []emit.File
	// dirs are the directories of the packages that crdproof's own generators have read.
	dirs []string
}

// generate runs the plan's generators. The product means nothing where a diagnostic is an error, and neither do the
// diagnostics where the context has ended.
func generate(
	ctx context.Context, p arguments.Plan, buildTags []string, progress stage.Progress,
) (out product, found []diag.Diagnostic) {
	made := map[string][]emit.File{}
	var crds, helpers []emit.File
	var own, filed, said []diag.Diagnostic
	var wg sync.WaitGroup
	c, h := p.Find(arguments.CRD), p.Find(arguments.Helpers)
	ofFiles := h != nil && len(h.Helpers.CRDs) > 0
	if ofFiles {
		wg.Go(func() {
			defer reportBug(&filed)
			helpers, filed = helpersOfFiles(ctx, *h, progress)
		})
	}
	if c != nil || h != nil && !ofFiles {
		wg.Go(func() {
			defer reportBug(&own)
			result, problems := generateOwn(ctx, p, buildTags, progress)
			out.dirs, own = result.Dirs, problems
			if c != nil {
				crds = placed("", result.Files, c.Output)
			}
			if h != nil && !ofFiles {
				helpers = helperFiles(result.Helpers, h.Output)
			}
		})
	}
	var jobs []tools.Job
	for _, g := range p.Generators {
		if g.Tool != nil {
			jobs = append(jobs, tools.Job{Tool: tools.Tool{Name: g.Name, Generator: g.Tool}, Place: g.Output.Place})
		}
	}
	if len(jobs) > 0 {
		var files [][]emit.File
		files, said = tools.Run(ctx, jobs, p.Paths, buildTags, progress)
		for i, list := range files {
			made[jobs[i].Name] = list
		}
	}
	wg.Wait()
	made[arguments.CRD], made[arguments.Helpers] = crds, helpers
	for _, g := range p.Generators {
		out.files = append(out.files, made[g.Name]...)
	}
	found = slices.Concat(own, filed, without(said, own))
	if len(p.Paths) == 0 {
		found = hintAtPaths(found)
	}
	return out, diag.Sort(found)
}

// placed are files of the Go package in a directory, or of none if that is "", where a rule has them go.
func placed(packageDir string, files []emit.File, rule arguments.Rule) (out []emit.File) {
	for _, f := range files {
		if path, keep := rule.Place(packageDir, f.Path); keep {
			out = append(out, emit.File{Path: path, Data: f.Data})
		}
	}
	return out
}

// reportBug is deferred by goroutines, of whose panics run sees nothing.
func reportBug(found *[]diag.Diagnostic) {
	if bug := recover(); bug != nil {
		*found = []diag.Diagnostic{internalError(bug)}
	}
}

// hintAtPaths helps out who runs crdproof in the root of a repository, where often no package is.
func hintAtPaths(list []diag.Diagnostic) []diag.Diagnostic {
	for i := range list {
		if strings.HasPrefix(list[i].Message, "no Go files in ") {
			list[i].HelpText = "only the working directory was looked at; for all below it write paths=./..."
		}
	}
	return list
}

// generateOwn runs crdproof's own generators, which share all stages but the last.
func generateOwn(
	ctx context.Context, p arguments.Plan, buildTags []string, progress stage.Progress,
) (generator.Result, []diag.Diagnostic) {
	config := generator.Config{Paths: p.Paths, BuildTags: buildTags, Progress: progress}
	if h := p.Find(arguments.Helpers); h != nil && len(h.Helpers.CRDs) == 0 {
		config.CRD, config.Helpers = *h.CRD, helperOptions(h)
	}
	if c := p.Find(arguments.CRD); c != nil {
		config.CRD = *c.CRD
	}
	result, err := generator.Run(ctx, config)
	switch {
	case err != nil:
		return generator.Result{}, append(result.Diagnostics, load.Problem(err))
	case len(p.Paths) == 0 && len(result.Files) == 0 && len(result.Diagnostics) == 0:
		return result, []diag.Diagnostic{
			diag.Warningf(diag.Span{}, input.Option, "the working directory holds no kind, and no paths were given").
				Help("name the packages of the API, such as paths=./api/..."),
		}
	}
	return result, append(result.Diagnostics, result.Deviations...)
}

// leaves says where the files of a run go, which is where those of earlier runs may be left.
func leaves(p arguments.Plan, made product) stale.Run {
	run := stale.Run{Files: made.files, Dirs: made.dirs}
	if c := p.Find(arguments.CRD); c != nil && c.Output.Writes() {
		run.CRDs = cmp.Or(c.Output.Dir, ".")
	}
	h := p.Find(arguments.Helpers)
	if h == nil || !h.Output.Writes() {
		return run
	}
	dir := helperOptions(h).Dir
	if run.BesideTypes = dir == "" && len(h.Helpers.CRDs) == 0; !run.BesideTypes {
		run.Helpers = []string{cmp.Or(dir, ".")}
	}
	return run
}

// without drops from list what known says already: both load the same packages, and a file with a syntax error is to
// be reported once.
func without(list, known []diag.Diagnostic) []diag.Diagnostic {
	return slices.DeleteFunc(slices.Clone(list), func(d diag.Diagnostic) bool {
		return slices.ContainsFunc(known, func(k diag.Diagnostic) bool { return repeats(d, k) })
	})
}

func repeats(d, known diag.Diagnostic) bool {
	if !d.Span.IsValid() || !known.Span.IsValid() {
		return words(d) == words(known)
	}
	return known.Severity == diag.Error && known.Span.Source.Path == d.Span.Source.Path &&
		(known.Span.Start == d.Span.Start || known.Check == load.Syntax.ID && d.Check == load.Syntax.ID)
}

// words is what a diagnostic says, without the difference that line breaks make.
func words(d diag.Diagnostic) string {
	return strings.Join(strings.Fields(d.Message+" "+strings.Join(d.Notes, " ")), " ")
}
