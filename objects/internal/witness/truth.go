package witness

import (
	"maps"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"

	"github.com/crdproof/crdproof/internal/effort"
)

// truth returns the value of an expression, if it is known.
func (k *Knowledge) truth(e ast.Expr) (value, known bool) {
	if !k.Steps.Rules.Spend(1) {
		return false, false
	}
	switch e.Kind() {
	case ast.LiteralKind:
		value, known = e.AsLiteral().Value().(bool)
		return value, known
	case ast.CallKind:
		return k.call(e)
	}
	return false, false
}

func (k *Knowledge) call(e ast.Expr) (value, known bool) {
	c := e.AsCall()
	args := c.Args()
	switch name := c.FunctionName(); name {
	case operators.LogicalAnd, operators.LogicalOr:
		decides := name == operators.LogicalOr
		x, xKnown := k.truth(args[0])
		y, yKnown := k.given(args[0], !decides).truth(args[1])
		if xKnown && x == decides || yKnown && y == decides {
			return decides, true
		}
		return !decides, xKnown && yKnown
	case operators.LogicalNot:
		value, known = k.truth(args[0])
		return !value, known
	case operators.Conditional:
		if value, known = k.truth(args[0]); known {
			if value {
				return k.given(args[0], true).truth(args[1])
			}
			return k.given(args[0], false).truth(args[2])
		}
		// Whichever it is, the condition itself must not fail, which is not known.
		return false, false
	case "has":
		if t, ok := k.target(args[0]); ok && len(t.at) > len(k.At) && !converts(t.s) {
			if k.isAbsent(t) {
				return false, true
			}
			if t.s != nil && k.isPresent(t.at) {
				return true, true
			}
		}
	case "hasValue":
		if t, ok := k.target(c.Target()); ok && k.isAbsent(t) {
			return false, true
		}
	case operators.Equals, operators.NotEquals:
		return k.equality(name, args)
	case operators.In:
		return k.membership(args)
	case operators.LessEquals, operators.Less, operators.Greater, operators.GreaterEquals:
		if limit, ok := k.upper(args[0]); ok {
			n, isConstant := constant(args[1])
			most, isInt := n.(int64)
			if isConstant && isInt && (name == operators.LessEquals && limit <= most ||
				name == operators.Less && limit < most) && k.IsSafe(args[0]) {
				return true, true
			}
		}
		return k.count(name, args)
	case "all", "exists":
		if c.IsMemberFunction() && len(args) == 2 && args[0].Kind() == ast.IdentKind {
			return k.quantified(name, c)
		}
	}
	return false, false
}

// isAbsent reports whether no object has a target, because the accepting side does not know it.
func (k *Knowledge) isAbsent(t target) bool {
	if t.s != nil || len(t.at) <= len(k.At) {
		return false
	}
	accept, reject := k.Accept, k.Reject
	for i := len(k.At); i < len(t.at); i++ {
		to := t.at[i]
		if accept == nil || KeepsAny(accept) || accept.EmbeddedResource.True() {
			return false
		}
		next := k.Child(reject, to)
		if accept = k.Child(accept, to); accept == nil { // the first field that is not known
			return k.isPresent(t.at[:i]) && (next == nil || next.Default == nil)
		}
		reject = next
		if reject != nil && reject.Default != nil {
			return false
		}
	}
	return false
}

// equality compares a target with an enum and a constant that is not among its values.
func (k *Knowledge) equality(name string, args []ast.Expr) (value, known bool) {
	for i := range args {
		t, ok := k.target(args[i])
		constant, isConstant := constant(args[1-i])
		if !ok || !isConstant {
			continue
		}
		if k.isAbsent(t) && t.orElse != nil {
			return (JSON(t.orElse) == JSON(constant)) == (name == operators.Equals), true
		}
		if t.s == nil || t.orElse != nil && JSON(t.orElse) == JSON(constant) ||
			t.orElse == nil && !k.isPresent(t.at) {
			continue
		}
		listed, has := k.listed(t)
		if has && k.Steps.Rules.Spend(len(listed)) && !textsOf(listed)[JSON(constant)] {
			return name == operators.NotEquals, true
		}
		if value, ok := k.values[t.at.String()]; ok || has && len(listed) == 1 {
			if !ok {
				value = listed[0]
			}
			return (JSON(value) == JSON(constant)) == (name == operators.Equals), true
		}
	}
	return false, false
}

// count compares the number of items that satisfy a condition with a constant, if none of them does.
func (k *Knowledge) count(name string, args []ast.Expr) (value, known bool) {
	n, ok := constant(args[1])
	limit, isInt := n.(int64)
	operand, isSize := sized(args[0])
	if !ok || !isInt || !isSize {
		return false, false
	}
	c, isFilter := filtered(operand)
	if !isFilter {
		return false, false
	}
	t, ok := k.target(c.Target())
	if value, known := k.item(c).truth(c.Args()[1]); !ok || t.s == nil || !k.isPresent(t.at) || !known || value {
		return false, false
	}
	return matches(name, 0 < limit, limit == 0), true
}

// Decides reports whether an expression is known to be true, for each combination of values of the enums that it reads.
func (k *Knowledge) Decides(e ast.Expr) bool {
	if value, known := k.truth(e); known {
		return value
	}
	var targets []target
	eachExpr(e, func(inner ast.Expr) {
		t, ok := k.target(inner)
		if !ok || !k.Steps.Rules.Spend(1) || t.s == nil || !k.isPresent(t.at) || k.values[t.at.String()] != nil {
			return
		}
		if listed, has := k.listed(t); has && len(listed) <= effort.DiffNumbers.N() {
			targets = append(targets, t)
		}
	})
	if len(targets) == 0 || len(k.values) > 2 {
		return false
	}
	listed, _ := k.listed(targets[0])
	for _, value := range listed {
		next := *k
		next.values = map[string]any{targets[0].at.String(): value}
		maps.Copy(next.values, k.values)
		if !next.Decides(e) {
			return false
		}
	}
	return true
}

// membership compares a target with an enum and a list of constants.
func (k *Knowledge) membership(args []ast.Expr) (value, known bool) {
	if list, ok := k.target(args[1]); ok && list.s != nil && HasType(list.s, ArrayType) && list.s.Items != nil {
		value, isConstant := constant(args[0])
		return false, isConstant && k.isPresent(list.at) && !k.Accepts(list.s.Items, value) &&
			list.s.Items.Default == nil
	}
	t, ok := k.target(args[0])
	list, isConstant := constant(args[1])
	items, isList := list.([]any)
	if !ok || !isConstant || !isList || t.s == nil || t.orElse != nil || !k.isPresent(t.at) {
		return false, false
	}
	listed, has := k.listed(t)
	if !has {
		return false, false
	}
	if !k.Steps.Rules.Spend(len(items) + len(listed)) {
		return false, false
	}
	texts := textsOf(items)
	if value, ok := k.values[t.at.String()]; ok {
		return texts[JSON(value)], true
	}
	in := 0
	for _, v := range listed {
		if texts[JSON(v)] {
			in++
		}
	}
	return in > 0, in == 0 || in == len(listed)
}

func (k *Knowledge) quantified(name string, c ast.CallExpr) (value, known bool) {
	t, ok := k.target(c.Target())
	if !ok || t.s == nil || !HasType(t.s, ArrayType) || t.s.Items == nil || !k.isPresent(t.at) {
		return false, false
	}
	value, known = k.item(c).truth(c.Args()[1])
	return value, known && value == (name == "all")
}
