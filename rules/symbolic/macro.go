package symbolic

import (
	"slices"
	"strconv"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
)

// LoopKind is the macro that a comprehension was expanded from.
type LoopKind uint8

const (
	OtherLoop LoopKind = iota
	All
	Exists
	ExistsOne
	MakesList // filter, map and transformList
	Binds     // optMap and optFlatMap: no loop at all
)

// A Loop is a comprehension taken apart: the condition on an item, nil if there is none, and what is made of the item.
type Loop struct {
	Kind            LoopKind
	Condition, Item ast.Expr
}

// LoopOf recognises the macros of cel-go (parser/macro.go, ext/comprehensions.go, cel/library.go) by what they expand
// to.
func LoopOf(c ast.ComprehensionExpr) Loop {
	isAccu := func(e ast.Expr) bool { return e.Kind() == ast.IdentKind && e.AsIdent() == c.AccuVar() }
	r := c.IterRange()
	if r.Kind() == ast.ListKind && r.AsList().Size() == 0 && c.LoopCondition().Kind() == ast.LiteralKind {
		return Loop{Kind: Binds}
	}
	step := c.LoopStep()
	if step.Kind() != ast.CallKind {
		return Loop{}
	}
	args := step.AsCall().Args()
	switch step.AsCall().FunctionName() {
	case operators.LogicalAnd:
		return Loop{Kind: All, Condition: args[1]}
	case operators.LogicalOr:
		return Loop{Kind: Exists, Condition: args[1]}
	case operators.Conditional:
		if c.AccuInit().Kind() == ast.LiteralKind {
			return Loop{Kind: ExistsOne, Condition: args[0]}
		}
		if item, ok := appended(args[1], isAccu); ok {
			return Loop{Kind: MakesList, Condition: args[0], Item: item}
		}
	case operators.Add:
		if item, ok := appended(step, isAccu); ok {
			return Loop{Kind: MakesList, Item: item}
		}
	}
	return Loop{}
}

// appended returns the item in accu + [item].
func appended(e ast.Expr, isAccu func(ast.Expr) bool) (ast.Expr, bool) {
	if e.Kind() != ast.CallKind || e.AsCall().FunctionName() != operators.Add {
		return nil, false
	}
	args := e.AsCall().Args()
	if !isAccu(args[0]) || args[1].Kind() != ast.ListKind || args[1].AsList().Size() != 1 {
		return nil, false
	}
	return args[1].AsList().Elements()[0], true
}

func (m *model) comprehension(e ast.Expr, in *scope) value {
	c := e.AsComprehension()
	l := LoopOf(c)
	if l.Kind == Binds {
		return m.eval(c.Result(), in.with(c.AccuVar(), m.eval(c.AccuInit(), in)))
	}
	return m.each([]value{m.eval(c.IterRange(), in)}, func(t []thing) value {
		m.checkRange(c.IterRange(), t[0], in.checked)
		return m.looped(l, c, t[0], in)
	})
}

// onlyOne returns the filter of an expression filter.size() == 1, which has the value of exists_one; nil for others.
func onlyOne(e ast.Expr) ast.Expr {
	call := e.AsCall()
	if call.FunctionName() != operators.Equals {
		return nil
	}
	for i, size := range call.Args() {
		other := call.Args()[1-i]
		if other.Kind() != ast.LiteralKind || other.AsLiteral() != types.Int(1) || size.Kind() != ast.CallKind ||
			size.AsCall().FunctionName() != "size" {
			continue
		}
		list := size.AsCall().Target()
		if !size.AsCall().IsMemberFunction() {
			list = size.AsCall().Args()[0]
		}
		if list.Kind() != ast.ComprehensionKind || list.AsComprehension().HasIterVar2() {
			continue
		}
		c := list.AsComprehension()
		l := LoopOf(c)
		isItem := l.Item != nil && l.Item.Kind() == ast.IdentKind && l.Item.AsIdent() == c.IterVar()
		if l.Kind == MakesList && l.Condition != nil && isItem {
			return list
		}
	}
	return nil
}

// existsOnly evaluates whether a filter leaves one item.
func (m *model) existsOnly(filter ast.Expr, in *scope) value {
	c := filter.AsComprehension()
	return m.each([]value{m.eval(c.IterRange(), in)}, func(t []thing) value {
		m.checkRange(c.IterRange(), t[0], in.checked)
		return m.looped(Loop{Kind: ExistsOne, Condition: LoopOf(c).Condition}, c, t[0], in)
	})
}

// A round is what a loop does with one item.
type round struct {
	item
	condition, made value
}

