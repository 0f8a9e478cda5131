package input_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/input"
)

// TestUnreadableDirectory reads a tree with a directory that not even root can read. A lenient choice of files skips it
// with a warning.
func TestUnreadableDirectory(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.yaml"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	bury(t, filepath.Join(dir, "data"))
	for _, lenient := range []bool{false, true} {
		choice := input.Choice{Takes: input.IsManifest, Called: "*.yaml"}
		choice.Lenient = lenient
		sources, problems := choice.Sources(t.Context(), []string{dir + "/..."}, nil)
		if len(problems) != 1 || !strings.HasPrefix(problems[0].Message, "cannot read ") ||
			diag.HasErrors(problems) == lenient {
			t.Errorf("lenient: %v, problems: %+v", lenient, problems)
		}
		if found := len(sources) == 1 && input.IsFile(sources[0]); found != lenient {
			t.Errorf("lenient: %v, sources: %v", lenient, sources)
		}
	}
}

// bury nests directories until their path is too long for any system.
func bury(t *testing.T, dir string) {
	t.Helper()
	name := strings.Repeat("d", 200)
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	for range 30 {
		if err != nil {
			t.Skip("paths end earlier here: ", err)
		}
		if err := root.Mkdir(name, 0o777); err != nil {
			t.Fatal(err)
		}
		var inner *os.Root
		inner, err = root.OpenRoot(name)
		root.Close()
		root = inner
	}
	root.Close()
}

// TestNoStandardInput passes nil as standard input.
func TestNoStandardInput(t *testing.T) {
	sources, problems := input.Sources(t.Context(), []string{"-"}, nil)
	if len(sources) != 0 || len(problems) != 1 || problems[0].Message != "- is not supported here: standard input "+
		"cannot be read" {
		t.Errorf("%v %+v", sources, problems)
	}
	sources, problems = input.Sources(t.Context(), []string{"-", "-"}, strings.NewReader("a: 1\n"))
	if len(problems) != 0 || len(sources) != 1 || string(sources[0].Data) != "a: 1\n" || input.IsFile(sources[0]) {
		t.Errorf("%v %+v", sources, problems)
	}
}

// TestEndless reads links to a device that never ends. A user may name a pipe.
func TestEndless(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "a.yaml")
	if err := os.Symlink("/dev/zero", link); err != nil {
		t.Skip(err)
	}
	_, problems := input.Sources(t.Context(), []string{dir}, nil)
	if len(problems) != 1 || problems[0].Message != "cannot read "+link+": not a regular file" {
		t.Errorf("%+v", problems)
	}
	if _, err := input.ReadFile(link); err == nil {
		t.Error("the device was read")
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := w.WriteString("a: 1\n"); err != nil {
		t.Fatal(err)
	}
	w.Close()
	sources, problems := input.Sources(t.Context(), []string{fmt.Sprintf("/dev/fd/%d", r.Fd())}, nil)
	if len(problems) != 0 || string(sources[0].Data) != "a: 1\n" {
		t.Errorf("%v %+v", sources, problems)
	}
}
