package gocode

import (
	"github.com/dave/jennifer/jen"

	"github.com/crdproof/crdproof/generator/schema"
)

// A walk is a pass that visits only the values of some schemas. It reaches them through described fields, values of
// maps and items, but not through allOf, anyOf, oneOf and not.
type walk struct {
	// name begins the names of its functions, and doc says what they do.
	name, doc string
	// own is the code for an object or a list of a schema in the variable x; nil for nothing.
	own func(s *schema.Schema) (fields, items []jen.Code)
}

// embedded returns the function that validates apiVersion, kind and metadata of embedded resources
// (apiextensions-apiserver, pkg/apiserver/schema/objectmeta).
func (w *writer) embedded(s *schema.Schema, at place) string {
	own := func(s *schema.Schema) (fields, items []jen.Code) {
		if isSet(s.EmbeddedResource) {
			fields = append(fields, state("embeddedResource", jen.Id("x")))
		}
		return fields, nil
	}
	return w.walk(s, walk{name: "crdEmbedded", doc: "validates the metadata of resources in", own: own}, at)
}

// lists returns the function that checks lists of type set and map for duplicates (apiextensions-apiserver,
// pkg/apiserver/schema/listtype).
func (w *writer) lists(s *schema.Schema, at place) string {
	own := func(s *schema.Schema) (fields, items []jen.Code) {
		switch s.ListType.V {
		case "set":
			items = append(items, state("listSet", jen.Id("x")))
		case "map":
			items = append(items, state("listMap", append([]jen.Code{jen.Id("x")}, texts(s.ListMapKeys)...)...))
		}
		return nil, items
	}
	return w.walk(s, walk{name: "crdLists", doc: "checks lists of type set and map for duplicates in", own: own}, at)
}

// walk returns the function of a pass for a schema, a crdCheck; "" if there is nothing to do.
func (w *writer) walk(s *schema.Schema, pass walk, at place) string {
	fields, items := pass.own(s)
	if s.AdditionalProperties != nil {
		if check := w.walk(s.AdditionalProperties, pass, at.value()); check != "" {
			fields = append(fields, visitValues(check))
		}
	}
	for _, p := range s.Properties {
		if check := w.walk(p.Schema, pass, at.property(p.Name)); check != "" {
			fields = append(fields, visitField(p.Name, check))
		}
	}
	if s.Items != nil {
		if check := w.walk(s.Items, pass, at.item()); check != "" {
			items = append(items, visitItems(check))
		}
	}
	if fields == nil && items == nil {
		return ""
	}
	body := switchKinds(func(k jsonKind) ([]jen.Code, bool) {
		switch k {
		case "object":
			return fields, fields != nil
		case "array":
			return items, items != nil
		}
		return nil, false
	})
	return w.function(function{name: pass.name + at.name, doc: pass.doc + " " + at.text(), params: checkParams(),
		body: body})
}

// state calls a method of v, the state of a validation.
func state(method string, arguments ...jen.Code) *jen.Statement {
	return jen.Id("v").Dot(method).Call(arguments...)
}

// visit steps into a value, checks it, and steps out.
func visit(step string, to, check jen.Code) []jen.Code {
	path := func() *jen.Statement { return jen.Id("v").Dot("path") }
	return []jen.Code{path().Dot(step).Call(to), check, path().Dot("leave").Call()}
}

// visitField calls a crdCheck for a field of the object x, if it is there, after what is done before.
func visitField(name, check string, before ...jen.Code) jen.Code {
	checked := visit("field", jen.Lit(name), jen.Id(check).Call(jen.Id("v"), jen.Id("field")))
	return ifField("field", jen.Id("x"), name, append(before, checked...)...)
}

// visitItems calls a crdCheck for the items of the list x.
func visitItems(check string) jen.Code {
	checked := visit("item", jen.Id("i"), jen.Id(check).Call(jen.Id("v"), jen.Id("item")))
	return eachItem("i", "item", jen.Id("x"), checked...)
}

// visitValues calls a crdCheck for the values of the map x.
func visitValues(check string) jen.Code { return state("mapValues", jen.Id("x"), jen.Id(check)) }

// texts are the literals of a list of strings.
func texts(list []schema.Text) (out []jen.Code) {
	for _, t := range list {
		out = append(out, jen.Lit(t.V))
	}
	return out
}
