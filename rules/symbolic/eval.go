package symbolic

import (
	"math"
	"slices"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/traits"

	"github.com/crdproof/crdproof/internal/effort"
)

// A scope is what the names in an expression stand for.
type scope struct {
	checked *ast.AST
	name    string
	value   value
	outer   *scope
}

func (s *scope) with(name string, v value) *scope {
	return &scope{checked: s.checked, name: name, value: v, outer: s}
}

func (s *scope) lookup(name string) (value, bool) {
	for ; s != nil; s = s.outer {
		if s.name == name {
			return s.value, true
		}
	}
	return value{}, false
}

// readBy sets the part of the expression that a variable is read by, where that may fail.
func (v value) readBy(id int64) value {
	v.fails = slices.Clone(v.fails)
	for i := range v.fails {
		if v.fails[i].read.id == 0 {
			v.fails[i].read.id = id
		}
	}
	return v
}

// eval evaluates an expression for all objects at once.
func (m *model) eval(e ast.Expr, in *scope) value {
	if !m.spend(1) {
		return only(m.unknown())
	}
	switch e.Kind() {
	case ast.LiteralKind:
		return only(constant{e.AsLiteral()})
	case ast.IdentKind:
		if v, ok := in.lookup(e.AsIdent()); ok {
			return v.readBy(e.ID())
		}
		return only(constant{types.String("type " + e.AsIdent())})
	case ast.SelectKind:
		sel := e.AsSelect()
		m.checkDynamic(sel.Operand(), in.checked)
		return m.selected(e.ID(), m.eval(sel.Operand(), in), sel.FieldName(), sel.IsTestOnly(), false)
	case ast.CallKind:
		return m.call(e, in)
	case ast.ListKind:
		return m.listLiteral(e.AsList(), in)
	case ast.MapKind:
		var args []value
		for _, entry := range e.AsMap().Entries() {
			args = append(args, m.eval(entry.AsMapEntry().Key(), in), m.eval(entry.AsMapEntry().Value(), in))
		}
		return m.apply(e, "map", args, in)
	case ast.ComprehensionKind:
		return m.comprehension(e, in)
	}
	return only(m.unknown())
}

// call evaluates what does not evaluate all of its arguments, and leaves the rest to function.
func (m *model) call(e ast.Expr, in *scope) value {
	call := e.AsCall()
	exprs := call.Args()
	if call.IsMemberFunction() {
		exprs = append([]ast.Expr{call.Target()}, exprs...)
	}
	if filter := onlyOne(e); filter != nil {
		return m.existsOnly(filter, in)
	}
	args := make([]value, len(exprs))
	for i, a := range exprs {
		args[i] = m.eval(a, in)
		if i == 0 && m.decidesAlone(call.FunctionName(), args[0]) {
			return args[0]
		}
	}
	m.checkOperands(call.FunctionName(), exprs, args, in.checked)
	switch name := call.FunctionName(); name {
	case operators.LogicalAnd:
		return m.both(args[0], args[1])
	case operators.LogicalOr:
		return m.either(args[0], args[1])
	case operators.Conditional:
		return m.conditional(args[0], args[1], args[2])
	case "or", "orValue":
		return m.optionalOr(e.ID(), args, name == "orValue")
	case operators.OptSelect:
		return m.selected(e.ID(), args[0], string(exprs[1].AsLiteral().(types.String)), false, true)
	case operators.Index, operators.OptIndex:
		isList := in.checked.GetType(exprs[0].ID()).Kind() == types.ListKind
		return m.each(args, func(t []thing) value {
			out := m.index(e.ID(), t[0], t[1], name == operators.OptIndex)
			if isList && name == operators.Index {
				m.relateIndex(t[0], t[1], out)
			}
			return out
		})
	default:
		return m.function(e, name, args, in)
	}
}

// decidesAlone reports whether the first operand of && or || decides its value for all objects.
func (m *model) decidesAlone(name string, first value) bool {
	return name == operators.LogicalOr && m.succeeds(first) == always ||
		name == operators.LogicalAnd && m.rejects(first) == always
}

