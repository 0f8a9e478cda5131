package suitetest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// Run runs the suites in a file, a directory, or a tree such as ./tests/... , and reports each case as a subtest, so
// that go test -run selects cases. Flags are those of crdproof test, such as --crds=../config/crd/bases. Paths are
// relative to the directory of the test.
//
// The first of these is the program that runs:
//
//  1. the program that the environment variable CRDPROOF_TOOL names, by its path or by its name in PATH
//  2. go tool -modfile=tools.mod crdproof, if tools.mod is next to go.mod and has the tool; with a vendor directory,
//     which go tool compares with tools.mod, it is go run. If GOTOOLCHAIN permits it, the go command fetches the Go
//     version that tools.mod requires.
//  3. go tool crdproof, if go.mod has the tool
//
// The test fails if there is none, if a suite cannot be read, and if there are no cases.
func Run(t *testing.T, suites string, flags ...string) {
	t.Helper()
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	command, err := tool(root)
	if err != nil {
		t.Fatal(err)
	}
	if err := readInputs(root); err != nil {
		t.Fatalf("cannot read the module: %v", err)
	}
	words := append(command.words, "test", "--format=json")
	words = append(append(words, flags...), "--", suites)
	out := start(t, words, command.env)
	out.log(t)
	out.report(t)
}

// grace is the part of the time until the deadline of go test that remains for the report: one of so many parts.
const grace = 10

// start runs the program and returns what it prints.
func start(t *testing.T, words, env []string) *report {
	t.Helper()
	ctx := contextOf(t)
	if end, ok := t.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, end.Add(-time.Until(end)/grace))
		defer cancel()
	}
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Cancel = func() error {
		if err := cmd.Process.Signal(os.Interrupt); err != nil { // as on Windows
			return cmd.Process.Kill()
		}
		return nil
	}
	cmd.WaitDelay = time.Second // then it is killed
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if text := strings.TrimSpace(stderr.String()); text != "" {
		t.Log(text)
	}
	line := strings.Join(words, " ")
	switch exit := new(exec.ExitError); {
	case ctx.Err() != nil:
		t.Fatalf("%s: not ended before the deadline of go test, which -timeout sets: %v", line, ctx.Err())
	case err != nil && !errors.As(err, &exit):
		t.Fatalf("%s: %v", line, err)
	}
	out := new(report)
	switch wrong := json.Unmarshal(stdout.Bytes(), out); {
	case stdout.Len() == 0:
		t.Fatalf("%s: no output: %v", line, err)
	case wrong != nil:
		t.Fatalf("%s: expected the JSON of crdproof test: %v\n%s", line, wrong, stdout.String())
	}
	if out.Cases == nil && out.Errors == 0 {
		t.Fatalf("%s: this version of crdproof does not report cases; upgrade it with\n\t%s", line, upgrade)
	}
	return out
}

// contextOf returns the context of a test, which tests have since Go 1.24.
func contextOf(t *testing.T) context.Context {
	if c, ok := any(t).(interface{ Context() context.Context }); ok {
		return c.Context()
	}
	return context.Background()
}

// A report is the part of the format JSON of crdproof test that Run reads.
type report struct {
	Findings []finding `json:"findings"`
	Errors   int       `json:"errors"`
	Cases    []struct {
		place
		Name   string `json:"name"`
		Result string `json:"result"`
	} `json:"cases"`
}

type finding struct {
	place
	Severity string   `json:"severity"`
	Check    string   `json:"check"`
	Message  string   `json:"message"`
	Case     string   `json:"case"`
	Notes    []string `json:"notes"`
	Help     string   `json:"help"`
	Related  []struct {
		place
		Message string `json:"message"`
	} `json:"related"`
	// Places are further findings of the same cause.
	Places []finding `json:"places"`
}

type place struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// log reports the findings that belong to no case: errors fail the test.
func (r *report) log(t *testing.T) {
	t.Helper()
	for _, f := range r.of("") {
		f.report(t)
	}
}

// report reports the cases as subtests.
func (r *report) report(t *testing.T) {
	t.Helper()
	if len(r.Cases) == 0 && r.Errors == 0 {
		t.Error("no cases")
	}
	for _, c := range r.Cases {
		t.Run(c.Name, func(t *testing.T) {
			t.Helper()
			for _, f := range r.of(c.Name) {
				f.report(t)
			}
			switch c.Result {
			case "skipped":
				t.Skipf("%sskipped by the flag --run", c.place)
			case "updated":
				t.Logf("%supdated", c.place)
			case "failed":
				t.Errorf("%sthe case failed", c.place)
			}
		})
	}
}

// of returns the findings about a case, or those about none.
func (r *report) of(name string) (out []finding) {
	for _, f := range r.Findings {
		for _, f := range append([]finding{f}, f.Places...) {
			if f.Case == name {
				out = append(out, f)
			}
		}
	}
	return out
}

// report fails a test for an error, and logs other findings.
func (f finding) report(t *testing.T) {
	t.Helper()
	if f.Severity == "error" {
		t.Error(f)
	} else {
		t.Log(f)
	}
}

// String returns the finding with its positions and its help.
func (f finding) String() string {
	message := f.Message
	if f.Case != "" {
		message = strings.TrimPrefix(message, f.Case+": ") // the subtest has the name
	}
	lines := append([]string{fmt.Sprintf("%s%s: %s [%s]", f.place, f.Severity, message, f.Check)}, f.Notes...)
	for _, other := range f.Related {
		lines = append(lines, fmt.Sprintf("%s%s", other.place, other.Message))
	}
	if f.Help != "" {
		lines = append(lines, "help: "+f.Help)
	}
	return strings.Join(lines, "\n")
}

// String returns the position before a message, "" for no position.
func (p place) String() string {
	switch {
	case p.File == "":
		return ""
	case p.Line == 0:
		return p.File + ": "
	}
	return fmt.Sprintf("%s:%d:%d: ", p.File, p.Line, p.Column)
}
