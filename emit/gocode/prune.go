package gocode

import (
	"fmt"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/crdproof/crdproof/generator/schema"
)

// pruneHelper writes PruneWidgetObject (apiextensions-apiserver, pkg/apiserver/schema/pruning/algorithm.go).
func (w *writer) pruneHelper(k *Kind) {
	name := "Prune" + k.Name + "Object"
	body := []jen.Code{jen.Var().Id("p").Id("crdPruning")}
	if p := w.prune(k.schema(), pruning{root: true}, rootOf(k)); p != pruneNothing {
		body = append(body, p.call(jen.Op("&").Id("p"), jen.Nil(), jen.Id("obj")))
	}
	w.helper(name,
		fmt.Sprintf("removes the fields that the schema does not have from an object of kind %s, version %s, and "+
			"returns "+
			"their sorted paths. It prunes as the API server does: apiVersion, kind and metadata stay.",
			k.CRD.Kind.V, k.VersionName()),
		[]jen.Code{jen.Id("obj").Add(object())}, []jen.Code{jen.Id("pruned").Index().String()},
		append(body, jen.Return(jen.Id("p").Dot("paths").Call())))
}

// pruning is how a value is pruned.
type pruning struct {
	// root is set for the root of a resource. Its metadata stays, like that of an embedded resource.
	root bool
	// skip keeps unknown fields, in a list below preserve-unknown-fields.
	skip bool
}

// A pruner prunes a value: a generated function, func(p *crdPruning, at *crdSpot, value any), or one of these.
type pruner string

const (
	pruneNothing pruner = ""
	pruneRest    pruner = "rest" // all that is in objects is unknown
)

// call calls the pruner with the state, the spot, and the value. The pruner must not be pruneNothing.
func (p pruner) call(state, spot, value jen.Code) jen.Code {
	if p == pruneRest {
		return jen.Add(state).Dot("rest").Call(spot, value)
	}
	return jen.Id(string(p)).Call(state, spot, value)
}

// below prunes a value at the position that the members of a crdSpot describe. Most values without a schema are
// scalars, for which a call would be a waste.
func (p pruner) below(value jen.Code, spot ...jen.Code) []jen.Code {
	if p == pruneNothing {
		return nil
	}
	spot = append([]jen.Code{jen.Id("above").Op(":").Id("at")}, spot...)
	call := p.call(jen.Id("p"), jen.Op("&").Id("crdSpot").Values(spot...), value)
	if p == pruneRest {
		call = jen.If(jen.Id("crdHolds").Call(value)).Block(call)
	}
	return []jen.Code{call}
}

// prune returns the pruner for values of the schema.
func (w *writer) prune(s *schema.Schema, how pruning, at place) pruner {
	how.skip = how.skip || isSet(s.PreserveUnknownFields)
	fields, knowsFields := w.pruneFields(s, how, at)
	items, knowsItems := w.pruneItems(s, how, at)
	rest := pruneRest.call(jen.Id("p"), jen.Id("at"), jen.Id("value"))
	if !how.skip {
		if !knowsFields {
			fields = []jen.Code{rest}
		}
		if !knowsItems {
			items = []jen.Code{rest}
		}
	}
	switch {
	case !how.skip && !knowsFields && !knowsItems:
		return pruneRest
	case fields == nil && items == nil:
		return pruneNothing
	}
	return pruner(w.function(function{
		name: "crdPrune" + at.name, doc: "prunes " + at.text(),
		params: []jen.Code{jen.Id("p").Op("*").Id("crdPruning"), jen.Id("at").Op("*").Id("crdSpot"), jen.Id("value").
			Add(value())},
		body: []jen.Code{switchValue(fields, items)},
	}))
}

// A knownField is a field that the schema knows, and what prunes its value.
type knownField struct {
	name string
	pruner
}

