// Package moduletest writes Go modules whose packages may import what crdproof requires. Only tests use it.
package moduletest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Env is the environment of the go command: no workspace and no flags of the caller's change what is loaded.
func Env() []string {
	return append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=readonly", "GOPROXY=off")
}

// Kind is the file of a kind in the group <name>.com whose Spec another file of the package declares.
func Kind(name string) string {
	return fmt.Sprintf(`// +groupName=%s.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Widget struct {
	metav1.TypeMeta   `+"`json:\",inline\"`"+`
	metav1.ObjectMeta `+"`json:\"metadata,omitempty\"`"+`

	Spec Spec `+"`json:\"spec\"`"+`
}
`, name)
}

// Write writes the files of a module, with the requirements of crdproof's own.
func Write(t testing.TB, dir, module string, files map[string]string) {
	t.Helper()
	root, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	for !exists(filepath.Join(root, "go.mod")) {
		if root == filepath.Dir(root) {
			t.Fatal("no go.mod in the working directory or above")
		}
		root = filepath.Dir(root)
	}
	write := func(name string, data []byte) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		data, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		if name == "go.mod" {
			_, requirements, _ := strings.Cut(string(data), "\n")
			data = []byte("module " + module + "\n" + requirements)
		}
		write(name, data)
	}
	for name, data := range files {
		write(name, []byte(data))
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
