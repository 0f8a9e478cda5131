package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/testdata/parity/harness"
)

// A report is what crdproof finds, as --format=json writes it.
type report struct {
	Diagnostics []finding
}

type finding struct {
	File         string
	Line, Column int
	Severity     string
	Rule         string
	Message      string
}

// String is the finding on one line, as at a terminal.
func (f finding) String() string {
	return fmt.Sprintf("%s:%d:%d: %s: %s [%s]", f.File, f.Line, f.Column, f.Severity, f.Message, f.Rule)
}

// places counts the findings of a check.
func (r report) places(check string) (n int) {
	for _, f := range r.Diagnostics {
		if f.Rule == check {
			n++
		}
	}
	return n
}

// jsonReport asks crdproof for all findings, and for its deviations.
func jsonReport() []string { return []string{"--format=json", "--deviations"} }

// parseReport reads a report; ok is false where a run failed before it could write one.
func parseReport(output string) (r report, ok bool) {
	return r, json.Unmarshal([]byte(output), &r) == nil
}

// addDiagnostics sorts the findings of both runs into deviations, advice, known mistakes and alarms. A finding counts
// once, as what it is in the first run that has it.
func (r *result) addDiagnostics(known []harness.Mistake, advice map[string]int, runs ...report) {
	seen := map[string]bool{}
	found := make([]bool, len(known))
	for _, run := range runs {
		for _, f := range run.Diagnostics {
			place := strings.Replace(f.String(), ": "+f.Severity+":", ":", 1)
			if seen[place] {
				continue
			}
			seen[place] = true
			i := slices.IndexFunc(known, func(m harness.Mistake) bool { return m.Matches(f.String()) })
			switch {
			case f.Rule == "unproved": // the reasons are reported one by one
			case f.Severity == "note":
				r.deviations[f.Rule]++
			case i >= 0:
				found[i] = true
				r.known++
			case f.Severity == "error":
				r.errors++
				r.addFault("%s", f)
			case harness.IsAdvice(f.Rule):
				r.advice[f.Rule]++
			default:
				r.warnings++
				r.addFault("%s", f)
			}
		}
	}
	for i, m := range known {
		if !found[i] {
			r.addFault("not found: %s [%s], though %s", m.At, m.Rule, m.Why)
		}
	}
	if !maps.Equal(r.advice, advice) {
		r.addFault("advice %v, not %v", r.advice, advice)
	}
}