// both evaluates a && b: false where one of them is, whatever the other is.
func (m *model) both(a, b value) value {
	return value{
		fails: m.joined(m.within(m.not(m.rejects(b)), a.fails), m.within(m.not(m.rejects(a)), b.fails)),
		alts:  []alternative{{always, truth(m.and(m.isTrue(a), m.isTrue(b)))}},
	}
}

// either evaluates a || b: true where one of them is, whatever the other is. That is !(!a && !b).
func (m *model) either(a, b value) value { return m.opposite(m.both(m.opposite(a), m.opposite(b))) }

// opposite evaluates !a.
func (m *model) opposite(a value) value {
	return value{fails: a.fails, alts: []alternative{{always, truth(m.not(m.isTrue(a)))}}}
}

func (m *model) conditional(c, a, b value) value {
	yes, no := m.isTrue(c), m.not(m.isTrue(c))
	out := value{fails: m.joined(c.fails, m.within(m.succeeds(c), a.fails), m.within(m.rejects(c), b.fails))}
	for _, x := range a.alts {
		out.alts = append(out.alts, alternative{m.and(yes, x.when), x.what})
	}
	for _, x := range b.alts {
		out.alts = append(out.alts, alternative{m.and(no, x.when), x.what})
	}
	out.alts = m.merged(out.alts)
	return out
}

// optionalOr evaluates a.or(b), and a.orValue(b), which takes the value out.
func (m *model) optionalOr(id int64, args []value, unwrap bool) value {
	a, b := args[0], args[1]
	out := value{fails: a.fails}
	empty := never
	for _, x := range a.alts {
		switch t := x.what.(type) {
		case none:
			empty = m.or(empty, x.when)
		case some:
			if unwrap {
				x.what = t.value
			}
			out.alts = append(out.alts, x)
		case unwrapped:
			fails := []failure{{readID{id, Unwrapped}, always}}
			out.fails = m.joined(out.fails, m.within(m.and(x.when, m.not(m.failing(a))), fails))
			out.alts = append(out.alts, alternative{x.when, m.fresh()})
		default:
			// An optional about which nothing is known may have a value or not.
			has := m.condition("has " + t.key())
			empty = m.or(empty, m.and(x.when, m.not(has)))
			out.alts = append(out.alts, alternative{m.and(x.when, has), term{name: "value " + t.key()}})
		}
	}
	out.fails = m.joined(out.fails, m.within(m.and(empty, m.not(m.failing(a))), b.fails))
	for _, y := range b.alts {
		out.alts = append(out.alts, alternative{m.and(empty, y.when), y.what})
	}
	out.alts = m.merged(out.alts)
	return out
}

// function evaluates functions of all their arguments: those about which something is known, and others by their name.
func (m *model) function(e ast.Expr, name string, args []value, in *scope) value {
	boolean := func(f func(t []thing) formula) value {
		return m.each(args, func(t []thing) value { return only(truth(f(t))) })
	}
	switch name {
	case operators.LogicalNot:
		return boolean(func(t []thing) formula { return m.not(m.truth(t[0])) })
	case operators.Equals:
		return boolean(func(t []thing) formula { return m.equal(t[0], t[1]) })
	case operators.NotEquals:
		return boolean(func(t []thing) formula { return m.not(m.equal(t[0], t[1])) })
	case operators.Less:
		return boolean(func(t []thing) formula { return m.less(t[0], t[1]) })
	case operators.Greater:
		return boolean(func(t []thing) formula { return m.less(t[1], t[0]) })
	case operators.LessEquals:
		return boolean(func(t []thing) formula { return m.not(m.less(t[1], t[0])) })
	case operators.GreaterEquals:
		return boolean(func(t []thing) formula { return m.not(m.less(t[0], t[1])) })
	case operators.In:
		return boolean(func(t []thing) formula { return m.in(t[0], t[1]) })
	case "hasValue":
		return m.each(args, func(t []thing) value { return m.hasValue(e.ID(), t[0]) })
	case "size":
		return m.each(args, func(t []thing) value { return m.sizes(t[0]) })
	case "dyn":
		return args[0]
	case "type":
		return m.each(args, func(t []thing) value { return only(m.typeOf(t[0])) })
	case "value":
		return m.each(args, func(t []thing) value { return m.valueOf(e.ID(), t[0]) })
	case "first", "last":
		if name == "last" {
			m.doubt() // it is not the one that is like it
		}
		return m.each(args, func(t []thing) value { return m.firstOf(t[0]) })
	case "optional.of":
		return m.each(args, func(t []thing) value { return only(some{t[0]}) })
	case "optional.none":
		return only(none{})
	case "optional.ofNonZeroValue":
		return m.each(args, func(t []thing) value { return m.nonZero(t[0]) })
	case "int", "string", "duration": // of a value of the type
		if in.checked.GetType(e.ID()).IsExactType(in.checked.GetType(e.AsCall().Args()[0].ID())) {
			return args[0]
		}
	case operators.Add, operators.Subtract:
		return m.sum(e, name, args, in)
	case operators.Multiply, operators.Negate:
		return m.product(e, name, args, in)
	case "matches", "startsWith", "endsWith", "contains":
		return m.textFunction(e, name, args, in)
	}
	return m.apply(e, name, args, in)
}

