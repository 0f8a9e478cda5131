package gocode

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/crdproof/crdproof/generator/schema"
)

// defaultHelper writes DefaultWidgetObject (apiextensions-apiserver, pkg/apiserver/schema/defaulting/prunenulls.go and
// algorithm.go).
func (w *writer) defaultHelper(k *Kind) {
	var body []jen.Code
	if function := w.defaults(k.schema(), rootOf(k)); function != "" {
		body = append(body, jen.Id(function).Call(jen.Id("obj")))
	}
	w.helper("Default"+k.Name+"Object",
		fmt.Sprintf("sets defaults in an object of kind %s, version %s, as the API server does. First it drops each "+
			"null "+
			"field that is not nullable and has no default.", k.CRD.Kind.V, k.VersionName()),
		[]jen.Code{jen.Id("obj").Add(object())}, nil, body)
}

// defaults writes the function that drops nulls from a value of the schema and then sets defaults, and returns its
// name; "" if there is never anything to do. The API server walks the object twice. One walk has the same result,
// since defaults are complete, and nulls in defaults are not dropped.
func (w *writer) defaults(s *schema.Schema, at place) string {
	fields, items := w.defaultFields(s, at), w.defaultItems(s, at)
	if fields == nil && items == nil {
		return ""
	}
	return w.function(function{
		name: "crdDefault" + at.name, doc: "drops nulls from " + at.text() + " and sets defaults",
		params: []jen.Code{jen.Id("value").Add(value())},
		body:   []jen.Code{switchValue(fields, items)},
	})
}

// A fieldDefault is the defaulting of one field, or of the values of a map.
type fieldDefault struct {
	name string
	// value is the default, or nil.
	value    jen.Code
	nullable bool
	// below is the function for the value of the field, "" for none.
	below string
}

func (w *writer) fieldDefault(name string, s *schema.Schema, at place) fieldDefault {
	f := fieldDefault{name: name, nullable: isSet(s.Nullable), below: w.defaults(s, at)}
	if v := completeDefault(s); v.Kind != schema.Null {
		f.value = literal(v)
	}
	return f
}

// onNull is the code for a null field; nil for nothing.
func (f fieldDefault) onNull(name jen.Code) []jen.Code {
	switch {
	case f.nullable:
		return nil
	case f.value != nil:
		return []jen.Code{setField(jen.Id("value"), name, f.value)}
	}
	return []jen.Code{dropField(jen.Id("value"), name)}
}

// into is the code for the value of the variable field; nil for nothing.
func (f fieldDefault) into() []jen.Code {
	if f.below == "" {
		return nil
	}
	return []jen.Code{jen.Id(f.below).Call(jen.Id("field"))}
}

// lookups is the maximum number of fields that are looked up one by one. With more fields, most are missing, and it
// is faster to iterate over the existing ones.
const lookups = 8

// defaultFields is the code for an object in the variable value; nil for nothing.
func (w *writer) defaultFields(s *schema.Schema, at place) []jen.Code {
	var fields []fieldDefault
	for _, p := range s.Properties {
		fields = append(fields, w.fieldDefault(p.Name, p.Schema, at.property(p.Name)))
	}
	var body []jen.Code
	switch {
	case s.AdditionalProperties != nil:
		values := w.fieldDefault("", s.AdditionalProperties, at.value())
		body = ranged(fields, &values)
	case len(fields) <= lookups:
		body = lookedUp(fields)
	default:
		body = ranged(fields, nil)
	}
	if slices.ContainsFunc(fields, func(f fieldDefault) bool { return f.value != nil }) {
		// An object that is a nil map takes no defaults.
		body = append([]jen.Code{jen.If(jen.Id("value").Op("==").Nil()).Block(jen.Return())}, body...)
	}
	return body
}

// lookedUp is the code that looks up fields by their names.
func lookedUp(fields []fieldDefault) (body []jen.Code) {
	for _, f := range fields {
		name, here := jen.Lit(f.name), jen.Id("field").Op(":=").Add(field(jen.Id("value"), jen.Lit(f.name)))
		below := jen.Id(f.below).Call(jen.Id("field"))
		isNull := jen.Id("field").Op("==").Nil()
		switch {
		case f.value != nil && !f.nullable && f.below != "":
			body = append(body, jen.If(here, isNull).Block(f.onNull(name)...).Else().Block(below))
		case f.value != nil && !f.nullable:
			body = append(body, jen.If(field(jen.Id("value"), name).Op("==").Nil()).Block(f.onNull(name)...))
		case f.value != nil:
			body = append(body, jen.If(hasNo(jen.Id("value"), f.name)...).
				Block(setField(jen.Id("value"), name, f.value)))
			if f.below != "" {
				body = append(body, jen.Id(f.below).Call(field(jen.Id("value"), name)))
			}
		case f.nullable && f.below != "":
			body = append(body, jen.Id(f.below).Call(field(jen.Id("value"), name)))
		case f.nullable:
		case f.below != "":
			body = append(body, ifField("field", jen.Id("value"), f.name, jen.If(isNull).Block(f.onNull(name)...).
				Else().Block(below)))
		default:
			body = append(body, jen.If(jen.List(jen.Id("field"), jen.Id("ok")).Op(":=").
				Add(field(jen.Id("value"), name)), jen.Id("ok").Op("&&").Add(isNull)).Block(f.onNull(name)...))
		}
	}
	return body
}

