package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/testdata/parity/harness"
)

// allModules fixes all modules, which takes many minutes; otherwise the small ones are enough.
var allModules = flag.Bool("all-modules", false, "fix all modules, not only the small ones")

// leastFixed is the part of the findings with a help that --fix=api removes from all modules together.
const leastFixed = 0.6

// TestFix fixes the modules as if they were the user's own. Nothing fails, the code builds, a second run changes
// nothing, and most findings with a help are gone.
func TestFix(t *testing.T) {
	tools, err := harness.Build(t.Context(), ".", t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	before, after := 0, 0
	for _, c := range harness.Cases() {
		if c.Repeats() || !c.Small && !*allModules {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			m := copyModule(t, c)
			m.program = tools.Crdproof
			was := m.helps(t)
			m.run(t, "--all", "--fix=api", "--format=json")
			first := m.files(t)
			m.command(t, "go", "build", m.paths)
			is := m.helps(t)
			m.run(t, "--all", "--fix=api", "--format=json")
			if !bytes.Equal(first, m.files(t)) {
				t.Error("a second run changes files")
			}
			t.Logf("%d of %d findings with a help are fixed", was-is, was)
			before, after = before+was, after+is
		})
	}
	t.Logf("%d of %d findings with a help are fixed", before-after, before)
	if part := float64(before-after) / float64(before); *allModules && part < leastFixed {
		t.Errorf("%.0f %% of the findings with a help are fixed, want at least %.0f %%", part*100, leastFixed*100)
	}
}

// A copied module is one whose files can be changed.
type copied struct{ program, dir, paths, options string }

// copyModule copies the files of a module, which its code may embed, with the requirements of the parity module that
// pins it.
func copyModule(t *testing.T, c harness.Case) *copied {
	t.Helper()
	out := &copied{dir: t.TempDir()}
	if len(c.Options) > 0 {
		out.options = ":" + strings.Join(c.Options, ",")
	}
	pin := copied{dir: c.WorkDir(".")}
	listed := strings.Fields(pin.command(t, "go", "list", "-f", "{{.Module.Path}} {{.Module.Dir}}", c.Paths))
	module, from := listed[0], listed[1]
	out.paths = "." + strings.TrimPrefix(c.Paths, module)
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		name := d.Name()
		switch {
		case err != nil:
			return err
		case d.IsDir() && (name == "testdata" || name == "vendor"):
			return filepath.SkipDir
		case !d.Type().IsRegular() || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		return copyFile(path, filepath.Join(out.dir, strings.TrimPrefix(path, from)))
	})
	for _, name := range []string{"go.mod", "go.sum"} {
		if err == nil {
			err = copyFile(filepath.Join(pin.dir, name), filepath.Join(out.dir, name))
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	out.command(t, "go", "mod", "edit", "-module", module, "-droprequire", module)
	return out
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(to), 0o777)
	}
	if err == nil {
		err = os.WriteFile(to, data, 0o666)
	}
	return err
}

// command runs a program in the directory of the module.
func (m *copied) command(t *testing.T, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = m.dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "CRDPROOF_CACHE=off")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", cmd, err)
	}
	return string(out)
}

// run runs crdproof on the module, and returns its findings. Errors in the types of the module are findings, too.
func (m *copied) run(t *testing.T, flags ...string) (report struct{ Findings []finding }) {
	t.Helper()
	args := append([]string{"crd" + m.options, "paths=" + m.paths, "output:none"}, flags...)
	cmd := exec.CommandContext(t.Context(), m.program, args...)
	cmd.Dir = m.dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "CRDPROOF_CACHE=off")
	out, err := cmd.Output()
	if cmd.ProcessState.ExitCode() > 1 || json.Unmarshal(out, &report) != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, out)
	}
	for _, f := range report.Findings {
		if f.Check == "fix-failed" || f.Check == "internal-error" {
			t.Errorf("%s: %s", f.Check, f.Message)
		}
	}
	return report
}

// A finding is what a report has of one.
type finding struct {
	Check, Message, Help string
	Places               []finding
}

// helps counts the findings that have a help.
func (m *copied) helps(t *testing.T) (n int) {
	t.Helper()
	for _, f := range m.run(t, "--all", "--format=json").Findings {
		if f.Help != "" {
			n += 1 + len(f.Places)
		}
	}
	return n
}

// files returns the content of all files.
func (m *copied) files(t *testing.T) (out []byte) {
	t.Helper()
	err := filepath.WalkDir(m.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		data, err := os.ReadFile(path)
		out = append(append(out, path...), data...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
