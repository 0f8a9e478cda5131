package symbolic

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"github.com/crdproof/crdproof/internal/effort"
)

// A value is what an expression is evaluated to: fails says when it has none, because something is read that is absent.
// The alternatives exclude each other and one of them holds always; what they say where the expression fails means
// nothing.
type value struct {
	fails []failure
	alts  []alternative
}

type failure struct {
	read readID
	when formula
}

// A readID names a read within one expression.
type readID struct {
	id   int64
	kind Kind
}

type alternative struct {
	when formula
	what thing
}

// A thing is what is known of a value. Things of the same key are equal.
type thing interface{ key() string }

type (
	// truth is a boolean for which it is known when it is true.
	truth formula
	// constant is a value about which everything is known.
	constant struct{ ref.Val }
	// term is a value about which nothing is known except where it comes from.
	term struct {
		name string
		// whole is set for integers.
		whole bool
	}
	// some is an optional with a value, none one without.
	some struct{ value thing }
	none struct{}
	// unwrapped is a value of the object where the type checker has seen an optional.
	unwrapped struct{ *place }
	// list is a list with some items that are known one by one.
	list struct {
		name  string
		items []item
		rest  rest
	}
)

// An item is one that a list may have: there says where the list that it is taken from has it, and left where the
// filters of the expression leave it.
type item struct {
	there, left formula
	what        thing
	// like is set for the item that those of the rest are like.
	like bool
}

// rest are the items of a list that are not known one by one: they are like one that is, but for the conditions that
// are about that one. The zero rest has none.
type rest struct {
	// name is the list that the items are taken from; like is a part of the names of all conditions about the item like
	// them.
	name, like string
	// size is the length of the list, nil if the expression has left out items.
	size thing
	// more is where the list has items that are not known, there what is true of each of them because it is there.
	more, there formula
}

func (t truth) key() string { return "#" + strconv.Itoa(int(t)) }
func (t term) key() string  { return t.name }
func (s some) key() string  { return "some(" + s.value.key() + ")" }
func (none) key() string    { return "none" }

func (c constant) key() string {
	if s, ok := c.Val.(types.String); ok {
		return strconv.Quote(string(s))
	}
	return fmt.Sprintf("%s(%v)", c.Type().TypeName(), c.Value())
}

func (l *list) key() string { return l.name }

func (m *model) newList(items []item, rest rest) *list {
	var name strings.Builder
	name.WriteString("[" + rest.name)
	for _, i := range items {
		fmt.Fprintf(&name, ",#%d#%d:%s", i.there, i.left, i.what.key())
	}
	return &list{m.known(name.String() + "]"), items, rest}
}

// known returns a key that says where something comes from, as long as that can be said.
func (m *model) known(key string) string {
	if int64(len(key)) > effort.AbsenceNames.Most {
		return m.unknown().key()
	}
	return key
}

// is reports whether two constants are the same, with their types.
func (c constant) isSame(d constant) bool { return c.key() == d.key() }

func only(t thing) value { return value{alts: []alternative{{always, t}}} }

// failing says when a value fails for whatever reason.
func (m *model) failing(v value) formula {
	out := never
	for _, f := range v.fails {
		out = m.or(out, f.when)
	}
	return out
}

// within restricts failures to where a formula holds.
func (m *model) within(when formula, fails []failure) []failure {
	var out []failure
	for _, f := range fails {
		if f.when = m.and(when, f.when); f.when != never {
			out = append(out, f)
		}
	}
	return out
}

// joined returns failures, each of which is enough, each read once.
func (m *model) joined(lists ...[]failure) []failure {
	var out []failure
	for _, fails := range lists {
		for _, f := range fails {
			i := slices.IndexFunc(out, func(g failure) bool { return g.read == f.read })
			if i < 0 {
				out = append(out, f)
			} else {
				out[i].when = m.or(out[i].when, f.when)
			}
		}
	}
	return out
}

