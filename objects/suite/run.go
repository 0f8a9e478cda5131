package suite

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/stage"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/rules/kube"
)

// Options say which cases run, and against which CRDs.
type Options struct {
	// Where says where the CRDs under test are, and gets the progress of the run. By default, Run looks for them for
	// each suite: in the file that its key crd names, or else from its directory upwards, as package crds does.
	crds.Where
	// Kube is the version of the API server; the zero value is the newest.
	Kube kube.Minor
	// Selects reports whether to run a case, by its name (Outcome.Name); nil selects all.
	Selects func(name string) bool
}

// An Outcome is the result of a case.
type Outcome struct {
	Suite *Suite
	Case  *Case
	// Name consists of the name of the suite, onCreate or onUpdate, and the name of the case, separated by slashes. If
	// a suite runs against several files of a CRD, the file follows the name of the suite in brackets.
	Name string
	// Failures say why the case has failed; it has passed if there are none.
	Failures []diag.Diagnostic
	// Warnings are about a case that has passed, but may not test what it means to.
	Warnings []diag.Diagnostic
	// Updated is set if the case failed and Update has found what it should expect.
	Updated bool

	target *target
	seen   seen
}

// Passed reports whether the case has no failures.
func (o *Outcome) Passed() bool { return len(o.Failures) == 0 }

// A Report is the result of a run.
type Report struct {
	// Outcomes are in the order of the suites, then of CRDs, then of cases.
	Outcomes []Outcome
	// Problems are errors that prevent suites from running, and warnings, sorted.
	Problems []diag.Diagnostic
	// CRDs are those that the suites have tested, each once, in the order of the suites.
	CRDs []Used
	// Skipped counts the cases that were not selected.
	Skipped int

	targets []*target
	// skipped are the cases that were not selected.
	skipped []Outcome
	// updated counts the suites that Update has changed.
	updated int
	// ctx ends the run, and Cover after it; progress gets the progress of both.
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

// Findings returns the problems, all failures and all warnings, sorted.
func (r *Report) Findings() []diag.Diagnostic {
	out := slices.Clone(r.Problems)
	for i := range r.Outcomes {
		out = append(out, r.Outcomes[i].Failures...)
		out = append(out, r.Outcomes[i].Warnings...)
	}
	return diag.Sort(out)
}

// Run runs the suites, in parallel. Results are undefined after cancellation; check ctx.Err() first.
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
	// The CRD of one target is in memory only while its cases run.
	stage.Stream(ctx, opts.Progress, "running cases", len(report.targets), func(i int, run func(func())) {
		t := report.targets[i]
		if !t.serve(ctx, opts.Kube) {
			return
		}
		t.prepare(report)
		t.running.Store(int64(len(t.cases)))
		for _, i := range t.cases {
			run(func() {
				report.Outcomes[i].run(ctx)
				if t.running.Add(-1) == 0 {
					t.release()
				}
			})
		}
	})
	for _, t := range report.targets {
		report.Problems = append(report.Problems, t.found...)
	}
	report.Outcomes = slices.DeleteFunc(report.Outcomes, func(o Outcome) bool { return diag.HasErrors(o.target.found) })
	report.Problems = diag.Sort(report.Problems)
	return report
}

// serve sets the resource that answers the cases. It returns false, and sets found, if a server rejects the CRD.
func (t *target) serve(ctx context.Context, minor kube.Minor) bool {
	t.minor = minor
	if t.resource, t.found = t.crd.Serve(ctx, t.reduced(t.crd.Object)); t.resource == nil {
		return false
	}
	t.resource = t.resource.For(minor)
	return true
}

// use adds a target to the run.
func (r *Report) use(t *target) {
	if slices.Contains(r.targets, t) {
		return
	}
	r.targets = append(r.targets, t)
	if u := t.used(); !slices.Contains(r.CRDs, u) {
		r.CRDs = append(r.CRDs, u)
	}
}

// plan adds the selected cases of a suite to the run against a target. It reports whether the target is needed, which
// it is not if the suite has cases but none is selected.
func (r *Report) plan(s *Suite, t *target, several bool, selects func(string) bool) bool {
	name := s.Name
	if several {
		name = fmt.Sprintf("%s [%s]", name, filepath.Base(t.used().origin(false)))
	}
	isNeeded := len(s.Cases) == 0
	for _, c := range s.Cases {
		o := Outcome{Suite: s, Case: c, Name: name + "/" + c.list() + "/" + c.Name.V, target: t}
		if selects != nil && !selects(o.Name) {
			r.Skipped, r.skipped = r.Skipped+1, append(r.skipped, o)
			continue
		}
		t.cases = append(t.cases, len(r.Outcomes))
		r.Outcomes = append(r.Outcomes, o)
		isNeeded = true
	}
	return isNeeded
}
