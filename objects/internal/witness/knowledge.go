package witness

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"

	"github.com/crdproof/crdproof/schema"
)

// Knowledge is what is known of all objects.
type Knowledge struct {
	aim
	Place
	// values are those of paths, by their text: one of the enum of each.
	values map[string]any
	// present are paths that exist wherever the expression is evaluated.
	present []string
	// keys are the variables that are keys of maps.
	keys []string
}

// A Place is a place of objects, with the schemas of the side that accepts objects and of the one that may reject them.
type Place struct {
	At             schema.Path
	Accept, Reject *schema.Schema
}

// KnownAt returns what is known of all objects that have a place, of which rules are about.
func (b *Builder) KnownAt(p Place) *Knowledge {
	return &Knowledge{aim: aim{Builder: b, vars: map[string]target{"self": {at: p.At, s: p.Accept}}}, Place: p}
}

// CannotFail reports whether an expression is true because no value violates it: each way to make it false demands a
// value that the schema does not accept.
func (k *Knowledge) CannotFail(e ast.Expr) bool {
	exact := true
	a := aim{Builder: k.Builder, vars: k.vars, know: k, exact: &exact}
	for _, p := range a.plansFor(e, false) {
		if !k.isImpossible(p) {
			return false
		}
	}
	return exact
}

// target returns the target of an aim, but only for expressions that have the value as it is: string(self.size) is not
// a value of the schema of size.
func (k *Knowledge) target(e ast.Expr) (target, bool) {
	t, ok := k.aim.target(e)
	return t, ok && !t.isConverted
}

// given returns what is known where the value of an expression has decided that evaluation goes on.
func (k *Knowledge) given(e ast.Expr, value bool) *Knowledge {
	out := *k
	out.present = slices.Clip(k.present)
	out.add(e, value)
	return &out
}

func (k *Knowledge) add(e ast.Expr, value bool) {
	if e.Kind() != ast.CallKind || !k.Steps.Rules.Spend(1) {
		return
	}
	c := e.AsCall()
	switch name := c.FunctionName(); {
	case name == operators.LogicalNot:
		k.add(c.Args()[0], !value)
	case name == operators.LogicalAnd && value, name == operators.LogicalOr && !value:
		k.add(c.Args()[0], value)
		k.add(c.Args()[1], value)
	case name == "has" && value:
		if t, ok := k.target(c.Args()[0]); ok {
			k.present = append(k.present, t.at.String())
		}
	}
}

// isPresent reports whether a path to a known field exists in all objects that have the node, as the rejecting side
// sees them: clients must set it, or that side has a default. Items are there when they are looked at.
func (k *Knowledge) isPresent(at schema.Path) bool {
	accept, reject := k.Accept, k.Reject
	for i := len(k.At); i < len(at); i++ {
		to := at[i]
		a, r := k.Child(accept, to), k.Child(reject, to)
		if a == nil || r == nil || converts(a) || converts(r) {
			return false
		}
		if to.IsItem() && (!k.isBound(at[:i+1]) || IsNullable(a) || IsNullable(r)) {
			return false // the list may be shorter, and the item null
		}
		isSet := k.IsRequired(accept, to.Name) || r.Default != nil && r.Default.Kind != schema.Null
		mayLack := !isSet || IsNullable(a) || IsNullable(r)
		if !to.IsItem() && !slices.Contains(k.present, at[:i+1].String()) && mayLack {
			return false
		}
		accept, reject = a, r
	}
	return true
}

// converts reports whether CEL reads a text as something else. That fails for some texts of the format.
func converts(s *schema.Schema) bool {
	return s != nil && s.Type.V == StringType && slices.Contains([]string{"byte", "date", "date-time", "datetime",
		"duration"}, s.Format.V)
}

// convertsBelow reports whether CEL reads a text in a value as something else, when it reads the whole value.
func convertsBelow(s *schema.Schema) (reads bool) {
	if s != nil {
		schema.Walk(s, func(p *schema.Place) { reads = reads || converts(p.Schema) })
	}
	return reads
}

// fills reports whether the last field of a path exists in all objects that have the value around it.
func (k *Knowledge) fills(at schema.Path) bool {
	above := at[:max(len(at)-1, 0)]
	if len(at) <= len(k.At) || at[len(at)-1].IsItem() {
		return true
	}
	name := at[len(at)-1].Name
	a, r := k.SchemaAt(k.Accept, above[len(k.At):]), k.SchemaAt(k.Reject, above[len(k.At):])
	if a == nil || r == nil || k.Property(a, name) == nil || k.Property(r, name) == nil {
		return false
	}
	if slices.Contains(k.present, at.String()) {
		return true
	}
	was, filled := k.Property(a, name), k.Property(r, name)
	return (k.IsRequired(a, name) || filled.Default != nil && filled.Default.Kind != schema.Null) && !IsNullable(was) &&
		!IsNullable(filled)
}

