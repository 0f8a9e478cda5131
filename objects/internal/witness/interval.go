package witness

import (
	"math"
	"math/big"
	"slices"
)

// An interval is a set of numbers from low to high, where nil is no bound: either of whole numbers that fit an int64,
// or of all other numbers. JSON is decoded to an int64 or a float64, and API servers validate them differently.
type interval struct {
	isWhole   bool
	low, high *big.Rat
	// lowOpen and highOpen are set if the interval does not have its ends.
	lowOpen, highOpen bool
	// steps are positive numbers of which the values are multiples.
	steps []*big.Rat
	// isEmpty is set if the interval has no numbers for another reason.
	isEmpty bool
}

// Rat returns the number of a literal of a schema.
func Rat(literal string) *big.Rat {
	out, ok := new(big.Rat).SetString(literal)
	if !ok {
		return new(big.Rat) // the API server has decoded it
	}
	return out
}

func (in *interval) atLeast(bound *big.Rat, open bool) {
	if bound != nil && (in.low == nil || bound.Cmp(in.low) > 0 || bound.Cmp(in.low) == 0 && open) {
		in.low, in.lowOpen = bound, open
	}
}

func (in *interval) atMost(bound *big.Rat, open bool) {
	if bound != nil && (in.high == nil || bound.Cmp(in.high) < 0 || bound.Cmp(in.high) == 0 && open) {
		in.high, in.highOpen = bound, open
	}
}

// intersect adds what another interval demands.
func (in *interval) intersect(other interval) {
	in.atLeast(other.low, other.lowOpen)
	in.atMost(other.high, other.highOpen)
	in.steps = append(slices.Clip(in.steps), other.steps...)
	in.isEmpty = in.isEmpty || other.isEmpty
}

func (in *interval) has(n *big.Rat) bool {
	f, _ := n.Float64()
	if in.isEmpty || in.isWhole != (n.IsInt() && n.Num().IsInt64()) || !in.spans(n) || math.IsInf(f, 0) {
		return false
	}
	return !slices.ContainsFunc(in.steps, func(step *big.Rat) bool {
		return !isMultiple(n, step) && (in.isWhole || !isNearMultiple(n, step))
	})
}

// spans reports whether a number is between the bounds.
func (in *interval) spans(n *big.Rat) bool {
	isBelow := in.low != nil && (n.Cmp(in.low) < 0 || in.lowOpen && n.Cmp(in.low) == 0)
	isAbove := in.high != nil && (n.Cmp(in.high) > 0 || in.highOpen && n.Cmp(in.high) == 0)
	return !isBelow && !isAbove
}

func isMultiple(n, step *big.Rat) bool { return new(big.Rat).Quo(n, step).IsInt() }

// isNearMultiple reports whether an API server takes a float64 for a multiple: the quotient may have a relative error
// (github.com/go-openapi/swag/conv, IsFloat64AJSONInteger), so that any large fraction is a multiple of 1.
func isNearMultiple(n, step *big.Rat) bool {
	quotient, _ := new(big.Rat).Quo(n, step).Float64()
	rounded := math.Round(quotient)
	return math.Abs(quotient-rounded) < 1e-9*math.Abs(rounded)
}

// maxBits is more than any number in JSON needs, which is at most about 2^1024.
const maxBits = 1024

// step returns the smallest number of which all values are multiples, nil if there are no steps, or if it is larger
// than any number.
func (in *interval) step() (out *big.Rat) {
	steps := in.steps
	if in.isWhole {
		steps = append(slices.Clip(steps), big.NewRat(1, 1))
	}
	for _, s := range steps {
		if out == nil {
			out = s
			continue
		}
		// The least common multiple of a/b and c/d is lcm(a*d, c*b) / (b*d).
		a := new(big.Int).Mul(out.Num(), s.Denom())
		b := new(big.Int).Mul(s.Num(), out.Denom())
		lcm := new(big.Int).Div(new(big.Int).Mul(a, b), new(big.Int).GCD(nil, nil, a, b))
		out = new(big.Rat).SetFrac(lcm, new(big.Int).Mul(out.Denom(), s.Denom()))
		if out.Num().BitLen()+out.Denom().BitLen() > 2*maxBits {
			return nil
		}
	}
	return out
}

// picks returns up to about 2n numbers of the interval, those near zero first: all of them if there are fewer than n.
func (in *interval) picks(n int) (out []*big.Rat) {
	add := func(numbers ...*big.Rat) {
		for _, number := range numbers {
			if in.has(number) {
				out = append(out, number)
			}
		}
	}
	var ends []*big.Rat
	for _, end := range []*big.Rat{in.low, in.high} {
		if end != nil {
			ends = append(ends, end)
		}
	}
	start := new(big.Rat)
	switch {
	case in.low != nil && in.low.Sign() > 0:
		start = in.low
	case in.high != nil && in.high.Sign() < 0:
		start = in.high
	}
	half := big.NewRat(1, 2)
	step := in.step()
	if step == nil {
		step = half
		add(start)
		add(ends...)
		if len(ends) == 2 {
			between := new(big.Rat).Sub(in.high, in.low)
			for _, part := range []int64{2, 3} { // one of these is not whole
				add(new(big.Rat).Add(in.low, new(big.Rat).Mul(between, big.NewRat(1, part))))
			}
		}
	} else {
		start = multipleBelow(start, step)
	}
	up, down := start, start
	for range n + 2 {
		add(up, down, new(big.Rat).Add(up, half))
		up, down = new(big.Rat).Add(up, step), new(big.Rat).Sub(down, step)
	}
	if !in.isWhole {
		add(inexact(ends, step)...)
	}
	return out
}

// multipleBelow returns the largest multiple of a step that is not above n.
func multipleBelow(n, step *big.Rat) *big.Rat {
	quotient := new(big.Rat).Quo(n, step)
	whole := new(big.Int).Div(quotient.Num(), quotient.Denom())
	return new(big.Rat).Mul(new(big.Rat).SetInt(whole), step)
}

// inexact returns float64 that an API server may treat otherwise than the numbers that they stand for: those next to
// bounds, those that are too large for an int64, and fractions that it takes for multiples of a step.
func inexact(ends []*big.Rat, step *big.Rat) (out []*big.Rat) {
	for _, end := range ends {
		f, _ := end.Float64()
		for _, near := range []float64{math.Nextafter(f, math.Inf(1)), math.Nextafter(f, math.Inf(-1)), 2 * f} {
			if exact := new(big.Rat).SetFloat64(near); exact != nil {
				out = append(out, exact)
			}
		}
	}
	for _, large := range []string{"9223372036854775808", "-9223372036854777856", "1e19", "-1e19"} {
		multiple := multipleBelow(Rat(large), step)
		out = append(out, multiple, new(big.Rat).Add(multiple, step))
	}
	for _, many := range []int64{1 << 31, -1 << 31} {
		out = append(out, new(big.Rat).Add(big.NewRat(1, 2), new(big.Rat).Mul(step, big.NewRat(many, 1))))
	}
	return out
}

// isSmall reports whether the interval has fewer than limit numbers.
func (in *interval) isSmall(limit int64) bool {
	if in.isEmpty {
		return true
	}
	if in.low == nil || in.high == nil {
		return false
	}
	step := in.step()
	if step == nil {
		return in.low.Cmp(in.high) >= 0
	}
	size := new(big.Rat).Quo(new(big.Rat).Sub(in.high, in.low), step)
	return size.Cmp(new(big.Rat).SetInt64(limit)) < 0
}
