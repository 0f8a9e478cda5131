package source

import (
	"fmt"
	"strings"
)

// An entry is one kind of line, or some, in a struct.
type entry struct {
	name   string
	weight int
	refuse Refusal
	// write returns the lines for the struct of that name, "" for one without.
	write func(g *gen, owner string, depth int) string
}

// entries is the table of them. It is a function because its entries lead back to it.
func entries() []entry {
	return []entry{
		{name: "field", weight: 60, write: (*gen).field},
		{name: "embedded inline", weight: 5, write: func(g *gen, _ string, depth int) string { return g.embed(depth, "%s `json:\",inline\"`") }},
		{name: "embedded bare", weight: 3, write: func(g *gen, _ string, depth int) string { return g.embed(depth, "%s") }},
		{name: "embedded pointer", weight: 4, write: func(g *gen, _ string, depth int) string {
			return g.embed(depth, pick(g, "*%s", "*%s `json:\",inline\"`", "*%s `json:\",omitempty\"`"))
		}},
		{name: "embedded with a name", weight: 2, write: func(g *gen, _ string, depth int) string {
			return g.embed(depth, pick(g, "", "*")+"%s `json:\""+strings.ToLower(g.name("F"))+"\"`")
		}},
		{name: "embedded unexported", weight: 2, write: func(g *gen, _ string, depth int) string { return g.embedUnexported(depth, "") }},
		{name: "embedded pointer to unexported", weight: 1, refuse: Must,
			write: func(g *gen, _ string, depth int) string { return g.embedUnexported(depth, "*") }},
		{name: "embedded scalar", weight: 2, write: (*gen).embedScalar},
		{name: "embedded generic", weight: 2, write: (*gen).embedGeneric},
		{name: "embedded metadata inline", weight: 1, refuse: Must,
			write: func(*gen, string, int) string { return "\tmetav1.ObjectMeta `json:\",inline\"`\n" }},
		{name: "named inline", weight: 1, refuse: Must, write: (*gen).namedInline},
		{name: "unexported", weight: 3, write: func(g *gen, _ string, _ int) string { return fmt.Sprintf("\t%s string\n", g.name("f")) }},
		{name: "unexported with a tag", weight: 1, refuse: May, write: func(g *gen, _ string, _ int) string {
			name := g.name("f")
			return fmt.Sprintf("\t%s string `json:\"%s\"`\n", name, name)
		}},
		{name: "left out", weight: 2, write: func(g *gen, _ string, _ int) string { return fmt.Sprintf("\t%s chan int `json:\"-\"`\n", g.name("F")) }},
		{name: "shadowed by depth", weight: 3, write: (*gen).shadowed},
		{name: "both dropped", weight: 2, write: (*gen).bothDropped},
		{name: "tagged beats untagged", weight: 2, write: (*gen).taggedWins},
		{name: "twice in one struct", weight: 1, refuse: May, write: (*gen).twice},
	}
}

// structBody writes so many entries.
func (g *gen) structBody(owner string, depth, count int) string {
	table := entries()
	var b strings.Builder
	for range count {
		e := table[g.weighted(len(table), func(i int) int { return table[i].weight })]
		if e.refuse != Never {
			if g.risks == 0 || owner == "" {
				e = table[0]
			} else {
				g.risks--
				g.shapes[owner] = Shape{Name: e.name, Refuse: e.refuse}
			}
		}
		if e.name == "embedded metadata inline" && strings.Contains(b.String(), "ObjectMeta") {
			continue
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
	options := g.tagOptions(t)
	lines, tag := g.markers(t, options)
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

// key returns a JSON name, or "" for none. Names differ in all of a kind, so that a path in an object leads to its field.
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

// tagOptions returns what stands behind the name, with its commas.
func (g *gen) tagOptions(t typ) string {
	options := ""
	if g.chance(35) {
		options += ",omitempty"
	}
	if g.chance(12) {
		options += ",omitzero"
	}
	if t.quotable && g.chance(15) || g.chance(2) {
		options += ",string"
	}
	return options
}

// markers returns lines of markers above a field, and what the filler has to know to write values that they permit.
func (g *gen) markers(t typ, options string) (lines, tag string) {
	omitted := strings.Contains(options, "omitempty") && t.class != aggregate || strings.Contains(options, "omitzero")
	required, optional := false, omitted || strings.Contains(options, "omitempty")
	var know []string
	write := func(marker string) { lines += "\t// " + marker + "\n" }
	switch n := g.IntN(10); {
	case n < 3:
		write(pick(g, "+optional", "+optional", "+kubebuilder:validation:Optional"))
		optional = true
	case n < 4:
		write(pick(g, "+required", "+kubebuilder:validation:Required"))
		required, optional = true, false
	}
	if g.chance(8) {
		write("+nullable")
	}
	for _, m := range t.markers {
		write(m)
	}
	if t.tag != "" {
		know = append(know, t.tag)
	}
	bounded := t.enum
	if !strings.Contains(options, ",string") && !t.enum && len(t.markers) == 0 && g.chance(25) {
		if marker, bound := g.bound(t); marker != "" {
			write(marker)
			know = append(know, bound)
			bounded = true
		}
	}
	// The zero value of a required field with bounds is the user's mistake; that of an optional one is Go's habit.
	if optional && !required || !bounded {
		know = append(know, "zero")
	}
	if len(know) > 0 && !(len(know) == 1 && know[0] == "zero" && !bounded && t.class == aggregate) {
		tag = fmt.Sprintf("circle:%q", strings.Join(know, ","))
	}
	return lines, tag
}

// bound returns a marker that narrows a scalar or a list, and the same for the filler.
func (g *gen) bound(t typ) (marker, tag string) {
	low := g.IntN(4)
	switch t.class {
	case integer:
		if !t.unsigned {
			low -= 2
		}
		return fmt.Sprintf("+kubebuilder:validation:Minimum=%d\n\t// +kubebuilder:validation:Maximum=%d", low, low+9), fmt.Sprintf("min=%d,max=%d", low, low+9)
	case text:
		return fmt.Sprintf("+kubebuilder:validation:MinLength=%d\n\t// +kubebuilder:validation:MaxLength=%d", low, low+9), fmt.Sprintf("minlen=%d,maxlen=%d", low, low+9)
	case list:
		if t.pointer {
			return "", ""
		}
		return fmt.Sprintf("+kubebuilder:validation:MinItems=%d\n\t// +kubebuilder:validation:MaxItems=%d", low, low+2), fmt.Sprintf("minlen=%d,maxlen=%d", low, low+2)
	}
	return "", ""
}
