package schema

import (
	"slices"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/diag"
)

// Step is the relation of a schema to the one above it.
type Step uint8

// The steps. AllOf to Not lead into logical junctors, whose schemas validate values and describe no structure.
const (
	Root Step = iota
	InProperty
	InItems
	InValues
	InAllOf
	InAnyOf
	InOneOf
	InNot
)

// A Place is one occurrence of a schema in a version's tree: nodes are shared, places are not.
type Place struct {
	Schema *Schema
	// Above is nil for the root.
	Above *Place
	Step  Step
	// Name is the property's name, Index the position in allOf, anyOf or oneOf.
	Name  string
	Index int
	// Nested is set inside allOf, anyOf, oneOf and not.
	Nested bool
}

// Walk visits the root and all schemas below it: a schema first, then its properties, items, values of maps and
// junctors.
func Walk(root *Schema, visit func(*Place)) {
	if root != nil {
		walk(&Place{Schema: root}, visit)
	}
}

func walk(p *Place, visit func(*Place)) {
	visit(p)
	for _, child := range p.Children() {
		walk(child, visit)
	}
}

// Children returns the places one step below, in the order of Walk.
func (p *Place) Children() []*Place {
	s := p.Schema
	most := len(s.Properties) + len(s.AllOf) + len(s.AnyOf) + len(s.OneOf)
	for _, child := range [...]*Schema{s.Items, s.AdditionalProperties, s.Not} {
		if child != nil {
			most++
		}
	}
	if most == 0 {
		return nil
	}
	places, out := make([]Place, 0, most), make([]*Place, 0, most) // all in two allocations
	add := func(s *Schema, step Step, name string, index int) {
		if s != nil {
			nested := p.Nested || step >= InAllOf
			places = append(places, Place{Schema: s, Above: p, Step: step, Name: name, Index: index, Nested: nested})
			out = append(out, &places[len(places)-1])
		}
	}
	for _, property := range s.Properties {
		add(property.Schema, InProperty, property.Name, 0)
	}
	add(s.Items, InItems, "", 0)
	add(s.AdditionalProperties, InValues, "", 0)
	for _, list := range []struct {
		step    Step
		schemas []*Schema
	}{{InAllOf, s.AllOf}, {InAnyOf, s.AnyOf}, {InOneOf, s.OneOf}} {
		for i, nested := range list.schemas {
			add(nested, list.step, "", i)
		}
	}
	add(s.Not, InNot, "", 0)
	return out
}

// Map returns a tree in which each schema is the result of change for its place; change returns the same schema for
// no change. The order is that of Walk, and goes on with the children of the changed schema. Unchanged parts are
// shared with the old tree.
func Map(root *Schema, change func(*Place) *Schema) *Schema {
	return mapped(&Place{Schema: root}, change)
}

func mapped(p *Place, change func(*Place) *Schema) *Schema {
	p.Schema = change(p)
	return p.MapChildren(func(child *Place) *Schema { return mapped(child, change) })
}

// MapChildren returns the schema with each child replaced by the result of change; the same schema if no child
// changes.
func (p *Place) MapChildren(change func(*Place) *Schema) *Schema {
	out := p.Schema
	for i, child := range p.Children() {
		before := child.Schema
		after := change(child)
		if after == before {
			continue
		}
		if out == p.Schema {
			copied := *out
			out = &copied
			out.Properties = slices.Clone(out.Properties)
			out.AllOf, out.AnyOf, out.OneOf = slices.Clone(out.AllOf), slices.Clone(out.AnyOf), slices.Clone(out.OneOf)
		}
		switch child.Step {
		case InProperty:
			out.Properties[i].Schema = after // properties come first
		case InItems:
			out.Items = after
		case InValues:
			out.AdditionalProperties = after
		case InAllOf:
			out.AllOf[child.Index] = after
		case InAnyOf:
			out.AnyOf[child.Index] = after
		case InOneOf:
			out.OneOf[child.Index] = after
		case InNot:
			out.Not = after
		}
	}
	return out
}

// Path returns the path from the root in the API server's notation: ".properties[spec].items", "" for the root.
func (p *Place) Path() string {
	var out strings.Builder
	for _, at := range p.way() {
		out.WriteString(at.OwnPath())
	}
	return out.String()
}

// stepPaths are the parts of a path for each step, without the name of a property and the index in a junctor.
var stepPaths = [...]string{
	Root: "", InProperty: ".properties", InItems: ".items", InValues: ".additionalProperties",
	InAllOf: ".allOf", InAnyOf: ".anyOf", InOneOf: ".oneOf", InNot: ".not",
}

// OwnPath returns the last step of Path: ".properties[spec]", ".items", ".allOf[0]".
func (p *Place) OwnPath() string {
	switch path := stepPaths[p.Step]; p.Step {
	case InProperty:
		return path + "[" + p.Name + "]"
	case InAllOf, InAnyOf, InOneOf:
		return path + "[" + strconv.Itoa(p.Index) + "]"
	default:
		return path
	}
}

// Field returns the path from the root as authors of objects write it: "spec.ports[].name", "spec.labels[*]", "" for
// the root. Junctors are omitted.
func (p *Place) Field() string {
	var out strings.Builder
	for _, at := range p.way() {
		switch at.Step {
		case InProperty:
			if out.Len() > 0 {
				out.WriteByte('.')
			}
			out.WriteString(at.Name)
		case InItems:
			out.WriteString("[]")
		case InValues:
			out.WriteString("[*]")
		}
	}
	return out.String()
}

// Depth returns the number of named fields, and of lists and maps, on the path from the root.
func (p *Place) Depth() (fields, wrapped int) {
	for ; p.Above != nil; p = p.Above {
		switch p.Step {
		case InProperty:
			fields++
		case InItems, InValues:
			wrapped++
		}
	}
	return fields, wrapped
}

// At returns the position of the schema, or the nearest one above it.
func (p *Place) At() diag.Span {
	for ; p != nil; p = p.Above {
		if p.Schema.At.IsValid() {
			return p.Schema.At
		}
	}
	return diag.Span{}
}

// Nearest returns the position of the schema, or of the nearest one above it, that a function accepts; invalid without
// one.
func (p *Place) Nearest(accepts func(diag.Span) bool) diag.Span {
	for ; p != nil; p = p.Above {
		if accepts(p.Schema.At) {
			return p.Schema.At
		}
	}
	return diag.Span{}
}

// PlaceOf returns the first place with a schema, or with a keyword, at a position; nil without one.
func PlaceOf(root *Schema, at diag.Span) *Place {
	var found *Place
	Walk(root, func(p *Place) {
		isThere := p.Schema.At == at
		for i := range keywords {
			isThere = isThere || keywords[i].At(p.Schema) == at
		}
		if isThere && found == nil {
			found = p
		}
	})
	return found
}

// way returns the places between the root and p, and p.
func (p *Place) way() []*Place {
	if p.Above == nil {
		return nil
	}
	return append(p.Above.way(), p)
}
