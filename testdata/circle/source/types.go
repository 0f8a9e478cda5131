package source

import (
	"fmt"
	"strings"
)

// A class says which options of a tag and which markers suit a type.
type class uint8

const (
	other class = iota
	integer
	floating
	boolean
	text
	list
	aggregate // structs, declared or not
)

// A typ is a type expression.
type typ struct {
	expr  string
	class class
	// shape is the leaf's name; composed types keep that of their leaf.
	shape  string
	refuse Refusal
	// unsigned narrows which bounds suit.
	unsigned bool
	// quotable is whether `,string` quotes it.
	quotable bool
	// enum is whether it has constants, which bounds would contradict.
	enum bool
	// pointer is whether the outermost type is a pointer.
	pointer bool
	// tag is what the filler has to know about values of the type.
	tag string
	// markers have to stand on each field of the type.
	markers []string
}

// composition wraps a type; the weights are those of a first level.
type composition struct {
	name   string
	weight int
	wrap   func(g *gen, depth int) typ
}

// compositions is the table of what types can be made of. It is a function because its entries lead back to it.
func compositions() []composition {
	return []composition{
		{"leaf", 40, func(g *gen, _ int) typ { return g.leaf() }},
		{"pointer", 12, (*gen).pointer},
		{"pointer to pointer", 2, func(g *gen, depth int) typ {
			t := g.addressed(depth)
			t.expr, t.pointer = "**"+t.expr, true
			t.quotable = false
			return t
		}},
		{"slice", 12, (*gen).slice},
		{"array", 4, (*gen).array},
		{"map", 12, (*gen).mapping},
		{"named", 6, (*gen).named},
		{"alias", 4, (*gen).alias},
		{"struct", 10, (*gen).declaredStruct},
		{"anonymous struct", 4, (*gen).anonymousStruct},
		{"generic", 6, (*gen).instance},
	}
}

// typeExpr returns a type at random, at most so many levels deep.
func (g *gen) typeExpr(depth int) typ {
	if depth <= 0 {
		return g.leaf()
	}
	table := compositions()
	return table[g.weighted(len(table), func(i int) int { return table[i].weight })].wrap(g, depth-1)
}

// addressed is a type whose values are addressable whatever they stand in.
func (g *gen) addressed(depth int) typ {
	was := g.unaddressable
	g.unaddressable = false
	defer func() { g.unaddressable = was }()
	return g.typeExpr(depth)
}

// element is a type that lists, arrays and maps can hold: a whole resource says so by markers on its field.
func (g *gen) element(depth int) typ {
	for {
		if t := g.typeExpr(depth); t.tag == "" {
			return t
		}
	}
}

func (g *gen) pointer(depth int) typ {
	t := g.addressed(depth)
	t.quotable = t.quotable && !t.pointer
	t.expr, t.pointer = "*"+t.expr, true
	return t
}

func (g *gen) slice(depth int) typ {
	was := g.unaddressable
	g.unaddressable = false
	t := g.element(depth)
	g.unaddressable = was
	return typ{expr: "[]" + t.expr, class: list, shape: t.shape, refuse: t.refuse, markers: t.markers}
}

func (g *gen) array(depth int) typ {
	t := g.element(depth)
	return typ{expr: fmt.Sprintf("[%d]%s", 1+g.IntN(4), t.expr), class: other, shape: t.shape, refuse: t.refuse, markers: t.markers}
}

func (g *gen) mapping(depth int) typ {
	key := g.mapKey()
	was := g.unaddressable
	g.unaddressable = true
	t := g.element(depth)
	g.unaddressable = was
	shape := t.shape
	if key.shape != "" {
		shape = key.shape
	}
	return typ{expr: "map[" + key.expr + "]" + t.expr, class: other, shape: shape, refuse: max(t.refuse, key.refuse), markers: t.markers}
}

