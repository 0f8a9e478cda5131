package crd_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit/crd"
)

var (
	update = flag.Bool("update", false, "rewrite what the cases expect")
	more   = flag.String("crds", "", "a directory of directories with CRDs, to read as well")
)

// TestCases reads the files of testdata/read. A case is a txtar file whose comment says what it shows, with the file to
// read, the findings (want/diagnostics), and the CRDs as they would be emitted (want/crds.yaml).
func TestCases(t *testing.T) {
	for _, path := range cases(t) {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { runCase(t, path) })
	}
}

func cases(t testing.TB) []string {
	t.Helper()
	paths, err := filepath.Glob("../../testdata/read/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	return paths
}

func runCase(t *testing.T, path string) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(bytes.TrimSpace(archive.Comment)) == 0 {
		t.Error("the comment does not say what the case shows")
	}
	input := archive.Files[0]
	docs, found := mustAgree(t, input.Name, input.Data)
	var said, emitted bytes.Buffer
	if err := diag.Text(&said, found, diag.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, doc := range docs {
		emitted.Write(crd.Encode(doc.CRD, crd.Options{}))
	}
	got := []txtar.File{input}
	for _, want := range []txtar.File{
		{Name: "want/diagnostics", Data: said.Bytes()}, {Name: "want/crds.yaml", Data: emitted.Bytes()},
	} {
		if len(want.Data) > 0 {
			got = append(got, want)
		}
	}
	if *update {
		archive.Files = got
		if err := os.WriteFile(path, txtar.Format(archive), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, g := range got {
		i := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == g.Name })
		if i < 0 || !bytes.Equal(archive.Files[i].Data, g.Data) {
			t.Errorf("%s is\n%s", g.Name, g.Data)
		}
	}
	if len(archive.Files) != len(got) {
		t.Errorf("%d parts are expected, %d are made", len(archive.Files), len(got))
	}
}

// TestLineBreaks reads the cases with Windows line breaks and a byte order mark, which change nothing.
func TestLineBreaks(t *testing.T) {
	for _, path := range cases(t) {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		input := archive.Files[0]
		want, found := mustAgree(t, input.Name, input.Data)
		got, foundNow := mustAgree(t, input.Name, bytes.ReplaceAll(input.Data, []byte("\n"), []byte("\r\n")))
		if len(got) != len(want) || len(foundNow) != len(found) {
			t.Errorf("%s: %d CRDs and %d findings became %d and %d", path, len(want), len(found), len(got),
				len(foundNow))
			continue
		}
		for i := range got {
			if !bytes.Equal(crd.Encode(got[i].CRD, crd.Options{}), crd.Encode(want[i].CRD, crd.Options{})) {
				t.Errorf("%s is read as another CRD", path)
			}
		}
		for i := range found {
			if a, b := lineOf(foundNow[i]), lineOf(found[i]); a != b {
				t.Errorf("%s: what was found in line %d is now found in line %d", path, b, a)
			}
		}
	}
}

func lineOf(d diag.Diagnostic) int {
	line, _ := d.Span.Source.Position(int(d.Span.Start))
	return line
}

// TestEncodings reads a file with a byte order mark, and rejects one that is not UTF-8.
func TestEncodings(t *testing.T) {
	text := "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: é, nam: a}\n"
	docs, found := mustAgree(t, "crd.yaml", []byte("\uFEFF"+text))
	if len(docs) != 1 || len(found) != 1 || docs[0].CRD.Name.At.Text() != "é" || found[0].Span.Text() != "nam" {
		t.Errorf("%d CRDs, and %v", len(docs), found)
	}
	utf16 := []byte{0xFF, 0xFE}
	for _, c := range []byte(text) {
		utf16 = append(utf16, c, 0)
	}
	docs, found = mustAgree(t, "crd.yaml", utf16)
	if len(docs) != 0 || len(found) != 1 || found[0].HelpText != "save the file as UTF-8" {
		t.Errorf("%d CRDs, and %v", len(docs), found)
	}
}

// TestRealCRDs reads CRDs of real projects: there must be no findings, and nothing may be lost.
func TestRealCRDs(t *testing.T) {
	for _, path := range realCRDs(t) {
		docs, found := mustAgree(t, path, fileData(t, path))
		if len(docs) != 1 || len(found) > 0 {
			t.Errorf("%s has %d CRDs, and of it is said: %v", path, len(docs), found)
		}
	}
}

func realCRDs(t testing.TB) []string {
	t.Helper()
	paths, err := filepath.Glob("../../testdata/quickstart/crd/*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no CRDs: %v", err)
	}
	if *more == "" {
		return paths
	}
	others, err := filepath.Glob(filepath.Join(*more, "*", "*.yaml"))
	if err != nil || len(others) == 0 {
		t.Fatalf("no CRDs in directories below %s: %v", *more, err)
	}
	return append(paths, others...)
}

func fileData(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// FuzzDocuments reads any text at all, as YAML or as JSON.
func FuzzDocuments(f *testing.F) {
	for _, path := range cases(f) {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(archive.Files[0].Data)
	}
	for _, path := range realCRDs(f) {
		f.Add(fileData(f, path))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		docs, found := mustAgree(t, "crd.yaml", data)
		text := "\n" + string(data)
		if !strings.Contains(text, "\n---") && !strings.Contains(text, "\n...") &&
			!strings.HasPrefix(strings.TrimSpace(text), "{") {
			mustMatchOracle(t, data, docs, found)
		}
	})
}