// merged joins alternatives of the same thing, and all booleans to one.
func (m *model) merged(alts []alternative) []alternative {
	if len(alts) == 1 {
		return alts
	}
	var out []alternative
	at := map[string]int{}
	for _, a := range alts {
		if a.when == never {
			continue
		}
		key := a.what.key()
		boolean := m.isBoolean(a.what)
		if boolean {
			key = "bool"
		}
		i, ok := at[key]
		switch {
		case !ok:
			at[key] = len(out)
			out = append(out, a)
		case boolean:
			t := m.ifelse(a.when, m.truth(a.what), m.truth(out[i].what))
			out[i] = alternative{m.or(a.when, out[i].when), truth(t)}
		default:
			out[i].when = m.or(a.when, out[i].when)
		}
	}
	return out
}

// isTrue says when a value that does not fail is true.
func (m *model) isTrue(v value) formula {
	out := never
	for _, a := range v.alts {
		out = m.or(out, m.and(a.when, m.truth(a.what)))
	}
	return out
}

// succeeds and rejects are where an expression is evaluated to true and to false.
func (m *model) succeeds(v value) formula { return m.and(m.isTrue(v), m.not(m.failing(v))) }
func (m *model) rejects(v value) formula  { return m.not(m.or(m.isTrue(v), m.failing(v))) }

func (m *model) truth(t thing) formula {
	switch t := t.(type) {
	case truth:
		return formula(t)
	case constant:
		return constantly(t.Val == types.True)
	}
	m.checkNull(t)
	return m.condition("true " + t.key())
}

func (m *model) isBoolean(t thing) bool {
	switch t := t.(type) {
	case truth:
		return true
	case constant:
		return t.Type() == types.BoolType
	case *place:
		return t.schema.Type == "boolean"
	}
	return false
}

// isWhole reports whether a thing is an integer, to be compared by steps.
func isWhole(t thing) bool {
	switch t := t.(type) {
	case term:
		return t.whole
	case *place:
		return t.schema.Type == "integer" || t.isDuration()
	}
	return false
}

// wholeConstant returns an integer, or a duration in nanoseconds.
func wholeConstant(t thing) (n int64, ok bool) {
	c, _ := t.(constant)
	switch v := c.Val.(type) {
	case types.Int:
		return int64(v), true
	case types.Duration:
		return int64(v.Duration), true
	}
	return 0, false
}

// each applies a function to all combinations of what its arguments may be.
func (m *model) each(args []value, apply func(things []thing) value) value {
	var out value
	products := int64(1)
	for _, a := range args {
		out.fails = m.joined(out.fails, a.fails)
		if products *= int64(len(a.alts)); products > effort.AbsenceProducts.Most {
			out.alts = []alternative{{always, m.unknown()}}
			return out
		}
	}
	evaluated := m.not(m.failing(out))
	things := make([]thing, len(args))
	var visit func(i int, when formula)
	visit = func(i int, when formula) {
		if when == never {
			return
		}
		if i == len(args) {
			v := apply(things)
			out.fails = m.joined(out.fails, m.within(m.and(evaluated, when), v.fails))
			for _, a := range v.alts {
				out.alts = append(out.alts, alternative{m.and(when, a.when), a.what})
			}
			return
		}
		for _, a := range args[i].alts {
			things[i] = a.what
			visit(i+1, m.and(when, a.when))
		}
	}
	visit(0, always)
	out.alts = m.merged(out.alts)
	return out
}

// unknown returns a value about which nothing is known, not even where it comes from.
func (m *model) unknown() thing {
	m.doubt()
	return m.fresh()
}

// fresh returns a value that is not used, because the expression fails or is looked at in another way.
func (m *model) fresh() thing {
	m.unknowns++
	return term{name: "?" + strconv.Itoa(m.unknowns)}
}