// mapKey returns a type for keys; string keys have no shape of their own.
func (g *gen) mapKey() typ {
	switch g.IntN(12) {
	case 0, 1:
		return typ{expr: pick(g, "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "uintptr"), shape: "map key integer"}
	case 2:
		name := g.typeName("Key")
		g.declare("// %s is a key.\ntype %s %s", name, name, pick(g, "int", "uint8", "int64"))
		return typ{expr: name, shape: "map key integer"}
	case 3:
		name := g.typeName("Key")
		g.declare("// %s is a key.\ntype %s string", name, name)
		return typ{expr: name, shape: "map key named"}
	case 4:
		t := g.textual(false)
		t.shape = "map key text"
		return t
	case 5:
		t := g.enumerated()
		t.shape = "map key enum"
		return t
	}
	return typ{expr: "string"}
}

func (g *gen) named(depth int) typ {
	t := g.typeExpr(depth)
	if t.class == aggregate || t.pointer || t.enum || len(t.markers) > 0 || g.generic {
		return t
	}
	if t.class == other && !strings.ContainsAny(t.expr, "[*{") {
		// It loses the methods, so that its JSON is that of the declaration.
		t.shape, t.refuse, t.quotable = "defined from "+t.shape, May, false
	}
	name := g.typeName("Named")
	g.declare("// %s is a name for a type.\ntype %s %s", name, name, t.expr)
	g.note(name, "", t)
	t.expr = name
	return t
}

func (g *gen) alias(depth int) typ {
	t := g.typeExpr(depth)
	name := g.typeName("Alias")
	g.declare("// %s is another name for a type.\ntype %s = %s", name, name, t.expr)
	g.note(name, "", t)
	t.expr = name
	return t
}

func (g *gen) declaredStruct(depth int) typ {
	name := g.typeName("Struct")
	g.structDecl(name, depth, 1+g.IntN(4))
	return typ{expr: name, class: aggregate, shape: "struct"}
}

// structDecl declares a struct with so many entries.
func (g *gen) structDecl(name string, depth, entries int) {
	body := g.structBody(name, depth, entries)
	g.declare("// %s is part of %s.\ntype %s struct {\n%s}", name, g.kind, name, body)
}

func (g *gen) anonymousStruct(depth int) typ {
	if g.generic {
		return g.leaf()
	}
	body := g.structBody("", depth, 1+g.IntN(3))
	return typ{expr: "struct {\n" + indent(body) + "\t}", class: aggregate, shape: "anonymous struct"}
}

func indent(body string) string {
	return "\t" + strings.TrimSuffix(strings.ReplaceAll(body, "\n", "\n\t"), "\t")
}

// instance declares a generic type and returns an instance of it.
func (g *gen) instance(depth int) typ {
	name := g.typeName("Generic")
	key := g.name("F")
	var body, params string
	for i := range 1 + g.IntN(2) {
		param := string(rune('T' + i))
		params += ", " + param + " any"
		for range 1 + g.IntN(2) {
			field := g.name("F")
			expr := pick(g, "%s", "%s", "*%s", "[]%s", "map[string]%s", "[2]%s")
			body += fmt.Sprintf("\t// +optional\n\t%s %s `json:\"%s%s\"`\n", field, fmt.Sprintf(expr, param), strings.ToLower(field), pick(g, "", ",omitempty"))
			g.shapes[name+"."+field] = Shape{Name: "generic"}
		}
	}
	count := strings.Count(params, ",")
	if g.chance(20) {
		params = ", K comparable" + params
		body += fmt.Sprintf("\t// +optional\n\t%s map[K]T `json:\"%s\"`\n", key, strings.ToLower(key))
	}
	g.declare("// %s has parameters.\ntype %s[%s] struct {\n%s}", name, name, params[2:], body)
	was, risks, unaddressable := g.generic, g.risks, g.unaddressable
	g.generic, g.risks, g.unaddressable = true, 0, true
	var args []string
	if strings.Contains(params, "K comparable") {
		args = append(args, pick(g, "string", "string", "int32"))
	}
	for range count {
		args = append(args, g.typeExpr(min(depth, 1)).expr)
	}
	g.generic, g.risks, g.unaddressable = was, risks, unaddressable
	return typ{expr: name + "[" + strings.Join(args, ", ") + "]", class: aggregate, shape: "generic"}
}

// note records what a declared type, or a field of one, is made of.
func (g *gen) note(typeName, field string, t typ) {
	name := typeName
	if field != "" {
		name += "." + field
	}
	g.shapes[name] = Shape{Name: t.shape, Refuse: t.refuse}
}