// apply evaluates a function about which nothing is known except that equal arguments give equal values.
func (m *model) apply(e ast.Expr, name string, args []value, in *scope) value {
	return m.each(args, func(t []thing) value {
		if out, ok := m.computed(e, name, t); ok {
			return out
		}
		key := name + "("
		for _, arg := range t {
			key += arg.key() + ","
		}
		key = m.known(key + ")")
		out := only(term{name: key})
		switch typ := in.checked.GetType(e.ID()); {
		case typ.Kind() == types.BoolKind:
			out = only(truth(m.condition("true " + key)))
		case typ.TypeName() == types.OptionalType.TypeName():
			has, isKnown := m.formatted(name, t)
			if has = m.not(has); !isKnown {
				has = m.condition("has " + key)
			}
			out.alts = []alternative{{has, some{term{name: key}}}, {m.not(has), none{}}}
		case typ.Kind() == types.IntKind, typ.Kind() == types.DurationKind:
			out = only(term{name: key, whole: true})
			m.noteRemainder(name, t, out)
			if low, top, ok := rangeOf(name); ok && m.decides {
				m.scale(out.alts[0].what).low, m.scale(out.alts[0].what).top = low, top
			}
		case typ.Kind() == types.StringKind:
			m.notePrefix(key, name, t)
		}
		if !isTotal(e, name, in.checked) {
			out.fails = m.otherFailure(e.ID(), key)
			m.relateFailure(e, name, t, in.checked, m.failing(out))
		}
		m.noteApplication(key, name, t, out)
		return out
	})
}

// sum adds integers that are known, and lists.
func (m *model) sum(e ast.Expr, name string, args []value, in *scope) value {
	if len(args) < 2 {
		return m.apply(e, name, args, in)
	}
	if total, ok := m.boundedSum(e, name, args, in); ok {
		return total
	}
	return m.each(args, func(t []thing) value {
		a, isConstant := t[0].(constant)
		b, alsoConstant := t[1].(constant)
		if isConstant && alsoConstant {
			x, ok := a.Val.(types.Int)
			sum := x.Add(b.Val)
			if name == operators.Subtract {
				sum = x.Subtract(b.Val)
			}
			if ok && !types.IsError(sum) {
				return only(constant{sum})
			}
		}
		m.checkWhole(t[0], t[1]) // sets and maps compare their items
		x, isList := t[0].(*list)
		y, alsoList := t[1].(*list)
		if isList && alsoList && x.rest.name == "" && y.rest.name == "" {
			return only(m.newList(slices.Concat(x.items, y.items), rest{}))
		}
		isInt := in.checked.GetType(e.ID()).Kind() == types.IntKind
		first, second := t[0], t[1]
		if isInt && name == operators.Add && second.key() < first.key() {
			first, second = second, first
		}
		out := m.apply(e, name, []value{only(first), only(second)}, in)
		if !m.decides || !isInt || len(out.alts) != 1 {
			return out
		}
		if name == operators.Subtract {
			m.relateDifference(out, first, second)
		}
		m.noteLinear(name, &out, first, second)
		if low, top, ok := m.sums(name, t[0], t[1]); ok { // it does not overflow
			s := m.scale(out.alts[0].what)
			s.low, s.top, out.fails = low, top, nil
		}
		return out
	})
}

