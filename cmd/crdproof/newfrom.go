package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/internal/cli/arguments"
	"github.com/crdproof/crdproof/internal/cli/baseline"
	"github.com/crdproof/crdproof/internal/cli/config"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/internal/stage"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/rules/check"
	"github.com/crdproof/crdproof/rules/verdicts"
)

// An earlier is the tree of an earlier revision, written to a temporary directory.
type earlier struct {
	// root is the directory of the tree, dir the working directory in it, and repository the root on disk.
	root, dir, repository string
}

// inTree returns where the tree has a path on disk, which may end in "..." or be a pattern. A path outside of the
// repository stays what it is. It is "" if the tree has no such path.
func (e earlier) inTree(path string) string {
	full, isTree := strings.CutSuffix(input.Absolute(path), string(filepath.Separator)+"...")
	rel, err := filepath.Rel(e.repository, input.Resolved(full))
	if err != nil || !filepath.IsLocal(rel) {
		return path
	}
	full = filepath.Join(e.root, rel)
	if matches, err := filepath.Glob(full); err != nil || len(matches) == 0 {
		return ""
	}
	if isTree {
		full = filepath.Join(full, "...")
	}
	return full
}

// packages is inTree for packages: relative to the working directory in the tree, as the go command reports them best.
func (e earlier) packages(path string) string {
	full := e.inTree(path)
	rel, err := filepath.Rel(e.dir, full)
	if err != nil || full == "" || full == path {
		return full
	}
	return "./" + filepath.ToSlash(rel)
}

// atRevision records what find finds in the files of the revision of --new-from. find returns the errors for which
// findings are missing.
func (b *baselineRun) atRevision(
	ctx context.Context, find func(e earlier, known *baseline.Record) []diag.Diagnostic,
) []diag.Diagnostic {
	if b.tree == "" {
		return nil
	}
	root, remove, err := stage.TempDir(ctx, "crdproof-new-from-")
	if err != nil {
		return []diag.Diagnostic{fileTrouble(err)}
	}
	defer remove()
	e := earlier{root: root, repository: input.Resolved(input.Repository(workingDir()))}
	var problem *diag.Diagnostic
	if e.dir, problem = input.Checkout(ctx, b.tree, root); problem != nil {
		return []diag.Diagnostic{*problem}
	}
	known := baseline.NewRecord(root)
	if problems := find(e, known); len(problems) > 0 {
		d := input.Errorf("--%s: the findings of %s are unknown: %s", config.FlagNewFrom, b.newFrom,
			problems[0].Message)
		if at := problems[0].Span; at.IsValid() {
			line, _ := at.Source.Position(int(at.Start))
			d = d.Note("at %s:%d in %s", diag.Relative(at.Source.Path, root), line, b.newFrom)
		}
		for _, note := range problems[0].Notes {
			d = d.Note("%s", note)
		}
		d.Message = strings.ReplaceAll(d.Message, root, b.newFrom)
		for i := range d.Notes {
			d.Notes[i] = strings.ReplaceAll(d.Notes[i], root, b.newFrom)
		}
		return []diag.Diagnostic{d.Help("name another revision, or write a baseline with --baseline=write")}
	}
	b.known.AddEarlier(known, e.repository)
	return nil
}

// earlierTypes finds what crdproof's own generators find in the Go types of the revision of --new-from.
func (b *baselineRun) earlierTypes(
	ctx context.Context, p arguments.Plan, buildTags []string, proved *verdicts.Store, progress stage.Progress,
) []diag.Diagnostic {
	if !readsTypes(p) {
		return nil
	}
	return b.atRevision(ctx, func(e earlier, known *baseline.Record) []diag.Diagnostic {
		run := ownConfig(p, buildTags, proved, progress)
		run.Dir, run.CRD.Policy.Known = e.dir, known
		run.Paths = nil
		if len(p.Paths) == 0 {
			run.Paths = []string{"."}
		}
		for _, path := range p.Paths {
			isPath := filepath.IsAbs(path) || strings.HasPrefix(path, ".")
			if isPath {
				path = e.packages(path)
			}
			if path != "" {
				run.Paths = append(run.Paths, path)
			}
		}
		if _, err := os.Stat(e.dir); len(run.Paths) == 0 || os.IsNotExist(err) {
			return nil // all is new
		}
		run.CRD.Overlays, _ = overlaysIn(e.dir, run.CRD.Overlays) // earlier mistakes do not matter
		result, err := generator.Run(ctx, run)
		if err != nil {
			return []diag.Diagnostic{load.Problem(err)}
		}
		return slices.DeleteFunc(diag.Errors(result.Diagnostics), func(d diag.Diagnostic) bool {
			return check.Table(load.Checks()).Of(d.Check) == nil
		})
	})
}

// earlierFiles finds what check finds in the files of the revision of --new-from that arguments name.
func (b *baselineRun) earlierFiles(
	ctx context.Context, args []string, opts crds.Validation, policy check.Policy,
) []diag.Diagnostic {
	return b.atRevision(ctx, func(e earlier, known *baseline.Record) []diag.Diagnostic {
		var files []string
		for _, arg := range args {
			if file := e.inTree(arg); arg != "-" && !input.IsRevision(arg) && file != "" {
				files = append(files, file)
			}
		}
		if len(files) == 0 {
			return nil
		}
		sources, problems := input.Sources(ctx, files, nil)
		policy.Known = known
		_, found := policy.Split(slices.Concat(problems, crds.Validate(ctx, sources, opts).Found))
		policy.Settle(found, func(string, string) bool { return false })
		return nil // a file that cannot be read is reported, unless it has been fixed
	})
}
