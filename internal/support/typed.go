package support

import (
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// This file is for typed code, which finds out whether the value of a Go type is certainly valid.

// crdObjectOf is the JSON of an object.
func crdObjectOf(obj any) (map[string]any, error) {
	data, err := json.Marshal(obj)
	if err != nil {
		return nil, err
	}
	var out map[string]any
	return out, utiljson.Unmarshal(data, &out)
}

// crdValueOf is the JSON of a value, pruned and with the defaults of its type, unless that is nil.
func crdValueOf(x any, t *crdType) (value any, err error) {
	data, err := json.Marshal(x)
	if err != nil {
		return nil, err
	}
	if err := utiljson.Unmarshal(data, &value); err != nil {
		return nil, err
	}
	if t != nil {
		crdPruneValue(value, t, false)
		t.setDefaults(value)
	}
	return value, nil
}

// crdFits reports whether the JSON of a value, which mayBeNull, is valid and passes checks. The type may be nil.
func crdFits(x any, mayBeNull bool, t *crdType, checks ...func(*crdValidation, any, *crdType)) bool {
	value, err := crdValueOf(x, t)
	if err != nil || value == nil {
		return err == nil && mayBeNull
	}
	v := crdValidation{}
	for _, check := range checks {
		check(&v, value, t)
	}
	return v.failures == 0 && len(v.errs) == 0
}

// crdIsTrue and crdIsFalse report whether a condition is certainly true, or certainly false.
func crdIsTrue(result crdResult[bool]) bool  { return result.err == nil && result.val }
func crdIsFalse(result crdResult[bool]) bool { return result.err == nil && !result.val }

// crdIsSo is a condition that go vet would take for a mistake, as x in x == "a" && x == "b".
func crdIsSo(is bool) bool { return is }

// crdAreManaged reports whether managed fields can be encoded.
func crdAreManaged(list []metav1.ManagedFieldsEntry) bool {
	for i := range list {
		if list[i].FieldsV1 == nil {
			continue
		}
		if text, err := list[i].FieldsV1.MarshalJSON(); err != nil || !crdIsJSON(text, false) && !json.Valid(text) {
			return false
		}
	}
	return true
}

// crdIsNumber reports whether a float has a form in JSON that is read as the same number. That of -0 is read as 0.
func crdIsNumber(x float64) bool {
	return !math.IsNaN(x) && !math.IsInf(x, 0) && (x != 0 || !math.Signbit(x))
}

// crdFloat32 is the number that is read from the JSON of a float32.
func crdFloat32(x float32) float64 {
	f, _ := strconv.ParseFloat(strconv.FormatFloat(float64(x), 'g', -1, 32), 64) // it is a number
	return f
}

// crdIsYear reports whether the year of a time has four digits.
func crdIsYear(t time.Time) bool {
	const start, end = -62167219200, 253402300800 // of the years 0 and 10000
	seconds := t.Unix()
	return start <= seconds && seconds < end
}

// crdIsZeroGo reports whether omitzero omits a field.
func crdIsZeroGo[T any](x *T) bool {
	type zeroer interface{ IsZero() bool }
	v := reflect.ValueOf(x).Elem()
	if kind := v.Kind(); kind != reflect.Pointer && kind != reflect.Interface {
		if z, ok := any(x).(zeroer); ok {
			return z.IsZero()
		}
		return v.IsZero()
	}
	return v.IsNil() || v.Type().Implements(reflect.TypeFor[zeroer]()) && v.Interface().(zeroer).IsZero()
}

// crdIsEmptyGo reports whether omitempty omits a field.
func crdIsEmptyGo[T any](x *T) bool {
	switch v := reflect.ValueOf(x).Elem(); v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	default:
		return v.IsZero()
	}
}

// crdFewItems is the number of items of a list that are compared with each other, which needs no allocation.
const crdFewItems = 24

// crdAreDistinct reports whether no item of a list is repeated.
func crdAreDistinct[T comparable](list []T) bool {
	return crdHaveOwnKeys(list, func(x *T) (T, bool) { return *x, true })
}

