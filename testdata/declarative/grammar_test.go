package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/cli/extensions"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/testdata/declarative/program"
)

// A tagDoc is validation-gen's description of one of its tags.
type tagDoc struct {
	Tag    string
	Scopes []string
	Args   []struct {
		Name     string
		Type     string
		Required bool
	}
	Payloads           []struct{ Description string }
	PayloadsType       string
	PayloadsRequired   bool
	AcceptsUnknownArgs bool
}

// tagDocs returns the tags of validation-gen: those of the next version, and those of the linked version that are gone.
func tagDocs(t *testing.T) []tagDoc {
	t.Helper()
	docs := docsIn(t, nextModule)
	for _, doc := range docsIn(t, ".") {
		if !slices.ContainsFunc(docs, func(d tagDoc) bool { return d.Tag == doc.Tag }) {
			docs = append(docs, doc)
		}
	}
	return docs
}

// docsIn returns the tags of the validation-gen of the module in a directory.
func docsIn(t *testing.T, dir string) []tagDoc {
	t.Helper()
	out, err := exec.Command(validationGen(t, dir), "--docs").Output()
	if err != nil {
		t.Fatal(err)
	}
	var docs []tagDoc
	if err := json.Unmarshal(out, &docs); err != nil {
		t.Fatal(err)
	}
	if len(docs) < 40 {
		t.Fatalf("validation-gen has but %d tags", len(docs))
	}
	return docs
}

// nextModule is the directory of the module of the next version.
const nextModule = "next"

// validationGen returns the path of the validation-gen of a module, which the go command has built.
func validationGen(t *testing.T, dir string) string {
	t.Helper()
	cmd := exec.Command("go", "tool", "-n", "validation-gen")
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	if dir == nextModule {
		env, err := program.Toolchain(".")
		if err != nil {
			t.Fatal(err)
		}
		cmd.Env = append(cmd.Environ(), env...)
	}
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// hasFormat reports whether the next version has a function for a format: no project may then declare it.
func hasFormat(t *testing.T, name string) bool {
	t.Helper()
	file := filepath.Join(t.TempDir(), "formats.yaml")
	text := "formats: [{name: " + name + ", docs: d, pattern: p, message: m}]\n"
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	next := validationGen(t, nextModule)
	out, err := exec.Command(next, "--docs", "--validation-extensions-file", file).CombinedOutput()
	if err == nil {
		t.Errorf("a project may declare %s", name)
	}
	return strings.Contains(string(out), "is a built-in format")
}

// row returns the row of a tag on a target, or nil.
func row(name string, target markers.Target) *markers.Definition {
	defs := markers.Known().Definitions()
	for i := range defs {
		if d := &defs[i]; d.Name == name && d.Targets&target != 0 {
			return d
		}
	}
	return nil
}

// TestTableHasEveryTag compares the table of markers with validation-gen: it has exactly the same tags, on the same
// targets.
func TestTableHasEveryTag(t *testing.T) {
	scopes := []struct {
		name   string
		target markers.Target
	}{{"struct fields", markers.Field}, {"type definitions", markers.Type}, {"constant values", markers.Constant}}
	var names []string
	for _, doc := range tagDocs(t) {
		names = append(names, doc.Tag)
		for _, scope := range scopes {
			d := row(doc.Tag, scope.target)
			if has := d != nil && d.Forbidden == ""; has != slices.Contains(doc.Scopes, scope.name) {
				t.Errorf("%s on %s: table %t, validation-gen %t", doc.Tag, scope.name, has, !has)
			}
		}
	}
	for _, d := range markers.Known().Definitions() {
		if strings.HasPrefix(d.Name, "k8s:") && !slices.Contains(names, d.Name) {
			t.Errorf("validation-gen has no tag %s", d.Name)
		}
	}
}

// TestRowsAcceptTagGrammar compares arguments, values and payloads with those that validation-gen accepts.
func TestRowsAcceptTagGrammar(t *testing.T) {
	for _, doc := range tagDocs(t) {
		var d *markers.Definition
		for _, target := range []markers.Target{markers.Type, markers.Field, markers.Constant} {
			if d == nil || d.Forbidden != "" {
				d = row(doc.Tag, target)
			}
		}
		if d == nil {
			t.Errorf("no row for %s", doc.Tag)
			continue
		}
		var want, got []string
		for _, a := range doc.Args {
			want = append(want, describe(a.Name, a.Type, a.Required, true))
		}
		if doc.PayloadsType != "" && doc.PayloadsType != "tag" {
			// For k8s:update it does not say that the value is required, but fails without one.
			want = append(want, describe("", doc.PayloadsType, doc.PayloadsRequired || doc.Tag == "k8s:update", false))
		}
		kinds := map[markers.Kind]string{markers.String: "string", markers.Int: "int", markers.Number: "int",
			markers.Any: "raw"}
		for _, p := range d.Params {
			kind := kinds[p.Shape.Kind]
			if p.OrText {
				kind = "raw"
			}
			got = append(got, describe(p.Name, kind, !p.Optional, p.Positional || p.Name != ""))
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s takes %q, validation-gen's %q", doc.Tag, got, want)
		}
		if has := d.Step != markers.NoStep; has != (doc.PayloadsType == "tag") {
			t.Errorf("%s: a step is %t, validation-gen takes a payload of type %q", doc.Tag, has, doc.PayloadsType)
		}
	}
}

// TestFormatsAreKnown compares the formats with those that one of the versions documents, or has a function for.
func TestFormatsAreKnown(t *testing.T) {
	documented := map[string]bool{}
	for _, dir := range []string{".", nextModule} {
		for _, doc := range docsIn(t, dir) {
			for _, p := range doc.Payloads {
				if doc.Tag == "k8s:format" {
					documented[p.Description] = true
				}
			}
		}
	}
	known := row("k8s:format", markers.Field).Params[0].Values
	for _, name := range known {
		if !documented[name] && !hasFormat(t, name) {
			t.Errorf("validation-gen has no format %s", name)
		}
	}
	for name := range documented {
		if !slices.Contains(known, name) {
			t.Errorf("the table has no format %s", name)
		}
	}
}

// TestFiles compares the files of a project's own formats that crdproof reads with those that validation-gen reads.
func TestFiles(t *testing.T) {
	archive, err := txtar.ParseFile("formats.txtar")
	if err != nil {
		t.Fatal(err)
	}
	next, dir := validationGen(t, nextModule), t.TempDir()
	for _, f := range archive.Files {
		t.Run(f.Name, func(t *testing.T) {
			file := filepath.Join(dir, "formats.yaml")
			if err := os.WriteFile(file, f.Data, 0o666); err != nil {
				t.Fatal(err)
			}
			out, err := exec.Command(next, "--docs", "--validation-extensions-file", file).CombinedOutput()
			_, found := extensions.Read([]*diag.Source{{Path: file, Data: f.Data}})
			isStricter := strings.HasPrefix(f.Name, "stricter/")
			if accepts := err == nil; accepts != (len(found) == 0) && !(isStricter && accepts) {
				t.Errorf("validation-gen accepts it: %t, crdproof: %v\n%.300s", accepts, found, out)
			} else if isStricter && (!accepts || len(found) == 0) {
				t.Errorf("it is not stricter: %v", found)
			}
		})
	}
}

func describe(name, kind string, required, inParentheses bool) string {
	text := name + " " + kind
	if required {
		text += " required"
	}
	if inParentheses {
		text = "(" + text + ")"
	}
	return text
}
