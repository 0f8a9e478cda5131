package diff

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"

	"github.com/crdproof/crdproof/generator/schema"
)

// ruleGaps adds gaps about rules.
func (w *walk) ruleGaps(n *node) {
	if len(n.reject.Rules) == 0 {
		return
	}
	k := &knowledge{aim: aim{builder: w.builder, vars: map[string]target{"self": {at: n.at, s: n.accept}}}, node: n}
	var had []ast.Expr
	for i := range n.accept.Rules {
		had = append(had, parseRule(&n.accept.Rules[i]).conjuncts...)
	}
	changed, retyped := changesBelow(n, typing), changesBelow(n, typing[:typeKeywords])
	for i := range n.reject.Rules {
		r := parseRule(&n.reject.Rules[i])
		var open []ast.Expr
		isNew := false
		for _, e := range r.conjuncts {
			// Fields that the accepting side does not know are absent, and values are those of its enums.
			isTrue := k.decided(e)
			is := !isTrue && !entails(k, had, e) && !w.cannotFail(k, e)
			isNew = isNew || is
			// Values of another type that are stored make any expression fail that reads them.
			if is || readsChanged(e, retyped) || !isTrue && readsChanged(e, changed) {
				open = append(open, e)
			}
		}
		if len(open) == 0 {
			continue
		}
		g := gap{rule: &rule{source: r.source, conjuncts: open}, reject: r.source.Rule.At,
			text:    w.either("new rule: ", "rule removed: ") + r.source.Rule.V,
			unknown: "no object was found that is valid under the old schema and violates the rule"}
		if !isNew {
			g.text = "a rule reads values whose schema has changed: " + r.source.Rule.V
		}
		g.isSafe = !slices.ContainsFunc(open, func(e ast.Expr) bool {
			return !isSafe(k, e) || readsChanged(e, retyped)
		})
		for _, e := range open {
			g.plans = append(g.plans, w.plansFor(e, n.at, n.accept, false)...)
			for _, r := range readings(e) { // reading what does not exist is an error, and so are functions of null
				if len(r.at) > 0 && len(g.plans) < 2*manyPlans {
					at := append(slices.Clip(n.at), r.at...)
					above := wish{at: at[:len(at)-1], isAny: true}
					g.plans = append(g.plans, plan{above, {at: at, absent: true}})
					if of := schemaAt(n.accept, r.at); of != nil && isNullable(of) {
						g.plans = append(g.plans, plan{above, {at: at}})
					}
				}
			}
		}
		n.ensure(g.plans)
		w.add(n, "x-kubernetes-validations", g)
	}
}

// cannotFail reports whether an expression is true because no value violates it: each way to make it false demands a
// value that the schema does not accept.
func (w *walk) cannotFail(k *knowledge, e ast.Expr) bool {
	exact := true
	a := aim{builder: w.builder, vars: k.vars, know: k, exact: &exact}
	for _, p := range a.make(e, false) {
		if !w.isImpossible(p) {
			return false
		}
	}
	return exact
}

// typing are the keywords that decide how a rule reads a value: its type, and then whether it exists.
var typing = []string{"type", "format", "x-kubernetes-int-or-string", "x-kubernetes-preserve-unknown-fields",
	"x-kubernetes-embedded-resource", "nullable", "default"}

// typeKeywords is how many of them are about the type.
const typeKeywords = 5

// readsChanged reports whether an expression may read values that rules read in another way now, or that have another
// default.
func readsChanged(e ast.Expr, changed []path) bool {
	if len(changed) == 0 {
		return false
	}
	isBelow := func(at, above path) bool { return len(at) >= len(above) && slices.Equal(at[:len(above)], above) }
	return slices.ContainsFunc(readings(e), func(r reading) bool {
		return slices.ContainsFunc(changed, func(at path) bool {
			return isBelow(r.at, at) || r.isWhole && isBelow(at, r.at)
		})
	})
}

