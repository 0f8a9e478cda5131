package main

import (
	"context"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/generator/diag"
)

// ruleSyntax is the id that both loaders give to what Go's parser reports. One mistake in a file makes several of them.
const ruleSyntax = "go-syntax"

// generate runs the plan's generators. The artifacts are in the order of the generators on the command line; they mean
// nothing where a diagnostic is an error.
func generate(ctx context.Context, p plan) ([]artifact, []diag.Diagnostic) {
	made := make([][]artifact, len(p.generators))
	var own, filed, tools []diag.Diagnostic
	var wg sync.WaitGroup
	if p.readsGo() {
		wg.Go(func() { own = generateOwn(ctx, p, made) })
	}
	if h := p.find("helpers"); h != nil && len(h.helpers.crds) > 0 {
		wg.Go(func() { made[p.index("helpers")], filed = helpersOfFiles(ctx, *h, p.outputs) })
	}
	if jobs := toolJobs(p, made); len(jobs) > 0 {
		tools = runTools(p, jobs)
	}
	wg.Wait()
	var all []artifact
	for _, list := range made {
		all = append(all, list...)
	}
	found := slices.Concat(own, filed, without(tools, own))
	if len(p.paths) == 0 {
		found = hintAtPaths(found)
	}
	return all, diag.Sort(found)
}

// hintAtPaths helps out who runs crdproof in the root of a repository, where often no package is.
func hintAtPaths(list []diag.Diagnostic) []diag.Diagnostic {
	for i := range list {
		if strings.HasPrefix(list[i].Message, "no Go files in ") {
			list[i].Help = "only the working directory was looked at; for all below it write paths=./..."
		}
	}
	return list
}

// readsGo reports whether a generator of crdproof's own reads Go packages.
func (p *plan) readsGo() bool {
	h := p.find("helpers")
	return p.invokes("crd") || h != nil && len(h.helpers.crds) == 0
}

// generateOwn runs crdproof's own generators, which share all stages but the last. The files of generator i go to made[i].
func generateOwn(ctx context.Context, p plan, made [][]artifact) (found []diag.Diagnostic) {
	defer func() {
		// A panic is a bug of crdproof's; the user still gets a sentence, and no file.
		if bug := recover(); bug != nil {
			found = []diag.Diagnostic{internalError(bug, debug.Stack())}
		}
	}()
	config := generator.Config{Paths: p.paths, BuildTags: p.buildTags}
	h := p.find("helpers")
	if h != nil && len(h.helpers.crds) == 0 {
		config.CRD, config.Helpers = *h.crd, helperOptions(*h, p.outputs)
	}
	if c := p.find("crd"); c != nil {
		config.CRD = *c.crd
	}
	result, err := generator.Run(ctx, config)
	if err != nil {
		return append(result.Diagnostics, fromError("load", err))
	}
	if i := p.index("crd"); i >= 0 {
		rule := p.outputs.of("crd")
		for _, f := range result.Files {
			if path, keep := rule.place("", f.Path); keep {
				made[i] = append(made[i], artifact{path: path, data: f.Data})
			}
		}
	}
	if config.Helpers != nil {
		made[p.index("helpers")] = helperArtifacts(result.Helpers, p.outputs.of("helpers"))
	}
	if len(p.paths) == 0 && len(result.Files) == 0 && len(result.Diagnostics) == 0 {
		return []diag.Diagnostic{noKindHere()}
	}
	return append(result.Diagnostics, result.Deviations...)
}

// fromError turns an error without a position into a diagnostic, its further lines into notes.
func fromError(rule string, err error) diag.Diagnostic {
	first, rest, more := strings.Cut(strings.TrimSpace(err.Error()), "\n")
	d := diag.Diagnostic{Rule: rule, Message: first}
	if more {
		d.Notes = strings.Split(rest, "\n")
	}
	return d
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
		case k.Span.Start == d.Span.Start || k.Rule == ruleSyntax && d.Rule == ruleSyntax:
			return true
		}
	}
	return false
}

// words is what a diagnostic says, without the difference that line breaks make.
func words(d diag.Diagnostic) string {
	return strings.Join(strings.Fields(d.Message+" "+strings.Join(d.Notes, " ")), " ")
}
