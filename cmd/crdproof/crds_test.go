package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/objects/crds"
)

// crdOf is the CRD of a kind whose names have a greatest length.
func crdOf(name, maxLength string) string {
	return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ` + name + `s.example.com}
spec:
  group: example.com
  names: {kind: ` + strings.ToUpper(name[:1]) + name[1:] + `, plural: ` + name + `s}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties: {spec: {type: object, properties: {name: {type: string, maxLength: ` + maxLength + `}}}}
`
}

const goTypes = `// +groupName=example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true
type Gear struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `
}
`

// TestFindCRDs finds CRDs where a command line names them, and in the usual places if it names none.
func TestFindCRDs(t *testing.T) {
	dir := t.TempDir()
	standIn := standIn(t)
	for name, text := range map[string]string{
		"bases/config/crd/bases/widgets.yaml":               crdOf("widget", "1"),
		"bases/config/crd/other.yaml":                       crdOf("other", "1"),
		"flat/config/crd/widgets.yaml":                      crdOf("widget", "1"),
		"flat/config/crd/kustomization.yaml":                "resources: [widgets.yaml]\n",
		"flat/config/samples/a/readme.txt":                  "",
		"openshift/zz_generated.crd-manifests/widgets.yaml": crdOf("widget", "1"),
		"openshift/config/crd/other.yaml":                   crdOf("other", "1"),
		"openshift/tests/widgets.example.com/widget.yaml":   "",
		"below/.git/HEAD":                                   "",
		"below/config/crd/other.yaml":                       crdOf("other", "1"),
		"below/op/go.mod":                                   "module example.com/below\n\ngo 1.24\n",
		"below/op/readme.txt":                               "",
		"overlay/config/crd/kustomization.yaml":             "resources: [../elsewhere]\n",
		"whole/go.mod": "module example.com/op\n\ngo 1.24\n\n" +
			"require k8s.io/apimachinery v0.0.0\n\nreplace k8s.io/apimachinery => " + strconv.Quote(standIn) + "\n",
		"whole/api/readme.txt":            "",
		"whole/internal/v1/types.go":      goTypes,
		"parts/.git/HEAD":                 "",
		"parts/config/samples/readme.txt": "",
		"parts/api/go.mod": "module example.com/op/api\n\ngo 1.24\n\n" +
			"require k8s.io/apimachinery v0.0.0\n\nreplace k8s.io/apimachinery => " + strconv.Quote(standIn) + "\n",
		"parts/api/v1/types.go": goTypes,
		"overlay/go.mod": "module example.com/op\n\ngo 1.24\n\n" +
			"require k8s.io/apimachinery v0.0.0\n\nreplace k8s.io/apimachinery => " + strconv.Quote(standIn) + "\n",
		"overlay/api/v1/types.go": goTypes,
		"twice/same.yaml":         crdOf("widget", "1"),
		"twice/widgets.yaml":      crdOf("widget", "1") + "---\n" + crdOf("gadget", "2"),
		"other/widgets.yaml":      crdOf("widget", "2"),
		"broken/widgets.yaml":     strings.Replace(crdOf("widget", "1"), "maxLength: 1", "maxLength: many", 1),
		"none/service.yaml":       "apiVersion: v1\nkind: Service\n",
		"empty/readme.txt":        "",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	for _, c := range []struct {
		name        string
		where       crds.Where
		want, found string
	}{
		{"bases", crds.Where{Dir: in("bases")}, "widgets.example.com", ""},
		{"config/crd", crds.Where{Dir: in("flat")}, "widgets.example.com", ""},
		{"above", crds.Where{Dir: in("flat/config/samples/a")}, "widgets.example.com", ""},
		{"of OpenShift", crds.Where{Dir: in("openshift/tests/widgets.example.com")}, "widgets.example.com", ""},
		{"above the module", crds.Where{Dir: in("below/op")}, "", "error: no CRDs found"},
		{"packages", crds.Where{Dir: in("overlay")}, "gears.example.com", ""},
		{"all packages", crds.Where{Dir: in("whole/internal")}, "gears.example.com", ""},
		{"packages above", crds.Where{Dir: in("overlay/config/crd")}, "gears.example.com", ""},
		{"a module of the API", crds.Where{Dir: in("parts/config/samples")}, "gears.example.com", ""},
		{"packages and files", crds.Where{Dir: in("overlay"), Paths: []string{"./api/..."},
			Files: []string{in("flat/config/crd")}}, "widgets.example.com gears.example.com", ""},
		{"nowhere", crds.Where{Dir: in("empty")}, "", "error: no CRDs found"},
		{"equal", crds.Where{Files: []string{in("twice")}}, "widgets.example.com gadgets.example.com", ""},
		{"unequal", crds.Where{Files: []string{in("twice"), in("other")}}, "widgets.example.com gadgets.example.com",
			"warning: duplicate CRD widgets.example.com with a different spec; the first one is used"},
		{"broken", crds.Where{Files: []string{in("broken")}}, "",
			"error: expected an integer for maxLength, got a string"},
		{"no CRD", crds.Where{Files: []string{in("none/service.yaml")}}, "",
			"error: no CustomResourceDefinition found in " + in("none/service.yaml")},
		{"no file", crds.Where{Files: []string{in("missing.yaml")}}, "",
			"error: " + in("missing.yaml") + " does not exist"},
		{"no package", crds.Where{Dir: in("overlay"), Paths: []string{"./nothing/..."}}, "", "error: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			list, found := crds.Find(t.Context(), c.where)
			var names []string
			for _, crd := range list {
				names = append(names, crd.Object.Name)
				if crd.IR.ObjectName() != crd.Object.Name {
					t.Errorf("the IR of %s is that of %s", crd.Object.Name, crd.IR.ObjectName())
				}
			}
			if got := strings.Join(names, " "); got != c.want {
				t.Errorf("found %q, want %q", got, c.want)
			}
			if said := messagesOf(found); !strings.HasPrefix(said, c.found) || (said == "") != (c.found == "") {
				t.Errorf("said %q, want %q", said, c.found)
			}
		})
	}
}

func messagesOf(list []diag.Diagnostic) string {
	var out []string
	for _, d := range list {
		out = append(out, d.Severity.String()+": "+d.Message)
	}
	return strings.Join(out, "\n")
}
