package support

import (
	"reflect"
	"strconv"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// An object that was decoded cannot be deeper than its decoder allows, but one that Go code has made can, and may even
// contain itself. Where the schema does not describe what is inside a value, nothing here follows it further.

// deepest is how deep an API server's decoder lets values be nested (sigs.k8s.io/json).
const deepest = 10000

// isDeep reports whether a value is nested deeper than an API server can decode.
func isDeep(value any) bool { return isDeeper(value, deepest) }

func isDeeper(value any, levels int) bool {
	if levels < 0 {
		return true
	}
	switch value := value.(type) {
	case map[string]any:
		for _, field := range value {
			if holdsParts(field) && isDeeper(field, levels-1) {
				return true
			}
		}
	case []any:
		for _, item := range value {
			if holdsParts(item) && isDeeper(item, levels-1) {
				return true
			}
		}
	}
	return false
}

// bounded checks the depth of a value whose parts the schema does not describe. It has the type of an error that
// prevents rules.
func (v *Validation) bounded(value any) {
	if v.isDecoded || !isDeep(value) || !v.fails() {
		return
	}
	is, _ := jsonType(value)
	v.errs = append(v.errs, field.TypeInvalid(v.path.fieldPath(), is,
		"must not be nested more than "+strconv.Itoa(deepest)+" levels deep"))
}

// shown is a value as errors contain it.
func shown(value any) any {
	if isDeep(value) {
		return "<value omitted>"
	}
	return value
}

// deepEqual is reflect.DeepEqual. Values that are too deep differ.
func deepEqual(a, b any) bool {
	return equalTrees(a, b, deepest, true, func(a, b any) bool {
		if isCompound(a) || isCompound(b) {
			return reflect.DeepEqual(a, b) // values that are not JSON
		}
		return a == b
	})
}

// equalTrees compares objects and lists, and their parts up to a number of levels. All other values are equal if a
// function says so. It is not called for two objects or two lists. isStrict tells nil from empty ones.
func equalTrees(a, b any, levels int, isStrict bool, equal func(a, b any) bool) bool {
	if levels < 0 {
		return false
	}
	if object, ok := a.(*flatObject); ok {
		a, _ = asMap(object)
	}
	switch a := a.(type) {
	case map[string]any:
		b, ok := asMap(b)
		if !ok || len(a) != len(b) || isStrict && (a == nil) != (b == nil) {
			return false
		}
		for name, value := range a {
			if other, ok := b[name]; !ok || !equalTrees(value, other, levels-1, isStrict, equal) {
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
			if !equalTrees(a[i], b[i], levels-1, isStrict, equal) {
				return false
			}
		}
		return true
	}
	return equal(a, b)
}
