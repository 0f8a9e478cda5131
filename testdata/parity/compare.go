package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/generator/lower"
	"github.com/crdproof/crdproof/testdata/parity/harness"
	"github.com/rogpeppe/go-internal/diff"
)

// A result is the row of one case.
type result struct {
	name string
	// files, bytes and lines are those that controller-gen wrote.
	files, bytes, lines int
	// same counts the files that crdproof wrote alike under compat.
	same int
	// deviatingFiles and deviatingLines count the differences without compat; a changed line is one gone and one new.
	// Lines that only moved do not count.
	deviatingFiles, deviatingLines int
	// deviations counts the places of each deviation without compat.
	deviations map[string]int
	// effects is what each of them changes, if that is asked for.
	effects map[string]effect
	// errors, warnings and known count crdproof's diagnostics of both runs, each once, but for advice, which is counted
	// by check.
	errors, warnings, known int
	advice                  map[string]int
	// faults are what makes parity fail, as text for the user.
	faults []string
}

// An effect counts the files, and their lines, that a deviation changes.
type effect struct{ files, lines int }

// compareCase runs both tools on a case in its directory. The error is for what is not crdproof's fault.
func compareCase(ctx context.Context, tools harness.Tools, dir, work string, c harness.Case, effects bool) (
	result, error) {
	r := result{name: c.Name, deviations: map[string]int{}, advice: map[string]int{}, effects: map[string]effect{}}
	job := harness.Job{
		Tool: tools.ControllerGen,
		Dir:  dir,
		// The annotation does not depend on the case; checkAnnotation compares it.
		Options: append([]string{"omitToolVersion=true"}, c.Options...),
		Paths:   c.Paths,
		Out:     filepath.Join(work, c.Name, "controller-gen"),
	}
	want, output, err := runJob(ctx, job)
	if err != nil {
		return r, fmt.Errorf("%s: %w\n%s", c.Name, err, output)
	}
	r.files = len(want)
	for _, data := range want {
		r.bytes += len(data)
		r.lines += bytes.Count(data, []byte("\n"))
	}

	job.Tool, job.Flags = tools.Crdproof, jsonReport()
	options := job.Options
	job.Options = append([]string{"mistakes=warn", "unproved=true"}, options...)
	job.Out = filepath.Join(work, c.Name, "default")
	plain, output, err := runJob(ctx, job)
	plainReport := r.addExit("", err, output)

	job.Options = append([]string{"compat=controller-gen"}, options...)
	job.Out = filepath.Join(work, c.Name, "compat")
	compat, output, err := runJob(ctx, job)
	compatReport := r.addExit(" with compat", err, output)

	r.addCompat(want, compat)
	r.addDeviations(want, plain)
	r.addDiagnostics(harness.KnownMistakes(c.Dir), harness.KnownAdvice(c.Name), plainReport, compatReport)
	if !effects {
		return r, nil
	}
	optional := slices.DeleteFunc(lower.DeviationNames(), func(name string) bool { return !lower.IsOptional(name) })
	for _, name := range slices.Concat(slices.Sorted(maps.Keys(r.deviations)), optional) {
		option := "without"
		if lower.IsOptional(name) {
			option = "with"
		}
		job.Options = append([]string{"mistakes=warn", "unproved=true", option + "=" + name}, options...)
		job.Out = filepath.Join(work, c.Name, option+"-"+name)
		files, output, err := runJob(ctx, job)
		found := r.addExit(" "+option+" "+name, err, output)
		r.effects[name] = effectOf(files, plain)
		if n := found.places(name); option == "with" && n > 0 {
			r.deviations[name] = n
		}
	}
	return r, nil
}

// effectOf counts the differences between the files without a deviation and with it.
func effectOf(without, with map[string][]byte) effect {
	var e effect
	for _, name := range unionOfNames(without, with) {
		if n := changedLines(without[name], with[name]); n > 0 {
			e.files++
			e.lines += n
		}
	}
	return e
}

// runJob empties the output directory, runs the tool and returns the files it wrote, by name, and what it said.
func runJob(ctx context.Context, job harness.Job) (map[string][]byte, string, error) {
	if err := os.RemoveAll(job.Out); err != nil {
		return nil, "", err
	}
	report, err := harness.Run(ctx, job)
	if err != nil {
		return nil, report.Output, err
	}
	files := map[string][]byte{}
	entries, err := os.ReadDir(job.Out)
	if err != nil {
		return nil, report.Output, err
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(job.Out, e.Name()))
		if err != nil {
			return nil, report.Output, err
		}
		files[e.Name()] = data
	}
	return files, report.Output, nil
}

func (r *result) addFault(format string, args ...any) {
	r.faults = append(r.faults, fmt.Sprintf(format, args...))
}

// addExit notes a run that failed, and returns its report. The end of what it said is shown where that is none.
func (r *result) addExit(how string, err error, output string) report {
	found, parseErr := harness.ParseReport([]byte(output))
	switch {
	case err == nil && parseErr == nil:
	case parseErr == nil:
		r.addFault("crdproof%s rejected the module", how)
	default:
		lines := strings.Split(strings.TrimSpace(output), "\n")
		r.addFault("crdproof%s failed: %v\n%s", how, err, strings.Join(lines[max(0, len(lines)-shownLines):], "\n"))
	}
	return found
}

// addCompat compares the bytes. One difference is shown for each case: the first tells most, and the rest repeat it.
func (r *result) addCompat(want, got map[string][]byte) {
	shown := false
	for _, name := range unionOfNames(want, got) {
		w, inWant := want[name]
		g, inGot := got[name]
		switch {
		case !inGot:
			r.addFault("missing %s", name)
		case !inWant:
			r.addFault("extra %s", name)
		case bytes.Equal(w, g):
			r.same++
		case shown:
			r.addFault("different %s", name)
		default:
			shown = true
			r.addFault("different %s\n%s", name, firstLines(diff.Diff("controller-gen", w, "crdproof", g)))
		}
	}
}

// addDeviations counts how far the output without compat differs.
func (r *result) addDeviations(want, got map[string][]byte) {
	e := effectOf(want, got)
	r.deviatingFiles, r.deviatingLines = e.files, e.lines
}

func unionOfNames(a, b map[string][]byte) []string {
	all := maps.Clone(a)
	if all == nil {
		all = map[string][]byte{}
	}
	maps.Copy(all, b)
	return slices.Sorted(maps.Keys(all))
}

// changedLines counts the lines that are gone and those that are new, wherever they stand.
func changedLines(before, after []byte) int {
	counts := map[string]int{}
	for line := range bytes.Lines(before) {
		counts[string(line)]--
	}
	for line := range bytes.Lines(after) {
		counts[string(line)]++
	}
	n := 0
	for _, count := range counts {
		n += max(count, -count)
	}
	return n
}

// shownLines is how much of a diff or of a failed run is worth showing.
const shownLines = 24

// firstLines cuts a diff down to its beginning, without its header.
func firstLines(unified []byte) string {
	_, hunks, _ := strings.Cut(string(unified), "\n@@ ")
	lines := strings.SplitAfterN("@@ "+hunks, "\n", shownLines+1)
	return strings.TrimRight(strings.Join(lines[:min(len(lines), shownLines)], ""), "\n")
}
