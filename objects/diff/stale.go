package diff

import (
	"cmp"
	"fmt"

	"github.com/crdproof/crdproof/diag"
)

// Stale compares a report about files with one about the Go types of the same revisions. It returns an error for each
// CRD whose types have a change that the files do not have: the answers are about the files. The command compares the
// types.
func (r *Report) Stale(types *Report, command string) (out []diag.Diagnostic) {
	files := map[string]*Comparison{}
	for _, c := range r.Comparisons {
		files[c.Name] = c
	}
	for _, c := range types.Comparisons {
		other := files[c.Name]
		if other == nil || other.Old == nil || other.New == nil {
			continue
		}
		known := map[string]bool{}
		for _, d := range other.differences() {
			known[d.text] = true
		}
		var missing []difference
		for _, d := range c.differences() {
			if !known[d.text] {
				missing = append(missing, d)
			}
		}
		if len(missing) > 0 {
			out = append(out, other.stale(missing, command))
		}
	}
	return out
}

// A difference is a change or an addition.
type difference struct {
	text string
	at   diag.Span
}

func (c *Comparison) differences() (out []difference) {
	for i := range c.Changes {
		out = append(out, difference{c.Changes[i].text(c.Name), diag.Nearest(c.Changes[i].New, c.Changes[i].Old)})
	}
	for i := range c.Additions {
		a := &c.Additions[i]
		out = append(out, difference{lineOf(a.Versions, cmp.Or(a.Path, c.Name), a.Message), a.At})
	}
	return out
}

// stale returns the finding that the file of the new CRD lacks differences.
func (c *Comparison) stale(missing []difference, command string) diag.Diagnostic {
	more := ""
	if n := len(missing) - 1; n > 0 {
		more = fmt.Sprintf(", and %s", diag.Counted(n, "more change"))
	}
	return diag.Errorf(missing[0].at, stale,
		"the file of %s is stale: it does not have what has changed in the Go types: %s%s", c.Name,
		missing[0].text, more).
		See(c.New.At, "the file that is compared").
		Help("generate the CRDs again, or compare the types: %s", command)
}

// Unread returns the warning that the Go types could not be compared, for a reason.
func Unread(reason diag.Diagnostic) diag.Diagnostic {
	return diag.Warningf(reason.Span, stale, "the Go types have changed, and cannot be read to see whether the "+
		"files are stale: %s", reason.Message).Help("generate the CRDs again before you compare them")
}
