package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/crdproof/crdproof/internal/git/gittest"
)

// TestRepositoryStartsNothing runs every command that uses git, or the go command, in a repository whose settings name
// a command wherever git may start one, and whose output folder looks like a repository of its own, as a pull request
// could add it.
func TestRepositoryStartsNothing(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir, trap := trapped(t)
	for _, c := range []struct {
		// in is the working directory, exit the exit code.
		in, line string
		exit     int
	}{
		{".", "crd paths=./api/... output:crd:dir=crds", exitClean},
		{".", "crd paths=./api/... output:crd:dir=crds --verify", exitFound},
		{".", "check HEAD:crds/widgets.yaml", exitClean},
		{".", "check HEAD:./crds", exitClean},
		{".", "check HEAD~7:crds", exitUsage},
		{"crds", "check HEAD:./widgets.yaml", exitClean},
		{".", "explain HEAD:crds", exitClean},
		{".", "validate --crds=HEAD:crds HEAD:samples", exitClean},
		{".", "test --crds=HEAD:crds HEAD:suites", exitClean},
		{".", "helpers:crds=HEAD:crds,package=made output:helpers:dir=made", exitClean},
		{".", "diff HEAD~1:crds crds/widgets.yaml", exitFound},
		{".", "diff HEAD~1:crds HEAD:crds", exitClean},
		{".", "diff HEAD~1:./api/... ./api/...", exitFound},
		{".", "diff HEAD~1", exitFound},
		{"crds", "diff HEAD~1:./widgets.yaml HEAD:./widgets.yaml", exitClean},
		{"crds", "diff nothing", exitUsage},
		{".", "object paths=./api/... output:dir=made", exitClean},
		{".", "crd paths=./api/... output:crd:dir=crds --prune", exitClean},
	} {
		t.Run(c.line, func(t *testing.T) {
			t.Chdir(filepath.Join(dir, c.in))
			var stdout, stderr bytes.Buffer
			if code := run(t.Context(), strings.Fields(c.line), nil, &stdout, &stderr); code != c.exit {
				t.Errorf("exit code %d, want %d\n%s%s", code, c.exit, &stdout, &stderr)
			}
			if started := trap.Started(); started != "" {
				t.Errorf("a command was started: %s", started)
			}
		})
	}
	if _, err := os.Stat(filepath.Join(dir, "crds", "example.com_gadgets.yaml")); err == nil {
		t.Error("--prune did not remove the stale file: git was not asked")
	}
}

// trapped returns a repository with a stale CRD, and the trap that it sets.
func trapped(t *testing.T) (string, *gittest.Trap) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	archive, err := txtar.ParseFile(filepath.Join("testdata", "trapped.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := writeModule(t, dir, "example.com/trapped"); err != nil {
		t.Fatal(err)
	}
	gittest.Run(t, dir, "init", "-q", "-b", "main")
	gittest.Run(t, dir, "add", ".")
	gittest.Run(t, dir, "commit", "-q", "-m", "one")
	if err := os.Remove(filepath.Join(dir, "api", "v1", "gadget.go")); err != nil {
		t.Fatal(err)
	}
	trap := gittest.NewTrap(t)
	gittest.Run(t, dir, "init", "-q", "-b", "main", "--bare", filepath.Join(dir, "bare.git"))
	if err := os.CopyFS(filepath.Join(dir, "crds"), os.DirFS(filepath.Join(dir, "bare.git"))); err != nil {
		t.Fatal(err)
	}
	// It lacks the commit that its branch names, and would fetch it.
	commit := gittest.Run(t, dir, "rev-parse", "HEAD")
	if err := os.WriteFile(filepath.Join(dir, "crds", "refs", "heads", "main"), []byte(commit), 0o666); err != nil {
		t.Fatal(err)
	}
	gittest.Run(t, dir, "add", "-A")
	gittest.Run(t, dir, "commit", "-q", "-m", "two")
	trap.SetBare(t, filepath.Join(dir, "crds"))
	trap.Set(t, dir)
	trap.Spring(t, dir)
	return dir, trap
}
