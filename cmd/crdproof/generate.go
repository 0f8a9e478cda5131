package main

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/internal/cli/arguments"
	"github.com/crdproof/crdproof/internal/cli/shipped"
	"github.com/crdproof/crdproof/internal/cli/stale"
	"github.com/crdproof/crdproof/internal/cli/tools"
	"github.com/crdproof/crdproof/internal/stage"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/verdicts"
)

// A product is the result of the generators of a run.
type product struct {
	// files are in the order of the generators on the command line.
	files []emit.File
	// dirs are the directories of the packages that crdproof's own generators read.
	dirs []string
	// read are the packages that the go command listed for any of the generators.
	read []load.Listed
	// validated is the range of Kubernetes versions that the CRDs were validated for; nil if there are no CRDs.
	validated *kube.Range
	// known counts the findings that are not reported, because they are not new.
	known int
}

// generate runs the generators of the plan. If a diagnostic is an error, the product is undefined. If the context has
// ended, so are the diagnostics.
func generate(
	ctx context.Context, p arguments.Plan, buildTags []string, known *verdicts.Store, progress stage.Progress,
) (out product, found []diag.Diagnostic) {
	made := map[string][]emit.File{}
	var crds, helpers []emit.File
	var own, filed, toolFindings []diag.Diagnostic
	var wg sync.WaitGroup
	c, h := p.Find(arguments.CRD), p.Find(arguments.Helpers)
	var knownInFiles int
	var fromTypes bool // CRDs were made of Go types
	var listed []load.Listed
	ofFiles := h != nil && len(h.Helpers.CRDs) > 0
	if ofFiles {
		wg.Go(func() {
			defer reportBug(&filed)
			helpers, knownInFiles, filed = helpersOfFiles(ctx, *h, known, progress)
		})
	}
	if readsTypes(p) {
		wg.Go(func() {
			defer reportBug(&own)
			result, problems := generateOwn(ctx, p, buildTags, known, progress)
			out.dirs, out.known, listed, own = result.Dirs, result.Known, result.Packages, problems
			fromTypes = len(result.Files) > 0
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
		files, out.read, toolFindings = tools.Run(ctx, jobs, p.Paths, buildTags, progress)
		for i, list := range files {
			made[jobs[i].Name] = list
		}
	}
	wg.Wait()
	out.known += knownInFiles
	out.read = append(out.read, listed...)
	if fromTypes || len(helpers) > 0 {
		out.validated = validatedFor(p)
	}
	made[arguments.CRD], made[arguments.Helpers] = crds, helpers
	for _, g := range p.Generators {
		out.files = append(out.files, made[g.Name]...)
	}
	found = slices.Concat(own, filed, without(toolFindings, own))
	if len(p.Paths) == 0 {
		found = hintAtPaths(found)
	}
	return out, diag.Sort(found)
}

// validatedFor returns the versions that the CRDs of the plan are validated for, or nil if files are written although
// an API server may reject the CRDs.
func validatedFor(p arguments.Plan) *kube.Range {
	g := p.Find(arguments.CRD)
	if g == nil {
		g = p.Find(arguments.Helpers)
	}
	if g.CRD.Unproved {
		return nil
	}
	versions := cmp.Or(g.CRD.Validation.Kube, kube.DefaultRange())
	return &versions
}

// placed returns files of the Go package in a directory, "" for none, at the paths that an output rule gives them.
func placed(packageDir string, files []emit.File, rule arguments.Rule) (out []emit.File) {
	for _, f := range files {
		if path, keep := rule.Place(packageDir, f.Path); keep {
			out = append(out, emit.File{Path: path, Data: f.Data})
		}
	}
	return out
}

// reportBug reports a panic; goroutines defer it, whose panics run cannot recover.
func reportBug(found *[]diag.Diagnostic) {
	if bug := recover(); bug != nil {
		*found = []diag.Diagnostic{internalError(bug)}
	}
}

// hintAtPaths adds a help for runs in the root of a repository, which often has no Go package.
func hintAtPaths(list []diag.Diagnostic) []diag.Diagnostic {
	for i := range list {
		if strings.HasPrefix(list[i].Message, "no Go files in ") {
			list[i].HelpText = "only the working directory was read; for all packages below it, write paths=./..."
		}
	}
	return list
}

// ownConfig describes the run of crdproof's own generators. They share all stages but the last one.
func ownConfig(
	p arguments.Plan, buildTags []string, known *verdicts.Store, progress stage.Progress,
) generator.Config {
	config := generator.Config{Paths: p.Paths, BuildTags: buildTags, Verdicts: known, Progress: progress}
	if h := p.Find(arguments.Helpers); h != nil && len(h.Helpers.CRDs) == 0 {
		config.CRD, config.Helpers = *h.CRD, helperOptions(h)
	}
	if c := p.Find(arguments.CRD); c != nil {
		config.CRD = *c.CRD
	} else {
		config.HelpersOnly = true
	}
	return config
}

// readsTypes reports whether crdproof's own generators read Go types.
func readsTypes(p arguments.Plan) bool {
	h := p.Find(arguments.Helpers)
	return p.Find(arguments.CRD) != nil || h != nil && len(h.Helpers.CRDs) == 0
}

// generateOwn runs crdproof's own generators.
func generateOwn(
	ctx context.Context, p arguments.Plan, buildTags []string, known *verdicts.Store, progress stage.Progress,
) (generator.Result, []diag.Diagnostic) {
	config := ownConfig(p, buildTags, known, progress)
	config.CRD.Shipped = shipped.New(ctx)
	result, err := generator.Run(ctx, config)
	switch {
	case err != nil:
		return generator.Result{}, append(result.Diagnostics, load.Problem(err))
	}
	return result, append(result.Diagnostics, result.Deviations...)
}

// leaves returns where the files of a run go: there, earlier runs may have left stale files.
func leaves(p arguments.Plan, buildTags []string, made product) stale.Run {
	run := stale.Run{Files: made.files, Dirs: made.dirs, BuildTags: buildTags}
	if c := p.Find(arguments.CRD); c != nil && c.Output.Writes() {
		run.CRDs = foldersOf(c.Output, c.Variants())
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

// foldersOf returns where a rule writes a file for each CRD: in each of its folders, or in those of the variants below.
func foldersOf(rule arguments.Rule, variants []string) (out []stale.Folder) {
	for _, folder := range plainFolders(rule) {
		for _, v := range variants {
			out = append(out, stale.Folder{Dir: filepath.Join(folder.Dir, v), HasTemplates: folder.HasTemplates})
		}
		if len(variants) == 0 {
			out = append(out, folder)
		}
	}
	return out
}

// plainFolders returns the folders of a rule without variants.
func plainFolders(rule arguments.Rule) (out []stale.Folder) {
	if rule.Form != arguments.ToProfile {
		return []stale.Folder{{Dir: cmp.Or(rule.Dir, ".")}}
	}
	for i := range rule.Profile.Outputs {
		o := &rule.Profile.Outputs[i]
		dir := o.Folder()
		switch at := slices.IndexFunc(out, func(f stale.Folder) bool { return f.Dir == dir }); {
		case o.File != "":
		case at < 0:
			out = append(out, stale.Folder{Dir: dir, HasTemplates: o.Helm != nil})
		default:
			out[at].HasTemplates = out[at].HasTemplates || o.Helm != nil
		}
	}
	return out
}

// without drops findings from list that are in known: both load the same packages, and a syntax error must be reported
// once.
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

// words returns the text of a diagnostic with normalized white space.
func words(d diag.Diagnostic) string {
	return strings.Join(strings.Fields(d.Message+" "+strings.Join(d.Notes, " ")), " ")
}
