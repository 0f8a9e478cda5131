// Package structuraltest has the cases of rules/structural and what their tests share: CRDs that are completed
// from a part, what the checks find in them, and what the API server says. Only tests use it.
package structuraltest

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/rules/structural"
	"github.com/crdproof/crdproof/schema"
	"github.com/crdproof/crdproof/schema/read"
)

// A Case is one txtar file of testdata/structural. Its comment says what it shows; a line "kube: 1.30..1.37" in
// it gives the range of versions. The files are
//
//	crd.yaml     fields of a CRD's spec, or the schema of the field spec, or
//	types.go     fields of the struct Spec, or a kind, or the clause of its package
//	object.yaml  an object of the kind, where it matters whether an API server writes it
//	want         the findings, and the API server's answers about the CRD and the object
type Case struct {
	Name string
	*txtar.Archive
	path string
}

// Cases reads the cases in a folder.
func Cases(t *testing.T, folder string) (out []*Case) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(file), folder+"/"), ".txtar")
		out = append(out, &Case{name, archive, file})
	}
	return out
}

// Write replaces what the case expects.
func (c *Case) Write(want []byte) error {
	c.Files = slices.DeleteFunc(c.Files, func(f txtar.File) bool { return f.Name == "want" })
	c.Files = append(c.Files, txtar.File{Name: "want", Data: want})
	return os.WriteFile(c.path, txtar.Format(c.Archive), 0o666)
}

// File returns the text of a file, "" if the case does not have it.
func (c *Case) File(name string) string {
	for _, f := range c.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

// Versions returns the range of versions for which the case is validated.
func (c *Case) Versions(t *testing.T) kube.Range {
	for line := range strings.Lines(string(c.Comment)) {
		if text, ok := strings.CutPrefix(line, "kube: "); ok {
			out, err := kube.ParseRange(strings.TrimSpace(text))
			if err != nil {
				t.Fatal(err)
			}
			return out
		}
	}
	return kube.DefaultRange()
}

// Read reads a part of a CRD in YAML: fields of its metadata and spec, or the schema of the field spec.
func Read(t testing.TB, part string) *schema.CRD {
	t.Helper()
	src := &diag.Source{Path: "crd.yaml", Data: []byte(Complete(t, part))}
	documents, found := read.Documents(src)
	if len(documents) != 1 || len(found) > 0 {
		t.Fatalf("cannot read: %v\n%s", found, src.Data)
	}
	return documents[0].CRD
}

// Complete appends the missing parts of a CRD.
func Complete(t testing.TB, part string) string {
	t.Helper()
	const versions = "  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n" +
		"      openAPIV3Schema:\n        type: object\n"
	indent := func(text string, by int) string {
		lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
		return strings.Repeat(" ", by) + strings.Join(lines, "\n"+strings.Repeat(" ", by)) + "\n"
	}
	var given struct {
		Metadata, Spec map[string]any
		Type           string
	}
	if err := yaml.Unmarshal([]byte(part), &given); err != nil {
		t.Fatalf("%v in\n%s", err, part)
	}
	out := "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
	if given.Metadata == nil {
		out += "metadata: {name: widgets.example.com}\n"
	}
	if given.Spec == nil && given.Metadata != nil {
		part += "\nspec:\n"
		given.Spec = map[string]any{}
	}
	if given.Spec == nil {
		part = "spec:\n" + versions + "        properties:\n          spec:\n" + indent(part, 12)
	}
	out += strings.TrimRight(part, "\n") + "\n"
	for _, field := range []struct{ name, text string }{
		{"group", "  group: example.com\n"}, {"scope", "  scope: Namespaced\n"},
		{"names", "  names: {kind: Widget, listKind: WidgetList, plural: widgets, singular: widget}\n"},
		{"versions", versions},
	} {
		if _, ok := given.Spec[field.name]; !ok && (field.name != "versions" || given.Spec != nil) {
			out += field.text
		}
	}
	return out
}

// Check returns what the package's rows find.
func Check(t testing.TB, crd *schema.CRD, versions kube.Range) []diag.Diagnostic {
	t.Helper()
	return session.New(crd, nil, session.Options{Kube: versions}).Run(t.Context(), structural.Rows())
}

// Verdict returns why an API server rejects a CRD.
func Verdict(t testing.TB, crd *schema.CRD) []kube.Rejection {
	t.Helper()
	rejections, err := kube.Verdict(context.Background(), kube.Object(crd))
	if err != nil {
		return []kube.Rejection{{Message: err.Error()}}
	}
	return rejections
}

// Explain makes sure that the API server rejects what we report as rejected, at the same path, and that we report all
// that it rejects.
func Explain(t *testing.T, found []diag.Diagnostic, rejections []kube.Rejection) {
	t.Helper()
	isVerdict := map[string]bool{}
	for _, c := range session.Checks(structural.Rows()) {
		isVerdict[c.ID] = c.Verdict
	}
	for _, d := range found {
		for _, path := range Paths(d) {
			if isVerdict[d.Check] && !slices.ContainsFunc(rejections,
				func(r kube.Rejection) bool { return r.Path == path }) {
				t.Errorf("the API server does not reject %s: %s [%s]", path, d.Message, d.Check)
			}
		}
	}
	for _, r := range rejections {
		if !slices.ContainsFunc(found, func(d diag.Diagnostic) bool {
			return isVerdict[d.Check] && slices.Contains(Paths(d), r.Path)
		}) {
			t.Errorf("the rejection is not reported: %s: %s", r.Path, r.Message)
		}
	}
}

// Paths returns all fields that a finding is about.
func Paths(d diag.Diagnostic) []string { return append([]string{d.Path}, d.AlsoPaths...) }
