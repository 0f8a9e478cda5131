package baseline

import (
	"maps"
	"slices"
	"sync"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/check"
)

// A Record takes all findings of a run for known, and makes entries of them.
type Record struct {
	mu    sync.Mutex // of what Settle changes
	names *Namer
	found map[Key]int
	// judged reports whether the run would have found the findings of a check in a unit; nil before Settle.
	judged func(unit, check string) bool
}

var _ check.Known = (*Record)(nil)

// NewRecord returns a record of a run. Paths of files in it are relative to a directory.
func NewRecord(dir string) *Record { return &Record{names: NewNamer(dir), found: map[Key]int{}} }

// Has implements check.Known.
func (r *Record) Has(diag.Diagnostic) bool { return true }

// Split implements check.Known.
func (r *Record) Split(found []diag.Diagnostic) (fresh, known []diag.Diagnostic) { return nil, found }

// Judged implements check.Known.
func (r *Record) Judged(files []*diag.Source, unit string) bool { return r.names.judged(files, unit) }

// Settle implements check.Known. It names the findings while their files are there.
func (r *Record) Settle(known []diag.Diagnostic, judged func(unit, check string) bool) []diag.Diagnostic {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, d := range diag.Sort(known) {
		r.found[r.names.Key(d)]++
	}
	before := r.judged
	r.judged = func(unit, check string) bool {
		return judged(unit, check) || before != nil && before(unit, check)
	}
	return nil
}

// IsComplete reports whether the run has come to an end, so that its findings are known.
func (r *Record) IsComplete() bool { return r.judged != nil }

// isJudged reports whether the run decides what is left of an entry.
func (r *Record) isJudged(e Entry) bool { return r.judged != nil && r.judged(e.judgedUnit(), e.Check) }

// Written returns the entries that a file has after --baseline=write: the findings of the run, and entries of before
// about what the run has not read.
func (r *Record) Written(before []Entry) (out []Entry) {
	counts := maps.Clone(r.found)
	for _, e := range before {
		if !r.isJudged(e) {
			counts[e.Key] = max(counts[e.Key], e.Count)
		}
	}
	for key, n := range counts {
		out = append(out, Entry{Key: key, Count: n})
	}
	slices.SortFunc(out, func(a, b Entry) int { return compareKeys(a.Key, b.Key) })
	return out
}

// Pruned returns the entries that a file has after --baseline=prune: those of before, without what is no longer found.
func (r *Record) Pruned(before []Entry) (out []Entry) {
	for _, e := range before {
		if r.isJudged(e) {
			e.Count = min(e.Count, r.found[e.Key])
		}
		if e.Count > 0 {
			out = append(out, e)
		}
	}
	return out
}

// Added counts the findings in entries that were not in those of before.
func Added(before, after []Entry) (n int) {
	counts := map[Key]int{}
	for _, e := range before {
		counts[e.Key] = e.Count
	}
	for _, e := range after {
		n += max(0, e.Count-counts[e.Key])
	}
	return n
}
