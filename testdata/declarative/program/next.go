package program

import (
	"context"
	"fmt"
	"go/version"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/crdproof/crdproof/testdata/declarative/subject"
)

// next is the directory of the module that the program of the next version's validators is made of.
const next = "next"

// validators is the name of the files that validation-gen writes.
const validators = "zz_generated.validations.go"

// A Name is a kind and its package.
type Name struct{ Package, Kind string }

// NamesOf returns the names of kinds.
func NamesOf(kinds []subject.Kind) (out []Name) {
	for _, k := range kinds {
		pkg, _, _ := strings.Cut(k.APIVersion, ".")
		out = append(out, Name{pkg, k.Name})
	}
	return out
}

// Toolchain returns the environment in which the go command runs in the module of the next version. It downloads the
// Go version of the module if that is newer than the one of this program.
func Toolchain(root string) ([]string, error) {
	data, err := os.ReadFile(filepath.Join(root, next, "go.mod"))
	if err != nil {
		return nil, err
	}
	mod, err := modfile.Parse("go.mod", data, nil)
	if err != nil {
		return nil, err
	}
	if needs := "go" + mod.Go.Version; version.Compare(needs, runtime.Version()) > 0 {
		return []string{"GOTOOLCHAIN=" + needs}, nil
	}
	return nil, nil
}

// Next builds a program in an empty directory: that of the validators that the next version of validation-gen writes
// for kinds. Sources are the directories of their packages, and formats is a file with formats of a project's own, ""
// for none. Root is the directory of the module declarative.
func Next(ctx context.Context, dir, root, formats string, kinds []Name, sources map[string]string) (string, error) {
	env, err := Toolchain(root)
	if err != nil {
		return "", err
	}
	files, err := nextModule(root, kinds)
	if err != nil {
		return "", err
	}
	for pkg, source := range sources {
		names, err := filepath.Glob(filepath.Join(source, "*.go"))
		if err != nil {
			return "", err
		}
		for _, name := range names {
			if filepath.Base(name) == validators {
				continue
			}
			data, err := os.ReadFile(name)
			if err != nil {
				return "", err
			}
			files[path.Join(pkg, filepath.Base(name))] = string(data)
		}
	}
	if err := writeFiles(dir, files); err != nil {
		return "", err
	}
	generate := []string{"tool", "validation-gen", "--output-file", validators, "--readonly-pkg",
		"time,k8s.io/apimachinery/pkg/api/resource"}
	if formats != "" {
		generate = append(generate, "--validation-extensions-file", formats)
	}
	if _, err := run(ctx, dir, env, nil, "go", append(generate, "./...")...); err != nil {
		return "", err
	}
	_, err = run(ctx, dir, env, nil, "go", "build", "-ldflags=-s -w", "-o", "program", ".")
	return filepath.Join(dir, "program"), err
}

// nextModule returns the files of the module, without its packages of kinds.
func nextModule(root string, kinds []Name) (map[string]string, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	mod, err := os.ReadFile(filepath.Join(root, next, "go.mod"))
	if err != nil {
		return nil, err
	}
	sum, err := os.ReadFile(filepath.Join(root, next, "go.sum"))
	if err != nil {
		return nil, err
	}
	_, requirements, _ := strings.Cut(string(mod), "\n")
	packages := map[string]bool{}
	var list, imports strings.Builder
	for _, k := range kinds {
		packages[k.Package] = true
		fmt.Fprintf(&list, "\t\t%q: next.Of(%s.Validate_%[1]s),\n", k.Kind, k.Package)
	}
	for _, pkg := range slices.Sorted(maps.Keys(packages)) {
		fmt.Fprintf(&imports, "\t%q\n", module+"/"+pkg)
	}
	return map[string]string{
		"go.mod": fmt.Sprintf("module %s\n%s\nrequire %s/next v0.0.0\n\nreplace %[3]s/next => %q\n", module,
			requirements, this, filepath.Join(root, next)),
		"go.sum": string(sum),
		"main.go": fmt.Sprintf("package main\n\nimport (\n\t%q\n%s)\n\nfunc main() {\n\tnext.Answer("+
			"map[string]next.Kind{\n%s\t})\n}\n", this+"/next", imports.String(), list.String()),
	}, nil
}
