package main

import (
	"fmt"
	"slices"

	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/generator/arguments"
	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/input"
	"github.com/crdproof/crdproof/generator/stale"
	"github.com/crdproof/crdproof/generator/verify"
)

// checkMode finds flags that make no sense together, or with the output rules.
func checkMode(set settings, p arguments.Plan) []diag.Diagnostic {
	switch {
	case set.verify && set.prune:
		return []diag.Diagnostic{input.Errorf("--verify changes nothing, and --prune removes files").
			Help("first --verify, then --prune")}
	case set.verify && !slices.ContainsFunc(p.Generators, writesFiles):
		return []diag.Diagnostic{
			input.Errorf("there is nothing to verify: with these output rules no file is written").
				Help("name the folder that holds the files, as in output:crd:dir=config/crd/bases"),
		}
	case set.prune && !slices.ContainsFunc(p.Generators,
		func(g arguments.Invocation) bool { return g.CRD != nil && writesFiles(g) }):
		return []diag.Diagnostic{
			input.Errorf("there is nothing to prune: neither crd nor helpers writes files in this run").
				Help("name the folder that holds the files, as in crd output:crd:dir=config/crd/bases"),
		}
	}
	return nil
}

// writesFiles reports whether a generator has a place for its files. That of applyconfiguration is no output rule's.
func writesFiles(g arguments.Invocation) bool {
	return g.Output.Writes() || g.Name == "applyconfiguration"
}

// differences reports what a run would change: as findings beside the others in the formats for programs, else as a
// diff. It returns the exit code.
func (r *reporter) differences(made []emit.File, left stale.Found, found []diag.Diagnostic) int {
	list, err := verify.Differences(made, left.Files)
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
	if code != exitClean || len(list) == 0 {
		return code
	}
	if err := verify.WriteDiffs(r.stdout, list, wantsColor(r.stdout)); err != nil {
		return r.failed(err)
	}
	for i := range list {
		fmt.Fprintln(r.stderr, list[i].String())
	}
	fmt.Fprintln(r.stderr, verify.Summary(list))
	return exitFound
}
