package support

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// Values whose schema is known at compile time stay JSON, in variables of type any, until they are used. Each may be
// a *crdFailure instead. The type of a value is checked when it is used, since CEL reports errors there, and values
// of an old object may have any type.

// crdPeek is a field of an object, nil if it is missing, or the reason why the value is not an object. Rules share
// it.
func crdPeek(object any, name string) any {
	if fields, ok := object.(map[string]any); ok {
		return fields[name]
	}
	return crdNoObject(object)
}

// crdThere is a field that was looked up.
func crdThere(field any, name string) any {
	if field == nil {
		return crdNoKey(name)
	}
	return field
}

// crdIsThere reports whether a field that was looked up is there. One that cannot be read fails.
func crdIsThere[T any](field any, read func(any) crdResult[T]) crdResult[bool] {
	if field == nil {
		return crdResult[bool]{}
	}
	return crdResult[bool]{val: true, err: read(field).err}
}

// crdGet is a field of an object. One that is null is not there.
func crdGet(object any, name string) any {
	if fields, ok := object.(map[string]any); ok {
		if value := fields[name]; value != nil {
			return value
		}
		return crdNoKey(name)
	}
	return crdNoObject(object)
}

// crdGetEscaped is a field whose name is escaped in CEL.
func crdGetEscaped(object any, name, escaped string) any {
	return crdThere(crdPeek(object, name), escaped)
}

// crdGetKey is the value of a key of a map, which may be null.
func crdGetKey(object any, key string) any {
	if fields, ok := object.(map[string]any); ok {
		if value, ok := fields[key]; ok {
			return value
		}
		return crdNoKey(key)
	}
	return crdNoObject(object)
}

// crdGetAny is the value of a key that is computed.
func crdGetAny(object any, key crdResult[string]) any {
	if key.err == nil {
		return crdGetKey(object, key.val)
	}
	if fields := crdJSONObject(object); fields.err != nil {
		return fields.err
	}
	return key.err
}

// crdNoKey is the failure for a missing key. && and || often decide without the key, so the failures for the keys in
// rules are made in advance: a rule that succeeds needs no allocations.
func crdNoKey(name string) *crdFailure {
	at, found := slices.BinarySearchFunc(crdNoKeys, name, func(f crdFailure, name string) int {
		return strings.Compare(f.text[len(crdNoSuchKey):], name)
	})
	if found {
		return &crdNoKeys[at]
	}
	return &crdFailure{crdNoSuchKey + name}
}

const crdNoSuchKey = "no such key: "

// crdNoKeys are the failures for the keys that rules read, sorted. Here these are the keys in tests.
var crdNoKeys = []crdFailure{{"no such key: key"}, {"no such key: mode"}, {"no such key: x__dash__y"}}

// crdHas reports whether an object has a field. One that cannot be read fails.
func crdHas[T any](object any, name string, read func(any) crdResult[T]) crdResult[bool] {
	fields, ok := object.(map[string]any)
	if !ok {
		return crdFail[bool](crdNoObject(object))
	}
	value := fields[name]
	if value == nil {
		return crdResult[bool]{}
	}
	return crdResult[bool]{val: true, err: read(value).err}
}

// crdHasKey reports whether a map has a key. A value that cannot be read fails.
func crdHasKey[T any](key crdResult[string], object any, read func(any) crdResult[T]) crdResult[bool] {
	fields, ok := object.(map[string]any)
	switch {
	case key.err != nil:
		return crdFail[bool](key.err)
	case !ok:
		return crdFail[bool](crdNoObject(object))
	}
	value, ok := fields[key.val]
	if !ok {
		return crdResult[bool]{}
	}
	return crdResult[bool]{val: true, err: read(value).err}
}

// crdItemOf is an item of a list.
func crdItemOf(list any, index crdResult[int64]) any {
	items, ok := list.([]any)
	switch {
	case !ok:
		return crdNoList(list)
	case index.err != nil:
		return index.err
	case index.val < 0 || index.val >= int64(len(items)):
		return &crdFailure{"index out of bounds: " + strconv.FormatInt(index.val, 10)}
	}
	return items[index.val]
}

// crdItemCount is the size of a list.
func crdItemCount(list any) crdResult[int64] {
	if items, ok := list.([]any); ok {
		return crdResult[int64]{val: int64(len(items))}
	}
	return crdFail[int64](crdNoList(list))
}

