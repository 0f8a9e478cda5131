package crd

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	toolscrd "sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/schema"
)

// TestEveryField writes a CRD that uses each field of the IR.
func TestEveryField(t *testing.T) {
	mustMatch(t, everyField(), Options{Header: []byte("# Licensed to nobody.\n"), ToolVersion: "v1.2.3"})
	mustMatch(t, everyField(), Options{})
}

// TestEveryFieldIsUsed holds everyField to its name, so that a field added to the IR is not forgotten here.
func TestEveryFieldIsUsed(t *testing.T) {
	used := map[string]bool{}
	markUsed(used, reflect.ValueOf(everyField()))
	if len(used) == 0 {
		t.Error("no fields found")
	}
	ofGo := []string{"Schema.Origin", "Schema.GoType", "Schema.Incomplete", "Schema.Unmarked", "CRD.HasConverters",
		"CRD.IsPart"} // which a file does not have
	for field, isUsed := range used {
		if !isUsed && !slices.Contains(ofGo, field) {
			t.Errorf("no part of the CRD sets %s", field)
		}
	}
}

// markUsed finds the fields of the IR's structs below v, and those that are set in any of them. The emitter ignores
// positions.
func markUsed(used map[string]bool, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			markUsed(used, v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			markUsed(used, v.Index(i))
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[diag.Span]() {
			return
		}
		for i := range v.NumField() {
			if v.Type().Field(i).Type == reflect.TypeFor[diag.Span]() {
				continue
			}
			name := v.Type().Name() + "." + v.Type().Field(i).Name
			used[name] = used[name] || !v.Field(i).IsZero()
			markUsed(used, v.Field(i))
		}
	}
}

// TestDeepNesting nests until the indentation is wider than a line.
func TestDeepNesting(t *testing.T) {
	s := everyConstraint()
	for range 60 {
		s = &schema.Schema{
			Description: schema.Text{V: strings.Repeat("some words ", 10) + "end"},
			Properties:  []schema.Property{{Name: "p", Schema: s}},
		}
	}
	mustMatch(t, &schema.CRD{Versions: []schema.Version{{Schema: s}}}, Options{})
}

// TestEmpty writes what has nothing in it.
func TestEmpty(t *testing.T) {
	for name, c := range map[string]*schema.CRD{
		"nothing":     {},
		"no versions": {Versions: []schema.Version{}},
		"empty parts": {
			Annotations: []schema.KeyValue{}, Labels: []schema.KeyValue{},
			Conversion: &schema.Conversion{Webhook: &schema.Webhook{Client: &schema.WebhookClient{}}},
			Versions: []schema.Version{
				{Schema: &schema.Schema{}, Subresources: &schema.Subresources{}},
				{Schema: &schema.Schema{Other: []schema.Verbatim{
					{Name: "additionalProperties", Value: schema.Value{Kind: schema.Bool, Text: "false"}},
					{Name: "additionalItems", Value: schema.Value{Kind: schema.Bool, Text: "true"}},
					{Name: "items", Value: schema.Value{Kind: schema.Array,
						Items: []schema.Value{{Kind: schema.Object}}}},
					{Name: "x-kubernetes-map-type", Value: schema.Value{Kind: schema.String}},
					{Name: "x-kubernetes-list-type", Value: schema.Value{Kind: schema.String}},
				}}},
				{Schema: &schema.Schema{
					Items: &schema.Schema{}, AdditionalProperties: &schema.Schema{}, Not: &schema.Schema{},
					AllOf:        []*schema.Schema{{}, {Properties: []schema.Property{}}},
					ExternalDocs: &schema.ExternalDocs{},
					Properties:   []schema.Property{{Name: "", Schema: &schema.Schema{}}},
					Default:      &schema.Value{}, Nullable: &schema.Flag{}, PreserveUnknownFields: &schema.Flag{},
					Rules: []schema.Rule{{OptionalOldSelf: &schema.Flag{}}},
				}},
			},
		},
	} {
		t.Run(name, func(t *testing.T) { mustMatch(t, c, Options{}) })
	}
}

// TestVersionAnnotation replaces an existing annotation with the tool's version.
func TestVersionAnnotation(t *testing.T) {
	c := everyField()
	c.Annotations = append(c.Annotations, schema.KeyValue{Key: VersionAnnotation, Value: "stale"})
	mustMatch(t, c, Options{})
	mustMatch(t, c, Options{ToolVersion: "v2"})
}

