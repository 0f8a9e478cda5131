package generator_test

import (
	"fmt"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	apicel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/environment"

	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/generator/lower"
	"github.com/crdproof/crdproof/rules/cost"
	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

// TestEstimatesAreTheLibrarys compares the cost, the cardinality and the sum of all rules of real APIs with the results
// of the API server's own code.
func TestEstimatesAreTheLibrarys(t *testing.T) {
	t.Run("own", func(t *testing.T) { compareWithLibrary(t, crdsOf(t, everySize)) })
	t.Run("resources", func(t *testing.T) { compareWithLibrary(t, []*schema.CRD{resources()}) })
	for _, module := range []struct{ name, paths string }{
		{"gateway-api", "sigs.k8s.io/gateway-api/apis/..."},
		{"snapshotter", "github.com/kubernetes-csi/external-snapshotter/client/v8/apis/..."},
	} {
		t.Run(module.name, func(t *testing.T) {
			compareWithLibrary(t, generated(t, generator.Config{
				Dir: "../testdata/parity/modules/" + module.name, Paths: []string{module.paths},
				CRD: generator.Options{Options: lower.Options{AllowDangerousTypes: true, Tolerate: true}},
			}))
		})
	}
}

// everySize has rules on and below everything whose size is estimated in a way of its own.
const everySize = `

// +kubebuilder:validation:XValidation:rule="self.text == self.short || self.enum == self.text"
// +kubebuilder:validation:XValidation:rule="self.bytes == b'a' && self.since < self.until && self.took > duration('1s')"
// +kubebuilder:validation:XValidation:rule="self.port == 'http' || self.port == 80 || string(self.limit) == '1'"
// +kubebuilder:validation:XValidation:rule="self.list.all(a, self.list.exists_one(b, a.name == b.name))",messageExpression="self.text + self.short"
// +kubebuilder:validation:XValidation:rule="self.bounded.all(k, self.bounded[k].matches('^a+$'))"
// +kubebuilder:validation:XValidation:rule="self.labels.all(k, k.startsWith('a')) && self.labels.exists(k, self.labels[k] == 'b')"
// +kubebuilder:validation:XValidation:rule="self.text.split(',').all(p, p.size() < 10)"
// +kubebuilder:validation:XValidation:rule="self.text.split(',').all(p, p.matches('a'))",messageExpression="self.list.map(i, i.name).join(',')"
// +kubebuilder:validation:XValidation:rule="self.keyed.filter(i, has(i.tags)).map(i, i.name).size() < 3"
// +kubebuilder:validation:XValidation:rule="self.text == oldSelf.text"
// +kubebuilder:validation:XValidation:rule="!oldSelf.hasValue() || self.short == oldSelf.value().short",optionalOldSelf=true
type Spec struct {
	Text string ` + "`json:\"text\"`" + `
	// +kubebuilder:validation:MaxLength=10
	Short string ` + "`json:\"short\"`" + `
	// +kubebuilder:validation:Enum=a;bcd
	Enum  string             ` + "`json:\"enum\"`" + `
	Bytes []byte             ` + "`json:\"bytes,omitempty\"`" + `
	Since metav1.Time        ` + "`json:\"since\"`" + `
	Until metav1.Time        ` + "`json:\"until\"`" + `
	// +kubebuilder:validation:Format=duration
	Took  string             ` + "`json:\"took\"`" + `
	Port  intstr.IntOrString ` + "`json:\"port\"`" + `
	Limit resource.Quantity  ` + "`json:\"limit\"`" + `
	List  []Item             ` + "`json:\"list,omitempty\"`" + `
	// +kubebuilder:validation:MaxProperties=7
	Bounded map[string]string ` + "`json:\"bounded,omitempty\"`" + `
	Labels  map[string]string ` + "`json:\"labels,omitempty\"`" + `
	// +kubebuilder:validation:MaxItems=9
	// +listType=map
	// +listMapKey=name
	Keyed []Item ` + "`json:\"keyed,omitempty\"`" + `
	// +kubebuilder:pruning:PreserveUnknownFields
	// +kubebuilder:validation:XEmbeddedResource
	// +kubebuilder:validation:XValidation:rule="self.kind == 'A' && self.metadata.name.startsWith('a')"
	Embedded runtime.RawExtension ` + "`json:\"embedded\"`" + `
	Nested   map[string][][]Item  ` + "`json:\"nested,omitempty\"`" + `
	// +kubebuilder:validation:MaxItems=3
	Threes [][3]Item ` + "`json:\"threes,omitempty\"`" + `
	// +kubebuilder:validation:MaxItems=0
	None []Item ` + "`json:\"none,omitempty\"`" + `
}

// +kubebuilder:validation:XValidation:rule="self.name != ''",messageExpression="'not ' + self.name"
// +kubebuilder:validation:XValidation:rule="self.tags.exists(t, t == self.name)"
type Item struct {
	// +kubebuilder:validation:XValidation:rule="self.size() > 2"
	Name string   ` + "`json:\"name\"`" + `
	Tags []string ` + "`json:\"tags,omitempty\"`" + `
}
`

// resources has rules on the fields that every resource has. If there are rules on the resource too, the API server
// knows more about these fields than the schema says, and less.
func resources() *schema.CRD {
	kind := func() *schema.Schema {
		s := node("string", "self.matches('^[a-z]+$')")
		s.MaxLength = &schema.Int{V: 5}
		return s
	}
	embedded := func(rules ...string) *schema.Schema {
		s := node("object", rules...)
		s.EmbeddedResource, s.PreserveUnknownFields = &schema.Flag{V: true}, &schema.Flag{V: true}
		s.Properties = []schema.Property{{Name: "kind", Schema: kind()}, {Name: "other", Schema: kind()}}
		return s
	}
	ruled := embedded("self.kind == 'a'")
	ruled.Properties = append(ruled.Properties,
		schema.Property{Name: "metadata", Schema: node("object", "has(self.name)")})
	root := node("object")
	root.Properties = []schema.Property{
		{Name: "kind", Schema: kind()}, {Name: "ruled", Schema: ruled}, {Name: "plain", Schema: embedded()},
	}
	ofRules := node("object", "self.kind == 'a'")
	ofRules.Properties = root.Properties
	return &schema.CRD{Versions: []schema.Version{{Schema: root}, {Schema: ofRules}}}
}

func node(jsonType string, rules ...string) *schema.Schema {
	s := &schema.Schema{Type: schema.Text{V: jsonType}}
	for _, r := range rules {
		s.Rules = append(s.Rules, schema.Rule{Rule: schema.Text{V: r}})
	}
	return s
}

// compareWithLibrary walks the tree with the context that the API server's validation walks it with.
func compareWithLibrary(t *testing.T, crds []*schema.CRD) {
	rules := 0
	for _, crd := range crds {
		for i, v := range crd.Versions {
			want := library(t, &v)
			list := cost.Estimates(compiled(t, i, v.Schema))
			for _, e := range list {
				rules++
				key := e.Rule.Place.Path() + fmt.Sprintf("[%d].%s", e.Rule.Index, e.Part)
				if got := (estimated{e.Each, e.Cardinality, e.Cost}); got != want.estimates[key] {
					t.Errorf("%s %s: %v, the library says %v", v.Name.V, key, got, want.estimates[key])
				}
			}
			if len(list) != len(want.estimates) {
				t.Errorf("%s: %d estimates, the library has %d", v.Name.V, len(list), len(want.estimates))
			}
			if total := cost.Total(list); total != want.total {
				t.Errorf("%s: the sum is %d, the library says %d", v.Name.V, total, want.total)
			}
		}
	}
	t.Logf("%d expressions", rules)
	if rules == 0 {
		t.Error("no rules found")
	}
}

func compiled(t *testing.T, version int, s *schema.Schema) []expr.Rule {
	structure, err := kube.Structural(s)
	if err != nil {
		t.Fatal(err)
	}
	rules, found := expr.Compile(version, s, structure,
		expr.Options{Kube: kube.Range{First: kube.Latest(), Last: kube.Latest()}})
	for _, d := range found {
		t.Error(d.Path, d.Message)
	}
	return rules
}

// estimated is the cost for one value, the cardinality, and their product.
type estimated struct{ each, cardinality, cost uint64 }

type estimates struct {
	estimates map[string]estimated
	total     uint64
}

// library estimates with the API server's code.
func library(t *testing.T, v *schema.Version) estimates {
	var props apiextensions.JSONSchemaProps
	if err := apiext.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(kube.Props(v.Schema), &props,
		nil); err != nil {
		t.Fatal(err)
	}
	out := estimates{estimates: map[string]estimated{}}
	var walk func(s *apiextensions.JSONSchemaProps, c *validation.CELSchemaContext, path string)
	walk = func(s *apiextensions.JSONSchemaProps, c *validation.CELSchemaContext, path string) {
		for i, r := range libraryRules(t, s, c) {
			n := r.MaxCardinality
			if c.MaxCardinality != nil {
				n = *c.MaxCardinality
			}
			e := estimated{r.MaxCost, n, r.MaxCost * n}
			if r.MaxCost != 0 && e.cost/r.MaxCost != n {
				e.cost = 1<<64 - 1
			}
			key := path + fmt.Sprintf("[%d].", i)
			out.estimates[key+"rule"] = e
			c.TotalCost.ObserveExpressionCost(field.NewPath(path), e.cost)
			if r.MessageExpression != nil {
				out.estimates[key+"messageExpression"] = estimated{r.MessageExpressionMaxCost, 1,
					r.MessageExpressionMaxCost}
				c.TotalCost.ObserveExpressionCost(field.NewPath(path), r.MessageExpressionMaxCost)
			}
		}
		for name, child := range s.Properties {
			walk(&child, c.ChildPropertyContext(&child, name), path+".properties["+name+"]")
		}
		if s.Items != nil {
			walk(s.Items.Schema, c.ChildItemsContext(s.Items.Schema), path+".items")
		}
		if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
			child := s.AdditionalProperties.Schema
			walk(child, c.ChildAdditionalPropertiesContext(child), path+".additionalProperties")
		}
	}
	root := validation.RootCELContext(&props)
	walk(&props, root, "")
	out.total = root.TotalCost.Total
	return out
}

func libraryRules(t *testing.T, s *apiextensions.JSONSchemaProps,
	c *validation.CELSchemaContext) []apicel.CompilationResult {
	if len(s.XValidations) == 0 {
		return nil
	}
	info, err := c.TypeInfo()
	if err != nil {
		t.Fatal(err)
	}
	env := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
	results, err := apicel.Compile(info.Schema, info.DeclType, celconfig.PerCallLimit, env,
		apicel.NewExpressionsEnvLoader())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		if r.Error != nil || r.MessageExpressionError != nil {
			t.Fatal(r.Error, r.MessageExpressionError)
		}
	}
	return results
}
