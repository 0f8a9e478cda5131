package expressions

import (
	"fmt"
	"strings"

	"github.com/google/cel-go/common/types"
	kubecel "k8s.io/apiserver/pkg/cel"
)

// A generator makes expressions over what is in scope.
type generator struct {
	maker
	calls [][]call
	// declared are the types of objects by name.
	declared map[string]*kubecel.DeclType
	scope    []variable
	// count numbers the variables of macros.
	count int
}

// A variable is an expression that needs only names: self, a field of it, a variable of a macro.
type variable struct {
	text string
	typ  *types.Type
	// field is set where text is the selection of a field, so that there is something to ask has() about.
	field bool
}

// declare brings an expression of a type into scope, with all that can be selected from it.
func (g *generator) declare(text string, t *types.Type, depth int, field bool) {
	g.scope = append(g.scope, variable{text, t, field})
	d := g.declared[t.TypeName()]
	if t.Kind() != types.StructKind || d == nil || depth == 0 {
		return
	}
	for _, name := range sortedKeys(d.Fields) {
		if (name == "apiVersion" || name == "kind" || name == "metadata" || name == "generateName") && !g.one(4) {
			continue // every resource has them
		}
		g.declare(text+"."+name, d.Fields[name].Type.CelType(), depth-1, true)
	}
}

// within runs f with one more variable of a macro, or several.
func (g *generator) within(f func(names []string) string, ts ...*types.Type) string {
	before := len(g.scope)
	var names []string
	for _, t := range ts {
		g.count++
		name := fmt.Sprintf("v%d", g.count)
		names = append(names, name)
		for range 3 { // it is there to be used
			g.declare(name, t, 2, false)
		}
	}
	out := f(names)
	g.scope = g.scope[:before]
	return out
}

// remember collects the types of objects.
func remember(all map[string]*kubecel.DeclType, d *kubecel.DeclType) {
	if d == nil || d.IsObject() && all[d.TypeName()] != nil {
		return
	}
	if d.IsObject() {
		all[d.TypeName()] = d
		for _, f := range d.Fields {
			remember(all, f.Type)
		}
	}
	remember(all, d.KeyType)
	remember(all, d.ElemType)
}

// basicType picks a type that has values whatever the schema.
func (g *generator) basicType(depth int) *types.Type {
	scalar := []*types.Type{types.BoolType, types.IntType, types.IntType, types.StringType, types.StringType,
		types.StringType, types.DoubleType, types.UintType,
		types.BytesType, types.TimestampType, types.DurationType, types.DynType, types.NullType}
	if depth > 0 {
		switch g.IntN(10) {
		case 0, 1:
			return types.NewListType(g.basicType(depth - 1))
		case 2:
			return types.NewMapType(pick(g.maker, types.StringType, types.StringType, types.IntType, types.BoolType),
				g.basicType(depth-1))
		case 3:
			return types.NewOptionalType(g.basicType(depth - 1))
		case 4:
			return types.NewOpaqueType(pick(g.maker, "kubernetes.URL", "kubernetes.Semver", "net.IP", "net.CIDR",
				"kubernetes.Quantity"))
		}
	}
	return pick(g.maker, scalar...)
}

// anyType picks a type, often one of those in scope.
func (g *generator) anyType() *types.Type {
	if len(g.scope) > 0 && !g.one(3) {
		return pick(g.maker, g.scope...).typ
	}
	return g.basicType(1)
}

// leaf makes an expression with few calls or none.
func (g *generator) leaf(t *types.Type, function string, depth int) string {
	if depth < -4 {
		return ""
	}
	var fitting []variable
	for _, v := range g.scope {
		if v.typ.IsExactType(t) || v.typ.Kind() == types.DynKind && g.one(12) {
			fitting = append(fitting, v)
		}
	}
	if len(fitting) > 0 && !g.one(4) {
		return pick(g.maker, fitting...).text
	}
	if t.Kind() == types.OpaqueKind && t.TypeName() == "optional_type" && g.one(2) {
		if text := g.optionalField(t.Parameters()[0]); text != "" {
			return text
		}
	}
	if text := g.literal(t, function, depth); text != "" {
		return text
	}
	if len(fitting) > 0 {
		return pick(g.maker, fitting...).text
	}
	return ""
}

