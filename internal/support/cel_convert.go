package support

import (
	"math"
	"strconv"
	"time"
	"unicode/utf8"
)

// TypeOf is type(x).
func TypeOf(x any) any {
	switch x := x.(type) {
	case *Failure:
		return x
	case unknownData:
		return &Failure{"type conversion to 'type' not supported for values preserved by " +
			"x-kubernetes-preserve-unknown-fields"}
	}
	return TypeName(nameOf(x))
}

// ConvertBool is bool(x).
func ConvertBool(x any) any {
	switch x := x.(type) {
	case bool, *Failure:
		return x
	case string:
		return StringToBool(x).Dyn()
	}
	return noOverload("bool", x)
}

// ConvertBytes is bytes(x).
func ConvertBytes(x any) any {
	switch x := x.(type) {
	case []byte, *Failure:
		return x
	case string:
		return []byte(x)
	}
	return noOverload("bytes", x)
}

// ConvertDouble is double(x).
func ConvertDouble(x any) any {
	switch x := x.(type) {
	case float64, *Failure:
		return x
	case int64:
		return float64(x)
	case uint64:
		return float64(x)
	case string:
		return StringToDouble(x).Dyn()
	}
	return noOverload("double", x)
}

// ConvertDuration is duration(x).
func ConvertDuration(x any) any {
	switch x := x.(type) {
	case time.Duration, *Failure:
		return x
	case string:
		return StringToDuration(x).Dyn()
	}
	return noOverload("duration", x)
}

// ConvertInt is int(x).
func ConvertInt(x any) any {
	switch x := x.(type) {
	case int64, *Failure:
		return x
	case float64:
		return DoubleToInt(x).Dyn()
	case uint64:
		return UintToInt(x).Dyn()
	case string:
		return StringToInt(x).Dyn()
	case time.Time:
		return x.Unix()
	case time.Duration:
		return int64(x)
	}
	return noOverload("int", x)
}

// ConvertString is string(x).
func ConvertString(x any) any {
	switch x := x.(type) {
	case string, *Failure:
		return x
	case bool:
		return strconv.FormatBool(x)
	case []byte:
		return BytesToString(x).Dyn()
	case float64:
		return DoubleToString(x)
	case int64:
		return strconv.FormatInt(x, 10)
	case uint64:
		return strconv.FormatUint(x, 10)
	case time.Time:
		return TimeToString(x)
	case time.Duration:
		return DurationToString(x)
	case opaqueTexter:
		return x.opaqueText()
	}
	return noOverload("string", x)
}

// An opaqueTexter is a value of a library that can be converted to a string.
type opaqueTexter interface {
	opaque
	opaqueText() string
}

// ConvertTimestamp is timestamp(x).
func ConvertTimestamp(x any) any {
	switch x := x.(type) {
	case time.Time, *Failure:
		return x
	case int64:
		return IntToTime(x).Dyn()
	case string:
		return StringToTime(x).Dyn()
	}
	return noOverload("timestamp", x)
}

// ConvertUint is uint(x).
func ConvertUint(x any) any {
	switch x := x.(type) {
	case uint64, *Failure:
		return x
	case float64:
		return DoubleToUint(x).Dyn()
	case int64:
		return IntToUint(x).Dyn()
	case string:
		return StringToUint(x).Dyn()
	}
	return noOverload("uint", x)
}

// DoubleToInt converts a number to an integer, if it is in range.
func DoubleToInt(x float64) Result[int64] {
	if x > math.MinInt64 && x < math.MaxInt64 {
		return OK(int64(x))
	}
	return fail[int64](intOverflow)
}

// DoubleToUint converts a number to an unsigned integer, if it is in range.
func DoubleToUint(x float64) Result[uint64] {
	if x >= 0 && x < math.MaxUint64 {
		return OK(uint64(x))
	}
	return fail[uint64](uintOverflow)
}

// UintToInt converts an unsigned integer to an integer, if it is in range.
func UintToInt(x uint64) Result[int64] {
	if x > math.MaxInt64 {
		return fail[int64](intOverflow)
	}
	return OK(int64(x))
}

// IntToUint converts an integer to an unsigned integer, if it is in range.
func IntToUint(x int64) Result[uint64] {
	if x < 0 {
		return fail[uint64](uintOverflow)
	}
	return OK(uint64(x))
}

// IntToTime converts seconds since 1970 to a time.
func IntToTime(x int64) Result[time.Time] {
	if x < minTime || x > maxTime {
		return fail[time.Time](timestampOverflow)
	}
	return OK(time.Unix(x, 0).UTC())
}

// StringToBool reads a boolean.
func StringToBool(x string) Result[bool] {
	b, err := strconv.ParseBool(x)
	return converted(b, err, "bool")
}

// StringToDouble reads a number.
func StringToDouble(x string) Result[float64] {
	f, err := strconv.ParseFloat(x, 64)
	return converted(f, err, "double")
}

// StringToDuration reads a duration.
func StringToDuration(x string) Result[time.Duration] {
	d, err := time.ParseDuration(x)
	return converted(d, err, "google.protobuf.Duration")
}

// StringToInt reads an integer.
func StringToInt(x string) Result[int64] {
	i, err := strconv.ParseInt(x, 10, 64)
	return converted(i, err, "int")
}

// StringToUint reads an unsigned integer.
func StringToUint(x string) Result[uint64] {
	u, err := strconv.ParseUint(x, 10, 64)
	return converted(u, err, "uint")
}

// StringToTime reads a time.
func StringToTime(x string) Result[time.Time] {
	t, err := time.Parse(time.RFC3339, x)
	if s := t.Unix(); err == nil && (s < minTime || s > maxTime) {
		return fail[time.Time](timestampOverflow)
	}
	return converted(t, err, "google.protobuf.Timestamp")
}

// converted is the result of parsing a string.
func converted[T any](val T, err error, typ string) Result[T] {
	if err != nil {
		return fail[T](&Failure{"type conversion error from 'string' to '" + typ + "'"})
	}
	return OK(val)
}

// BytesToString converts bytes to a string, if they are UTF-8.
func BytesToString(x []byte) Result[string] {
	if !utf8.Valid(x) {
		return fail[string](&Failure{"invalid UTF-8 in bytes, cannot convert to string"})
	}
	return OK(string(x))
}

// DoubleToString writes a number.
func DoubleToString(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// TimeToString writes a time.
func TimeToString(x time.Time) string { return x.Format(time.RFC3339Nano) }

// DurationToString writes a duration.
func DurationToString(x time.Duration) string {
	return strconv.FormatFloat(x.Seconds(), 'f', -1, 64) + "s"
}
