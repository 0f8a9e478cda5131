package flatten

import (
	"cmp"
	"go/types"
	"math/big"
	"slices"
	"strconv"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/lower/internal/checks"
	"github.com/crdproof/crdproof/generator/lower/internal/options"
	"github.com/crdproof/crdproof/internal/gojson"
	"github.com/crdproof/crdproof/schema"
)

// finishInts adds the range of the Go type to the schema: the bounds that neither the format nor a marker sets.
func (fl Flattener) finishInts(r *gojson.Range, s *schema.Schema) {
	if r == nil || s.Type.V != "integer" && s.IntOrString == nil {
		return
	}
	fl.checkEnumRange(r, s)
	fl.checkExclusive(s)
	fl.checkReadable(s)
	if r.Unbounded {
		fl.checkPrecision(r, s)
		return
	}
	deviation, differs := options.NumberRanges, false
	switch isOfType := !s.Format.At.IsValid(); {
	case s.IntOrString != nil:
		deviation = options.IntOrStringRanges
	case isOfType && s.Format.V != r.Compat:
		fl.Deviate(options.NumberFormats, s.At)
	case isOfType && r.IsCut() && hasAbove(s, gojson.RangeOfFormat(r.Compat)) && fl.Opts.With(deviation):
		s.Format.V, differs = r.Format(), true
	}
	// The integers of imported types stay what controller-gen writes.
	writes := fl.Opts.With(deviation) && (s.IntOrString == nil || fl.Program.Owns(s.At))
	// The API server accepts only signed 64-bit values as integers, and a bound beyond them is not an integer either.
	format := cmp.Or(gojson.RangeOfFormat(s.Format.V), gojson.RangeOf(types.Int64))
	if fl.withinType(s, s.Minimum, s.ExclusiveMinimum, r) && writes && format.Min < r.Min {
		s.ExclusiveMinimum = nil
		s.Minimum, differs = &schema.Number{V: strconv.FormatInt(r.Min, 10)}, true
	}
	if fl.withinType(s, s.Maximum, s.ExclusiveMaximum, r) && writes && format.Max > r.Max {
		s.ExclusiveMaximum = nil
		s.Maximum, differs = &schema.Number{V: strconv.FormatUint(r.Max, 10)}, true
	}
	if differs && writes {
		fl.Deviate(deviation, s.At)
	}
	fl.checkPrecision(r, s)
}

// hasAbove reports whether a schema has a bound or a value above a range.
func hasAbove(s *schema.Schema, r *gojson.Range) bool {
	var all []schema.Value
	for _, bound := range []*schema.Number{s.Minimum, s.Maximum} {
		if bound != nil {
			all = append(all, schema.Value{Kind: schema.NumberKind, Text: bound.V})
		}
	}
	for _, v := range []*schema.Value{s.Default, s.Example} {
		if v != nil {
			all = append(all, *v)
		}
	}
	return slices.ContainsFunc(append(all, s.Enum...), func(v schema.Value) bool {
		return v.Kind == schema.NumberKind && schema.CompareNumbers(v.Text, strconv.FormatUint(r.Max, 10)) > 0
	})
}

// withinType reports whether a bound must come from the type: there is no other, or it accepts values that do not fit
// the type, which is a mistake.
func (fl Flattener) withinType(s *schema.Schema, bound *schema.Number, exclusive *schema.Flag, r *gojson.Range) bool {
	if bound == nil {
		return true
	}
	v, ok := new(big.Rat).SetString(bound.V)
	if !ok {
		return false
	}
	low, high := new(big.Rat).SetInt64(r.Min), new(big.Rat).SetInt(new(big.Int).SetUint64(r.Max))
	if exclusive.True() { // the bound itself is outside
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

// outside reports a number that does not fit a Go type.
func (fl Flattener) outside(number string, at diag.Span, r *gojson.Range, field diag.Span) {
	fl.Mistake(diag.Errorf(at, checks.BoundOutside, "%s does not fit the Go type, which holds %s", number, r).
		Help("write a value in this range, or change the Go type").See(field, "the type"))
}

// checkEnumRange reports enum values and defaults that do not fit the Go type.
func (fl Flattener) checkEnumRange(r *gojson.Range, s *schema.Schema) {
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

// checkPrecision reports a type that is made for integers that the API server rejects: it reads those beyond signed 64
// bits as floating-point numbers (sigs.k8s.io/json, UnmarshalCaseSensitivePreserveInts), which are not integers to it.
// Nothing shows that the values of an unsigned type are that large.
func (fl Flattener) checkPrecision(r *gojson.Range, s *schema.Schema) {
	if !r.Unbounded || s.Type.V != "integer" || len(s.Enum) > 0 ||
		s.Format.At.IsValid() && gojson.RangeOfFormat(s.Format.V) != nil {
		return
	}
	if s.Maximum != nil && readable(s.Maximum) {
		return
	}
	fl.Warn(diag.Errorf(s.At, checks.TypePrecision,
		"the Go type holds integers above 9223372036854775807, which the API server rejects").
		Help("use int64 with +kubebuilder:validation:Minimum=0, a string or a resource.Quantity, or set a smaller " +
			"maximum"))
}

// checkReadable reports bounds that the API server reads as numbers beyond signed 64 bits. It reads bounds as float64;
// such a bound is not an integer to it, and it rejects every value.
func (fl Flattener) checkReadable(s *schema.Schema) {
	for _, bound := range []*schema.Number{s.Minimum, s.Maximum} {
		if bound != nil && !readable(bound) {
			fl.Mistake(diag.Errorf(bound.At, checks.BoundUnreadable,
				"the API server reads %s as a floating-point number beyond 64 bits and rejects every value", bound.V).
				Help("remove the marker: the type has this bound, or use a bound that is 1024 closer to 0"))
		}
	}
}

// readable reports whether the API server reads a bound as an integer.
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

// finishLength adds the length of an array to the schema: Go drops further items.
func (fl Flattener) finishLength(length *int64, s *schema.Schema) {
	if length == nil || s.Type.V != "array" || s.MaxItems != nil && s.MaxItems.V <= *length {
		return
	}
	if s.MaxItems != nil {
		fl.Mistake(diag.Errorf(s.MaxItems.At, checks.BoundOutside,
			"%d does not fit the array, which holds %d items", s.MaxItems.V, *length).
			Help("remove the marker, or use a slice"))
	}
	if !fl.Opts.With(options.ArrayLengths) {
		return
	}
	s.MaxItems = &schema.Int{V: *length}
	fl.Deviate(options.ArrayLengths, s.At)
}
