package witness

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/rules/symbolic"
)

// A statement is an expression inside of macros, whose variables the normalizer knows.
type statement struct {
	by *normalizer
	e  ast.Expr
}

func (s statement) part(e ast.Expr) statement { return statement{s.by, e} }
func (s statement) text() string              { return s.by.write(s.e) }

// body returns the body of a macro.
func (s statement) body() statement {
	c := s.e.AsCall()
	return statement{s.by.inside(c), c.Args()[1]}
}

// inside returns the normalizer of the body of a macro.
func (f *normalizer) inside(c ast.CallExpr) *normalizer {
	out := &normalizer{names: append(slices.Clip(f.names), c.Args()[0].AsIdent()), know: f.know.item(c)}
	if args := c.Args(); len(args) == 3 && args[1].Kind() == ast.IdentKind && c.FunctionName() != "map" {
		out.names = append(out.names, args[1].AsIdent())
	}
	return out
}

// facts are expressions that are known to be true or false for one object, in their normal form. Each of them has been
// evaluated without an error.
type facts struct {
	// given are those from which all derivations about a schema start, nil for these themselves.
	given       *Facts
	true, false []string
	// macros are known to be true.
	macros []statement
	// open are true, too, but which of their parts are true has several answers.
	open []statement
	// left is the number of steps that are left, for all facts of one derivation.
	left *int
}

// Facts are what all derivations about a place start from, by their texts.
type Facts struct {
	facts
	isTrue, isFalse map[string]bool
}

// isKnown reports whether an expression is known to have a value.
func (f *facts) isKnown(text string, value bool) bool {
	if f.given != nil && (value && f.given.isTrue[text] || !value && f.given.isFalse[text]) {
		return true
	}
	return value && slices.Contains(f.true, text) || !value && slices.Contains(f.false, text)
}

// Given returns the facts that follow from expressions that are true, without an error.
func (k *Knowledge) Given(list []ast.Expr) *Facts {
	out := &Facts{isTrue: map[string]bool{}, isFalse: map[string]bool{}}
	by := &normalizer{know: k}
	for _, e := range list {
		out.assume(statement{by, e}, true)
	}
	for _, text := range out.true {
		out.isTrue[text] = true
	}
	for _, text := range out.false {
		out.isFalse[text] = true
	}
	return out
}

// Entails reports whether an expression is true, without an error, wherever others are. False means that it is not
// known. Only the structure of the expressions counts: what && and || join, what ?: decides, what macros are about.
func (k *Knowledge) Entails(given *Facts, e ast.Expr) bool {
	left := effort.DiffDerivation.N()
	f := facts{given: given, macros: given.macros, open: given.open, left: &left}
	out := f.byCases(statement{&normalizer{know: k}, e}, effort.DiffCases.N())
	if left < 0 {
		k.Reached = effort.DiffDerivation
	}
	return out
}

// byCases derives a statement, if necessary for each answer that a fact may have.
func (f *facts) byCases(s statement, splits int) bool {
	if f.derives(s, true) {
		return true
	}
	if !s.by.know.Steps.Rules.Spend(f.size()) || len(f.open) == 0 || splits == 0 || *f.left <= 0 {
		return false
	}
	open, rest := f.open[0], f.clone()
	rest.open = rest.open[1:]
	args := open.e.AsCall().Args()
	if isCall(open.e, operators.Conditional) {
		first, second := rest.clone(), rest.clone()
		first.assume(open.part(args[0]), true)
		first.assume(open.part(args[1]), true)
		second.assume(open.part(args[0]), false)
		second.assume(open.part(args[2]), true)
		return first.byCases(s, splits-1) && second.byCases(s, splits-1)
	}
	return !slices.ContainsFunc(operands(open.e, operators.LogicalOr), func(operand ast.Expr) bool {
		return !rest.with(open.part(operand), true).byCases(s, splits-1)
	})
}

