package suite

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/objects/crds"
)

// Test runs all suites below a folder. If t is a *testing.T, each case is a subtest, so go test -run selects cases. The
// CRDs are those of the given files and directories; without any, Test looks for them near each suite (Options).
// Failures name the file and the line of the suite.
func Test(t testing.TB, folder string, files ...string) {
	t.Helper()
	sources, problems := Files().Sources(t.Context(), []string{filepath.Join(folder, "...")}, nil)
	if diag.HasErrors(problems) {
		t.Fatal(report(problems))
	}
	suites, found := ParseAll(t.Context(), sources)
	result := Run(t.Context(), suites, Options{Where: crds.Where{Files: files}})
	for _, d := range append(found, result.Problems...) {
		if d.Severity == diag.Error {
			t.Error(text(d))
		} else {
			t.Log(text(d))
		}
	}
	for i := range result.Outcomes {
		o := &result.Outcomes[i]
		if real, ok := t.(*testing.T); ok {
			real.Run(o.Name, func(t *testing.T) { o.report(t) })
		} else {
			o.report(t)
		}
	}
}

func (o *Outcome) report(t testing.TB) {
	t.Helper()
	if !o.Passed() {
		t.Error(report(o.Failures))
	}
	if len(o.Warnings) > 0 {
		t.Log(report(o.Warnings))
	}
}

func report(list []diag.Diagnostic) string {
	var out []string
	for _, d := range list {
		out = append(out, text(d))
	}
	return strings.Join(out, "\n")
}

// text formats a finding for go test.
func text(d diag.Diagnostic) string {
	if !d.Span.IsValid() {
		return withDetails(d.Message, d)
	}
	return withDetails(position(d)+": "+d.Message, d)
}

// withDetails returns a line followed by the notes and the help of a finding.
func withDetails(first string, d diag.Diagnostic) string {
	lines := append([]string{first}, d.Notes...)
	if d.HelpText != "" {
		lines = append(lines, "help: "+d.HelpText)
	}
	return strings.Join(lines, "\n")
}

// position returns the file and the line of a finding, "" if it has none.
func position(d diag.Diagnostic) string {
	if !d.Span.IsValid() {
		return ""
	}
	line, _ := d.Span.Source.Position(int(d.Span.Start))
	return fmt.Sprintf("%s:%d", input.Shown(d.Span.Source.Path), line)
}
