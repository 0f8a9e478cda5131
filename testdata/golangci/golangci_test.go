package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the expected outputs")

// programs are built once for all tests.
var programs string

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(withPrograms(m))
}

func withPrograms(m *testing.M) int {
	dir, err := os.MkdirTemp("", "crdproof-golangci")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	programs = dir
	for name, pkg := range map[string]string{
		"golangci": ".", "crdproof-vet": "github.com/crdproof/crdproof/analyzer/cmd/crdproof-vet",
		"crdproof": "github.com/crdproof/crdproof/cmd/crdproof",
	} {
		build := exec.Command("go", "build", "-ldflags=-s -w", "-o", filepath.Join(dir, name), pkg)
		if out, err := build.CombinedOutput(); err != nil {
			panic(string(out))
		}
	}
	return m.Run()
}

// A project is a copy of the module in project.txtar.
type project struct {
	t   *testing.T
	dir string
}

func newProject(t *testing.T) *project {
	t.Helper()
	p := &project{t, t.TempDir()}
	archive, err := txtar.ParseFile("testdata/project.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		p.write(f.Name, string(f.Data))
	}
	for _, name := range []string{"go.mod", "go.sum"} { // the module requires what crdproof's own does
		data, err := os.ReadFile(filepath.Join("..", "..", name))
		if err != nil {
			t.Fatal(err)
		}
		p.write(name, strings.Replace(string(data), "module github.com/crdproof/crdproof\n", "module example.com/shop\n", 1))
	}
	return p
}

func (p *project) write(name, text string) {
	p.t.Helper()
	path := filepath.Join(p.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		p.t.Fatal(err)
	}
}

func (p *project) read(name string) string {
	p.t.Helper()
	data, err := os.ReadFile(filepath.Join(p.dir, filepath.FromSlash(name)))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(data)
}

// replace replaces a text in a file, which must have it.
func (p *project) replace(name, before, after string) {
	p.t.Helper()
	text := p.read(name)
	if !strings.Contains(text, before) {
		p.t.Fatalf("%s has no %q", name, before)
	}
	p.write(name, strings.ReplaceAll(text, before, after))
}

// run runs a program in the project, and returns its outputs and its exit code. Each project has its own caches.
func (p *project) run(name string, args ...string) (stdout, stderr string, code int) {
	p.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "GOPROXY=off", "CRDPROOF_CACHE="+p.dir+"/cache",
		"GOLANGCI_LINT_CACHE="+p.dir+"/golangci-cache")
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		p.t.Fatal(err)
	}
	return out.String(), errOut.String(), cmd.ProcessState.ExitCode()
}

func (p *project) golangci(args ...string) (stdout, stderr string, code int) {
	p.t.Helper()
	return p.run(filepath.Join(programs, "golangci"), append([]string{"run"}, args...)...)
}

func (p *project) vet(args ...string) (stdout, stderr string, code int) {
	p.t.Helper()
	return p.run("go", append([]string{"vet", "-vettool=" + filepath.Join(programs, "crdproof-vet")}, args...)...)
}

// check compares an output with a file in testdata.
func check(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%s", name, got)
	}
}

// TestText shows the findings beside those of kube-api-linter. What is known, ignored by the settings or by a nolint
// comment is not among them.
func TestText(t *testing.T) {
	stdout, stderr, code := newProject(t).golangci()
	check(t, "golangci.txt", stdout+stderr)
	if code != 1 {
		t.Errorf("exit code %d, want 1", code)
	}
}

// TestVet shows the same findings in go vet, which has no nolint comments.
func TestVet(t *testing.T) {
	_, stderr, code := newProject(t).vet("./...")
	check(t, "vet.txt", stderr)
	if code != 1 {
		t.Errorf("exit code %d, want 1", code)
	}
}

// firstLine matches the position and the check in the first line of a finding.
var firstLine = regexp.MustCompile(`(?m)^(\S+\.go:\d+:\d+): .* \[([a-z-]+)\]$`)

// TestCommand compares the places and the checks with those that crdproof prints for each package.
func TestCommand(t *testing.T) {
	p := newProject(t)
	var want []string
	for _, pkg := range []string{"./api/common", "./api/v1", "./api/v1alpha1", "./internal/controller"} {
		stdout, stderr, _ := p.run(filepath.Join(programs, "crdproof"), "crd", "paths="+pkg, "output:none",
			"--format=github")
		annotation := regexp.MustCompile(`(?m)^::\w+ .*title=([a-z-]+)::(\S+\.go:\d+:\d+): (.*)$`)
		for _, m := range annotation.FindAllStringSubmatch(stdout, -1) {
			want = append(want, m[2]+" "+m[1])
			for _, also := range regexp.MustCompile(`%0Aalso at (\S+:\d+:\d+)`).FindAllStringSubmatch(m[3], -1) {
				want = append(want, also[1]+" "+m[1])
			}
		}
		if stderr != "" {
			t.Error(stderr)
		}
	}
	_, stderr, _ := p.vet("./...")
	var got []string
	for _, m := range firstLine.FindAllStringSubmatch(stderr, -1) {
		got = append(got, m[1]+" "+m[2])
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) || len(got) == 0 {
		t.Errorf("got %q\nwant %q\n%s", got, want, stderr)
	}
}

