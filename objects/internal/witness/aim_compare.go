package witness

import (
	"strconv"
	"time"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/schema"
)

// negations are the operators of the opposite comparisons.
var negations = map[string]string{
	operators.Equals: operators.NotEquals, operators.NotEquals: operators.Equals,
	operators.Less: operators.GreaterEquals, operators.GreaterEquals: operators.Less,
	operators.Greater: operators.LessEquals, operators.LessEquals: operators.Greater,
}

// swapped are the operators for the operands in the other order.
var swapped = map[string]string{
	operators.Equals: operators.Equals, operators.NotEquals: operators.NotEquals,
	operators.Less: operators.Greater, operators.Greater: operators.Less,
	operators.LessEquals: operators.GreaterEquals, operators.GreaterEquals: operators.LessEquals,
}

func (a *aim) compare(operator string, x, y ast.Expr, want bool) []Plan {
	if !want {
		operator = negations[operator]
	}
	if _, ok := constant(x); ok {
		x, y, operator = y, x, swapped[operator]
	}
	if value, ok := constant(y); ok {
		if out := a.compareConstant(operator, x, value); len(out) > 0 {
			return out
		}
	}
	if out := a.compareDurations(operator, x, y); len(out) > 0 {
		return out
	}
	if out := a.compareTargets(operator, x, y); len(out) > 0 {
		return out
	}
	if operator != operators.Equals && operator != operators.NotEquals || !isLogical(x) && !isLogical(y) {
		return nil
	}
	same := operator == operators.Equals
	return interleaved(
		a.both(a.plansFor(x, true), a.plansFor(y, same)), a.both(a.plansFor(x, false), a.plansFor(y, !same)))
}

// isLogical reports whether an expression is surely true or false.
func isLogical(e ast.Expr) bool {
	if e.Kind() != ast.CallKind {
		return false
	}
	switch e.AsCall().FunctionName() {
	case operators.LogicalAnd, operators.LogicalOr, operators.LogicalNot, "has", operators.Equals, operators.NotEquals,
		operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals, operators.In, "hasValue":
		return true
	}
	return false
}

// compareConstant makes plans for a comparison of a part of the object, or of its size, with a constant.
func (a *aim) compareConstant(operator string, x ast.Expr, value any) []Plan {
	if truth, ok := value.(bool); ok && (operator == operators.Equals || operator == operators.NotEquals) {
		if t, isTarget := a.target(x); !isTarget || t.orElse == nil {
			return a.plansFor(x, truth == (operator == operators.Equals))
		}
	}
	if isCall(x, operators.Add) {
		return a.sums(operator, x)
	}
	if operand, ok := sized(x); ok {
		if filter, isFilter := filtered(operand); isFilter {
			return a.filters(operator, filter, value)
		}
		n, isInt := value.(int64)
		if t, ok := a.target(operand); ok && isInt {
			return a.sizes(operator, t, n)
		}
		return nil
	}
	t, ok := a.target(x)
	if !ok {
		return nil
	}
	if n, isInt := value.(int64); isInt && t.isConverted && t.s != nil && HasType(t.s, StringType) {
		return a.near(operator, t, func(i int64) string { return strconv.FormatInt(n+i, 10) })
	}
	var out []Plan
	if t.orElse != nil && holdsFor(operator, t.orElse, value) {
		out = append(out, Plan{{At: t.at, Absent: true}})
	}
	switch operator {
	case operators.Equals:
		return append(out, a.assign(t, []any{value})...)
	case operators.NotEquals:
		return append(out, a.constrained(t, enumOf([]any{value}), false)...)
	}
	bound := &schema.Number{V: JSON(value)}
	limits := &schema.Schema{}
	switch operator {
	case operators.Less, operators.LessEquals:
		limits.Maximum, limits.ExclusiveMaximum = bound, &schema.Flag{V: operator == operators.Less}
	default:
		limits.Minimum, limits.ExclusiveMinimum = bound, &schema.Flag{V: operator == operators.Greater}
	}
	if _, isText := value.(string); isText {
		return out
	}
	return append(out, a.constrained(t, limits, true)...)
}

// near makes plans for a text that is read as a number: one of those next to the number that it is compared with. text
// is the text of the number with something added.
func (a *aim) near(operator string, t target, text func(int64) string) []Plan {
	var texts []any
	for _, i := range []int64{0, 1, -1} {
		if matches(operator, i < 0, i == 0) {
			texts = append(texts, text(i))
		}
	}
	return a.assign(t, texts)
}

// compareDurations makes plans for a comparison of a duration with a constant one.
func (a *aim) compareDurations(operator string, x, y ast.Expr) []Plan {
	operand, isDuration := durationOf(x)
	with, isAlso := durationOf(y)
	if !isDuration || !isAlso {
		return nil
	}
	if _, ok := constant(operand); ok {
		operand, with, operator = with, operand, swapped[operator]
	}
	t, ok := a.target(operand)
	value, _ := constant(with)
	text, _ := value.(string)
	limit, err := time.ParseDuration(text)
	if !ok || err != nil || t.s == nil {
		return nil
	}
	return a.near(operator, t, func(i int64) string { return (limit + time.Duration(i)*time.Second).String() })
}

// durationOf returns what an expression reads as a duration.
func durationOf(e ast.Expr) (ast.Expr, bool) {
	if !isCall(e, "duration") || len(e.AsCall().Args()) != 1 {
		return nil, false
	}
	return e.AsCall().Args()[0], true
}

// filtered returns the call of an expression that filters a list.
func filtered(e ast.Expr) (ast.CallExpr, bool) {
	if !isCall(e, "filter") || !e.AsCall().IsMemberFunction() || len(e.AsCall().Args()) != 2 {
		return nil, false
	}
	return e.AsCall(), true
}

