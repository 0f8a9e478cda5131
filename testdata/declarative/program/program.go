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
)

const (
	// module is the path of the module that is written.
	module = "declarative.example.com/kinds"
	// this is the path of the module that has this package.
	this = "github.com/crdproof/crdproof/testdata/declarative"
	// perPackage is how many kinds share a package: few packages compile faster than many.
	perPackage = 25
)

// Compare compares so many kinds, beginning with the one of a number. Root is the directory of the module declarative.
func Compare(ctx context.Context, root string, cfg harness.Config, first, kinds int) (*harness.Report, error) {
	dir, err := os.MkdirTemp("", "declarative")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, err
	}
	if err := write(dir, root, cfg.Seed, first, kinds); err != nil {
		return nil, err
	}
	if _, err := run(ctx, dir, nil, "go", "tool", "validation-gen", "--output-file", "zz_generated.validations.go",
		"./..."); err != nil {
		return nil, err
	}
	// Without debug information it links in half the time.
	if _, err := run(ctx, dir, nil, "go", "build", "-ldflags=-s -w", "-o", "program", "."); err != nil {
		return nil, err
	}
	cfg.Dir = dir
	request, err := json.Marshal(cfg)
	if err != nil {
		return nil, err
	}
	answer, err := run(ctx, dir, request, filepath.Join(dir, "program"))
	if err != nil {
		return nil, err
	}
	report := &harness.Report{}
	return report, json.Unmarshal(answer, report)
}

// run runs a command in the directory and returns what it writes.
func run(ctx context.Context, dir string, in []byte, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	var out, complaints bytes.Buffer
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, bytes.NewReader(in), &out, &complaints
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s", filepath.Base(name), strings.Join(args, " "), err, complaints.Bytes())
	}
	return out.Bytes(), nil
}

// write writes the module into an empty directory. It shares the requirements of the module declarative.
func write(dir, root string, seed uint64, first, kinds int) error {
	root, err := filepath.Abs(root)
	if err != nil {
		return err
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return err
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return err
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
	}
	files["main.go"] = fmt.Sprintf("package main\n\nimport (\n\t%q\n\t%q\n%s)\n\nfunc main() {\n"+
		"\tharness.Answer([]subject.Kind{\n%s\t})\n}\n",
		this+"/harness", this+"/subject", imports.String(), list.String())
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