// TestFormats compares the findings in the formats for programs with those in the text.
func TestFormats(t *testing.T) {
	p := newProject(t)
	text, _, _ := p.golangci("--output.text.print-issued-lines=false")
	var want []string
	for _, m := range firstLine.FindAllStringSubmatch(text, -1) {
		want = append(want, m[2])
	}
	stdout, _, _ := p.golangci("--output.json.path=stdout", "--output.sarif.path=sarif.json",
		"--output.text.path=text", "--show-stats=false")
	var report struct {
		Issues []struct {
			FromLinter, Text string
			Pos              struct{ Filename string }
		}
	}
	var sarif struct {
		Runs []struct {
			Results []struct {
				RuleID  string
				Message struct{ Text string }
			}
		}
	}
	decode(t, stdout, &report)
	decode(t, p.read("sarif.json"), &sarif)
	var inJSON, inSARIF []string
	for _, issue := range report.Issues {
		if id := checkOf(issue.Text); issue.FromLinter == "crdproof" {
			inJSON = append(inJSON, id)
		}
	}
	for _, result := range sarif.Runs[0].Results {
		if id := checkOf(result.Message.Text); result.RuleID == "crdproof" {
			inSARIF = append(inSARIF, id)
		}
	}
	if len(want) == 0 || !slices.Equal(inJSON, want) || !slices.Equal(inSARIF, want) {
		t.Errorf("in JSON %q, in SARIF %q, want %q", inJSON, inSARIF, want)
	}
}

// checkOf returns the check of a finding in its first line.
func checkOf(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	_, id, _ := strings.Cut(first, " [")
	return strings.TrimSuffix(id, "]")
}

func decode(t *testing.T, text string, into any) {
	t.Helper()
	if err := json.NewDecoder(strings.NewReader(text)).Decode(into); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
}

// TestFix makes the edits without an effect on the API, and no others, with golangci-lint and with go vet.
func TestFix(t *testing.T) {
	for name, fix := range map[string]func(p *project){
		"golangci": func(p *project) { p.golangci("--fix") },
		"vet":      func(p *project) { p.vet("-fix", "./...") },
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t)
			before := p.read("api/v1/widget_types.go")
			fix(p)
			want := strings.NewReplacer(`"colour"`, `"colour,omitempty"`, `"shape"`, `"shape,omitempty"`).Replace(before)
			if got := p.read("api/v1/widget_types.go"); got != want {
				t.Errorf("got\n%s", got)
			}
		})
	}
}

// TestChanges runs both programs again after changes that decide about findings, with the results of before in their
// caches: in the settings, in the baseline, and in a comment of an imported package.
func TestChanges(t *testing.T) {
	for name, lint := range map[string]func(p *project) string{
		"golangci": func(p *project) string { out, _, _ := p.golangci("./api/v1alpha1", "./api/v1"); return out },
		"vet":      func(p *project) string { _, out, _ := p.vet("./api/v1alpha1", "./api/v1"); return out },
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t)
			p.replace("api/common/size.go", "=ten", "=100")
			expect := func(text string, want bool) {
				t.Helper()
				if out := lint(p); strings.Contains(out, text) != want {
					t.Errorf("%q is reported: %v, want %v\n%s", text, !want, want, out)
				}
			}
			expect("gadget_types.go:18:2: an unset", false)
			p.replace(".crdproof.yaml", "paths: [api/v1alpha1/...]", "paths: [api/v1/...]")
			expect("gadget_types.go:18:2: an unset", true)
			p.write(".crdproof.yaml", "")
			expect("widget_types.go:28:2: an unset", false)
			p.write(".crdproof-baseline", "")
			expect("widget_types.go:28:2: an unset", true)
			expect("size.go", false)
			p.replace("api/common/size.go", "=100", "=ten")
			expect("size.go", true)
		})
	}
}

// TestBrokenSettings reports a mistake in the settings with its position.
func TestBrokenSettings(t *testing.T) {
	p := newProject(t)
	p.write(".crdproof.yaml", "ignored: []\n")
	for name, lint := range map[string]func() (string, string, int){
		"golangci": func() (string, string, int) { return p.golangci() },
		"vet":      func() (string, string, int) { return p.vet("./...") },
	} {
		stdout, stderr, code := lint()
		if out := stdout + stderr; code == 0 || !strings.Contains(out, ".crdproof.yaml:1:1: error: ") {
			t.Errorf("%s: exit code %d\n%s", name, code, out)
		}
	}
}

// TestOtherPackages does nothing in packages without markers and kinds: not even mistakes in settings are noticed.
func TestOtherPackages(t *testing.T) {
	p := newProject(t)
	p.write(".crdproof.yaml", "ignored: []\n")
	if stdout, stderr, code := p.vet("./internal/..."); code != 0 {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
}
