package crd_test

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime"
	serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/literal"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
	"github.com/crdproof/crdproof/schema/read"
)

// The oracle is the code of API servers: sigs.k8s.io/yaml makes JSON of a document, and the serializer of apimachinery
// decodes that, strictly if asked.

// decode decodes an object as API servers do, and lists what strict decoding finds.
func decode(t *testing.T, sent []byte) (object *apiext.CustomResourceDefinition, strict []string, err error) {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := apiext.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	s := serializer.NewSerializerWithOptions(serializer.DefaultMetaFactory, scheme, scheme,
		serializer.SerializerOptions{Strict: true})
	gvk := apiext.SchemeGroupVersion.WithKind("CustomResourceDefinition")
	object = &apiext.CustomResourceDefinition{}
	_, _, err = s.Decode(sent, &gvk, object)
	if list, ok := runtime.AsStrictDecodingError(err); ok {
		for _, e := range list.Errors() {
			strict = append(strict, e.Error())
		}
		err = nil
	}
	return object, strict, err
}

// mustAgree reads a source and compares all results with the oracle.
func mustAgree(t *testing.T, path string, data []byte) ([]read.Document, []diag.Diagnostic) {
	t.Helper()
	docs, found := read.Documents(&diag.Source{Path: path, Data: data})
	if err := diag.Text(io.Discard, diag.Sort(found), diag.TextOptions{}); err != nil {
		t.Error(err)
	}
	var unknown []string
	unread := diag.HasErrors(found)
	for _, doc := range docs {
		unread = unread || hasUnread(doc)
		mustTrace(t, reflect.ValueOf(doc.CRD))
		object, strict, err := decode(t, doc.JSON)
		if err != nil {
			if !hasUnread(doc) {
				t.Fatalf("%v in a document that is read", err)
			}
			continue
		}
		if ours, err := kube.Decode(doc.JSON); err != nil || !equality.Semantic.DeepEqual(ours, object) {
			t.Fatalf("kube.Decode says otherwise than the serializer: %v", err)
		}
		mustEqual(t, doc, object)
		for _, s := range strict {
			quoted, isUnknown := strings.CutPrefix(s, "unknown field ")
			if field, err := strconv.Unquote(quoted); isUnknown && err == nil && !strings.HasPrefix(field, "status.") {
				unknown = append(unknown, plainPath(field))
			}
		}
	}
	if !unread {
		mustReportUnknown(t, found, unknown)
	}
	return docs, diag.Sort(found)
}

// hasUnread reports whether a document has values whose types are left to the API server: metadata, status, and
// keywords that no CRD may have.
func hasUnread(doc read.Document) bool {
	unread := len(doc.CRD.Metadata) > 0 || bytes.Contains(doc.JSON, []byte(`"status":`))
	for i := range doc.CRD.Versions {
		schema.Walk(doc.CRD.Versions[i].Schema, func(p *schema.Place) { unread = unread || len(p.Schema.Other) > 0 })
	}
	return unread
}

