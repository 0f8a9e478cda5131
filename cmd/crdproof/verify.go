package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/internal/cli/arguments"
	"github.com/crdproof/crdproof/internal/cli/stale"
	"github.com/crdproof/crdproof/internal/cli/target"
	"github.com/crdproof/crdproof/internal/cli/verify"
	"github.com/crdproof/crdproof/internal/input"
)

// checkMode finds flags that contradict each other or the output rules.
func checkMode(set *settings, p arguments.Plan) []diag.Diagnostic {
	switch {
	case set.verify && set.prune:
		return []diag.Diagnostic{input.Errorf("--verify and --prune exclude each other: --verify changes no files").
			Help("run with --verify first, then with --prune")}
	case set.fix != "" && set.verify:
		return []diag.Diagnostic{input.Errorf("--verify and --fix exclude each other: --verify changes no files").
			Help("run with --fix first, then with --verify")}
	case set.fix != "" && p.Find(arguments.CRD) == nil && p.Find(arguments.Helpers) == nil:
		return []diag.Diagnostic{input.Errorf("nothing to fix: --fix is for the findings of crd and helpers").
			Help("add the generator crd")}
	case set.verify && !slices.ContainsFunc(p.Generators, writesFiles):
		return []diag.Diagnostic{
			input.Errorf("nothing to verify: with these output rules, no files are written").
				Help("name the directory of the files, for example output:crd:dir=config/crd/bases"),
		}
	case set.prune && !slices.ContainsFunc(p.Generators,
		func(g arguments.Invocation) bool { return g.CRD != nil && writesFiles(g) }):
		return []diag.Diagnostic{
			input.Errorf("nothing to prune: this run writes no files of crd or helpers").
				Help("name the directory of the files, for example crd output:crd:dir=config/crd/bases"),
		}
	}
	return nil
}

// writesFiles reports whether a generator writes files. The generator applyconfiguration does so without an output
// rule.
func writesFiles(g arguments.Invocation) bool {
	return g.Output.Writes() || g.Name == "applyconfiguration"
}

// differences reports what a run would change: as findings in the formats for programs, otherwise as a diff. It returns
// the exit code.
func (r *reporter) differences(
	bounds *target.Bounds, made product, left stale.Found, found []diag.Diagnostic,
) int {
	list, err := verify.Differences(bounds, made.files, left.Files)
	if err != nil {
		return r.failed(err)
	}
	found = append(found, left.Notes...)
	if r.format != formatText {
		for i := range list {
			found = append(found, list[i].Finding())
		}
		return r.write(diag.Sort(found))
	}
	code := r.write(found)
	if code != exitClean {
		return code
	}
	if len(list) == 0 {
		r.succeeded(upToDate(len(emit.Effective(made.files))), made)
		return code
	}
	if err := verify.WriteDiffs(r.stdout, list, wantsColor(r.stdout)); err != nil {
		return r.failed(err)
	}
	for i := range list {
		for line := range strings.SplitSeq(list[i].String(), "\n") {
			fmt.Fprintln(r.stderr, diag.Printable(line))
		}
	}
	fmt.Fprintln(r.stderr, verify.Summary(list))
	return exitFound
}
