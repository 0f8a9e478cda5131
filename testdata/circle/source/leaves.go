package source

import (
	"fmt"
	"strings"
)

// A leaf is a type that is made of no other.
type leaf struct {
	name   string
	weight int
	reject Rejection
	rules  string
	// rejectBelowMap is for types that marshal themselves only where they are addressable.
	rejectBelowMap Rejection
	// dangerous is what crdproof rejects without allowDangerousTypes.
	dangerous bool
	// onField is for types that need markers on their field.
	onField bool
	make    func(g *gen) typ
}

// leaves is the table of them.
func leaves() []leaf {
	table := []leaf{
		{name: "bool", weight: 4, make: basic("bool", boolean)},
		{name: "string", weight: 8, make: basic("string", text)},
		{name: "float32", weight: 2, dangerous: true, make: basic("float32", floating)},
		{name: "float64", weight: 2, dangerous: true, make: basic("float64", floating)},
		{name: "named scalar", weight: 4, make: (*gen).namedScalar},
		{name: "bytes", weight: 6, make: (*gen).bytes},
		{name: "byte array", weight: 2, make: func(g *gen) typ {
			return typ{expr: fmt.Sprintf("[%d]byte", 1+g.IntN(4)), class: array}
		}},
		{name: "string enum", weight: 5, make: (*gen).enumerated},
		{name: "int enum", weight: 2, make: (*gen).enumeratedInt},
		{name: "any", weight: 3, make: nullable("any")},
		{name: "interface{}", weight: 1, make: nullable("interface{}")},
		{name: "json.RawMessage", weight: 2, make: nullable("json.RawMessage")},
		{name: "json.Number", weight: 2, make: expr("json.Number")},
		{name: "time.Time", weight: 2, make: expr("time.Time")},
		{name: "time.Duration", weight: 2, make: expr("time.Duration")},
		{name: "net.IP", weight: 2, make: expr("net.IP")},
		{name: "netip.Addr", weight: 2, make: expr("netip.Addr")},
		{name: "netip.Prefix", weight: 2, make: expr("netip.Prefix")},
		{name: "netip.AddrPort", weight: 2, make: expr("netip.AddrPort")},
		{name: "big.Int", weight: 2, rejectBelowMap: May, rules: "type-address", make: expr("big.Int")},
		{name: "url.URL", weight: 2, make: expr("url.URL")},
		{name: "runtime.RawExtension", weight: 2, make: nullable("runtime.RawExtension")},
		{name: "embedded resource", weight: 2, onField: true, make: (*gen).embeddedResource},
		{name: "JSON", weight: 2, make: nullable("apiextensionsv1.JSON")},
		{name: "Unstructured", weight: 2, rejectBelowMap: May, rules: "type-address", make: func(*gen) typ {
			return typ{expr: "unstructured.Unstructured", null: true, isDeaf: true}
		}},
		{name: "metav1.Duration", weight: 2,
			make: func(*gen) typ { return typ{expr: "metav1.Duration", isDeaf: true} }},
		{name: "metav1.Time", weight: 3, make: nullable("metav1.Time")},
		{name: "metav1.MicroTime", weight: 2, make: nullable("metav1.MicroTime")},
		{name: "Quantity", weight: 2, make: expr("resource.Quantity")},
		{name: "IntOrString", weight: 2, make: expr("intstr.IntOrString")},
		{name: "LabelSelector", weight: 2,
			make: func(*gen) typ { return typ{expr: "metav1.LabelSelector", class: aggregate} }},
		{name: "embedded metadata", weight: 4, make: (*gen).template},
		{name: "text", weight: 4, make: func(g *gen) typ { return g.textual(false) }},
		{name: "text by pointer", weight: 2, rejectBelowMap: Must, rules: "type-address",
			make: func(g *gen) typ { return g.textual(true) }},
		{name: "text with IsZero", weight: 2, make: (*gen).textWithIsZero},
		{name: "text one way", weight: 2, reject: Must, rules: "type-one-way", make: (*gen).textOneWay},
		{name: "json typed", weight: 4, make: func(g *gen) typ { return g.jsonTyped(false) }},
		{name: "json typed by pointer", weight: 2, rejectBelowMap: Must, rules: "type-address",
			make: func(g *gen) typ { return g.jsonTyped(true) }},
		{name: "json untyped", weight: 2, reject: Must, rules: "type-marshaler type-address", make: (*gen).jsonUntyped},
		{name: "json schemaless", weight: 1, onField: true, make: (*gen).jsonSchemaless},
		{name: "promoted", weight: 3, reject: May, rules: "field-lost field-inline", make: (*gen).promoted},
	}
	for _, name := range strings.Fields("int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 uintptr") {
		table = append(table, leaf{name: name, weight: 2, make: basic(name, integer)})
	}
	return table
}

