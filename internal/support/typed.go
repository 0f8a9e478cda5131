package support

import (
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"time"
	"unicode/utf8"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// This file is for typed code, which finds out whether the value of a Go type is certainly valid.

// objectOf is the JSON of an object.
func objectOf(obj any) (map[string]any, error) {
	data, err := json.Marshal(obj)
	if err != nil {
		return nil, err
	}
	var out map[string]any
	return out, utiljson.Unmarshal(data, &out)
}

// valueOf is the JSON of a value, pruned and with the defaults of its type, unless that is nil.
func valueOf(x any, t *Type) (value any, err error) {
	data, err := json.Marshal(x)
	if err != nil {
		return nil, err
	}
	if err := utiljson.Unmarshal(data, &value); err != nil {
		return nil, err
	}
	if t != nil {
		pruneValue(value, t, false)
		t.setDefaults(value)
	}
	return value, nil
}

// Fits reports whether the JSON of a value, which mayBeNull, is valid and passes checks. The type may be nil.
func Fits(x any, mayBeNull bool, t *Type, checks ...func(*Validation, any, *Type)) bool {
	value, err := valueOf(x, t)
	if err != nil || value == nil {
		return err == nil && mayBeNull
	}
	v := Validation{}
	for _, check := range checks {
		check(&v, value, t)
	}
	return v.failures == 0 && len(v.errs) == 0
}

// IsTrue reports whether a result is true, and not a failure.
func IsTrue(result Result[bool]) bool { return result.err == nil && result.val }

// IsFalse reports whether a result is false, and not a failure.
func IsFalse(result Result[bool]) bool { return result.err == nil && !result.val }

// IsSo is a condition that go vet would take for a mistake, as x in x == "a" && x == "b".
func IsSo(is bool) bool { return is }

// AreManaged reports whether managed fields can be encoded.
func AreManaged(list []metav1.ManagedFieldsEntry) bool {
	for i := range list {
		if list[i].FieldsV1 == nil {
			continue
		}
		if text, err := list[i].FieldsV1.MarshalJSON(); err != nil || !IsJSON(text, false) && !json.Valid(text) {
			return false
		}
	}
	return true
}

// IsNumber reports whether a float has a form in JSON that is read as the same number. That of -0 is read as 0.
func IsNumber(x float64) bool {
	return !math.IsNaN(x) && !math.IsInf(x, 0) && (x != 0 || !math.Signbit(x))
}

// Float32 is the number that is read from the JSON of a float32.
func Float32(x float32) float64 {
	f, _ := strconv.ParseFloat(strconv.FormatFloat(float64(x), 'g', -1, 32), 64) // it is a number
	return f
}

// IsYear reports whether the year of a time has four digits.
func IsYear(t time.Time) bool {
	const start, end = -62167219200, 253402300800 // of the years 0 and 10000
	seconds := t.Unix()
	return start <= seconds && seconds < end
}

// IsZeroGo reports whether omitzero omits a field.
func IsZeroGo[T any](x *T) bool { return omitsZero(reflect.ValueOf(x).Elem()) }

func omitsZero(v reflect.Value) bool {
	type zeroer interface{ IsZero() bool }
	if kind := v.Kind(); kind == reflect.Pointer || kind == reflect.Interface {
		return v.IsNil() || v.Type().Implements(reflect.TypeFor[zeroer]()) && v.Interface().(zeroer).IsZero()
	}
	if !v.CanAddr() { // a method may need the pointer
		pointed := reflect.New(v.Type()).Elem()
		pointed.Set(v)
		v = pointed
	}
	if z, ok := v.Addr().Interface().(zeroer); ok {
		return z.IsZero()
	}
	return v.IsZero()
}

// IsEmptyGo reports whether omitempty omits a field.
func IsEmptyGo[T any](x *T) bool { return omitsEmpty(reflect.ValueOf(x).Elem()) }

func omitsEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	default:
		return v.IsZero()
	}
}

// fewItems is the number of items of a list that are compared with each other, which needs no allocation.
const fewItems = 24

// AreDistinct reports whether no item of a list is repeated.
func AreDistinct[T comparable](list []T) bool {
	return HaveOwnKeys(list, func(x *T) (T, bool) { return *x, true })
}

