package generator_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/crdproof/crdproof"

// TestArchitecture compares the packages and their imports of each other with the table in docs/architecture.md.
func TestArchitecture(t *testing.T) {
	table := documentedImports(t, "../docs/architecture.md")
	actual := actualImports(t, "..")
	for pkg, imports := range actual {
		want, ok := table[pkg]
		if !ok {
			t.Errorf("package %s is not in docs/architecture.md", pkg)
			continue
		}
		for _, imp := range imports {
			if !slices.Contains(want, imp) {
				t.Errorf("%s imports %s, which the table does not allow", pkg, imp)
			}
		}
		for _, imp := range want {
			if !slices.Contains(imports, imp) {
				t.Errorf("the table says that %s imports %s, but it does not", pkg, imp)
			}
		}
	}
	for pkg := range table {
		if _, ok := actual[pkg]; !ok {
			t.Errorf("the table has %s, but the package does not exist", pkg)
		}
	}
}

// TestLayers keeps packages that judge CRDs from importing those that make them. Samples, suites and comparisons are
// about CRDs that have been found.
func TestLayers(t *testing.T) {
	values := []string{"schema", "diag", "internal/cache"}
	objects := []string{"objects/diff", "objects/sample", "objects/suite"}
	for pkg, imports := range actualImports(t, "..") {
		for _, imp := range imports {
			if strings.HasPrefix(pkg, "rules") && !slices.Contains(objects, pkg) &&
				strings.HasPrefix(imp, "generator") && !slices.Contains(values, imp) {
				t.Errorf("%s imports %s", pkg, imp)
			}
		}
	}
}

// TestRoot rejects unknown files in the root of the repository, such as leftovers of an experiment.
func TestRoot(t *testing.T) {
	known := []string{
		".ci", ".git", ".github", ".gitignore", ".pre-commit-hooks.yaml", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE",
		"Makefile", "README.md", "SECURITY.md", "action.yml", "cmd", "docs", "emit", "fakeclient", "generator",
		"go.mod", "go.sum", "internal", "markers", "rules", "server", "staticcheck.conf", "testdata", "webhook",
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

// documentedImports reads the table: package → imports of ours.
func documentedImports(t *testing.T, file string) map[string][]string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	code := regexp.MustCompile("`([^`]+)`")
	out := map[string][]string{}
	for line := range strings.Lines(string(data)) {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || !strings.HasPrefix(strings.TrimSpace(cells[1]), "`") {
			continue
		}
		pkg := code.FindStringSubmatch(cells[1])[1]
		out[pkg] = []string{}
		for _, m := range code.FindAllStringSubmatch(cells[3], -1) {
			out[pkg] = append(out[pkg], m[1])
		}
	}
	if len(out) == 0 {
		t.Fatalf("no table in %s", file)
	}
	return out
}

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
