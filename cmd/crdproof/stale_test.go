package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/internal/cli/stale"
)

// A file whose group may be declared in a directory that cannot be read is not stale, and the search goes on.
func TestUnreadDirectories(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.Mkdir("crds", 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"go.mod": "module example.com/op\n\ngo 1.24\n",
		filepath.Join("crds", "things.yaml"): "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n" +
			"metadata:\n  annotations:\n    crdproof.dev/version: v1.0.0\n  name: things.gone.example.com\n" +
			"spec:\n  group: gone.example.com\n  names:\n    kind: Thing\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	run := stale.Run{CRDs: []stale.Folder{{Dir: "crds"}}}
	if found, err := stale.Find(t.Context(), run, true); err != nil || len(found.Files)+len(found.Notes) != 1 {
		t.Fatalf("the file is not looked at: %+v %v", found, err)
	}
	name := strings.Repeat("d", 200)
	root, err := os.OpenRoot(dir)
	for range 30 { // which is longer than any system takes a path to be
		if err != nil {
			t.Skip("paths end earlier here: ", err)
		}
		if err := root.Mkdir(name, 0o777); err != nil {
			t.Fatal(err)
		}
		root, err = root.OpenRoot(name)
	}
	found, err := stale.Find(t.Context(), run, true)
	if err != nil || len(found.Files) != 0 || len(found.Notes) != 1 ||
		!strings.Contains(found.Notes[0].Message, "packages that cannot be read") {
		t.Errorf("%+v %v", found, err)
	}
}
