package structural_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/structuraltest"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/rules/structural"
	"github.com/crdproof/crdproof/schema"
)

// TestRandom holds random CRDs, most of them wrong in several ways, with the API server's code: what it rejects is
// reported at the same path, and what is reported as rejected is rejected. The server iterates over maps; our findings
// are the same whatever their order.
func TestRandom(t *testing.T) {
	const seeds = 3000
	accepted := 0
	for seed := range uint64(seeds) {
		crd := randomCRD(rand.New(rand.NewPCG(seed, 2335)))
		found := structuraltest.Check(t, crd, kube.DefaultRange())
		rejections := structuraltest.Verdict(t, crd)
		if len(rejections) == 0 {
			accepted++
		}
		problem := disagreement(found, rejections)
		if !reflect.DeepEqual(found, structuraltest.Check(t, crd, kube.DefaultRange())) {
			problem = "the findings differ from run to run"
		}
		if problem != "" {
			data, err := yaml.Marshal(kube.Object(crd).Spec)
			if err != nil {
				t.Fatal(err)
			}
			t.Fatalf("seed %d: %s\n%s", seed, problem, data)
		}
	}
	t.Logf("%d of %d accepted", accepted, seeds)
	if accepted < seeds/20 || accepted > seeds/2 {
		t.Errorf("%d of %d CRDs are accepted: that shows little", accepted, seeds)
	}
}

// disagreement compares findings with rejections. If an API server finds a keyword that is not allowed in structural
// schemas, it does not check the structure. If it finds an error there, it does not check the defaults.
func disagreement(found []diag.Diagnostic, rejections []kube.Rejection) string {
	hasNoForm := slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Check == "keyword-forbidden" })
	for _, r := range rejections {
		if strings.Contains(r.Message, "the API server's own code panics") {
			return ""
		}
		if hasNoForm && strings.Contains(r.Path, ".selectableFields[") ||
			strings.Contains(r.Message, "rule compiler initialization error") {
			continue // which follow from the rest
		}
		if !slices.ContainsFunc(found, func(d diag.Diagnostic) bool {
			return slices.Contains(structuraltest.Paths(d), r.Path) && isVerdict(d.Check)
		}) {
			return fmt.Sprintf("the rejection is not reported: %s: %s", r.Path, r.Message)
		}
	}
	if hasNoForm {
		return ""
	}
	for _, d := range found {
		for _, path := range structuraltest.Paths(d) {
			isRejected := slices.ContainsFunc(rejections, func(r kube.Rejection) bool { return r.Path == path })
			if isVerdict(d.Check) && !isRejected && !(d.Check == "default-invalid" && len(rejections) > 0) {
				return fmt.Sprintf("the API server does not reject %s: %s [%s]", path, d.Message, d.Check)
			}
		}
	}
	return ""
}

func isVerdict(rule string) bool {
	for _, c := range session.Checks(structural.Rows()) {
		if c.ID == rule {
			return c.Verdict
		}
	}
	return false
}

// A dice makes random parts of CRDs.
type dice struct{ *rand.Rand }

func (d dice) of(list ...string) string { return list[d.IntN(len(list))] }

func (d dice) text(list ...string) schema.Text { return schema.Text{V: d.of(list...)} }

// rarely is true once in n times.
func (d dice) rarely(n int) bool { return d.IntN(n) == 0 }

func randomCRD(r *rand.Rand) *schema.CRD {
	d := dice{r}
	c := &schema.CRD{
		Group: schema.Text{V: "example.com"}, Kind: schema.Text{V: "Widget"}, ListKind: schema.Text{V: "WidgetList"},
		Plural: schema.Text{V: "widgets"}, Singular: schema.Text{V: "widget"}, Scope: schema.Text{V: "Namespaced"},
	}
	for range 1 + d.IntN(2) {
		v := schema.Version{Name: schema.Text{V: fmt.Sprintf("v%d", len(c.Versions)+1)}, Served: true,
			Storage: len(c.Versions) == 0}
		v.Schema = &schema.Schema{Type: schema.Text{V: "object"}, Description: v.Name}
		for _, name := range []string{"spec", "status", "metadata", "kind"} {
			if name == "spec" || d.rarely(6) {
				v.Schema.Properties = append(v.Schema.Properties, schema.Property{Name: name, Schema: d.schema(3)})
			}
		}
		if d.rarely(6) {
			d.constrain(v.Schema, 2)
		}
		if d.rarely(3) {
			v.Subresources = &schema.Subresources{Status: &diag.Span{}}
		}
		c.Versions = append(c.Versions, v)
	}
	if d.rarely(4) {
		d.spoil(c)
	}
	return c
}

