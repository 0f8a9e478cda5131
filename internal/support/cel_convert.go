package support

import (
	"math"
	"strconv"
	"time"
	"unicode/utf8"
)

// crdTypeOf is type(x).
func crdTypeOf(x any) any {
	switch x := x.(type) {
	case *crdFailure:
		return x
	case crdPreserved:
		return &crdFailure{"type conversion to 'type' not supported for values preserved by " +
			"x-kubernetes-preserve-unknown-fields"}
	}
	return crdTypeName(crdNameOf(x))
}

// crdConvertBool is bool(x).
func crdConvertBool(x any) any {
	switch x := x.(type) {
	case bool, *crdFailure:
		return x
	case string:
		return crdStringToBool(x).dyn()
	}
	return crdNoOverload("bool", x)
}

// crdConvertBytes is bytes(x).
func crdConvertBytes(x any) any {
	switch x := x.(type) {
	case []byte, *crdFailure:
		return x
	case string:
		return []byte(x)
	}
	return crdNoOverload("bytes", x)
}

// crdConvertDouble is double(x).
func crdConvertDouble(x any) any {
	switch x := x.(type) {
	case float64, *crdFailure:
		return x
	case int64:
		return float64(x)
	case uint64:
		return float64(x)
	case string:
		return crdStringToDouble(x).dyn()
	}
	return crdNoOverload("double", x)
}

// crdConvertDuration is duration(x).
func crdConvertDuration(x any) any {
	switch x := x.(type) {
	case time.Duration, *crdFailure:
		return x
	case string:
		return crdStringToDuration(x).dyn()
	}
	return crdNoOverload("duration", x)
}

// crdConvertInt is int(x).
func crdConvertInt(x any) any {
	switch x := x.(type) {
	case int64, *crdFailure:
		return x
	case float64:
		return crdDoubleToInt(x).dyn()
	case uint64:
		return crdUintToInt(x).dyn()
	case string:
		return crdStringToInt(x).dyn()
	case time.Time:
		return x.Unix()
	case time.Duration:
		return int64(x)
	}
	return crdNoOverload("int", x)
}

// crdConvertString is string(x).
func crdConvertString(x any) any {
	switch x := x.(type) {
	case string, *crdFailure:
		return x
	case bool:
		return strconv.FormatBool(x)
	case []byte:
		return crdBytesToString(x).dyn()
	case float64:
		return crdDoubleToString(x)
	case int64:
		return strconv.FormatInt(x, 10)
	case uint64:
		return strconv.FormatUint(x, 10)
	case time.Time:
		return crdTimeToString(x)
	case time.Duration:
		return crdDurationToString(x)
	case crdText:
		return x.opaqueText()
	}
	return crdNoOverload("string", x)
}

// A crdText is a value of a library that can be converted to a string.
type crdText interface {
	crdOpaque
	opaqueText() string
}

// crdConvertTimestamp is timestamp(x).
func crdConvertTimestamp(x any) any {
	switch x := x.(type) {
	case time.Time, *crdFailure:
		return x
	case int64:
		return crdIntToTime(x).dyn()
	case string:
		return crdStringToTime(x).dyn()
	}
	return crdNoOverload("timestamp", x)
}

// crdConvertUint is uint(x).
func crdConvertUint(x any) any {
	switch x := x.(type) {
	case uint64, *crdFailure:
		return x
	case float64:
		return crdDoubleToUint(x).dyn()
	case int64:
		return crdIntToUint(x).dyn()
	case string:
		return crdStringToUint(x).dyn()
	}
	return crdNoOverload("uint", x)
}

func crdDoubleToInt(x float64) crdResult[int64] {
	if x > math.MinInt64 && x < math.MaxInt64 {
		return crdOK(int64(x))
	}
	return crdFail[int64](crdIntOverflow)
}

func crdDoubleToUint(x float64) crdResult[uint64] {
	if x >= 0 && x < math.MaxUint64 {
		return crdOK(uint64(x))
	}
	return crdFail[uint64](crdUintOverflow)
}

func crdUintToInt(x uint64) crdResult[int64] {
	if x > math.MaxInt64 {
		return crdFail[int64](crdIntOverflow)
	}
	return crdOK(int64(x))
}

func crdIntToUint(x int64) crdResult[uint64] {
	if x < 0 {
		return crdFail[uint64](crdUintOverflow)
	}
	return crdOK(uint64(x))
}

func crdIntToTime(x int64) crdResult[time.Time] {
	if x < crdMinTime || x > crdMaxTime {
		return crdFail[time.Time](crdTimestampOverflow)
	}
	return crdOK(time.Unix(x, 0).UTC())
}

func crdStringToBool(x string) crdResult[bool] {
	b, err := strconv.ParseBool(x)
	return crdConverted(b, err, "bool")
}

func crdStringToDouble(x string) crdResult[float64] {
	f, err := strconv.ParseFloat(x, 64)
	return crdConverted(f, err, "double")
}

func crdStringToDuration(x string) crdResult[time.Duration] {
	d, err := time.ParseDuration(x)
	return crdConverted(d, err, "google.protobuf.Duration")
}

func crdStringToInt(x string) crdResult[int64] {
	i, err := strconv.ParseInt(x, 10, 64)
	return crdConverted(i, err, "int")
}

func crdStringToUint(x string) crdResult[uint64] {
	u, err := strconv.ParseUint(x, 10, 64)
	return crdConverted(u, err, "uint")
}

func crdStringToTime(x string) crdResult[time.Time] {
	t, err := time.Parse(time.RFC3339, x)
	if s := t.Unix(); err == nil && (s < crdMinTime || s > crdMaxTime) {
		return crdFail[time.Time](crdTimestampOverflow)
	}
	return crdConverted(t, err, "google.protobuf.Timestamp")
}

// crdConverted is the result of parsing a string.
func crdConverted[T any](val T, err error, typ string) crdResult[T] {
	if err != nil {
		return crdFail[T](&crdFailure{"type conversion error from 'string' to '" + typ + "'"})
	}
	return crdOK(val)
}

func crdBytesToString(x []byte) crdResult[string] {
	if !utf8.Valid(x) {
		return crdFail[string](&crdFailure{"invalid UTF-8 in bytes, cannot convert to string"})
	}
	return crdOK(string(x))
}

func crdDoubleToString(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func crdTimeToString(x time.Time) string { return x.Format(time.RFC3339Nano) }

func crdDurationToString(x time.Duration) string {
	return strconv.FormatFloat(x.Seconds(), 'f', -1, 64) + "s"
}
