package harness

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// A Report is what came of a run.
type Report struct {
	cfg Config
	// Accepted, Refused and Unreadable count the server's verdicts. What it cannot read it refuses, too.
	Accepted, Refused, Unreadable int
	// verdicts count accepted and refused by the operator that made the change, where there was one change.
	verdicts map[string][2]int
	// Disagreements are the mutations on which the verdicts differ, by number.
	Disagreements []outcome
}

func newReport(cfg Config) *Report { return &Report{cfg: cfg, verdicts: map[string][2]int{}} }

func (r *Report) add(o outcome) {
	refused := 0
	switch {
	case o.server.Accepted:
		r.Accepted++
	case len(o.server.Causes) == 0:
		r.Unreadable++
		refused = 1
	default:
		r.Refused++
		refused = 1
	}
	if len(o.mutation.Changes) == 1 {
		name := o.mutation.Changes[0].Operator
		n := r.verdicts[name]
		n[refused]++
		r.verdicts[name] = n
	}
	if !o.agree {
		r.Disagreements = append(r.Disagreements, o)
	}
}

func (r *Report) merge(other *Report) {
	r.Accepted += other.Accepted
	r.Refused += other.Refused
	r.Unreadable += other.Unreadable
	for name, n := range other.verdicts {
		sum := r.verdicts[name]
		r.verdicts[name] = [2]int{sum[0] + n[0], sum[1] + n[1]}
	}
	r.Disagreements = append(r.Disagreements, other.Disagreements...)
	slices.SortFunc(r.Disagreements, func(a, b outcome) int { return a.mutation.Number - b.mutation.Number })
}

// Total is the number of mutations.
func (r *Report) Total() int { return r.Accepted + r.Refused + r.Unreadable }

// Summary writes the counts.
func (r *Report) Summary(w io.Writer) {
	share := func(n int) string { return fmt.Sprintf("%d (%d %%)", n, n*100/max(1, r.Total())) }
	fmt.Fprintf(w, "seed %d: %d mutations of %d CRDs; the server accepts %s, refuses %s and cannot read %s; %d "+
		"disagreements\n", r.cfg.Seed,
		r.Total(), len(r.cfg.CRDs), share(r.Accepted), share(r.Refused), share(r.Unreadable), len(r.Disagreements))
}

// Operators writes how often the server accepts and refuses what each operator makes.
func (r *Report) Operators(w io.Writer) {
	fmt.Fprintln(w, "accepted  refused  single changes")
	for _, name := range slices.Sorted(maps.Keys(r.verdicts)) {
		fmt.Fprintf(w, "%8d %8d  %s\n", r.verdicts[name][0], r.verdicts[name][1], name)
	}
}

// Details writes disagreements, at most so many, with all that is needed to see who is wrong.
func (r *Report) Details(w io.Writer, limit int) {
	for _, o := range r.Disagreements[:min(limit, len(r.Disagreements))] {
		fmt.Fprintf(w, "--- %sthe server: %scrdproof:   %s\n", o.mutation, verdict(reasons(o.server)), verdict(o.ours))
	}
	if n := len(r.Disagreements) - limit; n > 0 {
		fmt.Fprintf(w, "and %d more\n", n)
	}
}

func verdict(reasons []string) string {
	if len(reasons) == 0 {
		return "accepted\n"
	}
	return "refused\n  " + strings.Join(sorted(reasons), "\n  ") + "\n"
}
