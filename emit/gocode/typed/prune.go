package typed

import (
	"go/types"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/emit/gocode/internal/object"
	"github.com/crdproof/crdproof/schema"
)

// lost lists the fields of the type that pruning removes, "" for none.
func (t *typed) lost() string {
	var lost []string
	t.prunedFields(t.k.Type, &schema.Place{Schema: t.k.Schema()}, "", &lost)
	slices.Sort(lost)
	lost = slices.Compact(lost)
	const most = 8
	if len(lost) > most {
		lost = append(lost[:most], "…")
	}
	return object.Printable(strings.Join(lost, ", "))
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
