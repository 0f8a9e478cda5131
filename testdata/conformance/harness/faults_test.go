package harness

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/generator/lower"
	"github.com/crdproof/crdproof/testdata/conformance/server"
)

// unproved are the faults that crdproof does not find yet, or not at the right line. The test fails when one of them is
// found.
func unproved() []string {
	return nil
}

const (
	faultsDir   = "../faults"
	faultModule = "crd.test"
)

// faultKind is the kind of all faults that declare none; they declare its Spec. Its group is the name of the fault.
const faultKind = `// +groupName=%s.example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Widget struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `

	Spec Spec ` + "`json:\"spec\"`" + `
}
`

// A fault is one txtar file of the folder faults: Go types for which controller-gen writes a CRD that the server
// rejects, with exit code 0. Its comment describes the fault in a sentence. A comment
//
//	// want +1 "regexp"
//
// says that crdproof has to report an error on the line below, whose message and rule match. A line "cured: true" in
// the comment of the file says that crdproof makes a CRD of the same types that the server accepts; it then has to
// report this under compat=controller-gen alone, where it is a warning.
type fault struct {
	name  string
	files []txtar.File
	cured bool
	wants []want
}

// A want is one error that is expected.
type want struct {
	file string
	line int
	text *regexp.Regexp
}

// testFaults shows for each fault that controller-gen accepts it, that the server rejects what controller-gen writes,
// and that crdproof rejects it at the right line.
func testFaults(t *testing.T, controllerGen string) {
	faults := readFaults(t)
	root := t.TempDir()
	writeFaults(t, root, faults)
	out := filepath.Join(root, "out")
	cmd := exec.CommandContext(t.Context(), controllerGen, "crd", "paths=./...", "output:dir="+out)
	cmd.Dir, cmd.Env = root, faultEnv()
	if output, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("controller-gen finds something: %v\n%s", err, output)
	}
	s := start(t)
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			f.testServer(t, s, out)
			f.testCrdproof(t, s, filepath.Join(root, f.name))
		})
	}
}

func readFaults(t *testing.T) []*fault {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(faultsDir, "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatal("no faults found", err)
	}
	var out []*fault
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f := &fault{name: strings.TrimSuffix(filepath.Base(path), ".txtar"), files: archive.Files}
		f.cured = bytes.Contains(archive.Comment, []byte("\ncured: true\n"))
		for _, file := range f.files {
			f.wants = append(f.wants, wants(t, file)...)
		}
		if len(f.wants) == 0 {
			t.Errorf("%s wants no error", path)
		}
		out = append(out, f)
	}
	return out
}

var wantComment = regexp.MustCompile(`^\s*// want \+1 "(.*)"$`)

func wants(t *testing.T, file txtar.File) (out []want) {
	t.Helper()
	for i, line := range strings.Split(string(file.Data), "\n") {
		if m := wantComment.FindStringSubmatch(line); m != nil {
			text, err := regexp.Compile(m[1])
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, want{file: file.Name, line: i + 2, text: text})
		}
	}
	return out
}

// label is the first part of the fault's group.
func (f *fault) label() string { return strings.NewReplacer("_", "-", "/", "-").Replace(f.name) }