// filters makes plans for a comparison of the number of items that satisfy a condition.
func (a *aim) filters(operator string, c ast.CallExpr, value any) []Plan {
	n, isInt := value.(int64)
	t, ok := a.target(c.Target())
	if !ok || !isInt || t.s == nil || t.s.Items == nil || n > effort.DiffNumbers.Most ||
		c.Args()[0].Kind() != ast.IdentKind {
		return nil
	}
	switch operator {
	case operators.Greater, operators.NotEquals:
		n++
	case operators.Less:
		n--
	}
	out := []Plan{{}}
	for i := range int(n) {
		out = a.both(out, a.aimAt(t, c.Args()[0].AsIdent(), i).plansFor(c.Args()[1], true))
	}
	return out
}

// sums makes plans for comparisons of sums: none of the operands, or as much as possible of the first ones.
func (a *aim) sums(operator string, x ast.Expr) []Plan {
	out := []Plan{{}}
	if operator == operators.Less || operator == operators.LessEquals {
		return out
	}
	for _, operand := range operands(x, operators.Add) {
		more := a.large(operand)
		if len(more) > 0 {
			out = append(out, out[len(out)-1].and(more[0]...))
		}
	}
	return out[1:]
}

// large makes plans under which a number is as large as possible.
func (a *aim) large(e ast.Expr) []Plan {
	if isCall(e, operators.Conditional) {
		args := e.AsCall().Args()
		return interleaved(
			a.both(a.plansFor(args[0], true), a.large(args[1])), a.both(a.plansFor(args[0], false), a.large(args[2])))
	}
	operand, ok := sized(e)
	if !ok {
		return nil
	}
	t, ok := a.target(operand)
	if !ok || t.s == nil {
		return nil
	}
	most := effort.DiffKeys.Most
	for _, limit := range []*schema.Int{t.s.MaxItems, t.s.MaxLength, t.s.MaxProperties} {
		if limit != nil {
			most = min(most, limit.V)
		}
	}
	return a.sizes(operators.Equals, t, most)
}

func holdsFor(operator string, x, y any) bool {
	equal := JSON(x) == JSON(y)
	switch operator {
	case operators.Equals:
		return equal
	case operators.NotEquals:
		return !equal
	}
	return true // a guess
}

// sized returns what an expression takes the size of.
func sized(e ast.Expr) (ast.Expr, bool) {
	if !isCall(e, "size") {
		return nil, false
	}
	if c := e.AsCall(); c.IsMemberFunction() {
		return c.Target(), true
	} else if len(c.Args()) == 1 {
		return c.Args()[0], true
	}
	return nil, false
}

// sizes makes plans with a size that compares with n.
func (a *aim) sizes(operator string, t target, n int64) (out []Plan) {
	if t.s == nil {
		return nil
	}
	var want []int64
	switch operator {
	case operators.Equals:
		want = []int64{n}
	case operators.NotEquals:
		want = []int64{n + 1, n - 1}
	case operators.Less:
		want = []int64{n - 1, 0}
	case operators.LessEquals:
		want = []int64{n, 0}
	case operators.Greater:
		want = []int64{n + 1}
	case operators.GreaterEquals:
		want = []int64{n, n + 1}
	}
	for _, size := range want {
		if size < 0 || size > effort.DiffKeys.Most {
			continue
		}
		if HasType(t.s, ArrayType) && size > 0 && t.s.Type.V != "" {
			out = append(out, Plan{{At: t.at.Then(schema.Item(int(size) - 1)), IsAny: true}})
			continue
		}
		bounds := &schema.Schema{}
		exactly := &schema.Int{V: size}
		switch {
		case HasType(t.s, ArrayType):
			bounds.MinItems = exactly
		case HasType(t.s, ObjectType):
			bounds.MinProperties = exactly
		default:
			bounds.MinLength, bounds.MaxLength = exactly, exactly
		}
		out = append(out, a.constrained(t, bounds, true)...)
	}
	return out
}

// compareTargets makes plans for two parts of the object: a few values of both.
func (a *aim) compareTargets(operator string, x, y ast.Expr) (out []Plan) {
	first, ok := a.target(x)
	second, also := a.target(y)
	if !ok || !also || first.s == nil || second.s == nil {
		return nil
	}
	if operator == operators.Equals {
		return []Plan{{{At: second.at, From: first.at}}, {{At: first.at, From: second.at}}}
	}
	for _, v := range a.samples(first.s) {
		for _, w := range a.samples(second.s) {
			if less, ok := lessThan(v, w); ok && matches(operator, less, JSON(v) == JSON(w)) && len(out) < 6 {
				out = append(out, Plan{{At: first.at, Value: v}, {At: second.at, Value: w}})
			}
		}
	}
	return out
}

// samples returns a few values of a schema.
func (a *aim) samples(s *schema.Schema) []any {
	list, _ := a.Solver.Solve(s, nil)
	if len(list) == 0 {
		for variant := range 2 {
			if made, ok := a.Value(s, variant); ok {
				list = append(list, made)
			}
		}
	}
	return list[:min(len(list), 5)]
}

func lessThan(x, y any) (less, ok bool) {
	switch x := x.(type) {
	case int64:
		y, ok := y.(int64)
		return x < y, ok
	case string:
		y, ok := y.(string)
		return x < y, ok
	case float64:
		y, ok := y.(float64)
		return x < y, ok
	}
	return false, true
}

func matches(operator string, less, equal bool) bool {
	switch operator {
	case operators.Equals:
		return equal
	case operators.NotEquals:
		return !equal
	case operators.Less:
		return less
	case operators.LessEquals:
		return less || equal
	case operators.Greater:
		return !less && !equal
	}
	return !less
}