// spoil makes a part of the CRD itself invalid, or nearly invalid.
func (d dice) spoil(c *schema.CRD) {
	v := &c.Versions[d.IntN(len(c.Versions))]
	names := []string{"a", "A", "a-b", "a_b", "9a", "-a", "a-", "", "a.b", "ä", strings.Repeat("a", 64)}
	name := d.text(names...)
	switch d.IntN(18) {
	case 0:
		c.Group = d.text("example", "Example.com", "a..b", ".a.b", "a.b-", "a.-b", "9.com", "x.k8s.io", "kubernetes.io",
			"", "a.b_c", strings.Repeat("a.", 126)+"ab")
	case 1:
		c.Plural = name
	case 2:
		c.Singular = name
	case 3:
		c.Kind = name
	case 4:
		c.ListKind = d.text(append(names, "Widget")...)
	case 5:
		c.ShortNames = []schema.Text{name, {V: "w"}}
	case 6:
		c.Categories = []schema.Text{{V: "all"}, name}
	case 7:
		c.Scope = d.text("", "Cluster", "cluster")
	case 8:
		v.Name = name
	case 9:
		v.Name.V, v.Subresources = c.Versions[0].Name.V, c.Versions[0].Subresources // which are looked up by name
	case 10:
		v.Storage = !v.Storage
	case 11:
		v.Schema = nil
	case 12:
		v.Deprecated, v.DeprecationWarning = d.rarely(2), &schema.Text{V: d.of("", "use v2", "a\nb", "a\xffb",
			strings.Repeat("ä", 129))}
	case 13:
		c.PreserveUnknownFields = &schema.Flag{V: d.rarely(2)}
	case 14:
		c.Labels = []schema.KeyValue{{Key: d.of("a", "a b", "x/y/z", ""), Value: d.of("", "a", "a b")}}
	case 15:
		c.Annotations = []schema.KeyValue{{Key: d.of("a", "A b", "x/Y", ""), Value: d.of("", "a b")}}
	case 16:
		d.subresources(v)
	case 17:
		c.Conversion = d.conversion()
	}
}

func (d dice) subresources(v *schema.Version) {
	paths := []string{"", ".", "spec", ".spec", ".spec.a", ".status.a", ".spec.b[0]", ".metadata.name", ".spec.a.b",
		".kind"}
	v.Subresources = &schema.Subresources{Scale: &schema.Scale{SpecReplicasPath: d.text(paths...),
		StatusReplicasPath: d.text(paths...)}}
	if d.rarely(2) {
		v.Subresources.Scale.LabelSelectorPath = &schema.Text{V: d.of(paths...)}
	}
	for range d.IntN(3) {
		v.Columns = append(v.Columns, schema.Column{
			Name: d.text("", "x"), Type: d.text("", "string", "text", "date"), JSONPath: d.text(paths...),
			Format: d.text("", "int32", "int"),
		})
	}
	v.Schema = &schema.Schema{Type: schema.Text{V: "object"}, Description: v.Name, Properties: []schema.Property{
		{Name: "spec", Schema: &schema.Schema{Type: schema.Text{V: "object"}}},
		{Name: "metadata", Schema: &schema.Schema{Type: schema.Text{V: "object"}}},
	}}
	for name := range strings.SplitSeq("abcdefghijk", "") {
		property := schema.Property{Name: name, Schema: d.schema(1)}
		v.Schema.Properties[0].Schema.Properties = append(v.Schema.Properties[0].Schema.Properties, property)
	}
	for range d.IntN(12) {
		field := ".spec." + d.of(strings.Split("abcdefghijk", "")...)
		v.SelectableFields = append(v.SelectableFields, d.text(append(paths, field, ".metadata")...))
	}
}

