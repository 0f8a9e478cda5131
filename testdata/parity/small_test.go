package main

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/crdproof/crdproof/testdata/parity/harness"
	"github.com/rogpeppe/go-internal/diff"
)

var update = flag.Bool("update", false, "rewrite the expected CRD of the quickstart")

// TestSmall is parity on the modules that take about a second, on a generated tree and on the quickstart; `make parity`
// runs all modules. It is one test because the binaries are built for it.
func TestSmall(t *testing.T) {
	work := t.TempDir()
	tools, err := harness.Build(t.Context(), ".", work, os.Getenv("CRDPROOF"))
	if err != nil {
		t.Fatal(err)
	}
	t.Run("quickstart", func(t *testing.T) { testQuickstart(t, tools, work) })
	t.Run("kinds", func(t *testing.T) { testKinds(t, tools, work) })
	t.Run("karpenter", func(t *testing.T) { testKarpenter(t, tools, work) })
	t.Run("annotation", func(t *testing.T) {
		if err := checkAnnotation(t.Context(), tools, ".", work, harness.Cases()[0]); err != nil {
			t.Error(err)
		}
	})
	for _, c := range harness.Cases() {
		if c.Small {
			t.Run(c.Name, func(t *testing.T) { testCase(t, tools, c.WorkDir("."), work, c) })
		}
	}
}

// testCase fails for each fault that parity would print.
func testCase(t *testing.T, tools harness.Tools, dir, work string, c harness.Case) result {
	r, err := compareCase(t.Context(), tools, dir, work, c, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range r.faults {
		t.Error(fault)
	}
	if r.files == 0 {
		t.Error("controller-gen wrote no files")
	}
	return r
}

// testKinds is parity on a generated tree, which has markers that no real module puts together.
func testKinds(t *testing.T, tools harness.Tools, work string) {
	tree := filepath.Join(work, "tree")
	if out, err := exec.Command("go", "run", "./kinds", "42", tree).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	r := testCase(t, tools, tree, work, harness.Case{Name: "kinds", Paths: "./..."})
	if r.files != 42 {
		t.Errorf("%d files of 42", r.files)
	}
}

// testQuickstart compares the CRD next to the quickstart with crdproof's, and crdproof under compat with
// controller-gen.
func testQuickstart(t *testing.T, tools harness.Tools, work string) {
	const name = "operations.example.com_maintenancenightlyjobs.yaml"
	run := func(tool, dir string, options ...string) []byte {
		files, output, err := runJob(t.Context(), harness.Job{
			Tool:    tool,
			Dir:     filepath.Join(harness.RepoDir("."), "testdata", "quickstart"),
			Options: append([]string{"omitToolVersion=true"}, options...),
			Paths:   "./...",
			Out:     filepath.Join(work, "quickstart", dir),
		})
		if err != nil || output != "" || len(files) != 1 {
			t.Fatalf("%s: %d files, %v\n%s", dir, len(files), err, output)
		}
		return files[name]
	}
	theirs, compat := run(tools.ControllerGen, "controller-gen"), run(tools.Crdproof, "compat", "compat=controller-gen")
	if !bytes.Equal(theirs, compat) {
		t.Errorf("%s", diff.Diff("controller-gen", theirs, "crdproof", compat))
	}
	golden := filepath.Join("..", "quickstart", "crd", name)
	got := run(tools.Crdproof, "default")
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s", diff.Diff(golden, want, "crdproof", got))
	}
}

// TestCounting holds the arithmetic of a row, which a run without any difference would never show to be wrong.
func TestCounting(t *testing.T) {
	want := map[string][]byte{"a": []byte("1\n2\n3\n"), "b": []byte("1\n"), "c": []byte("1\n")}
	got := map[string][]byte{"a": []byte("1\nx\n3\n"), "b": []byte("1\n"), "d": []byte("1\n2\n")}

	var r result
	r.addCompat(want, got)
	r.addDeviations(want, got)
	if r.same != 1 || len(r.faults) != 3 {
		t.Errorf("same %d, want 1; faults %q, want 3", r.same, r.faults)
	}
	if r.deviatingFiles != 3 || r.deviatingLines != 2+1+2 {
		t.Errorf("%d lines in %d files deviate, want 5 in 3", r.deviatingLines, r.deviatingFiles)
	}

	known := []harness.Mistake{{At: "x/b.go:1:2", Check: "z"}, {At: "x/b.go:9:2", Check: "z", Why: "it is one"}}
	r = result{deviations: map[string]int{}, advice: map[string]int{}}
	in := func(file, severity, check string) harness.Finding {
		return harness.Finding{File: file, Line: 1, Column: 2, Severity: severity, Check: check, Message: "bad"}
	}
	r.addDiagnostics(known, map[string]int{"json-null": 1},
		report{in("/x/a.go", "error", "x"), in("", "warning", "y"), in("/x/b.go", "error", "z"),
			in("/x/a.go", "note", "deviation"), in("/x/c.go", "warning", "json-null")},
		report{in("/x/a.go", "warning", "x")})
	if r.errors != 1 || r.warnings != 1 || r.known != 1 || r.deviations["deviation"] != 1 || len(r.faults) != 3 {
		t.Errorf("diagnostics: %+v", r)
	}
}
