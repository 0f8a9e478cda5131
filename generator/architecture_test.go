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
	return []string{"docs", "diag", "internal", "schema", "markers", "rules", "emit", "generator", "objects", "internal/cli",
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

// TestFolders compares the layers with the folders that the Makefile names, which other tests read.
func TestFolders(t *testing.T) {
	data, err := os.ReadFile("../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	folders := slices.Sorted(slices.Values(layers()))
	folders = slices.DeleteFunc(folders, func(layer string) bool { return layer == "internal/cli" })
	if want := "\nSOURCES     := " + strings.Join(folders, " ") + "\n"; !strings.Contains(string(data), want) {
		t.Errorf("the Makefile has no line%s", want)
	}
}

// isForTests reports whether only tests may import a package. Its layer is that of what it imports.
func isForTests(pkg string) bool { return strings.HasSuffix(pkg, "test") }

// upward are the tests that need a package of a later layer, and why.
func upward() map[string]string {
	return map[string]string{
		"generator internal/cli/arguments":       "cases have options, and combinations of them run on one listing of packages",
		"generator internal/cli/catalog":         "options name checks of all packages",
		"generator objects/crds":                 "the CRDs that helps change are read",
		"generator objects/diff":                 "the effects of helps are compared",
		"generator objects/internal/witness":     "the effects of helps are compared",
		"generator objects/internal/witnesstest": "the effects of helps are compared",
		"generator objects/write":                "the CRDs of the cases are there: samples are objects of theirs",
		"emit/gocode objects/write":              "the recorded answers of servers are those of its cases",
	}
}

// TestLayers keeps imports in one direction, those of tests too.
func TestLayers(t *testing.T) {
	product := actualImports(t, "..", isProduct)
	used := map[string]bool{}
	check := func(pkg, imp string, isTest bool) {
		at, layer := layerOf(pkg)
		to, other := layerOf(imp)
		pair := pkg + " " + imp
		if isTest && upward()[pair] != "" {
			used[pair] = true
		} else if to > at {
			t.Errorf("%s imports %s: %s is below %s", pkg, imp, layer, other)
		}
	}
	for pkg, imports := range product {
		if at, _ := layerOf(pkg); at < 0 {
			t.Errorf("%s is in none of the folders of docs/architecture.md", pkg)
		}
		for _, imp := range imports {
			switch {
			case isForTests(imp) && !isForTests(pkg):
				t.Errorf("%s imports %s, which is for tests", pkg, imp)
			case !isForTests(pkg):
				check(pkg, imp, false)
			}
		}
	}
	for pkg, imports := range actualImports(t, "..", isTest) {
		for _, imp := range imports {
			if !isForTests(imp) {
				check(pkg, imp, true)
				continue
			}
			for _, below := range product[imp] {
				check(pkg, below, true)
			}
		}
	}
	for pair := range upward() {
		if !used[pair] {
			t.Errorf("no test imports %s", pair)
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
	actual := actualImports(t, "..", isProduct)
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

// TestPublicPackages compares the packages that others can import with docs/stability.md and docs/library.md: each has a
// promise or says that it has none, and each entry point has an example.
func TestPublicPackages(t *testing.T) {
	const limit, lines = 33, 6500
	_, promises, found := strings.Cut(readPage(t, "stability.md"), "\n## Go packages\n")
	if !found {
		t.Fatal("docs/stability.md has no chapter about Go packages")
	}
	public := 0
	for pkg := range actualImports(t, "..", isProduct) {
		if slices.Contains(strings.Split(pkg, "/"), "internal") {
			continue
		}
		public++
		doc, n := packageDoc(t, pkg)
		if n > lines {
			t.Errorf("%s has %d lines: it should be several packages", pkg, n)
		}
		promised := regexp.MustCompile("(?m)^\\|[^|]*`" + pkg + "`[^|]*\\|").MatchString(promises)
		disclaims := strings.Contains(doc, "no promise, and may change in any release: see docs/stability.md.")
		if strings.HasPrefix(doc, "Package ") && promised == disclaims {
			t.Errorf("%s: docs/stability.md has a row: %t; the doc comment says that there is no promise: %t", pkg,
				promised, disclaims)
		}
	}
	if public > limit {
		t.Errorf("%d packages are outside of internal, more than %d", public, limit)
	}
	link := regexp.MustCompile(`\(https://pkg\.go\.dev/` + module + `/([a-z/]+)#(\w+)\)`)
	entries := link.FindAllStringSubmatch(readPage(t, "library.md"), -1)
	if len(entries) == 0 {
		t.Error("docs/library.md has no entry points")
	}
	for _, entry := range entries {
		data, err := os.ReadFile(filepath.Join("..", entry[1], "example_test.go"))
		if err != nil || !strings.Contains(string(data), "\nfunc Example"+entry[2]) {
			t.Errorf("%s has no example of %s: %v", entry[1], entry[2], err)
		}
	}
}

// packageDoc returns the doc comment of a package and the number of its lines.
func packageDoc(t *testing.T, pkg string) (doc string, lines int) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", pkg, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !isProduct(file) {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, data, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		doc += f.Doc.Text()
		lines += strings.Count(string(data), "\n")
	}
	return strings.Join(strings.Fields(doc), " "), lines
}

func readPage(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "docs", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestRoot rejects unknown files in the root of the repository, such as leftovers of an experiment.
func TestRoot(t *testing.T) {
	known := []string{
		".ci", ".git", ".github", ".gitignore", ".pre-commit-hooks.yaml", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE",
		"Makefile", "README.md", "SECURITY.md", "action.yml", "analyzer", "cmd", "crd", "diag", "docs", "emit",
		"fakeclient", "generator", "go.mod", "go.sum", "internal", "markers", "objects", "rules", "schema", "server",
		"staticcheck.conf", "suitetest", "testdata", "webhook",
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
	walkImports(t, "..", isProduct, func(pkg, imp string) {
		if imp == "golang.org/x/tools/go/packages" && pkg != "generator/load" && pkg != "internal/cli/tools" {
			t.Errorf("%s imports %s", pkg, imp)
		}
		if strings.HasPrefix(imp, "sigs.k8s.io/controller-tools/") && pkg != "internal/cli/tools" &&
			pkg != "internal/cli/arguments" {
			t.Errorf("%s imports %s", pkg, imp)
		}
	})
}

func isTest(file string) bool { return strings.HasSuffix(file, "_test.go") }

func isProduct(file string) bool { return strings.HasSuffix(file, ".go") && !isTest(file) }

// actualImports returns the imports of our own packages in some files, by package.
func actualImports(t *testing.T, root string, isIn func(file string) bool) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	walkImports(t, root, isIn, func(pkg, imp string) {
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

// walkImports visits each import of some files of each package; a package without imports is visited with "".
func walkImports(t *testing.T, root string, isIn func(file string) bool, visit func(pkg, imp string)) {
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
		if d.IsDir() || !isIn(path) {
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