func (d dice) conversion() *schema.Conversion {
	c := &schema.Conversion{Strategy: d.text("", "None", "Webhook", "Webhook", "webhook")}
	if d.rarely(3) {
		return c
	}
	c.Webhook = &schema.Webhook{}
	for range d.IntN(3) {
		c.Webhook.ReviewVersions = append(c.Webhook.ReviewVersions, d.text("v1", "v1beta1", "V1", "v2"))
	}
	if d.rarely(4) {
		return c
	}
	c.Webhook.Client = &schema.WebhookClient{}
	if d.rarely(2) {
		c.Webhook.Client.URL = &schema.Text{V: d.of("https://a/b", "http://a", "", "https://a?b=c", "https://u@a")}
	}
	if d.rarely(2) {
		c.Webhook.Client.Service = &schema.Service{Name: d.text("", "a", "A b"), Namespace: d.text("", "a"),
			Port: &schema.Int{V: int64(d.IntN(3) * 40000)}}
		if d.rarely(2) {
			c.Webhook.Client.Service.Path = &schema.Text{V: d.of("", "/a", "a", "/a//b")}
		}
	}
	return c
}

// schema makes a schema that is usually structural.
func (d dice) schema(depth int) *schema.Schema {
	s := &schema.Schema{}
	s.Type.V = d.of("object", "object", "array", "array", "string", "string", "integer", "number", "boolean")
	if depth == 0 {
		s.Type.V = d.of("string", "integer")
	}
	switch s.Type.V {
	case "object":
		if d.rarely(3) {
			s.AdditionalProperties = d.schema(depth - 1)
			break
		}
		for _, name := range []string{"a", "b", "metadata"} {
			if name != "metadata" && d.rarely(2) || d.rarely(8) {
				s.Properties = append(s.Properties, schema.Property{Name: name, Schema: d.schema(depth - 1)})
			}
		}
	case "array":
		s.Items = d.schema(depth - 1)
	}
	if d.rarely(4) {
		v := d.value(2)
		s.Default = &v
	}
	if d.rarely(5) {
		d.constrain(s, depth)
	}
	return s
}

// constrain adds a keyword, which may be wrong there.
func (d dice) constrain(s *schema.Schema, depth int) {
	yes := &schema.Flag{V: true}
	n := &schema.Int{V: int64(d.IntN(4) - 1)}
	number := &schema.Number{V: d.of("0", "-1", "1.5", "9223372036854775807", "9007199254740993")}
	name := d.text("a", "b", "c", "metadata")
	switch d.IntN(30) {
	case 0:
		s.Type.V = d.of("", "null", "str", "object", "array", "string")
	case 1:
		s.Nullable = yes
	case 2:
		s.PreserveUnknownFields = &schema.Flag{V: !d.rarely(4)}
	case 3:
		s.EmbeddedResource = yes
	case 4:
		s.IntOrString, s.Type.V = yes, d.of("", s.Type.V)
	case 5:
		s.ListType = d.text("set", "map", "atomic", "bag")
	case 6:
		s.ListType.V, s.ListMapKeys = d.of("map", "map", "set", ""), []schema.Text{name, d.text("a", "b")}
	case 7:
		s.MapType = d.text("atomic", "granular", "set")
	case 8:
		s.UniqueItems = yes
	case 9:
		s.Pattern = d.text("^a$", "(?=a)", "a++", "[a", `\1`)
	case 10:
		s.MinLength, s.MaxLength = n, &schema.Int{V: 1}
	case 11:
		s.Minimum = number
	case 12:
		s.Maximum, s.ExclusiveMaximum = number, yes
	case 13:
		s.MinItems, s.MaxItems = n, &schema.Int{V: 1}
	case 14:
		s.MinProperties = n
	case 15:
		s.Enum = []schema.Value{d.value(0), d.value(0)}
	case 16:
		s.Required = []schema.Text{name}
	case 17:
		s.AllOf = []*schema.Schema{d.nested(depth)}
	case 18:
		s.AnyOf = []*schema.Schema{d.nested(depth), d.nested(depth)}
	case 19:
		s.OneOf = []*schema.Schema{d.nested(depth)}
	case 20:
		s.Not = d.nested(depth)
	case 21:
		s.AnyOf = []*schema.Schema{{Type: schema.Text{V: "integer"}},
			{Type: schema.Text{V: "string"}, Title: d.text("", "", "x")}}
	case 22:
		s.AllOf = []*schema.Schema{{AnyOf: []*schema.Schema{{Type: schema.Text{V: "integer"}},
			{Type: schema.Text{V: "string"}}}}, {}}
		if d.rarely(3) {
			slices.Reverse(s.AllOf)
		}
	case 23:
		s.AdditionalAllowed = true
	case 24:
		s.AdditionalProperties = &schema.Schema{Type: schema.Text{V: "string"}}
	case 25:
		s.Rules = []schema.Rule{{
			Rule: d.text("true", "true", " ", "true\n"), Message: d.text("", " ", "a", "a\nb"),
			MessageExpression: d.text("", " ", "'a'"),
			Reason:            d.text("", "", "x", "FieldValueInvalid"),
			FieldPath:         d.text("", "", ".a", ".a.b", "a", " ", "['a']", ".b[0]", ".a\n"),
		}}
	case 26:
		s.Title, s.Description = d.text("", "x"), d.text("", "x")
	case 27:
		s.Other = []schema.Verbatim{d.other()}
		if s.Other[0].Name == "additionalProperties" {
			s.AdditionalProperties = nil
		}
	case 28:
		s.Format = d.text("int32", "date", "x", "k8s-short-name")
	case 29:
		s.Items = nil
	}
}

