package main

import (
	"go/ast"
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

	"golang.org/x/tools/txtar"

	"github.com/crdproof/crdproof/generator/lower"
	"github.com/crdproof/crdproof/internal/checkdoc"
	"github.com/crdproof/crdproof/internal/cli/arguments"
	"github.com/crdproof/crdproof/internal/cli/catalog"
	"github.com/crdproof/crdproof/internal/cli/tools"
)

// TestChecksReference keeps docs/checks.md in step with the tables, or rewrites it.
func TestChecksReference(t *testing.T) {
	const path = "../../docs/checks.md"
	want := checksReference(catalog.Checks())
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if got, _ := os.ReadFile(path); string(got) != want {
		t.Errorf("%s is not current: run go test ./cmd/crdproof -run TestChecks -update", path)
	}
}

// TestChecks looks for missing and duplicate parts of rows.
func TestChecks(t *testing.T) {
	sentence := regexp.MustCompile(`^([A-Z]|crdproof )[^\n]*\.$`)
	seen, pages := map[string]bool{}, checkdoc.Pages()
	for _, c := range catalog.Checks() {
		if seen[c.ID] {
			t.Errorf("two checks are called %s", c.ID)
		}
		seen[c.ID] = true
		p := pages[c.ID]
		if p == nil || !sentence.MatchString(p.Doc) {
			t.Errorf("%s: the documentation is not a sentence: %+v", c.ID, p)
			continue
		}
		if hasBoth := sentence.MatchString(p.Hurts) && p.Unless != ""; hasBoth != c.CanWarn() {
			t.Errorf("%s: whom it hurts is %q, and it is ignored if %q, but CanWarn() is %t", c.ID, p.Hurts, p.Unless,
				c.CanWarn())
		}
		if (p.Bad == "") != (p.Good == "") || p.Bad == "" && !c.Mistake && c.ID != "api-server" {
			t.Errorf("%s has no example of what it finds, or none of the cure", c.ID)
		}
	}
}

// TestDocuments looks for documents of checks that do not exist.
func TestDocuments(t *testing.T) {
	for id := range checkdoc.Pages() {
		if catalog.Checks().Of(id) == nil {
			t.Errorf("there is no check %s", id)
		}
	}
}

// TestEveryIDHasARow makes sure that every id that crdproof reports is documented: those of diagnostics in the source,
// and those that any expected output shows.
func TestEveryIDHasARow(t *testing.T) {
	rows := map[string]bool{}
	for _, c := range catalog.Checks() {
		rows[c.ID] = true
	}
	for _, d := range lower.Deviations() {
		rows[d.Name] = true // which has a chapter of its own
	}
	mentioned := sourceIDs(t, "../..")
	shown := regexp.MustCompile(
		`(?m)^(?:[^\s:]+:(?:\d+:)*|[^\s:]+:)? ?(?:error|warning|note): .*\[([a-z][a-z0-9-]+)\]$`)
	for path, data := range textsBelow(t, "../../testdata", ".txtar", ".golden") {
		for _, m := range shown.FindAllStringSubmatch(data, -1) {
			mentioned[m[1]] = path
		}
	}
	if len(mentioned) < len(rows)/2 {
		t.Fatalf("only %d ids found", len(mentioned))
	}
	for _, id := range slices.Sorted(maps.Keys(mentioned)) {
		if !rows[id] {
			t.Errorf("the id %s has no row (%s)", id, mentioned[id])
		}
	}
}

// unreachable are the rules that a case cannot show, and why.
func unreachable() map[string]string {
	return map[string]string{
		"load":    "the go command fails as a whole, and no kind is read; testdata/script shows it",
		"go-read": "the file has to vanish between the go command's look at it and ours",
	}
}

