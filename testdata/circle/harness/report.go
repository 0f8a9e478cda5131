package harness

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/testdata/circle/source"
)

// A Report is what came of a run.
type Report struct {
	cfg                     Config
	Types, Rejected         int
	Values, Mutations       int
	Accepted, Readable      int
	Alarms                  int
	Lenient                 map[string]int
	RejectedBy, AnnouncedBy map[string]int
	Failures                []Failure
	failuresByClassAndShape map[string]int
}

func newReport(cfg Config, results []result) *Report {
	r := &Report{cfg: cfg, Types: len(results), Lenient: map[string]int{}, RejectedBy: map[string]int{},
		AnnouncedBy:             map[string]int{},
		failuresByClassAndShape: map[string]int{}}
	for _, one := range results {
		if len(one.rejected) > 0 {
			r.Rejected++
		}
		for rule := range one.rejected {
			r.RejectedBy[rule]++ // kinds, not diagnostics
		}
		for rule, n := range one.announced {
			r.AnnouncedBy[rule] += n
		}
		r.Values += one.values
		r.Mutations += one.mutations
		r.Accepted += one.accepted
		r.Readable += one.readable
		r.Alarms += one.alarms
		for reason, n := range one.lenient {
			r.Lenient[reason] += n
		}
		r.Failures = append(r.Failures, one.failures...)
	}
	for _, f := range r.Failures {
		r.failuresByClassAndShape[f.group()]++
	}
	return r
}

// group is what failures are counted by.
func (f Failure) group() string { return f.Class + ": " + cmp.Or(f.Shape, "(other)") }

// Summary writes counts.
func (r *Report) Summary(w io.Writer) {
	fmt.Fprintf(w, "seed %d: %d types, %d of them rejected; %d values, %d mutations, of which the server accepts %d "+
		"and Go reads %d; %d warnings\n",
		r.cfg.Seed, r.Types, r.Rejected, r.Values, r.Mutations, r.Accepted, r.Readable, r.Alarms)
	counts(w, "what no schema forbids", r.Lenient)
	counts(w, "types rejected, by rule", r.RejectedBy)
	counts(w, "findings announced by a warning, by rule", r.AnnouncedBy)
	counts(w, "failures, by class and shape", r.failuresByClassAndShape)
}

func counts(w io.Writer, title string, m map[string]int) {
	if len(m) == 0 {
		return
	}
	fmt.Fprintf(w, "%s:\n", title)
	for _, name := range slices.SortedFunc(maps.Keys(m),
		func(a, b string) int { return cmp.Or(m[b]-m[a], strings.Compare(a, b)) }) {
		fmt.Fprintf(w, "  %6d %s\n", m[name], name)
	}
}

// Details writes the smallest failure of each class and shape, at most so many, with all that is needed to see what is
// wrong.
func (r *Report) Details(w io.Writer, limit int) {
	smallest := map[string]Failure{}
	for _, f := range r.Failures {
		if s, ok := smallest[f.group()]; !ok || len(f.Kind.Source) < len(s.Kind.Source) {
			smallest[f.group()] = f
		}
	}
	for i, group := range slices.Sorted(maps.Keys(smallest)) {
		if i == limit {
			fmt.Fprintf(w, "and %d more\n", len(smallest)-limit)
			return
		}
		f := smallest[group]
		fmt.Fprintf(w, "--- %s (%d)\nkind %s of seed %d, value %d, mutation %d\nat %s: %s\n", group,
			r.failuresByClassAndShape[group],
			f.Kind.Name, r.cfg.Seed, f.Value, f.Mutation, strings.Join(f.Path, "."), f.Said)
		if len(f.JSON) > 0 {
			fmt.Fprintf(w, "JSON: %s\n", f.JSON)
		}
		if f.Schema != "" {
			fmt.Fprintf(w, "schema:\n%s", indented(f.Schema))
		}
		fmt.Fprintf(w, "Go:\n%s\n", indented(r.goOf(f)))
	}
}

// goOf is what matters of a failure's source, and all of it where only one kind was asked for.
func (r *Report) goOf(f Failure) string {
	if file, err := source.Locate(f.Kind); err == nil && r.Types > 1 {
		if text := file.Excerpt(f.Kind, f.Path); text != "" {
			return text
		}
	}
	return declarations(f.Kind.Source) + "\n" + f.Kind.Helper
}

func indented(s string) string {
	return "    " + strings.ReplaceAll(strings.TrimSpace(s), "\n", "\n    ") + "\n"
}

// declarations is a kind's source without its first lines, which are those of every kind.
func declarations(src string) string {
	if _, rest, ok := strings.Cut(src, "is what it is about.\n"); ok {
		return rest
	}
	return src
}