// mustReportUnknown compares the unknown fields with those that strict decoding reports, except those that it
// overlooks.
func mustReportUnknown(t *testing.T, found []diag.Diagnostic, want []string) {
	t.Helper()
	var got []string
	for _, d := range found {
		if d.Check == "field-unknown" && strings.HasSuffix(d.Message, "kubectl rejects the file") {
			got = append(got, plainPath(d.Path))
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if got, want := slices.Compact(got), slices.Compact(want); !slices.Equal(got, want) {
		t.Errorf("unknown fields are %q, want %q", got, want)
	}
}

// plainPath writes the steps of a path in one way: messages about decoding and about validation differ.
func plainPath(path string) string { return strings.NewReplacer("[", ".", "]", "").Replace(path) }

// mustEqual compares the object that the IR represents with that of the API server.
func mustEqual(t *testing.T, doc read.Document, want *apiext.CustomResourceDefinition) {
	t.Helper()
	got := kube.Object(doc.CRD)
	want = want.DeepCopy()
	want.Status = apiext.CustomResourceDefinitionStatus{}
	want.TypeMeta = got.TypeMeta // items of a list need not say what they are
	if want.Name == "" {
		want.Name = got.Name
	}
	for _, v := range []*apiext.CustomResourceDefinition{got, want} {
		normalize(reflect.ValueOf(v))
	}
	if !equality.Semantic.DeepEqual(got, want) {
		t.Fatalf("the object is not that of the file:\n%s\n%s", asJSON(t, got), asJSON(t, want))
	}
}

// normalize writes JSON in one form, since 1e+20 and 100000000000000000000 are the same number. It drops empty values,
// which API servers reject as they reject absent ones.
func normalize(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		switch p := v.Interface().(type) {
		case *apiext.FieldValueErrorReason:
			if p != nil && *p == "" {
				v.SetZero()
			}
		case *apiext.CustomResourceValidation:
			if p != nil && p.OpenAPIV3Schema == nil {
				v.SetZero()
			}
		}
		if !v.IsNil() {
			normalize(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			normalize(v.Index(i))
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			value := reflect.New(v.Type().Elem()).Elem()
			value.Set(v.MapIndex(key))
			normalize(value)
			v.SetMapIndex(key, value)
		}
	case reflect.Struct:
		if raw, ok := v.Addr().Interface().(*apiext.JSON); ok {
			var value any
			if json.Unmarshal(raw.Raw, &value) == nil {
				raw.Raw, _ = json.Marshal(value)
			}
			return
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				normalize(v.Field(i))
			}
		}
	}
}

func asJSON(t *testing.T, v any) []byte {
	t.Helper()
	out, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// mustTrace makes sure that each text of the IR is at its place, whole and in parts.
func mustTrace(t *testing.T, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			mustTrace(t, v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			mustTrace(t, v.Index(i))
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[diag.Span]() {
			return
		}
		if text, ok := v.Interface().(schema.Text); ok {
			mustTraceText(t, text)
			return
		}
		for i := range v.NumField() {
			if v.Type().Field(i).Name != "CABundle" { // which is not kept as it is written
				mustTrace(t, v.Field(i))
			}
		}
	}
}

func mustTraceText(t *testing.T, text schema.Text) {
	t.Helper()
	if text.V == "" || !utf8.ValidString(text.At.Text()) {
		return // JSON replaces bytes that are not UTF-8
	}
	if _, ok := literal.YAML(text.At.Text(), text.V); !ok && !isTagged(text) {
		t.Errorf("%q is said to be written %q", text.V, text.At.Text())
	}
	if at := text.Range(0, len(text.V)); at.Start < text.At.Start || at.End > text.At.End || at.End < at.Start {
		t.Errorf("%q has the position %d to %d of %q", text.V, at.Start, at.End, text.At.Text())
	}
}

// isTagged reports whether a tag changes the meaning of a scalar's text, as that of base64 does.
func isTagged(text schema.Text) bool {
	before := string(text.At.Source.Data[:text.At.Start])
	return strings.HasSuffix(strings.TrimRight(before, " "), "!!binary")
}

// mustMatchOracle compares the verdict on one document of YAML with the oracle's.
func mustMatchOracle(t *testing.T, data []byte, docs []read.Document, found []diag.Diagnostic) {
	t.Helper()
	sent, err := yaml.YAMLToJSON(data)
	if err != nil {
		if !diag.HasErrors(found) {
			t.Fatalf("the API server cannot decode this, but it is not reported: %v", err)
		}
		return
	}
	var object map[string]any
	if json.Unmarshal(sent, &object) != nil || object["apiVersion"] != "apiextensions.k8s.io/v1" ||
		object["kind"] != "CustomResourceDefinition" {
		return
	}
	if _, _, err := decode(t, sent); err == nil && len(docs) != 1 {
		t.Fatalf("an API server decodes this, but it is rejected: %v", found)
	}
}
