package source

import (
	"fmt"
	"strings"
)

// An entry is one kind of line, or some, in a struct.
type entry struct {
	name   string
	weight int
	reject Rejection
	rules  string
	// write returns the lines for the struct of that name, "" for one without.
	write func(g *gen, owner string, depth int) string
}

// entries is the table of them. It is a function because its entries lead back to it.
func entries() []entry {
	return []entry{
		{name: "field", weight: 60, write: (*gen).field},
		{name: "embedded", weight: 8, write: (*gen).embed},
		{name: "embedded pointer", weight: 4, write: (*gen).embedPointer},
		{name: "embedded with a name", weight: 2, write: (*gen).embedWithName},
		{name: "embedded unexported", weight: 2, write: func(g *gen, owner string, depth int) string {
			return g.embedUnexported(owner, depth, "")
		}},
		{name: "embedded pointer to unexported", weight: 1, reject: Must, rules: "field-unexported",
			write: func(g *gen, owner string, depth int) string { return g.embedUnexported(owner, depth, "*") }},
		{name: "embedded scalar", weight: 2, write: (*gen).embedScalar},
		{name: "embedded interface", weight: 1, reject: Must, rules: "type-unsupported", write: (*gen).embedInterface},
		{name: "embedded generic", weight: 2, write: (*gen).embedGeneric},
		{name: "embedded metadata inline", weight: 1, reject: May, write: (*gen).embedMetadata},
		{name: "named inline", weight: 1, reject: Must, rules: "field-inline", write: (*gen).namedInline},
		{name: "unexported", weight: 3, write: func(g *gen, _ string, _ int) string {
			return fmt.Sprintf("\t%s string\n", g.name("f"))
		}},
		{name: "unexported with a tag", weight: 1, reject: May, rules: "field-unexported",
			write: func(g *gen, _ string, _ int) string {
				name := g.name("f")
				return fmt.Sprintf("\t%s string `json:\"%s\"`\n", name, name)
			}},
		{name: "left out", weight: 2, write: func(g *gen, _ string, _ int) string {
			return fmt.Sprintf("\t%s chan int `json:\"-\"`\n", g.name("F"))
		}},
		{name: "shadowed by depth", weight: 3, write: (*gen).shadowed},
		{name: "both dropped", weight: 2, write: (*gen).bothDropped},
		{name: "tagged beats untagged", weight: 2, write: (*gen).taggedWins},
		{name: "twice in one struct", weight: 1, write: (*gen).twice},
	}
}

// structBody writes so many entries.
func (g *gen) structBody(owner string, depth, count int) string {
	table := entries()
	var b strings.Builder
	for range count {
		e := table[g.weighted(len(table), func(i int) int { return table[i].weight })]
		if e.reject != Never {
			if g.risks == 0 || owner == "" {
				e = table[0]
			} else {
				g.risks--
				g.shapes[owner] = Shape{e.name, e.reject, e.rules}
			}
		}
		b.WriteString(e.write(g, owner, depth))
	}
	return b.String()
}

// field writes a field with a tag and markers.
func (g *gen) field(owner string, depth int) string {
	t := g.typeExpr(depth)
	name := g.name("F")
	key := g.key(name)
	options := g.tagOptions(&t)
	lines, tag := g.markers(&t, options)
	g.note(owner, name, t)
	json := key + options
	if json == "-" {
		json = "-," // the key itself, where "-" alone leaves the field out
	}
	if key != "" || options != "" {
		tag = strings.TrimSpace(fmt.Sprintf("json:%q %s", json, tag))
	}
	if tag != "" {
		tag = " `" + tag + "`"
	}
	return lines + fmt.Sprintf("\t%s %s%s\n", name, t.expr, tag)
}

// key returns a JSON name, or "" for none. Names differ in all of a kind, so that a path in an object leads to its
// field.
func (g *gen) key(name string) string {
	switch {
	case g.chance(12):
		return ""
	case !g.dashed && g.chance(1):
		g.dashed = true
		return "-"
	case g.chance(4):
		return strings.ToLower(name) + pick(g, "/x", "-y", "_z:1", "$", "é")
	}
	return strings.ToLower(name)
}

// tagOptions returns the text after the name, with its commas. The option string may be rejected on a type that has
// markers or methods.
func (g *gen) tagOptions(t *typ) string {
	options := ""
	if g.chance(35) {
		options += ",omitempty"
	}
	if g.chance(12) && !t.small {
		options += ",omitzero"
	}
	if !t.quotable && !g.chance(2) || t.quotable && !g.chance(15) || t.shape.Reject == Must { // a quoted float is none
		return options
	}
	if t.values != nil || t.marshals {
		if g.risks == 0 {
			return options
		}
		g.risks--
		t.shape = Shape{t.shape.Name + ",string", May, "field-string"}
	}
	return options + ",string"
}
