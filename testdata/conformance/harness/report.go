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
	// Accepted, Rejected and Unreadable count the server's verdicts. What it cannot read it rejects, too.
	Accepted, Rejected, Unreadable int
	// verdicts count accepted and rejected by the operator that made the change, where there was one change.
	verdicts map[string][2]int
	// Disagreements are the mutations on which the verdicts differ, by number.
	Disagreements []outcome
}

func newReport(cfg Config) *Report { return &Report{cfg: cfg, verdicts: map[string][2]int{}} }

func (r *Report) add(o outcome) {
	rejected := 0
	switch {
	case o.server.Accepted:
		r.Accepted++
	case len(o.server.Causes) == 0:
		r.Unreadable++
		rejected = 1
	default:
		r.Rejected++
		rejected = 1
	}
	if len(o.mutation.Changes) == 1 {
		name := o.mutation.Changes[0].Operator
		n := r.verdicts[name]
		n[rejected]++
		r.verdicts[name] = n
	}
	if !o.agree {
		r.Disagreements = append(r.Disagreements, o)
	}
}

func (r *Report) merge(other *Report) {
	r.Accepted += other.Accepted
	r.Rejected += other.Rejected
	r.Unreadable += other.Unreadable
	for name, n := range other.verdicts {
		sum := r.verdicts[name]
		r.verdicts[name] = [2]int{sum[0] + n[0], sum[1] + n[1]}
	}
	r.Disagreements = append(r.Disagreements, other.Disagreements...)
	slices.SortFunc(r.Disagreements, func(a, b outcome) int { return a.mutation.Number - b.mutation.Number })
}

// Total is the number of mutations.
func (r *Report) Total() int { return r.Accepted + r.Rejected + r.Unreadable }

// Summary writes the counts.
func (r *Report) Summary(w io.Writer) {
	share := func(n int) string { return fmt.Sprintf("%d (%d %%)", n, n*100/max(1, r.Total())) }
	fmt.Fprintf(w, "seed %d: %d mutations of %d CRDs; the server accepts %s, rejects %s and cannot read %s; %d "+
		"disagreements\n", r.cfg.Seed,
		r.Total(), len(r.cfg.CRDs), share(r.Accepted), share(r.Rejected), share(r.Unreadable), len(r.Disagreements))
}

// Operators writes how often the server accepts and rejects what each operator makes.
func (r *Report) Operators(w io.Writer) {
	fmt.Fprintln(w, "accepted  rejected  single changes")
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
	return "rejected\n  " + strings.Join(sorted(reasons), "\n  ") + "\n"
}
