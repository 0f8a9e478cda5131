package symbolic

import (
	"math"
	"slices"

	"github.com/google/cel-go/common/operators"
)

// An order is of two integers that an expression compares: where the first one is below the second one, and where it is
// above.
type order struct {
	a, b         thing
	below, above formula
}

// ordered says when a is below b, about which nothing is known but that integers have an order, and bounds.
func (m *model) ordered(a, b thing) formula {
	name := a.key() + " < " + b.key()
	isNew := !m.isCondition(name)
	below := m.condition(name)
	if !isWhole(a) || !isWhole(b) {
		return below
	}
	if isNew {
		m.relateBounds(below, a, b)
	}
	if !m.decides ||
		slices.ContainsFunc(m.orders, func(o order) bool { return o.below == below || o.above == below }) {
		return below
	}
	above := m.condition(b.key() + " < " + a.key())
	m.orders = append(m.orders, order{a, b, below, above})
	one, _ := m.countOne([]formula{below, above, m.equal(a, b)})
	m.assume(always, one, -1, nil)
	return below
}

// relateBounds assumes that a number is above the least one that is below it, and below the largest one above it.
func (m *model) relateBounds(below formula, a, b thing) {
	if low := m.scale(a).low; low < math.MaxInt64 && low > math.MinInt64 {
		m.relate(below, m.atLeast(b, low+1))
	}
	if top := m.scale(b).top; top < math.MaxInt64 {
		m.relate(below, m.not(m.atLeast(a, top)))
	}
}

// relateOrders assumes that a larger integer is at least as large as everything that a smaller one is.
func (m *model) relateOrders() {
	for _, o := range m.orders {
		m.assume(o.below, m.reaches(o.a, o.b), -1, nil)
		m.assume(o.above, m.reaches(o.b, o.a), -1, nil)
	}
}

// reaches says when b is at least as large as all numbers that a is compared with and at least as large as.
func (m *model) reaches(a, b thing) formula {
	out := always
	for _, n := range slices.Concat(m.scale(a).steps, m.scale(b).steps) {
		out = m.and(out, m.implies(m.atLeast(a, n), m.atLeast(b, n)))
	}
	return out
}

// relateDifference assumes that a - b, where it does not overflow, is above 0 if a is above b, and below 0 if it is
// below.
func (m *model) relateDifference(difference value, a, b thing) {
	if !isWhole(a) || !isWhole(b) {
		return
	}
	when, out := m.not(m.failing(difference)), difference.alts[0].what
	m.assume(when, m.same(m.atLeast(out, 1), m.less(b, a)), -1, nil)
	m.assume(when, m.same(m.atLeast(out, 0), m.not(m.less(a, b))), -1, nil)
}

// A shift is an integer and what is added to it.
type shift struct {
	of thing
	by int64
}

// largestShift is the largest constant that is added and subtracted in place of a comparison with a sum.
const largestShift = 1 << 40

// noteShift notes which sum is an integer and a constant: what is compared with it is compared with the integer.
func (m *model) noteShift(name string, sum value, a, b thing) {
	if isConstant(a) {
		a, b = b, a
		if name == operators.Subtract {
			return
		}
	}
	n, ok := wholeConstant(b)
	if !ok || !isWhole(a) || n < -largestShift || n > largestShift {
		return
	}
	if name == operators.Subtract {
		n = -n
	}
	of, by := m.shifted(a)
	m.shifts[sum.alts[0].what.key()] = shift{of, by + n}
	switch fails := m.failing(sum); {
	case fails == never || by != 0:
	case n == 0:
		m.relate(always, m.not(fails))
	case n > 0:
		m.relate(always, m.same(fails, m.atLeast(a, math.MaxInt64-n+1)))
	case n < 0:
		m.relate(always, m.same(fails, m.not(m.atLeast(a, math.MinInt64-n))))
	}
}

// shifted returns a thing as another one and what is added to it: itself and 0 for most things.
func (m *model) shifted(t thing) (of thing, by int64) {
	if s, ok := m.shifts[t.key()]; ok {
		return s.of, s.by
	}
	return t, 0
}

// A distance is by how much an integer is above another one.
type distance struct{ a, b, term thing }

// atLeastAbove says when a is above b by n or more.
func (m *model) atLeastAbove(a, b thing, n int64) formula {
	if a.key() == b.key() {
		return constantly(n <= 0)
	}
	if a.key() > b.key() {
		return m.not(m.atLeastAbove(b, a, -n+1))
	}
	d := distance{a, b, term{name: a.key() + " above " + b.key(), whole: true}}
	if _, known := m.distances[d.term.key()]; !known {
		m.distances[d.term.key()] = d
		m.relate(always, m.same(m.ordered(a, b), m.not(m.atLeast(d.term, 0))))
		m.relate(always, m.same(m.ordered(b, a), m.atLeast(d.term, 1)))
	}
	return m.atLeast(d.term, n)
}

// lessShifted says when a is below b, if one of them is a sum of an integer and a constant.
func (m *model) lessShifted(a, b thing) (out formula, ok bool) {
	x, c := m.shifted(a)
	y, d := m.shifted(b)
	if x.key() == a.key() && y.key() == b.key() || !isWhole(a) || !isWhole(b) {
		return never, false
	}
	return m.not(m.atLeastAbove(x, y, d-c)), true
}

// equalShifted says when a equals b, in the same case.
func (m *model) equalShifted(a, b thing) (out formula, ok bool) {
	x, c := m.shifted(a)
	y, d := m.shifted(b)
	if x.key() == a.key() && y.key() == b.key() || !isWhole(a) || !isWhole(b) {
		return never, false
	}
	return m.and(m.atLeastAbove(x, y, d-c), m.not(m.atLeastAbove(x, y, d-c+1))), true
}
