package diff

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/objects/crds"
)

// A pairMaker makes random CRDs and objects.
type pairMaker struct {
	*rand.Rand
}

// A randomField is a random schema in YAML, line by line.
type randomField struct {
	name, kind string
	lines      []string
	fields     []*randomField
	items      *randomField
	rules      []string
	required   []string
}

func (g *pairMaker) oneOf(list ...string) string { return list[g.IntN(len(list))] }

func (g *pairMaker) pair() (before, after crds.CRD) {
	spec := g.object0("spec", 2)
	first := g.crd(spec)
	for range 1 + g.IntN(2) {
		g.mutate(spec)
	}
	return first, g.crd(spec)
}

func (g *pairMaker) field(name string, depth int) *randomField {
	kinds := []string{"string", "string", "integer", "boolean", "number", "int-or-string", "map", "duration",
		"date-time"}
	if depth > 0 {
		kinds = append(kinds, "object", "array", "array", "object")
	}
	switch kind := g.oneOf(kinds...); kind {
	case "object":
		return g.object0(name, depth-1)
	case "array":
		f := &randomField{name: name, kind: kind, items: g.field("", depth-1)}
		if g.IntN(2) == 0 {
			f.items = &randomField{kind: g.oneOf("string", "string", "duration", "date-time", "number")}
		}
		if key := f.items.scalarField(); key != nil && g.IntN(2) == 0 {
			key.lines = nil // neither nullable nor a default
			f.lines = append(f.lines, "x-kubernetes-list-type: map\nx-kubernetes-list-map-keys: ["+key.name+"]")
			f.items.required = []string{key.name}
		}
		g.constrain(f)
		return f
	default:
		f := &randomField{name: name, kind: kind}
		if kind == "map" {
			f.items = g.field("", 0)
		}
		g.constrain(f)
		return f
	}
}

// scalarField returns a field that may be the key of the items of a list, nil without one.
func (f *randomField) scalarField() *randomField {
	for _, p := range f.fields {
		if slices.Contains([]string{"string", "integer", "duration", "date-time"}, p.kind) {
			return p
		}
	}
	return nil
}

func (g *pairMaker) object0(name string, depth int) *randomField {
	f := &randomField{name: name, kind: "object"}
	for _, name := range []string{"a", "b", "c"}[:1+g.IntN(3)] {
		f.fields = append(f.fields, g.field(name, depth))
	}
	g.constrain(f)
	return f
}

// constrain adds a constraint.
func (g *pairMaker) constrain(f *randomField) {
	n := func(limit int) string { return fmt.Sprint(g.IntN(limit)) }
	var line string
	switch f.kind {
	case "string":
		line = g.oneOf("maxLength: "+n(5), "minLength: "+n(3), "enum: [a, b]", "enum: [a, b, c]", "pattern: ^[a-z]*$",
			"pattern: ^[a-z0-9]+$", "pattern: ^(a|b)$", "format: date", "default: a", "default: b",
			"nullable: true", "minLength: 1", "not: {enum: [a]}", "anyOf: [{enum: [a]}, {minLength: 2}]", "pattern: b",
			"allOf: [{maxLength: 3}]", "oneOf: [{pattern: a}, {pattern: b}]")
	case "integer", "number":
		line = g.oneOf("minimum: "+n(4), "maximum: "+n(9), "multipleOf: "+g.oneOf("2", "3", "4"), "default: "+n(5),
			"nullable: true", "enum: [1, 2, 3]", "enum: [2, 3]", "exclusiveMinimum: true\nminimum: 0", "format: int32",
			"not: {minimum: 5}", "anyOf: [{maximum: 3}, {minimum: 7}]")
	case "duration":
		line = g.oneOf("enum: [60s, 1m]", "enum: [1m, 2m]", "enum: [60s, 120s]", "maxLength: "+n(5), "minLength: "+n(4),
			"default: 60s", "nullable: true", "anyOf: [{enum: [60s]}, {maxLength: 2}]", "pattern: s$")
	case "date-time":
		line = g.oneOf("maxLength: 20", "minLength: 21", "nullable: true", "pattern: Z$")
	case "boolean":
		line = g.oneOf("default: true", "nullable: true", "enum: [true]")
	case "int-or-string":
		line = g.oneOf("pattern: ^[0-9]+%$", "maximum: 10", "anyOf: [{type: integer}, {type: string}]", "default: 1",
			"maxLength: 3")
	case "array":
		line = g.oneOf("maxItems: "+n(4), "minItems: "+n(3), "nullable: true", "default: []")
		if f.items.isScalar() {
			line = g.oneOf(line, "x-kubernetes-list-type: set")
		}
		if g.IntN(3) == 0 {
			g.rule(f)
			return
		}
	case "map":
		line = g.oneOf("maxProperties: "+n(4), "minProperties: "+n(3), "default: {}")
	case "object":
		names := make([]string, len(f.fields))
		for i := range f.fields {
			names[i] = f.fields[i].name
		}
		name := g.oneOf(names...)
		switch g.IntN(6) {
		case 0, 1:
			if !strings.Contains(strings.Join(f.required, ""), name) {
				f.required = append(f.required, name)
			}
			return
		case 2:
			g.rule(f)
			return
		}
		line = g.oneOf("minProperties: "+n(3), "maxProperties: "+n(4),
			"anyOf: [{required: ["+name+"]}, {required: [a]}]",
			"not: {required: ["+name+"]}", "oneOf: [{required: ["+name+"]}, {not: {required: [a]}}]",
			"x-kubernetes-preserve-unknown-fields: true", "default: {}", "nullable: true")
	}
	key, _, _ := strings.Cut(line, ":")
	for _, old := range f.lines {
		if was, _, _ := strings.Cut(old, ":"); was == key {
			return
		}
	}
	f.lines = append(f.lines, line)
}