func (m *model) looped(l Loop, c ast.ComprehensionExpr, t thing, in *scope) value {
	keys, over := m.itemsOf(t)
	defer m.enter(over.rest.like)()
	var rounds []round
	for i, x := range over.items {
		inner := in.with(c.AccuVar(), only(m.fresh()))
		switch {
		case c.HasIterVar2():
			inner = inner.with(c.IterVar(), only(keys[i])).with(c.IterVar2(), m.variable(x.what))
		case m.isMap(t):
			inner = inner.with(c.IterVar(), only(keys[i]))
		default:
			inner = inner.with(c.IterVar(), m.variable(x.what))
		}
		m.checkText(x.what)
		r := round{item: x, condition: only(truth(always))}
		switch {
		case l.Kind == OtherLoop:
			r.condition = m.eval(c.LoopStep(), inner)
		case l.Condition != nil:
			r.condition = m.eval(l.Condition, inner)
		}
		if l.Item != nil {
			r.made = m.eval(l.Item, inner)
		}
		rounds = append(rounds, r)
	}
	switch l.Kind {
	case All:
		return m.all(rounds, over.rest)
	case Exists:
		return m.exists(rounds, over.rest)
	case ExistsOne:
		return m.existsOne(rounds, over.rest)
	case MakesList:
		return m.listOf(l, rounds, over.rest)
	}
	return value{fails: m.failed(rounds, over.rest, always), alts: []alternative{{always, m.unknown()}}}
}

func (m *model) isMap(t thing) bool {
	p, ok := t.(*place)
	return ok && p.schema.Type == "object"
}

// itemsOf lists the items of a list or the values of a map, as far as they are known one by one, with their indexes or
// keys.
func (m *model) itemsOf(t thing) (keys []thing, over *list) {
	if m.isMap(t) {
		return m.valuesOf(t.(*place))
	}
	over, ok := t.(*list)
	if !ok {
		over = m.itemsAt(t)
	}
	for i := range over.items {
		keys = append(keys, term{name: "index " + over.key() + strconv.Itoa(i), whole: true})
	}
	return keys, over
}

// itemsAt lists the items of a list that expressions name by their index, and one that they do not.
func (m *model) itemsAt(t thing) *list {
	size, named := m.size(t), 0
	p, isPlace := t.(*place)
	if isPlace {
		named = m.named[p.path].items
	}
	others := rest{
		name: t.key(), like: t.key() + "[" + anyOther + "]", size: size,
		more: m.atLeast(size, int64(named)+2), there: always,
	}
	var items []item
	for i := range named + 1 {
		at := strconv.Itoa(i)
		if i == named {
			at = anyOther
		}
		x := item{
			there: m.atLeast(size, int64(i)+1), left: always,
			what: term{name: t.key() + "[" + at + "]"}, like: i == named,
		}
		if isPlace {
			if next, _ := m.below(p, step{toItem, at}); next != nil {
				x.what = next
			}
		}
		items = append(items, x)
	}
	return m.newList(items, others)
}

// valuesOf lists the values of a map: those of keys that expressions name, and one whose key they do not.
func (m *model) valuesOf(p *place) (keys []thing, over *list) {
	named, key := m.named[p.path].keys, term{name: keyOf(p)}
	others := rest{name: p.name, like: p.name + "[" + anyOther + "]", size: m.size(p)}
	var items []item
	for _, k := range named {
		keys = append(keys, k)
	}
	m.chain(key).never = named
	for i, k := range append(keys, key) {
		next, there := m.lookup(p, k)
		items = append(items, item{there: there, left: always, what: next, like: i == len(named)})
		others.there = there
	}
	for n, when := range m.counts(items[:len(named)]) {
		others.more = m.or(others.more, m.and(when, m.atLeast(others.size, int64(n)+2)))
	}
	return append(keys, key), m.newList(items, others)
}

// all evaluates to false if one round is, whatever the others are: it is the opposite of exists of the opposite.
func (m *model) all(rounds []round, rest rest) value {
	for i := range rounds {
		rounds[i].condition = m.opposite(rounds[i].condition)
	}
	return m.opposite(m.exists(rounds, rest))
}

// exists evaluates to true if one round is, whatever the others are. No other macro is like these two.
func (m *model) exists(rounds []round, rest rest) value {
	out, found := never, never
	for _, r := range rounds {
		when := m.and(r.there, r.left)
		out = m.or(out, m.and(when, m.isTrue(r.condition)))
		found = m.or(found, m.and(when, m.succeeds(r.condition)))
	}
	other := m.another(rest, like(m, rounds))
	out, found = m.or(out, other), m.or(found, other)
	return value{fails: m.failed(rounds, rest, m.not(found)), alts: []alternative{{always, truth(out)}}}
}

