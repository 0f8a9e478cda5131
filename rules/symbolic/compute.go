package symbolic

import (
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"github.com/crdproof/crdproof/internal/effort"
)

// Functions of constants are called with the API server's code. So a condition that a value equals a constant says what
// all functions of the value return.

// An implementation is a function of CEL.
type implementation func(args ...ref.Val) ref.Val

// functions are those of the environment of a rule, which are looked up once.
type functions struct {
	env   *cel.Env
	known map[string]implementation
}

// lookup returns a function; nil if the function cannot be called on its own.
func (f *functions) lookup(name string) implementation {
	if out, ok := f.known[name]; ok || f.env == nil {
		return out
	}
	f.known[name] = nil
	declared := f.env.Functions()[name]
	if declared == nil {
		return nil
	}
	overloads, err := declared.Bindings()
	if err != nil {
		return nil
	}
	for _, o := range overloads {
		if o.Operator == name {
			f.known[name] = func(args ...ref.Val) ref.Val {
				switch {
				case len(args) == 1 && o.Unary != nil:
					return o.Unary(args[0])
				case len(args) == 2 && o.Binary != nil:
					return o.Binary(args[0], args[1])
				case o.Function != nil:
					return o.Function(args...)
				}
				return types.NoSuchOverloadErr()
			}
		}
	}
	return f.known[name]
}

// call returns the value of a function, an error of CEL if it fails; ok is unset if that is not known.
func (f *functions) call(name string, args []ref.Val) (out ref.Val, ok bool) {
	if name == operators.Index {
		if list, isList := args[0].(traits.Lister); isList {
			return list.Get(args[1]), true
		}
		return nil, false
	}
	called := f.lookup(name)
	if called == nil {
		return nil, false
	}
	out = called(args...)
	return out, out != nil && !types.IsUnknown(out)
}

// An application is a function of things, and what it returns.
type application struct {
	function string
	args     []thing
	out      value
	// item is the item of the macro around it, nil outside macros.
	item *place
	// related is the number of constants for which it has been called.
	related int
}

// noteApplication keeps a function of things, to be called when they are known.
func (m *model) noteApplication(key, function string, args []thing, out value) {
	if !m.decides || m.isApplied[key] {
		return
	}
	if m.isApplied == nil {
		m.isApplied = map[string]bool{}
	}
	m.isApplied[key] = true
	m.applications = append(m.applications, application{function, slices.Clone(args), out, m.currentItem(), 0})
}

// computed returns the value of a function of constants, as far as values of its type are compared.
func (m *model) computed(e ast.Expr, function string, args []thing) (value, bool) {
	if !m.decides || e.Kind() != ast.CallKind || len(args) == 0 {
		return value{}, false
	}
	var vals []ref.Val
	for _, a := range args {
		c, isConstant := a.(constant)
		if !isConstant {
			return value{}, false
		}
		vals = append(vals, c.Val)
	}
	out, ok := m.functions.call(function, vals)
	if !ok || !isScalar(out) {
		return value{}, false
	}
	return only(constant{out}), true
}

// isScalar reports whether constants of the type of a value are compared.
func isScalar(v ref.Val) bool {
	switch v.(type) {
	case types.String, types.Int, types.Bool, types.Duration:
		return true
	}
	return false
}

// relateApplications assumes what functions return for the constants that an argument may equal.
func (m *model) relateApplications() {
	for i := 0; i < len(m.applications) && !m.full; i++ {
		a := &m.applications[i]
		unknown := slices.DeleteFunc(slices.Clone(a.args), func(arg thing) bool { return isConstant(arg) })
		if len(unknown) != 1 {
			continue
		}
		c := m.chains[unknown[0].key()]
		for ; c != nil && a.related < len(c.constants) && m.spend(1); a.related++ {
			k := a.related
			if out, ok := m.callWith(a, map[string]ref.Val{c.name: c.constants[k].Val}); ok {
				m.assume(c.equal[k], m.returns(a, out), -1, a.item)
			}
		}
	}
}

func isConstant(t thing) bool {
	_, ok := t.(constant)
	return ok
}

// callWith returns the value of an application if some things have some values.
func (m *model) callWith(a *application, known map[string]ref.Val) (ref.Val, bool) {
	var vals []ref.Val
	for _, arg := range a.args {
		v, ok := known[arg.key()]
		if c, isConstant := arg.(constant); isConstant {
			v, ok = c.Val, true
		}
		if !ok || types.IsError(v) {
			return nil, false
		}
		vals = append(vals, v)
	}
	return m.functions.call(a.function, vals)
}

