package generator_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/moduletest"
	"github.com/crdproof/crdproof/markers"
)

const (
	examplesDir   = "../testdata/examples"
	referencePath = "../docs/markers.md"
)

// An example shows one marker in docs/markers.md. testdata/examples has them as files of txtar archives, named
//
//	<marker>             to show the schema of spec
//	<marker> <path>...   to show these parts of the CRD; a path leads into the first of the versions, and versions are
//	                     shown without schemas
//	<marker> rejected    to show the diagnostics
//
// A marker may have several examples. Each is a part of a Go file, a whole file, or several files with names. Missing
// parts are added: the package clause, imports, and the usual kind if no kind is declared.
type example struct {
	marker string
	show   []string
	input  string
	// group is the API group. Each example has another one, which keeps the CRDs of a run apart. Its first part is also
	// the directory.
	group string
	// output is the result: YAML, or diagnostics.
	output string
}

func (e *example) rejected() bool { return slices.Contains(e.show, "rejected") }

func (e *example) dir() string {
	dir, _, _ := strings.Cut(e.group, ".")
	return dir
}

func readExamples(t *testing.T) []*example {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(examplesDir, "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	var out []*example
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			name := strings.Fields(f.Name)
			out = append(out, &example{marker: name[0], show: name[1:], input: string(f.Data),
				group: fmt.Sprintf("e%d.example.com", len(out))})
		}
	}
	return out
}

// files are the Go files of an example.
func (e *example) files() []txtar.File {
	var out []txtar.File
	heading := regexp.MustCompile(`(?m)^// (\w+/\w+\.go)\n`)
	names := heading.FindAllStringSubmatch(e.input, -1)
	parts := heading.Split(e.input, -1)
	if len(names) > 0 {
		parts = parts[1:]
	}
	hasKind := strings.Contains(e.input, "metav1.TypeMeta")
	for i, part := range parts {
		name := "v1/example.go"
		if len(names) > 0 {
			name = names[i][1]
		}
		if !regexp.MustCompile(`(?m)^package `).MatchString(part) {
			part = "package v1\n\n" + part
			if hasKind {
				part = "// +groupName=example.com\n" + part
			}
		}
		out = append(out, txtar.File{Name: name, Data: []byte(withImports(part))})
	}
	if !hasKind {
		out = append(out, txtar.File{Name: "v1/kind.go", Data: []byte(moduletest.Kind("example"))})
	}
	for i := range out {
		out[i].Name = e.dir() + "/" + out[i].Name
		out[i].Data = bytes.ReplaceAll(out[i].Data, []byte("example.com"), []byte(e.group))
	}
	return out
}

// withImports adds the imports that a Go file needs.
func withImports(src string) string {
	var imports strings.Builder
	for _, path := range []string{
		"encoding/json", "k8s.io/apimachinery/pkg/api/resource", "k8s.io/apimachinery/pkg/apis/meta/v1",
		"k8s.io/apimachinery/pkg/runtime",
		"k8s.io/apimachinery/pkg/util/intstr",
	} {
		name := filepath.Base(path)
		if name == "v1" {
			name = "metav1"
		}
		if strings.Contains(src, name+".") {
			fmt.Fprintf(&imports, "\nimport %s %q\n", name, path)
		}
	}
	clause := regexp.MustCompile(`(?m)^package \w+\n`)
	return clause.ReplaceAllString(src, "${0}"+imports.String())
}

// TestMarkersReference runs the examples and keeps docs/markers.md in step with the table and with what they show, or
// rewrites it.
func TestMarkersReference(t *testing.T) {
	var accepted, rejected []*example
	examples := readExamples(t)
	for _, e := range examples {
		if e.rejected() {
			rejected = append(rejected, e)
		} else {
			accepted = append(accepted, e)
		}
	}
	outputs := runAccepted(t, accepted)
	for e, output := range runRejected(t, rejected) {
		outputs[e] = output
	}
	for _, e := range examples {
		e.output = strings.ReplaceAll(outputs[e], e.group, "example.com")
	}
	want := markersReference(t, examples)
	if *update && !t.Failed() {
		writeFile(t, referencePath, []byte(want))
	}
	if got, _ := os.ReadFile(referencePath); string(got) != want {
		t.Errorf("%s is not current: run go test ./generator -run TestMarkersReference -update\n%s", referencePath,
			difference(got, []byte(want)))
	}
}

// caseOf is one case of all examples, so that the go command runs once.
func caseOf(t *testing.T, examples []*example) *testCase {
	t.Helper()
	c := &testCase{name: "examples", archive: &txtar.Archive{}, header: map[string]string{
		// for examples of alpha and beta tags, of unions, and of channels and gates
		"kind": "none", "options": "declarative=all,with=union-markers,variants={all: {experimental, NodeSwap}}",
	}}
	for _, e := range examples {
		c.archive.Files = append(c.archive.Files, e.files()...)
	}
	writeCases(t, t.TempDir(), []*testCase{c})
	return c
}