// rule adds a rule.
func (g *pairMaker) rule(f *randomField) {
	f.rules = append(f.rules, g.expr("self", f, 2))
}

func (g *pairMaker) expr(self string, f *randomField, depth int) string {
	if depth > 0 && g.IntN(2) == 0 {
		x, y := g.expr(self, f, depth-1), g.expr(self, f, depth-1)
		return g.oneOf(x+" && "+y, "("+x+" || "+y+")", "!("+x+")", "("+x+" ? "+y+" : true)",
			"("+x+" ? true : "+y+")")
	}
	n := fmt.Sprint(g.IntN(4))
	if f.items != nil && g.IntN(6) == 0 || len(f.fields) > 0 && g.IntN(12) == 0 {
		return self + " == " + self
	}
	switch f.kind {
	case "duration":
		return g.oneOf(self+" == duration('60s')", self+" <= duration('1m')", self+" > duration('1m')",
			self+" != duration('120s')", self+" in [duration('1m'), duration('2m')]")
	case "date-time":
		return g.oneOf(self+" == "+self, self+" > timestamp('2020-01-01T00:00:00Z')")
	case "string":
		return g.oneOf(self+" != 'a'", self+" == 'b'", "size("+self+") < "+n, self+".matches('^[a-c]*$')",
			self+".startsWith('a')", self+" in ['a', 'b']", self+".contains('b')", "!"+self+".contains('a')",
			self+".matches('b')")
	case "integer":
		return g.oneOf(self+" > "+n, self+" != "+n, self+" <= "+n, self+" in [1, 2]", self+" * 2 < "+n,
			"-"+self+" < "+n, "3 * "+self+" - 1 >= "+n, self+" + "+self+" <= "+n, "2 * "+self+" < "+self+" + "+n,
			self+" - 1 < 9223372036854775807", self+" <= 9223372036854775807", self+" < "+n+".5")
	case "boolean":
		return self
	case "number":
		return g.oneOf(self+" < "+n+".5", self+" >= "+n+".5", self+" == "+n+".0", self+" > "+n, self+" != "+n+".5",
			self+" < -"+n+".5")
	case "array":
		return g.oneOf("size("+self+") < "+n, self+".all(x, "+g.expr("x", f.items, 1)+")",
			self+".exists(x, "+g.expr("x", f.items, 1)+")", self+".filter(x, "+g.expr("x", f.items, 0)+").size() <= "+n,
			self+".all(x, "+self+".exists_one(y, x == y))", self+".all(x, x in "+self+")", g.aboutKeys(self, f))
	case "map":
		return g.oneOf("size("+self+") < "+n, self+".all(k, k.size() < 5)", "'a' in "+self)
	case "object":
		p := f.fields[g.IntN(len(f.fields))]
		at := self + "." + p.name
		if q := f.fields[g.IntN(len(f.fields))]; p.kind == q.kind && p.isScalar() && g.IntN(2) == 0 {
			equal := fmt.Sprintf("%s == %s.%s", at, self, q.name)
			if p.kind == "integer" {
				equal = fmt.Sprintf("%s %s %s%s.%s", at, g.oneOf("<", "+ 1 <=", "* 2 <", "<= 2 *", "< -", "- 1 >"),
					g.oneOf("", "2 * "), self, q.name)
			}
			return g.oneOf(equal, fmt.Sprintf("(!has(%s) || !has(%s.%s) || %s)", at, self, q.name, equal))
		}
		return g.oneOf("has("+at+")", "!has("+at+")", "(!has("+at+") || "+g.expr(at, p, 0)+")", g.expr(at, p, 0),
			"(has("+at+") && "+g.expr(at, p, 0)+")", "(has("+at+") ? "+g.expr(at, p, 0)+" : true)")
	}
	return "true"
}