// TestFileName names the file as controller-gen does.
func TestFileName(t *testing.T) {
	if got, want := FileName(everyField()), "shop.example.com_widgets.yaml"; got != want {
		t.Errorf("name is %s, want %s", got, want)
	}
}

// TestNumbers makes sure that the numbers of the API's own types are written as they are printed there, as a
// constraint (float64 in the API) and inside of a default (int64 or float64).
func TestNumbers(t *testing.T) {
	for _, literal := range limits {
		mustMatch(t, numbers(schema.RoundedNumber(literal), jsonNumber(literal)), Options{})
	}
}

// TestNumbersAreExact makes sure that a number is written as the IR has it, and that the API server reads it.
func TestNumbersAreExact(t *testing.T) {
	for _, literal := range limits {
		c := numbers(schema.CanonicalNumber(literal), schema.CanonicalNumber(literal))
		got := string(Encode(c, Options{}))
		for _, line := range []string{"minimum: ", "default: "} {
			if line += schema.CanonicalNumber(literal); !strings.Contains(got, line+"\n") {
				t.Errorf("%s is written without %q:\n%s", literal, line, got)
			}
		}
		mustSurvive(t, c, Options{})
	}
}

func numbers(constraint, value string) *schema.CRD {
	return &schema.CRD{Versions: []schema.Version{{Schema: &schema.Schema{
		Minimum: &schema.Number{V: constraint},
		Default: &schema.Value{Kind: schema.NumberKind, Text: value},
	}}}}
}

// TestEmittedIsValidated decodes the emitted YAML as the API server does. The result is the CRD of the IR, which is
// the one that is validated.
func TestEmittedIsValidated(t *testing.T) {
	mustSurvive(t, everyField(), Options{ToolVersion: "v1.2.3"})
	for seed := range uint64(300) {
		c, opts := randomCRD(seed, tame)
		opts.Header = nil
		mustSurvive(t, c, opts)
	}
}

// TestControllerGenFails encodes strings whose JSON text controller-gen's YAML parser rejects. They must be decoded
// unchanged.
func TestControllerGenFails(t *testing.T) {
	for _, s := range []string{"delete \x7f", "\u0080 control", "no character \uFFFE", "\u0084\n\uFFFF\n"} {
		c := everyField()
		c.Versions[0].Schema.Description = schema.Text{V: s}
		if _, err := oracle(c, Options{}); err == nil {
			t.Errorf("the oracle takes %q: compare with it instead", s)
		}
		mustSurvive(t, c, Options{})
	}
	for _, key := range []string{strings.Repeat("long ", 300) + "key", "next\u0085line"} {
		c := everyField()
		c.Versions[0].Schema.Properties = []schema.Property{{Name: key, Schema: &schema.Schema{Not: everyConstraint()}}}
		if _, err := oracle(c, Options{}); err == nil {
			t.Errorf("the oracle takes the key %q: compare with it instead", key)
		}
		mustSurvive(t, c, Options{})
	}
}

// mustSurvive compares what our YAML says with the API type made from the IR.
func mustSurvive(t *testing.T, c *schema.CRD, opts Options) {
	t.Helper()
	converted, err := toolscrd.AsVersion(*apiCRD(c, opts), apiext.SchemeGroupVersion)
	if err != nil {
		t.Fatal(err)
	}
	want := converted.(*apiext.CustomResourceDefinition)
	if c.PreserveUnknownFields != nil {
		want.Spec.PreserveUnknownFields = c.PreserveUnknownFields.V
	}
	data := Encode(c, opts)
	var got apiext.CustomResourceDefinition
	if err := yaml.UnmarshalStrict(data, &got); err != nil {
		t.Fatalf("%v in\n%s", err, data)
	}
	if a, b := decoded(t, &got), decoded(t, want); !reflect.DeepEqual(a, b) {
		t.Fatalf("our YAML is not the CRD:\n%s\n%s", data, difference(indented(t, a), indented(t, b)))
	}
}

