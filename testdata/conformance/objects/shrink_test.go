package objects_test

import (
	"reflect"
	"testing"

	"github.com/crdproof/crdproof/testdata/conformance/objects"
)

// TestShrink shows that only what is asked for is left, in both objects.
func TestShrink(t *testing.T) {
	c := objects.Case{
		Object: map[string]any{"a": map[string]any{"b": []any{int64(1), int64(2), int64(3)}, "c": "x"}, "d": nil},
		Old:    map[string]any{"a": map[string]any{"b": []any{int64(1), int64(5)}, "c": "y"}, "e": true},
	}
	got := objects.Shrink(c, 100, func(c objects.Case) bool {
		a, _ := c.Object["a"].(map[string]any)
		b, _ := a["b"].([]any)
		return len(b) > 0 && b[len(b)-1] == int64(3)
	})
	want := map[string]any{"a": map[string]any{"b": []any{int64(3)}}}
	if !reflect.DeepEqual(got.Object, want) {
		t.Errorf("the object is %v", got.Object)
	}
	if want := (map[string]any{"a": map[string]any{"b": []any{}}, "e": true}); !reflect.DeepEqual(got.Old, want) {
		t.Errorf("the old object is %v", got.Old)
	}
	if len(c.Object) != 2 || len(c.Old) != 2 {
		t.Errorf("the case itself has changed: %v", c)
	}
}
