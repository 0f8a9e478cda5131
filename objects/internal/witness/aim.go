package witness

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
	*Builder
	vars map[string]target
}

// A target is a part of the object that an expression names.
type target struct {
	at schema.Path
	s  *schema.Schema
	// orElse is the value of an optional field that is absent, if there is one.
	orElse any
	// isConverted is set if the expression has the value in another type, such as string(self.size).
	isConverted bool
}

// RulePlans makes plans under which an expression about a value at a path is true or false.
func (b *Builder) RulePlans(e ast.Expr, at schema.Path, s *schema.Schema, want bool) []Plan {
	a := aim{Builder: b, vars: map[string]target{"self": {at: at, s: s}}}
	return a.plansFor(e, want)
}

func (a *aim) plansFor(e ast.Expr, want bool) []Plan {
	if !a.Steps.Rules.Spend(1) {
		return nil
	}
	switch e.Kind() {
	case ast.LiteralKind:
		if value, ok := e.AsLiteral().Value().(bool); ok && value == want {
			return []Plan{{}}
		}
		return nil
	case ast.CallKind:
		if out := a.call(e, want); len(out) > 0 {
			return out
		}
	default:
		if t, ok := a.target(e); ok {
			return a.assign(t, []any{want})
		}
	}
	return a.guesses(e)
}

func (a *aim) call(e ast.Expr, want bool) []Plan {
	c := e.AsCall()
	args := c.Args()
	switch name := c.FunctionName(); name {
	case operators.LogicalAnd, operators.LogicalOr:
		if (name == operators.LogicalAnd) == want {
			return a.both(a.plansFor(args[0], want), a.plansFor(args[1], want))
		}
		return interleaved(a.plansFor(args[0], want), a.plansFor(args[1], want))
	case operators.LogicalNot:
		return a.plansFor(args[0], !want)
	case operators.Conditional:
		return interleaved(a.both(a.plansFor(args[0], true), a.plansFor(args[1], want)),
			a.both(a.plansFor(args[0], false), a.plansFor(args[2], want)))
	case "has":
		if t, ok := a.target(args[0]); ok {
			return []Plan{{{At: t.at, IsAny: want, Absent: !want}}}
		}
	case operators.In:
		return a.in(args[0], args[1], want)
	case operators.Equals, operators.NotEquals, operators.Less, operators.LessEquals, operators.Greater,
		operators.GreaterEquals:
		return a.compare(name, args[0], args[1], want)
	case "matches", "startsWith", "endsWith", "contains":
		return a.textual(name, c, want)
	case "hasValue":
		if t, ok := a.target(c.Target()); ok {
			return []Plan{{{At: t.at, IsAny: want, Absent: !want}}}
		}
	case "isIP", "isCIDR", "isURL", "isQuantity", "isSemver":
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

// subject returns what a function is about: its target, or its first argument.
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

// named makes plans for such a function.
func (a *aim) named(name string, t target, want bool) []Plan {
	if want {
		return a.assign(t, examples[name])
	}
	return a.constrained(t, enumOf(examples[name]), false)
}

// interleaved takes alternatives of both lists in turn.
func interleaved(x, y []Plan) (out []Plan) {
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
				item := schema.Item(int(min(key, effort.DiffKeys.Most)))
				return target{at: t.at.Then(item), s: a.Child(t.s, item)}, ok && key >= 0
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
	return target{at: t.at.Then(schema.Key(name)), s: a.Child(t.s, schema.Key(name))}
}

// assign makes plans that set a target to one of several values.
func (a *aim) assign(t target, list []any) (out []Plan) {
	for _, value := range list[:min(len(list), 4)] {
		if t.s == nil || a.Accepts(t.s, value) {
			out = append(out, Plan{{At: t.at, Value: value}})
		}
	}
	return out
}

// constrained makes plans that set a target to values of a schema without a type, or to values that violate it.
func (a *aim) constrained(t target, limits *schema.Schema, want bool) []Plan {
	if t.s == nil {
		return nil
	}
	return a.leaf(limits, t.s, t.at, want)
}

func (a *aim) in(element, list ast.Expr, want bool) []Plan {
	if t, ok := a.target(element); ok {
		if values, isConstant := constant(list); isConstant {
			items, _ := values.([]any)
			if want {
				return a.assign(t, items)
			}
			return a.constrained(t, enumOf(items), false)
		}
	}
	t, ok := a.target(list)
	value, isConstant := constant(element)
	switch {
	case !ok || !isConstant || t.s == nil:
		return nil
	case HasType(t.s, ObjectType):
		name, _ := value.(string)
		return []Plan{{{At: t.at.Then(schema.Key(name)), IsAny: want, Absent: !want}}}
	case want:
		return []Plan{{{At: t.at.Then(schema.Item(0)), Value: value}}}
	}
	return []Plan{{{At: t.at, IsAny: true}}, {{At: t.at, Value: []any{}}}}
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
			out.Enum = append(out.Enum, schema.Value{Kind: schema.NumberKind, Text: JSON(v)})
		}
	}
	return out
}

