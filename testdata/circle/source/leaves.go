package source

import (
	"fmt"
	"strings"
)

// A leaf is a type that is made of no other.
type leaf struct {
	name   string
	weight int
	refuse Refusal
	// refuseBelowMap is for types that marshal themselves only where they are addressable.
	refuseBelowMap Refusal
	// dangerous is what crdproof refuses without allowDangerousTypes.
	dangerous bool
	make      func(g *gen) typ
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
		{name: "byte array", weight: 2, make: func(g *gen) typ { return typ{expr: fmt.Sprintf("[%d]byte", 1+g.IntN(4))} }},
		{name: "string enum", weight: 5, make: (*gen).enumerated},
		{name: "int enum", weight: 2, make: (*gen).enumeratedInt},
		{name: "any", weight: 3, make: expr("any", "")},
		{name: "interface{}", weight: 1, make: expr("interface{}", "")},
		{name: "json.RawMessage", weight: 2, make: expr("json.RawMessage", `"encoding/json"`)},
		{name: "json.Number", weight: 2, dangerous: true, make: (*gen).jsonNumber},
		{name: "time.Time", weight: 2, make: expr("time.Time", `"time"`)},
		{name: "time.Duration", weight: 2, make: expr("time.Duration", `"time"`)},
		{name: "net.IP", weight: 2, make: expr("net.IP", `"net"`)},
		{name: "netip.Addr", weight: 2, make: expr("netip.Addr", `"net/netip"`)},
		{name: "netip.Prefix", weight: 2, make: expr("netip.Prefix", `"net/netip"`)},
		{name: "netip.AddrPort", weight: 2, make: expr("netip.AddrPort", `"net/netip"`)},
		{name: "big.Int", weight: 2, refuseBelowMap: May, make: expr("big.Int", `"math/big"`)},
		{name: "url.URL", weight: 2, make: expr("url.URL", `"net/url"`)},
		{name: "runtime.RawExtension", weight: 2, make: expr("runtime.RawExtension", `"k8s.io/apimachinery/pkg/runtime"`)},
		{name: "embedded resource", weight: 2, make: (*gen).embeddedResource},
		{name: "JSON", weight: 2, make: expr("apiextensionsv1.JSON", `apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"`)},
		{name: "Unstructured", weight: 2, refuseBelowMap: May,
			make: expr("unstructured.Unstructured", `"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"`)},
		{name: "metav1.Duration", weight: 2, make: expr("metav1.Duration", "")},
		{name: "metav1.Time", weight: 3, make: expr("metav1.Time", "")},
		{name: "metav1.MicroTime", weight: 2, make: expr("metav1.MicroTime", "")},
		{name: "Quantity", weight: 2, make: expr("resource.Quantity", `"k8s.io/apimachinery/pkg/api/resource"`)},
		{name: "IntOrString", weight: 2, make: expr("intstr.IntOrString", `"k8s.io/apimachinery/pkg/util/intstr"`)},
		{name: "LabelSelector", weight: 2, make: expr("metav1.LabelSelector", "")},
		{name: "embedded metadata", weight: 4, make: (*gen).template},
		{name: "text", weight: 4, make: func(g *gen) typ { return g.textual(false) }},
		{name: "text by pointer", weight: 2, refuseBelowMap: Must, make: func(g *gen) typ { return g.textual(true) }},
		{name: "text with IsZero", weight: 2, make: (*gen).textWithIsZero},
		{name: "text one way", weight: 2, refuse: Must, make: (*gen).textOneWay},
		{name: "json typed", weight: 4, make: func(g *gen) typ { return g.jsonTyped(false) }},
		{name: "json typed by pointer", weight: 2, refuseBelowMap: Must, make: func(g *gen) typ { return g.jsonTyped(true) }},
		{name: "json untyped", weight: 2, refuse: Must, make: (*gen).jsonUntyped},
		{name: "json schemaless", weight: 1, make: (*gen).jsonSchemaless},
		{name: "promoted", weight: 3, refuse: May, make: (*gen).promoted},
	}
	for _, name := range strings.Fields("int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 uintptr") {
		table = append(table, leaf{name: name, weight: 2, make: basic(name, integer)})
	}
	return table
}

