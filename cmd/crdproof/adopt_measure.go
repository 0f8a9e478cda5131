package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/internal/cache"
	"github.com/crdproof/crdproof/internal/cli/adopt"
	"github.com/crdproof/crdproof/internal/cli/arguments"
	"github.com/crdproof/crdproof/internal/cli/baseline"
	"github.com/crdproof/crdproof/internal/cli/catalog"
	"github.com/crdproof/crdproof/internal/cli/config"
	"github.com/crdproof/crdproof/internal/cli/tools"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/rules/check"
	"github.com/crdproof/crdproof/rules/verdicts"
)

// An adoption is the change of a repository from controller-gen to crdproof, while it is made.
type adoption struct {
	set    *adoptSettings
	rep    *reporter
	root   string
	report adopt.Report
	// settings is the settings file, and entries are those of the baseline.
	settings []byte
	entries  []baseline.Entry
	// files are those of the change, generated the ones that make writes then. checks are those of the CI job.
	files, generated []emit.File
	checks           []adopt.Check
	proved           *verdicts.Store
}

// calls returns the calls that are edited.
func (a *adoption) calls() (out []adopt.Call) {
	for _, c := range a.report.Calls {
		if c.Writes() {
			out = append(out, c)
		}
	}
	return out
}

// parse finds the calls with options that crdproof does not have, or whose packages do not exist.
func (a *adoption) parse() {
	for i := range a.report.Calls {
		c := &a.report.Calls[i]
		if !c.Writes() {
			continue
		}
		err := a.in(c.Dir, func() error {
			plan, problems := arguments.Parse(a.line(c.Words, config.Settings{}))
			problems = append(problems, arguments.CheckPaths("paths", plan.Paths)...)
			if errs := diag.Errors(problems); len(errs) > 0 {
				c.Why = errs[0].Message
			}
			if slices.ContainsFunc(plan.Generators, func(g arguments.Invocation) bool {
				return g.Name == arguments.CRD && g.Output.Form == arguments.ToStdout
			}) {
				c.Why = "it writes CRDs to standard output"
			}
			return nil
		})
		if err != nil {
			c.Why = err.Error()
		}
	}
}

// line returns a command line with settings.
func (a *adoption) line(words []string, s config.Settings) arguments.Line {
	rep := *a.rep
	rep.settings = s
	return rep.line(words)
}

// in does something in a directory of the repository.
func (a *adoption) in(dir string, do func() error) error {
	full := filepath.Join(a.root, filepath.FromSlash(dir))
	if !input.Within(input.Resolved(full), input.Resolved(a.root)) {
		return fmt.Errorf("the directory %s is outside of the repository", dir)
	}
	if err := os.Chdir(full); err != nil {
		return fmt.Errorf("the directory %s does not exist", dir)
	}
	err := do()
	return cmp.Or(err, os.Chdir(a.root))
}

// try runs crdproof with settings, in memory. If records is set, what is found becomes the baseline.
func (a *adoption) try(
	ctx context.Context, calls []adopt.Call, settings []byte, records, deviations bool,
) (t adopt.Trial, err error) {
	t.Settings = settings
	held := a.rep.settings
	if held.Source == nil {
		var problems []diag.Diagnostic
		source := &diag.Source{Path: filepath.Join(a.root, config.Name), Data: settings, Syntax: diag.YAML}
		if held, problems = config.Read(source, catalog.Checks()); diag.HasErrors(problems) {
			return t, fmt.Errorf("settings of adopt: %s", problems[0].Message)
		}
	}
	for i := range calls {
		err := a.in(calls[i].Dir, func() error {
			plan, problems := arguments.Parse(a.line(calls[i].Words, held))
			if diag.HasErrors(problems) {
				return fmt.Errorf("%s:%d: %s", calls[i].File, calls[i].Line, diag.Errors(problems)[0].Message)
			}
			var record *baseline.Record
			var known check.Known
			if records {
				record = baseline.NewRecord(a.root)
				known = record
			}
			for _, g := range plan.Generators {
				if g.CRD != nil {
					g.CRD.Deviations, g.CRD.Policy.Known = deviations, known
				}
			}
			made, found := generate(ctx, plan, a.set.buildTags, a.proved, a.rep.progress())
			policy := a.rep.runPolicy(plan)
			t.Found = appendNew(t.Found, policy.Apply(found))
			t.Files = append(t.Files, absolute(made.files))
			if record != nil && record.IsComplete() {
				t.Entries = record.Written(t.Entries)
			}
			return nil
		})
		if err != nil || ctx.Err() != nil {
			return t, err
		}
	}
	return t, nil
}

// appendNew appends findings that another call, which reads the same types, does not have.
func appendNew(list, more []diag.Diagnostic) []diag.Diagnostic {
	for _, d := range more {
		isSame := func(k diag.Diagnostic) bool {
			return k.Check == d.Check && words(k) == words(d) && k.Span.Start == d.Span.Start &&
				k.Span.IsValid() == d.Span.IsValid() &&
				(!d.Span.IsValid() || k.Span.Source.Path == d.Span.Source.Path)
		}
		if !slices.ContainsFunc(list, isSame) {
			list = append(list, d)
		}
	}
	return list
}

// absolute returns files with absolute paths, without those for standard output.
func absolute(files []emit.File) (out []emit.File) {
	for _, f := range files {
		if f.Path != "" {
			out = append(out, emit.File{Path: input.Absolute(f.Path), Data: f.Data})
		}
	}
	return out
}

