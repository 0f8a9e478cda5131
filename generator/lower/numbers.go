package lower

import (
	"go/types"
	"math"
	"math/big"
	"slices"
	"strconv"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
)

// An intRange is the set of integers that a Go type holds.
type intRange struct {
	min int64
	max uint64
	// unbounded marks a type that holds every integer.
	unbounded bool
	// compat is the format that controller-gen gives the type.
	compat string
}

// The formats that the API server knows of integers (k8s.io/kube-openapi, pkg/validation/validate/values.go).
var (
	int32Range = intRange{min: math.MinInt32, max: math.MaxInt32}
	int64Range = intRange{min: math.MinInt64, max: math.MaxInt64}
)

// rangeOf is the range of a basic type, nil if it is none of integers. An int has 64 bits on every machine that runs
// controllers.
func rangeOf(kind types.BasicKind) *intRange {
	switch kind {
	case types.Int8:
		return &intRange{min: math.MinInt8, max: math.MaxInt8}
	case types.Int16:
		return &intRange{min: math.MinInt16, max: math.MaxInt16}
	case types.Int32:
		return &intRange{min: math.MinInt32, max: math.MaxInt32, compat: "int32"}
	case types.Int:
		return &intRange{min: math.MinInt64, max: math.MaxInt64}
	case types.Int64:
		return &intRange{min: math.MinInt64, max: math.MaxInt64, compat: "int64"}
	case types.Uint8:
		return &intRange{max: math.MaxUint8}
	case types.Uint16:
		return &intRange{max: math.MaxUint16}
	case types.Uint32:
		return &intRange{max: math.MaxUint32, compat: "int32"}
	case types.Uint, types.Uintptr:
		return &intRange{max: math.MaxUint64}
	case types.Uint64:
		return &intRange{max: math.MaxUint64, compat: "int64"}
	}
	return nil
}

// contains reports whether all integers of another range are in r.
func (r intRange) contains(o intRange) bool { return r.min <= o.min && o.max <= r.max && !o.unbounded }

