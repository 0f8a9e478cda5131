package source

import (
	"fmt"
	"strings"
)

// base declares a struct to embed, sometimes in the other package, and returns its qualified name.
func (g *gen) base(depth int) string {
	name := g.typeName("Base")
	make := func() typ { return g.structDecl(name, max(depth-1, 0), 1+g.IntN(3), "") }
	if g.around.helper || !g.chance(15) {
		return make().expr
	}
	return HelperPackage(g.pkg) + "." + within(g, func(a *around) { a.helper = true }, make).expr
}

func (g *gen) embed(_ string, depth int) string {
	return fmt.Sprintf("\t%s%s\n", g.base(depth), pick(g, "", " `json:\",inline\"`", " `json:\",inline\"`"))
}

func (g *gen) embedPointer(_ string, depth int) string {
	name := within(g, func(a *around) { a.unaddressable = false }, func() string { return g.base(depth) })
	return fmt.Sprintf("\t*%s%s\n", name, pick(g, "", " `json:\",inline\"`", " `json:\",omitempty\"`"))
}

func (g *gen) embedWithName(_ string, depth int) string {
	star, tag := "", " circle:\"set\""
	if g.chance(50) {
		star, tag = "*", ""
	}
	return fmt.Sprintf("\t%s%s `json:\"%s\"%s`\n", star, g.base(depth), strings.ToLower(g.name("F")), tag)
}

// embedUnexported embeds what only its own package can name.
func (g *gen) embedUnexported(owner string, depth int, star string) string {
	if g.around.helper && owner == "" {
		return "" // it would be in the kind's own package
	}
	name := g.name("base" + g.kind + "x")
	g.structDecl(name, max(depth-1, 0), 1+g.IntN(3), "")
	return fmt.Sprintf("\t%s%s\n", star, name)
}

// embedScalar embeds a type that is not a struct. Its name is then the key.
func (g *gen) embedScalar(string, int) string {
	name := g.typeName("Base")
	g.declare("// %s is no struct.\ntype %s %s", name, name, pick(g, "string", "int16", "[]string", "map[string]int32"))
	options := pick(g, "", " `json:\",omitempty\"`", " `json:\""+strings.ToLower(g.name("F"))+",omitempty\"`")
	return fmt.Sprintf("\t%s%s%s\n", pick(g, "", "", "*"), name, options)
}

// embedInterface embeds an interface with a method, which Go cannot read into.
func (g *gen) embedInterface(string, int) string {
	name := g.typeName("Doer")
	g.declare("// %s does something.\ntype %s interface{ Do() }", name, name)
	return fmt.Sprintf("\t%s%s\n", name, pick(g, "", " `json:\",omitempty\"`"))
}

// embedMetadata embeds metadata whose fields are the struct's own.
func (g *gen) embedMetadata(string, int) string {
	g.metas++
	return "\tmetav1.ObjectMeta" + pick(g, "", " `json:\",inline\"`") + "\n"
}

// namedInline is a field that is not embedded: Go takes no notice of the option, and writes the field's name.
func (g *gen) namedInline(_ string, depth int) string {
	t := g.declaredStruct(max(depth-1, 0))
	name := g.name("F")
	return fmt.Sprintf("\t%s %s `json:\",inline\"`\n", name, t.expr)
}

// rivals returns two scalar types that have no value in common in JSON.
func (g *gen) rivals() (one, two string) {
	if g.chance(50) {
		return "string", pick(g, "int32", "bool", "[]string")
	}
	return pick(g, "int32", "bool", "[]string"), "string"
}

// shadowed is a field that hides one of an embedded struct, sometimes two levels down.
func (g *gen) shadowed(string, int) string {
	one, two := g.rivals()
	outer, inner, base := g.name("F"), g.name("F"), g.typeName("Base")
	key := strings.ToLower(outer)
	g.declare("// %s has a field that is hidden.\ntype %s struct {\n\t// +optional\n\t%s %s `json:\"%s\"`\n}", base,
		base, inner, two, key)
	if g.chance(40) {
		middle := g.typeName("Base")
		g.declare("// %s stands between.\ntype %s struct {\n\t%s%s\n}", middle, middle, pick(g, "", "*"), base)
		base = middle
	}
	lines := []string{fmt.Sprintf("\t// +optional\n\t%s %s `json:\"%s\"`\n", outer, one, key),
		"\t" + base + pick(g, "", " `json:\",inline\"`") + "\n"}
	if g.chance(50) {
		lines[0], lines[1] = lines[1], lines[0]
	}
	return lines[0] + lines[1]
}

// bothDropped is a key that two embedded structs have at one depth, so that JSON has it not at all.
func (g *gen) bothDropped(string, int) string {
	one, two := g.rivals()
	key := strings.ToLower(g.name("F"))
	lines := ""
	for _, expr := range []string{one, two} {
		base, kept := g.typeName("Base"), g.name("F")
		g.declare("// %s has a field that is dropped.\ntype %s struct {\n\t// +optional\n\t%s %s `json:\"%s\"`\n"+
			"\t// +optional\n\t%s %s `json:\"%s\"`\n}",
			base, base, g.name("F"), expr, key, kept, expr, strings.ToLower(kept))
		lines += "\t" + base + pick(g, "", " `json:\",inline\"`") + "\n"
	}
	return lines
}

// taggedWins is a key that two embedded structs have at one depth, of which the one that is written in a tag wins.
func (g *gen) taggedWins(string, int) string {
	one, two := g.rivals()
	name, rival := g.name("F"), g.name("F")
	tagged, untagged := g.typeName("Base"), g.typeName("Base")
	g.declare("// %s has a tag.\ntype %s struct {\n\t// +optional\n\t%s %s `json:\"%s\"`\n}", tagged, tagged, rival,
		one, name)
	g.declare("// %s has none.\ntype %s struct {\n\t// +optional\n\t%s %s\n}", untagged, untagged, name, two)
	if g.chance(50) {
		tagged, untagged = untagged, tagged
	}
	return "\t" + tagged + "\n\t" + untagged + " `json:\",inline\"`\n"
}

// twice is a key that one struct has twice.
func (g *gen) twice(string, int) string {
	one, two := g.rivals()
	name, again := g.name("F"), g.name("F")
	key := strings.ToLower(name)
	return fmt.Sprintf("\t// +optional\n\t%s %s `json:\"%s\"`\n\t// +optional\n\t%s %s `json:\"%s\"`\n", name, one, key,
		again, two, key)
}
