package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestCheckCases checks the files of testdata/check. A case is a txtar file whose comment says where the CRD comes from
// and, in a line of its own, the verdict of its source: "verdict: accepted" or "verdict: refused". If API servers
// disagree, a line "server: accepted" or "server: refused" gives their verdict, which is the one that counts.
// want/diagnostics has the findings.
func TestCheckCases(t *testing.T) {
	dir := filepath.Join(root(t), "testdata", "check")
	count := 0
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".txtar" {
			return err
		}
		count++
		name, err := filepath.Rel(dir, path)
		t.Run(filepath.ToSlash(strings.TrimSuffix(name, ".txtar")), func(t *testing.T) { runCheckCase(t, path) })
		return err
	})
	if err != nil || count == 0 {
		t.Fatalf("%d cases: %v", count, err)
	}
}

func runCheckCase(t *testing.T, path string) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	crd := archive.Files[0]
	var stdout, stderr bytes.Buffer
	code := run(t.Context(), []string{"check", "--kube=1.30..1.37", "-"}, bytes.NewReader(crd.Data), &stdout, &stderr)
	verdict := "accepted"
	if code != 0 {
		verdict = "refused"
	}
	if want := verdictOf(t, string(archive.Comment)); want != verdict {
		t.Errorf("the CRD is %s, not %s\n%s", verdict, want, &stderr)
	}
	got := []txtar.File{crd}
	if stderr.Len() > 0 {
		got = append(got, txtar.File{Name: "want/diagnostics", Data: stderr.Bytes()})
	}
	if *update {
		archive.Files = got
		if err := os.WriteFile(path, txtar.Format(archive), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want := archive.Files
	if len(got) != len(want) || !bytes.Equal(got[len(got)-1].Data, want[len(want)-1].Data) {
		t.Errorf("found is\n%s", &stderr)
	}
}

// verdictOf reads the verdict from the comment of a case.
func verdictOf(t *testing.T, comment string) string {
	t.Helper()
	verdict := ""
	for line := range strings.Lines(comment) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch {
		case key == "verdict":
			verdict = value
		case key == "server" && value == verdict:
			t.Error("the line server: says the same as the line verdict:")
		case key == "server":
			verdict = value
		}
	}
	return verdict
}