// decoded is an API object as plain values, in which -0 equals 0 and the JSON of literals has no spelling.
func decoded(t *testing.T, v any) (out any) {
	t.Helper()
	data, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func indented(t *testing.T, v any) []byte {
	t.Helper()
	out, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// BenchmarkEncode writes a CRD of about two megabytes, as large as those that embed pod templates: long comments, deep
// properties, few constraints.
func BenchmarkEncode(b *testing.B) {
	c := everyField()
	c.Versions[0].Schema = wideSchema(4)
	b.ReportAllocs()
	for b.Loop() {
		b.SetBytes(int64(len(Encode(c, Options{ToolVersion: "v1.2.3"}))))
	}
}

// wideSchema is a tree of that depth, nine properties wide.
func wideSchema(depth int) *schema.Schema {
	s := &schema.Schema{
		Description: schema.Text{V: "A field that says at some length what it is for.\n\n" +
			"If unspecified: see the \"docs\"."},
		Type: schema.Text{V: "object"},
	}
	if depth == 0 {
		s.Description.V = "The name of the referent, which must be in the same namespace as the object that refers " +
			"to it."
		s.Type.V = "string"
		s.MaxLength = &schema.Int{V: 253}
		return s
	}
	for i := range 9 {
		name := fmt.Sprintf("%cfield%d", 'a'+(7*i+depth)%26, i)
		s.Properties = append(s.Properties, schema.Property{Name: name, Schema: wideSchema(depth - 1)})
	}
	s.Required = []schema.Text{{V: s.Properties[0].Name}}
	return s
}

// everyField is a CRD that uses each field of the IR.
func everyField() *schema.CRD {
	text := func(s string) schema.Text { return schema.Text{V: s} }
	warning, selector := text("shop.example.com/v1 is deprecated; use v2"), text(".status.selector")
	path, url := text("/convert"), text("https://example.com/convert")
	return &schema.CRD{
		Name:  text("gadgets.shop.example.com"),
		Group: text("shop.example.com"), Kind: text("Widget"), ListKind: text("WidgetList"),
		Plural: text("widgets"), Singular: text("widget"),
		ShortNames: []schema.Text{text("wd"), text("y")}, Categories: []schema.Text{text("all")},
		Scope: text("Namespaced"),
		Annotations: []schema.KeyValue{
			{Key: "Z", Value: "true"}, {Key: "a/b", Value: "two\nlines"}, {Key: "z1", Value: ""},
		},
		Labels: []schema.KeyValue{{Key: "app", Value: "123"}},
		Metadata: []schema.Verbatim{
			{Name: "uid", Value: schema.Value{Kind: schema.String, Text: "1-2"}},
			{Name: "finalizers", Value: schema.Value{Kind: schema.Array,
				Items: []schema.Value{{Kind: schema.String, Text: "a/b"}}}},
		},
		PreserveUnknownFields: &schema.Flag{},
		Conversion: &schema.Conversion{
			Strategy: text("Webhook"),
			Webhook: &schema.Webhook{
				Client: &schema.WebhookClient{
					URL: &url, CABundle: text("Y2VydGlmaWNhdGU="),
					Service: &schema.Service{Namespace: text("default"), Name: text("y"), Path: &path,
						Port: &schema.Int{V: 443}},
				},
				ReviewVersions: []schema.Text{text("v1"), text("v1beta1")},
			},
		},
		Versions: []schema.Version{
			{
				Package: &schema.Package{Path: "example.com/api/v1", Name: "v1", Dir: "api/v1", Named: true},
				Name:    text("v1"), Served: true, Storage: true, Deprecated: true, DeprecationWarning: &warning,
				Schema: everyConstraint(),
				Subresources: &schema.Subresources{
					Status: &diag.Span{},
					Scale: &schema.Scale{
						SpecReplicasPath: text(".spec.replicas"), StatusReplicasPath: text(".status.replicas"),
						LabelSelectorPath: &selector,
					},
				},
				Columns: []schema.Column{
					{Name: text("Ready"), Type: text("string"),
						JSONPath: text(`.status.conditions[?(@.type=="Ready")].status`)},
					{
						Name: text("Age"), Type: text("date"), JSONPath: text(".metadata.creationTimestamp"),
						Description: text("how old: very"), Format: text("date-time"), Priority: 1,
					},
				},
				SelectableFields: []schema.Text{text(".spec.color"), text(".spec.size")},
			},
			{Name: text("v2"), Schema: &schema.Schema{Type: text("object")}},
		},
	}
}

// everyConstraint is a schema that uses each field of a node.
func everyConstraint() *schema.Schema {
	text := func(s string) schema.Text { return schema.Text{V: s} }
	yes := &schema.Flag{V: true}
	str := func(s string) schema.Value { return schema.Value{Kind: schema.String, Text: s} }
	object := schema.Value{Kind: schema.Object, Members: []schema.Member{
		{Key: "10", Value: schema.Value{Kind: schema.Array, Items: []schema.Value{
			{}, {Kind: schema.Array}, {Kind: schema.Object},
		}}},
		{Key: "9", Value: schema.Value{Kind: schema.Bool, Text: "false"}},
		{Key: "nested", Value: schema.Value{Kind: schema.Array, Items: []schema.Value{
			{Kind: schema.Array, Items: []schema.Value{str("a"), str("b: c")}},
			{Kind: schema.Object, Members: []schema.Member{
				{Key: "k", Value: schema.Value{Kind: schema.NumberKind, Text: "1.5"}},
			}},
		}}},
		{Key: strings.Repeat("k", 129), Value: schema.Value{Kind: schema.Array, Items: []schema.Value{str("")}}},
	}}
	return &schema.Schema{
		Title: text("A title"), Description: text("Several lines:\n\n- of text\n"), Type: text("object"),
		Format: text("int64"), Pattern: text(`^[a-z]([-a-z0-9]*[a-z0-9])?$`),
		Maximum: &schema.Number{V: "100"}, Minimum: &schema.Number{V: "-1.5"}, MultipleOf: &schema.Number{V: "0.1"},
		ExclusiveMaximum: yes, ExclusiveMinimum: yes,
		MaxLength: &schema.Int{V: 5}, MinLength: &schema.Int{}, MaxItems: &schema.Int{V: 7},
		MinItems:      &schema.Int{V: 1},
		MaxProperties: &schema.Int{V: 9}, MinProperties: &schema.Int{V: 2}, UniqueItems: yes,
		Enum:         []schema.Value{str("yes"), {}, object},
		Default:      &object,
		Example:      &schema.Value{Kind: schema.String, Text: "12:30"},
		ExternalDocs: &schema.ExternalDocs{URL: text("https://example.com/#a"), Description: text("more")},
		Items:        &schema.Schema{Type: text("string")},
		AdditionalProperties: &schema.Schema{
			AnyOf:       []*schema.Schema{{Type: text("integer")}, {Type: text("string")}},
			IntOrString: yes,
		},
		Properties: []schema.Property{
			{Name: "spec", Schema: &schema.Schema{AdditionalAllowed: true, EmbeddedResource: yes}},
			{Name: "apiVersion", Schema: &schema.Schema{Type: text("string")}},
			{Name: "y", Schema: &schema.Schema{}},
			{Name: "a10", Schema: &schema.Schema{}},
			{Name: "a9", Schema: &schema.Schema{Nullable: yes}},
		},
		Required: []schema.Text{text("spec"), text("y")},
		AllOf:    []*schema.Schema{{Required: []schema.Text{text("a")}}, {}},
		AnyOf:    []*schema.Schema{{Not: &schema.Schema{Type: text("null")}}},
		OneOf:    []*schema.Schema{{Properties: []schema.Property{{Name: "x", Schema: &schema.Schema{}}}}},
		Not:      &schema.Schema{Required: []schema.Text{text("b")}},
		Nullable: yes, PreserveUnknownFields: yes, EmbeddedResource: yes, IntOrString: yes,
		ListType: text("map"), ListMapKeys: []schema.Text{text("name"), text("on")}, MapType: text("atomic"),
		Rules: []schema.Rule{
			{
				Rule: text("self.all(x, x > 0) && has(self.a) ? self.a == 'b' : !has(oldSelf.c) || " +
					"size(self.d) < 3"),
				Message: text("is wrong"), MessageExpression: text("'is ' + self.what"),
				Reason:    text("FieldValueInvalid"),
				FieldPath: text(".a"), Group: []schema.Text{text("a")}, Made: true,
				OptionalOldSelf: &schema.Flag{V: false},
			},
			{Rule: text("true")},
		},
		Other: []schema.Verbatim{
			{Name: "patternProperties", Value: schema.Value{Kind: schema.Object, Members: []schema.Member{
				{Key: "^a", Value: schema.Value{Kind: schema.Object,
					Members: []schema.Member{{Key: "type", Value: str("string")}}}},
			}}},
			{Name: "id", Value: str("y")}, {Name: "$schema", Value: str("https://example.com/")},
			{Name: "$ref", Value: str("#/a")},
		},
	}
}
