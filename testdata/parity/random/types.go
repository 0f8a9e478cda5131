package random

import (
	"fmt"
	"strings"
)

// doc writes a documentation comment, indented, or none.
func (g *gen) doc(indent string) {
	for range g.IntN(3) {
		g.p("%s// %s", indent, pick(g,
			"Something is said here.", "It's \"quoted\" & <escaped>: with #hash, and `code`.", "", "TODO: not shown",
			"  indented", "- a list item", "a very long line that has to be folded because it does not fit into "+
				"eighty columns, not even nearly",
			"~~~\n"+indent+"// TODO in a fence\n"+indent+"// ~~~", "key: value", "---", "Ends with colon:",
			"trailing space ", "1.5",
			"Ünïcödé → 🚀", "\ttab", "'single'", "@at", "*star*", "nolint:all", "go:generate x"))
	}
}

// typeDecl declares one type.
func (g *gen) typeDecl() {
	name := fmt.Sprintf("%s%d", pick(g, "Foo", "Bar", "Baz"), len(g.types))
	kind := pick(g, "string", "string", "int", "bool", "struct", "struct", "struct", "slice", "map", "named", "pointer",
		"alias", "bytes", "multi")
	if kind == "multi" {
		if g.chance(30) {
			g.p("// +kubebuilder:title=group")
		}
		g.p("type (")
		g.doc("\t")
		g.markers("\t", "string", true)
		g.p("\t%s string%s", name, pick(g, "", " // +kubebuilder:title=behind"))
		if g.chance(50) {
			g.layout("\t", func() { g.doc("\t") }, func() { g.markers("\t", "other", true) })
			g.p("\t%sMore []string", name)
		}
		g.p(")\n")
		g.types = append(g.types, named{name, "string"})
		return
	}
	g.layout("", func() { g.doc("") }, func() { g.markers("", markerKind(kind), true) })
	switch kind {
	case "string":
		g.p("type %s string\n", name)
		if g.chance(30) {
			g.p("const (\n\t%sA %s = \"a\"\n\t%sB %s = \"b\"\n)\n", name, name, name, name)
		}
	case "int":
		g.p("type %s %s\n", name, pick(g, "int", "int32", "int64", "uint32", "uint8", "int16"))
	case "bool":
		g.p("type %s bool\n", name)
	case "slice":
		g.p("type %s []%s\n", name, g.typeExpr(1).name)
	case "map":
		g.p("type %s map[string]%s\n", name, g.typeExpr(1).name)
	case "bytes":
		g.p("type %s []byte\n", name)
		kind = "other"
	case "named", "alias", "pointer":
		t := g.typeExpr(2)
		for kind == "alias" && strings.HasPrefix(t.name, "shared.") {
			t = g.typeExpr(2) // controller-gen looks such a type up in the wrong package, and panics
		}
		sep := map[string]string{"named": "", "alias": "= ", "pointer": "*"}[kind]
		if strings.HasPrefix(t.name, "*") && kind == "pointer" {
			sep = ""
		}
		g.p("type %s %s%s\n", name, sep, t.name)
		kind = t.kind
	case "struct":
		open := ""
		if g.chance(10) {
			open = " // +optional"
		}
		g.p("type %s struct {%s", name, open)
		g.fields()
		if g.chance(15) {
			g.p("\t// +optional")
		}
		end := ""
		if g.chance(10) {
			end = " // +kubebuilder:validation:MinProperties=7"
		}
		g.p("}%s\n", end)
	}
	if g.chance(10) {
		g.p("// %s\n", pick(g, "+kubebuilder:validation:MaxProperties=9", "a free comment", "+kubebuilder:title=free"))
	}
	if g.chance(10) {
		g.p("// +kubebuilder:title=of a function\nfunc (%s) f%d() {\n\t// +kubebuilder:title=inside\n}\n",
			pick(g, "*unusedReceiver", "unusedReceiver"), len(g.types))
	}
	if g.chance(10) {
		g.p("// +kubebuilder:title=of a constant\nconst c%d = 1 // +kubebuilder:title=behind\n", len(g.types))
	}
	g.types = append(g.types, named{name, kind})
}

