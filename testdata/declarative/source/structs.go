package source

import (
	"fmt"
	"strings"
)

// structType declares a struct.
func (g *gen) structType(depth int) string {
	name := fmt.Sprint(g.kind, "S", g.name())
	body := g.structBody(depth-1, 1+g.IntN(3))
	g.declare("type %s struct {\n%s}", name, body)
	return name
}

// plainType declares a struct whose fields have no tags, for tags that lead to them.
func (g *gen) plainType() string {
	name := fmt.Sprint(g.kind, "P", g.name())
	g.declare("type %s struct {\n\tText string `json:\"text,omitempty\" try:\"a,ab\"`\n"+
		"\tNumber int32 `json:\"number\"`\n\tList []string `json:\"list,omitempty\"`\n"+
		"\tA *string `json:\"a,omitempty\"`\n\tB *string `json:\"b,omitempty\"`\n}", name)
	return name
}

func (g *gen) structField(f *field, depth int) {
	if g.chance(30) {
		g.narrowedField(f)
		return
	}
	f.goType = g.structType(depth)
	if !g.chance(60) {
		f.tags = append(f.tags, g.transitions("NoModify")...)
		return
	}
	g.presence(f, true)
	f.goType = "*" + f.goType
	f.tags = append(f.tags, g.transitions("NoSet", "NoUnset", "NoModify")...)
}

// narrowedField has tags for the fields of its type.
func (g *gen) narrowedField(f *field) {
	isPointer := g.chance(50)
	f.goType = g.plainType()
	if isPointer {
		g.presence(f, true)
		f.goType = "*" + f.goType
	}
	leading := []string{
		"subfield(text)=+k8s:" + pick(g, "required", `neq="a"`),
		fmt.Sprint("subfield(text)=+k8s:maxLength=", 1+g.IntN(3)),
		"subfield(number)=+k8s:" + pick(g, "minimum=1", "maximum=2", "neq=0"),
		"subfield(list)=+k8s:" + pick(g, "maxItems=1", "required", `eachVal=+k8s:neq="a"`),
		"subfield(a)=+k8s:" + pick(g, "required", "forbidden", "maxLength=1"),
	}
	if !g.still {
		leading = append(leading, "subfield("+pick(g, "text", "number", "a")+")=+k8s:immutable")
	}
	if g.chance(80) || isPointer {
		f.tags = append(f.tags, g.some(1+g.IntN(3), leading...)...)
	} else {
		tag := pick(g, "unionMember", "zeroOrOneOfMember")
		f.tags = append(f.tags, "subfield(a)=+k8s:"+tag, "subfield(b)=+k8s:"+tag)
	}
}

// listMapField is a list by key, with tags for one of its items.
func (g *gen) listMapField(f *field, depth int) {
	g.presence(f, true)
	name := fmt.Sprint(g.kind, "I", g.name())
	hasKeys := g.chance(70)
	was := g.still
	g.still = was || !hasKeys
	body := g.structBody(depth-1, 1+g.IntN(2))
	g.still = was
	g.declare("type %s struct {\n\t// +k8s:maxLength=9\n\tName string `json:\"name\" try:\"a,b\"`\n"+
		"\tValue string `json:\"value,omitempty\"`\n%s}", name, body)
	f.goType = "[]" + name
	f.tags = append(f.tags, fmt.Sprint("maxItems=", pick(g, 2, 9)))
	if !hasKeys {
		if g.chance(30) {
			f.tags = append(f.tags, "listType=atomic", "unique=map", "listMapKey=name")
		}
		return
	}
	f.tags = append(f.tags, "listType=map", "listMapKey=name")
	f.tags = append(f.tags, g.some(g.IntN(2), "eachVal=+k8s:subfield(value)=+k8s:maxLength=3",
		`item(name: "a")=+k8s:subfield(value)=+k8s:required`,
		`item(name: "b")=+k8s:subfield(value)=+k8s:neq="a"`)...)
	f.tags = append(f.tags, g.transitions("NoSet", "NoUnset", "NoAddItem", "NoRemoveItem")...)
	if g.chance(15) {
		tag := pick(g, "unionMember", "zeroOrOneOfMember")
		f.tags = append(f.tags, `item(name: "a")=+k8s:`+tag, `item(name: "b")=+k8s:`+tag)
	}
	if !g.still && g.chance(15) {
		f.tags = append(f.tags, pick(g, "eachVal=+k8s:immutable", "eachVal=+k8s:update=NoModify",
			`item(name: "a")=+k8s:immutable`))
	}
}

// relate makes optional fields depend on others. Fields of named types are left out, for which validation-gen writes
// what is no Go.
func (g *gen) relate(fields []field) {
	for i := range fields {
		other := fields[g.IntN(len(fields))]
		isNamed := strings.HasPrefix(other.goType, g.kind) || strings.HasPrefix(fields[i].goType, g.kind)
		if other.number == fields[i].number || !fields[i].omitted || !other.omitted || isNamed || !g.chance(12) {
			continue
		}
		fields[i].tags = append(fields[i].tags,
			fmt.Sprintf("%s(%q)", pick(g, "dependentRequired", "dependentForbidden"), other.key()))
	}
}

// union writes fields of which one is set.
func (g *gen) union() []field {
	name := ""
	if g.chance(40) {
		name = `union: "u"`
	}
	members := []field{}
	tag := pick(g, "unionMember", "unionMember", "zeroOrOneOfMember")
	for range 2 + g.IntN(2) {
		members = append(members, field{number: g.name(), goType: pick(g, "*string", "string", "*int32", "[]string"),
			omitted: true,
			tags:    []string{"optional", tag + arguments(name)}})
	}
	if tag == "unionMember" && g.chance(50) {
		d := field{number: g.name(), goType: "string",
			words: fmt.Sprintf("F%d,F%d,x", members[0].number, members[1].number)}
		d.tags = []string{"maxLength=9", "unionDiscriminator" + arguments(name)}
		if g.chance(50) {
			d.tags, d.omitted = append(d.tags, "optional"), true
		}
		if g.chance(50) {
			members[0].tags[1] = tag + arguments(name, `memberName: "x"`)
		}
		members = append(members, d)
	}
	return members
}

// modes writes a field that says which others may be set.
func (g *gen) modes() []field {
	d := field{number: g.name(), goType: "string", words: "A,B", tags: []string{"maxLength=9", "modeDiscriminator"}}
	list := []field{d}
	for range 1 + g.IntN(2) {
		f := field{number: g.name(), goType: pick(g, "*string", "[]string", "*int32"), omitted: true}
		f.tags = []string{fmt.Sprintf("ifMode(%q)=+k8s:%s", pick(g, "A", "B"), pick(g, "required", "optional"))}
		list = append(list, f)
	}
	return list
}

// arguments are those of a tag in parentheses, without the empty ones.
func arguments(list ...string) string {
	out := ""
	for _, a := range list {
		if a != "" && out != "" {
			out += ", "
		}
		out += a
	}
	if out == "" {
		return ""
	}
	return "(" + out + ")"
}
