package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/internal/cli/arguments"
	"github.com/crdproof/crdproof/internal/cli/baseline"
	"github.com/crdproof/crdproof/internal/cli/catalog"
	"github.com/crdproof/crdproof/internal/cli/config"
	"github.com/crdproof/crdproof/internal/cli/target"
	"github.com/crdproof/crdproof/internal/cli/unchanged"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/rules/check"
)

// The values of --baseline.
const (
	baselineUse   = "use"
	baselineWrite = "write"
	baselinePrune = "prune"
	baselineNone  = "none"
)

// baselineSettings are the flags of commands that leave out known findings.
type baselineSettings struct {
	mode, path, newFrom string
	set                 *pflag.FlagSet
}

func (b *baselineSettings) flags(flags *pflag.FlagSet) {
	b.set = flags
	flags.StringVar(&b.mode, "baseline", baselineUse,
		"use leaves out the findings in the baseline, none prints them; write\n"+
			"stores the findings of today, prune removes what is fixed from the file")
	oneOf(flags, "baseline", []string{baselineUse, baselineWrite, baselinePrune, baselineNone})
	flags.StringVar(&b.path, config.FlagBaseline, "",
		"the file of known findings, also as <revision>:<path>; by default\n"+baseline.Name+" beside the settings, or "+
			"the nearest in this directory or a parent")
	flags.StringVar(&b.newFrom, config.FlagNewFrom, "",
		"report only findings that the same command does not have in this git revision")
}

// changesFile reports whether the flags ask for another baseline.
func (b *baselineSettings) changesFile() bool {
	return b.mode == baselineWrite || b.mode == baselinePrune
}

// A baselineRun is what is known before a run.
type baselineRun struct {
	mode string
	// path is that of the file, dir the directory that paths in it are relative to, on disk.
	path, dir string
	file      *baseline.File
	known     *baseline.Known
	// record is set if the run writes the file.
	record *baseline.Record
	// newFrom is a revision, and tree the name of its files; both are "" for none.
	newFrom, tree string
}

// records reports whether the run writes a baseline, and no other file.
func (b *baselineRun) records() bool { return b.record != nil }

// where says where known findings are.
func (b *baselineRun) where() string {
	var places []string
	if b.file != nil {
		places = append(places, input.Shown(b.path))
	}
	if b.newFrom != "" {
		places = append(places, b.newFrom)
	}
	return strings.Join(places, " or ")
}

// findings returns what is known, nil for nothing.
func (b *baselineRun) findings() check.Known {
	switch {
	case b.record != nil:
		return b.record
	case b.file != nil || b.tree != "":
		return b.known
	}
	return nil
}

// applyTo sets what the generators of a plan know.
func (b *baselineRun) applyTo(p arguments.Plan) {
	for _, g := range p.Generators {
		if g.CRD != nil {
			g.CRD.Policy.Known = b.findings()
		}
	}
}

// addTo adds what is known to what identifies a run.
func (b *baselineRun) addTo(request *unchanged.Request) {
	request.Options = append(request.Options, b.mode, b.path, b.tree)
	switch {
	case b.file == nil:
	case input.IsFile(b.file.Source):
		request.Files = append(request.Files, b.file.Source.Path)
	default:
		request.Options = append(request.Options, string(b.file.Source.Data))
	}
}

// openBaseline reads what is known before the run.
func (r *reporter) openBaseline(ctx context.Context, set *baselineSettings) []diag.Diagnostic {
	run := baselineRun{mode: set.mode}
	problems := set.conflicts()
	if len(problems) == 0 {
		problems = run.read(ctx, set, r)
	}
	if set.newFrom != "" && !set.changesFile() && !diag.HasErrors(problems) {
		tree, problem := input.Tree(ctx, set.newFrom)
		if problem != nil {
			if set.set.Changed(config.FlagNewFrom) {
				problem.Message = "--" + config.FlagNewFrom + ": " + problem.Message
			} else {
				problem.Span = r.settings.At(config.FlagNewFrom)
			}
			problems = append(problems, *problem)
		}
		run.newFrom, run.tree = set.newFrom, tree
	}
	run.known = baseline.NewKnown(run.file, run.dir)
	if set.changesFile() {
		run.record = baseline.NewRecord(run.dir)
	}
	r.baseline = run
	return problems
}

// conflicts reports flags that exclude each other.
func (b *baselineSettings) conflicts() (out []diag.Diagnostic) {
	if !b.changesFile() {
		return nil
	}
	for _, name := range []string{"verify", "prune", "fix", config.FlagNewFrom} {
		if f := b.set.Lookup(name); f != nil && f.Changed {
			out = append(out, input.Errorf("--baseline=%s and --%s exclude each other", b.mode, name).
				Help("remove one of them"))
		}
	}
	return out
}