func (d dice) other() schema.Verbatim {
	x := schema.Value{Kind: schema.Object,
		Members: []schema.Member{{Key: "x", Value: schema.Value{Kind: schema.Object}}}}
	switch d.IntN(8) {
	case 0:
		return schema.Verbatim{Name: "$ref", Value: schema.Value{Kind: schema.String, Text: "#/definitions/x"}}
	case 1:
		return schema.Verbatim{Name: "definitions", Value: x}
	case 2:
		return schema.Verbatim{Name: "patternProperties", Value: x}
	case 3:
		return schema.Verbatim{Name: "additionalItems", Value: schema.Value{Kind: schema.Bool, Text: "true"}}
	case 4:
		return schema.Verbatim{Name: "id", Value: schema.Value{Kind: schema.String, Text: d.of("", "x")}}
	case 5:
		return schema.Verbatim{Name: "additionalProperties", Value: schema.Value{Kind: schema.Bool, Text: "false"}}
	case 6:
		return schema.Verbatim{Name: "x-kubernetes-list-type", Value: schema.Value{Kind: schema.String}}
	}
	return schema.Verbatim{Name: "dependencies", Value: schema.Value{Kind: schema.Object, Members: []schema.Member{
		{Key: "x", Value: schema.Value{Kind: schema.Array, Items: []schema.Value{{Kind: schema.String, Text: "a"}}}},
	}}}
}

// nested makes a schema for a junctor. It seldom has a type, or another keyword that is not allowed there.
func (d dice) nested(depth int) *schema.Schema {
	s := &schema.Schema{}
	if d.rarely(2) {
		d.constrain(s, depth-1)
	}
	if depth > 0 && d.rarely(2) {
		s.Properties = []schema.Property{{Name: d.of("a", "b", "spec", "metadata"), Schema: d.nested(depth - 1)}}
	}
	if depth > 0 && d.rarely(6) {
		s.Items = d.nested(depth - 1)
	}
	return s
}

func (d dice) value(depth int) schema.Value {
	kinds := []schema.Kind{schema.Null, schema.Bool, schema.NumberKind, schema.String, schema.Array, schema.Object}
	v := schema.Value{Kind: kinds[d.IntN(len(kinds)-2*min(1, max(0, 1-depth)))]}
	switch v.Kind {
	case schema.Bool:
		v.Text = "true"
	case schema.NumberKind:
		v.Text = d.of("1", "-1", "1.5")
	case schema.String:
		v.Text = d.of("", "a", "b")
	case schema.Array:
		for range d.IntN(3) {
			v.Items = append(v.Items, d.value(depth-1))
		}
	case schema.Object:
		for _, key := range []string{"a", "b", "metadata"} {
			if d.rarely(2) {
				v.Members = append(v.Members, schema.Member{Key: key, Value: d.value(depth - 1)})
			}
		}
	}
	return v
}
