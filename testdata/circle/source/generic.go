package source

import (
	"fmt"
	"strings"
)

// instance declares a generic struct and returns an instance of it.
func (g *gen) instance(depth int) typ {
	name, params := g.typeName("Generic"), []string{"T", "U"}[:1+g.IntN(2)]
	isKeyed := g.chance(20)
	g.genericDecl(name, params, isKeyed, 3)
	var args []string
	if isKeyed {
		args = append(args, pick(g, "string", "string", "int32"))
	}
	shape := Shape{Name: "generic"}
	t := g.counting(func() string {
		for range params {
			arg := g.argument(depth)
			args = append(args, arg.expr)
			if arg.shape.Reject == May { // a rule about the keys of a map costs more in a list
				shape.Reject, shape.Rules = May, shape.Rules+" "+arg.shape.Rules
			}
		}
		return name + "[" + strings.Join(args, ", ") + "]"
	})
	g.shapes[name] = shape
	t.shape.Name, t.small = "generic", true
	return t
}

// genericDecl declares a generic struct, which may embed others of the same parameters, so many levels deep at most.
func (g *gen) genericDecl(name string, params []string, isKeyed bool, levels int) {
	var body string
	if levels > 0 && g.chance(30) {
		inner := g.typeName("Generic")
		var args []string
		for range params[:1+g.IntN(len(params))] {
			args = append(args, fmt.Sprintf(pick(g, "%s", "%s", "[]%s", "map[string]%s"), pick(g, params...)))
		}
		g.genericDecl(inner, params[:len(args)], false, levels-1)
		body = fmt.Sprintf("\t%s%s[%s]%s\n", pick(g, "", "", "*"), inner, strings.Join(args, ", "),
			pick(g, "", " `json:\",inline\"`"))
	}
	for _, param := range params {
		for range 1 + g.IntN(2) {
			field := g.name("F")
			expr := fmt.Sprintf(pick(g, "%s", "%s", "*%s", "[]%s", "map[string]%s", "[2]%s"), param)
			tag := fmt.Sprintf("json:\"%s%s\"", strings.ToLower(field), pick(g, "", ",omitempty"))
			if strings.HasPrefix(expr, "[2]") {
				tag += ` circle:"set"` // since the zero value of an argument may be unknown
			}
			body += fmt.Sprintf("\t// +optional\n\t%s %s `%s`\n", field, expr, tag)
			g.shapes[name+"."+field] = Shape{Name: "generic"}
		}
	}
	list := strings.Join(params, ", ") + " any"
	if isKeyed {
		key := g.name("F")
		list = "K comparable, " + list
		body += fmt.Sprintf("\t// +optional\n\t%s map[K]T `json:\"%s\"`\n", key, strings.ToLower(key))
	}
	g.declare("// %s has parameters.\ntype %s[%s] struct {\n%s}", name, name, list, body)
}

// genericAlias declares an alias with a parameter and returns an instance of it.
func (g *gen) genericAlias(depth int) typ {
	name, arg := g.typeName("Alias"), g.argument(depth)
	t := pick(g,
		typ{expr: "[]T", class: list, null: true}, typ{expr: "map[string]T", class: mapping, null: true},
		typ{expr: "*T", pointer: true, null: true},
		typ{expr: "[2]T", class: array, opaque: arg.opaque}, typ{expr: "[]map[string]*T", class: list, null: true})
	if t.expr == "[]T" && arg.octet {
		t.class = other
	}
	g.declare("// %s has a parameter.\ntype %s[T any] = %s", name, name, t.expr)
	t.expr, t.shape, t.meta = name+"["+arg.expr+"]", arg.shape, arg.meta
	return t
}

// argument returns a type for a type parameter, which may be used in any way.
func (g *gen) argument(depth int) typ {
	risks := g.risks
	g.risks = 0
	defer func() { g.risks = risks }()
	for metas, opaques := g.metas, g.opaques; ; g.metas, g.opaques = metas, opaques {
		t := g.element(min(depth, 1), func(a *around) { a.unaddressable = true })
		if !t.opaque || !t.hasParts() { // otherwise none of the fields of that type might be left unset
			return t
		}
	}
}

// embedGeneric embeds an instance of a generic struct.
func (g *gen) embedGeneric(_ string, depth int) string {
	return fmt.Sprintf("\t%s%s\n", g.instance(max(depth-1, 0)).expr, pick(g, "", " `json:\",inline\"`"))
}