// crdHaveOwnKeys reports whether each item of a list has a key, and no two have the same.
func crdHaveOwnKeys[T any, K comparable](list []T, key func(*T) (K, bool)) bool {
	var seen map[K]bool
	if len(list) > crdFewItems {
		seen = make(map[K]bool, len(list))
	}
	for i := range list {
		k, ok := key(&list[i])
		if !ok || seen[k] {
			return false
		}
		if seen != nil {
			seen[k] = true
			continue
		}
		for j := range i {
			if other, _ := key(&list[j]); other == k {
				return false
			}
		}
	}
	return true
}

// crdAllAre reports whether a function is true for all items of a list.
func crdAllAre[T any](list []T, is func(*T) bool) bool {
	for i := range list {
		if !is(&list[i]) {
			return false
		}
	}
	return true
}

// crdAnyIs reports whether a function is true for an item of a list.
func crdAnyIs[T any](list []T, is func(*T) bool) bool {
	for i := range list {
		if is(&list[i]) {
			return true
		}
	}
	return false
}

// crdCountAre is the number of items of a list for which a function is true.
func crdCountAre[T any](list []T, is func(*T) bool) (n int) {
	for i := range list {
		if is(&list[i]) {
			n++
		}
	}
	return n
}

// crdNewAre reports whether a function is true for all items of a list, which have no old values.
func crdNewAre[T, O any](list []T, is func(x *T, old *O) bool) bool {
	for i := range list {
		if !is(&list[i], nil) {
			return false
		}
	}
	return true
}

// crdKeyedAre reports whether a function is true for all items of a list, each with the old item that has its key. It
// is false if a key is missing.
func crdKeyedAre[T any, K comparable](list, olds []T, key func(*T) (K, bool), is func(x, old *T) bool) bool {
	for i := range list {
		if old, ok := crdOldOf(olds, &list[i], key); !ok || !is(&list[i], old) {
			return false
		}
	}
	return true
}

// crdPartOf is a part of an old value, or zero if there is none.
func crdPartOf[T, P any](old *T, part func(*T) P) (out P) {
	if old != nil {
		out = part(old)
	}
	return out
}

// crdCountOf is the number of conditions that hold.
func crdCountOf(conditions ...bool) (n int) {
	for _, holds := range conditions {
		if holds {
			n++
		}
	}
	return n
}

// crdOldOf is the old item with the key of a new one, the first of several, nil if there is none. It returns false if a
// key is missing.
func crdOldOf[T any, K comparable](olds []T, x *T, key func(*T) (K, bool)) (*T, bool) {
	if len(olds) == 0 {
		return nil, true
	}
	k, ok := key(x)
	if !ok {
		return nil, false
	}
	for i := range olds {
		switch other, ok := key(&olds[i]); {
		case !ok:
			return nil, false
		case other == k:
			return &olds[i], true
		}
	}
	return nil, true
}

// crdUnknown is the value of CEL that typed code does not know.
var crdUnknown = &crdFailure{text: "unknown"}

// crdIfThere is a value that typed code knows under a condition.
func crdIfThere[T any](is bool, value func() T) crdResult[T] {
	if !is {
		return crdFail[T](crdUnknown)
	}
	return crdOK(value())
}

// crdIfKnown is a result that typed code knows under a condition.
func crdIfKnown[T any](is bool, result func() crdResult[T]) crdResult[T] {
	if !is {
		return crdFail[T](crdUnknown)
	}
	return result()
}

// crdOrElse is a value under a condition, and otherwise another one.
func crdOrElse[T any](is bool, value func() T, otherwise T) T {
	if !is {
		return otherwise
	}
	return value()
}

// crdJSONIn is the JSON of a value for CEL, unknown if it has none or is null.
func crdJSONIn(x any, t *crdType) any {
	value, err := crdValueOf(x, t)
	if err != nil || value == nil {
		return crdUnknown
	}
	return value
}

// crdOptionalIf is an optional value that is set on a condition.
func crdOptionalIf(is bool, value func() any) any {
	if !is {
		return crdOptional{}
	}
	v := value()
	if err, ok := v.(*crdFailure); ok {
		return err
	}
	return crdOptional{v, true}
}

// crdAllIn is list.all.
func crdAllIn[T any](list []T, holds func(*T) crdResult[bool]) crdResult[bool] {
	return crdQuantifyIn(list, false, holds)
}

// crdExistsIn is list.exists.
func crdExistsIn[T any](list []T, holds func(*T) crdResult[bool]) crdResult[bool] {
	return crdQuantifyIn(list, true, holds)
}

