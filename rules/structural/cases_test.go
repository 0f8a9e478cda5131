package structural_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apischema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

const casesDir = "../../testdata/structural"

// A testCase is one txtar file of testdata/structural. Its comment says what it shows; a line "kube: 1.30..1.37" in
// it gives the range of versions. The files are
//
//	crd.yaml     fields of a CRD's spec, or the schema of the field spec, or
//	types.go     fields of the struct Spec, or a kind, or the clause of its package
//	object.yaml  an object of the kind, where it matters whether an API server writes it
//	want         the findings, and the API server's answers about the CRD and the object
type testCase struct {
	name    string
	archive *txtar.Archive
}

// TestCases runs the cases. In each of them our findings and the API server's rejections must be about the same paths.
func TestCases(t *testing.T) {
	var cases []*testCase
	files, err := filepath.Glob(filepath.Join(casesDir, "*", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	src := newSources(t)
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(file), casesDir+"/"), ".txtar")
		c := &testCase{name: name, archive: archive}
		cases = append(cases, c)
		if code := c.file("types.go"); code != "" {
			src.add(c.folder(), code)
		}
	}
	crds, errors := src.build(t)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			crd := crds[c.folder()]
			if text := c.file("crd.yaml"); text != "" {
				crd = readCRD(t, text)
			}
			if crd == nil {
				t.Fatal("no CRD: ", errors[c.folder()])
			}
			c.run(t, crd, src.root)
		})
	}
}

func (c *testCase) folder() string {
	return strings.ReplaceAll(strings.ReplaceAll(c.name, "/", "-"), "_", "-")
}

func (c *testCase) file(name string) string {
	for _, f := range c.archive.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

func (c *testCase) versions(t *testing.T) kube.Range {
	for line := range strings.Lines(string(c.archive.Comment)) {
		if text, ok := strings.CutPrefix(line, "kube: "); ok {
			return parseRange(t, strings.TrimSpace(text))
		}
	}
	return kube.DefaultRange()
}

// parseRange is kube.ParseRange, but also for versions that are not supported: the table of features has them.
func parseRange(t *testing.T, text string) (out kube.Range) {
	first, last, isRange := strings.Cut(text, "..")
	if !isRange {
		last = first
	}
	for _, end := range []struct {
		text string
		to   *kube.Minor
	}{{first, &out.First}, {last, &out.Last}} {
		if _, err := fmt.Sscanf(end.text, "1.%d", end.to); err != nil {
			t.Fatalf("kube: %q: %v", text, err)
		}
	}
	return out
}

func (c *testCase) run(t *testing.T, crd *schema.CRD, root string) {
	found := check(t, crd, c.versions(t))
	rejections := verdict(t, crd)
	if !strings.Contains(fmt.Sprint(rejections), "the API server's own code panics") {
		explains(t, found, rejections)
	}
	var out bytes.Buffer
	if err := diag.Text(&out, diag.Sort(found), diag.TextOptions{Dir: filepath.Join(root, c.folder())}); err != nil {
		t.Fatal(err)
	}
	for _, d := range diag.Sort(found) {
		for _, path := range d.AlsoPaths {
			fmt.Fprintf(&out, "also at %s [%s]\n", path, d.Check)
		}
	}
	for _, line := range sorted(rejections) {
		fmt.Fprintf(&out, "API server: %s\n", line)
	}
	if object := c.file("object.yaml"); object != "" {
		fmt.Fprintf(&out, "object: %s\n", written(t, crd, object))
	}
	if want := c.file("want"); want != out.String() && !*update {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
	if *update {
		c.rewrite(t, out.Bytes())
	}
}

func sorted(rejections []kube.Rejection) []string {
	var out []string
	for _, r := range rejections {
		line := r.Path + ": " + r.Message
		out = append(out, line[:min(len(line), 300)])
	}
	slices.Sort(out)
	return out
}

func (c *testCase) rewrite(t *testing.T, want []byte) {
	kept := slices.DeleteFunc(slices.Clone(c.archive.Files), func(f txtar.File) bool { return f.Name == "want" })
	archive := &txtar.Archive{Comment: c.archive.Comment, Files: append(kept, txtar.File{Name: "want", Data: want})}
	if err := os.WriteFile(filepath.Join(casesDir, c.name+".txtar"), txtar.Format(archive), 0o666); err != nil {
		t.Fatal(err)
	}
}

// written creates an object as the API server does, without rules, and returns its JSON or why it is rejected
// (pkg/registry/customresource/strategy.go).
func written(t *testing.T, crd *schema.CRD, text string) string {
	t.Helper()
	v := &crd.Versions[0]
	var props apiextensions.JSONSchemaProps
	v1 := kube.Props(v.Schema)
	if err := apiext.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(v1, &props, nil); err != nil {
		t.Fatal(err)
	}
	s, err := apischema.NewStructural(&props)
	if err != nil {
		t.Fatal(err)
	}
	data, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	object := map[string]any{}
	if err := utiljson.Unmarshal(data, &object); err != nil {
		t.Fatal(err)
	}
	pruning.Prune(object, s, true)
	defaulting.PruneNonNullableNullsWithoutDefaults(object, s)
	defaulting.Default(object, s)
	if v.Subresources != nil && v.Subresources.Status != nil {
		delete(object, "status")
	}
	validator, _, err := validation.NewSchemaValidator(&props)
	if err != nil {
		t.Fatal(err)
	}
	errs := validation.ValidateCustomResource(nil, object, validator)
	errs = append(errs, listtype.ValidateListSetsAndMaps(nil, s, object)...)
	if len(errs) > 0 {
		return "refused: " + errs.ToAggregate().Error()
	}
	data, err = utiljson.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
