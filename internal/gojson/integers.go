package gojson

import (
	"go/types"
	"math"
	"strconv"
)

// A Range is the set of integers that a Go type holds.
type Range struct {
	Min int64
	Max uint64
	// Unbounded marks a type that holds every integer.
	Unbounded bool
	// Compat is the format that controller-gen gives the type.
	Compat string
}

// The formats of integers that the API server checks (k8s.io/kube-openapi, pkg/validation/validate/values.go).
var (
	int32Range = Range{Min: math.MinInt32, Max: math.MaxInt32}
	int64Range = Range{Min: math.MinInt64, Max: math.MaxInt64}
)

// RangeOf returns the range of a basic type, nil if it is not an integer. An int has 64 bits on every machine that
// runs controllers.
func RangeOf(kind types.BasicKind) *Range {
	switch kind {
	case types.Int8:
		return &Range{Min: math.MinInt8, Max: math.MaxInt8}
	case types.Int16:
		return &Range{Min: math.MinInt16, Max: math.MaxInt16}
	case types.Int32:
		return &Range{Min: math.MinInt32, Max: math.MaxInt32, Compat: "int32"}
	case types.Int:
		return &Range{Min: math.MinInt64, Max: math.MaxInt64}
	case types.Int64:
		return &Range{Min: math.MinInt64, Max: math.MaxInt64, Compat: "int64"}
	case types.Uint8:
		return &Range{Max: math.MaxUint8}
	case types.Uint16:
		return &Range{Max: math.MaxUint16}
	case types.Uint32:
		return &Range{Max: math.MaxUint32, Compat: "int32"}
	case types.Uint, types.Uintptr:
		return &Range{Max: math.MaxUint64}
	case types.Uint64:
		return &Range{Max: math.MaxUint64, Compat: "int64"}
	}
	return nil
}

// contains reports whether all integers of another range are in r.
func (r Range) contains(o Range) bool { return r.Min <= o.Min && o.Max <= r.Max && !o.Unbounded }

// Format returns the narrowest format that accepts all integers of the range, "" if none does.
func (r *Range) Format() string {
	switch {
	case r == nil:
		return ""
	case int32Range.contains(*r):
		return "int32"
	case int64Range.contains(*r):
		return "int64"
	}
	return ""
}

// IsCut reports whether the format of controller-gen rejects integers of the range that an API server would store.
func (r *Range) IsCut() bool {
	format := RangeOfFormat(r.Compat)
	return format != nil && (r.Min < format.Min || min(r.Max, math.MaxInt64) > format.Max)
}

// RangeOfFormat returns the range that a format accepts, nil if it does not apply to integers.
func RangeOfFormat(format string) *Range {
	switch format {
	case "int32":
		return &int32Range
	case "int64":
		return &int64Range
	}
	return nil
}

// String returns the range as messages show it.
func (r Range) String() string {
	return strconv.FormatInt(r.Min, 10) + " to " + strconv.FormatUint(r.Max, 10)
}
