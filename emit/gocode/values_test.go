package gocode_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/crdproof/crdproof/emit/gocode/testdata/exchange"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

// TestValues writes helpers for small kinds, which together have every keyword, and validates random creations and
// updates with them. The errors must be those of the API server's library, in an order in which it may report them.
func TestValues(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/values.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var crds []*schema.CRD
	for _, f := range archive.Files {
		crds = append(crds, parseCRDs(t, f.Name, crdOf(f.Name, f.Data))...)
	}
	validate(t, crds, objectCount()/5)
}

// TestRandomValues is TestValues for random schemas.
func TestRandomValues(t *testing.T) {
	m := schemaMaker{rand.New(rand.NewPCG(*seed, 2))}
	var crds []*schema.CRD
	for i := range *objects / 25 {
		name := fmt.Sprintf("Random%d", i)
		crds = append(crds, parseCRDs(t, name, crdOf(name, m.spec()))...)
	}
	validate(t, crds, objectCount()/10)
}

// validate compares the answers of helpers and of the library for n random objects of each kind.
func validate(t *testing.T, crds []*schema.CRD, n int) {
	t.Helper()
	p := start(t, crds, kube.Latest())
	g := valueMaker{rand.New(rand.NewPCG(*seed, 1))}
	all, invalid, several, inOrder := 0, 0, 0, 0
	for _, crd := range crds {
		j := newJudge(t, p.resources[crd.Kind.V])
		for range n {
			helper, object, old := g.question(crd)
			got := p.ask(t, helper, object, old).Errors
			want := j.judge(object, old, got)
			if !slices.Equal(sorted(got), sorted(want)) {
				t.Errorf("%s\nobject: %s\nold:    %s\ngot:\n\t%s\nwant:\n\t%s", helper, object, old,
					strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
			}
			all++
			if len(want) > 0 {
				invalid++
			}
			if len(want) > 1 {
				several++
				if slices.Equal(got, want) {
					inOrder++
				}
			}
		}
	}
	t.Logf("%d objects, %d invalid, %d with several errors, %d of these in an order of the library's", all, invalid,
		several, inOrder)
	if invalid < all/10 || invalid > all*9/10 {
		t.Errorf("%d of %d objects are invalid, which shows little", invalid, all)
	}
	if inOrder < several*3/4 {
		t.Errorf("of %d lists of errors only %d are in an order in which the library goes through maps", several,
			inOrder)
	}
}

func sorted(texts []string) []string { return slices.Sorted(slices.Values(texts)) }

// crdOf is a kind whose spec has a schema.
func crdOf(kind string, spec []byte) []byte {
	plural := strings.ToLower(kind)
	return fmt.Appendf(nil, `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: %[2]s.example.org}
spec:
  group: example.org
  scope: Namespaced
  names: {kind: %[1]s, listKind: %[1]sList, plural: %[2]s, singular: %[2]s}
  versions:
  - name: v1
    served: true
    storage: true
    subresources:
      scale:
        specReplicasPath: .spec.a.replicas
        statusReplicasPath: .status.replicas
        labelSelectorPath: .status.selector
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        properties:
          apiVersion: {type: string, maxLength: 20}
          kind: {type: string}
          metadata: {type: object}
          status: {type: object, x-kubernetes-preserve-unknown-fields: true}
          spec:
            %[3]s
`, kind, plural, strings.ReplaceAll(strings.TrimSpace(string(spec)), "\n", "\n            "))
}

// question makes a random object of a kind, and the helper that validates it: half of the objects are updates of
// another one.
func (g valueMaker) question(crd *schema.CRD) (helper string, object, old []byte) {
	spec := crd.Versions[0].Schema.Property("spec")
	value := map[string]any{"apiVersion": "example.org/v1", "kind": crd.Kind.V, "metadata": map[string]any{}}
	if g.IntN(3) == 0 {
		delete(value, "metadata") // only then is all of an object correlated
	}
	if g.IntN(10) == 0 {
		value["apiVersion"] = "example.org/v1-and-too-long"
	}
	if g.IntN(50) > 0 {
		value["spec"] = g.value(spec, 0)
	}
	if g.IntN(20) == 0 {
		value["status"] = map[string]any{"replicas": g.any(), "selector": g.any()}
	}
	helper, object = crd.Kind.V+".Validate", exchange.Exact(value)
	if g.IntN(2) == 0 {
		return helper, object, nil
	}
	if s, ok := value["spec"]; ok {
		value["spec"] = g.change(spec, s)
	}
	return helper + "Update", object, exchange.Exact(value)
}

// A valueMaker makes random values, most of them of the type that their schema asks for.
type valueMaker struct{ *rand.Rand }

func (g valueMaker) value(s *schema.Schema, depth int) any {
	if g.IntN(25) == 0 || s == nil || depth > 6 {
		return g.any()
	}
	if len(s.Enum) > 0 && g.IntN(2) == 0 {
		return valueOf(s.Enum[g.IntN(len(s.Enum))])
	}
	switch s.Type.V {
	case "object":
		return g.object(s, depth)
	case "array":
		items := []any{}
		for range g.IntN(4) {
			items = append(items, g.value(s.Items, depth+1))
		}
		if len(items) > 1 && g.IntN(4) == 0 {
			items[0] = runtime.DeepCopyJSONValue(items[1])
		}
		return items
	case "string":
		return g.text()
	case "integer", "number":
		return g.number()
	case "boolean":
		return g.IntN(2) == 0
	}
	return g.any()
}

func (g valueMaker) object(s *schema.Schema, depth int) map[string]any {
	object := map[string]any{}
	for _, p := range s.Properties {
		if g.IntN(5) > 1 {
			object[p.Name] = g.value(p.Schema, depth+1)
		}
	}
	if s.AdditionalProperties != nil {
		for range g.IntN(3) {
			object[pick(g.Rand, "a", "b", "x.y", "")] = g.value(s.AdditionalProperties, depth+1)
		}
	}
	if s.PreserveUnknownFields != nil && g.IntN(3) == 0 {
		object["unknown"] = g.any()
	}
	if s.EmbeddedResource != nil && g.IntN(8) > 0 {
		object["apiVersion"] = pick[any](g.Rand, "v1", "apps/v1", "", "a/b/c", int64(1))
		object["kind"] = pick[any](g.Rand, "Pod", "pod.x", "", "-", true)
		object["metadata"] = pick[any](g.Rand, nil, map[string]any{}, map[string]any{"name": "a/b"},
			map[string]any{"name": ".", "namespace": "A", "generateName": ".."},
			map[string]any{"labels": map[string]any{"-": "a b"}, "generation": int64(-1), "finalizers": []any{"x"}},
			map[string]any{"name": int64(1)},
			map[string]any{"ownerReferences": []any{map[string]any{"apiVersion": "v1"}},
				"managedFields": []any{map[string]any{"operation": "x"}}}, "text")
	}
	return object
}

func (g valueMaker) any() any {
	switch g.IntN(8) {
	case 0:
		return nil
	case 1:
		return g.IntN(2) == 0
	case 2, 3:
		return g.text()
	case 4, 5:
		return g.number()
	case 6:
		return []any{g.text(), g.number()}[:g.IntN(3)]
	}
	return map[string]any{"a": g.text(), "b": g.number()}
}

func (g valueMaker) text() string {
	return pick(g.Rand, "", "a", "a", "b", "ab", "abc", "abcd", "é", "éé", "10%", "7", "2024-02-29T10:11:12Z",
		"2023-02-29T10:11:12Z", "2024-02-29", "YWJj", "YQ==",
		"http://x.y/z", "10.0.0.0/8", "1.2.3.4", "::1", "a-b", "123e4567-e89b-12d3-a456-426614174000", "\n")
}

func (g valueMaker) number() any {
	if g.IntN(3) == 0 {
		return pick(g.Rand, 0, 1, 2, 3, 0.5, 1.5, 2.5, 2.7, -1, 0.3, 97.2, 2.0000000001, 1e20, 1e39, 1e300,
			9007199254740993, -1e19, 4294967295)
	}
	return pick[int64](g.Rand, 0, 1, 1, 2, 2, 3, 4, -1, 97, 98, 2147483647, 2147483648, -2147483649,
		9223372036854775807, -9223372036854775808)
}

// change changes a value a little, or leaves it.
func (g valueMaker) change(s *schema.Schema, value any) any {
	if g.IntN(12) == 0 {
		return g.value(s, 3)
	}
	switch value := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			if g.IntN(12) == 0 {
				delete(value, name)
			} else if g.IntN(3) > 0 {
				value[name] = g.change(below(s, name), value[name])
			}
		}
	case []any:
		for i := range value {
			if s != nil && g.IntN(3) == 0 {
				value[i] = g.change(s.Items, value[i])
			}
		}
		if g.IntN(3) == 0 {
			g.Shuffle(len(value), func(i, j int) { value[i], value[j] = value[j], value[i] })
		}
	}
	return value
}

func below(s *schema.Schema, name string) *schema.Schema {
	if s == nil {
		return nil
	}
	if p := s.Property(name); p != nil {
		return p
	}
	return s.AdditionalProperties
}

// valueOf is a value of a schema as an object has it.
func valueOf(v schema.Value) any {
	switch v.Kind {
	case schema.Bool:
		return v.Text == "true"
	case schema.NumberKind:
		return exchange.Decode([]byte(`{"n":` + v.Text + `}`))["n"]
	case schema.String:
		return v.Text
	case schema.Array:
		items := []any{}
		for _, item := range v.Items {
			items = append(items, valueOf(item))
		}
		return items
	case schema.Object:
		object := map[string]any{}
		for _, m := range v.Members {
			object[m.Key] = valueOf(m.Value)
		}
		return object
	}
	return nil
}
