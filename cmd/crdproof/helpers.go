package main

import (
	"cmp"
	"context"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/generator/helpers"
	"github.com/crdproof/crdproof/internal/cli/arguments"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/internal/stage"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/rules/verdicts"
)

// helperOptions returns the options of an invocation, with the directory of its output rule.
func helperOptions(h *arguments.Invocation) *helpers.Options {
	opts := h.Helpers.Options
	if h.Output.Writes() {
		opts.Dir = h.Output.CodeDir()
	}
	return &opts
}

// helperFiles returns the files of helper packages at their final paths.
func helperFiles(packages []helpers.Package, rule arguments.Rule) (made []emit.File) {
	for _, p := range packages {
		rule.Dir, rule.Code = p.Dir, p.Dir // helperOptions has decided
		made = append(made, placed(p.Dir, p.Files, rule)...)
	}
	return made
}

// helpersOfFiles validates CRDs in files and writes helpers for them. Without an output rule they go to the working
// directory, because go generate runs there. It also returns how many findings are known.
func helpersOfFiles(
	ctx context.Context, h arguments.Invocation, verdicts *verdicts.Store, progress stage.Progress,
) (files []emit.File, known int, found []diag.Diagnostic) {
	sources, problems := input.Sources(ctx, h.Helpers.CRDs, nil)
	if len(problems) > 0 {
		return nil, 0, problems
	}
	opts := helperOptions(&h)
	opts.Dir = cmp.Or(opts.Dir, ".")
	validation := crds.Validation{Options: h.CRD.Validation, Keep: true, Verdicts: verdicts, Progress: progress}
	validation.ByVerdict, validation.Apart = true, !h.CRD.Unproved
	proved := crds.Validate(ctx, sources, validation)
	found = proved.Found
	if proved.CRDs == 0 && len(found) == 0 {
		return nil, 0, []diag.Diagnostic{proved.None(h.Helpers.CRDs, sources)}
	}
	if h.CRD.Unproved && proved.IsComplete {
		for i := range found {
			found[i].Severity = max(found[i].Severity, diag.Warning)
		}
	}
	fresh, old := h.CRD.Policy.SplitFiles(found, sources, proved.IsComplete)
	found, known = h.CRD.Policy.Apply(fresh), len(old)
	if diag.HasErrors(found) || ctx.Err() != nil {
		return nil, known, found
	}
	progress.Report("writing helpers", 0, 0)
	packages, problems := helpers.Write(ctx, proved.Sessions, *opts)
	return helperFiles(packages, h.Output), known, append(found, problems...)
}
