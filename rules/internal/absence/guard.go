package absence

import (
	"cmp"
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/traits"

	"github.com/crdproof/crdproof/rules/symbolic"
)

// locate sets the position of a read, which is a part of its expression, and its guard.
func (r *Read) locate(s *source, e ast.Expr) {
	if e == nil {
		return
	}
	if first, last, ok := s.span(e); ok {
		r.Start, r.End = s.bytes(first, last)
		r.Text = s.text[r.Start:r.End]
	}
	r.Guard = s.guard(r.Kind, e)
}

func find(root ast.Expr, id int64) (out ast.Expr) {
	ast.PostOrderVisit(root, ast.NewExprVisitor(func(e ast.Expr) {
		if e.ID() == id {
			out = e
		}
	}))
	return out
}

// guard writes the condition under which a part can be read, "" if none can be written.
func (s *source) guard(kind symbolic.Kind, e ast.Expr) string {
	if e.Kind() == ast.SelectKind {
		return "has(" + s.cut(e) + ")"
	}
	if e.Kind() != ast.CallKind {
		return ""
	}
	call := e.AsCall()
	switch args := call.Args(); {
	case kind == symbolic.Value:
		return s.cut(call.Target()) + ".hasValue()"
	case kind == symbolic.Key && len(args) == 2:
		return s.cut(args[1]) + " in " + s.cut(args[0])
	case kind == symbolic.Item && len(args) == 2:
		return "size(" + s.cut(args[0]) + ") > " + s.cut(args[1])
	}
	return ""
}

// negated writes the opposite of a guard.
func negated(kind symbolic.Kind, guard string) string {
	switch kind {
	case symbolic.Key:
		if !strings.HasPrefix(guard, "has(") {
			return "!(" + guard + ")"
		}
	case symbolic.Item:
		if empty, ok := strings.CutSuffix(guard, ") > 0"); ok {
			return empty + ") == 0"
		}
		return strings.Replace(guard, ") > ", ") <= ", 1)
	}
	return "!" + guard
}

// A clause is a condition within a rule that does not combine other conditions.
type clause struct {
	e ast.Expr
	// absent is the result of the clause if a value in it is absent, unless the clause itself suggests one.
	absent bool
	// parent is the operator above, "" at the top and in macros.
	parent string
}

// clauses lists the conditions that an expression combines, those inside of others first.
func clauses(e ast.Expr, absent bool, parent string) (out []clause) {
	switch e.Kind() {
	case ast.CallKind:
		args := e.AsCall().Args()
		switch name := e.AsCall().FunctionName(); name {
		case operators.LogicalAnd:
			return slices.Concat(clauses(args[0], absent, name), clauses(args[1], absent, name))
		case operators.LogicalOr:
			for _, a := range args {
				unequal := a.Kind() == ast.CallKind && a.AsCall().FunctionName() == operators.NotEquals
				out = append(out, clauses(a, absent && unequal, name)...)
			}
			return out
		case operators.LogicalNot:
			return clauses(args[0], !absent, name)
		case operators.Conditional:
			return slices.Concat(clauses(args[0], false, name), clauses(args[1], absent, name),
				clauses(args[2], absent, name))
		}
	case ast.ComprehensionKind:
		c := e.AsComprehension()
		if l := symbolic.LoopOf(c); l.Condition != nil {
			out = clauses(l.Condition, l.Kind == symbolic.All, "")
		}
		if c.IterRange().Kind() == ast.ComprehensionKind {
			// In chained macros, only the condition on an item is a condition.
			inside := clauses(c.IterRange(), false, "")
			out = append(out, inside[:len(inside)-1]...)
		}
	}
	return append(out, clause{e, absent, parent})
}

// repaired writes the expression so that all reads are guarded, "" if that takes more than guards.
func (s *source) repaired(reads []Read, checked *ast.AST) string {
	var inserts []insert
	left := slices.Clone(reads)
	for _, c := range clauses(checked.Expr(), true, "") {
		var within []Read
		left = slices.DeleteFunc(left, func(r Read) bool {
			inside := r.Guard != "" && find(c.e, r.ID) != nil
			if inside {
				within = append(within, r)
			}
			return inside
		})
		if len(within) == 0 {
			continue
		}
		list, ok := c.guarded(s, within)
		if !ok || checked.GetType(c.e.ID()).Kind() != types.BoolKind {
			return ""
		}
		inserts = append(inserts, list...)
	}
	if len(left) > 0 {
		return ""
	}
	slices.SortStableFunc(inserts, func(x, y insert) int { return cmp.Compare(x.at, y.at) })
	var out strings.Builder
	at := 0
	for _, i := range inserts {
		out.WriteString(s.text[at:i.at] + i.text)
		at = i.end
	}
	return out.String() + s.text[at:]
}

// An insert is a text that replaces bytes of the expression, or is inserted at one.
type insert struct {
	at, end int
	text    string
}

