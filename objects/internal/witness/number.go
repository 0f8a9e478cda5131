package witness

import (
	"math"
	"math/big"
	"slices"
	"strconv"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/schema"
)

// reading returns the numbers that a leaf accepts. An API server reads its bounds as float64, and compares whole
// numbers with their integer parts: for a number, minimum 0.5 accepts 0, and multipleOf 0.5 accepts no whole number. If
// a bound is not itself a value of the leaf's type and format, such as 0.5 for integers, every number is rejected
// (kube-openapi, pkg/validation/validate/validator.go and values.go). Bounds beyond int64 are converted as on the
// processor that crdproof runs on.
func (v *Solver) reading(leaf *schema.Schema, whole bool) interval {
	out := formatRange(leaf)
	numbers := out // the range of values, and of bounds
	out.isWhole = whole
	// Without a type, a format is one that no number has.
	out.isEmpty = leaf.Type.V == "" && !leaf.IntOrString.True() && leaf.Format.V != "" &&
		!v.Accepts(&schema.Schema{Format: leaf.Format}, int64(0))
	bound := func(n *schema.Number) *big.Rat {
		f, _ := Rat(n.V).Float64()
		exact := new(big.Rat).SetFloat64(f)
		if exact == nil { // the API server cannot decode it
			exact = Rat(n.V)
		}
		// It is read again in decimal.
		if text := Rat(strconv.FormatFloat(f, 'f', -1, 64)); numbers.isWhole && !text.IsInt() || !numbers.spans(text) {
			out.isEmpty = true
		}
		if whole {
			return new(big.Rat).SetInt64(int64(f))
		}
		return exact
	}
	if leaf.Minimum != nil {
		out.atLeast(bound(leaf.Minimum), leaf.ExclusiveMinimum.True())
	}
	if leaf.Maximum != nil {
		out.atMost(bound(leaf.Maximum), leaf.ExclusiveMaximum.True())
	}
	if leaf.MultipleOf == nil {
		return out
	}
	step := bound(leaf.MultipleOf)
	if step.Sign() <= 0 {
		out.isEmpty = true
		return out
	}
	out.steps = []*big.Rat{step}
	if !whole { // the quotient may have a small error: multiples of 0.2 are multiples of 1/5
		out.steps = []*big.Rat{Rat(leaf.MultipleOf.V)}
		most := new(big.Rat).Mul(step, new(big.Rat).SetInt64(manyMultiples))
		out.atLeast(new(big.Rat).Neg(most), false)
		out.atMost(most, false)
	}
	return out
}

// manyMultiples is the largest quotient of a float64 and its multipleOf that an API server takes for a whole number
// (github.com/go-openapi/swag/conv, IsFloat64AJSONInteger).
const manyMultiples = 1<<53 - 1

// formatRange returns the range of the type and the format of a leaf, isWhole for integers (KEP-2335).
func formatRange(leaf *schema.Schema) (out interval) {
	switch {
	case leaf.Type.V == IntegerType && leaf.Format.V == "int32":
		out.isWhole, out.low, out.high = true, Rat("-2147483648"), Rat("2147483647")
	case leaf.Type.V == IntegerType:
		out.isWhole, out.low, out.high = true, Rat("-9223372036854775808"), Rat("9223372036854775807")
	case leaf.Type.V == NumberType && leaf.Format.V == "float":
		// From this number on, they are rounded to an infinite float32.
		infinite := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 128), new(big.Int).Lsh(big.NewInt(1), 103))
		out.high, out.highOpen = new(big.Rat).SetInt(infinite), true
		out.low, out.lowOpen = new(big.Rat).Neg(out.high), true
	}
	return out
}

// isUnreadable reports whether a leaf rejects every number because of a bound.
func (v *Solver) isUnreadable(leaf *schema.Schema, k *schema.Keyword) bool {
	if !slices.Contains([]string{"minimum", "maximum", "multipleOf"}, k.Name) {
		return false
	}
	only := &schema.Schema{Type: leaf.Type, Format: leaf.Format, IntOrString: leaf.IntOrString}
	k.Copy(only, leaf)
	in := v.reading(only, true)
	return in.isEmpty
}

// interval returns the numbers that a schema accepts, as far as keywords of leaves are concerned. An int-or-string also
// accepts fractions that are close to large whole numbers, such as 1000000000.5, which are left out: rules cannot read
// them.
func (v *Solver) interval(s *schema.Schema, whole bool) interval {
	out := interval{isWhole: whole}
	if whole {
		out.intersect(formatRange(&schema.Schema{Type: schema.Text{V: IntegerType}}))
	} else if !HasType(s, NumberType) {
		out.isEmpty = true
	}
	for _, leaf := range v.LeavesOf(s) {
		out.intersect(v.reading(leaf, whole))
	}
	return out
}

// numbers returns those that one schema accepts and the other rejects.
func (v *Solver) numbers(accept, reject *schema.Schema, whole bool) (found []any, decided bool) {
	in := v.interval(accept, whole)
	most := effort.DiffNumbers.N()
	add := func(part interval) {
		if !v.Steps.Values.Spend(most * (1 + len(part.steps))) {
			return
		}
		for _, n := range part.picks(most) {
			found = append(found, Number(n))
		}
	}
	if reject == nil {
		add(in)
		return found, false
	}
	if !HasType(reject, IntegerType) || !whole && !HasType(reject, NumberType) {
		add(in) // all are rejected
		return found, true
	}
	decided = true
	for _, leaf := range v.LeavesOf(reject) {
		limits := v.reading(leaf, whole)
		if limits.isEmpty {
			add(in)
			continue
		}
		if limits.low != nil {
			part := in
			part.atMost(limits.low, !limits.lowOpen)
			add(part)
		}
		if limits.high != nil {
			part := in
			part.atLeast(limits.high, !limits.highOpen)
			add(part)
		}
		for _, factor := range limits.steps {
			add(in)
			step := in.step()
			decided = decided && (in.isSmall(effort.DiffNumbers.Most) || step != nil && isMultiple(step, factor))
		}
		if len(leaf.Enum) > 0 {
			most = max(most, len(leaf.Enum)+1)
			add(in)
			decided = decided && in.isSmall(int64(len(leaf.Enum))+1)
		}
	}
	return found, decided
}

// Number returns a number as JSON has it: an int64 or a float64.
func Number(n *big.Rat) any {
	if n.IsInt() && n.Num().IsInt64() {
		return n.Num().Int64()
	}
	f, _ := n.Float64()
	if f == math.Trunc(f) && math.Abs(f) < 1<<63 {
		return int64(f) // rounded to a whole number
	}
	return max(-math.MaxFloat64, min(f, math.MaxFloat64))
}
