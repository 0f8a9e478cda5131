package support

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// This file checks that lists of type set and map have no duplicates (apiextensions-apiserver,
// pkg/apiserver/schema/listtype).

// repeatsNothing reports whether there are no duplicates in a value.
func (v *crdValidation) repeatsNothing(value any, t *crdType) bool {
	_, ok := v.try(func(v *crdValidation, value any) { v.checkLists(value, t) }, value)
	return ok
}

// listSet checks that no item of a list is repeated. The second of two equal items is reported.
func (v *crdValidation) listSet(items []any) {
	for _, i := range crdRepeats(len(items), func(i, j int) bool { return crdSameValue(items[i], items[j]) },
		func(i int) any { return crdIdentity(items[i]) }) {
		if v.fails() {
			v.errs = append(v.errs, field.Duplicate(v.path.fieldPath().Index(i), items[i]))
		}
	}
}

// listMap checks that the items of a list are objects, no two of which have the same keys. A missing key counts as a
// key, and null has no keys.
func (v *crdValidation) listMap(items []any, keys ...string) {
	for i, item := range items {
		if _, ok := item.(map[string]any); !ok && item != nil {
			if v.fails() {
				v.errs = append(v.errs, field.Invalid(v.path.fieldPath().Index(i), crdShown(item),
					"must be an object for an array of list-type map"))
			}
			return
		}
	}
	same := func(i, j int) bool { return crdSameKeys(items[i], items[j], keys) }
	for _, i := range crdRepeats(len(items), same, func(i int) any { return crdKeysIdentity(items[i], keys) }) {
		if v.fails() {
			v.errs = append(v.errs, field.Duplicate(v.path.fieldPath().Index(i), crdKeys(items[i], keys)))
		}
	}
}

// crdRepeats returns the items of a list that are duplicates of an earlier one. A few items are compared with each
// other, without allocations; many are compared by their identity.
func crdRepeats(n int, same func(i, j int) bool, identity func(i int) any) (repeats []int) {
	const few = 24
	if n > few {
		const isReported = true
		seen := make(map[any]bool, n)
		for i := range n {
			key := identity(i)
			if reported, again := seen[key]; !again {
				seen[key] = !isReported
			} else if !reported {
				seen[key] = isReported
				repeats = append(repeats, i)
			}
		}
		return repeats
	}
	for i := 1; i < n; i++ {
		before := 0
		for j := 0; j < i && before < 2; j++ {
			if same(i, j) {
				before++
			}
		}
		if before == 1 {
			repeats = append(repeats, i)
		}
	}
	return repeats
}

// crdKeys are the keys that an item has.
func crdKeys(item any, keys []string) map[string]any {
	object, _ := item.(map[string]any)
	of := map[string]any{}
	for _, key := range keys {
		if value, ok := object[key]; ok {
			of[key] = value
		}
	}
	return of
}

// crdSameKeys reports whether two items have the same keys. A single key is compared like an item of a set, several
// keys by their JSON.
func crdSameKeys(a, b any, keys []string) bool {
	x, _ := a.(map[string]any)
	y, _ := b.(map[string]any)
	for _, key := range keys {
		value, ok := x[key]
		other, also := y[key]
		switch {
		case ok != also:
			return false
		case ok && len(keys) == 1 && !crdSameValue(value, other),
			ok && len(keys) > 1 && !crdSameJSON(value, other):
			return false
		}
	}
	return true
}

// crdAbsent is the identity of an item that has no key.
type crdAbsent struct{}

// crdKeysIdentity is the identity of an item: equal for items with the same keys.
func crdKeysIdentity(item any, keys []string) any {
	object, _ := item.(map[string]any)
	if len(keys) == 1 {
		if value, ok := object[keys[0]]; ok {
			return crdIdentity(value)
		}
		return crdAbsent{}
	}
	var all []byte
	for _, key := range keys {
		value, ok := object[key]
		if crdIsDeep(value) {
			return crdIdentity(value)
		}
		if all = append(all, ','); ok {
			all = crdAppendIdentity(all, value)
		}
	}
	return crdJSON(all)
}

// A crdJSON is the identity of a list or an object.
type crdJSON string

// crdIdentity is the identity of an item of a set: equal for equal items.
func crdIdentity(item any) any {
	switch {
	case !crdIsCompound(item):
		return item
	case crdIsDeep(item):
		return &crdEntry{key: item} // equal to nothing
	}
	return crdJSON(crdAppendIdentity(nil, item))
}

// crdAppendIdentity writes a value like JSON: equal for values with the same JSON.
func crdAppendIdentity(out []byte, value any) []byte {
	const exact = 1e21 // smaller floats look like integers
	switch value := value.(type) {
	case map[string]any:
		out = append(out, '{')
		for _, key := range crdSortedKeys(value) {
			out = append(crdAppendIdentity(append(strconv.AppendQuote(out, key), ':'), value[key]), ',')
		}
		return append(out, '}')
	case []any:
		out = append(out, '[')
		for _, item := range value {
			out = append(crdAppendIdentity(out, item), ',')
		}
		return append(out, ']')
	case string:
		return strconv.AppendQuote(out, value)
	case int64:
		return strconv.AppendInt(out, value, 10)
	case float64:
		if math.Abs(value) < exact {
			return strconv.AppendFloat(out, value, 'f', -1, 64)
		}
		return strconv.AppendFloat(out, value, 'e', -1, 64)
	}
	data, err := json.Marshal(value)
	if err != nil {
		return fmt.Append(out, value) // it is not JSON
	}
	return append(out, data...)
}

// crdSameValue reports whether two items of a set are the same: scalars as Go compares them, so that 1 is not 1.0,
// lists and objects by their JSON, if they are JSON.
func crdSameValue(a, b any) bool {
	if compound := crdIsCompound(a); compound || crdIsCompound(b) {
		return compound && crdIsCompound(b) && crdSameJSON(a, b)
	}
	return a == b
}

// crdIsCompound reports whether a value is not a JSON scalar: Go may not be able to compare it.
func crdIsCompound(value any) bool {
	switch value.(type) {
	case nil, bool, int64, float64, string:
		return false
	}
	return true
}

// crdSameJSON reports whether two values have the same JSON, and are not too deep.
func crdSameJSON(a, b any) bool { return crdEqualTrees(a, b, crdDeepest, false, crdSameScalar) }

// crdSameScalar is crdSameJSON for values that are not two objects or two lists.
func crdSameScalar(a, b any) bool {
	switch a := a.(type) {
	case int64:
		if f, ok := b.(float64); ok {
			return crdSameNumber(a, f)
		}
	case float64:
		switch b := b.(type) {
		case int64:
			return crdSameNumber(b, a)
		case float64:
			return a == b && math.Signbit(a) == math.Signbit(b)
		}
	}
	if crdIsCompound(a) || crdIsCompound(b) {
		return crdDeepEqual(a, b) // they are not JSON, or not the same
	}
	return a == b
}

// crdSameNumber reports whether an integer and a float have the same JSON.
func crdSameNumber(i int64, f float64) bool {
	return f == float64(i) && !(f == 0 && math.Signbit(f)) &&
		strconv.FormatFloat(f, 'f', -1, 64) == strconv.FormatInt(i, 10)
}