func (f *facts) clone() *facts {
	return &facts{f.given, slices.Clip(f.true), slices.Clip(f.false), slices.Clip(f.macros),
		slices.Clip(f.open), f.left}
}

// size returns what copies of the facts take.
func (f *facts) size() int {
	return 1 + (len(f.true)+len(f.false)+len(f.macros)+len(f.open))/BytesPerStep
}

func (f *facts) with(s statement, value bool) *facts {
	s.by.know.Steps.Rules.Spend(f.size())
	out := f.clone()
	out.assume(s, value)
	return out
}

// assume adds an expression that has a value, and what follows from that.
func (f *facts) assume(s statement, value bool) {
	if !s.by.know.Steps.Rules.Spend(1) {
		return
	}
	if value {
		f.true = append(f.true, s.text())
	} else {
		f.false = append(f.false, s.text())
	}
	f.exists(s)
	if s.e.Kind() != ast.CallKind {
		return
	}
	c := s.e.AsCall()
	switch name := c.FunctionName(); {
	case name == operators.LogicalNot:
		f.assume(s.part(c.Args()[0]), !value)
	case name == operators.LogicalAnd && value, name == operators.LogicalOr && !value:
		for _, operand := range operands(s.e, name) {
			f.assume(s.part(operand), value)
		}
	case value && (name == operators.LogicalOr || name == operators.Conditional):
		f.open = append(f.open, s)
	case value && isQuantifier(c):
		f.macros = append(f.macros, s)
	}
}

// exists adds that the fields exist that an expression has read: it has been evaluated without an error. Operands of
// && and || may have failed, and others have not been evaluated.
func (f *facts) exists(s statement) {
	switch s.e.Kind() {
	case ast.CallKind:
		c := s.e.AsCall()
		name := c.FunctionName()
		if name == "has" || name == operators.LogicalAnd || name == operators.LogicalOr ||
			name == operators.Conditional || slices.Contains(macros, name) || strings.HasPrefix(name, "_?") ||
			strings.HasPrefix(name, "_[?") || name == "orValue" || name == "or" {
			return
		}
		if c.IsMemberFunction() {
			f.exists(s.part(c.Target()))
		}
		for _, arg := range c.Args() {
			f.exists(s.part(arg))
		}
		if guard := s.guard(c); guard != nil {
			f.true = append(f.true, s.part(guard).text())
		}
	case ast.SelectKind:
		f.true = append(f.true, "has("+s.text()+")")
		f.exists(s.part(s.e.AsSelect().Operand()))
	}
}

// guard returns what is true wherever a call has a value, nil if nothing is known: a divisor is not 0, and a text that
// is read as a quantity is one.
func (s statement) guard(c ast.CallExpr) ast.Expr {
	parts, name := c.Args(), c.FunctionName()
	if c.IsMemberFunction() {
		parts = append([]ast.Expr{c.Target()}, parts...)
	}
	if len(parts) == 0 {
		return nil
	}
	hasType := func(e ast.Expr, jsonType string) bool {
		t, ok := s.by.know.target(e)
		return ok && t.s != nil && t.s.Type.V == jsonType
	}
	factory, last := ast.NewExprFactory(), parts[len(parts)-1]
	zero := factory.NewLiteral(0, types.Int(0))
	switch pattern := symbolic.ReadablePattern(name); {
	case (name == operators.Divide || name == operators.Modulo) && hasType(last, "integer"):
		return factory.NewCall(0, operators.NotEquals, last, zero)
	case (name == "max" || name == "min") && hasType(parts[0], "array"):
		return factory.NewCall(0, operators.Greater, factory.NewCall(0, "size", parts[0]), zero)
	case symbolic.Checker(name) != "" && hasType(parts[0], "string"):
		return factory.NewCall(0, symbolic.Checker(name), parts...)
	case pattern != "" && hasType(parts[0], "string"):
		return factory.NewMemberCall(0, "matches", parts[0], factory.NewLiteral(0, types.String(pattern)))
	}
	return nil
}

