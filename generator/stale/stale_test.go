package stale

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file whose group may be declared in a directory that cannot be read is not stale, and the search goes on.
func TestUnreadDirectories(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.WriteFile("go.mod", []byte("module example.com/op\n\ngo 1.24\n"), 0o666); err != nil {
		t.Fatal(err)
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
	candidate := crdFile{path: filepath.Join("crds", "things.yaml"), name: "things.gone.example.com", kind: "Thing"}
	found, err := judge(t.Context(), []crdFile{candidate}, Run{CRDs: "crds"}, true)
	if err != nil || len(found.Files) != 0 || len(found.Notes) != 1 ||
		!strings.Contains(found.Notes[0].Message, "packages that cannot be read") {
		t.Errorf("%+v %v", found, err)
	}
}
