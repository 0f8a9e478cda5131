package symbolic

import (
	"math"
	"math/big"
	"slices"

	"github.com/google/cel-go/common/types"

	"github.com/crdproof/crdproof/internal/effort"
)

// A chain holds what is known of the constants that a value may be equal to: it equals at most one of them.
type chain struct {
	constants []constant
	equal     []formula
	// rest is where it equals none of them. enum are all values that it can have, nil if there are others.
	rest formula
	enum []string
	// never are constants that it does not equal.
	never []constant
	name  string
}

func (m *model) chain(t thing) *chain {
	c, ok := m.chains[t.key()]
	if !ok {
		c = &chain{name: t.key(), rest: always}
		if p, ok := t.(*place); ok && (p.schema.Type == "string" || !m.decides) {
			c.enum = p.enum()
		}
		m.chains[t.key()] = c
	}
	return c
}

// is returns where the value equals a constant.
func (c *chain) equals(m *model, k constant) formula {
	key := k.key()
	if i := slices.IndexFunc(c.constants, k.isSame); i >= 0 {
		return c.equal[i]
	}
	if c.enum != nil && !slices.Contains(c.enum, key) || slices.ContainsFunc(c.never, k.isSame) {
		return never
	}
	if int64(len(c.constants)) == effort.AbsenceConstants.Most {
		return m.condition(c.name + " == " + key)
	}
	out := c.rest
	if len(c.constants)+1 != len(c.enum) {
		out = m.and(c.rest, m.condition(c.name+" == "+key))
	}
	c.rest = m.and(c.rest, m.not(out))
	c.constants, c.equal = append(c.constants, k), append(c.equal, out)
	return out
}

// scale holds what is known of how large an integer is.
type scale struct {
	name     string
	low, top int64
	// steps are the numbers that it was compared with, sorted; reached is where it is at least as large.
	steps   []int64
	reached []formula
}

func (m *model) scale(t thing) *scale {
	s, ok := m.scales[t.key()]
	if !ok {
		s = &scale{name: t.key(), low: math.MinInt64, top: math.MaxInt64}
		if p, ok := t.(*place); ok && isDouble(p) {
			s.low, s.top = p.doubles()
		} else if ok {
			s.low, s.top = p.numbers()
		}
		m.scales[t.key()] = s
	}
	return s
}

// limits returns the numbers on the scale of a thing that equal a constant: from one, and not to another one. Both are
// the same if there are none. ok is unset for other things and constants.
func (m *model) limits(t thing, c constant) (from, to *big.Int, ok bool) {
	d, isFraction := c.Val.(types.Double)
	n, isWholeNumber := wholeConstant(c)
	switch isInt := isWhole(t) || m.decides && isEither(t); {
	case isWholeNumber && isInt:
		return big.NewInt(n), more(big.NewInt(n)), true
	case isWholeNumber && m.decides && isDouble(t) && -largestExact <= n && n <= largestExact:
		return m.limits(t, constant{types.Double(n)})
	case isFraction && m.decides && isDouble(t) && !math.IsNaN(float64(d)):
		from = big.NewInt(orderOf(float64(d)))
		return from, more(from), true
	case isFraction && m.decides && isWhole(t) && math.Abs(float64(d)) <= largestExact:
		return big.NewInt(int64(math.Ceil(float64(d)))), more(big.NewInt(int64(math.Floor(float64(d))))), true
	}
	return nil, nil, false
}

// largestExact is the largest number up to which all integers are doubles.
const largestExact = 1 << 53

// isDouble reports whether a thing is a number with a fraction. Its scale has the numbers that orderOf returns.
func isDouble(t thing) bool {
	p, ok := t.(*place)
	return ok && p.schema.Type == "number"
}

// orderOf returns a number for a double, a larger one for a larger double: its bits.
func orderOf(d float64) int64 {
	if d < 0 {
		return -int64(math.Float64bits(-d))
	}
	return int64(math.Float64bits(d + 0)) // -0 is 0
}

// doubleOf returns the double with such a number.
func doubleOf(order int64) float64 {
	if order < 0 {
		return -math.Float64frombits(uint64(-order))
	}
	return math.Float64frombits(uint64(order))
}

// atLeast says when an integer is n or more.
func (m *model) atLeast(t thing, n int64) formula {
	if c, ok := t.(constant); ok {
		i, isInt := c.Val.(types.Int)
		return constantly(isInt && int64(i) >= n)
	}
	if l, ok := m.linears[t.key()]; ok {
		return m.reachedBy(l, big.NewInt(n))
	}
	s := m.scale(t)
	switch {
	case n <= s.low:
		return always
	case n > s.top:
		return never
	}
	i, ok := slices.BinarySearch(s.steps, n)
	if ok {
		return s.reached[i]
	}
	below, above := always, never
	if i > 0 {
		below = s.reached[i-1]
	}
	if i < len(s.steps) {
		above = s.reached[i]
	}
	out := m.or(above, m.and(below, m.condition(s.name+" >= "+constant{types.Int(n)}.key())))
	s.steps, s.reached = slices.Insert(s.steps, i, n), slices.Insert(s.reached, i, out)
	return out
}

// size returns the length of a string, list or map. What cannot be counted one by one is a term.
func (m *model) size(t thing) thing {
	switch t := t.(type) {
	case constant:
		if s, ok := t.Val.(types.String); ok {
			return constant{s.Size()}
		}
	case *place:
		return m.sizeOf(t.key(), func(s *scale) { s.low, s.top = t.lengths() })
	case *list:
		if t.rest.name == "" {
			break
		}
		if t.rest.size != nil {
			return t.rest.size
		}
		return m.sizeOf(t.key(), func(s *scale) {
			s.low, s.steps, s.reached = 0, []int64{1}, []formula{m.nonEmpty(t)}
		})
	}
	return m.sizeOf(t.key(), func(s *scale) { s.low = 0 })
}

func sizeName(name string) string { return "size " + name }

func (m *model) sizeOf(name string, begin func(*scale)) thing {
	t := term{name: sizeName(name), whole: true}
	if m.scales[t.name] == nil {
		begin(m.scale(t))
	}
	return t
}

// sizes returns the length of a thing as a value: a list whose items are all known has a number for each number of
// items that are there.
func (m *model) sizes(t thing) value {
	l, ok := t.(*list)
	if !ok || l.rest.name != "" {
		return only(m.size(t))
	}
	var out value
	for n, when := range m.counts(l.items) {
		if when != never {
			out.alts = append(out.alts, alternative{when, constant{types.Int(n)}})
		}
	}
	return out
}

// counts says for each number, from 0 on, when so many of the items are there.
func (m *model) counts(items []item) []formula {
	out := []formula{always}
	for _, i := range items {
		next, there := make([]formula, len(out)+1), m.and(i.there, i.left)
		for n, when := range out {
			next[n] = m.or(next[n], m.and(when, m.not(there)))
			next[n+1] = m.and(when, there)
		}
		out = next
	}
	return out
}