func markerKind(kind string) string {
	switch kind {
	case "bytes", "named", "alias", "pointer":
		return "other"
	}
	return kind
}

// layout writes documentation and markers above a declaration, in one of the ways people do.
func (g *gen) layout(indent string, doc, markers func()) {
	switch g.IntN(6) {
	case 0:
		markers()
		g.p("")
		doc()
	case 1:
		markers()
		doc()
	case 2:
		doc()
		g.p("%s//", indent)
		markers()
	case 3:
		markers()
		g.p("")
		doc()
		markers()
	default:
		doc()
		markers()
	}
}

// typeExpr returns a type expression and what kind of markers it bears.
func (g *gen) typeExpr(depth int) named {
	all := append(append([]named(nil), g.types...), g.other...)
	if len(all) > 0 && g.chance(45) {
		return pick(g, all...)
	}
	n := 13
	if depth > 0 {
		n = 18
	}
	switch g.IntN(n) {
	case 0, 1:
		return named{"string", "string"}
	case 2:
		return named{pick(g, "int", "int32", "int64", "uint32", "uint64", "int8"), "int"}
	case 3:
		return named{"bool", "bool"}
	case 4:
		return named{"metav1.Time", "other"}
	case 5:
		return named{"metav1.Duration", "other"}
	case 6:
		return named{"resource.Quantity", "other"}
	case 7:
		return named{"intstr.IntOrString", "other"}
	case 8:
		return named{pick(g, "runtime.RawExtension", "apiextensionsv1.JSON"), "other"}
	case 9:
		return named{pick(g, "metav1.LabelSelector", "metav1.Condition", "metav1.ObjectMeta"), "struct"}
	case 10:
		return named{"[]byte", "other"}
	case 11:
		return named{"metav1.MicroTime", "other"}
	case 12:
		return named{"string", "string"}
	case 13, 14:
		item := g.typeExpr(depth - 1)
		return named{"[]" + item.name, "slice:" + item.kind}
	case 15, 16:
		return named{"map[string]" + g.typeExpr(depth-1).name, "map"}
	default:
		t := g.typeExpr(depth - 1)
		if strings.HasPrefix(t.name, "*") {
			return t
		}
		return named{"*" + t.name, t.kind}
	}
}

// fields writes the fields of a struct; now and then one embeds another.
func (g *gen) fields() {
	names := []string{"Name", "Size", "Mode", "Items", "Labels", "Port", "Ref", "Extra"}
	g.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	for _, name := range names[:1+g.IntN(5)] {
		g.field(name, strings.ToLower(name), g.typeExpr(2))
	}
	if g.chance(35) {
		t := g.structType()
		if !strings.HasPrefix(t.name, "metav1.") {
			if g.chance(30) {
				g.p("\t// +optional")
			}
			g.p("\t%s `json:\",inline\"`", t.name)
		}
	}
	if g.chance(10) {
		g.p("\tSkipped chan int `json:\"-\"`")
	}
}

func (g *gen) field(goName, jsonName string, t named) {
	if g.chance(15) {
		g.p("\t// +kubebuilder:title=Free\n")
	}
	g.layout("\t", func() { g.doc("\t") }, func() {
		if g.chance(40) {
			g.p("\t// %s", pick(g, "+optional", "+required", "+kubebuilder:validation:Optional",
				"+kubebuilder:validation:Required",
				"+k8s:optional", "+k8s:required", "+nullable", "+k8s:immutable"))
		}
		g.markers("\t", t.kind, false)
	})
	name := t.name
	if g.chance(25) && !strings.HasPrefix(name, "*") {
		name = "*" + name
	}
	trailing := ""
	if g.chance(10) {
		trailing = pick(g, " // trailing text", " // +optional", " // +kubebuilder:title=trailing", " /* +optional */")
	}
	g.p("\t%s %s `json:%q`%s", goName, name, jsonName+pick(g, "", ",omitempty", ",omitempty", ",omitzero"), trailing)
	if g.chance(30) {
		g.p("")
	}
}
