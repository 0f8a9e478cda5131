package diff

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"

	"github.com/crdproof/crdproof/schema"
)

// knowledge is what is known of all objects.
type knowledge struct {
	aim
	node *node
	// values are those of paths, by their text: one of the enum of each.
	values map[string]any
	// present are paths that exist wherever the expression is evaluated.
	present []string
	// keys are the variables that are keys of maps.
	keys []string
}

// target is that of an aim, but only for expressions that have the value as it is: string(self.size) is not a value
// of the schema of size.
func (k *knowledge) target(e ast.Expr) (target, bool) {
	t, ok := k.aim.target(e)
	return t, ok && !t.isConverted
}

// given is what is known where the value of an expression has decided that evaluation goes on.
func (k *knowledge) given(e ast.Expr, value bool) *knowledge {
	out := *k
	out.present = slices.Clip(k.present)
	out.add(e, value)
	return &out
}

func (k *knowledge) add(e ast.Expr, value bool) {
	if e.Kind() != ast.CallKind || !k.steps.rules.Spend(1) {
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
func (k *knowledge) isPresent(at path) bool {
	accept, reject := k.node.accept, k.node.reject
	for i := len(k.node.at); i < len(at); i++ {
		to := at[i]
		a, r := k.child(accept, to), k.child(reject, to)
		if a == nil || r == nil || converts(a) || converts(r) {
			return false
		}
		if to.name == "" && (!k.isBound(at[:i+1]) || isNullable(a) || isNullable(r)) {
			return false // the list may be shorter, and the item null
		}
		isSet := k.isRequired(accept, to.name) || r.Default != nil && r.Default.Kind != schema.Null
		mayLack := !isSet || isNullable(a) || isNullable(r)
		if to.name != "" && !slices.Contains(k.present, at[:i+1].String()) && mayLack {
			return false
		}
		accept, reject = a, r
	}
	return true
}

// converts reports whether CEL reads a text as something else. That fails for some texts of the format.
func converts(s *schema.Schema) bool {
	return s != nil && s.Type.V == stringType && slices.Contains([]string{"byte", "date", "date-time", "datetime",
		"duration"}, s.Format.V)
}

// convertsBelow reports whether CEL reads a text in a value as something else, when it reads the whole value.
func convertsBelow(s *schema.Schema) (does bool) {
	if s != nil {
		schema.Walk(s, func(p *schema.Place) { does = does || converts(p.Schema) })
	}
	return does
}

// fills reports whether the last field of a path exists in all objects that have the value around it.
func (k *knowledge) fills(at path) bool {
	above := at[:max(len(at)-1, 0)]
	if len(at) <= len(k.node.at) || at[len(at)-1].name == "" {
		return true
	}
	name := at[len(at)-1].name
	a, r := k.schemaAt(k.node.accept, above[len(k.node.at):]), k.schemaAt(k.node.reject, above[len(k.node.at):])
	if a == nil || r == nil || k.property(a, name) == nil || k.property(r, name) == nil {
		return false
	}
	if slices.Contains(k.present, at.String()) {
		return true
	}
	was, is := k.property(a, name), k.property(r, name)
	return (k.isRequired(a, name) || is.Default != nil && is.Default.Kind != schema.Null) && !isNullable(was) &&
		!isNullable(is)
}

// isBound reports whether a path leads to an item that a variable of a macro is about, or through one.
func (k *knowledge) isBound(at path) bool {
	for _, t := range k.vars {
		if t.at.isIn(at) {
			return true
		}
	}
	return false
}

// upper is a limit of a sum of sizes, as far as the bounds of the accepting side tell; ok is unset without one.
func (k *knowledge) upper(e ast.Expr) (limit int64, ok bool) {
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
	of, isSize := sized(e)
	if !isSize {
		return 0, false
	}
	t, isTarget := k.target(of)
	if !isTarget || t.s == nil || !hasType(t.s, arrayType) || t.s.Type.V == "" || t.s.MaxItems == nil {
		return 0, false
	}
	limit = t.s.MaxItems.V
	if r := k.schemaAt(k.node.reject, t.at[min(len(k.node.at), len(t.at)):]); r != nil && r.Default != nil {
		limit = max(limit, int64(len(r.Default.Items))) // which the other side may fill in
	}
	return limit, true
}

// listed are the values that a target with an enum may have: those of the accepting side, and the default of the other
// one.
func (k *knowledge) listed(t target) (list []any, has bool) {
	if list, has = k.enumerated(t.s); has && slices.Contains(typesOf(t.s), numberType) {
		return nil, false
	} else if !has || len(t.at) < len(k.node.at) {
		return list, has
	}
	if r := k.schemaAt(k.node.reject, t.at[len(k.node.at):]); r != nil && r.Default != nil {
		list = append(slices.Clip(list), plain(r.Default))
	}
	return list, true
}

// open are the operands of && or || that decide its value, as far as that is not known.
func (k *knowledge) open(e ast.Expr, operator string) (out []ast.Expr) {
	at := k
	for _, operand := range operands(e, operator) {
		if value, known := at.truth(operand); !known || value == (operator == operators.LogicalOr) {
			out = append(out, operand)
		}
		at = at.given(operand, operator == operators.LogicalAnd)
	}
	return out
}

// item is what is known inside a macro.
func (k *knowledge) item(c ast.CallExpr) *knowledge {
	inner := *k
	inner.vars = maps.Clone(k.vars)
	t, ok := k.target(c.Target())
	for _, arg := range c.Args()[:len(c.Args())-1] {
		if arg.Kind() == ast.IdentKind {
			delete(inner.vars, arg.AsIdent())
		}
	}
	if ok && t.s != nil && t.s.Items != nil && len(c.Args()) == 2 && !strings.HasPrefix(c.FunctionName(), "opt") {
		inner.vars[c.Args()[0].AsIdent()] = target{at: t.at.item(0), s: t.s.Items}
	}
	if ok && t.s != nil && hasType(t.s, objectType) && c.Args()[0].Kind() == ast.IdentKind {
		inner.keys = append(slices.Clip(k.keys), c.Args()[0].AsIdent())
	}
	return &inner
}

// mayBeNull reports whether a variable, a field or an item may be null. Functions of other types fail for null. Rules
// about null are not evaluated.
func (k *knowledge) mayBeNull(e ast.Expr) bool {
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
	if !ok || t.s == nil || isNullable(t.s) || len(t.at) < len(k.node.at) {
		return true
	}
	other := k.schemaAt(k.node.reject, t.at[len(k.node.at):])
	return other == nil || isNullable(other)
}
