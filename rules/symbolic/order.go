package symbolic

import (
	"math"
	"slices"
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

// reaches says when b, which is larger, is at least as large as all numbers that a is at least as large as.
func (m *model) reaches(a, b thing) formula {
	out := always
	for _, n := range slices.Concat(m.scale(a).steps, m.scale(b).steps) {
		above := m.atLeast(b, n)
		if n >= m.scale(b).top { // it would be above that
			above = never
		}
		if out = m.and(out, m.implies(m.atLeast(a, n), above)); n-1 == m.scale(a).low {
			out = m.and(out, above)
		}
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
