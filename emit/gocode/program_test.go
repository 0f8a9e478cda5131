package gocode_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit/gocode"
	"github.com/crdproof/crdproof/emit/gocode/testdata/exchange"
	"github.com/crdproof/crdproof/rules/cost"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema"
	"github.com/crdproof/crdproof/schema/read"
)

// A program is the helpers of CRDs, compiled and running.
type program struct {
	questions *json.Encoder
	answers   *json.Decoder
	// resources are the versions of the CRDs, by the name that helpers have for them.
	resources map[string]resource
}

// A resource is the version of a CRD, for the API server's own code.
type resource struct {
	crd    *apiext.CustomResourceDefinition
	schema *structural.Structural
}

// start writes helpers for CRDs, which answer as a minor, and builds and starts a program of them, until the test ends.
// The kinds have different names and one version.
func start(t *testing.T, crds []*schema.CRD, minor kube.Minor) *program {
	t.Helper()
	p := &program{resources: resources(t, crds)}
	p.run(t, exec.Command(build(t, "testdata/program", helpers(t, crds, minor))))
	return p
}

// resources are the first versions of CRDs, by their kinds.
func resources(t *testing.T, crds []*schema.CRD) map[string]resource {
	t.Helper()
	out := map[string]resource{}
	for _, crd := range crds {
		s, err := kube.Structural(crd.Versions[0].Schema)
		if err != nil {
			t.Fatal(err)
		}
		out[crd.Kind.V] = resource{crd: kube.Object(crd), schema: s}
	}
	return out
}

// run starts the program, until the test ends.
func (p *program) run(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	})
	p.questions, p.answers = json.NewEncoder(in), json.NewDecoder(out)
}

// ask has the program call a helper on JSON objects; old is nil for helpers that take one object.
func (p *program) ask(t *testing.T, helper string, object, old []byte) exchange.Answer {
	t.Helper()
	if err := p.questions.Encode(exchange.Question{Helper: helper, Object: object, Old: old}); err != nil {
		t.Fatal(err)
	}
	var a exchange.Answer
	if err := p.answers.Decode(&a); err == io.EOF {
		t.Fatal("the program is gone")
	} else if err != nil {
		t.Fatal(err)
	}
	if a.Panic != "" {
		t.Fatalf("%s of %s panics: %s", helper, object, a.Panic)
	}
	return a
}

// readCRDs reads a file of CRDs, which the API server accepts.
func readCRDs(t *testing.T, name string) []*schema.CRD {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return parseCRDs(t, name, data)
}

func parseCRDs(t *testing.T, name string, data []byte) []*schema.CRD {
	t.Helper()
	var crds []*schema.CRD
	docs, found := read.Documents(&diag.Source{Path: name, Data: data})
	for _, d := range found {
		t.Error(d.Message)
	}
	for _, doc := range docs {
		rejections, err := kube.Verdict(t.Context(), kube.Object(doc.CRD))
		if err != nil || len(rejections) > 0 {
			t.Fatalf("%s: %v %v", doc.CRD.Kind.V, rejections, err)
		}
		crds = append(crds, doc.CRD)
	}
	return crds
}

// helpers writes the files of a package main.
func helpers(t *testing.T, crds []*schema.CRD, minor kube.Minor) map[string][]byte {
	t.Helper()
	p := gocode.Package{Name: "main", Kube: minor, Copy: true}
	for _, c := range crds {
		s := session.New(c, nil, session.Options{Kube: kube.Range{First: minor, Last: minor}})
		v := s.Versions[0]
		k := gocode.Kind{Name: gocode.GoName(c.Kind.V), CRD: c, Version: v.Index, Rules: v.Rules(),
			Uncounted: cost.Uncounted(v.Estimates())}
		p.Kinds = append(p.Kinds, k)
	}
	written, found := gocode.Files(p)
	for _, d := range found {
		t.Error(d.Message)
	}
	files := map[string][]byte{}
	for _, f := range written {
		files[f.Path] = f.Data
	}
	return withTable(files)
}

// withTable adds a table of all helpers by their names: Widget.Prune, and CheckWidgetRules.
func withTable(files map[string][]byte) map[string][]byte {
	var table bytes.Buffer
	table.WriteString("package main\n\nvar helpers = map[string]any{\n")
	for _, data := range files {
		for _, m := range exportedFunction.FindAllSubmatch(data, -1) {
			if string(m[1]) != "Kinds" {
				fmt.Fprintf(&table, "\t%q: %[1]s,\n", m[1])
			}
		}
		for _, m := range exportedHelpers.FindAllSubmatch(data, -1) {
			for _, method := range []string{"Prune", "Default", "Validate", "ValidateUpdate", "ValidateStatusUpdate"} {
				fmt.Fprintf(&table, "\t\"%s.%s\": %[1]sHelpers.%[2]s,\n", m[1], method)
			}
		}
	}
	table.WriteString("}\n")
	files["table.go"] = table.Bytes()
	return files
}

var (
	exportedFunction = regexp.MustCompile(`(?m)^func ([A-Z]\w*)\(`)
	exportedHelpers  = regexp.MustCompile(`(?m)^var ([A-Z]\w*)Helpers = `)
)

// build compiles the program in a directory with more files, and returns the path of the binary.
func build(t *testing.T, source string, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	here, err := filepath.Abs(source)
	if err != nil {
		t.Fatal(err)
	}
	replace := map[string]string{}
	for name, data := range files {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		replace[filepath.Join(here, name)] = path
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o666); err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, "program")
	steps := [][]string{{"build", "-ldflags=-s -w", "-o", binary}, {"vet"}}
	if testing.Short() {
		// Inlining is two fifths of what the compiler does here.
		steps = [][]string{{"build", "-gcflags=-l", "-ldflags=-s -w", "-o", binary}}
	}
	for _, args := range steps {
		cmd := exec.Command("go", append(args, "-overlay", filepath.Join(dir, "overlay.json"), "./"+source)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	return binary
}
