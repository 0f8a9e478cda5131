package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// A broken stream panics when it is read and fails when it is written.
type broken struct{}

func (broken) Read([]byte) (int, error) { panic("no such pipe") }

func (broken) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// TestBugIsReported makes sure that a panic in any command becomes a finding in the chosen format.
func TestBugIsReported(t *testing.T) {
	for _, args := range [][]string{
		{"check", "-"}, {"validate", "-"}, {"explain", "-"}, {"test", "-"}, {"check", "-", "--format=json"},
	} {
		var stdout, stderr bytes.Buffer
		code := run(t.Context(), args, broken{}, &stdout, &stderr)
		if got := stdout.String() + stderr.String(); code != exitFound ||
			strings.Count(got, "crdproof has a bug: no such pipe") != 1 {
			t.Errorf("%v: exit code %d\n%s", args, code, got)
		}
		if isJSON := strings.HasPrefix(stdout.String(), "{"); isJSON != (len(args) > 2) {
			t.Errorf("%v writes\n%s", args, stdout.String())
		}
	}
}

// TestUnwritable makes sure that every command fails if its output cannot be written, even its help.
func TestUnwritable(t *testing.T) {
	crd := filepath.Join(root(t), "testdata", "quickstart", "crd", "operations.example.com_maintenancenightlyjobs.yaml")
	sample := filepath.Join(t.TempDir(), "sample.yaml")
	text := "apiVersion: operations.example.com/v1\nkind: MaintenanceNightlyJob\nmetadata: {name: a}\n" +
		"spec: {command: ls}\n"
	if err := os.WriteFile(sample, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"check", crd}, {"check", "--help"}, {"--help"}, {"--version"}, {"crd", "-w"}, {"explain", crd},
		{"validate", "--crds=" + crd, sample}, {"check", crd, "--format=sarif"},
	} {
		var stderr bytes.Buffer
		if code := run(t.Context(), args, nil, broken{}, &stderr); code != exitUsage ||
			!strings.Contains(stderr.String(), "no space left") {
			t.Errorf("%v: exit code %d\n%s", args, code, stderr.String())
		}
	}
}

// TestHelpTexts makes sure that no help has verbs of fmt.
func TestHelpTexts(t *testing.T) {
	words := [][]string{{"--help"}, {"-hhh"}, {"-www"}}
	for _, t := range topics() {
		words = append(words, []string{"help", t.name})
	}
	for _, c := range new(cli).commands() {
		words = append(words, []string{c.Name(), "--help"})
	}
	for _, args := range words {
		var stdout, stderr bytes.Buffer
		if code := run(t.Context(), args, nil, &stdout, &stderr); code != exitClean {
			t.Errorf("%v: exit code %d\n%s", args, code, stderr.String())
		}
		for _, sign := range []string{"%%", "%!", "%s"} {
			if strings.Contains(stdout.String(), sign) {
				t.Errorf("%v prints %s", args, sign)
			}
		}
	}
}

// TestOverviewFits makes sure that the overview fits into a terminal of 80 columns and 24 lines, with a line to type
// in.
func TestOverviewFits(t *testing.T) {
	var out strings.Builder
	printOverview(&out)
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(lines) > 23 {
		t.Errorf("%d lines", len(lines))
	}
	for _, line := range lines {
		if n := utf8.RuneCountInString(line); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

// TestOutcome checks the wording of the line that ends a successful run.
func TestOutcome(t *testing.T) {
	for _, test := range []struct {
		outcome outcome
		want    string
	}{
		{outcome{}, "wrote no files"},
		{outcome{written: 1}, "wrote 1 file"},
		{outcome{written: 3, unchanged: 2}, "wrote 3 files, 2 unchanged"},
		{outcome{unchanged: 1}, "1 file unchanged"},
		{outcome{removed: 1, unchanged: 4}, "removed 1 file, 4 unchanged"},
		{outcome{written: 1, removed: 2, unchanged: 1}, "wrote 1 file, removed 2, 1 unchanged"},
		{outcome{printed: 2}, "printed 2 files"},
	} {
		if got := test.outcome.String(); got != test.want {
			t.Errorf("%+v: %q, want %q", test.outcome, got, test.want)
		}
	}
	for n, want := range map[int]string{1: "1 file is up to date", 5: "5 files are up to date"} {
		if got := upToDate(n); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
