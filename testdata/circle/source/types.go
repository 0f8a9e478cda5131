package source

import (
	"fmt"
	"regexp"
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
	array
	mapping
	aggregate // structs, declared or not
)

// A typ is a type expression.
type typ struct {
	expr  string
	class class
	// shape is the leaf's; composed types keep it.
	shape Shape
	// unsigned narrows which bounds suit; octet is whether it is of kind uint8, of which lists are text.
	unsigned, octet bool
	// quotable is whether `,string` quotes it.
	quotable bool
	// values are its constants as a marker writes them, which bounds would contradict.
	values []string
	// marshals is whether it has methods, with which `,string` cannot go together.
	marshals bool
	// pointer is whether the outermost type is a pointer.
	pointer bool
	// null is whether its zero value is null in JSON; opaque is whether it is unknown.
	null, opaque bool
	// isDeaf is whether it cannot be read from null.
	isDeaf bool
	// meta is whether there is embedded metadata in it.
	meta bool
	// small is whether there is only one part to it, so that it is zero where that is.
	small bool
	// fewKeys is whether a map has keys of a type with few values.
	fewKeys bool
	// scalars is whether a list is one of scalars.
	scalars bool
	// tag is what the filler has to know about values of the type.
	tag string
	// markers must be on each field of the type.
	markers []string
}

// hasParts reports whether its zero value is made of others, so that omitempty never omits it.
func (t typ) hasParts() bool { return !t.pointer && (t.class == aggregate || t.class == array) }

// composition wraps a type; the weights are those of a first level.
type composition struct {
	name   string
	weight int
	// onField is for types that need markers on their field.
	onField bool
	wrap    func(g *gen, depth int) typ
}

// compositions is the table of what types can be made of. It is a function because its entries lead back to it.
func compositions() []composition {
	return []composition{
		{name: "leaf", weight: 40, wrap: func(g *gen, _ int) typ { return g.leaf() }},
		{name: "pointer", weight: 12, wrap: (*gen).pointer},
		{name: "pointer to pointer", weight: 2, wrap: func(g *gen, depth int) typ {
			t := g.pointer(depth)
			t.expr, t.quotable = "*"+t.expr, false
			return t
		}},
		{name: "slice", weight: 12, wrap: (*gen).slice},
		{name: "keyed list", weight: 3, onField: true, wrap: (*gen).keyedList},
		{name: "array", weight: 4, wrap: (*gen).array},
		{name: "map", weight: 12, wrap: (*gen).mapping},
		{name: "named", weight: 6, wrap: (*gen).named},
		{name: "alias", weight: 4, wrap: (*gen).alias},
		{name: "generic alias", weight: 2, wrap: (*gen).genericAlias},
		{name: "struct", weight: 10, wrap: (*gen).declaredStruct},
		{name: "anonymous struct", weight: 4, wrap: (*gen).anonymousStruct},
		{name: "generic", weight: 6, wrap: (*gen).instance},
		{name: "helper", weight: 5, wrap: (*gen).fromHelper},
	}
}

// typeExpr returns a type at random, at most so many levels deep.
func (g *gen) typeExpr(depth int) typ {
	if depth <= 0 {
		return g.leaf()
	}
	table := compositions()
	return table[g.weighted(len(table), func(i int) int {
		if table[i].onField && g.around.element {
			return 0
		}
		return table[i].weight
	})].wrap(g, depth-1)
}

// element is a type that lists, arrays and maps can hold.
func (g *gen) element(depth int, change func(*around)) typ {
	return within(g, func(a *around) { a.element = true; change(a) }, func() typ { return g.typeExpr(depth) })
}

func (g *gen) pointer(depth int) typ {
	t := within(g, func(a *around) { a.unaddressable = false }, func() typ { return g.typeExpr(depth) })
	t.quotable = t.quotable && !t.pointer
	t.expr, t.pointer, t.null, t.opaque, t.octet, t.isDeaf = "*"+t.expr, true, true, false, false, false
	return t
}

func (g *gen) slice(depth int) typ {
	t := g.element(depth, func(a *around) { a.unaddressable = false })
	of := list
	if t.octet {
		of = other
	}
	isScalar := !t.pointer && (t.class == integer || t.class == text)
	return typ{expr: "[]" + t.expr, class: of, shape: t.shape, null: true, meta: t.meta, scalars: isScalar}
}

// keyedList declares a struct and makes a list of it that is one of type map.
func (g *gen) keyedList(depth int) typ {
	name, field := g.typeName("Item"), g.name("F")
	body := fmt.Sprintf("\t// +required\n\t%s %s `json:\"%s\"`\n", field, pick(g, "string", "int32", "bool"),
		strings.ToLower(field))
	t := g.structDecl(name, depth, 1+g.IntN(2), body)
	return typ{expr: "[]" + name, class: list, shape: Shape{Name: "keyed list"}, null: true, meta: t.meta,
		tag:     "mapkey=" + field,
		markers: []string{"listType=map", "listMapKey=" + strings.ToLower(field)}}
}