// writeFaults writes all faults into one module with the requirements of crdproof, so that one run of controller-gen
// suffices.
func writeFaults(t *testing.T, root string, faults []*fault) {
	t.Helper()
	const repo = "../../.."
	mod, err := os.ReadFile(filepath.Join(repo, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile(filepath.Join(repo, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	_, requirements, _ := strings.Cut(string(mod), "\n")
	write(t, filepath.Join(root, "go.mod"), []byte("module "+faultModule+"\n"+requirements))
	write(t, filepath.Join(root, "go.sum"), sum)
	for _, f := range faults {
		hasKind := false
		for _, file := range f.files {
			write(t, filepath.Join(root, f.name, filepath.FromSlash(file.Name)), file.Data)
			hasKind = hasKind || bytes.Contains(file.Data, []byte("metav1.ObjectMeta"))
		}
		if !hasKind {
			write(t, filepath.Join(root, f.name, "v1", "kind.go"), fmt.Appendf(nil, faultKind, f.label()))
		}
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

// faultEnv is the environment of the go command: no workspace and no flags of the caller's change what is loaded.
func faultEnv() []string {
	return append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=readonly", "CRDPROOF_CACHE=off")
}

// testServer shows that the server rejects what controller-gen wrote.
func (f *fault) testServer(t *testing.T, s *server.Server, out string) {
	paths, err := filepath.Glob(filepath.Join(out, f.label()+".*.yaml"))
	if err != nil || len(paths) != 1 {
		t.Fatalf("controller-gen wrote %q: %v", paths, err)
	}
	crd, err := os.ReadFile(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.Judge(t.Context(), crd)
	if err != nil {
		t.Fatal(err)
	}
	if v.Accepted {
		t.Errorf("the server accepts what controller-gen writes:\n%s", crd)
	}
	ours, err := Library(t.Context(), crd)
	if err != nil {
		t.Fatal(err)
	}
	if !sameReasons(v, ours) {
		t.Errorf("the reasons differ\nthe server: %scrdproof:   %s", verdict(reasons(v)), verdict(ours))
	}
}

// testCrdproof shows that crdproof rejects the fault at the right line, or that it writes a valid CRD.
func (f *fault) testCrdproof(t *testing.T, s *server.Server, dir string) {
	if f.cured {
		result := f.generate(t, dir, generator.Options{})
		if len(result.Files) != 1 {
			t.Fatalf("crdproof wrote %d files:\n%s", len(result.Files), rendered(result.Diagnostics))
		}
		v, err := s.Judge(t.Context(), result.Files[0].Data)
		if err != nil {
			t.Fatal(err)
		}
		if !v.Accepted {
			t.Errorf("the server rejects what crdproof writes: %s", v.Message)
		}
	}
	result := f.generate(t, dir, generator.Options{
		Options: lower.Options{Compat: f.cured, Tolerate: f.cured}, Unproved: f.cured})
	problem := f.missing(result.Diagnostics, dir)
	if problem == "" && !f.cured && len(result.Files) > 0 {
		problem = "crdproof writes the CRD"
	}
	switch known := slices.Contains(unproved(), f.name); {
	case known && problem == "":
		t.Error("crdproof rejects this at the right line; remove it from unproved")
	case known:
		t.Logf("known: %s", problem)
	case problem != "":
		t.Errorf("%s\n%s", problem, rendered(result.Diagnostics))
	}
}

func (f *fault) generate(t *testing.T, dir string, opts generator.Options) generator.Result {
	t.Helper()
	result, err := generator.Run(t.Context(), generator.Config{Dir: dir, Paths: []string{"./..."}, Env: faultEnv(),
		CRD: opts})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// missing says what is wanted and not there, "" where all is.
func (f *fault) missing(list []diag.Diagnostic, dir string) string {
	severity := diag.Error
	if f.cured {
		severity = diag.Warning
	}
	for _, w := range f.wants {
		found := slices.ContainsFunc(list, func(d diag.Diagnostic) bool {
			if d.Severity != severity || !d.Span.IsValid() ||
				d.Span.Source.Path != filepath.Join(dir, filepath.FromSlash(w.file)) {
				return false
			}
			line, _ := d.Span.Source.Position(int(d.Span.Start))
			return line == w.line && w.text.MatchString(d.Message+" ["+d.Check+"]")
		})
		if !found {
			return fmt.Sprintf("missing %s %q at %s:%d", severity, w.text, w.file, w.line)
		}
	}
	return ""
}

func rendered(list []diag.Diagnostic) string {
	var out strings.Builder
	if err := diag.Text(&out, list, diag.TextOptions{}); err != nil {
		return err.Error()
	}
	return out.String()
}
