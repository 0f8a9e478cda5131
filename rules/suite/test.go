package suite

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/generator/crds"
	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/input"
)

// Test runs all suites below a folder, each case as a test of its own where t is a *testing.T, so that go test -run
// selects them. The CRDs are those of the files and directories that follow; without any they are looked for beside
// each suite (Options). What is wrong is told with the file and the line of the suite.
func Test(t testing.TB, folder string, files ...string) {
	t.Helper()
	sources, problems := Files().Sources([]string{filepath.Join(folder, "...")}, nil)
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
			real.Run(o.Name, func(t *testing.T) { o.tell(t) })
		} else {
			o.tell(t)
		}
	}
}

func (o *Outcome) tell(t testing.TB) {
	t.Helper()
	if !o.Passed() {
		t.Error(report(o.Failures))
	}
}

func report(list []diag.Diagnostic) string {
	var out []string
	for _, d := range list {
		out = append(out, text(d))
	}
	return strings.Join(out, "\n")
}

// text is a finding as go test shows one: below the file and the line of Test's caller.
func text(d diag.Diagnostic) string {
	if !d.Span.IsValid() {
		return withDetails(d.Message, d)
	}
	return withDetails(position(d)+": "+d.Message, d)
}

// withDetails is a line with those of a finding's notes and help below it.
func withDetails(first string, d diag.Diagnostic) string {
	lines := append([]string{first}, d.Notes...)
	if d.HelpText != "" {
		lines = append(lines, "help: "+d.HelpText)
	}
	return strings.Join(lines, "\n")
}

// position is the file and the line of a finding, "" where it has none.
func position(d diag.Diagnostic) string {
	if !d.Span.IsValid() {
		return ""
	}
	line, _ := d.Span.Source.Position(int(d.Span.Start))
	return fmt.Sprintf("%s:%d", input.Shown(d.Span.Source.Path), line)
}