// usualBaseline returns the path of the file beside the settings, also in a revision, "" for no such file.
func (r *reporter) usualBaseline(ctx context.Context) string {
	settings := r.settings
	if settings.IsNone {
		return ""
	}
	if settings.Source != nil {
		if commit, file, ok := input.Revision(settings.Source.Path); ok {
			name := commit + ":" + path.Join(path.Dir(file), baseline.Name)
			if _, problems := input.Sources(ctx, []string{name}, nil); len(problems) > 0 {
				return ""
			}
			return name
		}
	}
	return baseline.Find(workingDir(), settings.Dir)
}

// read finds and reads the file.
func (b *baselineRun) read(ctx context.Context, set *baselineSettings, rep *reporter) []diag.Diagnostic {
	if b.mode == baselineNone {
		return nil
	}
	if b.path = set.path; b.path == "" {
		b.path = rep.usualBaseline(ctx)
	}
	switch {
	case b.path == "" && b.mode == baselineUse:
		return nil
	case b.path == "" && b.mode == baselinePrune:
		return []diag.Diagnostic{input.Errorf("--baseline=prune: %s does not exist", baseline.Name).
			Help("write one with --baseline=write, or name it with --%s", config.FlagBaseline)}
	case b.path == "":
		b.path = filepath.Join(rep.settings.Dir, baseline.Name)
	}
	if commit, _, ok := input.Revision(b.path); ok {
		if set.changesFile() {
			return []diag.Diagnostic{
				input.Errorf("--baseline=%s cannot change a file in the revision %s", b.mode, commit).
					Help("name a file on disk with --%s", config.FlagBaseline)}
		}
		b.dir = baseline.Dir(b.path, workingDir())
		sources, problems := input.Sources(ctx, []string{b.path}, nil)
		if len(problems) > 0 {
			return problems
		}
		return b.parse(sources[0])
	}
	b.path = input.Absolute(b.path)
	b.dir = baseline.Dir(b.path, "")
	data, err := input.ReadFile(b.path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && b.mode == baselineWrite:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return []diag.Diagnostic{input.Errorf("the baseline %s does not exist", input.Shown(b.path)).
			Help("write it with --baseline=write")}
	case err != nil:
		return []diag.Diagnostic{fileTrouble(err)}
	}
	return b.parse(&diag.Source{Path: b.path, Data: data})
}

// parse reads the entries. A file that is rewritten may have any lines of which nothing is lost.
func (b *baselineRun) parse(src *diag.Source) (found []diag.Diagnostic) {
	b.file, found = baseline.Read(src, catalog.Checks())
	return slices.DeleteFunc(found, func(d diag.Diagnostic) bool {
		return b.mode == baselineWrite && baseline.Conflict(d) || d.Severity != diag.Error && b.mode != baselineUse
	})
}

// writeBaseline writes the file, prints the other findings of the run, and returns the exit code.
func (r *reporter) writeBaseline(ctx context.Context, found []diag.Diagnostic) int {
	b := &r.baseline
	hidesAll := func(d diag.Diagnostic) bool { // what cannot be loaded has no findings
		return d.Severity == diag.Error && check.Table(load.Checks()).Of(d.Check) != nil
	}
	if !b.record.IsComplete() || slices.ContainsFunc(found, hidesAll) {
		if !diag.HasErrors(found) {
			found = append(found, input.Errorf("--baseline=%s: the run has no findings to compare", b.mode).
				Help("name the generator crd or helpers"))
		}
		return r.write(found)
	}
	var before []baseline.Entry
	var data []byte
	if b.file != nil {
		before, data = b.file.Entries, b.file.Source.Data
	}
	after := b.record.Written(before)
	if b.mode == baselinePrune {
		after = b.record.Pruned(before)
	}
	bounds, err := target.In(b.dir)
	if err != nil {
		return r.failed(err)
	}
	defer bounds.Close()
	file := emit.File{Path: b.path, Data: baseline.Format(after, data)}
	if _, err := writeAll(ctx, bounds, []emit.File{file}, nil, r.stdout, nil); errors.Is(err, context.Canceled) {
		return r.interrupted()
	} else if err != nil {
		return r.write(append(found, writeFailed(err)))
	}
	code := r.write(found)
	if r.format == formatText {
		fmt.Fprintln(r.stderr, b.summary(before, after, len(diag.Errors(slices.Clone(found)))))
	}
	return code
}

// summary describes what has changed in the file.
func (b *baselineRun) summary(before, after []baseline.Entry, rest int) string {
	name := input.Shown(b.path)
	added, removed := baseline.Added(before, after), baseline.Added(after, before)
	line := fmt.Sprintf("wrote %s to %s", diag.Counted(baseline.Total(after), "finding"), name)
	switch {
	case b.mode == baselinePrune:
		line = fmt.Sprintf("removed %s from %s: %d left", diag.Counted(removed, "finding"), name, baseline.Total(after))
	case b.file != nil:
		line += fmt.Sprintf(": %d more than before, and %d fixed", added, removed)
	}
	if rest > 0 {
		line += fmt.Sprintf(" (%s cannot be in it: fix what is reported above)", diag.Counted(rest, "error"))
	}
	return line
}
