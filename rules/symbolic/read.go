package symbolic

import (
	"math/big"
	"strconv"

	"github.com/google/cel-go/common/types"
	"k8s.io/apiserver/pkg/cel"
)

// selected evaluates v.field, has(v.field) if test is set, v.?field if optional is.
func (m *model) selected(id int64, v value, field string, test, optional bool) value {
	v = m.each([]value{v}, func(t []thing) value { return m.field(id, t[0], field, optional || test) })
	if test {
		return m.each([]value{v}, func(t []thing) value { return m.hasValue(id, t[0]) })
	}
	return v
}

// member returns the value of a field, or of a key of a map, and where it is there. Its place is nil if the schema has
// none.
func (m *model) member(p *place, field string) (thing, formula) {
	if p.schema.Properties == nil && !p.isClosed() {
		return m.lookup(p, constant{types.String(field)})
	}
	name, ok := cel.Unescape(field)
	if !ok {
		name = field
	}
	if next, there := m.below(p, step{toProperty, name}); next != nil {
		return next, there
	}
	there := never // rules may be compiled for more fields than the objects have
	if !p.isClosed() {
		there = m.condition("has " + p.name + fieldName(name))
	}
	return term{name: p.name + fieldName(name)}, there
}

func (m *model) field(id int64, t thing, field string, optional bool) value {
	switch t := t.(type) {
	case *place:
		next, there := m.member(t, field)
		kind := Field
		if t.schema.Properties == nil {
			kind = Key
		}
		return m.reading(readID{id, kind}, next, there, optional)
	case unwrapped:
		return m.unwrap(m.field(id, t.place, field, optional), optional)
	case some:
		return m.field(id, t.value, field, true)
	case none:
		return only(none{})
	}
	return m.partOf(id, t.key()+"."+field, optional)
}

// partOf returns a part of a value about which nothing is known.
func (m *model) partOf(id int64, name string, optional bool) value {
	if optional {
		return m.reading(readID{}, term{name: name}, m.condition("has "+name), true)
	}
	return value{fails: m.otherFailure(id, name), alts: []alternative{{always, term{name: name}}}}
}

// bare is a part of a value where the type checker has seen an optional: if it is not asked for as an optional, it is
// none.
func (m *model) unwrap(v value, optional bool) value {
	for i := range v.alts {
		if p, ok := v.alts[i].what.(*place); ok && !optional {
			v.alts[i].what = unwrapped{p}
		}
	}
	return v
}

// reading returns the value of what is there or not: an optional, or a failure.
func (m *model) reading(read readID, t thing, there formula, optional bool) value {
	m.checkText(t)
	unreadable := m.within(there, m.fractional(read.id, t))
	if optional {
		return value{fails: unreadable, alts: m.merged([]alternative{{there, some{t}}, {m.not(there), none{}}})}
	}
	fails := m.within(m.not(there), []failure{{read, always}})
	return value{fails: m.joined(fails, unreadable), alts: []alternative{{always, t}}}
}

// lookup returns the value of a key of a map, and where the map has it.
func (m *model) lookup(p *place, key thing) (thing, formula) {
	text := key.key()
	if c, ok := key.(constant); ok && p.schema.Properties != nil && c.Type() == types.StringType {
		return m.member(p, string(c.Val.(types.String)))
	}
	if text == keyOf(p) {
		text = anyOther
	} else if c, ok := key.(constant); ok {
		m.nameKey(p, c)
	}
	if next, there := m.below(p, step{toValue, text}); next != nil {
		return next, there
	}
	name := p.name + "[" + text + "]"
	return term{name: name}, m.condition("has " + name)
}

// keyOf names the key of a map that no expression names.
func keyOf(p *place) string { return p.name + "[" + anyOther + "]@" }

// index evaluates t[key], or t[?key].
func (m *model) index(id int64, t, key thing, optional bool) value {
	switch t := t.(type) {
	case *place:
		if t.schema.Type != "array" {
			next, there := m.lookup(t, key)
			return m.reading(readID{id, Key}, next, there, optional)
		}
		return m.item(id, t, key, optional)
	case *list:
		return m.itemOf(id, t, key, optional)
	case unwrapped:
		return m.unwrap(m.index(id, t.place, key, optional), optional)
	case some:
		return m.index(id, t.value, key, true)
	case none:
		return only(none{})
	}
	return m.partOf(id, t.key()+"["+key.key()+"]", optional)
}

