package support

import (
	"context"
	"slices"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// TestResource compares embedded resources with the library.
func TestResource(t *testing.T) {
	embedded := schema.Structural{Extensions: schema.Extensions{XEmbeddedResource: true}}
	s := &schema.Structural{Properties: map[string]schema.Structural{"x": embedded}}
	for _, object := range []map[string]any{
		{}, {"apiVersion": "v1", "kind": "Pod"}, {"apiVersion": "", "kind": "pod.x"},
		{"apiVersion": "a/b/c", "kind": ""}, {"apiVersion": nil, "kind": int64(1)},
		{"apiVersion": "v1", "kind": "Pod", "metadata": nil}, {"apiVersion": "v1", "kind": "Pod", "metadata": "text"},
		{"apiVersion": "v1", "kind": "Pod",
			"metadata": map[string]any{"name": "a/b%", "generateName": ".", "namespace": "A"}},
		{"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": ".."}},
		{"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": 1.5}},
		{"apiVersion": "v1", "kind": "Pod",
			"metadata": map[string]any{"generation": int64(-1), "labels": map[string]any{"-": "a b"},
				"finalizers":      []any{"x"},
				"ownerReferences": []any{map[string]any{}},
				"managedFields":   []any{map[string]any{"operation": "x"}, map[string]any{}}}},
	} {
		var v Validation
		v.path.field("x")
		v.embeddedResource(object)
		want := sentences(objectmeta.Validate(context.Background(), nil, map[string]any{"x": object}, s, false))
		if got := sentences(v.errs); !slices.Equal(sortedTexts(got), sortedTexts(want)) {
			t.Errorf("%v\ngot  %q\nwant %q", object, got, want)
		}
	}
}

func sortedTexts(texts []string) []string { return slices.Sorted(slices.Values(texts)) }

// TestScale reads what the scale subresource reads, as unstructured does.
func TestScale(t *testing.T) {
	for _, object := range []map[string]any{
		nil, {}, {"a": nil}, {"a": map[string]any{"b": nil}}, {"a": map[string]any{"b": int64(7)}},
		{"a": map[string]any{"b": "text"}}, {"a": []any{1.5}}, {"a": map[string]any{"b": 7.0}},
	} {
		_, _, err := unstructured.NestedInt64(object, "a", "b")
		var v Validation
		v.replicas(object, ".a.b")
		if (err == nil) != (len(v.errs) == 0) || err != nil &&
			v.errs[0].Error() != ".a.b: Invalid value: 0: "+err.Error() {
			t.Errorf("replicas of %v\ngot  %v\nwant %v", object, v.errs, err)
		}
		_, _, err = unstructured.NestedString(object, "a", "b")
		v.errs = nil
		v.selector(object, ".a.b")
		if (err == nil) != (len(v.errs) == 0) || err != nil &&
			v.errs[0].Error() != `.a.b: Invalid value: "": `+err.Error() {
			t.Errorf("selector of %v\ngot  %v\nwant %v", object, v.errs, err)
		}
	}
	for count, want := range map[int64]string{-1: "a: Invalid value: -1: should be a non-negative integer",
		1 << 31: "a: Invalid value: 2147483648: should be less than or equal to 2147483647"} {
		var v Validation
		if v.replicas(map[string]any{"a": count}, "a"); len(v.errs) != 1 || v.errs[0].Error() != want {
			t.Errorf("%v, want %s", v.errs, want)
		}
	}
}