// equal says when two values that are there are equal.
func (m *model) equal(a, b thing) formula {
	if _, ok := a.(constant); ok {
		a, b = b, a
	}
	switch x := a.(type) {
	case none:
		if !isOptionalThing(b) {
			m.doubt()
		}
		_, ok := b.(none)
		return constantly(ok)
	case some:
		switch y := b.(type) {
		case some:
			return m.equal(x.value, y.value)
		case none:
			return never
		}
	case *list:
		if out, ok := m.equalLists(x, b); ok {
			return out
		}
	}
	if l, ok := b.(*list); ok {
		if out, ok := m.equalLists(l, a); ok {
			return out
		}
	}
	m.checkWhole(a, b)
	switch c, isConstant := b.(constant); {
	case m.isBoolean(a) || m.isBoolean(b):
		return m.same(m.truth(a), m.truth(b))
	case isConstant:
		return m.equalConstant(a, c)
	case a.key() == b.key():
		return always
	}
	if out, ok := m.equalLinear(a, b); ok {
		return out
	}
	return m.equalPlaces(a, b)
}

// equalLists compares a list whose items are all known with another one, as far as that says something.
func (m *model) equalLists(l *list, b thing) (formula, bool) {
	if l.rest.name != "" || !strings.HasPrefix(l.name, "[") {
		return never, false
	}
	if len(l.items) == 0 {
		return m.not(m.atLeast(m.size(b), 1)), true
	}
	other, ok := b.(*list)
	if !ok || other.rest.name != "" || len(other.items) != len(l.items) || !l.isFixed() || !other.isFixed() {
		return never, false
	}
	out := always
	for i, x := range l.items {
		out = m.and(out, m.equal(x.what, other.items[i].what))
	}
	return out, true
}

// isFixed reports whether all items are known, and always there.
func (l *list) isFixed() bool {
	isUncertain := func(i item) bool { return i.there != always || i.left != always }
	return l.rest.name == "" && !slices.ContainsFunc(l.items, isUncertain)
}

func constantly(yes bool) formula {
	if yes {
		return always
	}
	return never
}

func (m *model) equalConstant(a thing, c constant) formula {
	if x, ok := a.(constant); ok {
		return constantly(types.Equal(x.Val, c.Val) == types.True)
	}
	if c.Type() == types.NullType {
		if p, ok := a.(*place); ok {
			return p.null
		}
		return m.condition(a.key() + " == null")
	}
	if from, to, ok := m.limits(a, c); ok {
		out := m.and(m.atLeastIn(a, from), m.not(m.atLeastIn(a, to)))
		if isEither(a) {
			return m.and(m.hasType(a, "int"), out)
		}
		return out
	}
	m.checkConstant(a, c)
	out := m.chain(a).equals(m, c)
	if text, ok := c.Val.(types.String); ok && m.decides {
		m.text(a)
		if p, ok := m.prefixes[a.key()]; ok && text.Size() == types.Int(p.letters) {
			pattern, _ := textPattern("startsWith", string(text))
			m.noteLanguage(p.text, out, pattern)
		}
		if isEither(a) {
			m.relate(out, m.hasType(a, "string"))
		}
	}
	return out
}

func pairName(a, b thing) string { return min(a.key(), b.key()) + " == " + max(a.key(), b.key()) }

// equalPlaces returns the condition that two values are equal.
func (m *model) equalPlaces(a, b thing) formula {
	name := pairName(a, b)
	known := m.isCondition(name)
	out := m.condition(name)
	p, isPlace := a.(*place)
	q, alsoPlace := b.(*place)
	if !known && isPlace && alsoPlace {
		m.pairs = append(m.pairs, pair{p, q, out})
	}
	return out
}

// less says when a is below b.
func (m *model) less(a, b thing) formula {
	x, isConstant := a.(constant)
	y, alsoConstant := b.(constant)
	if isConstant && alsoConstant {
		if c, ok := x.Val.(traits.Comparer); ok {
			return constantly(c.Compare(y.Val) == types.IntNegOne)
		}
	}
	if from, _, ok := m.limits(a, y); alsoConstant && ok {
		return m.not(m.atLeastIn(a, from))
	}
	if _, to, ok := m.limits(b, x); isConstant && ok {
		return m.atLeastIn(b, to)
	}
	if a.key() == b.key() {
		return never
	}
	if out, ok := m.lessLinear(a, b); ok {
		return out
	}
	return m.ordered(a, b)
}
