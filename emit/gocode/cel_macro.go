package gocode

import (
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// A celMacro is the macro that a comprehension was made of (cel-go, parser/macro.go and ext/comprehensions.go).
type celMacro struct {
	kind celMacroKind
	fold ast.ComprehensionExpr
	// predicate is the condition on the variables; nil if a transformation has none.
	predicate ast.Expr
	// transform is the expression for an item.
	transform ast.Expr
}

type celMacroKind uint8

const (
	macroAll celMacroKind = iota
	macroExists
	macroExistsOne
	macroFilter
	macroMap
	// macroMapping is transformMap, macroEntries is transformMapEntry.
	macroMapping
	macroEntries
	// macroBind names a value, as optMap does.
	macroBind
)

// macro recognizes the macro of a comprehension; nil for all else.
func (c *celCompiler) macro(e ast.Expr) *celMacro {
	if e.Kind() != ast.ComprehensionKind {
		return nil
	}
	m := &celMacro{fold: e.AsComprehension()}
	switch init := m.fold.AccuInit(); {
	case isLiteral(m.fold.LoopCondition(), celtypes.False) && isIdent(m.fold.LoopStep(), m.fold.AccuVar()):
		m.kind = macroBind
		return m
	case isLiteral(init, celtypes.True):
		m.kind = macroAll
		return m.quantifier(operators.LogicalAnd, false)
	case isLiteral(init, celtypes.False):
		m.kind = macroExists
		return m.quantifier(operators.LogicalOr, true)
	case isLiteral(init, celtypes.Int(0)):
		m.kind = macroExistsOne
		return m.counter()
	case init.Kind() == ast.ListKind && init.AsList().Size() == 0:
		m.kind = macroMap
		return m.collector(operators.Add)
	case init.Kind() == ast.MapKind && init.AsMap().Size() == 0:
		m.kind = macroMapping
		return m.collector("cel.@mapInsert")
	}
	return nil
}

// quantifier recognizes all and exists, which end when the result is known.
func (m *celMacro) quantifier(operator string, negated bool) *celMacro {
	condition, ok := operationOf(m.fold.LoopCondition(), operators.NotStrictlyFalse, 1)
	if !ok {
		return nil
	}
	accu := condition[0]
	if negated {
		not, ok := operationOf(accu, operators.LogicalNot, 1)
		if !ok {
			return nil
		}
		accu = not[0]
	}
	step, ok := operationOf(m.fold.LoopStep(), operator, 2)
	if !ok || !m.isAccu(accu) || !m.isAccu(step[0]) || !m.isAccu(m.fold.Result()) {
		return nil
	}
	m.predicate = step[1]
	return m
}

// counter recognizes exists_one.
func (m *celMacro) counter() *celMacro {
	step, ok := m.conditional()
	if !ok {
		return nil
	}
	sum, isSum := operationOf(step, operators.Add, 2)
	end, isEnd := operationOf(m.fold.Result(), operators.Equals, 2)
	if !isSum || !isEnd || m.predicate == nil || !m.isAccu(sum[0]) || !isLiteral(sum[1], celtypes.Int(1)) ||
		!m.isAccu(end[0]) || !isLiteral(end[1], celtypes.Int(1)) {
		return nil
	}
	return m
}

// collector recognizes macros that make a list or a map.
func (m *celMacro) collector(function string) *celMacro {
	step, ok := m.conditional()
	if !ok || !m.isAccu(m.fold.Result()) {
		return nil
	}
	if m.kind == macroMapping {
		return m.mapping(step, function)
	}
	sum, ok := operationOf(step, function, 2)
	if !ok || !m.isAccu(sum[0]) || sum[1].Kind() != ast.ListKind || sum[1].AsList().Size() != 1 {
		return nil
	}
	m.transform = sum[1].AsList().Elements()[0]
	if m.predicate != nil && m.fold.IterVar2() == "" && isIdent(m.transform, m.fold.IterVar()) {
		m.kind, m.transform = macroFilter, nil
	}
	return m
}

func (m *celMacro) mapping(step ast.Expr, function string) *celMacro {
	if insert, ok := operationOf(step, function, 3); ok && m.isAccu(insert[0]) {
		m.transform = insert[2]
		return m
	}
	if insert, ok := operationOf(step, function, 2); ok && m.isAccu(insert[0]) {
		m.kind, m.transform = macroEntries, insert[1]
		return m
	}
	return nil
}

// conditional returns the step of a loop that never ends early, and its predicate, if there is one.
func (m *celMacro) conditional() (step ast.Expr, ok bool) {
	if !isLiteral(m.fold.LoopCondition(), celtypes.True) {
		return nil, false
	}
	args, ok := operationOf(m.fold.LoopStep(), operators.Conditional, 3)
	if !ok {
		return m.fold.LoopStep(), true
	}
	m.predicate = args[0]
	return args[1], m.isAccu(args[2])
}

func (m *celMacro) isAccu(e ast.Expr) bool { return isIdent(e, m.fold.AccuVar()) }

func isIdent(e ast.Expr, name string) bool { return e.Kind() == ast.IdentKind && e.AsIdent() == name }

func isLiteral(e ast.Expr, v ref.Val) bool {
	return e.Kind() == ast.LiteralKind && e.AsLiteral().Type() == v.Type() && e.AsLiteral().Equal(v) == celtypes.True
}

// operationOf are the arguments of a call of a function.
func operationOf(e ast.Expr, function string, args int) ([]ast.Expr, bool) {
	if e.Kind() != ast.CallKind || e.AsCall().IsMemberFunction() || e.AsCall().FunctionName() != function ||
		len(e.AsCall().Args()) != args {
		return nil, false
	}
	return e.AsCall().Args(), true
}
