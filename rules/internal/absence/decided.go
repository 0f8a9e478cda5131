package absence

import (
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
)

// isPremise reports whether an operand of || says when the other one matters: !a || b is "if a, then b". A comparison
// that is true for all but an empty value asks whether something is given, and is none.
func isPremise(e ast.Expr) bool {
	if e.Kind() != ast.CallKind {
		return false
	}
	args := e.AsCall().Args()
	switch e.AsCall().FunctionName() {
	case operators.LogicalNot:
		return true
	case operators.LogicalOr, operators.LogicalAnd:
		return isPremise(args[0]) && isPremise(args[1])
	case operators.Equals:
		return isEmpty(args[0]) || isEmpty(args[1])
	case operators.NotEquals:
		return !isEmpty(args[0]) && !isEmpty(args[1])
	}
	return false
}

// isEmpty reports whether an expression is an empty literal.
func isEmpty(e ast.Expr) bool {
	switch e.Kind() {
	case ast.ListKind:
		return e.AsList().Size() == 0
	case ast.MapKind:
		return e.AsMap().Size() == 0
	case ast.LiteralKind:
		switch v := e.AsLiteral(); v {
		case types.NullValue, types.String(""), types.False, types.IntZero, types.Uint(0), types.Double(0):
			return true
		}
	}
	return false
}

// maxTerm is the maximum length of a condition in a note.
const maxTerm = 60

// whereAbsent says when an absent value makes the rule fail: other conditions may decide it without the value.
func (f *Finding) whereAbsent(r Read) string {
	const absent = "if it is absent"
	switch terms := f.undecided(r); {
	case len(terms) == 0:
		return absent
	case len(terms) == 1 && len(terms[0]) <= maxTerm && !strings.Contains(terms[0], "\n"):
		return absent + " and " + terms[0]
	}
	return absent + " and nothing else decides the rule"
}

// undecided returns the conditions under which the operators around a read need its value to accept an object.
func (f *Finding) undecided(r Read) (terms []string) {
	s := sourceOf(f.Rule.Checked)
	isNegated := false
	for e := f.Rule.Checked.NativeRep().Expr(); e.ID() != r.ID && e.Kind() == ast.CallKind; {
		args, name := e.AsCall().Args(), e.AsCall().FunctionName()
		i := 0
		for i < len(args) && find(args[i], r.ID) == nil {
			i++
		}
		if i == len(args) {
			break
		}
		switch {
		case name == operators.LogicalNot:
			isNegated = !isNegated
		case name == operators.LogicalOr && !isNegated:
			terms = append(terms, s.holds(args[1-i], false))
		case name == operators.LogicalAnd && isNegated:
			terms = append(terms, s.holds(args[1-i], true))
		case name == operators.Conditional && i > 0:
			terms = append(terms, s.holds(args[0], i == 1))
		}
		e = args[i]
	}
	return terms
}

// holds writes that a condition is true, or that it is not.
func (s *source) holds(e ast.Expr, isTrue bool) string {
	for e.Kind() == ast.CallKind && e.AsCall().FunctionName() == operators.LogicalNot {
		e, isTrue = e.AsCall().Args()[0], !isTrue
	}
	if isTrue {
		return s.cut(e) + " is true"
	}
	return s.cut(e) + " is not true"
}
