package main

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/input"
	"github.com/crdproof/crdproof/generator/stage"
)

// ruleSyntax is the id that both loaders give to what Go's parser reports. One mistake in a file makes several of them.
const ruleSyntax = "go-syntax"

// A product is what the generators of a run made.
type product struct {
	// files are in the order of the generators on the command line.
	files []emit.File
	// dirs are the directories of the packages that crdproof's own generators have read.
	dirs []string
}

// generate runs the plan's generators. The product means nothing where a diagnostic is an error, and neither do the diagnostics where the
// context has ended.
func generate(ctx context.Context, p plan, progress stage.Progress) (product, []diag.Diagnostic) {
	made := make([][]emit.File, len(p.generators))
	var out product
	var own, filed, tools []diag.Diagnostic
	var wg sync.WaitGroup
	if p.readsGo() {
		wg.Go(func() { out.dirs, own = generateOwn(ctx, p, made, progress) })
	}
	if h := p.find("helpers"); h != nil && len(h.helpers.crds) > 0 {
		wg.Go(func() { made[p.index("helpers")], filed = helpersOfFiles(ctx, *h, p.outputs, progress) })
	}
	if jobs := toolJobs(p, made); len(jobs) > 0 {
		tools = runTools(ctx, p, jobs, progress)
	}
	wg.Wait()
	out.files = slices.Concat(made...)
	found := slices.Concat(own, filed, without(tools, own))
	if len(p.paths) == 0 {
		found = hintAtPaths(found)
	}
	return out, diag.Sort(found)
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

// readsGo reports whether a generator of crdproof's own reads Go packages.
func (p *plan) readsGo() bool {
	h := p.find("helpers")
	return p.invokes("crd") || h != nil && len(h.helpers.crds) == 0
}

// generateOwn runs crdproof's own generators, which share all stages but the last. The files of generator i go to made[i]. It
// returns the directories of the packages.
func generateOwn(ctx context.Context, p plan, made [][]emit.File, progress stage.Progress) (dirs []string, found []diag.Diagnostic) {
	defer func() {
		// This runs in a goroutine of its own, of which run sees no panic.
		if bug := recover(); bug != nil {
			dirs, found = nil, []diag.Diagnostic{internalError(bug)}
		}
	}()
	config := generator.Config{Paths: p.paths, BuildTags: p.buildTags, Progress: progress}
	h := p.find("helpers")
	if h != nil && len(h.helpers.crds) == 0 {
		config.CRD, config.Helpers = *h.crd, helperOptions(*h, p.outputs)
	}
	if c := p.find("crd"); c != nil {
		config.CRD = *c.crd
	}
	result, err := generator.Run(ctx, config)
	if err != nil {
		return nil, append(result.Diagnostics, diag.Of(ruleLoad, err))
	}
	if i := p.index("crd"); i >= 0 {
		rule := p.outputs.of("crd")
		for _, f := range result.Files {
			if path, keep := rule.place("", f.Path); keep {
				made[i] = append(made[i], emit.File{Path: path, Data: f.Data})
			}
		}
	}
	if config.Helpers != nil {
		made[p.index("helpers")] = helperArtifacts(result.Helpers, p.outputs.of("helpers"))
	}
	if len(p.paths) == 0 && len(result.Files) == 0 && len(result.Diagnostics) == 0 {
		return result.Dirs, []diag.Diagnostic{
			diag.Warningf(diag.Span{}, input.Option, "the working directory holds no kind, and no paths were given").
				Help("name the packages of the API, such as paths=./api/..."),
		}
	}
	return result.Dirs, append(result.Diagnostics, result.Deviations...)
}

// without drops from list what known says already: both load the same packages, and a file with a syntax error is to
// be reported once.
func without(list, known []diag.Diagnostic) []diag.Diagnostic {
	var out []diag.Diagnostic
	for _, d := range list {
		if !repeats(d, known) {
			out = append(out, d)
		}
	}
	return out
}

func repeats(d diag.Diagnostic, known []diag.Diagnostic) bool {
	for _, k := range known {
		switch {
		case !d.Span.IsValid() || !k.Span.IsValid():
			if words(d) == words(k) {
				return true
			}
		case k.Severity != diag.Error || k.Span.Source.Path != d.Span.Source.Path:
		case k.Span.Start == d.Span.Start || k.Check == ruleSyntax && d.Check == ruleSyntax:
			return true
		}
	}
	return false
}

// words is what a diagnostic says, without the difference that line breaks make.
func words(d diag.Diagnostic) string {
	return strings.Join(strings.Fields(d.Message+" "+strings.Join(d.Notes, " ")), " ")
}
