package histories_test

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/objects/diff"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/testdata/conformance/mutate"
)

var (
	mutations = flag.Int("mutations", 1500, "how many changed CRDs TestRejected compares with what they were made of")
	seed      = flag.Uint64("seed", 1, "the seed of TestRejected")
)

// valid is a CRD that API servers accept, and in which most mutations find something to change.
const valid = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  names: {kind: Widget, listKind: WidgetList, plural: widgets, singular: widget}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    additionalPrinterColumns: [{name: A, type: string, jsonPath: .spec.a}]
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [a]
            oneOf:
            - required: [a]
            - not: {required: [b]}
            x-kubernetes-validations: [{rule: self.a == 'x', message: a is x}]
            properties:
              a: {type: string, enum: [x, y], maxLength: 3}
              b: {type: integer, minimum: 1, default: 2}
              c:
                type: array
                maxItems: 5
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [k]
                items: {type: object, required: [k], properties: {k: {type: string}}}
              d: {type: object, additionalProperties: {type: boolean}}
`

// invalid are mistakes that an update may keep, and parts of CRDs with them.
var invalid = map[string]string{
	"none": "",
	"set of lists": `
              s: {type: array, x-kubernetes-list-type: set, items: {type: array, items: {type: string}}}`,
	"nullable item": `
              s:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [k]
                items: {type: object, nullable: true, required: [k], properties: {k: {type: string}}}`,
	"default with an unknown field": `
              s: {type: object, default: {z: 1}, properties: {k: {type: string}}}`,
	"pattern": `
              s: {type: string, pattern: "["}`,
}

// TestRejected changes CRDs at random, and asks the strategy of the API server whether it accepts the update. If it does
// not, diff says so; if it does, diff does not say that the new CRD is rejected. Some of the old CRDs have mistakes.
func TestRejected(t *testing.T) {
	wanted := *mutations
	if testing.Short() {
		wanted = min(wanted, 300)
	}
	rejected, kept := 0, 0
	for _, name := range slices.Sorted(maps.Keys(invalid)) {
		part := invalid[name]
		base, err := mutate.Read(name, []byte(valid+part))
		if err != nil {
			t.Fatal(err)
		}
		old := readCRD(t, []byte(valid+part))
		for number := range wanted / len(invalid) {
			m, err := mutate.New(*seed, number, []mutate.CRD{base})
			if err != nil {
				t.Fatal(err)
			}
			now := readCRD(t, m.YAML)
			if now == nil || now.Object.Name != old.Object.Name {
				continue
			}
			c, err := diff.Compare(t.Context(), *old, *now, kube.Range{})
			if err != nil && part == "" {
				t.Fatalf("%s\n%v", m, err)
			} else if err != nil {
				continue // objects cannot be written to the old CRD
			}
			want := update(old.Object, now.Object)
			switch isYes := isYes(c); {
			case want != nil && isYes:
				t.Fatalf("%s\nall answers are yes, but the API server says: %v", m, want)
			case want == nil && len(c.Rejected) > 0:
				t.Fatalf("%s\nthe API server accepts the update, but diff says: %v", m, c.Rejected)
			case want != nil:
				rejected++
			case len(c.OldRejected) > 0:
				kept++
			}
		}
	}
	t.Logf("%d updates were rejected, %d kept the mistake of the old CRD", rejected, kept)
	if rejected < wanted/20 || kept == 0 {
		t.Errorf("only %d updates were rejected, and %d kept the mistake of the old CRD", rejected, kept)
	}
}

func isYes(c *diff.Comparison) bool {
	for _, q := range diff.Questions() {
		if c.Answer(q) != diff.Yes {
			return false
		}
	}
	return true
}

// readCRD reads a CRD, nil if there is none to compare.
func readCRD(t *testing.T, data []byte) *crds.CRD {
	t.Helper()
	list, _ := crds.Read(t.Context(), []*diag.Source{{Path: "crd.yaml", Data: data, Syntax: diag.YAML}}, nil)
	if len(list) != 1 {
		return nil
	}
	return &list[0]
}

// update says why an API server rejects the update of an established CRD. Code that panics rejects it.
func update(old, now *apiext.CustomResourceDefinition) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	ctx := request.WithNamespace(request.NewContext(), "")
	strategy := customresourcedefinition.NewStrategy(apiserver.Scheme)
	before, after := &apiextensions.CustomResourceDefinition{}, &apiextensions.CustomResourceDefinition{}
	for from, to := range map[*apiext.CustomResourceDefinition]*apiextensions.CustomResourceDefinition{
		old.DeepCopy(): before, now.DeepCopy(): after,
	} {
		apiserver.Scheme.Default(from)
		if err := apiserver.Scheme.Convert(from, to, nil); err != nil {
			return err
		}
		to.ResourceVersion = "1"
		rest.WipeObjectMetaSystemFields(to) // clients do not send what servers write
		to.ManagedFields = nil
	}
	strategy.PrepareForCreate(ctx, before)
	before.Status.Conditions = []apiextensions.CustomResourceDefinitionCondition{
		{Type: apiextensions.Established, Status: apiextensions.ConditionTrue}}
	return rest.BeforeUpdate(strategy, ctx, after, before)
}