// TestEveryCheckHasACase makes sure that at least one case expects each check.
func TestEveryCheckHasACase(t *testing.T) {
	seen := map[string]bool{}
	id := regexp.MustCompile(`(?m)^(?:\S+: )?(?:error|warning): .*\[([a-z0-9-]+)\]$`)
	for _, data := range textsBelow(t, "../../testdata/generate", ".txtar") {
		for _, f := range txtar.Parse([]byte(data)).Files {
			if f.Name != "want/diagnostics" {
				continue
			}
			for _, m := range id.FindAllSubmatch(f.Data, -1) {
				seen[string(m[1])] = true
			}
		}
	}
	for _, rule := range slices.Sorted(maps.Keys(sourceIDs(t, "../../generator/lower", "../../generator/load", "../../markers"))) {
		if why, ok := unreachable()[rule]; ok != seen[rule] {
			continue
		} else if ok {
			t.Errorf("rule %s is said to be without a case (%s), but has one", rule, why)
		} else {
			t.Errorf("no case shows the rule %s", rule)
		}
	}
}

// TestEveryIDCanBeNamed names all checks in fail and in ignore. A check that cannot be ignored is reported with a
// reason and with what to do.
func TestEveryIDCanBeNamed(t *testing.T) {
	checks := catalog.Checks()
	for _, c := range checks {
		for _, option := range []string{"fail", "ignore"} {
			line := "crd:" + option + "=json-null;" + c.ID + ",cel-absent"
			_, problems := arguments.Parse(arguments.Line{Options: []string{line}, Checks: checks})
			if allowed := option == "fail" || c.CanWarn(); allowed != (len(problems) == 0) {
				t.Errorf("%s: %v", line, problems)
			}
			for _, d := range problems {
				if !strings.Contains(d.Message, "check "+c.ID+" cannot be ignored: ") || d.HelpText == "" {
					t.Errorf("%s: %q, help %q", line, d.Message, d.HelpText)
				}
			}
		}
	}
	if _, problems := arguments.Parse(arguments.Line{Options: []string{"crd:fail=all"}, Checks: checks}); len(problems) > 0 {
		t.Error(problems)
	}
}

// TestControllerToolsVersion compares the version that a switched project keeps in its files with the linked one.
func TestControllerToolsVersion(t *testing.T) {
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if want := "sigs.k8s.io/controller-tools " + tools.Version + "\n"; !strings.Contains(string(mod), want) {
		t.Errorf("go.mod has no line %s", want)
	}
}

// sourceIDs returns the ids that the Go files below some directories give to checks and diagnostics, each with a file.
func sourceIDs(t *testing.T, dirs ...string) map[string]string {
	t.Helper()
	ids := map[string]string{}
	for _, dir := range dirs {
		for path, src := range textsBelow(t, dir, ".go") {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, src, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				lit, ok := n.(*ast.CompositeLit)
				if !ok {
					return true
				}
				key := map[string]string{"diag.Check": "ID", "diag.Diagnostic": "Check"}[typeName(lit.Type)]
				for _, e := range lit.Elts {
					pair, ok := e.(*ast.KeyValueExpr)
					if !ok || key == "" {
						continue
					}
					name, _ := pair.Key.(*ast.Ident)
					if value, ok := pair.Value.(*ast.BasicLit); ok && name != nil && name.Name == key {
						id, err := strconv.Unquote(value.Value)
						if err != nil {
							t.Fatal(err)
						}
						ids[id] = path
					}
				}
				return true
			})
		}
	}
	return ids
}

// typeName is a type of another package as it is written, "" for any other.
func typeName(e ast.Expr) string {
	if s, ok := e.(*ast.SelectorExpr); ok {
		if x, ok := s.X.(*ast.Ident); ok {
			return x.Name + "." + s.Sel.Name
		}
	}
	return ""
}

// textsBelow returns the content of all files below a directory whose names end with the suffix.
func textsBelow(t *testing.T, dir string, endings ...string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !slices.ContainsFunc(endings,
			func(end string) bool { return strings.HasSuffix(path, end) }) {
			return err
		}
		data, err := os.ReadFile(path)
		out[path] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