// format is the narrowest format that accepts all integers of the range, "" if none does.
func (r *intRange) format() string {
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

// rangeOfFormat is what a format accepts, nil if it says nothing of integers.
func rangeOfFormat(format string) *intRange {
	switch format {
	case "int32":
		return &int32Range
	case "int64":
		return &int64Range
	}
	return nil
}

// finishInts brings the range of the Go type into the schema: a bound that the format does not say, and that no marker
// narrows.
func (fl flattener) finishInts(r *intRange, s *schema.Schema) {
	if r == nil || s.Type.V != "integer" && s.IntOrString == nil {
		return
	}
	fl.checkEnumRange(r, s)
	fl.checkExclusive(s)
	fl.checkReadable(s)
	if r.unbounded {
		fl.checkPrecision(s)
		return
	}
	format := rangeOfFormat(s.Format.V)
	differs := s.Format.V != r.compat && !s.Format.At.IsValid()
	if fl.withinType(s, s.Minimum, s.ExclusiveMinimum, r) && (format == nil || format.min < r.min) {
		s.ExclusiveMinimum = nil
		s.Minimum, differs = &schema.Number{V: strconv.FormatInt(r.min, 10)}, true
	}
	// To the API server no value of type integer is beyond 64 bits with a sign, and a bound that is, is no integer either.
	if fl.withinType(s, s.Maximum, s.ExclusiveMaximum, r) && (format == nil || format.max > r.max) &&
		r.max <= math.MaxInt64 {
		s.ExclusiveMaximum = nil
		s.Maximum, differs = &schema.Number{V: strconv.FormatUint(r.max, 10)}, true
	}
	if differs && s.IntOrString == nil {
		fl.deviate(numberRanges, s.At)
	}
	fl.checkPrecision(s)
}

// withinType reports whether a bound has to come from the type: there is none, or it permits what the type does not
// hold, which is a mistake.
func (fl flattener) withinType(s *schema.Schema, bound *schema.Number, exclusive *schema.Flag, r *intRange) bool {
	if bound == nil {
		return true
	}
	v, ok := new(big.Rat).SetString(bound.V)
	if !ok {
		return false
	}
	low, high := new(big.Rat).SetInt64(r.min), new(big.Rat).SetInt(new(big.Int).SetUint64(r.max))
	if exclusive != nil && exclusive.V { // the bound itself is outside
		one := big.NewRat(1, 1)
		low.Sub(low, one)
		high.Add(high, one)
	}
	if v.Cmp(low) >= 0 && v.Cmp(high) <= 0 {
		return false
	}
	fl.outside(bound.V, bound.At, r, s.At)
	return true
}

// outside reports a number that a Go type does not hold.
func (fl flattener) outside(number string, at diag.Span, r *intRange, field diag.Span) {
	fl.mistake(diag.Errorf(at, boundOutside, "%s is no value of the Go type, which holds %s", number, r).
		Help("give a value that it holds, or change the type").See(field, "the type"))
}

// checkEnumRange reports values, of the enum and the default, that the Go type does not hold.
func (fl flattener) checkEnumRange(r *intRange, s *schema.Schema) {
	values := s.Enum
	if s.Default != nil {
		values = append(slices.Clone(values), *s.Default)
	}
	for _, v := range values {
		i, ok := new(big.Int).SetString(v.Text, 10)
		if v.Kind != schema.NumberKind || !ok || r.unbounded {
			continue
		}
		if i.Cmp(big.NewInt(r.min)) < 0 || i.Cmp(new(big.Int).SetUint64(r.max)) > 0 {
			fl.outside(v.Text, v.At, r, s.At)
		}
	}
}

// checkPrecision reports a schema that accepts integers which the API server does not: beyond 64 bits with a sign it
// reads them as floating-point numbers (sigs.k8s.io/json, UnmarshalCaseSensitivePreserveInts), and those are no
// integers to it.
func (fl flattener) checkPrecision(s *schema.Schema) {
	if s.Type.V != "integer" || s.Format.V == "int32" || s.Format.V == "int64" || len(s.Enum) > 0 {
		return
	}
	if s.Maximum != nil && readable(s.Maximum) {
		return
	}
	fl.warn(diag.Errorf(s.At, typePrecision,
		"the type holds integers above 9223372036854775807, which the API server refuses").
		Help("use int64 with +kubebuilder:validation:Minimum=0, a string or a resource.Quantity, or set a maximum that is " +
			"smaller"))
}

// checkReadable reports bounds that the API server reads as numbers beyond 64 bits with a sign, since it reads them as
// float64: it then takes them for no integers, and refuses every value.
func (fl flattener) checkReadable(s *schema.Schema) {
	for _, bound := range []*schema.Number{s.Minimum, s.Maximum} {
		if bound != nil && !readable(bound) {
			fl.mistake(diag.Errorf(bound.At, boundUnreadable,
				"the API server reads %s as a floating-point number beyond 64 bits, and then refuses every value", bound.V).
				Help("remove the marker, since the type says as much, or keep away from the end by 1024"))
		}
	}
}

// readable reports whether an integer bound is one to the API server.
func readable(bound *schema.Number) bool {
	f, _ := ratOf(bound).Float64()
	return -(1<<63) < f && f < 1<<63
}

func ratOf(n *schema.Number) *big.Rat {
	r, ok := new(big.Rat).SetString(n.V)
	if !ok {
		return new(big.Rat)
	}
	return r
}

// finishLength brings the length of an array into the schema: Go drops further items.
func (fl flattener) finishLength(length *int64, s *schema.Schema) {
	if length == nil || s.Type.V != "array" || s.MaxItems != nil && s.MaxItems.V <= *length {
		return
	}
	if s.MaxItems != nil {
		fl.mistake(diag.Errorf(s.MaxItems.At, boundOutside,
			"%d is more than the %d items that the array holds", s.MaxItems.V, *length).
			Help("use a slice, or remove the marker"))
	}
	s.MaxItems = &schema.Int{V: *length}
	fl.deviate(arrayLengths, s.At)
}

// String is the range in words.
func (r intRange) String() string {
	return strconv.FormatInt(r.min, 10) + " to " + strconv.FormatUint(r.max, 10)
}
