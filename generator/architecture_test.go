package generator_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/crdproof/crdproof"

// layers are the top folders, from the ground up: a package imports only packages of its own layer and of those before
// it. The packages below internal, other than internal/cli, are for all layers: they import only diag and each other.
func layers() []string {
	return []string{"diag", "internal", "schema", "markers", "rules", "emit", "generator", "objects", "internal/cli",
		"cmd"}
}

// layerOf returns the layer of a package, as an index and by its name.
func layerOf(pkg string) (int, string) {
	top, _, _ := strings.Cut(pkg, "/")
	if strings.HasPrefix(pkg, "internal/cli/") {
		top = "internal/cli"
	}
	return slices.Index(layers(), top), top
}

// TestLayers keeps imports in one direction.
func TestLayers(t *testing.T) {
	for pkg, imports := range actualImports(t, "..") {
		at, layer := layerOf(pkg)
		if at < 0 {
			t.Errorf("%s is in none of the folders of docs/architecture.md", pkg)
		}
		for _, imp := range imports {
			if to, other := layerOf(imp); to > at {
				t.Errorf("%s imports %s: %s is below %s", pkg, imp, layer, other)
			}
		}
	}
}

// TestArchitecture compares the imports of all packages with testdata/imports.txt, so that a review sees a new one. It
// also makes sure that docs/architecture.md has a line for every package.
func TestArchitecture(t *testing.T) {
	const path = "testdata/imports.txt"
	page, err := os.ReadFile("../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	actual := actualImports(t, "..")
	var want strings.Builder
	for _, pkg := range slices.Sorted(maps.Keys(actual)) {
		slices.Sort(actual[pkg])
		fmt.Fprintln(&want, strings.TrimSpace(pkg+": "+strings.Join(actual[pkg], " ")))
		if !strings.Contains(string(page), "| `"+pkg+"` |") {
			t.Errorf("docs/architecture.md does not describe %s", pkg)
		}
	}
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z/]+)` \\| .* \\|$").FindAllStringSubmatch(string(page), -1) {
		if _, ok := actual[m[1]]; !ok {
			t.Errorf("docs/architecture.md describes %s, which does not exist", m[1])
		}
	}
	if *update {
		writeFile(t, path, []byte(want.String()))
	}
	if got, _ := os.ReadFile(path); string(got) != want.String() {
		t.Errorf("%s is not current: run go test ./generator -run TestArchitecture -update, and review it", path)
	}
}

// TestRoot rejects unknown files in the root of the repository, such as leftovers of an experiment.
func TestRoot(t *testing.T) {
	known := []string{
		".ci", ".git", ".github", ".gitignore", ".pre-commit-hooks.yaml", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE",
		"Makefile", "README.md", "SECURITY.md", "action.yml", "cmd", "diag", "docs", "emit", "fakeclient", "generator",
		"go.mod", "go.sum", "internal", "markers", "objects", "rules", "schema", "server", "staticcheck.conf",
		"testdata", "webhook",
	}
	ignored := []string{"bin", ".cache", "*.test", "*.prof", "*.out", "crdproof"} // as .gitignore has it
	entries, err := os.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		isIgnored := slices.ContainsFunc(ignored, func(pattern string) bool {
			ok, err := filepath.Match(pattern, e.Name())
			return ok && err == nil
		})
		if !isIgnored && !slices.Contains(known, e.Name()) {
			t.Errorf("%s does not belong into the root of the repository", e.Name())
		}
	}
}

// TestOnlyLoadImportsPackages keeps the loading of Go code in one package, and controller-tools out of the generator
// crd.
func TestOnlyLoadImportsPackages(t *testing.T) {
	walkImports(t, "..", func(pkg, imp string) {
		if imp == "golang.org/x/tools/go/packages" && pkg != "generator/load" && pkg != "internal/cli/tools" {
			t.Errorf("%s imports %s", pkg, imp)
		}
		if strings.HasPrefix(imp, "sigs.k8s.io/controller-tools/") && pkg != "internal/cli/tools" &&
			pkg != "internal/cli/arguments" {
			t.Errorf("%s imports %s", pkg, imp)
		}
	})
}

// actualImports returns the imports of our own packages, by package, tests excepted.
func actualImports(t *testing.T, root string) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	walkImports(t, root, func(pkg, imp string) {
		if out[pkg] == nil {
			out[pkg] = []string{}
		}
		ours, ok := strings.CutPrefix(imp, module+"/")
		if ok && !slices.Contains(out[pkg], ours) {
			out[pkg] = append(out[pkg], ours)
		}
	})
	return out
}

// walkImports visits each import of each package, tests excepted; a package without imports is visited with "".
func walkImports(t *testing.T, root string, visit func(pkg, imp string)) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && path != root) {
			return filepath.SkipDir
		}
		if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil && d.IsDir() && path != root { // a nested module
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		visit(filepath.ToSlash(dir), "")
		for _, spec := range f.Imports {
			imp, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			visit(filepath.ToSlash(dir), imp)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
