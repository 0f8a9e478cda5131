package mutate

import (
	"bytes"
	"slices"
	"testing"

	"sigs.k8s.io/yaml"
)

// rich is a CRD in which each operator finds something to change.
const rich = `apiVersion: apiextensions.k8s.io/v1
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
    additionalPrinterColumns: [{name: A, type: string, jsonPath: .spec.a}]
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            oneOf:
            - required: [a]
            - not: {required: [b]}
            x-kubernetes-validations: [{rule: self.a == 'x'}]
            properties:
              a: {type: string, enum: [x, y], maxLength: 3}
              b: {type: integer, minimum: 1}
              c:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [k]
                items: {type: object, required: [k], properties: {k: {type: string}}}
              d: {type: object, additionalProperties: {type: boolean}}
`

// TestNew makes sure that a mutation is made again by its seed and number, that each changes something, leaves the CRD
// that it started from as it was, and that each operator has its turn.
func TestNew(t *testing.T) {
	crd, err := Read("rich", []byte(rich))
	if err != nil {
		t.Fatal(err)
	}
	before, err := yaml.Marshal(crd.Object)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for number := range 4000 {
		m, err := New(7, number, []CRD{crd})
		if err != nil {
			t.Fatal(err)
		}
		again, err := New(7, number, []CRD{crd})
		if err != nil || !bytes.Equal(m.YAML, again.YAML) || !slices.Equal(m.Changes, again.Changes) {
			t.Fatalf("mutation %d is another one the second time: %v\n%s%s", number, err, m, again)
		}
		for _, c := range m.Changes {
			seen[c.Operator] = true
		}
	}
	if after, err := yaml.Marshal(crd.Object); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the CRD itself is changed: %v\n%s", err, after)
	}
	for _, op := range slices.Concat(groups...) {
		if !seen[op.name] {
			t.Errorf("no mutation has %s", op.name)
		}
	}
}
