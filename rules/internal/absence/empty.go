package absence

import (
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/rules/symbolic"
)

// meansToReject reports whether the rule rejects every object for which it fails, if empty values take the place of
// the absent ones. Then the author demands a value, and only the message is another one. If the rule accepts such an
// object, absence was forgotten.
func (g *guarding) meansToReject() bool {
	if int64(len(g.Rule.Source.Rule.V)) > effort.AbsenceFixed.Most {
		return false
	}
	checked, ok := g.withEmpty()
	if !ok {
		return false
	}
	other := *g.Rule
	other.Checked = checked
	answer, _ := g.objects.Exists(symbolic.Claim{Rule: g.Rule, Outcomes: symbolic.Fails},
		symbolic.Claim{Rule: &other, Outcomes: symbolic.True})
	return answer == symbolic.No
}

// requires reports whether the rule fails for every object without the field of self that it reads.
func (g *guarding) requires() bool {
	name, ok := g.Reads[0].fieldOfSelf(g.Rule.Checked.NativeRep().Expr())
	if !ok || g.Rule.UsesOldSelf {
		return false
	}
	other := *g.Rule
	if other.Checked = g.Rule.Instead("!has(self." + name + ")"); other.Checked == nil {
		return false
	}
	answer, _ := g.objects.Exists(symbolic.Claim{Rule: &other, Outcomes: symbolic.True},
		symbolic.Claim{Rule: g.Rule, Outcomes: symbolic.True | symbolic.False})
	return answer == symbolic.No
}

// fieldOfSelf returns the name of a field that is read from self alone.
func (r *Read) fieldOfSelf(root ast.Expr) (name string, ok bool) {
	e := find(root, r.ID)
	if r.Kind != symbolic.Field || e == nil || e.Kind() != ast.SelectKind {
		return "", false
	}
	operand := e.AsSelect().Operand()
	return e.AsSelect().FieldName(), operand.Kind() == ast.IdentKind && operand.AsIdent() == "self"
}

// withEmpty returns the rule with empty values in place of absent ones. ok is unset if a value has no empty one, or if
// it takes too many steps.
func (g *guarding) withEmpty() (checked *cel.Ast, ok bool) {
	checked, reads := g.Rule.Checked, g.Reads
	for range effort.AbsenceGuards.Most {
		if !g.e.Spend(len(g.Rule.Source.Rule.V)) {
			return nil, false
		}
		text := sourceOf(checked).emptied(reads[0], checked.NativeRep())
		if text == "" {
			return nil, false
		}
		if checked = g.Rule.Instead(text); checked == nil {
			return nil, false
		}
		failures, decided := g.e.FailuresOf(checked, g.rule)
		if !decided {
			return nil, false
		}
		if reads = described(failures, checked); len(reads) == 0 {
			return checked, true
		}
	}
	return nil, false
}

// emptied writes the expression with an empty value for a read if the value is absent, "" if it has no empty one. An
// absent object has no fields, and is null in comparisons.
func (s *source) emptied(r Read, checked *ast.AST) string {
	guard := r.Guard
	e, ok := navigate(checked, r.ID)
	for ok && guard != "" {
		parent, hasParent := e.Parent()
		if hasParent && parent.Kind() == ast.CallKind && parent.AsCall().FunctionName() == "size" {
			e = parent // 0 is known better than the size of an empty map
		}
		empty := emptyOf(checked.GetType(e.ID()))
		if text := s.compared(e, guard); text != "" {
			return s.replaced(parent, text)
		}
		switch {
		case empty != "":
			return s.replaced(e, "("+guard+" ? "+s.cut(e)+" : "+empty+")")
		case !hasParent:
			return ""
		case parent.Kind() == ast.SelectKind && parent.AsSelect().IsTestOnly():
			return s.replaced(parent, "("+guard+" && "+s.cut(parent)+")")
		case parent.Kind() == ast.SelectKind:
			guard += " && has(" + s.cut(parent) + ")"
			e = parent
		default:
			null, present := comparesNull(parent, []Read{{Failure: symbolic.Failure{ID: e.ID()}}})
			switch {
			case null == nil:
				return ""
			case present:
				return s.replaced(parent, "("+guard+")")
			}
			return s.replaced(parent, "!("+guard+")")
		}
	}
	return ""
}

// compared writes a comparison of a value with another field for equality, which an absent value equals only if the
// field is absent too; "" for anything else.
func (s *source) compared(e ast.NavigableExpr, guard string) string {
	parent, ok := e.Parent()
	if !ok || parent.Kind() != ast.CallKind || e.Kind() != ast.SelectKind {
		return ""
	}
	name, args := parent.AsCall().FunctionName(), parent.AsCall().Args()
	if name != operators.Equals && name != operators.NotEquals {
		return ""
	}
	other := args[0]
	if other.ID() == e.ID() {
		other = args[1]
	}
	if other.Kind() != ast.SelectKind || other.AsSelect().IsTestOnly() {
		return ""
	}
	isAbsent := "!has(" + s.cut(other) + ")"
	if name == operators.NotEquals {
		isAbsent = isAbsent[1:]
	}
	return "(" + guard + " ? " + s.cut(parent) + " : " + isAbsent + ")"
}

// navigate returns a part of an expression from which one can go up.
func navigate(checked *ast.AST, id int64) (ast.NavigableExpr, bool) {
	found := ast.MatchDescendants(ast.NavigateAST(checked), func(e ast.NavigableExpr) bool { return e.ID() == id })
	if len(found) == 0 {
		return nil, false
	}
	return found[0], true
}

// replaced writes the expression with another text for a part.
func (s *source) replaced(e ast.Expr, by string) string {
	first, last, ok := s.span(e)
	if !ok {
		return ""
	}
	start, end := s.bytes(first, last)
	return s.text[:start] + by + s.text[end:]
}

// emptyOf writes the value that programs in Go read for an absent one of a type, "" if CEL cannot write it.
func emptyOf(t *types.Type) string {
	switch t.Kind() {
	case types.StringKind:
		return "''"
	case types.BytesKind:
		return "b''"
	case types.BoolKind:
		return "false"
	case types.IntKind:
		return "0"
	case types.UintKind:
		return "0u"
	case types.DoubleKind:
		return "0.0"
	case types.ListKind:
		return "[]"
	case types.MapKind:
		return "{}"
	case types.DurationKind:
		return "duration('0s')"
	}
	return ""
}