// isQuantifier reports whether a call is a macro over items with one variable.
func isQuantifier(c ast.CallExpr) bool {
	return c.IsMemberFunction() && len(c.Args()) == 2 && c.Args()[0].Kind() == ast.IdentKind &&
		slices.Contains([]string{"all", "exists", "exists_one", "existsOne"}, c.FunctionName())
}

// derives reports whether an expression certainly has a value.
func (f *facts) derives(s statement, value bool) bool {
	if *f.left--; *f.left < 0 {
		return false
	}
	text := s.text()
	if f.isKnown(text, value) {
		return true
	}
	if known, ok := s.by.know.truth(s.e); ok && known == value {
		return true
	}
	if s.e.Kind() != ast.CallKind {
		return false
	}
	c := s.e.AsCall()
	args := c.Args()
	switch name := c.FunctionName(); {
	case name == operators.LogicalNot:
		return f.derives(s.part(args[0]), !value)
	case name == operators.LogicalAnd || name == operators.LogicalOr:
		x, y := s.part(args[0]), s.part(args[1])
		if value != (name == operators.LogicalOr) { // each operand must have the value
			return f.derives(x, value) && f.with(x, value).derives(y, value)
		}
		// Either is enough. If the first one has the other value, the second one must have this one.
		return f.derives(x, value) || f.derives(y, value) || f.isSafe(x) && f.with(x, !value).byOpen(y, value)
	case name == operators.Conditional:
		condition := s.part(args[0])
		for i, branch := range []bool{true, false} {
			if !f.derives(condition, !branch) && !(f.derives(condition, branch) || f.isSafe(condition)) {
				return false
			}
			if !f.derives(condition, !branch) && !f.with(condition, branch).byOpen(s.part(args[1+i]), value) {
				return false
			}
		}
		return true
	case value && isQuantifier(c):
		return f.derivesMacro(s)
	}
	return false
}

// byOpen derives an expression with what is decided by the facts that are known now.
func (f *facts) byOpen(s statement, value bool) bool {
	if f.derives(s, value) {
		return true
	}
	for i, open := range f.open {
		if !s.by.know.Steps.Rules.Spend(1) {
			return false
		}
		if !isCall(open.e, operators.Conditional) {
			continue
		}
		args := open.e.AsCall().Args()
		for j, branch := range []bool{true, false} {
			if f.derives(open.part(args[0]), branch) && s.by.know.Steps.Rules.Spend(f.size()) {
				next := f.clone()
				next.open = slices.Concat(f.open[:i], f.open[i+1:])
				next.assume(open.part(args[1+j]), true)
				return next.byOpen(s, value)
			}
		}
	}
	return false
}

// IsSafe reports whether an expression certainly has a value for all objects.
func (k *Knowledge) IsSafe(e ast.Expr) bool {
	f := facts{}
	return f.isSafe(statement{&normalizer{know: k}, e})
}

// isSafe reports whether an expression certainly has a value: it is part of a fact, or tests what exists.
func (f *facts) isSafe(s statement) bool {
	text := s.text()
	if f.isKnown(text, true) || f.isKnown(text, false) {
		return true
	}
	if s.by.know.mayBeNull(s.e) {
		return false
	}
	switch s.e.Kind() {
	case ast.LiteralKind, ast.IdentKind:
		return true
	case ast.ListKind:
		return f.areSafe(s, s.e.AsList().Elements())
	case ast.SelectKind:
		if f.isKnown("has("+text+")", true) {
			return true
		}
		t, ok := s.by.know.target(s.e)
		return ok && t.s != nil && !converts(t.s) && s.by.know.fills(t.at) && f.isSafe(s.part(s.e.AsSelect().Operand()))
	case ast.CallKind:
		return f.isSafeCall(s)
	}
	return false
}

