package absence

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"

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
	if g, ok := s.guardOf(r.Kind, e); ok {
		r.Guard = g.holds
	}
}

func find(root ast.Expr, id int64) (out ast.Expr) {
	ast.PostOrderVisit(root, ast.NewExprVisitor(func(e ast.Expr) {
		if e.ID() == id {
			out = e
		}
	}))
	return out
}

// A guard is a condition under which a part can be read, and its opposite.
type guard struct{ holds, fails string }

// guardOf writes the guard of a part that may be absent.
func (s *source) guardOf(kind symbolic.Kind, e ast.Expr) (g guard, ok bool) {
	if e.Kind() == ast.SelectKind {
		return guard{"has(" + s.cut(e) + ")", "!has(" + s.cut(e) + ")"}, true
	}
	if e.Kind() != ast.CallKind {
		return guard{}, false
	}
	call := e.AsCall()
	args := call.Args()
	switch {
	case kind == symbolic.Otherwise:
		return s.guardOfCall(e)
	case kind == symbolic.Value:
		has := s.cut(call.Target()) + ".hasValue()"
		return guard{has, "!" + has}, true
	case kind == symbolic.Key && len(args) == 2:
		has := s.cut(args[1]) + " in " + s.cut(args[0])
		return guard{has, "!(" + has + ")"}, true
	case kind == symbolic.Item && len(args) == 2:
		size, index := "size("+s.cut(args[0])+")", s.cut(args[1])
		if index == "0" {
			return guard{size + " > 0", size + " == 0"}, true
		}
		return guard{size + " > " + index, size + " <= " + index}, true
	}
	return guard{}, false
}

// A clause is a condition within a rule that does not combine other conditions.
type clause struct {
	e ast.Expr
	// absent is the result of the clause if a value in it is absent.
	absent bool
	// parent is the operator above, "" at the top and in macros.
	parent string
	// decided is that of the choice.
	decided bool
}

// A choice says what a rule becomes with guards.
type choice struct {
	// absent is the result of the rule if a value is absent.
	absent bool
	// inside puts guards into the conditions of ?: instead of before the whole, so that they have the result inner.
	inside, inner bool
	// decided is set within operands of || of which none is a premise: where the one lacks a value, the other one
	// decides, so that to accept the object then would make the rule true for nearly all.
	decided bool
}

// choices are those with a result, from the shortest text to the longest.
func choices(absent bool) []choice {
	return []choice{
		{absent: absent, inside: true}, {absent: absent, inside: true, inner: true}, {absent: absent},
	}
}

// clauses lists the conditions that an expression combines, those inside of others first. The result of each is that
// of the whole expression if it cannot be evaluated: &&, ||, !, and the results of ?:, all() and exists() turn an error
// into the result that they would have with either value of the condition.
func (how choice) clauses(e ast.Expr, absent bool, parent string) (out []clause) {
	switch e.Kind() {
	case ast.CallKind:
		args := e.AsCall().Args()
		switch name := e.AsCall().FunctionName(); name {
		case operators.LogicalAnd, operators.LogicalOr:
			if how.absent && absent && name == operators.LogicalOr && !isPremise(args[0]) && !isPremise(args[1]) {
				how.decided = true
			}
			return slices.Concat(how.clauses(args[0], absent, name), how.clauses(args[1], absent, name))
		case operators.LogicalNot:
			out = how.clauses(args[0], !absent, name)
			out = out[:len(out)-1] // its guards come before the !
		case operators.Conditional:
			if how.inside {
				out = how.clauses(args[0], how.inner, name)
			}
			out = slices.Concat(out, how.clauses(args[1], absent, name), how.clauses(args[2], absent, name))
		}
	case ast.ComprehensionKind:
		if l := symbolic.LoopOf(e.AsComprehension()); l.Kind == symbolic.All || l.Kind == symbolic.Exists {
			out = how.clauses(l.Condition, absent, "")
		}
	}
	return append(out, clause{e, absent, parent, how.decided})
}

