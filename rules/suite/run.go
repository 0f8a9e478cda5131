package suite

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/crdproof/crdproof/generator/crds"
	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/stage"
)

// Options say which cases are run, and against which CRDs.
type Options struct {
	// Where says where the CRDs under test are, and is told how far the run has come. The zero value has them looked
	// for, for each suite: in the file that its key crd names, or else from its directory upwards, where package crds
	// looks for them.
	crds.Where
	// Selects reports whether a case is to be run, by its name (Outcome.Name); nil selects all.
	Selects func(name string) bool
}

// An Outcome is what came of a case.
type Outcome struct {
	Suite *Suite
	Case  *Case
	// Name is that of the suite, onCreate or onUpdate, and that of the case, with slashes between. Where a suite is run
	// for several CRDs, the file of the CRD follows the name of the suite in brackets.
	Name string
	// Failures say why the case has failed; it has passed where there are none.
	Failures []diag.Diagnostic
	// Updated is set where the case failed, and Update has found what it should expect.
	Updated bool

	target *target
	seen   seen
}

// Passed reports whether the case has shown what it was to show.
func (o *Outcome) Passed() bool { return len(o.Failures) == 0 }

// A Report is what came of a run.
type Report struct {
	// Outcomes are in the order of the suites, and in each of its CRDs and cases.
	Outcomes []Outcome
	// Problems are what keeps suites from being run, and warnings, sorted.
	Problems []diag.Diagnostic
	// CRDs are those that the suites were run against, each once, in the order of the suites.
	CRDs []Used
	// Skipped counts the cases that were not selected.
	Skipped int

	targets []*target
	// updated counts the suites that Update has changed.
	updated int
	// ctx ends the run, and Cover after it; progress is told of both.
	ctx      context.Context
	progress stage.Progress
}

// Count returns how many cases have passed, and how many have failed.
func (r *Report) Count() (passed, failed int) {
	for i := range r.Outcomes {
		if r.Outcomes[i].Passed() {
			passed++
		} else {
			failed++
		}
	}
	return passed, failed
}

// Findings are the problems and all failures, sorted.
func (r *Report) Findings() []diag.Diagnostic {
	out := slices.Clone(r.Problems)
	for i := range r.Outcomes {
		out = append(out, r.Outcomes[i].Failures...)
	}
	return diag.Sort(out)
}

// Run runs the suites, in parallel. Where the context ends, outcomes mean nothing.
func Run(ctx context.Context, suites []*Suite, opts Options) *Report {
	report := &Report{ctx: ctx, progress: opts.Progress}
	finder := finder{ctx: ctx, where: opts.Where, pools: map[string]*pool{}, gates: gateTable{}}
	for _, s := range suites {
		targets, problems := finder.targets(s)
		report.Problems = append(report.Problems, problems...)
		for _, t := range targets {
			if report.plan(s, t, len(targets) > 1, opts.Selects) {
				report.use(t)
			}
		}
	}
	stage.Run(ctx, opts.Progress, "proving CRDs", len(report.targets), func(i int) {
		t := report.targets[i]
		t.resource, t.found = t.crd.Serve(ctx, t.reduced(t.crd.Object))
	})
	for _, t := range report.targets {
		report.Problems = append(report.Problems, t.found...)
	}
	report.Outcomes = slices.DeleteFunc(report.Outcomes, func(o Outcome) bool { return o.target.resource == nil })
	stage.Run(ctx, opts.Progress, "running cases", len(report.Outcomes), func(i int) { report.Outcomes[i].run(ctx) })
	report.Problems = diag.Sort(report.Problems)
	return report
}

// use notes that a target is one of the run.
func (r *Report) use(t *target) {
	if slices.Contains(r.targets, t) {
		return
	}
	r.targets = append(r.targets, t)
	if u := t.used(); !slices.Contains(r.CRDs, u) {
		r.CRDs = append(r.CRDs, u)
	}
}

// plan notes the cases of a suite that are to be run against a target, and reports whether the target is needed: not
// where cases are selected, and none of these.
func (r *Report) plan(s *Suite, t *target, several bool, selects func(string) bool) bool {
	name := s.Name
	if several {
		name = fmt.Sprintf("%s [%s]", name, filepath.Base(t.used().origin(false)))
	}
	isNeeded := len(s.Cases) == 0
	for _, c := range s.Cases {
		o := Outcome{Suite: s, Case: c, Name: name + "/" + c.list() + "/" + c.Name.V, target: t}
		if selects != nil && !selects(o.Name) {
			r.Skipped++
			continue
		}
		r.Outcomes = append(r.Outcomes, o)
		isNeeded = true
	}
	return isNeeded
}
