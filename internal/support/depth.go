package support

import (
	"reflect"
	"strconv"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// An object that was decoded cannot be deeper than its decoder allows, but one that Go code has made can, and may even
// contain itself. Where the schema does not describe what is inside a value, nothing here follows it further.

// crdDeepest is how deep an API server's decoder lets values be nested (sigs.k8s.io/json).
const crdDeepest = 10000

// crdIsDeep reports whether a value is nested deeper than an API server can decode.
func crdIsDeep(value any) bool { return crdIsDeeper(value, crdDeepest) }

func crdIsDeeper(value any, levels int) bool {
	if levels < 0 {
		return true
	}
	switch value := value.(type) {
	case map[string]any:
		for _, field := range value {
			if crdHolds(field) && crdIsDeeper(field, levels-1) {
				return true
			}
		}
	case []any:
		for _, item := range value {
			if crdHolds(item) && crdIsDeeper(item, levels-1) {
				return true
			}
		}
	}
	return false
}

// bounded checks the depth of a value whose parts the schema does not describe. It has the type of an error that
// prevents rules.
func (v *crdValidation) bounded(value any) {
	if !crdIsDeep(value) || !v.fails() {
		return
	}
	is, _ := crdJSONType(value)
	v.errs = append(v.errs, field.TypeInvalid(v.path.fieldPath(), is,
		"must not be nested more than "+strconv.Itoa(crdDeepest)+" levels deep"))
}

// crdShown is a value as errors contain it.
func crdShown(value any) any {
	if crdIsDeep(value) {
		return "<value omitted>"
	}
	return value
}

// crdDeepEqual is reflect.DeepEqual. Values that are too deep differ.
func crdDeepEqual(a, b any) bool {
	return crdEqualTrees(a, b, crdDeepest, true, func(a, b any) bool {
		if crdIsCompound(a) || crdIsCompound(b) {
			return reflect.DeepEqual(a, b) // values that are not JSON
		}
		return a == b
	})
}

// crdEqualTrees compares objects and lists, and their parts up to a number of levels. All other values are equal if a
// function says so. It is not called for two objects or two lists. isStrict tells nil from empty ones.
func crdEqualTrees(a, b any, levels int, isStrict bool, equal func(a, b any) bool) bool {
	if levels < 0 {
		return false
	}
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) || isStrict && (a == nil) != (b == nil) {
			return false
		}
		for name, value := range a {
			if other, ok := b[name]; !ok || !crdEqualTrees(value, other, levels-1, isStrict, equal) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) || isStrict && (a == nil) != (b == nil) {
			return false
		}
		for i := range a {
			if !crdEqualTrees(a[i], b[i], levels-1, isStrict, equal) {
				return false
			}
		}
		return true
	}
	return equal(a, b)
}
