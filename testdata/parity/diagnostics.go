package main

import (
	"maps"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/testdata/parity/harness"
)

// A report is the places of what crdproof finds in one run.
type report []harness.Finding

// places counts the findings of a check.
func (r report) places(check string) (n int) {
	for _, f := range r {
		if f.Check == check {
			n++
		}
	}
	return n
}

// jsonReport asks crdproof for all findings, and for its deviations.
func jsonReport() []string { return []string{"--format=json", "--all", "--deviations"} }

// addDiagnostics sorts the findings of both runs into deviations, advice, known mistakes and alarms. A finding counts
// once, as what it is in the first run that has it.
func (r *result) addDiagnostics(known []harness.Mistake, advice map[string]int, runs ...report) {
	seen := map[string]bool{}
	found := make([]bool, len(known))
	for _, run := range runs {
		for _, f := range run {
			place := strings.Replace(f.String(), ": "+f.Severity+":", ":", 1)
			if seen[place] {
				continue
			}
			seen[place] = true
			i := slices.IndexFunc(known, func(m harness.Mistake) bool { return m.Matches(f.String()) })
			switch {
			case f.Check == "unproved": // the reasons are reported one by one
			case f.Severity == "note":
				r.deviations[f.Check]++
			case i >= 0:
				found[i] = true
				r.known++
			case f.Severity == "error":
				r.errors++
				r.addFault("%s", f)
			case harness.IsAdvice(f.Check):
				r.advice[f.Check]++
			default:
				r.warnings++
				r.addFault("%s", f)
			}
		}
	}
	for i, m := range known {
		if !found[i] {
			r.addFault("not found: %s [%s], though %s", m.At, m.Check, m.Why)
		}
	}
	if !maps.Equal(r.advice, advice) {
		r.addFault("advice %v, not %v", r.advice, advice)
	}
}