// changesBelow are the parts of a node with a change of some keywords, or with a new default if that is one of them.
func changesBelow(n *node, keywords []string) (out []path) {
	byPresence := len(keywords) > typeKeywords
	var compare func(at path, a, r *schema.Schema)
	compare = func(at path, a, r *schema.Schema) {
		switch {
		case a == r:
			return
		case r == nil: // it is dropped
			if byPresence {
				out = append(out, at)
			}
			return
		case a == nil:
			if byPresence && r.Default != nil {
				out = append(out, at)
			}
			return // nothing below exists without it
		}
		if listText(a) != listText(r) {
			out = append(out, at)
			return
		}
		for _, name := range keywords {
			k := schema.KeywordOf(name)
			if k.IsSet(a) != k.IsSet(r) || k.IsSet(a) && !sameValue(k, a, r) {
				out = append(out, at)
				break
			}
		}
		for i := range r.Properties {
			p := &r.Properties[i]
			compare(at.field(p.Name), child(a, step{name: p.Name}), p.Schema)
		}
		for i := range a.Properties {
			name := a.Properties[i].Name
			if byPresence && r.Property(name) == nil && r.AdditionalProperties == nil && !keepsUnknown(r) {
				out = append(out, at.field(name))
			}
		}
		if r.Items != nil {
			compare(at.item(0), a.Items, r.Items)
		}
		if r.AdditionalProperties != nil {
			compare(at.item(0), a.AdditionalProperties, r.AdditionalProperties)
		}
	}
	compare(nil, n.accept, n.reject)
	return out
}

func sameValue(k *schema.Keyword, a, b *schema.Schema) bool {
	var x, y schema.Schema
	k.Copy(&x, a)
	k.Copy(&y, b)
	return schema.Same(&x, &y)
}

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
	if e.Kind() != ast.CallKind {
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
		a, r := child(accept, to), child(reject, to)
		if a == nil || r == nil || converts(a) || converts(r) {
			return false
		}
		if to.name == "" && (!k.isBound(at[:i+1]) || isNullable(a) || isNullable(r)) {
			return false // the list may be shorter, and the item null
		}
		isSet := isRequired(accept, to.name) || r.Default != nil && r.Default.Kind != schema.Null
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
	a, r := schemaAt(k.node.accept, above[len(k.node.at):]), schemaAt(k.node.reject, above[len(k.node.at):])
	if a == nil || r == nil || a.Property(name) == nil || r.Property(name) == nil {
		return false
	}
	if slices.Contains(k.present, at.String()) {
		return true
	}
	was, is := a.Property(name), r.Property(name)
	return (isRequired(a, name) || is.Default != nil && is.Default.Kind != schema.Null) && !isNullable(was) &&
		!isNullable(is)
}

