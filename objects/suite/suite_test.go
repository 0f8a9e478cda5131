package suite_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/objects/suite"
)

var update = flag.Bool("update", false, "rewrite the table of keys in docs/testing.md, and what the cases expect")

const widgets = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  names: {kind: Widget, plural: widgets}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {type: integer, minimum: 0, default: 3}
              name: {type: string, maxLength: 5, x-kubernetes-validations: [{rule: self == oldSelf, message: is fixed}]}
          status: {type: object, properties: {phase: {type: string, enum: [New, Done]}}}
`

const cases = `crdName: widgets.example.com
tests:
  onCreate:
  - name: right
    initial: |
      apiVersion: example.com/v1
      kind: Widget
      spec: {size: 3}
  - name: wrong
    initial: |
      apiVersion: example.com/v1
      kind: Widget
      spec: {size: -1}
  onUpdate:
  - name: fixed
    initial: |
      apiVersion: example.com/v1
      kind: Widget
      spec: {name: a}
    updated: |
      apiVersion: example.com/v1
      kind: Widget
      spec: {name: b}
    expectedError: is fixed
`

// folder writes files to a new directory.
func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A recorder is a test that records its errors.
type recorder struct {
	testing.TB
	errors []string
}

func (r *recorder) Helper()                  {}
func (r *recorder) Context() context.Context { return context.Background() }
func (r *recorder) Log(...any)               {}
func (r *recorder) Error(args ...any)        { r.errors = append(r.errors, fmt.Sprint(args...)) }
func (r *recorder) Fatal(args ...any) {
	r.Error(args...)
	panic(r)
}

// record runs suite.Test as go test would, and returns the reported errors.
func record(folder string, crds ...string) (errors []string) {
	r := &recorder{}
	defer func() {
		if p := recover(); p != nil && p != any(r) {
			panic(p)
		}
		errors = r.errors
	}()
	suite.Test(r, folder, crds...)
	return r.errors
}

// TestTest runs suites inside of go test: those that pass as tests of their own, those that fail in a recorder.
func TestTest(t *testing.T) {
	good := folder(t, map[string]string{
		"config/crd/bases/widgets.yaml":         widgets,
		"tests/widgets.example.com/widget.yaml": strings.Replace(cases, "{size: -1}", "{size: 1}", 1),
	})
	suite.Test(t, good)
	suite.Test(t, filepath.Join(good, "tests"), filepath.Join(good, "config", "crd", "bases"))

	bad := folder(t, map[string]string{"widgets.yaml": widgets, "a.testsuite.yaml": cases,
		"b.testsuite.yaml": strings.Replace(cases, "right", "{", 1)})
	said := record(bad, filepath.Join(bad, "widgets.yaml"))
	if len(said) != 2 || !strings.Contains(said[0], "b.testsuite.yaml:5: invalid YAML") ||
		!strings.Contains(said[1], "a.testsuite.yaml:13: a/onCreate/wrong: the API server rejects the creation of the "+
			"object\ngot:      spec.size: Invalid value: -1") {
		t.Errorf("said %q", said)
	}
	if said := record(t.TempDir()); len(said) != 1 || !strings.Contains(said[0], " has no suite (") {
		t.Errorf("an empty folder is reported as %q", said)
	}
}

// parse reads a suite without mistakes.
func parse(t testing.TB, text string) *suite.Suite {
	t.Helper()
	s, found := suite.Parse(&diag.Source{Path: "/suites/a.testsuite.yaml", Data: []byte(text)})
	if s == nil || len(found) > 0 {
		t.Fatalf("%v\n%s", found, text)
	}
	return s
}

// run runs a suite against the widgets.
func run(t testing.TB, dir string, s *suite.Suite) *suite.Report {
	t.Helper()
	r := suite.Run(t.Context(), []*suite.Suite{s},
		suite.Options{Where: crds.Where{Files: []string{filepath.Join(dir, "widgets.yaml")}}})
	for _, d := range r.Problems {
		if d.Severity == diag.Error {
			t.Fatal(d.Message)
		}
	}
	return r
}

// TestReference compares the table of keys in docs/testing.md with the code's, or rewrites it.
func TestReference(t *testing.T) {
	const begin, end = "<!-- keys -->\n", "<!-- end of keys -->\n"
	path := filepath.Join("..", "..", "docs", "testing.md")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(data), begin)
	table, after, ends := strings.Cut(rest, end)
	if !ok || !ends {
		t.Fatalf("%s has no markers around the table of keys", path)
	}
	switch want := suite.Reference(); {
	case table == want:
	case *update:
		if err := os.WriteFile(path, []byte(before+begin+want+end+after), 0o666); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("the table of keys in %s is not up to date: go test ./objects/suite -run TestReference -update", path)
	}
}
