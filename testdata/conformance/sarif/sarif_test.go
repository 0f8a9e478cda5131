package sarif

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	_ "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif" // whose source holds the schema
	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/tools/txtar"
)

const root = "../../.."

// kindFile is the kind of the cases that declare none.
const kindFile = `// +groupName=example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Widget struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `

	Spec Spec ` + "`json:\"spec\"`" + `
}
`

// TestSARIF lets crdproof find all that there is to find in the cases of its own tests, which have something for every
// check.
func TestSARIF(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "crdproof")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", binary, "./cmd/crdproof")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	schema := compileSchema(t)
	for _, test := range []struct {
		name  string
		write func(t *testing.T, dir string)
		args  []string
		// results and notifications are the fewest that there have to be, rules the fewest kinds of findings.
		results, notifications, rules int
	}{
		{"errors", writeTypes(true), []string{"crd", "paths=./...", "output:none"}, 100, 1, 20},
		{"warnings and deviations", writeTypes(false), []string{"crd", "paths=./...", "output:none", "--deviations"},
			100, 0, 18},
		{"files", writeFiles, []string{"check", "."}, 20, 0, 8},
		{"files with bad names", writeFiles, []string{"check", "none", "."}, 0, 1, 0},
		{"flags", nil, []string{"check", "--kub=1"}, 0, 1, 0},
		{"options", nil, []string{"crd:maxDescLe=0"}, 0, 1, 0},
		{"packages", nil, []string{"crd", "rbac:roleName=r", "paths=example.com/none"}, 0, 1, 0},
		{"differences", writeFine, []string{"crd", "paths=./v1", "output:dir=.", "--verify"}, 1, 0, 1},
		{"nothing", writeFine, []string{"crd:ignore=json-null", "paths=./v1", "output:none"}, 0, 0, 0},
		{"nothing to explain", writeFine, []string{"explain", "./v1"}, 0, 0, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.Mkdir(filepath.Join(dir, ".git"), 0o777); err != nil {
				t.Fatal(err)
			}
			if test.write != nil {
				test.write(t, dir)
			}
			cmd := exec.CommandContext(t.Context(), binary, append(test.args, "--format=sarif")...)
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=readonly", "GOPROXY=off",
				"CRDPROOF_CACHE=off")
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) || stderr.Len() > 0 {
				t.Fatalf("%v\n%s", err, &stderr)
			}
			value, err := jsonschema.UnmarshalJSON(bytes.NewReader(out))
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(value); err != nil {
				t.Error(err)
			}
			l := decode(t, out)
			l.demands(t, dir)
			run := l.Runs[0]
			got := []int{len(run.Results), len(run.Invocations[0].Notifications), len(run.Tool.Driver.Rules)}
			t.Logf("%d results, %d notifications, %d rules", got[0], got[1], got[2])
			for _, n := range run.Invocations[0].Notifications {
				t.Logf("%s", n)
			}
			for i, want := range []int{test.results, test.notifications, test.rules} {
				if got[i] < want || want == 0 && got[i] > 0 {
					t.Errorf("%d results, %d notifications, %d rules", got[0], got[1], got[2])
					break
				}
			}
		})
	}
}

// compileSchema finds the schema in the source of a module that validates with it as well.
func compileSchema(t *testing.T) *jsonschema.Schema {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-f", "{{.Dir}}",
		"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif").Output()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(strings.TrimSpace(string(out)), "schema.go")
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			text, err = strconv.Unquote(lit.Value)
		}
		return err == nil
	})
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	const address = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	if err := c.AddResource(address, value); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile(address)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// A log is the part of a log that GitHub reads.
type log struct {
	Runs []struct {
		Tool struct {
			Driver struct {
				Rules []struct {
					ID                                      string
					ShortDescription, FullDescription, Help struct{ Text string }
					HelpURI                                 string
					DefaultConfiguration                    struct{ Level string }
				}
			}
		}
		Invocations []struct {
			ExecutionSuccessful bool
			Notifications       []json.RawMessage `json:"toolExecutionNotifications"`
		}
		ColumnKind string
		Results    []struct {
			RuleID              string
			RuleIndex           int
			Level               string
			Message             struct{ Text string }
			Locations           []location
			RelatedLocations    []location
			PartialFingerprints map[string]string
		}
	}
}

type location struct {
	ID               int
	PhysicalLocation struct {
		ArtifactLocation struct{ URI, URIBaseID string }
		Region           struct{ StartLine, StartColumn, EndLine, EndColumn int }
	}
}

func decode(t *testing.T, data []byte) log {
	t.Helper()
	var l log
	if err := json.Unmarshal(data, &l); err != nil {
		t.Fatal(err)
	}
	if len(l.Runs) != 1 || len(l.Runs[0].Invocations) != 1 || l.Runs[0].ColumnKind != "utf16CodeUnits" {
		t.Fatalf("%+v", l)
	}
	return l
}

