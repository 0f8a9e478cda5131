package harness

import (
	"encoding/json"
	"fmt"
	"regexp"
)

var number = regexp.MustCompile(`[0-9][0-9,.]*`)

// A Finding is one place of a finding, as --format=json writes it.
type Finding struct {
	File         string
	Line, Column int
	Severity     string
	Check        string
	Message      string
}

// String is the finding on one line, as at a terminal.
func (f Finding) String() string {
	return fmt.Sprintf("%s:%d:%d: %s: %s [%s]", f.File, f.Line, f.Column, f.Severity, f.Message, f.Check)
}

// ParseReport reads the findings of a report: findings that are joined count once for each place. Sizes are left out of
// messages, since any marker and option changes them a little.
func ParseReport(output []byte) ([]Finding, error) {
	var report struct {
		Findings []struct {
			Finding
			Places []Finding
		}
	}
	if err := json.Unmarshal(output, &report); err != nil {
		return nil, err
	}
	findings := make([]Finding, 0, len(report.Findings))
	for _, f := range report.Findings {
		findings = append(append(findings, f.Finding), f.Places...)
	}
	for i, f := range findings {
		if f.Check == "crd-size" {
			findings[i].Message = number.ReplaceAllString(f.Message, "n")
		}
	}
	return findings, nil
}
