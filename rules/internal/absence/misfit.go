package absence

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	kubecel "k8s.io/apiserver/pkg/cel"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/schema"
)

// The checks of operands whose types CEL knows only at run time.
var (
	celOverload = &diag.Check{ID: "cel-overload", Severity: diag.Warning}
	celText     = &diag.Check{ID: "cel-text", Severity: diag.Warning}
	celUnequal  = &diag.Check{ID: "cel-unequal", Severity: diag.Warning}
)

// A misfit is a call with operands that do not fit.
type misfit struct {
	e             ast.Expr
	check         *diag.Check
	message, note string
	// fix takes the place of the call, "" if it is not known.
	fix string
	// field is the schema that excludes a constant.
	field *schema.Schema
}

// Misfits reports operators and functions whose operands do not fit, once for an expression.
func Misfits(rules []expr.Rule) []diag.Diagnostic {
	var visits []*visit
	for i := range rules {
		if r := &rules[i]; r.Checked != nil && !r.Unreached {
			visits = append(visits, newVisit(r, expression{r.Checked, r.Source.Rule, "rule"}))
			if r.Message != nil {
				visits = append(visits,
					newVisit(r, expression{r.Message, r.Source.MessageExpression, "messageExpression"}))
			}
		}
	}
	dropUncommon(visits)
	var out []diag.Diagnostic
	firsts := map[*schema.Schema]int{}
	for _, v := range visits {
		if len(v.found) == 0 {
			continue
		}
		d, enum := v.diagnostic(), v.alone()
		if i, ok := firsts[enum]; ok && enum != nil {
			out[i] = also(out[i], d)
			continue
		}
		firsts[enum] = len(out)
		out = append(out, d)
	}
	return joined(out)
}

// An expression is a rule, or its messageExpression: the part.
type expression struct {
	expression *cel.Ast
	text       schema.Text
	part       string
}

// newVisit goes through one expression.
func newVisit(r *expr.Rule, written expression) *visit {
	v := &visit{source: sourceOf(written.expression), rule: r, written: written, uses: map[string]int{}}
	in := fieldsOf{"self": r.Place.Schema}
	if !r.HasOptionalOldSelf() {
		in["oldSelf"] = r.Place.Schema
	}
	ast.PostOrderVisit(v.checked.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		isRead := e.Kind() == ast.SelectKind && !e.AsSelect().IsTestOnly() || e.Kind() == ast.IdentKind
		if isRead {
			v.uses[v.cut(e)]++
		}
		if e.Kind() == ast.CallKind && slices.Contains(combining, e.AsCall().FunctionName()) {
			v.conditions++
		}
	}))
	v.walk(v.checked.Expr(), in, false)
	return v
}

// diagnostic reports what has been found.
func (v *visit) diagnostic() diag.Diagnostic {
	first, text := v.found[0], v.written.text
	d := diag.Errorf(text.Range(v.extent(first.e)), first.check, "%s", first.message).
		In(v.rule.Path() + "." + v.written.part)
	if first.check == celOutside && len(first.field.Enum) > 0 {
		d = d.CausedBy(diag.Span{}, strings.Join(schema.Literals(first.field.Enum), ";")) // one enum lacks them all
	}
	isMessage := v.written.part != "rule"
	if isMessage && first.check == celOverload {
		first.note = "the API server then reports the rule's plain message"
	}
	if first.note != "" {
		d = d.Note("%s", first.note)
	}
	for _, m := range v.found[1:] {
		d.SeeAlso = append(d.SeeAlso, diag.Related{Span: text.Range(v.extent(m.e)), Message: m.message})
	}
	if fixed := v.fixed(); !isMessage && fixed != "" && len(fixed) <= maxShown {
		d = v.changes(d.Help("change the rule to %s", fixed).Do(diag.Rewrite, fixed))
	}
	d.For = v.rule.Source.Use()
	return d
}

// changes adds the effect of the fixed rule. It has a value where the rule fails now, if nothing else is fixed.
func (v *visit) changes(d diag.Diagnostic) diag.Diagnostic {
	isOther := func(check *diag.Check) bool {
		return slices.ContainsFunc(v.found, func(m misfit) bool { return m.check != check })
	}
	switch {
	case !isOther(celOutside):
		return d.Changes(diag.AcceptsOther, "it compares with values that the field may have")
	case isOther(celOverload):
		return d.Changes(diag.AcceptsOther, "it compares values")
	}
	return d.Changes(diag.AcceptsMore, "those for which the rule fails now")
}

// combining are the operators of conditions.
var combining = []string{operators.LogicalAnd, operators.LogicalOr, operators.Conditional}

// extent returns the range of a part in bytes.
func (s *source) extent(e ast.Expr) (start, end int) {
	first, last, ok := s.span(e)
	if !ok {
		return 0, len(s.text)
	}
	return s.bytes(first, last)
}

// fixed writes the rule with all fixes, "" if one is not known.
func (v *visit) fixed() string {
	found := slices.Clone(v.found)
	slices.SortStableFunc(found, func(x, y misfit) int {
		a, _ := v.extent(x.e)
		b, _ := v.extent(y.e)
		return cmp.Compare(a, b)
	})
	var out strings.Builder
	at := 0
	for _, m := range found {
		start, end := v.extent(m.e)
		if m.fix == "" || start < at {
			return ""
		}
		fix := m.fix
		isOpen := strings.Contains(fix, " || ") || strings.Contains(fix, " && ")
		if isOpen && !v.isEnclosed(m.e) && (start > 0 || end < len(v.text)) {
			fix = "(" + fix + ")"
		}
		out.WriteString(v.text[at:start] + fix)
		at = end
	}
	return out.String() + v.text[at:]
}

