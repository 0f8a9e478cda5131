package lower

import (
	"math"
	"math/big"
	"slices"
	"strconv"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/gojson"
	"github.com/crdproof/crdproof/generator/schema"
)

// finishInts brings the range of the Go type into the schema: a bound that the format does not say, and that no marker
// narrows.
func (fl flattener) finishInts(r *gojson.Range, s *schema.Schema) {
	if r == nil || s.Type.V != "integer" && s.IntOrString == nil {
		return
	}
	fl.checkEnumRange(r, s)
	fl.checkExclusive(s)
	fl.checkReadable(s)
	if r.Unbounded {
		fl.checkPrecision(s)
		return
	}
	format := gojson.RangeOfFormat(s.Format.V)
	differs := s.Format.V != r.Compat && !s.Format.At.IsValid()
	if fl.withinType(s, s.Minimum, s.ExclusiveMinimum, r) && (format == nil || format.Min < r.Min) {
		s.ExclusiveMinimum = nil
		s.Minimum, differs = &schema.Number{V: strconv.FormatInt(r.Min, 10)}, true
	}
	// To the API server no value of type integer is beyond 64 bits with a sign, and a bound that is, is no integer
	// either.
	if fl.withinType(s, s.Maximum, s.ExclusiveMaximum, r) && (format == nil || format.Max > r.Max) &&
		r.Max <= math.MaxInt64 {
		s.ExclusiveMaximum = nil
		s.Maximum, differs = &schema.Number{V: strconv.FormatUint(r.Max, 10)}, true
	}
	if differs && s.IntOrString == nil {
		fl.deviate(numberRanges, s.At)
	}
	fl.checkPrecision(s)
}

// withinType reports whether a bound has to come from the type: there is none, or it permits what the type does not
// hold, which is a mistake.
func (fl flattener) withinType(s *schema.Schema, bound *schema.Number, exclusive *schema.Flag, r *gojson.Range) bool {
	if bound == nil {
		return true
	}
	v, ok := new(big.Rat).SetString(bound.V)
	if !ok {
		return false
	}
	low, high := new(big.Rat).SetInt64(r.Min), new(big.Rat).SetInt(new(big.Int).SetUint64(r.Max))
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
func (fl flattener) outside(number string, at diag.Span, r *gojson.Range, field diag.Span) {
	fl.mistake(diag.Errorf(at, boundOutside, "%s is no value of the Go type, which holds %s", number, r).
		Help("give a value that it holds, or change the type").See(field, "the type"))
}

// checkEnumRange reports values, of the enum and the default, that the Go type does not hold.
func (fl flattener) checkEnumRange(r *gojson.Range, s *schema.Schema) {
	values := s.Enum
	if s.Default != nil {
		values = append(slices.Clone(values), *s.Default)
	}
	for _, v := range values {
		i, ok := new(big.Int).SetString(v.Text, 10)
		if v.Kind != schema.NumberKind || !ok || r.Unbounded {
			continue
		}
		if i.Cmp(big.NewInt(r.Min)) < 0 || i.Cmp(new(big.Int).SetUint64(r.Max)) > 0 {
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
		Help("use int64 with +kubebuilder:validation:Minimum=0, a string or a resource.Quantity, or set a maximum " +
			"that is smaller"))
}

// checkReadable reports bounds that the API server reads as numbers beyond 64 bits with a sign, since it reads them as
// float64: it then takes them for no integers, and refuses every value.
func (fl flattener) checkReadable(s *schema.Schema) {
	for _, bound := range []*schema.Number{s.Minimum, s.Maximum} {
		if bound != nil && !readable(bound) {
			fl.mistake(diag.Errorf(bound.At, boundUnreadable,
				"the API server reads %s as a floating-point number beyond 64 bits and rejects every value",
				bound.V).
				Help("remove the marker: the type has this bound, or use a bound that is 1024 closer to 0"))
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