func (g *gen) array(depth int) typ {
	t := g.element(depth, func(*around) {})
	length := fmt.Sprint(1 + g.IntN(4))
	if g.chance(30) {
		name := g.typeName("Length")
		g.declare("// %s is a length.\nconst %s = %s", name, name,
			pick(g, "3", "1 << 1", `len("abc") - 1`, "'b' - 'a'"))
		length = pick(g, name, name+" + 1")
	}
	return typ{expr: "[" + length + "]" + t.expr, class: array, shape: t.shape, opaque: t.opaque, meta: t.meta,
		small: length == "1"}
}

func (g *gen) mapping(depth int) typ {
	key := within(g, func(a *around) { a.element, a.unaddressable = true, true }, g.mapKey)
	t := g.element(depth, func(a *around) { a.unaddressable = true })
	shape := t.shape
	if key.shape.Name != "" && shape.Reject == Never {
		shape = key.shape
	}
	if key.values != nil { // a rule checks the keys: it may be expensive, and cannot read values without a type
		shape.Reject, shape.Rules = max(shape.Reject, May), shape.Rules+" cel-cost cel-cost-total cel-hidden"
	}
	return typ{expr: "map[" + key.expr + "]" + t.expr, class: mapping, shape: shape, null: true, meta: t.meta,
		fewKeys: key.values != nil}
}

// mapKey returns a type for keys; string keys have no shape of their own.
func (g *gen) mapKey() typ {
	switch g.IntN(12) {
	case 0, 1:
		return typ{expr: pick(g, "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32",
			"uint64", "uintptr"),
			shape: Shape{Name: "map key integer"}}
	case 2:
		name := g.typeName("Key")
		g.declare("// %s is a key.\ntype %s %s", name, name, pick(g, "int", "uint8", "int64"))
		return typ{expr: name, shape: Shape{Name: "map key integer"}}
	case 3:
		name := g.typeName("Key")
		g.declare("// %s is a key.\ntype %s string", name, name)
		return typ{expr: name, shape: Shape{Name: "map key named"}}
	case 4:
		t := g.textual(false)
		t.shape.Name = "map key text"
		return t
	case 5:
		t := g.enumerated()
		t.shape.Name = "map key enum"
		return t
	}
	return typ{expr: "string"}
}

func (g *gen) named(depth int) typ {
	t := g.typeExpr(depth)
	if t.class == aggregate || t.pointer || t.values != nil || len(t.markers) > 0 {
		return t
	}
	if t.class == other && !strings.ContainsAny(t.expr, "[*{") {
		if t.shape.Reject == Must {
			return t
		}
		// It loses the methods, so that its JSON is that of the declaration.
		t.shape = Shape{Name: "defined from " + t.shape.Name, Reject: May, Rules: "type-methods " + t.shape.Rules}
		t.quotable, t.opaque, t.null, t.marshals = false, true, true, true
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
	return g.structDecl(g.typeName("Struct"), depth, 1+g.IntN(4), "")
}

// structDecl declares a struct with so many entries behind the lines that it has already.
func (g *gen) structDecl(name string, depth, entries int, lines string) typ {
	t := g.counting(func() string {
		return within(g, func(a *around) { a.element = false },
			func() string { return g.structBody(name, depth, entries) })
	})
	g.declare("// %s is part of %s.\ntype %s struct {\n%s%s}", name, g.kind, name, lines, t.expr)
	t.expr, t.shape.Name, t.small = name, "struct", entries == 1
	return t
}

// counting returns what is made as a struct with the metadata and the values without a known zero that are in it.
func (g *gen) counting(make func() string) typ {
	metas, opaques := g.metas, g.opaques
	t := typ{class: aggregate, expr: make()}
	t.meta, t.opaque = g.metas > metas, g.opaques > opaques
	return t
}

func (g *gen) anonymousStruct(depth int) typ {
	t := g.counting(func() string {
		return within(g, func(a *around) { a.element = false },
			func() string { return g.structBody("", depth, 2+g.IntN(2)) })
	})
	t.expr, t.shape.Name = "struct {\n"+indent(t.expr)+"\t}", "anonymous struct"
	return t
}

func indent(body string) string {
	return "\t" + strings.TrimSuffix(strings.ReplaceAll(body, "\n", "\n\t"), "\t")
}

// declaredName is a name that a kind's package declares.
var declaredName = regexp.MustCompile(`\bK[0-9]{5}[A-Z][A-Za-z]*[0-9]+\b`)

// fromHelper declares a type, and all that it is made of, in the other package.
func (g *gen) fromHelper(depth int) typ {
	if g.around.helper {
		return g.leaf()
	}
	t := within(g, func(a *around) { a.helper = true }, func() typ {
		t := pick(g, (*gen).declaredStruct, (*gen).instance, func(g *gen, _ int) typ { return g.namedScalar() },
			func(g *gen, _ int) typ { return g.enumerated() }, func(g *gen, _ int) typ { return g.textual(false) })(g,
			depth)
		if t.shape.Name == "" { // no leaf has made it
			t.shape.Name = "helper"
			if t.opaque {
				g.opaques++
			}
		}
		return t
	})
	t.expr = declaredName.ReplaceAllString(t.expr, HelperPackage(g.pkg)+".$0")
	return t
}

// note records what a declared type, or a field of one, is made of.
func (g *gen) note(typeName, field string, t typ) {
	name := typeName
	if field != "" {
		name += "." + field
	}
	g.shapes[name] = t.shape
}
