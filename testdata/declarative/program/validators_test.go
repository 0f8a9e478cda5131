package program

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
)

var update = flag.Bool("update", false, "have validation-gen write the validators again")

// TestValidators has validation-gen write the validators of a copy of the packages of types: they are those that are
// there. It is not next to them, since there it would not compile without them.
func TestValidators(t *testing.T) {
	root := ".."
	if !*update {
		root = copyModule(t)
	}
	cmd := exec.Command("go", "tool", "validation-gen", "--output-file", "zz_generated.validations.go", "./types/...")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	names, err := filepath.Glob("../types/*/zz_generated.validations.go")
	if err != nil || len(names) == 0 {
		t.Fatalf("no validators: %v", err)
	}
	for _, name := range names {
		if !bytes.Equal(readFile(t, name), readFile(t, filepath.Join(root, name[len("../"):]))) {
			t.Errorf("%s is not what validation-gen writes; -update writes it", name)
		}
	}
}

// copyModule copies the module's requirements and the hand-written Go of its types to another directory.
func copyModule(t *testing.T) string {
	root := t.TempDir()
	product, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(root, "go.mod"), bytes.ReplaceAll(readFile(t, "../go.mod"), []byte("=> ../.."),
		[]byte("=> "+strconv.Quote(product))))
	writeFile(t, filepath.Join(root, "go.sum"), readFile(t, "../go.sum"))
	names, err := filepath.Glob("../types/*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if filepath.Base(name) != "zz_generated.validations.go" {
			writeFile(t, filepath.Join(root, name[len("../"):]), readFile(t, name))
		}
	}
	return root
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func writeFile(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
}