// ranged is what is done with present fields, and with absent ones. The entry values is used for all names that are
// not among fields.
func ranged(fields []fieldDefault, values *fieldDefault) []jen.Code {
	var onNull, below choice
	var missing []jen.Code
	for _, f := range fields {
		onNull.add(f.name, f.onNull(jen.Id("name"))...)
		below.add(f.name, f.into()...)
		if f.value != nil {
			missing = append(missing, jen.If(hasNo(jen.Id("value"), f.name)...).
				Block(setField(jen.Id("value"), jen.Lit(f.name), f.value)))
		}
	}
	if values != nil {
		onNull.other, below.other = values.onNull(jen.Id("name")), values.into()
	}
	var loop []jen.Code
	nulls, rest := onNull.code(), below.code()
	switch isNull := jen.Id("field").Op("==").Nil(); {
	case nulls != nil && rest != nil:
		loop = append(loop, jen.If(isNull).Block(append(nulls, jen.Continue())...))
		loop = append(loop, rest...)
	case nulls != nil:
		loop = append(loop, jen.If(isNull).Block(nulls...))
	case rest != nil:
		loop = rest
	default:
		return missing
	}
	name := "name"
	if nulls == nil && len(fields) == 0 {
		name = "_"
	}
	return slices.Concat([]jen.Code{eachField(name, "field", jen.Id("value"), loop...)}, missing)
}

// defaultItems is the code for a list in the variable value; nil for nothing. Nulls in lists are never dropped.
func (w *writer) defaultItems(s *schema.Schema, at place) []jen.Code {
	if s.Items == nil {
		return nil
	}
	f := w.fieldDefault("", s.Items, at.item())
	below := jen.Id(f.below).Call(jen.Id("item"))
	set := jen.If(jen.Id("item").Op("==").Nil()).Block(setField(jen.Id("value"), jen.Id("i"), f.value))
	switch isSet := f.value != nil && !f.nullable; {
	case isSet && f.below != "":
		return []jen.Code{eachItem("i", "item", jen.Id("value"), set.Else().Block(below))}
	case isSet:
		return []jen.Code{eachItem("i", "item", jen.Id("value"), set)}
	case f.below != "":
		return []jen.Code{eachItem("_", "item", jen.Id("value"), below)}
	}
	return nil
}

// completeDefault is the default of a schema with the defaults of everything in it; null without a default.
func completeDefault(s *schema.Schema) schema.Value {
	if s.Default == nil {
		return schema.Value{}
	}
	return complete(*s.Default, s)
}

// complete sets defaults in a value, as defaulting.Default does.
func complete(v schema.Value, s *schema.Schema) schema.Value {
	switch {
	case s == nil:
	case v.Kind == schema.Object:
		v.Members = slices.Clone(v.Members)
		for i := range v.Members {
			m := &v.Members[i]
			below := s.Property(m.Key)
			if below == nil {
				below = s.AdditionalProperties
			}
			m.Value = completeOrDefault(m.Value, below)
		}
		for _, p := range s.Properties {
			at, found := slices.BinarySearchFunc(v.Members, p.Name,
				func(m schema.Member, name string) int { return strings.Compare(m.Key, name) })
			if d := completeDefault(p.Schema); !found && d.Kind != schema.Null {
				v.Members = slices.Insert(v.Members, at, schema.Member{Key: p.Name, Value: d})
			}
		}
	case v.Kind == schema.Array:
		v.Items = slices.Clone(v.Items)
		for i := range v.Items {
			v.Items[i] = completeOrDefault(v.Items[i], s.Items)
		}
	}
	return v
}

// completeOrDefault completes a value, or replaces a null that the schema does not allow.
func completeOrDefault(v schema.Value, s *schema.Schema) schema.Value {
	if s != nil && v.Kind == schema.Null && !isSet(s.Nullable) {
		return completeDefault(s)
	}
	return complete(v, s)
}
