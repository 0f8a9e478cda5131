package support

import (
	"reflect"
	"testing"
)

func TestPruning(t *testing.T) {
	object := map[string]any{
		"kept":  "text",
		"dots":  map[string]any{"a.b": int64(1)},
		"lists": []any{[]any{map[string]any{"x": nil}}, "scalar", nil},
	}
	var p crdPruning
	root := &crdSpot{name: "root"}
	p.keep(root, object, "kept", "dots", "lists")
	p.rest(&crdSpot{above: root, name: "dots"}, object["dots"])
	p.rest(&crdSpot{above: root, name: "lists"}, object["lists"])
	p.keep(root, object, "dots", "lists")
	want := []string{"root.dots.a.b", "root.kept", "root.lists[0][0].x"}
	if got := p.paths(); !reflect.DeepEqual(got, want) {
		t.Errorf("pruned %q, want %q", got, want)
	}
	left := map[string]any{"dots": map[string]any{}, "lists": []any{[]any{map[string]any{}}, "scalar", nil}}
	if !reflect.DeepEqual(object, left) {
		t.Errorf("left %v, want %v", object, left)
	}
}

func TestHolds(t *testing.T) {
	for _, test := range []struct {
		value any
		want  bool
	}{{nil, false}, {"text", false}, {1.5, false}, {[]any{}, true}, {map[string]any{}, true}} {
		if got := crdHolds(test.value); got != test.want {
			t.Errorf("%v holds others: %v, want %v", test.value, got, test.want)
		}
	}
}