// runAccepted returns what the examples show of their CRDs, which an API server must accept without a warning.
func runAccepted(t *testing.T, examples []*example) map[*example]string {
	t.Helper()
	c := caseOf(t, examples)
	result := c.generate(t, c.list(t), c.options(t))
	if text := c.render(t, result.Diagnostics); text != "" {
		t.Fatalf("examples are not accepted, or warned of:\n%s", text)
	}
	out := map[*example]string{}
	for _, f := range result.Files {
		i := slices.IndexFunc(examples, func(e *example) bool {
			before, _, ok := strings.Cut(filepath.Base(f.Path), e.group)
			return ok && (before == "" || strings.HasSuffix(before, "."))
		})
		if i < 0 {
			t.Fatalf("no example makes %s", f.Path)
		}
		e := examples[i]
		switch {
		case out[e] != "":
			t.Fatalf("the example of %s makes several CRDs", e.marker)
		case len(e.show) == 0:
			out[e] = string(subtree(f.Data, 10, "spec"))
		}
		for _, path := range e.show {
			out[e] += crdPart(t, f.Data, path)
		}
	}
	for _, e := range examples {
		if out[e] == "" {
			t.Errorf("the example of %s shows nothing", e.marker)
		}
	}
	return out
}

// crdPart renders the part of a CRD that a path of keys leads to, under its last key.
func crdPart(t *testing.T, data []byte, path string) string {
	t.Helper()
	var part any
	if err := yaml.Unmarshal(data, &part); err != nil {
		t.Fatal(err)
	}
	var last string
	for key := range strings.SplitSeq(path, ".") {
		if list, ok := part.([]any); ok {
			part = list[0]
		}
		object, _ := part.(map[string]any)
		if last, part = key, object[key]; part == nil {
			t.Fatalf("a CRD has no %s:\n%s", path, data)
		}
	}
	if last == "versions" {
		for _, version := range part.([]any) {
			delete(version.(map[string]any), "schema")
		}
	}
	text, err := yaml.Marshal(map[string]any{last: part})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// runRejected returns the diagnostics of examples, at least one each. They are shown without line numbers, since those
// of the whole file differ from those of the part that is shown.
func runRejected(t *testing.T, examples []*example) map[*example]string {
	t.Helper()
	c := caseOf(t, examples)
	result := c.generate(t, c.list(t), c.options(t))
	position := regexp.MustCompile(`(?m)^\S+:\d+:\d+: |^ +\d* \|  ?`)
	summary := regexp.MustCompile(`\n\d+ \w+(, \d+ \w+)*\n$`)
	out := map[*example]string{}
	for _, e := range examples {
		mine := slices.DeleteFunc(slices.Clone(result.Diagnostics), func(d diag.Diagnostic) bool {
			return !d.Span.IsValid() || !strings.HasPrefix(d.Span.Source.Path,
				filepath.Join(c.dir, e.dir())+string(filepath.Separator))
		})
		if !diag.HasErrors(mine) {
			t.Errorf("the example of %s is not rejected", e.marker)
		}
		text := summary.ReplaceAllString(c.render(t, mine), "")
		out[e] = position.ReplaceAllStringFunc(text, func(found string) string {
			if strings.HasPrefix(found, " ") {
				return "   | "
			}
			return ""
		})
	}
	return out
}

// TestEveryMarkerHasAnExample makes sure that the reference shows each row of the table for its targets, and as
// rejected for others, with the same line as the index, and nothing else. Markers for items share the example of the
// marker itself.
func TestEveryMarkerHasAnExample(t *testing.T) {
	table := markers.Known()
	type row struct {
		def      *markers.Definition
		rejected bool
	}
	shown := map[row]bool{}
	inputs := map[string]string{}
	for _, e := range readExamples(t) {
		found := false
		inputs[e.marker] += e.input
		name := regexp.MustCompile(`^\+` + regexp.QuoteMeta(e.marker) + `\b`)
		for _, f := range e.files() {
			eachMarker(f.Name, f.Data, func(text string, target markers.Target) {
				def := table.Lookup(text, target)
				if def == nil || !name.MatchString(text) {
					return
				}
				found = true
				shown[row{def, e.rejected()}] = shown[row{def, e.rejected()}] || def.Name == e.marker
			})
		}
		if !found {
			t.Errorf("the example of %s does not have it, or has it in the wrong place:\n%s", e.marker, e.input)
		}
	}
	for i := range table.Definitions() {
		def := &table.Definitions()[i]
		rejected := def.Forbidden != "" || def.Inexpressible != ""
		if !shown[row{def, rejected}] && !strings.HasPrefix(def.Name, "kubebuilder:validation:items:") {
			t.Errorf("%s has no example on %s, rejected %t", def.Name, targetNames(def.Targets), rejected)
		}
		if input := inputs[def.Name]; input != "" && !strings.Contains(input, "// "+def.Example+"\n") {
			t.Errorf("no example of %s has the line of the index: %s", def.Name, def.Example)
		}
	}
}
