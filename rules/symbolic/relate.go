package symbolic

import (
	"math/big"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
)

// relateFailure assumes when a function fails: where the condition does not hold that a guard would ask for.
func (m *model) relateFailure(e ast.Expr, name string, args []thing, checked *ast.AST, fails formula) {
	if !m.decides || len(args) == 0 || e.Kind() != ast.CallKind { // a literal of a map has no function
		return
	}
	call := e.AsCall()
	operand := call.Target()
	if !call.IsMemberFunction() {
		operand = call.Args()[0]
	}
	isText := checked.GetType(operand.ID()).Kind() == types.StringKind
	called := func(function string, args ...string) formula {
		return m.condition("true " + m.known(function+"("+strings.Join(args, ",")+",)"))
	}
	var keys []string
	for _, a := range args {
		keys = append(keys, a.key())
	}
	switch pattern := ReadablePattern(name); {
	case Checker(name) != "" && isText:
		m.relate(always, m.same(m.not(called(Checker(name), keys...)), fails))
	case name == "uint" && checked.GetType(operand.ID()).Kind() == types.IntKind:
		m.relate(always, m.same(m.not(m.atLeast(args[0], 0)), fails))
	case pattern != "" && isText:
		text := constant{types.String(pattern)}.key()
		m.relate(always, m.or(called("matches", keys[0], text), fails))
	case name == "asInteger":
		m.relate(always, m.or(called("isInteger", keys[0]), fails))
	case (name == operators.Divide || name == operators.Modulo) && checked.GetType(e.ID()).Kind() == types.IntKind:
		m.relate(m.equal(args[1], constant{types.Int(0)}), fails)
		if n, ok := wholeConstant(args[1]); ok && n != 0 && n != -1 { // the least integer divided by -1 is too large
			m.relate(always, m.not(fails))
		}
	case name == "min" || name == "max":
		m.relate(m.not(m.atLeast(m.size(args[0]), 1)), fails)
	case name == "substring" || name == "charAt":
		outside := m.less(m.size(args[0]), args[len(args)-1])
		for i, position := range args[1:] {
			least := thing(constant{types.Int(0)})
			if i > 0 {
				least = args[i]
			}
			outside = m.or(outside, m.less(position, least))
		}
		m.relate(always, m.same(outside, fails))
	}
}

// relate assumes what is known of each item of the macro around it.
func (m *model) relate(when, holds formula) {
	m.assume(when, holds, -1, m.currentItem())
}

// currentItem returns the item of the macro around an expression, nil outside macros.
func (m *model) currentItem() *place {
	if n := len(m.loops); n > 0 {
		return m.places[m.loops[n-1]]
	}
	return nil
}

// relateIndex assumes when an index fails in a list that a function returns.
func (m *model) relateIndex(list, index thing, out value) {
	c, isConstant := index.(constant)
	if _, isReturned := list.(term); !isReturned || !isConstant {
		return
	}
	m.noteApplication(list.key()+"["+index.key()+"]", operators.Index, []thing{list, index}, out)
	if n, ok := c.Val.(types.Int); ok && n >= 0 {
		m.relate(always, m.same(m.not(m.atLeastIn(m.size(list), more(big.NewInt(int64(n))))), m.failing(out)))
	}
}
