package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/cli/lint"
	"github.com/crdproof/crdproof/internal/moduletest"
)

// A printedFinding is a part of a finding in the format JSON.
type printedFinding struct {
	File         string
	Line, Column int
	Check        string
	Message      string
	Places       []printedFinding
}

// TestLint compares what other programs get with what the command prints for each package of a module, with the settings
// and the baseline that are nearest to it.
func TestLint(t *testing.T) {
	dir := writeLinted(t)
	for _, pkg := range []string{"api/v1", "api/v1alpha1", "api/common", "internal/controller"} {
		t.Run(pkg, func(t *testing.T) {
			full := filepath.Join(dir, filepath.FromSlash(pkg))
			found, err := lint.Package(t.Context(), full)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for i := range found {
				line, column := found[i].Span.Source.Position(int(found[i].Span.Start))
				got = append(got, fmt.Sprintf("%s:%d:%d %s %s", diag.Relative(found[i].Span.Source.Path, full), line,
					column, found[i].Check, found[i].Message))
			}
			slices.Sort(got)
			t.Chdir(full)
			if want := printedHere(t); !slices.Equal(got, want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			if pkg == "api/v1alpha1" != (len(got) == 0) && pkg != "internal/controller" {
				t.Errorf("%d findings", len(got)) // the settings ignore all findings in v1alpha1
			}
		})
	}
}

// writeLinted writes the module.
func writeLinted(t *testing.T) string {
	dir := t.TempDir()
	archive, err := txtar.ParseFile(filepath.Join(root(t), "testdata/golangci/testdata/project.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range archive.Files {
		files[f.Name] = string(f.Data)
	}
	moduletest.Write(t, dir, "example.com/shop", files)
	return dir
}

// printedHere returns the findings that the command prints for the package in the working directory, at all places.
func printedHere(t *testing.T) (out []string) {
	var stdout, stderr bytes.Buffer
	run(t.Context(), []string{"crd", "output:none", "--format=json"}, nil, &stdout, &stderr)
	var report struct{ Findings []printedFinding }
	if err := json.Unmarshal(stdout.Bytes(), &report); err != nil {
		t.Fatalf("%v\n%s%s", err, &stdout, &stderr)
	}
	var add func(list []printedFinding)
	add = func(list []printedFinding) {
		for _, f := range list {
			if strings.HasSuffix(f.File, ".go") {
				file := diag.Relative(f.File, workingDir())
				out = append(out, fmt.Sprintf("%s:%d:%d %s %s", file, f.Line, f.Column, f.Check, f.Message))
			}
			add(f.Places)
		}
	}
	add(report.Findings)
	slices.Sort(out)
	return out
}

// TestLintWithBrokenSettings reports mistakes in settings as errors, at their positions.
func TestLintWithBrokenSettings(t *testing.T) {
	dir := writeLinted(t)
	pkg := filepath.Join(dir, "api", "v1")
	before := lint.SettingsID(t.Context(), pkg)
	for name, text := range map[string]string{
		".crdproof.yaml": "ignored: []\n", ".crdproof-baseline": "json-zeros example.com/shop/api/v1 WidgetSpec.Style x\n",
	} {
		path := filepath.Join(dir, name)
		was, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := lint.Package(t.Context(), pkg); err == nil || !strings.Contains(err.Error(), name+":1:") {
			t.Errorf("got %v, want an error in %s", err, name)
		}
		if lint.SettingsID(t.Context(), pkg) == before {
			t.Errorf("another %s does not change the identity of the settings", name)
		}
		if err := os.WriteFile(path, was, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if lint.SettingsID(t.Context(), pkg) != before {
		t.Error("the same settings have another identity")
	}
}

// TestLintOffers lists the edits that other programs may make: without an effect on the API, and in the file of the
// finding.
func TestLintOffers(t *testing.T) {
	dir := filepath.Join(writeLinted(t), "api", "v1")
	found, err := lint.Package(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	var offered []string
	for i := range found {
		if help, ok := lint.Offer(&found[i], dir); ok {
			offered = append(offered, found[i].Check+": "+help.String())
		}
	}
	slices.Sort(offered)
	want := []string{"json-zero: add omitempty to the tag", "json-zero: add omitempty to the tag"}
	if !slices.Equal(offered, want) {
		t.Errorf("got %q, want %q", offered, want)
	}
}