func (f *facts) isSafeCall(s statement) bool {
	c := s.e.AsCall()
	switch c.FunctionName() {
	case "has":
		t, ok := s.by.know.target(c.Args()[0])
		field := c.Args()[0]
		return ok && !converts(t.s) && field.Kind() == ast.SelectKind &&
			f.isSafe(s.part(field.AsSelect().Operand()))
	case operators.LogicalAnd, operators.LogicalOr:
		isAnd := c.FunctionName() == operators.LogicalAnd
		x, y := s.part(c.Args()[0]), s.part(c.Args()[1])
		return f.isSafe(x) && f.with(x, isAnd).isSafe(y)
	case operators.Index: // after size(list) > index
		index, isConstant := constant(c.Args()[1])
		n, isInt := index.(int64)
		list := s.part(c.Args()[0])
		return isConstant && isInt && n >= 0 && f.isSafe(list) && f.isKnown(
			fmt.Sprintf("%s(%s, size(%s))", operators.Less, literalText(types.Int(n)), list.text()), true)
	case operators.Add:
		return f.areSafe(s, c.Args()) // sums of lengths do not overflow
	case operators.Conditional:
		x, y, z := s.part(c.Args()[0]), s.part(c.Args()[1]), s.part(c.Args()[2])
		return f.isSafe(x) && f.with(x, true).isSafe(y) && f.with(x, false).isSafe(z)
	case "all", "exists":
		return isQuantifier(c) && f.isSafe(s.part(c.Target())) && f.isSafe(s.body())
	case operators.Equals, operators.NotEquals, operators.In:
		return f.areSafe(s, c.Args()) && !slices.ContainsFunc(c.Args(), s.by.know.readsConverted)
	case "matches":
		if _, isConstant := constant(c.Args()[len(c.Args())-1]); !isConstant {
			return false
		}
		fallthrough
	case operators.LogicalNot, "size", "startsWith", "endsWith", "contains", operators.Less,
		operators.LessEquals, operators.Greater, operators.GreaterEquals:
		return (!c.IsMemberFunction() || f.isSafe(s.part(c.Target()))) && f.areSafe(s, c.Args())
	}
	return false
}

// areSafe reports whether all of some parts of a statement certainly have a value.
func (f *facts) areSafe(s statement, parts []ast.Expr) bool {
	return !slices.ContainsFunc(parts, func(e ast.Expr) bool { return !f.isSafe(s.part(e)) })
}

// readsConverted reports whether an expression that is compared is a value, or has one, with a text inside that CEL
// reads as something else.
func (k *Knowledge) readsConverted(e ast.Expr) bool {
	switch e.Kind() {
	case ast.IdentKind, ast.SelectKind:
		t, ok := k.target(e)
		return ok && convertsBelow(t.s)
	case ast.ListKind:
		return slices.ContainsFunc(e.AsList().Elements(), k.readsConverted)
	case ast.CallKind:
		if t, ok := k.target(e); ok {
			return convertsBelow(t.s)
		}
		return slices.ContainsFunc(e.AsCall().Args(), k.readsConverted)
	}
	return false
}

// derivesMacro derives a macro by one over the same items whose body implies its body.
func (f *facts) derivesMacro(s statement) bool {
	c := s.e.AsCall()
	over := s.part(c.Target()).text()
	name := c.FunctionName()
	for _, known := range f.macros {
		if !s.by.know.Steps.Rules.Spend(1) {
			return false
		}
		other := known.e.AsCall()
		if other.FunctionName() != name || known.part(other.Target()).text() != over {
			continue
		}
		implies := func(x, y statement) bool { return f.with(x.body(), true).byCases(y.body(), effort.DiffCases.N()) }
		// With exists_one, both bodies must be true for the same items.
		if implies(known, s) && (name == "all" || name == "exists" || implies(s, known)) {
			return true
		}
	}
	return false
}