// aboutKeys says that the items of a list have different keys, if they have a field that may be one.
func (g *pairMaker) aboutKeys(self string, f *randomField) string {
	key := f.items.scalarField()
	if key == nil {
		return self + " == " + self
	}
	return fmt.Sprintf("%[1]s.all(x, %[1]s.exists_one(y, x.%[2]s == y.%[2]s))", self, key.name)
}

// isScalar reports whether values may be items of a set.
func (f *randomField) isScalar() bool {
	return slices.Contains([]string{"string", "integer", "number", "duration", "date-time"}, f.kind)
}

// mutate changes something.
func (g *pairMaker) mutate(f *randomField) {
	below := append([]*randomField{}, f.fields...)
	if f.items != nil {
		below = append(below, f.items)
	}
	if len(below) > 0 && g.IntN(3) > 0 {
		g.mutate(below[g.IntN(len(below))])
		return
	}
	switch g.IntN(8) {
	case 0:
		if len(f.lines) > 0 {
			f.lines = append(f.lines[:0:0], f.lines[1:]...)
		}
	case 1:
		if len(f.rules) > 0 {
			f.rules[0] = g.oneOf(f.rules[0]+" && "+g.expr("self", f, 1), "("+f.rules[0]+") || "+g.expr("self", f, 1),
				"("+g.expr("self", f, 0)+") ? "+f.rules[0]+" : true")
		} else {
			g.rule(f)
		}
	case 2:
		if len(f.required) > 0 {
			f.required = f.required[1:]
		}
	case 3:
		if f.kind == "object" {
			f.fields = append(f.fields, g.field("new"+fmt.Sprint(len(f.fields)), 1))
		}
	case 4:
		if len(f.fields) > 1 {
			f.fields = f.fields[1:]
		}
	case 5:
		f.kind = map[string]string{"integer": "number", "number": "integer", "string": "int-or-string"}[f.kind] +
			map[bool]string{true: f.kind}[f.kind != "integer" && f.kind != "number" && f.kind != "string"]
	default:
		g.constrain(f)
	}
}

// crd is a CRD with the spec.
func (g *pairMaker) crd(spec *randomField) crds.CRD {
	var out strings.Builder
	out.WriteString(`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  names: {kind: Thing, listKind: ThingList, plural: things, singular: thing}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
`)
	spec.write(&out, "            ")
	return readOne(out.String())
}

func readOne(text string) crds.CRD {
	src := &diag.Source{Path: "random.yaml", Data: []byte(text), Syntax: diag.YAML}
	list, found := crds.Read(context.Background(), []*diag.Source{src}, nil)
	if len(list) != 1 {
		panic(fmt.Sprint(found, text))
	}
	return list[0]
}

// versions is a CRD with the schemas of two as those of its versions v1 and v2.
func versions(before, after crds.CRD) crds.CRD {
	const key = "  versions:\n"
	_, second, _ := strings.Cut(string(after.IR.At.Source.Data), key)
	second = strings.NewReplacer("- name: v1", "- name: v2", "storage: true", "storage: false").Replace(second)
	return readOne(string(before.IR.At.Source.Data) + second)
}

func (f *randomField) write(out *strings.Builder, indent string) {
	line := func(text string) { out.WriteString(indent + text + "\n") }
	switch f.kind {
	case "int-or-string":
		line("x-kubernetes-int-or-string: true")
	case "map":
		line("type: object")
	case "duration", "date-time":
		line("type: string")
		line("format: " + f.kind)
	default:
		line("type: " + f.kind)
	}
	for _, text := range f.lines {
		for _, part := range strings.Split(text, "\n") {
			line(part)
		}
	}
	if len(f.required) > 0 {
		line("required: [" + strings.Join(f.required, ", ") + "]")
	}
	if len(f.rules) > 0 {
		line("x-kubernetes-validations:")
		for _, rule := range f.rules {
			line(fmt.Sprintf("- {rule: %q}", rule))
		}
	}
	if f.items != nil {
		line(map[bool]string{true: "items:", false: "additionalProperties:"}[f.kind == "array"])
		f.items.write(out, indent+"  ")
	}
	if len(f.fields) > 0 {
		line("properties:")
		for _, p := range f.fields {
			line("  " + p.name + ":")
			p.write(out, indent+"    ")
		}
	}
}
