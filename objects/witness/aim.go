package diff

import (
	"maps"
	"regexp"
	"slices"
	"strconv"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/schema"
)

// An aim makes plans under which an expression is true or false. The plans are guesses: the API server's code decides.
type aim struct {
	*builder
	vars map[string]target
	// exact is unset when plans are made that do not cover all ways to give an expression a value; nil if that does not
	// matter. know is what is known of all objects then.
	exact *bool
	know  *knowledge
}

// guess notes that there may be other ways.
func (a *aim) guess() {
	if a.exact != nil {
		*a.exact = false
	}
}

// needs notes that a part of the object may not exist: reading it fails then, which no plan is about.
func (a *aim) needs(t target) {
	if a.exact != nil && (t.orElse != nil || t.isConverted || !a.know.isPresent(t.at)) {
		a.guess()
	}
}

// A target is a part of the object that an expression names.
type target struct {
	at path
	s  *schema.Schema
	// orElse is the value of an optional field that is absent, if there is one.
	orElse any
	// isConverted is set if the expression has the value in another type, such as string(self.size).
	isConverted bool
}

// plansFor are plans under which an expression about a value at a path is true or false.
func (b *builder) plansFor(e ast.Expr, at path, s *schema.Schema, want bool) []plan {
	a := aim{builder: b, vars: map[string]target{"self": {at: at, s: s}}}
	return a.make(e, want)
}

func (a *aim) make(e ast.Expr, want bool) []plan {
	if !a.steps.rules.Spend(1) {
		return nil
	}
	switch e.Kind() {
	case ast.LiteralKind:
		if value, ok := e.AsLiteral().Value().(bool); ok && value == want {
			return []plan{{}}
		}
		return nil
	case ast.CallKind:
		if out := a.call(e, want); len(out) > 0 || a.exact != nil && isConnective(e) {
			return out
		}
	default:
		if t, ok := a.target(e); ok {
			a.guess()
			return a.assign(t, []any{want})
		}
	}
	return a.guesses(e)
}

// whole returns plans; so many may not be all.
func (a *aim) whole(list []plan) []plan {
	if len(list) >= effort.DiffAlternatives.N() {
		a.guess()
	}
	return list
}

// isConnective reports whether an expression has a value only because of the values of its operands.
func isConnective(e ast.Expr) bool {
	switch e.AsCall().FunctionName() {
	case operators.LogicalAnd, operators.LogicalOr, operators.LogicalNot, operators.Conditional:
		return true
	}
	return false
}

func (a *aim) call(e ast.Expr, want bool) []plan {
	c := e.AsCall()
	args := c.Args()
	switch name := c.FunctionName(); name {
	case operators.LogicalAnd, operators.LogicalOr:
		if (name == operators.LogicalAnd) == want {
			return a.whole(a.both(a.make(args[0], want), a.make(args[1], want)))
		}
		return a.whole(mixed(a.make(args[0], want), a.make(args[1], want)))
	case operators.LogicalNot:
		return a.make(args[0], !want)
	case operators.Conditional:
		return a.whole(mixed(a.whole(a.both(a.make(args[0], true), a.make(args[1], want))),
			a.whole(a.both(a.make(args[0], false), a.make(args[2], want)))))
	case "has":
		a.guess()
		if t, ok := a.target(args[0]); ok {
			return []plan{{{at: t.at, isAny: want, absent: !want}}}
		}
	case operators.In:
		a.guess()
		return a.in(args[0], args[1], want)
	case operators.Equals, operators.NotEquals, operators.Less, operators.LessEquals, operators.Greater,
		operators.GreaterEquals:
		a.guess()
		return a.compare(name, args[0], args[1], want)
	case "matches", "startsWith", "endsWith", "contains":
		return a.textual(name, c, want)
	case "hasValue":
		a.guess()
		if t, ok := a.target(c.Target()); ok {
			return []plan{{{at: t.at, isAny: want, absent: !want}}}
		}
	case "isIP", "isCIDR", "isURL", "isQuantity", "isSemver":
		a.guess()
		if t, ok := a.target(subject(c)); ok {
			return a.named(name, t, want)
		}
	case "all", "exists", "exists_one", "existsOne":
		if c.IsMemberFunction() && len(args) >= 2 {
			return a.quantified(name, c, want)
		}
	}
	return nil
}

// subject is what a function is about: its target, or its first argument.
func subject(c ast.CallExpr) ast.Expr {
	if c.IsMemberFunction() {
		return c.Target()
	}
	return c.Args()[0]
}

// examples are texts for which functions of Kubernetes are true.
var examples = map[string][]any{
	"isIP":       {"10.0.0.1", "::1"},
	"isCIDR":     {"10.0.0.0/8", "::/0"},
	"isURL":      {"https://example.com", "/a"},
	"isQuantity": {"1", "1Gi"},
	"isSemver":   {"1.2.3"},
}