// optionalField selects a field that may not be there.
func (g *generator) optionalField(t *types.Type) string {
	var fitting []string
	for _, v := range g.scope {
		if i := strings.LastIndexByte(v.text, '.'); v.field && v.typ.IsExactType(t) {
			fitting = append(fitting, v.text[:i]+".?"+v.text[i+1:])
		}
	}
	if len(fitting) == 0 {
		return ""
	}
	return pick(g.maker, fitting...)
}

// expression makes an expression of a type, "" where it finds none.
func (g *generator) expression(t *types.Type, function string, depth int) string {
	if depth <= 0 || g.IntN(10) < 2 {
		return g.leaf(t, function, depth)
	}
	if g.one(40) { // what is not known before it runs
		if text := g.expression(g.anyType(), "", depth-1); text != "" {
			return wrap("dyn", text)
		}
	}
	for range 6 {
		var text string
		switch g.IntN(10) {
		case 0, 1, 2:
			text = g.macro(t, depth)
		case 3:
			if b, x, y := g.expression(types.BoolType, "", depth-1), g.expression(t, "", depth-1),
				g.expression(t, "", depth-1); b != "" && x != "" && y != "" {
				text = "(" + b + " ? " + x + " : " + y + ")"
			}
		default:
			text = g.call(t, depth)
		}
		if text != "" {
			return text
		}
	}
	return g.leaf(t, function, depth)
}

// call calls a function that returns the type.
func (g *generator) call(t *types.Type, depth int) string {
	var fitting [][]call
	for _, overloads := range g.calls {
		var list []call
		for _, c := range overloads {
			if (binding{}).unify(c.result, t) && (c.result.Kind() != types.TypeParamKind || g.one(4)) {
				list = append(list, c)
			}
		}
		if len(list) > 0 {
			fitting = append(fitting, list)
		}
	}
	if len(fitting) == 0 {
		return ""
	}
	c := pick(g.maker, pick(g.maker, fitting...)...)
	if c.function == "format" {
		return g.format(depth)
	}
	b := binding{}
	b.unify(c.result, t)
	var args []string
	for i, param := range c.args {
		arg := g.arg(c, i, b.apply(param, g.anyType), depth)
		if arg == "" {
			return ""
		}
		args = append(args, arg)
	}
	return c.write(args)
}

// arg makes an argument.
func (g *generator) arg(c call, i int, t *types.Type, depth int) string {
	hint := c.function
	switch {
	case i == len(c.args)-1 && strings.HasPrefix(c.function, "get") && i > 0:
		hint = "zone"
	case i == 0 && c.isMember && c.function != "validate":
		hint = "" // of the string that is searched there is nothing to know
	}
	if c.function == "lists.range" {
		return g.literal(t, hint, 0) // one from the schema may be as long as memory
	}
	if g.one(25) {
		if text := g.expression(g.anyType(), "", depth-1); text != "" {
			return wrap("dyn", text)
		}
	}
	if (hint == "matches" || hint == "find" || hint == "findAll") && i > 0 && !g.one(5) || texts[hint] != nil &&
		g.one(2) && t.Kind() == types.StringKind {
		return g.literal(t, hint, 0)
	}
	return g.expression(t, hint, depth-1)
}

// format makes a formatted string.
func (g *generator) format(depth int) string {
	text := g.literal(types.StringType, "format", 0)
	var args []string
	for range strings.Count(text, "%") {
		a := g.expression(g.anyType(), "", depth-1)
		if a == "" {
			return ""
		}
		args = append(args, wrap("dyn", a))
	}
	return text + ".format([" + strings.Join(args, ", ") + "])"
}
