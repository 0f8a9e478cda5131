package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/internal/cache"
	"github.com/crdproof/crdproof/internal/cli/adopt"
	"github.com/crdproof/crdproof/internal/cli/arguments"
	"github.com/crdproof/crdproof/internal/cli/baseline"
	"github.com/crdproof/crdproof/internal/cli/catalog"
	"github.com/crdproof/crdproof/internal/cli/config"
	"github.com/crdproof/crdproof/internal/cli/fix"
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

// A trial is what crdproof would do with settings.
type trial struct {
	settings []byte
	entries  []baseline.Entry
	// files are those of each call, found are the findings that are not in the baseline.
	files [][]emit.File
	found []diag.Diagnostic
}

// try runs crdproof with settings, in memory. If records is set, what is found becomes the baseline.
func (a *adoption) try(
	ctx context.Context, calls []adopt.Call, settings []byte, records, deviations bool,
) (t trial, err error) {
	t.settings = settings
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
			t.found = appendNew(t.found, policy.Apply(found))
			t.files = append(t.files, absolute(made.files))
			if record != nil && record.IsComplete() {
				t.entries = record.Written(t.entries)
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

// errs reports whether a trial has errors.
func (t *trial) errs() bool { return diag.HasErrors(t.found) }

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
	a.settings, a.entries = chosen.settings, chosen.entries
	a.report.Baseline = baseline.Total(chosen.entries)
	a.compare(calls, chosen, before)
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
func (a *adoption) strictest(ctx context.Context, calls []adopt.Call, before [][]emit.File) (trial, error) {
	annotation := a.annotation(before)
	var shared [][2]string
	if a.set.compat {
		shared = [][2]string{{"compat", "controller-gen"}, {"versionAnnotation", annotation}}
	}
	var t trial
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
		if !t.errs() || a.rep.settings.Source != nil {
			break
		}
		if list := a.short(diag.Errors(slices.Clone(t.found))); i == 0 {
			a.report.Rejected = list
		} else {
			a.report.Tolerated = list
			a.report.Rejected = slices.DeleteFunc(a.report.Rejected,
				func(text string) bool { return slices.Contains(list, text) })
		}
	}
	if errs := diag.Errors(slices.Clone(t.found)); len(errs) > 0 {
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

// annotated matches the line of a CRD that names the version of its generator.
var annotated = regexp.MustCompile(`(?m)^ +controller-gen\.kubebuilder\.io/version: (.*)\n`)

// withoutVersion returns a file without that line.
func withoutVersion(data []byte) string { return string(annotated.ReplaceAll(data, nil)) }

// annotation returns the option for the annotation that the CRDs on disk have. It may be the only place that names the
// version of controller-gen.
func (a *adoption) annotation(before [][]emit.File) string {
	for _, f := range slices.Concat(before...) {
		data, err := input.ReadFile(f.Path)
		if groups := annotated.FindSubmatch(data); err == nil && groups != nil {
			if version := strings.Trim(string(groups[1]), "\r\"'"); semver.IsValid(version) {
				a.report.Version = cmp.Or(a.report.Version, version)
				return "controller-gen@" + version
			}
		}
	}
	if semver.IsValid(a.report.Version) {
		return "controller-gen@" + a.report.Version
	}
	return "controller-gen"
}

// compare finds the files that change. A file that something else edits is not written, and its call not verified.
func (a *adoption) compare(calls []adopt.Call, now trial, before [][]emit.File) {
	known, edited := map[string]bool{}, map[string]bool{}
	for i := range calls {
		isEdited, hasChanged := false, false
		for _, f := range now.files[i] {
			disk, err := os.ReadFile(f.Path)
			if err == nil && bytes.Equal(disk, f.Data) {
				if !known[f.Path] {
					a.report.Same++
				}
				known[f.Path] = true
				continue
			}
			hasChanged = true
			why := "it does not exist today"
			if err == nil {
				var isOdd bool
				why, isOdd = a.change(&calls[i], string(disk), f, before[i])
				isEdited = isEdited || isOdd
			}
			if !known[f.Path] {
				name := filepath.ToSlash(diag.Relative(f.Path, a.root))
				a.report.Changed = append(a.report.Changed, adopt.Changed{Path: name, Why: why})
			}
			known[f.Path] = true
		}
		isEdited = isEdited || hasChanged && calls[i].IsEdited()
		a.checks = append(a.checks, checkOf(calls[i], isEdited))
		a.report.IsUnverified = a.report.IsUnverified || isEdited
		for _, f := range now.files[i] {
			edited[f.Path] = edited[f.Path] || isEdited
		}
	}
	for _, f := range slices.Concat(now.files...) {
		if !edited[f.Path] {
			a.generated = append(a.generated, f)
		}
	}
}

// change says why a file changes, and whether something that is not known has edited it.
func (a *adoption) change(c *adopt.Call, disk string, f emit.File, before []emit.File) (why string, isOdd bool) {
	i := slices.IndexFunc(before, func(b emit.File) bool { return b.Path == f.Path })
	if i >= 0 {
		incumbent, today := withoutVersion(before[i].Data), withoutVersion([]byte(disk))
		isSame := withoutVersion(f.Data) == incumbent
		switch {
		case today == incumbent && isSame:
			return "the annotation of the version", false
		case today == incumbent && ownVersion.ReplaceAllString(string(f.Data), "") == incumbent:
			return "the annotation names crdproof", false
		case today == incumbent:
			return "crdproof's own CRD", false
		case a.report.Version != a.report.Linked && isSame && !c.IsEdited():
			return fmt.Sprintf("controller-gen %s writes it so, too", a.report.Linked), false
		}
	}
	return "today it is not what controller-gen " + a.report.Linked + " writes: edited, or not up to date", true
}

// checkOf returns the command of CI for a call: it verifies the files, unless something else edits them.
func checkOf(c adopt.Call, isEdited bool) adopt.Check {
	out := adopt.Check{Dir: c.Dir}
	for _, w := range c.Words {
		if !isEdited || !strings.HasPrefix(w, "output:") {
			out.Words = append(out.Words, w)
		}
	}
	last := "--verify"
	if isEdited {
		last = "output:none"
	}
	out.Words = append(out.Words, last, "--format=github")
	return out
}

// later measures what crdproof's own CRDs would change, and what can be fixed.
func (a *adoption) later(ctx context.Context, calls []adopt.Call, before [][]emit.File) error {
	settings := adopt.SettingsOf([][2]string{{"mistakes", "warn"}, {"unproved", "true"}})
	own, err := a.try(ctx, calls, settings, false, true)
	if err != nil || ctx.Err() != nil || a.rep.settings.Source != nil {
		return err
	}
	names, ids := map[string]int{}, map[string]int{}
	for i := range own.found {
		d := &own.found[i]
		if d.Severity == diag.Note {
			names[d.Check]++
			continue
		}
		ids[d.Check]++
		switch help := fix.Preferred(d); {
		case help.Steps == nil:
		case help.HasEffect():
			a.report.FixableAPI++
		default:
			a.report.Fixable++
		}
	}
	a.report.Deviations, a.report.Findings = counts(names), counts(ids)
	for i, list := range own.files {
		for _, f := range list {
			if j := slices.IndexFunc(before[i], func(b emit.File) bool { return b.Path == f.Path }); j >= 0 &&
				strings.Contains(string(f.Data), "kind: CustomResourceDefinition") &&
				ownVersion.ReplaceAllString(string(f.Data), "") != withoutVersion(before[i][j].Data) {
				a.report.OwnFiles++
			}
		}
	}
	return nil
}

// ownVersion matches the line of a CRD that names crdproof's version.
var ownVersion = regexp.MustCompile(`(?m)^ +crdproof\.dev/version: .*\n`)

// counts sorts counts, the largest first.
func counts(of map[string]int) (out []adopt.Count) {
	for name, n := range of {
		out = append(out, adopt.Count{Name: name, N: n})
	}
	slices.SortFunc(out, func(a, b adopt.Count) int { return cmp.Or(b.N-a.N, strings.Compare(a.Name, b.Name)) })
	return out
}