// HaveOwnKeys reports whether each item of a list has a key, and no two have the same.
func HaveOwnKeys[T any, K comparable](list []T, key func(*T) (K, bool)) bool {
	var seen map[K]bool
	if len(list) > fewItems {
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

// A Pair are two keys of an item.
type Pair[A, B comparable] struct {
	a A
	b B
}

// PairOf is a pair of keys.
func PairOf[A, B comparable](a A, b B) Pair[A, B] { return Pair[A, B]{a, b} }

// AllAre reports whether a function is true for all items of a list.
func AllAre[T any](list []T, is func(*T) bool) bool {
	for i := range list {
		if !is(&list[i]) {
			return false
		}
	}
	return true
}

// AllEntries reports whether a function is true for all keys and values of a map.
func AllEntries[M ~map[K]V, K comparable, V any](m M, is func(K, V) bool) bool {
	for key, value := range m {
		if !is(key, value) {
			return false
		}
	}
	return true
}

// HaveTextKeys reports whether all keys of a map are valid UTF-8.
func HaveTextKeys[M ~map[K]V, K ~string, V any](m M) bool {
	for key := range m {
		if !utf8.ValidString(string(key)) {
			return false
		}
	}
	return true
}

// AnyIs reports whether a function is true for an item of a list.
func AnyIs[T any](list []T, is func(*T) bool) bool {
	for i := range list {
		if is(&list[i]) {
			return true
		}
	}
	return false
}

// CountAre is the number of items of a list for which a function is true.
func CountAre[T any](list []T, is func(*T) bool) (n int) {
	for i := range list {
		if is(&list[i]) {
			n++
		}
	}
	return n
}

// NewAre reports whether a function is true for all items of a list, which have no old values.
func NewAre[T, O any](list []T, is func(x *T, old *O) bool) bool {
	for i := range list {
		if !is(&list[i], nil) {
			return false
		}
	}
	return true
}

// KeyedAre reports whether a function is true for all items of a list, each with the old item that has its key. It
// is false if a key is missing.
func KeyedAre[T any, K comparable](list, olds []T, key func(*T) (K, bool), is func(x, old *T) bool) bool {
	for i := range list {
		if old, ok := oldOf(olds, &list[i], key); !ok || !is(&list[i], old) {
			return false
		}
	}
	return true
}

// PartOf is a part of an old value, or zero without an old value.
func PartOf[T, P any](old *T, part func(*T) P) (out P) {
	if old != nil {
		out = part(old)
	}
	return out
}

// CountOf is the number of conditions that hold.
func CountOf(conditions ...bool) (n int) {
	for _, holds := range conditions {
		if holds {
			n++
		}
	}
	return n
}

// oldOf is the old item with the key of a new one, the first of several, or nil. It returns false if a
// key is missing.
func oldOf[T any, K comparable](olds []T, x *T, key func(*T) (K, bool)) (*T, bool) {
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

// Unknown is the value of CEL that typed code does not know.
var Unknown = &Failure{text: "unknown"}

// IfThere is a value that typed code knows under a condition.
func IfThere[T any](is bool, value func() T) Result[T] {
	if !is {
		return fail[T](Unknown)
	}
	return OK(value())
}

// IfKnown is a result that typed code knows under a condition.
func IfKnown[T any](is bool, result func() Result[T]) Result[T] {
	if !is {
		return fail[T](Unknown)
	}
	return result()
}

// OrElse is a value under a condition, and otherwise another one.
func OrElse[T any](is bool, value func() T, otherwise T) T {
	if !is {
		return otherwise
	}
	return value()
}

// JSONIn is the JSON of a value for CEL, unknown if it has none or is null.
func JSONIn(x any, t *Type) any {
	value, err := valueOf(x, t)
	if err != nil || value == nil {
		return Unknown
	}
	return value
}

// OptionalIf is an optional value that is set on a condition.
func OptionalIf(is bool, value func() any) any {
	if !is {
		return Optional{}
	}
	v := value()
	if err, ok := v.(*Failure); ok {
		return err
	}
	return Optional{v, true}
}

// AllIn is list.all.
func AllIn[T any](list []T, holds func(*T) Result[bool]) Result[bool] {
	return quantifyIn(list, false, holds)
}

// ExistsIn is list.exists.
func ExistsIn[T any](list []T, holds func(*T) Result[bool]) Result[bool] {
	return quantifyIn(list, true, holds)
}

// quantifyIn is the decisive result for an item, or else a failure, or the opposite.
func quantifyIn[T any](list []T, decisive bool, holds func(*T) Result[bool]) Result[bool] {
	out := OK(!decisive)
	for i := range list {
		switch r := holds(&list[i]); {
		case decides(r, decisive):
			return r
		case r.err != nil:
			out.err = r.err
		}
	}
	return out
}

// ExistsOneIn is list.exists_one.
func ExistsOneIn[T any](list []T, holds func(*T) Result[bool]) Result[bool] {
	count := CountIn(list, holds)
	return Result[bool]{val: count.val == 1, err: count.err}
}

// CountIn is list.filter().size().
func CountIn[T any](list []T, holds func(*T) Result[bool]) Result[int64] {
	count := OK(int64(0))
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

// AllKeysIn is map.all.
func AllKeysIn[M ~map[K]V, K ~string, V any](m M, holds func(string) Result[bool]) Result[bool] {
	out := OK(true)
	for key := range m {
		switch r := holds(string(key)); {
		case decides(r, false):
			return r
		case r.err != nil:
			out.err = r.err
		}
	}
	return out
}

// ExistsKeyIn is map.exists.
func ExistsKeyIn[M ~map[K]V, K ~string, V any](m M, holds func(string) Result[bool]) Result[bool] {
	out := AllKeysIn(m, func(key string) Result[bool] { return Not(holds(key)) })
	return Result[bool]{val: out.err == nil && !out.val, err: out.err}
}

// ExistsOneKeyIn is map.exists_one.
func ExistsOneKeyIn[M ~map[K]V, K ~string, V any](m M, holds func(string) Result[bool]) Result[bool] {
	count, err := 0, (*Failure)(nil)
	for key := range m {
		switch r := holds(string(key)); {
		case r.err != nil:
			err = r.err
		case r.val:
			count++
		}
	}
	return Result[bool]{val: count == 1, err: err}
}

// IsIn is x in list.
func IsIn[T comparable, I any](x Result[T], list []I, read func(*I) Result[T]) Result[bool] {
	out := Result[bool]{err: x.err}
	for i := range list {
		switch r := read(&list[i]); {
		case r.err != nil:
			out.err = r.err
		case x.err == nil && r.val == x.val:
			return OK(true)
		}
	}
	return out
}

// IsKeyIn is x in map.
func IsKeyIn[M ~map[K]V, K ~string, V any](x Result[string], m M) Result[bool] {
	_, ok := m[K(x.val)]
	return Result[bool]{val: ok, err: x.err}
}

// New is a pointer to a value.
func New[T any](x T) *T { return &x }

// Make makes what a nil pointer does not have.
func Make[T any](x **T) { *x = new(T) }

// DecodeInto sets a value to that of a JSON text. One that the type cannot hold stays as it is.
func DecodeInto[T any](x *T, text string) {
	var decoded T
	if json.Unmarshal([]byte(text), &decoded) == nil {
		*x = decoded
	}
}

// DefaultInJSON sets defaults in the JSON of a value.
func DefaultInJSON[T any](x *T, t *Type) {
	value, err := valueOf(x, nil)
	if err != nil || value == nil {
		return
	}
	t.setDefaults(value)
	if text, err := json.Marshal(value); err == nil {
		DecodeInto(x, string(text))
	}
}

// SetIn sets defaults in what a pointer leads to.
func SetIn[T any](x *T, set func(*T)) {
	if x != nil {
		set(x)
	}
}

// SetInOr sets defaults in what a pointer leads to. A nil pointer gets the value of a JSON text.
func SetInOr[T any](x **T, set func(*T), text string) {
	if *x == nil {
		DecodeInto(x, text)
		return
	}
	set(*x)
}

// InEach sets defaults in the items of a list.
func InEach[T any](list []T, set func(*T)) {
	for i := range list {
		set(&list[i])
	}
}

// SetZero replaces the zero value.
func SetZero[T comparable](x *T, to T) {
	if *x == *new(T) {
		*x = to
	}
}

// SetNil replaces a nil pointer.
func SetNil[T any](x **T, to T) {
	if *x == nil {
		value := to // only a nil pointer needs memory
		*x = &value
	}
}
