package symbolic

import (
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
)

// A linear is an integer times a number, and what is added to it. A constant has no thing, and times 0.
type linear struct {
	integer   thing
	times, by int64
}

// largestShift is the largest number in linear terms; beyond it, terms are not understood.
const largestShift = 1 << 40

// linearOf returns a thing as a linear term of another one: of itself for most things.
func (m *model) linearOf(t thing) linear {
	if l, ok := m.linears[t.key()]; ok {
		return l
	}
	if n, ok := wholeConstant(t); ok {
		return linear{nil, 0, n}
	}
	return linear{t, 1, 0}
}

// combined returns the linear term of an operation of others. ok is unset if it is not one.
func (l linear) combined(operator string, r linear) (out linear, ok bool) {
	switch isNumber := func(l linear) bool { return l.integer == nil }; {
	case operator == operators.Multiply && isNumber(l):
		return r.scaled(l.by)
	case operator == operators.Multiply && isNumber(r):
		return l.scaled(r.by)
	case operator == operators.Multiply:
		return linear{}, false
	case operator == operators.Subtract:
		if r, ok = r.scaled(-1); !ok {
			return linear{}, false
		}
	}
	if l.integer != nil && r.integer != nil && l.integer.key() != r.integer.key() {
		return linear{}, false
	}
	out = linear{l.integer, l.times + r.times, l.by + r.by}
	if out.integer == nil {
		out.integer = r.integer
	}
	return out, l.isSmall() && r.isSmall() && out.isSmall()
}

func (l linear) scaled(by int64) (out linear, ok bool) {
	product := func(n int64) int64 {
		if math.Abs(float64(n)*float64(by)) > largestShift {
			return math.MaxInt64
		}
		return n * by
	}
	out = linear{l.integer, product(l.times), product(l.by)}
	return out, out.isSmall()
}

func (l linear) isSmall() bool {
	isLarge := func(n int64) bool { return n < -largestShift || n > largestShift }
	return !slices.ContainsFunc([]int64{l.times, l.by}, isLarge)
}

// noteLinear notes that the result of an operation is a linear term: what is compared with it is compared with the
// integer. So it is known when it overflows.
func (m *model) noteLinear(operator string, result *value, args ...thing) {
	if !m.decides || len(result.alts) != 1 {
		return
	}
	l := m.linearOf(args[len(args)-1])
	var ok bool
	if operator == operators.Negate {
		l, ok = l.scaled(-1)
	} else {
		l, ok = m.linearOf(args[0]).combined(operator, l)
	}
	if !ok || l.integer == nil || !isWhole(l.integer) {
		return
	}
	m.linears[result.alts[0].what.key()] = l
	least, most := big.NewInt(math.MinInt64), big.NewInt(math.MaxInt64)
	outside := m.or(m.not(m.reachedBy(l, least)), m.reachedBy(l, more(most)))
	if strings.HasPrefix(l.integer.key(), sizeName("")) { // requests are small
		outside = never
	}
	for i := range result.fails {
		result.fails[i].when = outside
	}
}

// product evaluates a product, or the opposite of a number.
func (m *model) product(e ast.Expr, name string, args []value, in *scope) value {
	return m.each(args, func(t []thing) value {
		var given []value
		for _, arg := range t {
			given = append(given, only(arg))
		}
		out := m.apply(e, name, given, in)
		if in.checked.GetType(e.ID()).Kind() == types.IntKind {
			m.noteLinear(name, &out, t...)
		}
		return out
	})
}

func more(n *big.Int) *big.Int { return new(big.Int).Add(n, big.NewInt(1)) }

// reachedBy says when a linear term is n or more, where it does not overflow.
func (m *model) reachedBy(l linear, n *big.Int) formula {
	rest := new(big.Int).Sub(big.NewInt(l.by), n) // l.times * l.integer >= -rest
	if l.times == 0 {
		return constantly(rest.Sign() >= 0)
	}
	// The divisor is positive: the quotient is rounded down.
	quotient := rest.Div(rest, new(big.Int).Abs(big.NewInt(l.times)))
	if l.times > 0 {
		return m.atLeastIn(l.integer, quotient.Neg(quotient))
	}
	return m.not(m.atLeastIn(l.integer, more(quotient)))
}

// atLeastIn says when an integer is n or more.
func (m *model) atLeastIn(t thing, n *big.Int) formula {
	if !n.IsInt64() {
		return constantly(n.Sign() < 0)
	}
	return m.atLeast(t, n.Int64())
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

// areLinear reports whether one of two integers is a linear term of another one.
func (m *model) areLinear(a, b thing) bool {
	_, x := m.linears[a.key()]
	_, y := m.linears[b.key()]
	return (x || y) && isWhole(a) && isWhole(b)
}

// lessLinear says when a is below b, if one of them is a linear term, and both are of the same integer, or multiply
// theirs by the same number.
func (m *model) lessLinear(a, b thing) (out formula, ok bool) {
	if !m.areLinear(a, b) {
		return never, false
	}
	x, y := m.linearOf(a), m.linearOf(b)
	if d, ok := x.combined(operators.Subtract, y); ok {
		return m.not(m.reachedBy(d, new(big.Int))), true
	}
	switch {
	case x.times != y.times || x.times == 0:
		return never, false
	case x.times < 0: // below is above for the opposite
		x, y = linear{y.integer, -y.times, -y.by}, linear{x.integer, -x.times, -x.by}
	}
	// x.integer - y.integer is below the quotient: what it must not reach is rounded up.
	quotient := big.NewInt(x.by - y.by)
	quotient.Div(quotient, big.NewInt(x.times))
	return m.not(m.atLeastAbove(x.integer, y.integer, -quotient.Int64())), true
}

// equalLinear says when a equals b, in the same case.
func (m *model) equalLinear(a, b thing) (out formula, ok bool) {
	below, ok := m.lessLinear(a, b)
	if !ok {
		return never, false
	}
	above, _ := m.lessLinear(b, a)
	return m.not(m.or(below, above)), true
}
