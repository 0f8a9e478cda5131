package main

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"testing"
)

// hash writes a tree of n kinds and returns a hash over its names and contents.
func hash(t *testing.T, n int, dir string) string {
	t.Helper()
	if err := write(n, dir); err != nil {
		t.Fatal(err)
	}
	h := sha256.New()
	tree := os.DirFS(dir)
	err := fs.WalkDir(tree, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(tree, path)
		fmt.Fprintf(h, "%s\n%s\n", path, data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

func TestDeterministic(t *testing.T) {
	if a, b := hash(t, 60, t.TempDir()), hash(t, 60, t.TempDir()); a != b {
		t.Errorf("two trees of the same size differ: %s, %s", a, b)
	}
}

// TestCompiles vets a tree that has every block and both kinds of version.
func TestCompiles(t *testing.T) {
	dir := t.TempDir()
	hash(t, 14, dir)
	cmd := exec.Command("go", "vet", "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=readonly")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestUnique(t *testing.T) {
	seen := map[string]bool{}
	for i := range 2000 {
		for _, k := range kindVersions(i) {
			id := k.Version + " " + k.Kind
			if seen[id] {
				t.Fatalf("%s is there twice", id)
			}
			seen[id] = true
			for j, b := range k.Blocks {
				if j > 0 && k.Blocks[j-1].Name == b.Name {
					t.Fatalf("%s has %s twice", id, b.Name)
				}
			}
		}
	}
}