// item returns an item of a list in the object. One whose index is not a constant is taken for one that is there.
func (m *model) item(id int64, p *place, key thing, optional bool) value {
	at, there := anyOther, always
	defer func() {
		if at == anyOther {
			m.doubt() // it is not the one that represents all
		}
	}()
	if c, ok := key.(constant); ok {
		if n, ok := c.Val.(types.Int); ok && n >= 0 {
			m.nameItem(p, int64(n))
			there = m.atLeastIn(m.size(p), more(big.NewInt(int64(n))))
			if m.decides || int64(n) < int64(m.named[p.path].items) {
				at = strconv.FormatInt(int64(n), 10)
			}
		}
	} else if optional {
		there = m.and(m.atLeast(m.size(p), 1), m.condition("has "+p.name+"["+key.key()+"]"))
	}
	next, _ := m.below(p, step{toItem, at})
	if next == nil {
		return only(m.unknown())
	}
	out := m.reading(readID{id, Item}, next, there, optional)
	if _, isConstant := key.(constant); !isConstant && !optional {
		other := value{fails: m.otherFailure(id, p.name+"["+key.key()+"]")}
		m.assume(m.not(m.and(m.atLeast(key, 0), m.less(key, m.size(p)))), m.failing(other), -1, nil)
		out.fails = m.joined(out.fails, other.fails)
	}
	return out
}

// itemOf returns an item of a list that the expression has made. The first item of one that is filtered is the first
// that is known, where the filter leaves that.
func (m *model) itemOf(id int64, l *list, key thing, optional bool) value {
	read := readID{id, Item}
	c, ok := key.(constant)
	n, isInt := c.Val.(types.Int)
	if !ok || !isInt || !l.isFixed() {
		m.doubt() // the first one that is left may be another one
	}
	if !ok || !isInt || n < 0 || n > 0 && !l.isFixed() {
		there := always
		if optional {
			there = m.and(m.nonEmpty(l), m.condition("has "+l.key()+"["+key.key()+"]"))
		}
		return m.reading(read, term{name: l.key() + "[" + key.key() + "]"}, there, optional)
	}
	rest := *l
	rest.items = l.items[min(int(n), len(l.items)):]
	nonEmpty, left := m.nonEmpty(&rest), always
	var found []alternative
	for _, i := range rest.items {
		found = append(found, alternative{m.and(left, i.there, i.left), i.what})
		left = m.and(left, m.not(m.and(i.there, i.left)))
	}
	found = append(found, alternative{m.and(left, nonEmpty), term{name: l.key() + "[0]"}})
	var out value
	for _, a := range m.merged(found) {
		if optional {
			a.what = some{a.what}
		}
		out.alts = append(out.alts, a)
	}
	if optional {
		out.alts = m.merged(append(out.alts, alternative{m.not(nonEmpty), none{}}))
	} else {
		out.fails = m.within(m.not(nonEmpty), []failure{{read, always}})
		out.alts = m.merged(append(out.alts, alternative{m.not(nonEmpty), m.fresh()}))
	}
	return out
}

// firstOf returns the first item of a list as an optional; the last is taken for one like it.
func (m *model) firstOf(t thing) value {
	zero := constant{types.Int(0)}
	return m.index(0, t, zero, true)
}

func (m *model) hasValue(id int64, t thing) value {
	switch t.(type) {
	case some:
		return only(truth(always))
	case none:
		return only(truth(never))
	case unwrapped:
		return value{fails: []failure{{readID{id, Unwrapped}, always}}, alts: []alternative{{always, m.fresh()}}}
	}
	return only(truth(m.condition("has " + t.key())))
}

// valueOf evaluates t.value().
func (m *model) valueOf(id int64, t thing) value {
	switch t := t.(type) {
	case some:
		return only(t.value)
	case none:
		return value{fails: []failure{{readID{id, Value}, always}}, alts: []alternative{{always, m.fresh()}}}
	case unwrapped:
		return value{fails: []failure{{readID{id, Unwrapped}, always}}, alts: []alternative{{always, m.fresh()}}}
	}
	name := "value " + t.key()
	return value{fails: m.otherFailure(id, name), alts: []alternative{{always, term{name: name}}}}
}