// isBound reports whether a path leads to an item that a variable of a macro is about, or through one.
func (k *knowledge) isBound(at path) bool {
	for _, t := range k.vars {
		if len(t.at) >= len(at) && slices.Equal(t.at[:len(at)], at) {
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
	if r := schemaAt(k.node.reject, t.at[min(len(k.node.at), len(t.at)):]); r != nil && r.Default != nil {
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
	if r := schemaAt(k.node.reject, t.at[len(k.node.at):]); r != nil && r.Default != nil {
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
	other := schemaAt(k.node.reject, t.at[len(k.node.at):])
	return other == nil || isNullable(other)
}

// truth is the value of an expression, if it is known.
func (k *knowledge) truth(e ast.Expr) (value, known bool) {
	switch e.Kind() {
	case ast.LiteralKind:
		value, known = e.AsLiteral().Value().(bool)
		return value, known
	case ast.CallKind:
		return k.call(e)
	}
	return false, false
}

func (k *knowledge) call(e ast.Expr) (value, known bool) {
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
		if t, ok := k.target(args[0]); ok && len(t.at) > len(k.node.at) && !converts(t.s) {
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
				name == operators.Less && limit < most) && isSafe(k, args[0]) {
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
func (k *knowledge) isAbsent(t target) bool {
	if t.s != nil || len(t.at) <= len(k.node.at) {
		return false
	}
	accept, reject := k.node.accept, k.node.reject
	for i := len(k.node.at); i < len(t.at); i++ {
		to := t.at[i]
		if accept == nil || keepsUnknown(accept) || accept.AdditionalAllowed || isOn(accept.EmbeddedResource) {
			return false
		}
		next := child(reject, to)
		if accept = child(accept, to); accept == nil { // the first field that is not known
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
func (k *knowledge) equality(name string, args []ast.Expr) (value, known bool) {
	for i := range args {
		t, ok := k.target(args[i])
		constant, isConstant := constant(args[1-i])
		if !ok || !isConstant {
			continue
		}
		if k.isAbsent(t) && t.orElse != nil {
			return (encode(t.orElse) == encode(constant)) == (name == operators.Equals), true
		}
		if t.s == nil || t.orElse != nil && encode(t.orElse) == encode(constant) ||
			t.orElse == nil && !k.isPresent(t.at) {
			continue
		}
		listed, has := k.listed(t)
		if has && !containsValue(listed, constant) {
			return name == operators.NotEquals, true
		}
		if is, ok := k.values[t.at.String()]; ok || has && len(listed) == 1 {
			if !ok {
				is = listed[0]
			}
			return (encode(is) == encode(constant)) == (name == operators.Equals), true
		}
	}
	return false, false
}

// count compares the number of items that satisfy a condition with a constant, if none of them does.
func (k *knowledge) count(name string, args []ast.Expr) (value, known bool) {
	n, ok := constant(args[1])
	limit, isInt := n.(int64)
	of, isSize := sized(args[0])
	if !ok || !isInt || !isSize {
		return false, false
	}
	c, isFilter := filtered(of)
	if !isFilter {
		return false, false
	}
	t, ok := k.target(c.Target())
	if is, known := k.item(c).truth(c.Args()[1]); !ok || t.s == nil || !k.isPresent(t.at) || !known || is {
		return false, false
	}
	return matches(name, 0 < limit, limit == 0), true
}

// decided is the value of an expression if it is known for each combination of values of the enums that it reads.
func (k *knowledge) decided(e ast.Expr) bool {
	if value, known := k.truth(e); known {
		return value
	}
	var targets []target
	eachExpr(e, func(inner ast.Expr) {
		t, ok := k.target(inner)
		if !ok || t.s == nil || !k.isPresent(t.at) || k.values[t.at.String()] != nil {
			return
		}
		if listed, has := k.listed(t); has && len(listed) <= manyNumbers {
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
		if !next.decided(e) {
			return false
		}
	}
	return true
}

// membership compares a target with an enum and a list of constants.
func (k *knowledge) membership(args []ast.Expr) (value, known bool) {
	if list, ok := k.target(args[1]); ok && list.s != nil && hasType(list.s, arrayType) && list.s.Items != nil {
		value, isConstant := constant(args[0])
		return false, isConstant && k.isPresent(list.at) && !k.holds(list.s.Items, value) && list.s.Items.Default == nil
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
	if is, ok := k.values[t.at.String()]; ok {
		return containsValue(items, is), true
	}
	in := 0
	for _, v := range listed {
		if containsValue(items, v) {
			in++
		}
	}
	return in > 0, in == 0 || in == len(listed)
}

func (k *knowledge) quantified(name string, c ast.CallExpr) (value, known bool) {
	t, ok := k.target(c.Target())
	if !ok || t.s == nil || !hasType(t.s, arrayType) || t.s.Items == nil || !k.isPresent(t.at) {
		return false, false
	}
	value, known = k.item(c).truth(c.Args()[1])
	return value, known && value == (name == "all")
}
