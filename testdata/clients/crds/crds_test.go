package crds_test

import (
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/crdproof/crdproof/fakeclient"
	"github.com/crdproof/crdproof/fakeclient/crds"
	v1 "github.com/crdproof/crdproof/testdata/clients/v1"
)

const folder = "../crd"

func wants(t *testing.T, err error, text string) {
	t.Helper()
	switch {
	case err == nil && text != "":
		t.Errorf("there is no error, want %s", text)
	case err != nil && (text == "" || !strings.Contains(err.Error(), text)):
		t.Errorf("got  %v\nwant %s", err, text)
	}
}

// TestSources enforces the same rules, whether they come from files or from Go types.
func TestSources(t *testing.T) {
	for name, option := range map[string]fakeclient.Option{
		"files": crds.WithCRDs(os.DirFS(folder)), "types": crds.FromPackages("../v1"),
	} {
		t.Run(name, func(t *testing.T) { testRules(t, option) })
	}
}

func testRules(t *testing.T, option fakeclient.Option) {
	s := runtime.NewScheme()
	if err := v1.AddToScheme(s); err != nil {
		t.Fatal(err)
	}
	c, err := fakeclient.New(fake.NewClientBuilder().WithScheme(s), option)
	if err != nil {
		t.Fatal(err)
	}
	g := &v1.Garden{ObjectMeta: metav1.ObjectMeta{Name: "g", Namespace: "a"}, Spec: v1.GardenSpec{Soil: "clay"}}
	wants(t, c.Create(t.Context(), g), "")
	if *g.Spec.Size != 2 {
		t.Errorf("there are no defaults: %v", g)
	}
	g.Spec.Soil = "sand"
	wants(t, c.Update(t.Context(), g), `Garden.example.com "g" is invalid: spec.soil: Invalid value: "sand": the soil cannot be changed`)
	g.Spec.Soil, g.Status.Flowers = "clay", -1
	wants(t, c.Status().Update(t.Context(), g), "status.flowers: Invalid value: -1: flowers in body should be greater")
	// The lists of the schema are merged by their keys.
	apply := func(owner, bed string) {
		t.Helper()
		u := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "example.com/v1", "kind": "Garden",
			"metadata": map[string]any{"name": "g", "namespace": "a"},
			"spec":     map[string]any{"beds": []any{map[string]any{"name": bed}}}}}
		wants(t, c.Apply(t.Context(), client.ApplyConfigurationFromUnstructured(u), client.FieldOwner(owner)), "")
	}
	apply("me", "x")
	apply("you", "y")
	wants(t, c.Get(t.Context(), client.ObjectKeyFromObject(g), g), "")
	if len(g.Spec.Beds) != 2 || g.Spec.Beds[0].Plant != "grass" {
		t.Errorf("%v", g.Spec.Beds)
	}
}

// TestMistakes names folders and files that have no CRDs, or wrong ones.
func TestMistakes(t *testing.T) {
	data, err := os.ReadFile(folder + "/example.com_gardens.yaml")
	if err != nil {
		t.Fatal(err)
	}
	wrong := strings.Replace(string(data), "self.size >=", "self.sise >=", 1)
	for _, test := range []struct {
		folder fs.FS
		want   string
	}{
		{os.DirFS("config/crd/bases"), `the path begins at the folder of the test, as in os.DirFS("../config/crd/bases")`},
		{fstest.MapFS{}, "there are no CRDs in the folder of WithCRDs"},
		{fstest.MapFS{"README.md": {Data: []byte("#")}}, "there are no CRDs in the folder of WithCRDs"},
		{fstest.MapFS{"pod.yaml": {Data: []byte("kind: Pod")}}, "there are no CRDs in the folder of WithCRDs"},
		{fstest.MapFS{"a.yaml": {Data: []byte("a: [")}}, "a.yaml:1"},
		{fstest.MapFS{"a.yaml": {Data: []byte(wrong)}}, `undefined field "sise"`},
		{fstest.MapFS{"a.yaml": {Data: data}, "b/a.yaml": {Data: data}}, "are given twice"},
	} {
		_, err := fakeclient.New(fake.NewClientBuilder(), crds.WithCRDs(test.folder))
		wants(t, err, test.want)
	}
	_, err = fakeclient.New(fake.NewClientBuilder(), crds.FromPackages())
	wants(t, err, `FromPackages expects patterns of Go packages`)
	_, err = fakeclient.New(fake.NewClientBuilder(), crds.FromPackages("./none"))
	wants(t, err, "none")
}
