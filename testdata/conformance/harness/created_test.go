package harness

import (
	"fmt"
	"testing"

	"github.com/crdproof/crdproof/testdata/conformance/mutate"
)

// testCreated makes sure that the server's verdict without keeping a CRD, which all of this rests upon, is that of
// keeping it.
func testCreated(t *testing.T, crds []mutate.CRD) {
	s := start(t)
	taken := map[string]bool{}
	accepted := 0
	for number := 0; len(taken) < len(crds)/2; number++ {
		m, err := mutate.New(3, number, crds)
		if err != nil {
			t.Fatal(err)
		}
		name := m.CRD.Object["metadata"].(map[string]any)["name"].(string)
		if taken[name] {
			continue
		}
		taken[name] = true
		judged, err := s.Judge(t.Context(), m.YAML)
		if err != nil {
			t.Fatal(err)
		}
		created, err := s.Create(t.Context(), m.YAML)
		if err != nil {
			t.Fatal(err)
		}
		if judged.Accepted != created.Accepted {
			t.Errorf("%sjudged:  %screated: %s", m, verdict(reasons(judged)), verdict(reasons(created)))
		}
		if created.Accepted {
			accepted++
		}
	}
	if accepted == 0 || accepted == len(taken) {
		t.Errorf("%d of %d are accepted", accepted, len(taken))
	}
}

// TestMetadata is about the metadata of a CRD that was read from a cluster. Some of it only the store has a say in, so
// that the CRDs are created.
func TestMetadata(t *testing.T) {
	s := start(t)
	for i, metadata := range []string{
		"namespace: default",
		"resourceVersion: '1234'",
		"resourceVersion: '0'",
		"resourceVersion: other",
		"uid: 0f8d3b3c-0000-0000-0000-000000000000",
		"creationTimestamp: '2024-02-29T00:00:00Z'",
		"deletionTimestamp: '2024-02-29T00:00:00Z'",
		"generation: -1",
		"generateName: other-",
		"selfLink: /apis/other",
		"finalizers: [example.com/finalizer]",
		"finalizers: [unqualified finalizer]",
		"managedFields: [{manager: kubectl, operation: Update, apiVersion: apiextensions.k8s.io/v1, fieldsType: " +
			"FieldsV1, fieldsV1: {'f:spec': {}}}]",
		"managedFields: [{manager: " + fmt.Sprintf("%0200d", 0) +
			", operation: Update, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {'f:spec': {}}}]",
		"managedFields: [{operation: Other}]",
	} {
		crd := fmt.Appendf(nil, metadataCRD, i, metadata)
		v, err := s.Create(t.Context(), crd)
		if err != nil {
			t.Fatal(err)
		}
		ours, err := Library(t.Context(), crd)
		if err != nil {
			t.Fatal(err)
		}
		if v.Accepted != (len(ours) == 0) {
			t.Errorf("%s\nthe server: %scrdproof:   %s", metadata, verdict(reasons(v)), verdict(ours))
		}
	}
}

const metadataCRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example%[1]d.com
  %[2]s
spec:
  group: example%[1]d.com
  names: {plural: widgets, kind: Widget}
  scope: Namespaced
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
`
