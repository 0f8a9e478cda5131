package support

import (
	"strconv"
	"time"
)

// Values whose schema is known at compile time stay JSON, in variables of type any, until they are used. Each may be
// a *Failure instead. The type of a value is checked when it is used, since CEL reports errors there, and values
// of an old object may have any type.

// Peek is a field of an object, nil if it is missing, or the reason why the value is not an object. Rules share
// it.
func Peek(object any, name string) any {
	value, _, isObject := fieldOf(object, name)
	if !isObject {
		return notObject(object)
	}
	return value
}

// IsThere reports whether a field that was looked up is there. One that cannot be read fails.
func IsThere[T any](field any, read func(any) Result[T]) Result[bool] {
	if field == nil {
		return Result[bool]{}
	}
	return Result[bool]{val: true, err: read(field).err}
}

// GetAny is the value of a key that is computed.
func GetAny(object any, key Result[string]) any {
	if key.err == nil {
		return new(FieldReader).GetKey(object, key.val)
	}
	if fields := JSONObject(object); fields.err != nil {
		return fields.err
	}
	return key.err
}

// Has reports whether an object has a field. One that cannot be read fails.
func Has[T any](object any, name string, read func(any) Result[T]) Result[bool] {
	value, _, isObject := fieldOf(object, name)
	switch {
	case !isObject:
		return fail[bool](notObject(object))
	case value == nil:
		return Result[bool]{}
	}
	return Result[bool]{val: true, err: read(value).err}
}

// HasKey reports whether a map has a key. A value that cannot be read fails.
func HasKey[T any](key Result[string], object any, read func(any) Result[T]) Result[bool] {
	value, ok, isObject := fieldOf(object, key.val)
	switch {
	case key.err != nil:
		return fail[bool](key.err)
	case !isObject:
		return fail[bool](notObject(object))
	case !ok:
		return Result[bool]{}
	}
	return Result[bool]{val: true, err: read(value).err}
}

// ItemOf is an item of a list.
func ItemOf(list any, index Result[int64]) any {
	items, ok := list.([]any)
	switch {
	case !ok:
		return notList(list)
	case index.err != nil:
		return index.err
	case index.val < 0 || index.val >= int64(len(items)):
		return &Failure{"index out of bounds: " + strconv.FormatInt(index.val, 10)}
	}
	return items[index.val]
}

// ItemCount is the size of a list.
func ItemCount(list any) Result[int64] {
	if items, ok := list.([]any); ok {
		return Result[int64]{val: int64(len(items))}
	}
	return fail[int64](notList(list))
}

// FieldCount is the size of a map.
func FieldCount(object any) Result[int64] {
	switch object := object.(type) {
	case map[string]any:
		return Result[int64]{val: int64(len(object))}
	case *flatObject:
		return Result[int64]{val: int64(len(object.members))}
	}
	return fail[int64](notObject(object))
}

// JSONObject reads an object. Only its failure matters: an object has no other use than that of its fields.
func JSONObject(value any) Result[map[string]any] {
	switch object := value.(type) {
	case map[string]any:
		return Result[map[string]any]{val: object}
	case *flatObject:
		return Result[map[string]any]{}
	}
	return fail[map[string]any](notObject(value))
}

// JSONList reads a list.
func JSONList(value any) Result[[]any] {
	if items, ok := value.([]any); ok {
		return Result[[]any]{val: items}
	}
	return fail[[]any](notList(value))
}

// JSONString reads a string without a format that matters to CEL.
func JSONString(value any) Result[string] {
	if text, ok := value.(string); ok {
		return Result[string]{val: text}
	}
	return fail[string](notA("string", value))
}

// JSONInt reads an integer.
func JSONInt(value any) Result[int64] {
	if number, ok := value.(int64); ok {
		return Result[int64]{val: number}
	}
	return fail[int64](notA("int", value))
}

// JSONDouble reads a number.
func JSONDouble(value any) Result[float64] {
	switch number := value.(type) {
	case float64:
		return Result[float64]{val: number}
	case int64:
		return Result[float64]{val: float64(number)}
	}
	return fail[float64](notA("float", value))
}

// JSONBool reads a boolean.
func JSONBool(value any) Result[bool] {
	if b, ok := value.(bool); ok {
		return Result[bool]{val: b}
	}
	return fail[bool](notA("bool", value))
}

// JSONBytes reads a string of format byte.
func JSONBytes(value any) Result[[]byte] { return ThenTry(JSONString(value), readBytes) }

// CheckBytes is JSONBytes for those who need only the failure.
func CheckBytes(value any) Result[bool] {
	if text, ok := value.(string); ok && hasDigits64(text, "-_") {
		return Result[bool]{}
	}
	return Result[bool]{err: JSONBytes(value).err}
}

// JSONDate reads a string of format date.
func JSONDate(value any) Result[time.Time] {
	return ThenTry(JSONString(value), readDate)
}

// JSONDateTime reads a string of format date-time.
func JSONDateTime(value any) Result[time.Time] {
	return ThenTry(JSONString(value), readDateTime)
}

// JSONDuration reads a string of format duration.
func JSONDuration(value any) Result[time.Duration] {
	return ThenTry(JSONString(value), readDuration)
}

// JSONIntOrString reads an integer or a string.
func JSONIntOrString(value any) Result[any] {
	switch value.(type) {
	case string, int64:
		return Result[any]{val: value}
	}
	if err := unreadable(value); err != nil {
		return fail[any](err)
	}
	return fail[any](&Failure{"invalid data, expected XIntOrString value to be either a string or integer"})
}

// JSONValue reads a value of a type, as a dynamic one.
func JSONValue(value any, t *Type) any {
	if _, ok := value.(*Failure); ok {
		return value
	}
	return readJSON(value, t)
}

// notObject, notList and notA are the failures of values that cannot be read.
func notObject(value any) *Failure {
	if err := unreadable(value); err != nil {
		return err
	}
	return &Failure{"invalid data, expected a map for the provided schema with type=object"}
}

func notList(value any) *Failure {
	if err := unreadable(value); err != nil {
		return err
	}
	return &Failure{"invalid data, expected an array for the provided schema with type=array"}
}

func notA(want string, value any) *Failure {
	if err := unreadable(value); err != nil {
		return err
	}
	return unexpected(want, value)
}

// unreadable is the failure of a value that cannot be read whatever its type.
func unreadable(value any) *Failure {
	if value == nil {
		return nullRead
	}
	err, _ := value.(*Failure)
	return err
}
