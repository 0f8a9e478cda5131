package structural_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/internal/structuraltest"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

// TestEffects removes each keyword that a finding calls without effect from random schemas: the API server's validator
// must give the same verdict on random values.
func TestEffects(t *testing.T) {
	const seeds = 1500
	removed := map[string]int{}
	for seed := range uint64(seeds) {
		d := dice{rand.New(rand.NewPCG(seed, 7))}
		crd := randomCRD(d.Rand)
		root := &schema.Schema{Type: schema.Text{V: "object"},
			Properties: []schema.Property{{Name: "spec", Schema: d.constrained()}}}
		crd.Versions = []schema.Version{{Name: schema.Text{V: "v1"}, Served: true, Storage: true, Schema: root}}
		for _, f := range structuraltest.Check(t, crd, kube.DefaultRange()) {
			if f.Check != "keyword-type" && f.Check != "alternative-open" ||
				!strings.Contains(f.Message, "has no effect") {
				continue
			}
			after := without(crd, f.Path)
			if after == root {
				t.Fatalf("seed %d: there is no keyword at %s", seed, f.Path)
			}
			removed[f.Check]++
			before, other := validatorOf(t, root), validatorOf(t, after)
			for range 60 {
				object := map[string]any{"spec": d.object(2)}
				if is := before(object); is != other(object) {
					data, err := yaml.Marshal(kube.Props(root))
					if err != nil {
						t.Fatal(err)
					}
					t.Fatalf("seed %d: accepted: %v; %s [%s]\n%v\n%s", seed, is, f.Message, f.Path, object, data)
				}
			}
		}
	}
	if removed["keyword-type"] < seeds/10 || removed["alternative-open"] < seeds/50 {
		t.Errorf("few keywords are without effect: %v", removed)
	}
}

// constrained makes a schema of a known type with keywords of several types, half of them in junctors.
func (d dice) constrained() *schema.Schema {
	s := &schema.Schema{Type: d.text("", "object", "array", "string", "integer", "number", "boolean")}
	switch s.Type.V {
	case "":
		s.IntOrString = &schema.Flag{V: true}
	case "object":
		s.Properties = []schema.Property{{Name: "a", Schema: &schema.Schema{Type: d.text("string", "integer")}}}
	case "array":
		s.Items = &schema.Schema{Type: d.text("string", "integer")}
	}
	for range d.IntN(3) {
		d.keyword(s, 1)
	}
	if d.rarely(3) {
		return s
	}
	list := []*schema.Schema{{}, {}}
	for _, nested := range list {
		for range 1 + d.IntN(2) {
			d.keyword(nested, 1)
		}
	}
	switch d.IntN(5) {
	case 0:
		s.AllOf = list
	case 1:
		s.OneOf = list
	case 2:
		s.Not = list[0]
	default:
		s.AnyOf = list
	}
	return s
}

// keyword sets a keyword that validates values.
func (d dice) keyword(s *schema.Schema, depth int) {
	n, number := &schema.Int{V: int64(d.IntN(3))}, &schema.Number{V: d.of("0", "1", "2")}
	switch d.IntN(14) {
	case 0:
		s.MaxLength = n
	case 1:
		s.MinLength = n
	case 2, 3:
		s.Pattern = d.text("^a$", "b", "%$")
	case 4:
		s.Minimum = number
	case 5:
		s.Maximum = number
	case 6:
		s.MultipleOf = &schema.Number{V: "2"}
	case 7:
		s.MaxItems = n
	case 8:
		s.MinProperties = n
	case 9:
		s.Required = []schema.Text{{V: d.of("a", "b")}}
	case 10:
		s.Enum = []schema.Value{d.value(0), d.value(1)}
	case 11:
		s.Format = d.text("date", "ipv4", "int32")
	case 12, 13:
		if depth == 0 {
			return
		}
		nested := &schema.Schema{}
		d.keyword(nested, depth-1)
		if d.rarely(2) {
			s.Items = nested
		} else if len(s.Properties) == 0 {
			s.Properties = []schema.Property{{Name: "a", Schema: nested}}
		}
	}
}

// object makes a random JSON value.
func (d dice) object(depth int) any {
	switch d.IntN(9 - 2*min(1, max(0, 1-depth))) {
	case 0, 1:
		return int64(d.IntN(4) - 1)
	case 2:
		return float64(d.IntN(3)) + 0.5
	case 3, 4:
		return d.of("", "a", "b", "ab", "5%", "abc", "2020-01-01", "1.2.3.4")
	case 5:
		return d.rarely(2)
	case 6:
		return nil
	case 7:
		list := []any{}
		for range d.IntN(3) {
			list = append(list, d.object(depth-1))
		}
		return list
	}
	object := map[string]any{}
	for _, key := range []string{"a", "b"} {
		if d.rarely(2) {
			object[key] = d.object(depth - 1)
		}
	}
	return object
}

// without is the schema of a CRD's only version without the keyword at a path. A schema that lacks it stays the same.
func without(crd *schema.CRD, path string) *schema.Schema {
	dot := strings.LastIndexByte(path, '.')
	_, at, rest := schema.NewFinder(crd).Find(path[:dot])
	return schema.Map(crd.Versions[0].Schema, func(p *schema.Place) *schema.Schema {
		k := schema.KeywordOf(path[dot+1:])
		if at == nil || rest != "" || k == nil || p.Path() != at.Path() || !k.IsSet(p.Schema) {
			return p.Schema
		}
		out := *p.Schema
		k.Copy(&out, &schema.Schema{})
		return &out
	})
}

// validatorOf returns the API server's verdict on objects.
func validatorOf(t *testing.T, s *schema.Schema) func(any) bool {
	t.Helper()
	var props apiextensions.JSONSchemaProps
	if err := apiext.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(kube.Props(s), &props, nil); err != nil {
		t.Fatal(err)
	}
	validator, _, err := validation.NewSchemaValidator(&props)
	if err != nil {
		t.Fatal(err)
	}
	return func(object any) bool { return len(validation.ValidateCustomResource(nil, object, validator)) == 0 }
}