// pruneFields prunes an object, as the variable value, and reports whether the schema knows any fields.
func (w *writer) pruneFields(s *schema.Schema, how pruning, at place) (body []jen.Code, known bool) {
	fields := w.knownFields(s, how, at)
	switch {
	case s.AdditionalProperties != nil:
		return prunedEach(fields, w.prune(s.AdditionalProperties, pruning{}, at.value()), false), true
	case s.AdditionalAllowed:
		return prunedEach(fields, pruneRest, false), true
	case len(fields) == 0:
		return nil, false
	case how.skip:
		return prunedEach(fields, pruneNothing, false), true
	case len(fields) <= lookups:
		return prunedByName(fields), true
	}
	return prunedEach(fields, pruneNothing, true), true
}

// knownFields are the fields of the schema, those that every object has first.
func (w *writer) knownFields(s *schema.Schema, how pruning, at place) (fields []knownField) {
	isResource := how.root || isSet(s.EmbeddedResource)
	if isResource {
		fields = []knownField{{"apiVersion", pruneNothing}, {"kind", pruneNothing}, {"metadata", pruneNothing}}
	}
	var optional []knownField
	for _, p := range s.Properties {
		if isResource && isMeta(p.Name) {
			continue
		}
		f := knownField{p.Name, w.prune(p.Schema, pruning{}, at.property(p.Name))}
		if slices.ContainsFunc(s.Required, func(t schema.Text) bool { return t.V == p.Name }) {
			fields = append(fields, f)
		} else {
			optional = append(optional, f)
		}
	}
	return append(fields, optional...)
}

// fieldBelow prunes the variable field, which has that name.
func fieldBelow(p pruner, name jen.Code) []jen.Code {
	return p.below(jen.Id("field"), jen.Id("name").Op(":").Add(name))
}

// prunedEach prunes all fields of an object. Unknown fields are values of a map, or removed.
func prunedEach(fields []knownField, values pruner, remove bool) []jen.Code {
	c := choice{other: fieldBelow(values, jen.Id("name"))}
	if remove {
		c.other = []jen.Code{jen.Id("p").Dot("remove").Call(jen.Id("at"), jen.Id("value"), jen.Id("name"))}
	}
	field := ""
	if values != pruneNothing {
		field = "field"
	}
	for _, f := range fields {
		c.add(f.name, fieldBelow(f.pruner, jen.Id("name"))...)
		if f.pruner != pruneNothing {
			field = "field"
		}
	}
	if code := c.code(); code != nil {
		return []jen.Code{eachField("name", field, jen.Id("value"), code...)}
	}
	return nil
}

// prunedByName prunes an object by looking up the known fields, until all fields of the object have been seen.
// Iterating over the fields takes about as long as ten look-ups.
func prunedByName(fields []knownField) []jen.Code {
	body := []jen.Code{jen.Id("unseen").Op(":=").Add(length(jen.Id("value")))}
	var names []jen.Code
	for i, f := range fields {
		if i > 0 {
			body = append(body, jen.If(jen.Id("unseen").Op("==").Lit(0)).Block(jen.Return()))
		}
		seen := jen.Id("unseen").Op("--")
		if below := fieldBelow(f.pruner, jen.Lit(f.name)); below != nil {
			body = append(body, ifField("field", jen.Id("value"), f.name, append([]jen.Code{seen}, below...)...))
		} else {
			body = append(body, ifField("_", jen.Id("value"), f.name, seen))
		}
		names = append(names, jen.Lit(f.name))
	}
	rest := jen.Id("p").Dot("keep").Call(append([]jen.Code{jen.Id("at"), jen.Id("value")}, names...)...)
	return append(body, jen.If(jen.Id("unseen").Op(">").Lit(0)).Block(rest))
}

// pruneItems prunes a list, as the variable value, and reports whether the schema describes items.
func (w *writer) pruneItems(s *schema.Schema, how pruning, at place) (body []jen.Code, known bool) {
	if s.Items == nil {
		return nil, false
	}
	below := w.prune(s.Items, pruning{skip: how.skip}, at.item()).
		below(jen.Id("item"), jen.Id("index").Op(":").Id("i"), jen.Id("isItem").Op(":").True())
	if below == nil {
		return nil, true
	}
	return []jen.Code{eachItem("i", "item", jen.Id("value"), below...)}, true
}

// isMeta reports whether a field belongs to every resource.
func isMeta(name string) bool { return name == "apiVersion" || name == "kind" || name == "metadata" }