// demands compares a log with the properties that GitHub's documentation calls required, and its limits
// (docs.github.com, "SARIF support for code scanning").
func (l *log) demands(t *testing.T, dir string) {
	run := l.Runs[0]
	if len(run.Results) > 25_000 || len(run.Tool.Driver.Rules) > 25_000 {
		t.Errorf("%d results of %d rules", len(run.Results), len(run.Tool.Driver.Rules))
	}
	for _, r := range run.Tool.Driver.Rules {
		short, full := len(r.ShortDescription.Text), len(r.FullDescription.Text)
		if r.ID == "" || short == 0 || short > 1024 || full == 0 || full > 1024 || r.Help.Text == "" ||
			r.DefaultConfiguration.Level == "" ||
			!strings.HasPrefix(r.HelpURI, "https://") {
			t.Errorf("rule %+v", r)
		}
	}
	seen := map[string]bool{}
	for _, r := range run.Results {
		if r.RuleIndex >= len(run.Tool.Driver.Rules) || run.Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID ||
			r.Message.Text == "" || len(r.Locations) != 1 {
			t.Errorf("result %+v", r)
			continue
		}
		if print := r.PartialFingerprints["crdproof/v1"]; print == "" || seen[print] {
			t.Errorf("fingerprint %q is empty or there twice", print)
		} else {
			seen[print] = true
		}
		r.Locations[0].mustExist(t, dir)
		for i := range r.RelatedLocations {
			r.RelatedLocations[i].mustExist(t, dir)
			if link := "](" + strconv.Itoa(r.RelatedLocations[i].ID) + ")"; !strings.Contains(r.Message.Text, link) {
				t.Errorf("%q has no link %s", r.Message.Text, link)
			}
		}
	}
}

// mustExist looks the position up in the file.
func (l *location) mustExist(t *testing.T, dir string) {
	t.Helper()
	file, at := l.PhysicalLocation.ArtifactLocation, l.PhysicalLocation.Region
	if at.StartLine < 1 {
		t.Errorf("%s has no line", file.URI)
	}
	if strings.HasPrefix(file.URI, "file:") {
		return // in an imported module
	}
	name, err := url.PathUnescape(file.URI)
	if err != nil {
		t.Error(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if errors.Is(err, fs.ErrNotExist) && at.StartLine == 1 {
		return // that it is not there is what was found
	}
	lines := strings.Split(string(data), "\n")
	if err != nil || file.URIBaseID != "%SRCROOT%" || at.EndLine > len(lines) {
		t.Errorf("%+v: %v", l, err)
		return
	}
	last := len(utf16.Encode([]rune(lines[at.EndLine-1]))) + 1
	if at.StartLine > at.EndLine || at.StartLine == at.EndLine && at.StartColumn >= at.EndColumn ||
		at.EndColumn > last+1 {
		t.Errorf("%+v, of a line with %d columns", l, last)
	}
}

// writeTypes writes the Go files of testdata/generate, of the cases with errors or of those without, as one module with
// the requirements of crdproof's own.
func writeTypes(withErrors bool) func(t *testing.T, dir string) {
	return func(t *testing.T, dir string) {
		writeModule(t, dir)
		eachArchive(t, filepath.Join(root, "testdata", "generate"), func(name string, a *txtar.Archive) {
			hasKind, hasErrors := bytes.Contains(a.Comment, []byte("kind: none")),
				bytes.Contains(a.Comment, []byte("known: "))
			for _, f := range a.Files {
				hasKind = hasKind || bytes.Contains(f.Data, []byte("TypeMeta"))
				hasErrors = hasErrors || f.Name == "want/diagnostics" && bytes.Contains(f.Data, []byte("error: "))
			}
			if hasErrors != withErrors {
				return
			}
			for _, f := range a.Files {
				if filepath.Ext(f.Name) == ".go" && !strings.HasPrefix(f.Name, "want/") {
					write(t, filepath.Join(dir, name, f.Name), f.Data)
				}
			}
			if !hasKind {
				write(t, filepath.Join(dir, name, "v1", "kind.go"), []byte(kindFile))
			}
		})
	}
}

// writeFine writes a package with a kind without findings.
func writeFine(t *testing.T, dir string) {
	writeModule(t, dir)
	write(t, filepath.Join(dir, "v1", "kind.go"), []byte(kindFile))
	write(t, filepath.Join(dir, "v1", "spec.go"),
		[]byte("package v1\n\ntype Spec struct {\n\tSize int32 `json:\"size\"`\n}\n"))
}

func writeModule(t *testing.T, dir string) {
	for _, name := range []string{"go.mod", "go.sum"} {
		data, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, name), bytes.Replace(data, []byte("module github.com/crdproof/crdproof\n"),
			[]byte("module crd.test\n"), 1))
	}
}

// writeFiles writes the CRDs of testdata/check.
func writeFiles(t *testing.T, dir string) {
	eachArchive(t, filepath.Join(root, "testdata", "check"), func(name string, a *txtar.Archive) {
		write(t, filepath.Join(dir, strings.ReplaceAll(name, string(filepath.Separator), "-")+".yaml"), a.Files[0].Data)
	})
	write(t, filepath.Join(dir, "größe 😀.yaml"), []byte("\"😀\": 1\n\"😀\": x: y\n"))
}

func eachArchive(t *testing.T, dir string, do func(name string, a *txtar.Archive)) {
	count := 0
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".txtar" {
			return err
		}
		a, err := txtar.ParseFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, strings.TrimSuffix(path, ".txtar"))
		count++
		do(name, a)
		return err
	})
	if err != nil || count == 0 {
		t.Fatalf("%d cases: %v", count, err)
	}
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}