// measure finds the strictest settings with which crdproof has no errors today, and what they change.
func (a *adoption) measure(ctx context.Context, calls []adopt.Call) error {
	results, err := cache.Open()
	if err != nil {
		return err
	}
	a.proved = verdicts.In(results)
	before, err := a.incumbent(ctx, calls)
	if err != nil || ctx.Err() != nil {
		return err
	}
	chosen, err := a.strictest(ctx, calls, before)
	if err != nil || ctx.Err() != nil || a.report.Failed != "" {
		return err
	}
	a.settings, a.entries = chosen.Settings, chosen.Entries
	a.report.Baseline = baseline.Total(chosen.Entries)
	a.checks, a.generated = a.report.Compare(a.root, calls, chosen, before)
	return a.later(ctx, calls, before)
}

// strictness are options of crd, the strictest first: the first ones under which nothing is an error but what a
// baseline has are those of the settings.
func strictness() [][][2]string {
	return [][][2]string{
		{{"mistakes", "error"}, {"unproved", "false"}},
		{{"mistakes", "error"}, {"unproved", "true"}},
		{{"mistakes", "warn"}, {"unproved", "true"}},
	}
}

// strictest returns the trial of the strictest settings without errors.
func (a *adoption) strictest(ctx context.Context, calls []adopt.Call, before [][]emit.File) (adopt.Trial, error) {
	annotation := a.report.Annotation(before)
	var shared [][2]string
	if a.set.compat {
		shared = [][2]string{{"compat", "controller-gen"}, {"versionAnnotation", annotation}}
	}
	var t adopt.Trial
	for i, options := range strictness() {
		var comments []string
		if i > 0 {
			comments = []string{"Write unproved: false as soon as API servers accept all CRDs."}
		}
		if i == 2 {
			comments = []string{"Write mistakes: error and unproved: false as soon as the warnings are fixed."}
		}
		var err error
		t, err = a.try(ctx, calls, adopt.SettingsOf(slices.Concat(shared, options), comments...), true, false)
		if err != nil || ctx.Err() != nil {
			return t, err
		}
		if !diag.HasErrors(t.Found) || a.rep.settings.Source != nil {
			break
		}
		if list := a.short(diag.Errors(slices.Clone(t.Found))); i == 0 {
			a.report.Rejected = list
		} else {
			a.report.Tolerated = list
			a.report.Rejected = slices.DeleteFunc(a.report.Rejected,
				func(text string) bool { return slices.Contains(list, text) })
		}
	}
	if errs := diag.Errors(slices.Clone(t.Found)); len(errs) > 0 {
		a.report.Failed = "crdproof cannot generate the CRDs: " + a.short(errs)[0]
	}
	return t, nil
}

// short returns findings with their positions, one line each.
func (a *adoption) short(list []diag.Diagnostic) (out []string) {
	for i := range list {
		d := &list[i]
		text := fmt.Sprintf("%s [%s]", d.Message, d.Check)
		if d.Span.IsValid() {
			line, _ := d.Span.Source.Position(int(d.Span.Start))
			text = fmt.Sprintf("%s:%d: %s", filepath.ToSlash(diag.Relative(d.Span.Source.Path, a.root)), line, text)
		}
		out = append(out, printedLine(text))
	}
	return out
}

// incumbent returns what controller-gen writes, in memory. The files of a call on whose types it fails are nil.
func (a *adoption) incumbent(ctx context.Context, calls []adopt.Call) (out [][]emit.File, err error) {
	for i := range calls {
		err := a.in(calls[i].Dir, func() error {
			plan, _ := arguments.Parse(a.line(calls[i].Words, config.Settings{}))
			var jobs []tools.Job
			for _, g := range plan.Generators {
				if g.CRD != nil {
					if g.Tool, err = tools.Incumbent(optionOf(calls[i].Words, g.Name)); err != nil {
						return nil // an option of crdproof alone
					}
				}
				jobs = append(jobs, tools.Job{Tool: tools.Tool{Name: g.Name, Generator: g.Tool}, Place: g.Output.Place})
			}
			made, _, found := tools.Run(ctx, jobs, plan.Paths, nil, a.rep.progress())
			var files []emit.File
			if !diag.HasErrors(found) {
				files = absolute(slices.Concat(made...))
			}
			out = append(out, files)
			return nil
		})
		if err != nil || ctx.Err() != nil {
			return nil, err
		}
	}
	return out, nil
}

// optionOf returns the word with the options of a generator.
func optionOf(words []string, generator string) string {
	i := slices.IndexFunc(words, func(w string) bool {
		name, _, _ := strings.Cut(strings.TrimPrefix(w, "+"), ":")
		return name == generator
	})
	return strings.TrimPrefix(words[i], "+")
}

// later measures what crdproof's own CRDs would change, and what can be fixed.
func (a *adoption) later(ctx context.Context, calls []adopt.Call, before [][]emit.File) error {
	settings := adopt.SettingsOf([][2]string{{"mistakes", "warn"}, {"unproved", "true"}})
	own, err := a.try(ctx, calls, settings, false, true)
	if err == nil && ctx.Err() == nil && a.rep.settings.Source == nil {
		a.report.Foresee(own, before)
	}
	return err
}