// crdQuantifyIn is the decisive result for an item, or else a failure, or the opposite.
func crdQuantifyIn[T any](list []T, decisive bool, holds func(*T) crdResult[bool]) crdResult[bool] {
	out := crdOK(!decisive)
	for i := range list {
		switch r := holds(&list[i]); {
		case crdDecides(r, decisive):
			return r
		case r.err != nil:
			out.err = r.err
		}
	}
	return out
}

// crdExistsOneIn is list.exists_one.
func crdExistsOneIn[T any](list []T, holds func(*T) crdResult[bool]) crdResult[bool] {
	count := crdCountIn(list, holds)
	return crdResult[bool]{val: count.val == 1, err: count.err}
}

// crdCountIn is list.filter().size().
func crdCountIn[T any](list []T, holds func(*T) crdResult[bool]) crdResult[int64] {
	count := crdOK(int64(0))
	for i := range list {
		switch r := holds(&list[i]); {
		case r.err != nil:
			count.err = r.err
		case r.val:
			count.val++
		}
	}
	return count
}

// crdAllKeysIn is map.all.
func crdAllKeysIn[M ~map[K]V, K ~string, V any](m M, holds func(string) crdResult[bool]) crdResult[bool] {
	out := crdOK(true)
	for key := range m {
		switch r := holds(string(key)); {
		case crdDecides(r, false):
			return r
		case r.err != nil:
			out.err = r.err
		}
	}
	return out
}

// crdExistsKeyIn is map.exists.
func crdExistsKeyIn[M ~map[K]V, K ~string, V any](m M, holds func(string) crdResult[bool]) crdResult[bool] {
	out := crdAllKeysIn(m, func(key string) crdResult[bool] { return crdNot(holds(key)) })
	return crdResult[bool]{val: out.err == nil && !out.val, err: out.err}
}

// crdExistsOneKeyIn is map.exists_one.
func crdExistsOneKeyIn[M ~map[K]V, K ~string, V any](m M, holds func(string) crdResult[bool]) crdResult[bool] {
	count, err := 0, (*crdFailure)(nil)
	for key := range m {
		switch r := holds(string(key)); {
		case r.err != nil:
			err = r.err
		case r.val:
			count++
		}
	}
	return crdResult[bool]{val: count == 1, err: err}
}

// crdIsIn is x in list.
func crdIsIn[T comparable, I any](x crdResult[T], list []I, read func(*I) crdResult[T]) crdResult[bool] {
	out := crdResult[bool]{err: x.err}
	for i := range list {
		switch r := read(&list[i]); {
		case r.err != nil:
			out.err = r.err
		case x.err == nil && r.val == x.val:
			return crdOK(true)
		}
	}
	return out
}

// crdIsKeyIn is x in map.
func crdIsKeyIn[M ~map[K]V, K ~string, V any](x crdResult[string], m M) crdResult[bool] {
	_, ok := m[K(x.val)]
	return crdResult[bool]{val: ok, err: x.err}
}

// crdNew is a pointer to a value.
func crdNew[T any](x T) *T { return &x }

// crdMake makes what a nil pointer does not have.
func crdMake[T any](x **T) { *x = new(T) }

// crdDecodeInto sets a value to that of a JSON text. One that the type cannot hold stays as it is.
func crdDecodeInto[T any](x *T, text string) {
	var decoded T
	if json.Unmarshal([]byte(text), &decoded) == nil {
		*x = decoded
	}
}

// crdDefaultInJSON sets defaults in the JSON of a value.
func crdDefaultInJSON[T any](x *T, t *crdType) {
	value, err := crdValueOf(x, nil)
	if err != nil || value == nil {
		return
	}
	t.setDefaults(value)
	if text, err := json.Marshal(value); err == nil {
		crdDecodeInto(x, string(text))
	}
}

// crdInEach sets defaults in the items of a list.
func crdInEach[T any](list []T, set func(*T)) {
	for i := range list {
		set(&list[i])
	}
}

// crdSetZero replaces the zero value.
func crdSetZero[T comparable](x *T, to T) {
	if *x == *new(T) {
		*x = to
	}
}

// crdSetNil replaces a nil pointer.
func crdSetNil[T any](x **T, to T) {
	if *x == nil {
		value := to // only a nil pointer needs memory
		*x = &value
	}
}
