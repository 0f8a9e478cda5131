// Package histories compares the CRDs of releases of real projects with those of the next releases.
package histories

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/objects/diff"
	"github.com/crdproof/crdproof/objects/write"
	"github.com/crdproof/crdproof/rules/kube"
)

// A Pair is the file of a CRD in a release, and in the next one.
type Pair struct{ Old, New string }

// Pairs reads a list of pairs: two paths in each line, separated by a tab and relative to the list.
func Pairs(list string) (out []Pair, err error) {
	data, err := os.ReadFile(list)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(data)) {
		old, now, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			return nil, fmt.Errorf("%s: expected two paths, got %q", list, line)
		}
		now, _, _ = strings.Cut(now, "\t")
		out = append(out, Pair{filepath.Join(filepath.Dir(list), old), filepath.Join(filepath.Dir(list), now)})
	}
	return out, nil
}

// A Result counts answers.
type Result struct {
	Pairs int
	// Answers are the numbers of pairs by question and answer.
	Answers [6][3]int
	// Findings is the number of findings, Unknown are those whose answer is unknown.
	Findings int
	Unknown  []string
	// Lines are the lines that a release takes, by its directory.
	Lines map[string]int
	// Compared and Validated are the times for comparing the pairs, and for validating both of their CRDs with the API
	// server's code.
	Compared, Validated, Slowest time.Duration
	// Slow is the pair that took longest.
	Slow Pair
}

// Compare compares pairs of files with one CRD each.
func Compare(ctx context.Context, pairs []Pair) (out Result, err error) {
	releases := map[string]*diff.Report{}
	for _, p := range pairs {
		old, err := read(ctx, p.Old)
		if err != nil {
			return out, err
		}
		now, err := read(ctx, p.New)
		if err != nil {
			return out, err
		}
		start := time.Now()
		c, err := diff.Compare(ctx, old, now, kube.Range{})
		if err != nil {
			return out, fmt.Errorf("%s: %w", p.New, err)
		}
		took := time.Since(start)
		if out.Compared += took; took > out.Slowest {
			out.Slowest, out.Slow = took, p
		}
		start = time.Now()
		for _, crd := range []crds.CRD{old, now} {
			// Old releases may have CRDs that today's servers reject. Finding that takes as long.
			_, _ = write.New(ctx, crd.Object)
		}
		out.Validated += time.Since(start)
		out.add(p, c)
		release := filepath.Dir(p.New)
		if releases[release] == nil {
			releases[release] = &diff.Report{}
		}
		releases[release].Comparisons = append(releases[release].Comparisons, c)
	}
	out.Lines = map[string]int{}
	for release, report := range releases {
		out.Lines[release] = lines(report)
	}
	return out, nil
}

// lines returns the number of lines that crdproof diff prints by default.
func lines(report *diff.Report) int {
	var out strings.Builder
	policy := &diff.Policy{Fail: diff.ClassCreate}
	report.WriteSummary(&out, policy)
	opts := diag.TextOptions{Max: 15, Brief: func(string) bool { return true }}
	_ = diag.Text(&out, report.Findings(policy, diff.Detail{}), opts) // a Builder does not fail
	report.WriteText(&out, diff.Detail{})
	return strings.Count(out.String(), "\n")
}

func (r *Result) add(p Pair, c *diff.Comparison) {
	r.Pairs++
	for _, q := range diff.Questions() {
		r.Answers[q][c.Answer(q)]++
	}
	for _, change := range c.Changes {
		r.Findings += len(change.Findings)
		for _, f := range change.Findings {
			if f.Answer == diff.Unknown {
				r.Unknown = append(r.Unknown,
					fmt.Sprintf("%s %s: %s: %s: %s", p.New, change.Path, f.Question, change.Message, f.Reason))
			}
		}
	}
}

// Undecided is the share of unknown answers.
func (r *Result) Undecided() float64 {
	n := 0
	for _, q := range diff.Questions() {
		n += r.Answers[q][diff.Unknown]
	}
	return float64(n) / float64(max(1, r.Pairs*len(diff.Questions())))
}

// WriteText writes the result as a table.
func (r *Result) WriteText(w io.Writer) {
	for _, line := range r.Unknown {
		fmt.Fprintln(w, line)
	}
	fmt.Fprintln(w, "| Question | yes | no | unknown |\n|---|---|---|---|")
	for _, q := range diff.Questions() {
		a := r.Answers[q]
		fmt.Fprintf(w, "| %s | %d | %d | %d |\n", q, a[diff.Yes], a[diff.No], a[diff.Unknown])
	}
	per := func(d time.Duration) time.Duration {
		return (d / time.Duration(max(1, r.Pairs))).Round(time.Millisecond)
	}
	fmt.Fprintf(w, "%d pairs, %.1f %% unknown; %s a pair, %s at most (%s); validating both CRDs takes %s\n", r.Pairs,
		100*r.Undecided(), per(r.Compared), r.Slowest.Round(time.Millisecond), r.Slow.New, per(r.Validated))
	all := slices.Sorted(maps.Values(r.Lines))
	fmt.Fprintf(w, "%d of %d findings unknown; %d lines a release in the median, %d at most\n", len(r.Unknown), r.Findings,
		all[len(all)/2], all[len(all)-1])
}

func read(ctx context.Context, file string) (crds.CRD, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return crds.CRD{}, err
	}
	list, found := crds.Read(ctx, []*diag.Source{{Path: file, Data: data, Syntax: diag.YAML}}, nil)
	if len(list) != 1 {
		return crds.CRD{}, fmt.Errorf("%s: expected one CRD, got %d (%v)", file, len(list), found)
	}
	return list[0], nil
}
