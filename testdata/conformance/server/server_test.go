package server

import (
	"strings"
	"testing"
)

const widget = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  names: {plural: widgets, kind: Widget}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
`

// TestServer shows what the server answers to a CRD that it accepts, and to some that it does not.
func TestServer(t *testing.T) {
	s, err := Start()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Stop()
	const schema = "    schema:\n      openAPIV3Schema:\n        type: object\n"
	for _, c := range []struct{ name, crd, verdict, says string }{
		{"good", widget, "accepted", ""},
		{"no type", strings.Replace(widget, "type: object", "type: ''", 1), "Invalid",
			"spec.validation.openAPIV3Schema.type: Required value: must not be empty at the root"},
		{"unknown field", widget + "        maxLenght: 1\n", "accepted", ""},
		{"twice", widget + "        type: object\n", "accepted", ""},
		{"panic", strings.Replace(widget, schema, "    schema: {}\n    selectableFields: [{jsonPath: .spec.a}]\n", 1),
			Panic, "panics"},
	} {
		v, err := s.Judge(t.Context(), []byte(c.crd))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		verdict := v.Reason
		if v.Accepted {
			verdict = "accepted"
		}
		if verdict != c.verdict || !strings.Contains(v.Message, c.says) {
			t.Errorf("%s: %s: %s, want %s: %s", c.name, verdict, v.Message, c.verdict, c.says)
		}
	}
	for _, accepted := range []bool{true, false} {
		v, err := s.Create(t.Context(), []byte(widget))
		if err != nil {
			t.Fatal(err)
		}
		if v.Accepted != accepted {
			t.Errorf("accepted %t, want %t: %s", v.Accepted, accepted, v.Message)
		}
	}
}
