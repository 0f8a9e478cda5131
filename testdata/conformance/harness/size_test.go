package harness

import (
	"encoding/json"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/size"
	"github.com/crdproof/crdproof/schema/read"
	"github.com/crdproof/crdproof/testdata/conformance/server"
)

// described is a CRD with a description of so many bytes.
func described(length int) []byte {
	return []byte(`{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",` +
		`"metadata":{"name":"widgets.example.com"},` +
		`"spec":{"group":"example.com","names":{"kind":"Widget","plural":"widgets"},"scope":"Namespaced",` +
		`"versions":[{"name":"v1","served":true,"storage":true,` +
		`"schema":{"openAPIV3Schema":{"type":"object","description":"` + strings.Repeat("<", length) + `"}}}]}}`)
}

// sizeFindings are the ids of what crdproof says about the size of a CRD that is sent.
func sizeFindings(t *testing.T, sent []byte) string {
	t.Helper()
	docs, _ := read.Documents(&diag.Source{Path: "crd.json", Data: sent})
	if len(docs) != 1 {
		t.Fatal("no CRD found")
	}
	var out []string
	for _, d := range size.CheckJSON(docs[0].CRD, docs[0].JSON) {
		out = append(out, d.Check)
	}
	return strings.Join(out, " ")
}

// applied is what kubectl apply sends of a CRD.
func applied(t *testing.T, crd []byte) []byte {
	t.Helper()
	object := &unstructured.Unstructured{}
	if err := object.UnmarshalJSON(crd); err != nil {
		t.Fatal(err)
	}
	object.SetAnnotations(map[string]string{})
	kept, err := runtime.Encode(unstructured.UnstructuredJSONScheme, object)
	if err != nil {
		t.Fatal(err)
	}
	object.SetAnnotations(map[string]string{"kubectl.kubernetes.io/last-applied-configuration": string(kept)})
	out, err := json.Marshal(object.Object)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestSizeLimits compares the warning about kubectl apply with the real server, at the exact byte; and what is said to
// be too large to be stored against the real etcd.
func TestSizeLimits(t *testing.T) {
	s, err := server.Start()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Stop()
	empty, err := size.OfJSON(described(0), 0)
	if err != nil {
		t.Fatal(err)
	}
	const escaped = len(`\u003c`)
	room := size.AnnotationLimit - empty.Annotations
	for _, c := range []struct {
		length, pad int
		findings    string
	}{{room / escaped, room % escaped, ""}, {room / escaped, room%escaped + 1, "crd-size"}} {
		// Characters of six bytes do not come out at each number: letters make up the rest.
		crd := []byte(strings.Replace(string(described(c.length)), `<"}}}]`, `<`+strings.Repeat("x", c.pad)+`"}}}]`, 1))
		v, err := s.Judge(t.Context(), applied(t, crd))
		if err != nil {
			t.Fatal(err)
		}
		if found := sizeFindings(t, crd); found != c.findings || v.Accepted != (found == "") {
			t.Errorf("with %d bytes more the findings are %q, and the server says %t: %s", c.pad, found, v.Accepted,
				v.Message)
		}
	}
	large := described(size.StorageLimit / escaped)
	v, err := s.Create(t.Context(), large)
	if err != nil {
		t.Fatal(err)
	}
	if found := sizeFindings(t, large); v.Accepted || !strings.Contains(found, "crd-too-large") {
		t.Errorf("%d bytes: the findings are %q, and the server says %t: %s", len(large), found, v.Accepted, v.Message)
	} else {
		t.Logf("the server says: %s: %s", v.Reason, v.Message)
	}
}