// named are plans for such a function.
func (a *aim) named(name string, t target, want bool) []plan {
	if want {
		return a.assign(t, examples[name])
	}
	return a.such(t, enumOf(examples[name]), false)
}

// mixed takes alternatives of both lists in turn.
func mixed(x, y []plan) (out []plan) {
	for i := range max(len(x), len(y)) {
		if i < len(x) {
			out = append(out, x[i])
		}
		if i < len(y) {
			out = append(out, y[i])
		}
	}
	return out[:min(len(out), effort.DiffAlternatives.N())]
}

// target follows the selections of an expression.
func (a *aim) target(e ast.Expr) (target, bool) {
	switch e.Kind() {
	case ast.IdentKind:
		t, ok := a.vars[e.AsIdent()]
		return t, ok
	case ast.SelectKind:
		t, ok := a.target(e.AsSelect().Operand())
		return a.field(t, fieldName(e)), ok
	case ast.CallKind:
		c := e.AsCall()
		args := c.Args()
		switch c.FunctionName() {
		case operators.OptSelect, operators.OptIndex, operators.Index:
			t, ok := a.target(args[0])
			key, isConstant := constant(args[1])
			switch key := key.(type) {
			case string:
				return a.field(t, key), ok && isConstant
			case int64:
				return target{at: t.at.item(int(min(key, effort.DiffKeys.Most))), s: a.child(t.s, step{})}, ok && key >= 0
			}
		case "orValue":
			t, ok := a.target(c.Target())
			t.orElse, _ = constant(args[0])
			return t, ok
		case "value":
			if c.IsMemberFunction() {
				return a.target(c.Target())
			}
		case "string", "dyn", "int", "double", "quantity":
			if !c.IsMemberFunction() && len(args) == 1 {
				t, ok := a.target(args[0])
				t.isConverted = true
				return t, ok
			}
		}
	}
	return target{}, false
}

func (a *aim) field(t target, name string) target {
	return target{at: t.at.field(name), s: a.child(t.s, step{name: name})}
}

// assign are plans that set a target to one of several values.
func (a *aim) assign(t target, list []any) (out []plan) {
	for _, value := range list[:min(len(list), 4)] {
		if t.s == nil || a.holds(t.s, value) {
			out = append(out, plan{{at: t.at, value: value}})
		}
	}
	return out
}

// such are plans that set a target to values of a schema without a type, or to values that violate it.
func (a *aim) such(t target, of *schema.Schema, want bool) []plan {
	if t.s == nil {
		return nil
	}
	return a.leaf(of, t.s, t.at, want)
}

func (a *aim) in(element, list ast.Expr, want bool) []plan {
	if t, ok := a.target(element); ok {
		if values, isConstant := constant(list); isConstant {
			items, _ := values.([]any)
			if want {
				return a.assign(t, items)
			}
			return a.such(t, enumOf(items), false)
		}
	}
	t, ok := a.target(list)
	value, isConstant := constant(element)
	switch {
	case !ok || !isConstant || t.s == nil:
		return nil
	case hasType(t.s, objectType):
		name, _ := value.(string)
		return []plan{{{at: t.at.field(name), isAny: want, absent: !want}}}
	case want:
		return []plan{{{at: t.at.item(0), value: value}}}
	}
	return []plan{{{at: t.at, isAny: true}}, {{at: t.at, value: []any{}}}}
}

func enumOf(values []any) *schema.Schema {
	out := &schema.Schema{}
	for _, value := range values {
		switch v := value.(type) {
		case string:
			out.Enum = append(out.Enum, schema.Value{Kind: schema.String, Text: v})
		case bool:
			out.Enum = append(out.Enum, schema.Value{Kind: schema.Bool, Text: strconv.FormatBool(v)})
		default:
			out.Enum = append(out.Enum, schema.Value{Kind: schema.NumberKind, Text: encode(v)})
		}
	}
	return out
}

// textual are plans for functions of texts whose argument is a constant.
func (a *aim) textual(name string, c ast.CallExpr, want bool) []plan {
	args := c.Args()
	if !c.IsMemberFunction() || len(args) != 1 {
		return nil
	}
	t, ok := a.target(c.Target())
	value, _ := constant(args[0])
	text, isText := value.(string)
	if !ok || !isText {
		return nil
	}
	a.needs(t)
	pattern := map[string]string{
		"matches": text, "startsWith": "^" + regexp.QuoteMeta(text), "endsWith": regexp.QuoteMeta(text) + "$",
		"contains": regexp.QuoteMeta(text),
	}[name]
	return a.such(t, &schema.Schema{Pattern: schema.Text{V: pattern}}, want)
}

