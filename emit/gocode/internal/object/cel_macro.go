package object

import (
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// A Macro is the macro that a comprehension was made of (cel-go, parser/macro.go and ext/comprehensions.go).
type Macro struct {
	Kind MacroKind
	Fold ast.ComprehensionExpr
	// Predicate is the condition on the variables; nil if a transformation has none.
	Predicate ast.Expr
	// transform is the expression for an item.
	transform ast.Expr
}

// A MacroKind is the macro itself.
type MacroKind uint8

const (
	MacroAll MacroKind = iota
	MacroExists
	MacroExistsOne
	MacroFilter
	macroMap
	// macroMapping is transformMap, macroEntries is transformMapEntry.
	macroMapping
	macroEntries
	// MacroBind names a value, as optMap does.
	MacroBind
)

// Macro recognizes the macro of a comprehension; nil for all else.
func (c *Compiler) Macro(e ast.Expr) *Macro {
	if e.Kind() != ast.ComprehensionKind {
		return nil
	}
	m := &Macro{Fold: e.AsComprehension()}
	switch init := m.Fold.AccuInit(); {
	case isLiteral(m.Fold.LoopCondition(), celtypes.False) && isIdent(m.Fold.LoopStep(), m.Fold.AccuVar()):
		m.Kind = MacroBind
		return m
	case isLiteral(init, celtypes.True):
		m.Kind = MacroAll
		return m.quantifier(operators.LogicalAnd, false)
	case isLiteral(init, celtypes.False):
		m.Kind = MacroExists
		return m.quantifier(operators.LogicalOr, true)
	case isLiteral(init, celtypes.Int(0)):
		m.Kind = MacroExistsOne
		return m.counter()
	case init.Kind() == ast.ListKind && init.AsList().Size() == 0:
		m.Kind = macroMap
		return m.collector(operators.Add)
	case init.Kind() == ast.MapKind && init.AsMap().Size() == 0:
		m.Kind = macroMapping
		return m.collector("cel.@mapInsert")
	}
	return nil
}

// quantifier recognizes all and exists, which end when the result is known.
func (m *Macro) quantifier(operator string, negated bool) *Macro {
	condition, ok := OperationOf(m.Fold.LoopCondition(), operators.NotStrictlyFalse, 1)
	if !ok {
		return nil
	}
	accu := condition[0]
	if negated {
		not, ok := OperationOf(accu, operators.LogicalNot, 1)
		if !ok {
			return nil
		}
		accu = not[0]
	}
	step, ok := OperationOf(m.Fold.LoopStep(), operator, 2)
	if !ok || !m.isAccu(accu) || !m.isAccu(step[0]) || !m.isAccu(m.Fold.Result()) {
		return nil
	}
	m.Predicate = step[1]
	return m
}

// counter recognizes exists_one.
func (m *Macro) counter() *Macro {
	step, ok := m.conditional()
	if !ok {
		return nil
	}
	sum, isSum := OperationOf(step, operators.Add, 2)
	end, isEnd := OperationOf(m.Fold.Result(), operators.Equals, 2)
	if !isSum || !isEnd || m.Predicate == nil || !m.isAccu(sum[0]) || !isLiteral(sum[1], celtypes.Int(1)) ||
		!m.isAccu(end[0]) || !isLiteral(end[1], celtypes.Int(1)) {
		return nil
	}
	return m
}

// collector recognizes macros that make a list or a map.
func (m *Macro) collector(function string) *Macro {
	step, ok := m.conditional()
	if !ok || !m.isAccu(m.Fold.Result()) {
		return nil
	}
	if m.Kind == macroMapping {
		return m.mapping(step, function)
	}
	sum, ok := OperationOf(step, function, 2)
	if !ok || !m.isAccu(sum[0]) || sum[1].Kind() != ast.ListKind || sum[1].AsList().Size() != 1 {
		return nil
	}
	m.transform = sum[1].AsList().Elements()[0]
	if m.Predicate != nil && m.Fold.IterVar2() == "" && isIdent(m.transform, m.Fold.IterVar()) {
		m.Kind, m.transform = MacroFilter, nil
	}
	return m
}

func (m *Macro) mapping(step ast.Expr, function string) *Macro {
	if insert, ok := OperationOf(step, function, 3); ok && m.isAccu(insert[0]) {
		m.transform = insert[2]
		return m
	}
	if insert, ok := OperationOf(step, function, 2); ok && m.isAccu(insert[0]) {
		m.Kind, m.transform = macroEntries, insert[1]
		return m
	}
	return nil
}

// conditional returns the step of a loop that never ends early, and its predicate, if there is one.
func (m *Macro) conditional() (step ast.Expr, ok bool) {
	if !isLiteral(m.Fold.LoopCondition(), celtypes.True) {
		return nil, false
	}
	args, ok := OperationOf(m.Fold.LoopStep(), operators.Conditional, 3)
	if !ok {
		return m.Fold.LoopStep(), true
	}
	m.Predicate = args[0]
	return args[1], m.isAccu(args[2])
}

func (m *Macro) isAccu(e ast.Expr) bool { return isIdent(e, m.Fold.AccuVar()) }

func isIdent(e ast.Expr, name string) bool { return e.Kind() == ast.IdentKind && e.AsIdent() == name }

func isLiteral(e ast.Expr, v ref.Val) bool {
	return e.Kind() == ast.LiteralKind && e.AsLiteral().Type() == v.Type() && e.AsLiteral().Equal(v) == celtypes.True
}

// OperationOf returns the arguments of a call of a function.
func OperationOf(e ast.Expr, function string, args int) ([]ast.Expr, bool) {
	if e.Kind() != ast.CallKind || e.AsCall().IsMemberFunction() || e.AsCall().FunctionName() != function ||
		len(e.AsCall().Args()) != args {
		return nil, false
	}
	return e.AsCall().Args(), true
}