// leaf returns a leaf; one that may be rejected only if the kind has not had one yet.
func (g *gen) leaf() typ {
	table := leaves()
	for {
		l := table[g.weighted(len(table), func(i int) int { return table[i].weight })]
		if l.onField && g.around.element {
			continue
		}
		shape := Shape{l.name, l.reject, l.rules}
		if g.around.unaddressable {
			shape.Reject = max(shape.Reject, l.rejectBelowMap)
		}
		if l.dangerous && !g.options.AllowDangerousTypes {
			shape.Reject, shape.Rules = Must, "type-float"
		}
		if shape.Reject != Never {
			if g.risks == 0 {
				continue
			}
			g.risks--
		}
		t := l.make(g)
		t.shape = shape
		if t.opaque {
			g.opaques++
		}
		if l.reject != Never {
			g.note(t.expr, "", t) // the type itself is what cannot be described
		}
		return t
	}
}

// expr is a type of a library whose zero value is written as a value.
func expr(name string) func(*gen) typ {
	return func(*gen) typ { return typ{expr: name, quotable: name == "json.Number" || name == "time.Duration"} }
}

// nullable is a type of a library whose zero value is null.
func nullable(name string) func(*gen) typ {
	return func(*gen) typ { return typ{expr: name, null: true} }
}

func basic(name string, c class) func(*gen) typ {
	return func(*gen) typ {
		return typ{expr: name, class: c, quotable: true, unsigned: strings.HasPrefix(name, "uint"),
			octet: name == "uint8"}
	}
}

func (g *gen) namedScalar() typ {
	name := g.typeName("Scalar")
	under, c := "bool", boolean
	switch g.IntN(5) {
	case 0:
	case 1, 2:
		under, c = "string", text
	default:
		under, c = pick(g, "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64"),
			integer
	}
	g.declare("// %s is a name for a scalar.\ntype %s %s", name, name, under)
	return typ{expr: name, class: c, quotable: true, unsigned: strings.HasPrefix(under, "uint"),
		octet: under == "uint8"}
}

// bytes returns one of the spellings of a byte slice.
func (g *gen) bytes() typ {
	t := typ{expr: "[]byte", null: true}
	switch g.IntN(6) {
	case 0:
		t.expr = "[]uint8"
	case 1:
		name := g.typeName("Byte")
		g.declare("// %s is a byte.\ntype %s %s", name, name, pick(g, "byte", "uint8"))
		t.expr = "[]" + name
	case 2:
		t.expr = g.typeName("Blob")
		g.declare("// %s is a blob.\ntype %s []%s", t.expr, t.expr, pick(g, "byte", "uint8"))
	case 3:
		name := g.typeName("Byte")
		g.declare("// %s is a byte by another name.\ntype %s = byte", name, name)
		t.expr = "[]" + name
	}
	return t
}

// enumerated declares a string type with constants, which a marker lists.
func (g *gen) enumerated() typ {
	values := []string{`"Always"`, `"Never"`, `"If it rains"`, `"ž"`}[:2+g.IntN(3)]
	marker := pick(g, "// +kubebuilder:validation:Enum="+strings.Join(values, ";"), "// +k8s:enum", "// +enum")
	t := typ{expr: g.typeName("Enum"), class: text, values: values, quotable: true}
	g.constants(t.expr, "string", marker, values)
	return t
}

func (g *gen) enumeratedInt() typ {
	under := pick(g, "int", "int32", "uint8")
	t := typ{expr: g.typeName("Enum"), class: integer, values: []string{"1", "2", "5"}, quotable: true, unsigned: true,
		octet: under == "uint8"}
	g.constants(t.expr, under, pick(g, "// +kubebuilder:validation:Enum=1;2;5", "// +k8s:enum"), t.values)
	return t
}

func (g *gen) constants(name, under, marker string, values []string) {
	pkg := g.pkg
	if g.around.helper {
		pkg = HelperPackage(pkg)
	}
	enum := Enum{Type: pkg + "." + name}
	var consts string
	for i, v := range values {
		constant := fmt.Sprintf("%s%c", name, 'A'+i)
		consts += fmt.Sprintf("\t%s %s = %s\n", constant, name, v)
		enum.Values = append(enum.Values, pkg+"."+constant)
	}
	g.declare("// %s is one of its constants.\n//\n%s\ntype %s %s", name, marker, name, under)
	g.declare("// The values of %s.\nconst (\n%s)", name, consts)
	g.enums = append(g.enums, enum)
}

// embeddedResource is a raw object that has to be a whole Kubernetes object.
func (g *gen) embeddedResource() typ {
	return typ{expr: "runtime.RawExtension", null: true, tag: "resource",
		markers: []string{"kubebuilder:validation:EmbeddedResource", "kubebuilder:pruning:PreserveUnknownFields"}}
}

// template is a struct with embedded metadata, as in a pod template.
func (g *gen) template() typ {
	name := g.typeName("Template")
	field := g.name("F")
	g.declare("// %s has metadata.\ntype %s struct {\n\t// +optional\n"+
		"\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n"+
		"\t// +optional\n\t%s string `json:\"%s,omitempty\"`\n}", name, name, field, strings.ToLower(field))
	g.shapes[name+".ObjectMeta"] = Shape{Name: "embedded metadata"}
	g.metas++
	return typ{expr: name, class: aggregate, meta: true}
}