// crdFieldCount is the size of a map.
func crdFieldCount(object any) crdResult[int64] {
	if fields, ok := object.(map[string]any); ok {
		return crdResult[int64]{val: int64(len(fields))}
	}
	return crdFail[int64](crdNoObject(object))
}

// crdJSONObject reads an object.
func crdJSONObject(value any) crdResult[map[string]any] {
	if fields, ok := value.(map[string]any); ok {
		return crdResult[map[string]any]{val: fields}
	}
	return crdFail[map[string]any](crdNoObject(value))
}

// crdJSONList reads a list.
func crdJSONList(value any) crdResult[[]any] {
	if items, ok := value.([]any); ok {
		return crdResult[[]any]{val: items}
	}
	return crdFail[[]any](crdNoList(value))
}

// crdJSONString reads a string without a format that matters to CEL.
func crdJSONString(value any) crdResult[string] {
	if text, ok := value.(string); ok {
		return crdResult[string]{val: text}
	}
	return crdFail[string](crdNotA("string", value))
}

// crdJSONInt reads an integer.
func crdJSONInt(value any) crdResult[int64] {
	if number, ok := value.(int64); ok {
		return crdResult[int64]{val: number}
	}
	return crdFail[int64](crdNotA("int", value))
}

// crdJSONDouble reads a number.
func crdJSONDouble(value any) crdResult[float64] {
	switch number := value.(type) {
	case float64:
		return crdResult[float64]{val: number}
	case int64:
		return crdResult[float64]{val: float64(number)}
	}
	return crdFail[float64](crdNotA("float", value))
}

// crdJSONBool reads a boolean.
func crdJSONBool(value any) crdResult[bool] {
	if b, ok := value.(bool); ok {
		return crdResult[bool]{val: b}
	}
	return crdFail[bool](crdNotA("bool", value))
}

// crdJSONBytes reads a string of format byte.
func crdJSONBytes(value any) crdResult[[]byte] { return crdThenTry(crdJSONString(value), crdReadBytes) }

// crdCheckBytes is crdJSONBytes for those who need only the failure.
func crdCheckBytes(value any) crdResult[bool] {
	if text, ok := value.(string); ok && crdHasDigits64(text, "-_") {
		return crdResult[bool]{}
	}
	return crdResult[bool]{err: crdJSONBytes(value).err}
}

// crdJSONDate reads a string of format date.
func crdJSONDate(value any) crdResult[time.Time] {
	return crdThenTry(crdJSONString(value), crdReadDate)
}

// crdJSONDateTime reads a string of format date-time.
func crdJSONDateTime(value any) crdResult[time.Time] {
	return crdThenTry(crdJSONString(value), crdReadDateTime)
}

// crdJSONDuration reads a string of format duration.
func crdJSONDuration(value any) crdResult[time.Duration] {
	return crdThenTry(crdJSONString(value), crdReadDuration)
}

// crdJSONIntOrString reads an integer or a string.
func crdJSONIntOrString(value any) crdResult[any] {
	switch value.(type) {
	case string, int64:
		return crdResult[any]{val: value}
	}
	if err := crdUnreadable(value); err != nil {
		return crdFail[any](err)
	}
	return crdFail[any](&crdFailure{"invalid data, expected XIntOrString value to be either a string or integer"})
}

// crdJSONValue reads a value of a type, as a dynamic one.
func crdJSONValue(value any, t *crdType) any {
	if _, ok := value.(*crdFailure); ok {
		return value
	}
	return crdRead(value, t)
}

// crdNoObject, crdNoList and crdNotA are the failures of values that cannot be read.
func crdNoObject(value any) *crdFailure {
	if err := crdUnreadable(value); err != nil {
		return err
	}
	return &crdFailure{"invalid data, expected a map for the provided schema with type=object"}
}

func crdNoList(value any) *crdFailure {
	if err := crdUnreadable(value); err != nil {
		return err
	}
	return &crdFailure{"invalid data, expected an array for the provided schema with type=array"}
}

func crdNotA(want string, value any) *crdFailure {
	if err := crdUnreadable(value); err != nil {
		return err
	}
	return crdUnexpected(want, value)
}

// crdUnreadable is the failure of a value that cannot be read whatever its type.
func crdUnreadable(value any) *crdFailure {
	if value == nil {
		return crdNullRead
	}
	err, _ := value.(*crdFailure)
	return err
}
