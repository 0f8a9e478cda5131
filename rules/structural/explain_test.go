package structural_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/internal/structuraltest"
	"github.com/crdproof/crdproof/rules/kube"
)

// TestAllAtOnce makes sure that all findings are reported at once. The API server stops at keywords without a
// structural form, and at paths on which its code panics.
func TestAllAtOnce(t *testing.T) {
	for _, test := range []struct {
		name, schema string
		want         []string
	}{
		{"reference", "{a: {$ref: '#/x'}, b: {type: array}, c: {}}",
			[]string{"items-missing", "keyword-forbidden", "type-missing"}},
		{"list of items", "{a: {type: array, items: [{type: string}]}, b: {}}",
			[]string{"keyword-forbidden", "type-missing"}},
		{
			"false", "{a: {type: object, x-kubernetes-preserve-unknown-fields: false}, b: {type: array}}",
			[]string{"items-missing", "keyword-forbidden"},
		},
		{
			"panic", "{a: {type: object, additionalProperties: true, x-kubernetes-validations: [{rule: 'true', " +
				"fieldPath: .a.b}]}, b: {type: array}}",
			[]string{"cel-field-path", "items-missing"},
		},
		{"nothing", "{a: {type: array, items: {type: string}}}", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, d := range structuraltest.Check(t, structuraltest.Read(t, "type: object\nproperties: "+test.schema), kube.DefaultRange()) {
				got = append(got, d.Check)
			}
			if slices.Sort(got); !slices.Equal(got, test.want) {
				t.Errorf("found %v, want %v", got, test.want)
			}
		})
	}
}

// TestLongAnnotations finds annotations that are too long together, although each of them is short enough.
func TestLongAnnotations(t *testing.T) {
	long := strings.Repeat("x", 128<<10)
	crd := structuraltest.Read(t, "metadata: {name: widgets.example.com, annotations: {a: "+long+", b: "+long+"}}")
	found := structuraltest.Check(t, crd, kube.DefaultRange())
	if len(found) != 1 || found[0].Message != "all annotations together have 262146 bytes; at most 262144 are allowed" {
		t.Errorf("found %v", found)
	}
	structuraltest.Explain(t, found, structuraltest.Verdict(t, crd))
}
