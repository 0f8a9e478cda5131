package kube

import (
	"fmt"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

const widget = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
  %s
spec:
  group: example.com
  names: {plural: widgets, kind: Widget}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    %s
`

// TestVerdict is about the steps before and after the validation of a CRD. testdata/conformance compares all of it with
// a server.
func TestVerdict(t *testing.T) {
	const empty = "schema: {openAPIV3Schema: {type: object}}"
	for _, c := range []struct{ title, metadata, version, want string }{
		{"accepted", "", empty, ""},
		{"a field that is unknown", "", "schema: {openAPIV3Schema: {type: object, maxLenght: 1}}", ""},
		{"a value of another type", "", "schema: {openAPIV3Schema: {type: object, maxLength: many}}",
			"cannot unmarshal string into Go struct field"},
		{"what a cluster adds", "namespace: default\n  generation: -1\n  managedFields: [{operation: Other}]", empty,
			""},
		{"what the store rejects", "resourceVersion: '7'", empty,
			"metadata.resourceVersion: resourceVersion should not be set"},
		{"a panic", "", "schema: {}\n    selectableFields: [{jsonPath: .spec.a}]", "the API server's own code panics"},
		{"a type that is named by the clock", "",
			"schema: {openAPIV3Schema: {type: object, x-kubernetes-validations: [{rule: self.isSorted()}]}}",
			"no matching overload for 'isSorted' applied to 'self.()'"},
	} {
		got, err := rejections(t, fmt.Sprintf(widget, c.metadata, c.version))
		if err != nil {
			got = err.Error()
		}
		if (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.title, got, c.want)
		}
	}
}

func rejections(t *testing.T, crd string) (string, error) {
	t.Helper()
	sent, err := yaml.YAMLToJSON([]byte(crd))
	if err != nil {
		t.Fatal(err)
	}
	object, err := Decode(sent)
	if err != nil {
		return "", err
	}
	list, err := Verdict(t.Context(), object)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, r := range list {
		out = append(out, r.Path+": "+r.Message)
	}
	return strings.Join(out, "\n"), nil
}
