package harness

import (
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// TestRejectedPath makes sure that the server's text is split at the keys of the object.
func TestRejectedPath(t *testing.T) {
	object := map[string]any{"spec": map[string]any{
		"f1": map[string]any{"10.0.0.0/8": []any{nil, map[string]any{"f2": nil}}, "10": nil,
			"": map[string]any{"a[0]": nil}},
	}}
	for _, c := range []struct {
		at, detail string
		want       []string
	}{
		{"spec.f1", "", []string{"spec", "f1"}},
		{"spec.f1.10.0.0.0/8[1].f2", "", []string{"spec", "f1", "10.0.0.0/8", "1", "f2"}},
		{"spec.f1[10.0.0.0/8][1].f3", "", []string{"spec", "f1", "10.0.0.0/8", "1", "f3"}},
		{"spec.f1.10", "", []string{"spec", "f1", "10"}},
		{"spec.f1..a[0]", "", []string{"spec", "f1", "", "a[0]"}},
		{"<nil>", `"spec.f1.10" must validate at least one schema (anyOf)`, []string{"spec", "f1", "10"}},
		{"<nil>", "it is not an integer in spec.f1.10.0.0.0/8[0]", []string{"spec", "f1", "10.0.0.0/8", "0"}},
	} {
		if got := rejectedPath(&field.Error{Field: c.at, Detail: c.detail}, object); !slices.Equal(got, c.want) {
			t.Errorf("%s %s: got %q, want %q", c.at, c.detail, got, c.want)
		}
	}
}
