package generator_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

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
	"github.com/crdproof/crdproof/internal/checkdoc"
	"github.com/crdproof/crdproof/internal/structuraltest"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/rules/structural"
	"github.com/crdproof/crdproof/schema"
)

// TestStructuralCases runs the cases. In each of them our findings and the API server's rejections must be about the
// same paths.
func TestStructuralCases(t *testing.T) {
	cases := structuraltest.Cases(t, "../testdata/structural")
	src := newSources(t)
	for _, c := range cases {
		if code := c.File("types.go"); code != "" {
			src.add(folderOf(c), code)
		}
	}
	crds, errors := src.build(t)
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			crd := crds[folderOf(c)]
			if text := c.File("crd.yaml"); text != "" {
				crd = structuraltest.Read(t, text)
			}
			if crd == nil {
				t.Fatal("no CRD: ", errors[folderOf(c)])
			}
			runStructural(t, c, crd, src.root)
		})
	}
}

// folderOf returns the folder of the Go package of a case.
func folderOf(c *structuraltest.Case) string {
	return strings.NewReplacer("/", "-", "_", "-").Replace(c.Name)
}

// runStructural compares what is found in the CRD of a case with what the case expects.
func runStructural(t *testing.T, c *structuraltest.Case, crd *schema.CRD, root string) {
	found := structuraltest.Check(t, crd, c.Versions(t))
	rejections := structuraltest.Verdict(t, crd)
	if !strings.Contains(fmt.Sprint(rejections), "the API server's own code panics") {
		structuraltest.Explain(t, found, rejections)
	}
	var out bytes.Buffer
	if err := diag.Text(&out, diag.Sort(found), diag.TextOptions{Dir: filepath.Join(root, folderOf(c))}); err != nil {
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
	if object := c.File("object.yaml"); object != "" {
		fmt.Fprintf(&out, "object: %s\n", written(t, crd, object))
	}
	if want := c.File("want"); want != out.String() && !*update {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
	if *update {
		if err := c.Write(out.Bytes()); err != nil {
			t.Error(err)
		}
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

// TestStructuralExamples makes sure that a check finds the bad example of its row, and nothing in the good one.
func TestStructuralExamples(t *testing.T) {
	for _, name := range []string{"bad", "good"} {
		src := newSources(t)
		for _, c := range session.Checks(structural.Rows()) {
			if code := exampleOf(c, name); isGo(code) {
				src.add(c.ID, code)
			}
		}
		crds, errors := src.build(t)
		for _, c := range session.Checks(structural.Rows()) {
			crd := crds[c.ID]
			if code := exampleOf(c, name); !isGo(code) {
				crd = structuraltest.Read(t, code)
			}
			if crd == nil {
				t.Errorf("%s: the %s example has no CRD: %v", c.ID, name, errors[c.ID])
				continue
			}
			checkExample(t, c, name, crd)
		}
	}
}

func exampleOf(c *diag.Check, name string) string {
	p := checkdoc.Pages()[c.ID]
	if name == "good" {
		return p.Good
	}
	return p.Bad
}

func checkExample(t *testing.T, c *diag.Check, name string, crd *schema.CRD) {
	t.Helper()
	found := structuraltest.Check(t, crd, kube.DefaultRange())
	isFound := slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Check == c.ID })
	if name == "bad" != isFound || name == "good" && len(found) > 0 {
		t.Errorf("%s: the %s example has the findings %v", c.ID, name, found)
	}
	rejections := structuraltest.Verdict(t, crd)
	if rejected := len(rejections) > 0; rejected != (c.Verdict && name == "bad") {
		t.Errorf("%s: the API server's answer to the %s example: %v", c.ID, name, rejections)
	}
	structuraltest.Explain(t, found, rejections)
}

// isGo reports whether an example is Go rather than YAML.
func isGo(code string) bool {
	return strings.Contains(code, "`json:") || strings.HasPrefix(code, "// +") || strings.HasPrefix(code, "type Widget")
}