// guarded writes guards before the clause, those of a value before those of its parts. A comparison with null becomes
// has(): an absent field is not null.
func (c clause) guarded(s *source, reads []Read) ([]insert, bool) {
	first, last, ok := s.span(c.e)
	if !ok {
		return nil, false
	}
	var presence string
	if r, present := c.comparesNull(reads); r != nil && strings.HasPrefix(r.Guard, "has(") {
		presence = r.Guard
		if !present {
			presence = negated(r.Kind, r.Guard)
		}
		id := r.ID
		reads = slices.DeleteFunc(slices.Clone(reads), func(other Read) bool { return other.ID == id })
		c.absent = !present
	}
	slices.SortStableFunc(reads, func(x, y Read) int { return cmp.Compare(x.End, y.End) })
	absent := c.absent
	if presence == "" {
		absent = c.saysOfAbsent(reads)
	}
	operator, guards := " && ", ""
	if absent {
		operator = " || "
	}
	for _, r := range reads {
		guard := r.Guard
		if absent {
			guard = negated(r.Kind, guard)
		}
		if !strings.Contains(guards, guard+operator) {
			guards += guard + operator
		}
	}
	if slices.ContainsFunc(reads, func(r Read) bool { return isBoundIn(c.e, find(c.e, r.ID)) }) {
		return nil, false
	}
	start, end := s.bytes(first, last)
	if presence != "" && guards == "" {
		return []insert{{start, end, presence}}, true
	}
	enclosed := s.word(first-1) == "(" && s.tokens[first-1].match == last+1 && !isWordRune(s.before(first-1))
	isOpen := !enclosed && (c.parent == operators.LogicalNot || c.parent == operators.LogicalAnd && absent)
	switch {
	case isOpen && presence != "":
		return []insert{{start, end, "(" + guards + presence + ")"}}, true
	case presence != "":
		return []insert{{start, end, guards + presence}}, true
	case isOpen:
		return []insert{{start, start, "(" + guards}, {end, end, ")"}}, true
	}
	return []insert{{start, start, guards}}, true
}

// comparesNull returns the read that the clause compares with null, and whether it asks for a value that is present.
func (c clause) comparesNull(reads []Read) (r *Read, present bool) {
	if c.e.Kind() != ast.CallKind {
		return nil, false
	}
	call := c.e.AsCall()
	name, args := call.FunctionName(), call.Args()
	if name != operators.Equals && name != operators.NotEquals {
		return nil, false
	}
	for i, other := range args {
		if other.Kind() != ast.LiteralKind || other.AsLiteral().Type() != types.NullType {
			continue
		}
		j := slices.IndexFunc(reads, func(r Read) bool { return r.ID == args[1-i].ID() })
		if j >= 0 {
			return &reads[j], name == operators.NotEquals
		}
	}
	return nil, false
}

// isBoundIn reports whether a part of an expression uses a variable of a macro around it that begins within the
// expression.
func isBoundIn(e, part ast.Expr) bool {
	used := map[string]bool{}
	ast.PostOrderVisit(part, ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() == ast.IdentKind {
			used[e.AsIdent()] = true
		}
	}))
	bound := false
	ast.PostOrderVisit(e, ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() == ast.ComprehensionKind {
			c := e.AsComprehension()
			inside := find(c.LoopStep(), part.ID()) != nil || find(c.Result(), part.ID()) != nil
			bound = bound || inside && (used[c.IterVar()] || used[c.IterVar2()] || used[c.AccuVar()])
		}
	}))
	return bound
}

// before returns the rune before a token.
func (s *source) before(i int) rune {
	if at := s.tokens[i].start; at > 0 {
		return s.runes[at-1]
	}
	return ' '
}

// saysOfAbsent returns the result that a clause should have if a value in it is absent: that for an empty list, an
// empty string or false if the clause is about that, and otherwise the one that its place suggests.
func (c clause) saysOfAbsent(reads []Read) bool {
	reads = slices.DeleteFunc(slices.Clone(reads), func(r Read) bool { return r.Kind != symbolic.Field && r.Kind != symbolic.Key })
	isRead := func(e ast.Expr) bool { return slices.ContainsFunc(reads, func(r Read) bool { return r.ID == e.ID() }) }
	switch e := c.e; e.Kind() {
	case ast.SelectKind:
		return !isRead(e) && !e.AsSelect().IsTestOnly() && c.absent
	case ast.ComprehensionKind:
		if comprehension := e.AsComprehension(); isRead(comprehension.IterRange()) {
			return symbolic.LoopOf(comprehension).Kind == symbolic.All
		}
	case ast.CallKind:
		call := e.AsCall()
		args := call.Args()
		if call.FunctionName() == operators.In && isRead(args[1]) {
			return false
		}
		if n, ok := sizeCompared(call, isRead); ok {
			return comparesZero(call.FunctionName(), n)
		}
		if demandsValue(call, isRead) {
			return false
		}
	}
	return c.absent
}

// sizeCompared returns the number that the size of a read is compared with.
func sizeCompared(call ast.CallExpr, isRead func(ast.Expr) bool) (types.Int, bool) {
	args := call.Args()
	if len(args) != 2 || args[0].Kind() != ast.CallKind || args[1].Kind() != ast.LiteralKind {
		return 0, false
	}
	size := args[0].AsCall()
	operands := size.Args()
	if size.IsMemberFunction() {
		operands = []ast.Expr{size.Target()}
	}
	n, ok := args[1].AsLiteral().(types.Int)
	return n, ok && size.FunctionName() == "size" && len(operands) == 1 && isRead(operands[0])
}

// demandsValue reports whether a read must differ from a zero value, such as the empty string.
func demandsValue(call ast.CallExpr, isRead func(ast.Expr) bool) bool {
	if call.FunctionName() != operators.NotEquals {
		return false
	}
	args := call.Args()
	isZero := func(e ast.Expr) bool {
		if e.Kind() != ast.LiteralKind {
			return false
		}
		z, ok := e.AsLiteral().(traits.Zeroer)
		return ok && z.IsZeroValue()
	}
	return isRead(args[0]) && isZero(args[1]) || isZero(args[0]) && isRead(args[1])
}

// comparesZero returns the result of comparing 0 with n.
func comparesZero(operator string, n types.Int) bool {
	switch operator {
	case operators.Equals:
		return n == 0
	case operators.NotEquals:
		return n != 0
	case operators.Less:
		return 0 < n
	case operators.LessEquals:
		return 0 <= n
	case operators.Greater:
		return 0 > n
	}
	return 0 >= n
}
