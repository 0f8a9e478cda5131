package support

import (
	"hash/maphash"
	"reflect"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// nested is a value with a number of levels.
func nested(levels int, object bool) any {
	value := any("x")
	for range levels {
		if object {
			value = map[string]any{"a": value}
		} else {
			value = []any{value}
		}
	}
	return value
}

// cycles are values that contain themselves, and values that are too deep.
func cycles() []any {
	object, list := map[string]any{}, make([]any, 2)
	object["self"], object["list"], object["x"] = object, list, "x"
	list[0], list[1] = list, object
	return []any{object, list, map[string]any{"in": list}, []any{object}, nested(100_000, true),
		nested(100_000, false)}
}

// TestDepth has a limit of a decoder.
func TestDepth(t *testing.T) {
	for _, object := range []bool{false, true} {
		if isDeep(nested(deepest, object)) || !isDeep(nested(deepest+2, object)) {
			t.Error("the limit is wrong")
		}
	}
}

// TestCycles has no function end in a stack overflow, which would end the test.
func TestCycles(t *testing.T) {
	for _, a := range cycles() {
		for _, b := range cycles() { // others
			v := Validation{typ: &Type{Name: "object", Preserve: true}}
			if v.bounded(a); len(v.errs) != 1 || v.errs[0].Type != field.ErrorTypeTypeInvalid {
				t.Fatal(v.errs)
			}
			hashes := &hasher{seed: maphash.MakeSeed()}
			if sameValue(a, b) || equalJSON(a, b) || deepEqual(a, b) || hashes.value(a, deepest) {
				t.Error("values that are too deep are equal")
			}
			v.listSet([]any{a, b})
			v.listMap([]any{a, b}, "self")
			v.uniqueItems([]any{a, b})
			v.checkAllowed(a, []any{"x", []any{"y"}})
			v.embeds(checkObjectMeta(a, nil)...)
			v.embeddedResource(map[string]any{"apiVersion": a, "kind": a, "metadata": a})
			v.replicas(map[string]any{"spec": a}, "spec")
			v.broken(OK(false), a, b, &Rule{Text: "x"})
			_ = v.typ.unchanged(a, b)
			_, _ = show(unknownData{a}), comparableJSON(a)
			for _, err := range v.errs {
				_ = err.Error()
			}
		}
	}
	for _, a := range cycles() {
		pruned := prune(map[string]any{"x": []any{a}}, &Type{Open: true})
		if _, ok := a.(map[string]any); ok && len(pruned) == 0 {
			t.Error("nothing was pruned")
		}
	}
}

// TestDeepEqual compares with reflect.DeepEqual.
func TestDeepEqual(t *testing.T) {
	var noObject map[string]any
	var noList []any
	values := []any{nil, true, int64(1), 1.0, 1, "a", noObject, noList, map[string]any{}, []any{}, []string{"a"},
		[]any{"a"}, []any{nil}, map[string]any{"a": nil}, map[string]any{"b": nil}, map[string]any{"a": noObject},
		map[string]any{"a": []any{int64(1)}}, map[string]any{"a": []any{1.0}}, []any{map[string]any{"a": 1.0}}}
	for _, a := range values {
		for _, b := range values {
			if got, want := deepEqual(a, b), reflect.DeepEqual(a, b); got != want {
				t.Errorf("%#v and %#v: %t, want %t", a, b, got, want)
			}
		}
	}
}