// textual makes plans for functions of texts whose argument is a constant.
func (a *aim) textual(name string, c ast.CallExpr, want bool) []Plan {
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
	pattern := map[string]string{
		"matches": text, "startsWith": "^" + regexp.QuoteMeta(text), "endsWith": regexp.QuoteMeta(text) + "$",
		"contains": regexp.QuoteMeta(text),
	}[name]
	return a.constrained(t, &schema.Schema{Pattern: schema.Text{V: pattern}}, want)
}

// quantified makes plans for macros over a list, or over the values of a map.
func (a *aim) quantified(name string, c ast.CallExpr, want bool) []Plan {
	t, ok := a.target(c.Target())
	args := c.Args()
	if !ok || t.s == nil || args[0].Kind() != ast.IdentKind {
		return nil
	}
	none := []Plan{{{At: t.at, Value: []any{}}}}
	first := 0 // an outer macro may be about the same list
	isItem := func(at schema.Path) bool { return slices.Equal(at, t.at.Then(schema.Item(first))) }
	for slices.ContainsFunc(a.bound(), isItem) {
		first++
	}
	elements := make([]aim, 2)
	for i := range elements {
		elements[i] = aim{Builder: a.Builder, vars: maps.Clone(a.vars)}
		item := target{at: t.at.Then(schema.Item(first + i)), s: t.s.Items}
		if HasType(t.s, ObjectType) {
			if none = []Plan{{{At: t.at, Value: map[string]any{}}}}; len(args) == 2 {
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
	isNot := elements[0].plansFor(body, false)
	satisfied := elements[0].plansFor(body, true)
	switch {
	case name == "all" && want, name == "exists" && !want:
		if name == "exists" {
			satisfied = isNot
		}
		return interleaved(append(none, Plan{{At: t.at, Absent: true}}), satisfied)
	case name == "all":
		return interleaved(isNot, a.both(satisfied, elements[1].plansFor(body, false)))
	case name == "exists":
		return satisfied
	case want && first == 0:
		return a.both([]Plan{{{At: t.at, Value: []any{}}}}, satisfied)
	case want:
		return a.both(isNot, a.aimAt(t, args[0].AsIdent(), first-1).plansFor(body, true))
	case first > 0: // the item of an outer macro is the other one
		return interleaved(a.both(a.aimAt(t, args[0].AsIdent(), first-1).plansFor(body, true), satisfied), isNot)
	}
	return interleaved(a.both(satisfied, elements[1].plansFor(body, true)), append(none, isNot...))
}

// keys makes plans for macros over the keys of a map.
func (a *aim) keys(t target, args []ast.Expr, orNone, want bool, none []Plan) (out []Plan) {
	if orNone {
		out = append(none, Plan{{At: t.at, Absent: true}})
	}
	text := &schema.Schema{Type: schema.Text{V: StringType}, MinLength: &schema.Int{V: 1}}
	root := &schema.Schema{Type: schema.Text{V: ObjectType}, Properties: []schema.Property{{Name: "key", Schema: text}}}
	key := schema.Path{schema.Key("key")}
	inner := aim{Builder: a.Builder, vars: map[string]target{args[0].AsIdent(): {at: key, s: text}}}
	for _, p := range inner.plansFor(args[1], want) {
		made, ok := a.edited(root, map[string]any{}, p)
		if fields, isObject := made.(map[string]any); ok && isObject {
			if name, isText := fields["key"].(string); isText && name != "" {
				out = append(out, Plan{{At: t.at.Then(schema.Key(name)), IsAny: true}})
			}
		}
	}
	return out
}

// aimAt returns an aim with a variable for an item that another macro is about.
func (a *aim) aimAt(t target, variable string, index int) *aim {
	out := aim{Builder: a.Builder, vars: maps.Clone(a.vars)}
	out.vars[variable] = target{at: t.at.Then(schema.Item(index)), s: t.s.Items}
	return &out
}

// bound returns the paths of all variables.
func (a *aim) bound() (out []schema.Path) {
	for _, t := range a.vars {
		out = append(out, t.at)
	}
	return out
}

// guesses makes plans for expressions that are not understood: some values of each part that they name.
func (a *aim) guesses(e ast.Expr) (out []Plan) {
	seen := map[string]bool{}
	eachExpr(e, func(inner ast.Expr) {
		if len(out) >= effort.DiffAlternatives.N() || !a.Steps.Rules.Spend(1) {
			return
		}
		t, ok := a.target(inner)
		if !ok || len(t.at) == 0 || seen[t.at.String()] {
			return
		}
		seen[t.at.String()] = true
		if t.s != nil {
			for _, value := range a.samples(t.s) {
				out = append(out, Plan{{At: t.at, Value: value}})
			}
			for _, length := range []int64{64, 254, 1025} {
				if HasType(t.s, StringType) {
					least := &schema.Schema{MinLength: &schema.Int{V: length}}
					out = append(out, Plan{{At: t.at, Schema: least}})
				}
			}
			if HasType(t.s, ArrayType) {
				for n := range 3 {
					if list, ok := a.OfSize(t.s, n); ok {
						out = append(out, Plan{{At: t.at, Value: list}})
					}
				}
				if item, ok := a.Value(t.s.Items, 0); ok {
					out = append(out, Plan{{At: t.at, Value: []any{item, a.copy(item)}}})
				}
			}
		}
		out = append(out, Plan{{At: t.at, Absent: true}})
	})
	return out[:min(len(out), effort.DiffAlternatives.N())]
}