// isEnclosed reports whether a part has brackets of its own around it.
func (s *source) isEnclosed(e ast.Expr) bool {
	first, last, ok := s.span(e)
	return ok && s.word(first-1) == "(" && s.tokens[first-1].match == last+1
}

// comparisons are the operators that compare, as they are written.
var comparisons = map[string]string{
	operators.Less: "<", operators.LessEquals: "<=", operators.Greater: ">", operators.GreaterEquals: ">=",
	operators.Equals: "==", operators.NotEquals: "!=",
}

// call looks at one call.
func (v *visit) call(e ast.Expr, in fieldsOf, negated bool) {
	call := e.AsCall()
	name := call.FunctionName()
	var list []operand
	special := false
	for _, part := range callOperands(call) {
		o := v.operand(part, in, v.checked)
		special = special || o.origin != plain
		list = append(list, o)
	}
	v.outside(e, list, in, negated)
	operator, compares := comparisons[name]
	switch {
	case !special:
	case compares && v.compares(e, operator, list):
	case name == operators.In:
		v.contains(e, list)
	case operator == "==" || operator == "!=":
		v.unequal(e, operator, list)
	default:
		v.overload(e, list, negated)
	}
}

// compares reports the comparison of a quantity or a duration with what is compared as text.
func (v *visit) compares(e ast.Expr, operator string, list []operand) bool {
	meaning := max(meant(list[0]), meant(list[1]))
	isOrder := operator != "==" && operator != "!="
	left, right := list[0].as(meaning), list[1].as(meaning)
	switch other := list[1]; {
	case meaning == plain || left == "" || right == "":
		return false
	case other.origin == meaning:
		other = list[0]
		fallthrough
	default:
		if !isOrder && other.literal == nil && !other.hasType(kubecel.QuantityType.TypeName()) {
			return false
		}
	}
	m := misfit{e: e, check: celText, fix: left + " " + operator + " " + right}
	field := list[0]
	if meant(field) != meaning {
		field = list[1]
	}
	m.message = fmt.Sprintf("%s compares the text of the %s %s, not its value", operator, words[meaning], field.text)
	if list[0].hasType(kubecel.QuantityType.TypeName()) || list[1].hasType(kubecel.QuantityType.TypeName()) {
		m.check = celUnequal
		m.message = fmt.Sprintf("%s is an integer or a string, which never equals a quantity()", field.text)
	}
	if meaning == quantity {
		m.fix = compared(operator, left, right)
	}
	v.found = append(v.found, m)
	return true
}

// words are what origins are called.
var words = map[origin]string{quantity: "quantity", duration: "duration"}

// meant returns the origin of an operand if it is one of values that have several texts.
func meant(o operand) origin {
	if o.origin == quantity || o.origin == duration {
		return o.origin
	}
	return plain
}

// compared writes the comparison of two quantities. The estimated cost of == has no limit for them, and servers before
// 1.32 do not compile it.
func compared(operator, left, right string) string {
	switch operator {
	case "<":
		return left + ".isLessThan(" + right + ")"
	case ">":
		return left + ".isGreaterThan(" + right + ")"
	}
	return left + ".compareTo(" + right + ") " + operator + " 0"
}

// contains reports a quantity or a duration that is looked up in a list of texts.
func (v *visit) contains(e ast.Expr, list []operand) {
	meaning := meant(list[0])
	if meaning == plain || list[1].e.Kind() != ast.ListKind {
		return
	}
	var items []string
	for _, item := range list[1].e.AsList().Elements() {
		o := v.operand(item, fieldsOf{}, v.checked)
		as := o.as(meaning)
		if o.literal == nil || as == "" {
			return
		}
		items = append(items, as)
	}
	if len(items) == 0 {
		return
	}
	v.found = append(v.found, misfit{e: e, check: celText,
		message: fmt.Sprintf("in compares the text of the %s %s, not its value", words[meaning], list[0].text),
		fix:     list[0].as(meaning) + " in [" + strings.Join(items, ", ") + "]"})
}

// unequal reports operands that have no type in common. Numbers of all types can be equal.
func (v *visit) unequal(e ast.Expr, operator string, list []operand) {
	for _, a := range list[0].types {
		for _, b := range list[1].types {
			if kindOf(a) == kindOf(b) || a.Kind() == types.NullTypeKind || b.Kind() == types.NullTypeKind {
				return
			}
		}
	}
	if len(list[0].types) == 0 || len(list[1].types) == 0 {
		return
	}
	field, other := list[0], list[1]
	if !field.isUnion() {
		field, other = other, field
	}
	if field.isUnion() {
		v.found = append(v.found, misfit{e: e, check: celUnequal, message: fmt.Sprintf(
			"%s is an integer or a string, which never equals %s", field.text, other.text),
			note: "so the result of " + operator + " is the same for all objects"})
	}
}

func kindOf(t *types.Type) types.Kind {
	switch t.Kind() {
	case types.UintKind, types.DoubleKind:
		return types.IntKind
	}
	return t.Kind()
}
