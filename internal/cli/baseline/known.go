package baseline

import (
	"strconv"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/rules/check"
)

// Known are the findings of a file and those of an earlier revision, as a run takes them.
type Known struct {
	file  *File
	names *Namer
	// counts are those of the entries, earlier those of the revision, whose files are named from another directory.
	counts, earlier map[Key]int
	earlierNames    *Namer
}

var _ check.Known = (*Known)(nil)

// NewKnown returns the findings of a file, nil for none. Paths of files in it are relative to a directory.
func NewKnown(file *File, dir string) *Known {
	k := &Known{file: file, names: NewNamer(dir), counts: map[Key]int{}}
	if file != nil {
		for _, e := range file.Entries {
			k.counts[e.Key] = e.Count
		}
	}
	return k
}

// AddEarlier adds the findings of an earlier revision, as a Record of it has them. dir is the root of the repository.
func (k *Known) AddEarlier(r *Record, dir string) {
	k.earlier, k.earlierNames = r.found, NewNamer(dir)
}

// Has implements check.Known.
func (k *Known) Has(d diag.Diagnostic) bool {
	return k.file != nil && k.counts[k.names.Key(d)] > 0 ||
		k.earlier != nil && k.earlier[k.earlierNames.Key(d)] > 0
}

// Split implements check.Known.
func (k *Known) Split(found []diag.Diagnostic) (fresh, known []diag.Diagnostic) {
	take := func(list []diag.Diagnostic, counts map[Key]int, names *Namer) (rest []diag.Diagnostic) {
		taken := map[Key]int{}
		for _, d := range list {
			if key := names.Key(d); taken[key] < counts[key] {
				taken[key]++
				known = append(known, d)
			} else {
				rest = append(rest, d)
			}
		}
		return rest
	}
	fresh = found
	if k.file != nil {
		fresh = take(fresh, k.counts, k.names)
	}
	if k.earlier != nil {
		fresh = take(fresh, k.earlier, k.earlierNames)
	}
	return fresh, known
}

// Judged implements check.Known.
func (k *Known) Judged(files []*diag.Source, unit string) bool { return k.names.judged(files, unit) }

// Settle implements check.Known. It reports entries that match nothing any more, or less than they count.
func (k *Known) Settle(known []diag.Diagnostic, judged func(unit, check string) bool) (out []diag.Diagnostic) {
	if k.file == nil || !input.IsFile(k.file.Source) { // the change that fixes a finding cannot change a revision
		return nil
	}
	matched := map[Key]int{}
	for _, d := range diag.Sort(known) {
		matched[k.names.Key(d)]++
	}
	for _, e := range k.file.Entries {
		n := matched[e.Key]
		if n >= e.Count || !judged(e.judgedUnit(), e.Check) {
			continue
		}
		d := diag.Warningf(e.At, Stale, "no finding of %s matches this line any more", e.Check).
			Help("remove the line, or run the same command with --baseline=prune")
		if n > 0 {
			count := "write x" + strconv.Itoa(n)
			if n == 1 {
				count = "remove the count"
			}
			d = diag.Warningf(e.At, Stale, "expected %s of %s that this line matches, got %d",
				diag.Counted(e.Count, "finding"), e.Check, n).
				Help("%s, or run the same command with --baseline=prune", count)
		}
		out = append(out, d)
	}
	return out
}
