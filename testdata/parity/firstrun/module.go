package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/crdproof/crdproof/testdata/parity/harness"
)

// A module is a copy of a real API module that may be changed, and the module that requires it.
type module struct {
	dir   string
	paths string
	files []string
}

// A finding is what the JSON output has of one.
type finding struct {
	File    string
	Line    int
	Check   string
	Message string
}

func (f finding) String() string {
	return fmt.Sprintf("%s:%d: %s [%s]", filepath.Base(f.File), f.Line, f.Message, f.Check)
}

// copyModule copies a module of the parity cases from the module cache to a directory.
func copyModule(ctx context.Context, c harness.Case, dir string) (*module, error) {
	pattern := strings.TrimSuffix(c.Paths, "...")
	listed, err := goList(ctx, c.WorkDir("."), "-f", "{{.Module.Path}}\n{{.Module.Dir}}", c.Paths)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(listed, "\n")
	path, source := lines[0], lines[1]
	m := &module{dir: dir, paths: c.Paths}
	copied := filepath.Join(dir, "copy")
	if err := copyTree(source, copied); err != nil {
		return nil, err
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		data, err := os.ReadFile(filepath.Join(c.WorkDir("."), name))
		if err != nil {
			return nil, err
		}
		if name == "go.mod" {
			data = fmt.Appendf(data, "\nreplace %s => ./copy\n", path)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			return nil, err
		}
	}
	api := filepath.Join(copied, strings.TrimPrefix(strings.TrimPrefix(pattern, path), "/"))
	return m, filepath.WalkDir(api, func(path string, d fs.DirEntry, err error) error {
		base := filepath.Base(path)
		if err == nil && strings.HasSuffix(base, ".go") && !strings.HasSuffix(base, "_test.go") &&
			!strings.HasPrefix(base, "zz_") && !strings.Contains(base, ".pb.") {
			m.files = append(m.files, path)
		}
		return err
	})
}

// copyTree copies the Go files and modules of a tree.
func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil || d.IsDir() {
			return err
		}
		if filepath.Ext(path) != ".go" && filepath.Base(path) != "go.mod" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		if err := os.MkdirAll(filepath.Dir(target), 0o777); err != nil {
			return err
		}
		return os.WriteFile(target, data, 0o666)
	})
}

func goList(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{"list"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go list in %s: %w\n%s", dir, err, stderr.String())
	}
	return string(out), nil
}

// findings runs crdproof without writing anything.
func (m *module) findings(ctx context.Context, crdproof string) ([]finding, error) {
	cmd := exec.CommandContext(ctx, crdproof, "crd", "paths="+m.paths, "output:none", "--format=json", "--all")
	cmd.Dir = m.dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "CRDPROOF_CACHE=off")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if code := cmd.ProcessState.ExitCode(); err != nil && code != 1 {
		return nil, fmt.Errorf("crdproof in %s: %w\n%s%s", m.dir, err, out, stderr.String())
	}
	report, err := harness.ParseReport(out)
	if err != nil {
		return nil, fmt.Errorf("crdproof in %s: %w\n%s", m.dir, err, out)
	}
	findings := make([]finding, len(report))
	for i, f := range report {
		if !filepath.IsAbs(f.File) {
			f.File = filepath.Join(m.dir, f.File)
		}
		findings[i] = finding{f.File, f.Line, f.Check, f.Message}
	}
	return findings, nil
}

// An injection is one line of a file that has a mistake now.
type injection struct {
	file   string
	line   int
	after  string
	before []byte // the content of the whole file
}

// inject makes n mistakes in lines of different files, or of one.
func (m *module) inject(random *rand.Rand, n int) (out []injection, err error) {
	kinds := harness.Slips()
	for tries := 0; len(out) < n && tries < 2000; tries++ {
		file := m.files[random.IntN(len(m.files))]
		data, err := os.ReadFile(file)
		if err != nil {
			return out, err
		}
		lines := strings.Split(string(data), "\n")
		i, kind := random.IntN(len(lines)), kinds[random.IntN(len(kinds))]
		for ; i < len(lines) && !kind.Line.MatchString(lines[i]); i++ {
		}
		if i == len(lines) || at(out, finding{File: file, Line: i + 1}) >= 0 {
			continue
		}
		lines[i] = kind.Made(lines[i])
		out = append(out, injection{file: file, line: i + 1, after: strings.TrimSpace(lines[i]), before: data})
		if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o666); err != nil {
			return out, err
		}
	}
	return out, nil
}

// restore undoes injections, the last one first.
func restore(injected []injection) error {
	for i := len(injected) - 1; i >= 0; i-- {
		if err := os.WriteFile(injected[i].file, injected[i].before, 0o666); err != nil {
			return err
		}
	}
	return nil
}
