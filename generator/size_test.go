package generator_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/size"
	"github.com/crdproof/crdproof/schema/read"
)

// compareSizes compares the sizes that rules/size computes for a CRD with what kubectl apply sends for its file: from
// the IR, as for generated files, and from the JSON that a client sends, as for all others.
func compareSizes(t *testing.T, files []emit.File) {
	t.Helper()
	for _, f := range files {
		want := kubectlSizes(t, f.Data)
		docs, _ := read.Documents(&diag.Source{Path: f.Path, Data: f.Data})
		if len(docs) != 1 {
			t.Fatalf("%s holds %d CRDs", f.Path, len(docs))
		}
		if got := size.NewWeights().OfCRD(docs[0].CRD, kube.Object(docs[0].CRD), len(f.Data)); got != want {
			t.Errorf("%s: the CRD has %+v, but to kubectl it is %+v", f.Path, got, want)
		}
		if got, err := size.OfJSON(docs[0].JSON, docs[0].File); err != nil || got != want {
			t.Errorf("%s: the JSON has %+v, but to kubectl it is %+v: %v", f.Path, got, want, err)
		}
	}
}

// kubectlSizes measures a file as kubectl apply does, with kubectl's own library.
func kubectlSizes(t *testing.T, file []byte) size.Sizes {
	t.Helper()
	sent, err := yaml.YAMLToJSON(file)
	if err != nil {
		t.Fatal(err)
	}
	object := &unstructured.Unstructured{}
	if err := object.UnmarshalJSON(sent); err != nil {
		t.Fatal(err)
	}
	annotations := object.GetAnnotations()
	if annotations == nil {
		annotations = map[string]string{}
	}
	object.SetAnnotations(annotations)
	kept, err := runtime.Encode(unstructured.UnstructuredJSONScheme, object)
	if err != nil {
		t.Fatal(err)
	}
	annotations["kubectl.kubernetes.io/last-applied-configuration"] = string(kept)
	out := size.Sizes{File: len(file), JSON: len(kept)}
	for key, value := range annotations {
		out.Annotations += len(key) + len(value)
	}
	return out
}
