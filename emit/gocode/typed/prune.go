package typed

import (
	"go/types"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/crdproof/crdproof/emit/gocode/internal/object"
	"github.com/crdproof/crdproof/schema"
)

// pruneHelper writes PruneWidget.
func (t *typed) pruneHelper(typ jen.Code) {
	var lost []string
	t.prunedFields(t.k.Type, &schema.Place{Schema: t.k.Schema()}, "", &lost)
	name, onJSON := "Prune"+t.k.Name, "Prune"+t.k.Name+"Object"
	doc := "returns the sorted paths of the fields that are set in obj although the schema of kind " + t.k.CRD.Kind.V +
		", version " + t.k.VersionName() + ", does not have them. An API server drops them."
	params := []jen.Code{jen.Id("obj").Op("*").Add(typ)}
	results := []jen.Code{jen.Index().String(), jen.Error()}
	if len(lost) == 0 {
		t.w.Helper(name, doc+" The type has none.", []jen.Code{jen.Op("*").Add(typ)}, results,
			[]jen.Code{jen.Return(jen.Nil(), jen.Nil())})
		return
	}
	slices.Sort(lost)
	lost = slices.Compact(lost)
	const most = 8
	if len(lost) > most {
		lost = append(lost[:most], "…")
	}
	t.w.Helper(name, doc+" They are among: "+object.Printable(strings.Join(lost, ", "))+". obj stays as it is. The "+
		"error says that it cannot be encoded.",
		params, results,
		[]jen.Code{
			jen.List(jen.Id("m"), jen.Id("err")).Op(":=").Id("crdObjectOf").Call(jen.Id("obj")),
			jen.If(jen.Id("err").Op("!=").Nil()).Block(jen.Return(jen.Nil(), jen.Id("err"))),
			jen.Return(jen.Id(onJSON).Call(jen.Id("m")), jen.Nil()),
		})
}

// prunedFields collects the fields of a type that the schema does not have, and that pruning removes. Everything in a
// type that encodes itself may be.
func (t *typed) prunedFields(typ types.Type, at *schema.Place, path string, out *[]string) {
	s := at.Schema
	for isPointer(typ) {
		typ = elemOf(typ)
	}
	if s.PreserveUnknownFields.True() && len(s.Properties) == 0 || s.AdditionalAllowed {
		return
	}
	switch shapeOf(typ) {
	case structShape:
		if isMetadata(typ) {
			*out = append(*out, path+".*")
			return
		}
		for _, f := range fieldsOf(typ) {
			if at.Above == nil && object.IsMeta(f.Name) {
				continue
			}
			below := strings.TrimPrefix(path+"."+f.Name, ".")
			if child := childOf(at, f.Name); child != nil {
				t.prunedFields(f.Type(), child, below, out)
			} else if !s.PreserveUnknownFields.True() {
				*out = append(*out, below)
			}
		}
	case mapShape, listShape:
		elem := elemOf(typ)
		step, suffix := schema.InItems, "[]"
		if shapeOf(typ) == mapShape {
			step, suffix = schema.InValues, "[*]"
		}
		for _, child := range at.Children() {
			if child.Step == step {
				t.prunedFields(elem, child, path+suffix, out)
				return
			}
		}
		if shapeOf(typ) == mapShape || mayHoldFields(elem) {
			*out = append(*out, path+suffix)
		}
	case opaqueShape:
		*out = append(*out, path+".*")
	}
}

// mayHoldFields reports whether the JSON of a type may have objects.
func mayHoldFields(t types.Type) bool {
	for isPointer(t) {
		t = elemOf(t)
	}
	return slices.Contains([]goShape{structShape, mapShape, listShape, opaqueShape}, shapeOf(t))
}

// childOf returns the place of a field of an object: a property, or a value of a map; nil if the schema has neither.
func childOf(at *schema.Place, name string) (values *schema.Place) {
	for _, child := range at.Children() {
		switch {
		case child.Step == schema.InProperty && child.Name == name:
			return child
		case child.Step == schema.InValues:
			values = child
		}
	}
	return values
}