// leaf returns a leaf; one that may be refused only if the kind has not had one yet.
func (g *gen) leaf() typ {
	table := leaves()
	for {
		l := table[g.weighted(len(table), func(i int) int { return table[i].weight })]
		refuse := l.refuse
		if g.unaddressable {
			refuse = max(refuse, l.refuseBelowMap)
		}
		if l.dangerous && !g.options.AllowDangerousTypes {
			refuse = Must
		}
		if refuse != Never {
			if g.risks == 0 {
				continue
			}
			g.risks--
		}
		if g.generic && l.name == "json schemaless" {
			continue // its markers belong on the field, which is the generic type's
		}
		t := l.make(g)
		t.shape, t.refuse = l.name, refuse
		if t.shape == "json untyped" || t.shape == "text one way" || t.shape == "promoted" {
			g.note(t.expr, "", t)
		}
		return t
	}
}

// expr is a type of a library.
func expr(name, path string) func(*gen) typ {
	return func(g *gen) typ {
		if path != "" {
			g.use(path)
		}
		return typ{expr: name}
	}
}

func basic(name string, c class) func(*gen) typ {
	return func(*gen) typ {
		return typ{expr: name, class: c, quotable: true, unsigned: strings.HasPrefix(name, "uint")}
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
		under, c = pick(g, "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64"), integer
	}
	g.declare("// %s is a name for a scalar.\ntype %s %s", name, name, under)
	return typ{expr: name, class: c, quotable: true, unsigned: strings.HasPrefix(under, "uint")}
}

// bytes returns one of the spellings of a byte slice.
func (g *gen) bytes() typ {
	switch g.IntN(6) {
	case 0:
		return typ{expr: "[]uint8"}
	case 1:
		name := g.typeName("Byte")
		g.declare("// %s is a byte.\ntype %s %s", name, name, pick(g, "byte", "uint8"))
		return typ{expr: "[]" + name}
	case 2:
		name := g.typeName("Blob")
		g.declare("// %s is a blob.\ntype %s []%s", name, name, pick(g, "byte", "uint8"))
		return typ{expr: name}
	case 3:
		name := g.typeName("Byte")
		g.declare("// %s is a byte by another name.\ntype %s = byte", name, name)
		return typ{expr: "[]" + name}
	}
	return typ{expr: "[]byte"}
}

func (g *gen) jsonNumber() typ {
	g.use(`"encoding/json"`)
	return typ{expr: "json.Number", quotable: true}
}

// enumerated declares a string type with constants, which a marker lists.
func (g *gen) enumerated() typ {
	name := g.typeName("Enum")
	values := []string{"Always", "Never", "If it rains", "ž"}[:2+g.IntN(3)]
	marker := pick(g, "// +kubebuilder:validation:Enum="+strings.Join(values, ";"), "// +k8s:enum", "// +enum")
	g.constants(name, "string", marker, values, `"%s"`)
	return typ{expr: name, class: text, enum: true, quotable: true}
}

func (g *gen) enumeratedInt() typ {
	name := g.typeName("Enum")
	g.constants(name, pick(g, "int", "int32", "uint8"), "// +kubebuilder:validation:Enum=1;2;5", []string{"1", "2", "5"}, "%s")
	return typ{expr: name, class: integer, enum: true, quotable: true, unsigned: true}
}

func (g *gen) constants(name, under, marker string, values []string, format string) {
	enum := Enum{Type: name}
	var consts string
	for i, v := range values {
		constant := fmt.Sprintf("%s%c", name, 'A'+i)
		consts += fmt.Sprintf("\t%s %s = %s\n", constant, name, fmt.Sprintf(format, v))
		enum.Values = append(enum.Values, constant)
	}
	g.declare("// %s is one of its constants.\n//\n%s\ntype %s %s", name, marker, name, under)
	g.declare("// The values of %s.\nconst (\n%s)", name, consts)
	g.enums = append(g.enums, enum)
}

// embeddedResource is a raw object that has to be a whole Kubernetes object.
func (g *gen) embeddedResource() typ {
	if g.generic {
		return expr("metav1.Time", "")(g)
	}
	g.use(`"k8s.io/apimachinery/pkg/runtime"`)
	return typ{expr: "runtime.RawExtension", tag: "resource", markers: []string{"+kubebuilder:validation:EmbeddedResource", "+kubebuilder:pruning:PreserveUnknownFields"}}
}

// template is a struct with embedded metadata, as in a pod template.
func (g *gen) template() typ {
	name := g.typeName("Template")
	field := g.name("F")
	g.declare("// %s has metadata.\ntype %s struct {\n\t// +optional\n\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n"+
		"\t// +optional\n\t%s string `json:\"%s,omitempty\"`\n}", name, name, field, strings.ToLower(field))
	g.shapes[name+".ObjectMeta"] = Shape{Name: "embedded metadata"}
	return typ{expr: name, class: aggregate}
}