// boundedSum returns a sum of integers that may be many, of which only the bounds are known.
func (m *model) boundedSum(e ast.Expr, name string, args []value, in *scope) (out value, ok bool) {
	isInt := in.checked.GetType(e.ID()).Kind() == types.IntKind
	if !m.decides || len(m.loops) > 0 || !isInt ||
		int64(len(args[0].alts)*len(args[1].alts)) <= effort.SymbolicSums.Most {
		return value{}, false
	}
	total := term{name: m.fresh().key(), whole: true}
	s := m.scale(total)
	s.low, s.top = math.MaxInt64, math.MinInt64
	for _, a := range args[0].alts {
		for _, b := range args[1].alts {
			low, top, ok := m.sums(name, a.what, b.what)
			if !ok {
				return value{}, false
			}
			s.low, s.top = min(s.low, low), max(s.top, top)
		}
	}
	return value{fails: m.joined(args[0].fails, args[1].fails), alts: []alternative{{always, total}}}, true
}

// in says when a list has an item, or a map a key.
func (m *model) in(a, b thing) formula {
	switch b := b.(type) {
	case *place:
		if b.schema.Type == "object" {
			value, there := m.lookup(b, a)
			m.checkRead(value)
			return there
		}
		if _, isConstant := a.(constant); isConstant && m.decides {
			return m.hasItem(a, b)
		}
		m.checkWhole(b, a)
		return m.and(m.atLeast(m.size(b), 1), m.condition(a.key()+" in "+b.key()))
	case *list:
		out := never
		for _, i := range b.items {
			out = m.or(out, m.and(i.there, i.left, m.equal(a, i.what)))
		}
		if b.rest.name != "" && m.decides {
			return m.hasLike(a, b)
		}
		if b.rest.name != "" {
			out = m.or(out, m.and(b.rest.more, m.condition(a.key()+" in "+b.key())))
		}
		return out
	}
	return m.condition(a.key() + " in " + b.key())
}

// hasItem says when a list has an item that equals a constant.
func (m *model) hasItem(a thing, list *place) formula { return m.hasLike(a, m.itemsAt(list)) }

// hasLike says when a list has an item that equals a value.
func (m *model) hasLike(a thing, over *list) formula {
	defer m.enter(over.rest.like)()
	var rounds []round
	for _, x := range over.items {
		m.checkRead(x.what)
		rounds = append(rounds, round{item: x, condition: only(truth(m.equal(x.what, a)))})
	}
	return m.isTrue(m.exists(rounds, over.rest))
}

func (m *model) listLiteral(l ast.ListExpr, in *scope) value {
	var items []item
	var fails []failure
	for i, e := range l.Elements() {
		v := m.eval(e, in)
		fails = m.joined(fails, v.fails)
		for _, a := range v.alts {
			if l.IsOptional(int32(i)) {
				if !isOptionalThing(a.what) {
					m.doubt()
				}
				x, ok := a.what.(some)
				if !ok {
					continue
				}
				a.what = x.value
			}
			items = append(items, item{there: always, left: a.when, what: a.what})
		}
	}
	return value{fails: fails, alts: []alternative{{always, m.newList(items, rest{})}}}
}

// typeOf returns the type of a value, one of two for int-or-string.
func (m *model) typeOf(t thing) thing {
	out := term{name: "type(" + t.key() + ")"}
	if p, ok := t.(*place); ok && p.schema.XIntOrString {
		m.chain(out).enum = []string{
			constant{types.String("type int")}.key(), constant{types.String("type string")}.key(),
		}
	}
	return out
}

// nonZero evaluates optional.ofNonZeroValue.
func (m *model) nonZero(t thing) value {
	var zero formula
	switch p, ok := t.(*place); {
	case m.isBoolean(t):
		zero = m.not(m.truth(t))
	case isWhole(t):
		zero = m.equal(t, constant{types.Int(0)})
	case ok && p.schema.Type == "string", ok && p.schema.Type == "array":
		zero = m.not(m.atLeast(m.size(t), 1))
	default:
		zero = m.condition("zero " + t.key())
		if c, ok := t.(constant); ok {
			z, isZeroer := c.Val.(traits.Zeroer)
			zero = constantly(isZeroer && z.IsZeroValue())
		}
	}
	return value{alts: []alternative{{m.not(zero), some{t}}, {zero, none{}}}}
}