// isBound reports whether a path leads to an item that a variable of a macro is about, or through one.
func (k *Knowledge) isBound(at schema.Path) bool {
	for _, t := range k.vars {
		if t.at.IsIn(at) {
			return true
		}
	}
	return false
}

// upper returns a limit of a sum of sizes, as far as the bounds of the accepting side tell; ok is unset without one.
func (k *Knowledge) upper(e ast.Expr) (limit int64, ok bool) {
	if value, isConstant := constant(e); isConstant {
		limit, ok = value.(int64)
		return limit, ok
	}
	if e.Kind() != ast.CallKind {
		return 0, false
	}
	args := e.AsCall().Args()
	switch {
	case isCall(e, operators.Add), isCall(e, operators.Conditional):
		x, xOk := k.upper(args[len(args)-2])
		y, yOk := k.upper(args[len(args)-1])
		if value, known := k.truth(args[0]); known && isCall(e, operators.Conditional) {
			if value {
				return x, xOk
			}
			return y, yOk
		}
		if isCall(e, operators.Add) {
			return x + y, xOk && yOk && x < math.MaxInt32 && y < math.MaxInt32
		}
		return max(x, y), xOk && yOk
	}
	operand, isSize := sized(e)
	if !isSize {
		return 0, false
	}
	t, isTarget := k.target(operand)
	if !isTarget || t.s == nil || !HasType(t.s, ArrayType) || t.s.Type.V == "" || t.s.MaxItems == nil {
		return 0, false
	}
	limit = t.s.MaxItems.V
	if r := k.SchemaAt(k.Reject, t.at[min(len(k.At), len(t.at)):]); r != nil && r.Default != nil {
		limit = max(limit, int64(len(r.Default.Items))) // which the other side may fill in
	}
	return limit, true
}

// listed returns the values that a target with an enum may have: those of the accepting side, and the default of the
// other one.
func (k *Knowledge) listed(t target) (list []any, has bool) {
	if list, has = k.Enumerated(t.s); has && slices.Contains(TypesOf(t.s), NumberType) {
		return nil, false
	} else if !has || len(t.at) < len(k.At) {
		return list, has
	}
	if r := k.SchemaAt(k.Reject, t.at[len(k.At):]); r != nil && r.Default != nil {
		list = append(slices.Clip(list), Plain(r.Default))
	}
	return list, true
}

// open returns the operands of && or || that decide its value, as far as that is not known.
func (k *Knowledge) open(e ast.Expr, operator string) (out []ast.Expr) {
	at := k
	for _, operand := range operands(e, operator) {
		if value, known := at.truth(operand); !known || value == (operator == operators.LogicalOr) {
			out = append(out, operand)
		}
		at = at.given(operand, operator == operators.LogicalAnd)
	}
	return out
}

// item returns what is known inside a macro.
func (k *Knowledge) item(c ast.CallExpr) *Knowledge {
	inner := *k
	inner.vars = maps.Clone(k.vars)
	t, ok := k.target(c.Target())
	for _, arg := range c.Args()[:len(c.Args())-1] {
		if arg.Kind() == ast.IdentKind {
			delete(inner.vars, arg.AsIdent())
		}
	}
	if ok && t.s != nil && t.s.Items != nil && len(c.Args()) == 2 && !strings.HasPrefix(c.FunctionName(), "opt") {
		inner.vars[c.Args()[0].AsIdent()] = target{at: t.at.Then(schema.Item(0)), s: t.s.Items}
	}
	if ok && t.s != nil && HasType(t.s, ObjectType) && c.Args()[0].Kind() == ast.IdentKind {
		inner.keys = append(slices.Clip(k.keys), c.Args()[0].AsIdent())
	}
	return &inner
}

// mayBeNull reports whether a variable, a field or an item may be null. Functions of other types fail for null. Rules
// about null are not evaluated.
func (k *Knowledge) mayBeNull(e ast.Expr) bool {
	switch e.Kind() {
	case ast.IdentKind:
		if name := e.AsIdent(); name == "self" || name == "oldSelf" || slices.Contains(k.keys, name) {
			return false
		}
	case ast.SelectKind:
	case ast.CallKind:
		if e.AsCall().FunctionName() != operators.Index {
			return false
		}
	default:
		return false
	}
	t, ok := k.target(e)
	if !ok || t.s == nil || IsNullable(t.s) || len(t.at) < len(k.At) {
		return true
	}
	other := k.SchemaAt(k.Reject, t.at[len(k.At):])
	return other == nil || IsNullable(other)
}
