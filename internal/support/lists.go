package support

import (
	"math"
	"strconv"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// This file checks that lists of type set and map have no duplicates (apiextensions-apiserver,
// pkg/apiserver/schema/listtype).

// listType is the keyword of these errors.
const listType = "x-kubernetes-list-type"

// repeatsNothing reports whether there are no duplicates in a value.
func (v *Validation) repeatsNothing(value any, t *Type) bool {
	_, ok := v.try((*Validation).CheckLists, value, t)
	return ok
}

// listSet checks that no item of a list is repeated. The second of two equal items is reported.
func (v *Validation) listSet(items []any) {
	same := func(i, j int) bool { return sameValue(items[i], items[j]) }
	for _, i := range findRepeats(len(items), same, func(h *hasher, i int) bool { return h.item(items[i]) }) {
		if v.fails() {
			v.errs = append(v.errs, withOrigin(field.Duplicate(v.path.fieldPath().Index(i), items[i]), listType))
		}
	}
}

// listMap checks that the items of a list are objects, no two of which have the same keys. A missing key counts as a
// key, and null has no keys.
func (v *Validation) listMap(items []any, keys ...string) {
	for i, item := range items {
		if !hasFields(item) && item != nil {
			if v.fails() {
				v.errs = append(v.errs, withOrigin(field.Invalid(v.path.fieldPath().Index(i), shown(item),
					"must be an object for an array of list-type map"), listType))
			}
			return
		}
	}
	same := func(i, j int) bool { return sameKeys(items[i], items[j], keys) }
	for _, i := range findRepeats(len(items), same, func(h *hasher, i int) bool { return h.keys(items[i], keys) }) {
		if v.fails() {
			err := field.Duplicate(v.path.fieldPath().Index(i), keyFields(items[i], keys))
			v.errs = append(v.errs, withOrigin(err, listType))
		}
	}
}

// keyFields are the keys that an item has.
func keyFields(item any, keys []string) map[string]any {
	object, _ := item.(map[string]any)
	of := map[string]any{}
	for _, key := range keys {
		if value, ok := object[key]; ok {
			of[key] = value
		}
	}
	return of
}

// sameKeys reports whether two items have the same keys. A single key is compared like an item of a set, several
// keys by their JSON.
func sameKeys(a, b any, keys []string) bool {
	for _, key := range keys {
		value, ok, _ := fieldOf(a, key)
		other, also, _ := fieldOf(b, key)
		switch {
		case ok != also:
			return false
		case ok && len(keys) == 1 && !sameValue(value, other),
			ok && len(keys) > 1 && !sameJSON(value, other):
			return false
		}
	}
	return true
}

// sameValue reports whether two items of a set are the same: scalars as Go compares them, so that 1 is not 1.0,
// lists and objects by their JSON, if they are JSON.
func sameValue(a, b any) bool {
	if compound := isCompound(a); compound || isCompound(b) {
		return compound && isCompound(b) && sameJSON(a, b)
	}
	return a == b
}

// isCompound reports whether a value is not a JSON scalar: Go may not be able to compare it.
func isCompound(value any) bool {
	switch value.(type) {
	case nil, bool, int64, float64, string:
		return false
	}
	return true
}

// sameJSON reports whether two values have the same JSON, and are not too deep.
func sameJSON(a, b any) bool { return equalTrees(a, b, deepest, false, sameScalar) }

// sameScalar is sameJSON for values that are not two objects or two lists.
func sameScalar(a, b any) bool {
	switch a := a.(type) {
	case int64:
		if f, ok := b.(float64); ok {
			return sameNumber(a, f)
		}
	case float64:
		switch b := b.(type) {
		case int64:
			return sameNumber(b, a)
		case float64:
			return a == b && math.Signbit(a) == math.Signbit(b)
		}
	}
	if isCompound(a) || isCompound(b) {
		return deepEqual(a, b) // they are not JSON, or not the same
	}
	return a == b
}

// sameNumber reports whether an integer and a float have the same JSON.
func sameNumber(i int64, f float64) bool {
	return f == float64(i) && !(f == 0 && math.Signbit(f)) &&
		strconv.FormatFloat(f, 'f', -1, 64) == strconv.FormatInt(i, 10)
}
