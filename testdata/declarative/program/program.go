// Package program compares random kinds. It writes them, has validation-gen write their validators, and builds and
// runs a program of both, which compares them as the fixed kinds are compared.
package program

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/testdata/declarative/harness"
	"github.com/crdproof/crdproof/testdata/declarative/source"
	"github.com/crdproof/crdproof/testdata/declarative/types"
)

const (
	// module is the path of the module that is written.
	module = "declarative.example.com/kinds"
	// this is the path of the module that has this package.
	this = "github.com/crdproof/crdproof/testdata/declarative"
	// perPackage is how many kinds share a package: few packages compile faster than many.
	perPackage = 25
)

// Random compares so many kinds, beginning with the one of a number, with the linked version or with the next one. Root
// is the directory of the module declarative.
func Random(
	ctx context.Context, root string, cfg harness.Config, first, kinds int, isNext bool,
) (*harness.Report, error) {
	dir, err := workDir()
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	names, err := write(dir, root, cfg.Seed, first, kinds)
	if err != nil {
		return nil, err
	}
	if isNext {
		other, err := workDir()
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(other)
		sources := map[string]string{}
		for _, name := range names {
			sources[name.Package] = filepath.Join(dir, name.Package)
		}
		if cfg.Program, err = Next(ctx, other, root, "", names, sources); err != nil {
			return nil, err
		}
	}
	if _, err := run(ctx, dir, nil, nil, "go", "tool", "validation-gen", "--output-file", validators,
		"./..."); err != nil {
		return nil, err
	}
	// Without debug information it links in half the time.
	if _, err := run(ctx, dir, nil, nil, "go", "build", "-ldflags=-s -w", "-o", "program", "."); err != nil {
		return nil, err
	}
	cfg.Dir = dir
	request, err := json.Marshal(cfg)
	if err != nil {
		return nil, err
	}
	answer, err := run(ctx, dir, nil, request, filepath.Join(dir, "program"))
	if err != nil {
		return nil, err
	}
	report := &harness.Report{}
	return report, json.Unmarshal(answer, report)
}

// Fixed compares the kinds in types, and those in later, with the next version.
func Fixed(ctx context.Context, root string, cfg harness.Config) (*harness.Report, error) {
	dir, err := workDir()
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	kinds := append(types.Kinds(), types.Later()...)
	names, sources := NamesOf(kinds), map[string]string{"later": filepath.Join(root, "later")}
	for _, name := range names {
		if sources[name.Package] == "" {
			sources[name.Package] = filepath.Join(root, "types", name.Package)
		}
	}
	if cfg.Formats, err = filepath.Abs(filepath.Join(root, "later", "formats.yaml")); err != nil {
		return nil, err
	}
	if cfg.Program, err = Next(ctx, dir, root, cfg.Formats, names, sources); err != nil {
		return nil, err
	}
	cfg.Dir, cfg.Paths = root, []string{"./types/...", "./later"}
	return harness.Run(ctx, cfg, kinds)
}

// workDir makes a directory for a program.
func workDir() (string, error) {
	dir, err := os.MkdirTemp("", "declarative")
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(dir)
}

// run runs a command in the directory, with more variables, and returns what it writes.
func run(ctx context.Context, dir string, env []string, in []byte, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(cmd.Environ(), env...)
	var out, complaints bytes.Buffer
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, bytes.NewReader(in), &out, &complaints
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s", filepath.Base(name), strings.Join(args, " "), err, complaints.Bytes())
	}
	return out.Bytes(), nil
}

// write writes the module into an empty directory, and returns its kinds. It shares the requirements of the module
// declarative.
func write(dir, root string, seed uint64, first, kinds int) (names []Name, err error) {
	if root, err = filepath.Abs(root); err != nil {
		return nil, err
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil, err
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return nil, err
	}
	_, requirements, _ := strings.Cut(string(mod), "\n")
	requirements = strings.ReplaceAll(requirements, "=> ../..", "=> "+strconv.Quote(filepath.Join(root, "../..")))
	files := map[string]string{
		"go.mod": fmt.Sprintf("module %s\n%s\nrequire %s v0.0.0\n\nreplace %[3]s => %q\n", module, requirements, this,
			root),
		"go.sum": string(sum),
	}
	var imports, list strings.Builder
	for number := first; number < first+kinds; number++ {
		pkg := fmt.Sprintf("p%04d", number/perPackage)
		k := source.Generate(seed, number, pkg)
		if files[pkg+"/doc.go"] == "" {
			fmt.Fprintf(&imports, "\t%q\n", module+"/"+pkg)
		}
		files[pkg+"/doc.go"] = source.PackageFile(pkg)
		files[pkg+"/"+strings.ToLower(k.Name)+".go"] = k.Source
		fmt.Fprintf(&list, "\t\tsubject.Of(%s.Validate_%s),\n", pkg, k.Name)
		names = append(names, Name{pkg, k.Name})
	}
	files["main.go"] = fmt.Sprintf("package main\n\nimport (\n\t%q\n\t%q\n%s)\n\nfunc main() {\n"+
		"\tharness.Answer([]subject.Kind{\n%s\t})\n}\n",
		this+"/harness", this+"/subject", imports.String(), list.String())
	return names, writeFiles(dir, files)
}

// writeFiles writes files into a directory.
func writeFiles(dir string, files map[string]string) error {
	for name, data := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(data), 0o666); err != nil {
			return err
		}
	}
	return nil
}
