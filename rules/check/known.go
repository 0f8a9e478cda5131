package check

import (
	"slices"

	"github.com/crdproof/crdproof/diag"
)

// Known are findings that are not new: those of a baseline, or of an earlier revision. Several goroutines may use them.
type Known interface {
	// Has reports whether a finding is one of them, however many of its kind there are.
	Has(d diag.Diagnostic) bool
	// Split splits sorted findings into those that are new and those that are known.
	Split(found []diag.Diagnostic) (fresh, known []diag.Diagnostic)
	// Settle gets all that is known of a run, or of a part of it, once, and reports what is known but was not found.
	// judged reports whether the run would have found the findings of a check in a Go package or a file.
	Settle(known []diag.Diagnostic, judged func(unit, check string) bool) []diag.Diagnostic
	// Judged reports whether a run that reads files would have found what is in a unit: in one of the files, or in one
	// that no longer exists.
	Judged(files []*diag.Source, unit string) bool
}

// Split returns the findings that are new and those that are known, before Apply. What cannot be dropped is new, and so
// is what is ignored. A mistake that is a warning only because others like it are known is an error.
func (p *Policy) Split(found []diag.Diagnostic) (fresh, known []diag.Diagnostic) {
	if p.Known == nil {
		return found, nil
	}
	var candidates []diag.Diagnostic
	for _, d := range diag.Sort(found) {
		if p.mayKnow(d) {
			candidates = append(candidates, d)
		} else {
			fresh = append(fresh, d)
		}
	}
	others, known := p.Known.Split(candidates)
	for _, d := range others {
		if d.Forgiven {
			d.Severity, d.Fatal = diag.Error, true
		}
		fresh = append(fresh, d)
	}
	return diag.Sort(fresh), known
}

// mayKnow reports whether a finding may be one of those that are known: it has a place by which it is found again.
// Mistakes in silences are about what the findings are now.
func (p *Policy) mayKnow(d diag.Diagnostic) bool {
	isSilenced := func(s Silence) bool { return s.Covers(d) }
	return d.Span.IsValid() && d.Check != Ignore.ID && (d.Severity != diag.Note || p.Raises(d)) &&
		p.Checks.MayDrop(d) && !p.Ignores(d) && !slices.ContainsFunc(p.Silences, isSilenced)
}

// Forgives reports whether a mistake is known, so that it need not be an error.
func (p *Policy) Forgives(d diag.Diagnostic) bool { return p.Known != nil && p.Known.Has(d) }

// Judges reports whether findings are all that a run with the policy can have, so that what is missing is fixed.
func (p *Policy) Judges(found []diag.Diagnostic) bool { return !p.Partial && !diag.HasErrors(found) }

// SplitFiles returns the findings in files that are new, with those about what is known but was not found, and those
// that are known. It is called once for the files of a run, which is complete if it has found all that it can find.
func (p *Policy) SplitFiles(
	found []diag.Diagnostic, files []*diag.Source, isComplete bool,
) (fresh, known []diag.Diagnostic) {
	fresh, known = p.Split(found)
	isComplete = isComplete && !diag.HasErrors(fresh)
	return append(fresh, p.Settle(known, func(unit, _ string) bool {
		return isComplete && p.Known.Judged(files, unit)
	})...), known
}

// Settle reports what is known but was not found. It is called once for a run, or a part of it.
func (p *Policy) Settle(known []diag.Diagnostic, judged func(unit, check string) bool) []diag.Diagnostic {
	if p.Known == nil {
		return nil
	}
	return p.Known.Settle(known, func(unit, id string) bool {
		return !p.Ignores(diag.Diagnostic{Check: id}) && judged(unit, id)
	})
}
