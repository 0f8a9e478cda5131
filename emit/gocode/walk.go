package gocode

import (
	"github.com/dave/jennifer/jen"

	"github.com/crdproof/crdproof/generator/schema"
)

// A walk is a pass that has something to do only with the values of some schemas: it goes to them through the fields,
// the values of maps and the items that are described, and not through allOf, anyOf, oneOf and not.
type walk struct {
	// name begins the names of its functions, and doc says what they do.
	name, doc string
	// object and list are what is done with an object and a list of a schema, the variable x; nil for nothing.
	object, list func(s *schema.Schema) []jen.Code
}

// walk returns the function of a pass for a schema, a crdCheck; "" where nothing below has anything to do.
func (w *writer) walk(s *schema.Schema, pass walk, at place) string {
	fields, items := pass.object(s), pass.list(s)
	if s.AdditionalProperties != nil {
		if name := w.walk(s.AdditionalProperties, pass, at.value()); name != "" {
			fields = append(fields, jen.Id("v").Dot("mapValues").Call(jen.Id("x"), jen.Id(name)))
		}
	}
	for _, p := range s.Properties {
		if name := w.walk(p.Schema, pass, at.property(p.Name)); name != "" {
			fields = append(fields, ifField("field", jen.Id("x"), p.Name,
				visit(jen.Id("v").Dot("path").Dot("field").Call(jen.Lit(p.Name)), name, "field")...))
		}
	}
	if s.Items != nil {
		if name := w.walk(s.Items, pass, at.item()); name != "" {
			items = append(items, eachItem("i", "item", jen.Id("x"),
				visit(jen.Id("v").Dot("path").Dot("item").Call(jen.Id("i")), name, "item")...))
		}
	}
	var cases []kindCase
	for _, c := range []struct {
		kind jsonKind
		body []jen.Code
	}{{jsonKind{"object"}, fields}, {jsonKind{"array"}, items}} {
		if c.body != nil {
			cases = append(cases, newKindCase(c.kind, c.body, true))
		}
	}
	if cases == nil {
		return ""
	}
	cases = append(cases,
		kindCase{kinds: []jsonKind{{"null"}, {"string"}, {"integer"}, {"number"}, {"boolean"}, {"other"}}})
	return w.function(function{name: pass.name + at.name, doc: pass.doc + " " + at.text(), params: checkParams(),
		body: switchKinds(cases)})
}

// visit calls a crdCheck for a value to which the step leads.
func visit(step jen.Code, check, value string) []jen.Code {
	return []jen.Code{step, jen.Id(check).Call(jen.Id("v"), jen.Id(value)), jen.Id("v").Dot("path").Dot("leave").Call()}
}
