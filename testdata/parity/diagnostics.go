package main

import (
	"regexp"
	"strings"

	"github.com/crdproof/crdproof/testdata/parity/harness"
)

// diagnosticLine is the first line of a diagnostic: an optional position, the severity, the rest.
var diagnosticLine = regexp.MustCompile(`^(\S.*:\d+:\d+: )?(error|warning): (.*)`)

// addDiagnostics sorts the diagnostics of both runs into known mistakes and alarms. A finding counts once, as what it is
// in the first run that has it.
func (r *result) addDiagnostics(known []harness.Mistake, outputs ...string) {
	seen := map[string]bool{}
	found := make([]bool, len(known))
	for line := range strings.Lines(strings.Join(outputs, "\n")) {
		match := diagnosticLine.FindStringSubmatch(strings.TrimSpace(line))
		if match == nil {
			continue
		}
		finding := match[1] + match[3]
		if seen[finding] {
			continue
		}
		seen[finding] = true
		switch i := indexMistake(known, line); {
		case i >= 0:
			found[i] = true
			r.known++
			continue
		case match[2] == "error":
			r.errors++
		default:
			r.warnings++
		}
		r.addFault("%s", match[0])
	}
	for i, m := range known {
		if !found[i] {
			r.addFault("not found: %s [%s], though %s", m.At, m.Rule, m.Why)
		}
	}
}

func indexMistake(known []harness.Mistake, line string) int {
	for i, m := range known {
		if m.Matches(line) {
			return i
		}
	}
	return -1
}