func (m *model) existsOne(rounds []round, rest rest) value {
	var list []formula
	for _, r := range rounds {
		list = append(list, m.and(r.there, r.left, m.isTrue(r.condition)))
	}
	one, none := m.countOne(list)
	one = m.ifelse(m.another(rest, like(m, rounds)), m.and(none, m.isOnlyOther(rest, like(m, rounds))), one)
	return value{fails: m.failed(rounds, rest, always), alts: []alternative{{always, truth(one)}}}
}

// like returns what is known about the item that the rest is like.
func like(m *model, rounds []round) formula {
	out := never
	for _, r := range rounds {
		if r.like {
			out = m.or(out, m.and(r.left, m.succeeds(r.condition)))
		}
	}
	return out
}

// failed returns the failures of the condition, for items that are known one by one and for others.
func (m *model) failed(rounds []round, rest rest, when formula) (out []failure) {
	for _, r := range rounds {
		out = m.joined(out, m.fails(r, rest, always, r.condition.fails))
	}
	return m.within(when, out)
}

// fails returns failures in one round, where the condition is met.
func (m *model) fails(r round, rest rest, met formula, fails []failure) []failure {
	out := m.within(m.and(r.there, r.left, met), fails)
	if r.like {
		for _, f := range fails {
			other := m.another(rest, m.and(r.left, met, f.when))
			out = m.joined(out, m.within(other, []failure{{f.read, always}}))
		}
	}
	return out
}

// listOf returns the list that filter and map make.
func (m *model) listOf(l Loop, rounds []round, rest rest) value {
	if l.Condition != nil {
		rest.size = nil
	}
	var items []item
	v := value{fails: m.failed(rounds, rest, always)}
	for _, r := range rounds {
		v.fails = m.joined(v.fails, m.fails(r, rest, m.succeeds(r.condition), r.made.fails))
		for _, a := range r.made.alts {
			if left := m.and(r.left, m.isTrue(r.condition), a.when); left != never {
				items = append(items, item{r.there, left, a.what, r.like})
			}
		}
	}
	v.alts = []alternative{{always, m.newList(items, rest)}}
	return v
}

// another says when an item that is not known one by one satisfies what is known about the one like it.
func (m *model) another(r rest, said formula) formula {
	if r.name == "" {
		return never
	}
	if given := m.asked(r.there); len(given) > 0 {
		said = m.possible(m.and(r.there, said), func(c int32) bool { return slices.Contains(given, c) })
	}
	about := m.possible(said, func(c int32) bool { return strings.Contains(m.about(c), r.like) })
	if about == said {
		return m.and(r.more, said)
	}
	return m.and(r.more, about, m.otherCondition(r, said))
}

// An other is where something is known about an item like one that is known: that it is there, and more.
type other struct {
	holds, said formula
	// like is a part of the names of all conditions about the item that is known.
	like string
}

// otherCondition returns the condition that another item satisfies a formula. It is about all that the formula is
// about.
func (m *model) otherCondition(r rest, said formula) formula {
	out, isNew := m.conditionAbout("other "+r.name+" "+truth(said).key(), said)
	if isNew {
		m.others = append(m.others, other{holds: out, said: m.and(r.there, said), like: r.like})
	}
	return out
}

// conditionAbout returns a condition that is about all that a formula is about, and whether it is a new one.
func (m *model) conditionAbout(name string, said formula) (out formula, isNew bool) {
	out = m.formulas.condition(name)
	c := m.conditions[name]
	if _, ok := m.subjects[c]; ok {
		return out, false
	}
	about := []string{name}
	for _, asked := range m.asked(said) {
		about = append(about, m.about(asked))
	}
	slices.Sort(about)
	m.subjects[c] = strings.Join(slices.Compact(about), " ")
	return out, true
}

// isOnlyOther says when no more than one of the other items satisfies a formula.
func (m *model) isOnlyOther(r rest, said formula) formula {
	if !m.decides {
		return m.truth(m.unknown())
	}
	out, _ := m.conditionAbout("only "+r.name+" "+truth(said).key(), said)
	return out
}

// about names all places that a condition is about.
func (m *model) about(c int32) string {
	if text, ok := m.subjects[c]; ok {
		return text
	}
	return m.names[c]
}

func (m *model) nonEmpty(l *list) formula {
	out, other := never, never
	for _, i := range l.items {
		out = m.or(out, m.and(i.there, i.left))
		if i.like {
			other = m.or(other, i.left)
		}
	}
	return m.or(out, m.another(l.rest, other))
}
