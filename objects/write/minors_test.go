package write_test

import (
	"encoding/json"
	"slices"
	"testing"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/crdproof/crdproof/internal/writetest"
	"github.com/crdproof/crdproof/objects/write"
	"github.com/crdproof/crdproof/rules/kube"
)

// tries is how often a write is answered: an API server iterates over maps, and stops at the first error of some.
const tries = 16

// TestMinors compares the answers for each minor with those of the API server of that minor.
func TestMinors(t *testing.T) {
	all, err := writetest.ReadMinors("testdata/minors.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	answers := map[kube.Minor]int{}
	for _, m := range all {
		crd := &apiext.CustomResourceDefinition{}
		if err := json.Unmarshal(m.CRD, crd); err != nil {
			t.Fatal(err)
		}
		resource, err := write.New(t.Context(), crd)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range m.Writes {
			request := write.Request{Object: w.Object, Status: w.Status, Version: m.Version}
			if w.Old != nil {
				if err := utiljson.Unmarshal(w.Old, &request.Old); err != nil {
					t.Fatal(err)
				}
			}
			for _, a := range w.Answers {
				versions, err := kube.ParseRange(a.Kube)
				if err != nil {
					t.Fatal(err)
				}
				for minor := versions.First; minor <= versions.Last; minor++ {
					answers[minor]++
					if got := reasonsOf(t, resource.For(minor), request, a.Errors); !slices.Equal(got, a.Errors) {
						t.Errorf("%s %s, %s\ngot:  %q\nwant: %q", minor, crd.Name, w.Object, got, a.Errors)
					}
				}
			}
		}
	}
	for minor := kube.Oldest; minor <= kube.Newest; minor++ {
		if answers[minor] < 100 {
			t.Errorf("%d answers of %s", answers[minor], minor)
		}
	}
}

// reasonsOf returns the reasons of a rejection, if possible the wanted ones.
func reasonsOf(t *testing.T, r *write.Resource, request write.Request, want []string) (got []string) {
	t.Helper()
	for range tries {
		answer, err := r.Write(t.Context(), request)
		if err != nil {
			t.Fatal(err)
		}
		if got = writetest.Reasons(answer); slices.Equal(got, want) {
			break
		}
	}
	return got
}

// TestAccepting says which minors accept what newer ones reject.
func TestAccepting(t *testing.T) {
	crd := widget(t, func(crd *apiext.CustomResourceDefinition) {
		spec := crd.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"]
		spec.Properties["number"] = apiext.JSONSchemaProps{Type: "integer", Format: "int32"}
		spec.Properties["short"] = apiext.JSONSchemaProps{Type: "string", Format: "k8s-short-name"}
	})
	resource, err := write.New(t.Context(), crd)
	if err != nil {
		t.Fatal(err)
	}
	for spec, want := range map[string]kube.Range{
		`{"number":3000000000}`:               {First: 28, Last: 35},
		`{"short":"A B"}`:                     {First: 28, Last: 34},
		`{"number":3000000000,"short":"A B"}`: {First: 28, Last: 34},
		`{"number":"a"}`:                      {},
	} {
		object := `{"apiVersion":"` + crd.Spec.Group + `/v1","kind":"Widget","metadata":{"name":"a"},"spec":` + spec + `}`
		request := write.Request{Object: []byte(object)}
		got, err := resource.Accepting(t.Context(), request, kube.Range{First: kube.Oldest, Last: kube.Latest()})
		if err != nil || got != want {
			t.Errorf("%s: %v, %v, want %v", spec, got, err, want)
		}
	}
}