// repaired writes the expression so that all reads are guarded, "" if that takes more than guards.
func (s *source) repaired(reads []Read, checked *ast.AST, how choice) string {
	var inserts []insert
	left := slices.Clone(reads)
	for _, c := range how.clauses(checked.Expr(), how.absent, "") {
		var within []Read
		left = slices.DeleteFunc(left, func(r Read) bool {
			inside := find(c.e, r.ID) != nil
			if inside {
				within = append(within, r)
			}
			return inside
		})
		if len(within) == 0 {
			continue
		}
		if null, _ := comparesNull(c.e, within); c.decided && null == nil && !isPremise(c.e) {
			return ""
		}
		begin, end, ok := c.guarded(s, within)
		if !ok || checked.GetType(c.e.ID()).Kind() != types.BoolKind {
			return ""
		}
		inserts = append([]insert{begin}, append(inserts, end)...) // what is around others begins before them
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
func (c clause) guarded(s *source, reads []Read) (begin, end insert, ok bool) {
	first, last, ok := s.span(c.e)
	if !ok {
		return begin, end, false
	}
	begin.at, end.at = s.bytes(first, last)
	begin.end, end.end = begin.at, end.at
	presence := ""
	if r, present := comparesNull(c.e, reads); r != nil && r.Kind == symbolic.Field {
		if present == c.absent {
			return begin, end, false // for any object, the clause would have the same result
		}
		g, _ := s.guardOf(r.Kind, find(c.e, r.ID))
		if presence = g.holds; c.absent {
			presence = g.fails
		}
		id := r.ID
		reads = slices.DeleteFunc(slices.Clone(reads), func(other Read) bool { return other.ID == id })
		begin.end = end.at
	}
	guards, ok := c.guards(s, reads)
	opening, closing := "", ""
	if c.e.Kind() == ast.CallKind && c.e.AsCall().FunctionName() == operators.Conditional {
		opening, closing = "(", ")"
	}
	enclosed := s.word(first-1) == "(" && s.tokens[first-1].match == last+1 && !isWordRune(s.before(first-1))
	isBound := c.parent == operators.LogicalNot || c.parent == operators.LogicalAnd && c.absent
	if guards != "" && isBound && !enclosed {
		guards, closing = "("+guards, closing+")"
	}
	begin.text, end.text = guards+opening+presence, closing
	return begin, end, ok
}

// guards writes the guards of reads, with the operator after each.
func (c clause) guards(s *source, reads []Read) (guards string, ok bool) {
	slices.SortStableFunc(reads, func(x, y Read) int { return cmp.Compare(x.End, y.End) })
	operator := " && "
	if c.absent {
		operator = " || "
	}
	for _, r := range reads {
		g, ok := c.guard(s, r)
		if !ok {
			return "", false
		}
		condition := g.holds
		if c.absent {
			condition = g.fails
		}
		if !strings.Contains(guards, condition+operator) {
			guards += condition + operator
		}
	}
	return guards, true
}

// guard writes the guard of a read before the clause: in macros within the clause, it is about all items.
func (c clause) guard(s *source, r Read) (guard, bool) {
	part := find(c.e, r.ID)
	g, ok := s.guardOf(r.Kind, part)
	if !ok {
		return guard{}, false
	}
	used := identifiers(part)
	for _, loop := range loopsAround(c.e, r.ID) {
		l := loop.AsComprehension()
		switch {
		case used[l.AccuVar()]:
			return guard{}, false
		case !used[l.IterVar()] && !used[l.IterVar2()]:
			continue
		case symbolic.LoopOf(l).Kind == symbolic.OtherLoop || symbolic.LoopOf(l).Kind == symbolic.Binds:
			return guard{}, false
		}
		items, variables := s.cut(l.IterRange()), l.IterVar()
		if l.HasIterVar2() {
			variables += ", " + l.IterVar2()
		}
		g = guard{items + ".all(" + variables + ", " + g.holds + ")", items + ".exists(" + variables + ", " +
			g.fails + ")"}
		maps.Copy(used, identifiers(l.IterRange()))
	}
	return g, true
}

// identifiers are the names in an expression.
func identifiers(e ast.Expr) map[string]bool {
	out := map[string]bool{}
	ast.PostOrderVisit(e, ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() == ast.IdentKind {
			out[e.AsIdent()] = true
		}
	}))
	return out
}

// loopsAround returns the macros of an expression that evaluate a part for each item, the innermost first.
func loopsAround(e ast.Expr, part int64) (out []ast.Expr) {
	ast.PostOrderVisit(e, ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() != ast.ComprehensionKind {
			return
		}
		if c := e.AsComprehension(); find(c.LoopStep(), part) != nil || find(c.Result(), part) != nil {
			out = append(out, e)
		}
	}))
	return out
}

// comparesNull returns the read that a clause compares with null, and whether it asks for a value that is present.
func comparesNull(e ast.Expr, reads []Read) (r *Read, present bool) {
	if e.Kind() != ast.CallKind {
		return nil, false
	}
	call := e.AsCall()
	name, args := call.FunctionName(), call.Args()
	if name == operators.LogicalNot {
		r, present = comparesNull(args[0], reads)
		return r, !present
	}
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

// before returns the rune before a token.
func (s *source) before(i int) rune {
	if at := s.tokens[i].start; at > 0 {
		return s.runes[at-1]
	}
	return ' '
}