// returns says when an application returns a value, as far as that is compared.
func (m *model) returns(a *application, out ref.Val) formula {
	fails := m.failing(a.out)
	if types.IsError(out) {
		return m.or(fails, constantly(len(a.out.fails) == 0))
	}
	succeeds := m.not(fails)
	switch what := a.out.alts[0].what.(type) {
	case truth:
		return m.and(succeeds, m.same(formula(what), constantly(out == types.True)))
	case term:
		if isScalar(out) {
			return m.and(succeeds, m.equal(what, constant{out}))
		}
		if list, isSized := out.(traits.Sizer); isSized && m.scales[sizeName(what.name)] != nil {
			return m.and(succeeds, m.equal(m.size(what), constant{list.Size()}))
		}
	case some, none:
		if optional, ok := out.(*types.Optional); ok {
			return m.and(succeeds, m.same(a.out.alts[0].when, constantly(optional.HasValue())))
		}
	}
	return succeeds
}

// rangeOf returns the least and the largest number that a function returns.
func rangeOf(function string) (low, top int64, ok bool) {
	switch function {
	case "family":
		return 4, 6, true
	case "prefixLength":
		return 0, 128, true
	}
	return 0, 0, false
}

// A remainder is the term of an integer modulo a positive constant.
type remainder struct {
	name string
	by   int64
	term thing
	item *place
	// related is the number of constants for which it has been compared with others.
	related map[string]int
}

// noteRemainder notes what is known of an integer modulo a constant.
func (m *model) noteRemainder(function string, args []thing, out value) {
	by, isConstant := args[len(args)-1].(constant)
	n, isInt := by.Val.(types.Int)
	if function != operators.Modulo || !m.decides || !isConstant || !isInt || n < 2 || !isWhole(args[0]) {
		return
	}
	what := out.alts[0].what
	if slices.ContainsFunc(m.remainders, func(r remainder) bool { return r.term.key() == what.key() }) {
		return
	}
	s := m.scale(what)
	s.low, s.top = -int64(n)+1, int64(n)-1
	m.relate(m.atLeast(args[0], 0), m.atLeast(what, 0))
	m.remainders = append(m.remainders, remainder{args[0].key(), int64(n), what, m.currentItem(), map[string]int{}})
}

// relateRemainders assumes that a remainder decides that of a divisor of the modulus.
func (m *model) relateRemainders() {
	for _, r := range m.remainders {
		for _, d := range m.remainders {
			if r.name != d.name || r.by == d.by || r.by%d.by != 0 {
				continue
			}
			steps := slices.Clone(m.scale(r.term).steps)
			if len(steps) == r.related[d.term.key()] {
				continue
			}
			for _, n := range steps {
				equals := func(x remainder, n int64) formula { return m.equal(x.term, constant{types.Int(n)}) }
				m.assume(equals(r, n), equals(d, n%d.by), -1, r.item)
			}
			r.related[d.term.key()] = len(m.scale(r.term).steps)
		}
	}
}

// formatLanguages are the formats whose texts a pattern and a length decide.
func formatLanguage(format string) (pattern string, length int64) {
	switch strings.TrimSuffix(strings.TrimPrefix(format, "format."), "()") {
	case "dns1123Label":
		return `^[a-z0-9]([-a-z0-9]*[a-z0-9])?\z`, 63
	case "dns1123Subdomain":
		return `^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\z`, 253
	case "dns1035Label":
		return `^[a-z]([-a-z0-9]*[a-z0-9])?\z`, 63
	case "labelValue":
		return `^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?\z`, 63
	}
	return "", 0
}

// formatted says when a text has a format; ok is unset for formats of which that is not known.
func (m *model) formatted(function string, args []thing) (holds formula, ok bool) {
	if !m.decides || function != "validate" || len(args) != 2 {
		return never, false
	}
	pattern, length := formatLanguage(args[0].key())
	if pattern == "" || m.text(args[1]) == nil {
		return never, false
	}
	holds = m.condition("true " + m.known("matches("+args[1].key()+","+constant{types.String(pattern)}.key()+",)"))
	m.noteLanguage(args[1], holds, pattern)
	return m.and(holds, m.not(m.atLeast(m.size(args[1]), length+1))), true
}

// A prefix is the start of a text.
type prefix struct {
	text    thing
	letters int64
}

// notePrefix notes which term is the start of a text, so that it is known how the text begins if the term equals a
// constant.
func (m *model) notePrefix(key, function string, args []thing) {
	if !m.decides || len(args) < 2 {
		return
	}
	if text, letters := prefixOf(function, args); text != nil {
		m.prefixes[key] = prefix{text, letters}
	}
}

// prefixOf returns the text whose start a call returns, and how many letters of it.
func prefixOf(function string, args []thing) (text thing, letters int64) {
	var ends []int64
	for _, a := range args[1:] {
		c, _ := a.(constant)
		n, ok := c.Val.(types.Int)
		if !ok {
			return nil, 0
		}
		ends = append(ends, int64(n))
	}
	switch {
	case function == "substring" && len(ends) == 2 && ends[0] == 0 && ends[1] <= effort.SymbolicSize.Most:
		return args[0], ends[1]
	case function == "charAt" && len(ends) == 1 && ends[0] == 0:
		return args[0], 1
	}
	return nil, 0
}