// quantified are plans for macros over a list, or over the values of a map.
func (a *aim) quantified(name string, c ast.CallExpr, want bool) []plan {
	t, ok := a.target(c.Target())
	args := c.Args()
	if !ok || t.s == nil || args[0].Kind() != ast.IdentKind {
		return nil
	}
	none := []plan{{{at: t.at, value: []any{}}}}
	first := 0 // an outer macro may be about the same list
	for slices.ContainsFunc(a.bound(), func(at path) bool { return slices.Equal(at, t.at.item(first)) }) {
		first++
	}
	if first > 0 || name != "all" || want || !hasType(t.s, arrayType) || len(args) != 2 {
		a.guess()
	}
	a.needs(t)
	elements := make([]aim, 2)
	for i := range elements {
		elements[i] = aim{builder: a.builder, vars: maps.Clone(a.vars), exact: a.exact}
		if a.know != nil {
			elements[i].know = a.know.item(c)
		}
		item := target{at: t.at.item(first + i), s: t.s.Items}
		if hasType(t.s, objectType) {
			if none = []plan{{{at: t.at, value: map[string]any{}}}}; len(args) == 2 {
				return a.keys(t, args, (name == "all") == want, want, none)
			}
			item = a.field(t, "key"+strconv.Itoa(i))
		}
		if len(args) == 3 {
			elements[i].vars[args[1].AsIdent()] = item
		} else {
			elements[i].vars[args[0].AsIdent()] = item
		}
	}
	body := args[len(args)-1]
	isNot := elements[0].make(body, false)
	if a.exact != nil && *a.exact { // one item is like another
		return isNot
	}
	is := elements[0].make(body, true)
	switch {
	case name == "all" && want, name == "exists" && !want:
		if name == "exists" {
			is = isNot
		}
		return mixed(append(none, plan{{at: t.at, absent: true}}), is)
	case name == "all":
		return mixed(isNot, a.both(is, elements[1].make(body, false)))
	case name == "exists":
		return is
	case want && first == 0:
		return a.both([]plan{{{at: t.at, value: []any{}}}}, is)
	case want:
		return a.both(isNot, a.same(t, args[0].AsIdent(), first-1).make(body, true))
	case first > 0: // the item of an outer macro is the other one
		return mixed(a.both(a.same(t, args[0].AsIdent(), first-1).make(body, true), is), isNot)
	}
	return mixed(a.both(is, elements[1].make(body, true)), append(none, isNot...))
}

// keys are plans for macros over the keys of a map.
func (a *aim) keys(t target, args []ast.Expr, orNone, want bool, none []plan) (out []plan) {
	if orNone {
		out = append(none, plan{{at: t.at, absent: true}})
	}
	text := &schema.Schema{Type: schema.Text{V: stringType}, MinLength: &schema.Int{V: 1}}
	root := &schema.Schema{Type: schema.Text{V: objectType}, Properties: []schema.Property{{Name: "key", Schema: text}}}
	key := path{{name: "key"}}
	inner := aim{builder: a.builder, vars: map[string]target{args[0].AsIdent(): {at: key, s: text}}}
	for _, p := range inner.make(args[1], want) {
		made, ok := a.granted(root, map[string]any{}, p)
		if fields, isObject := made.(map[string]any); ok && isObject {
			if name, isText := fields["key"].(string); isText && name != "" {
				out = append(out, plan{{at: t.at.field(name), isAny: true}})
			}
		}
	}
	return out
}

// same is an aim with a variable for an item that another macro is about.
func (a *aim) same(t target, variable string, index int) *aim {
	out := aim{builder: a.builder, vars: maps.Clone(a.vars)}
	out.vars[variable] = target{at: t.at.item(index), s: t.s.Items}
	return &out
}

// bound are the paths of all variables.
func (a *aim) bound() (out []path) {
	for _, t := range a.vars {
		out = append(out, t.at)
	}
	return out
}

// guesses are plans for expressions that are not understood: some values of each part that they name.
func (a *aim) guesses(e ast.Expr) (out []plan) {
	a.guess()
	seen := map[string]bool{}
	eachExpr(e, func(inner ast.Expr) {
		if len(out) >= effort.DiffAlternatives.N() || !a.steps.rules.Spend(1) {
			return
		}
		t, ok := a.target(inner)
		if !ok || len(t.at) == 0 || seen[t.at.String()] {
			return
		}
		seen[t.at.String()] = true
		if t.s != nil {
			for _, value := range a.some(t.s) {
				out = append(out, plan{{at: t.at, value: value}})
			}
			for _, length := range []int64{64, 254, 1025} {
				if hasType(t.s, stringType) {
					least := &schema.Schema{MinLength: &schema.Int{V: length}}
					out = append(out, plan{{at: t.at, of: least}})
				}
			}
			if hasType(t.s, arrayType) {
				for n := range 3 {
					if list, ok := a.ofSize(t.s, n); ok {
						out = append(out, plan{{at: t.at, value: list}})
					}
				}
				if item, ok := a.value(t.s.Items, 0); ok {
					out = append(out, plan{{at: t.at, value: []any{item, a.copy(item)}}})
				}
			}
		}
		out = append(out, plan{{at: t.at, absent: true}})
	})
	return out[:min(len(out), effort.DiffAlternatives.N())]
}
