package typed

import (
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/crdproof/crdproof/emit/gocode/internal/object"
	"github.com/crdproof/crdproof/internal/gojson"
	"github.com/crdproof/crdproof/schema"
)

// setFields returns the statements that set defaults in the fields of a struct. Fields of embedded structs are fields
// of the same object in JSON, so their defaults are set although the pointer to the embedded struct is nil.
func (t *typed) setFields(x goValue, at *schema.Place, where object.Place) (body []jen.Code) {
	t.noteDefaultsWithoutField(x.typ, at)
	made := map[string]bool{}
	for _, f := range fieldsOf(x.typ) {
		child, own := ownDefault(f, at)
		if child == nil || own.Kind == schema.Null && !hasDefaults(child.Schema) {
			continue
		}
		if own.Kind != schema.Null && !holds(f, own) {
			t.unheld = append(t.unheld, child.Field())
		}
		here := t.w.field(x, f)
		pointers := t.pointersTo(x, f)
		here.there = here.there[len(pointers):]
		set := t.setField(here, child, where.Property(f.Name))
		missing := 0 // the pointers that may remain nil
		for _, p := range pointers {
			switch name := object.Source(p.code); {
			case missing > 0 || !t.mayMake(x.typ, p.path, at):
				missing++
			case !made[name]:
				made[name] = true
				body = append(body, t.makeEmbedded(x, p, at))
			}
		}
		if missing == 0 {
			body = append(body, set...)
			continue
		}
		if own.Kind != schema.Null {
			t.unheld = append(t.unheld, child.Field()+" (in an embedded struct that is nil)")
		}
		if len(set) > 0 {
			var within []object.Condition
			for _, p := range pointers {
				within = append(within, isNotNil(p.code))
			}
			body = append(body, jen.If(object.AllOf(within...).Code()).Block(set...))
		}
	}
	return body
}

// An embeddedPointer is a pointer to an embedded struct, with the fields that lead to it.
type embeddedPointer struct {
	code *jen.Statement
	path []*types.Var
}

// pointersTo returns the embedded pointers around a field of a struct.
func (t *typed) pointersTo(x goValue, f gojson.Field) (out []embeddedPointer) {
	code := x.base()
	for i, v := range f.Path[:len(f.Path)-1] {
		if !v.Exported() {
			continue // Go promotes its fields
		}
		code = jen.Add(code).Dot(v.Name())
		if isPointer(v.Type()) {
			out = append(out, embeddedPointer{code, f.Path[:i+1]})
		}
	}
	return out
}

// makeEmbedded returns the statement that makes an embedded struct with the defaults of its fields, if it is nil.
func (t *typed) makeEmbedded(x goValue, p embeddedPointer, at *schema.Place) jen.Code {
	body := []jen.Code{object.Runtime("Make").Call(jen.Op("&").Add(p.code))}
	for _, f := range fieldsOf(x.typ) {
		if inner, ok := isWithin(f, p.path); ok && inner == nil {
			if child, own := ownDefault(f, at); child != nil && own.Kind != schema.Null {
				body = append(body, t.assign(t.w.field(x, f), own)...)
			}
		}
	}
	return jen.If(isNotNil(p.code).Opposite().Code()).Block(body...)
}

// mayMake reports whether an embedded struct has to be made for the defaults of its fields, and all that the JSON of
// the new struct has are defaults.
func (t *typed) mayMake(typ types.Type, path []*types.Var, at *schema.Place) (hasDefault bool) {
	x := goValue{typ: typ, code: jen.Id("x"), isPointer: true}
	for _, f := range fieldsOf(typ) {
		inner, ok := isWithin(f, path)
		child, own := ownDefault(f, at)
		switch {
		case !ok || childOf(at, f.Name) == nil:
		case inner != nil:
			hasDefault = hasDefault || own.Kind != schema.Null && t.mayMake(typ, inner, at)
		case own.Kind != schema.Null:
			hasDefault = true
		case t.showsZero(t.w.field(x, f), len(t.pointersTo(x, f)), child):
			return false
		}
	}
	return hasDefault
}

// showsZero reports whether a field with the zero value is in JSON, and a server does not drop it. The first conditions
// of a field are those of embedded pointers.
func (t *typed) showsZero(here goValue, pointers int, at *schema.Place) bool {
	isNull := len(here.there) == pointers && at != nil && at.Schema.Nullable.True()
	return isNull || len(here.reached().there) == pointers
}

// isWithin reports whether a path leads to a field through an embedded struct, and returns the path to the next
// embedded pointer on the way, or nil.
func isWithin(f gojson.Field, path []*types.Var) (inner []*types.Var, ok bool) {
	if len(f.Path) <= len(path) || !slices.Equal(f.Path[:len(path)], path) {
		return nil, false
	}
	for i := len(path); i < len(f.Path)-1; i++ {
		if isPointer(f.Path[i].Type()) {
			return f.Path[:i+1], true
		}
	}
	return nil, true
}

// ownDefault returns the place of a field of an object and its default, which is null without one; nil if the schema
// does not describe the field.
func ownDefault(f gojson.Field, at *schema.Place) (*schema.Place, schema.Value) {
	child := childOf(at, f.Name)
	if child == nil || child.Step != schema.InProperty || f.Quoted {
		return nil, schema.Value{}
	}
	return child, object.CompleteDefault(child.Schema)
}

// noteDefaultsWithoutField notes the defaults of an object for which a struct has no field.
func (t *typed) noteDefaultsWithoutField(typ types.Type, at *schema.Place) {
	fields := fieldsOf(typ)
	for _, child := range at.Children() {
		if child.Step == schema.InProperty && object.CompleteDefault(child.Schema).Kind != schema.Null &&
			!slices.ContainsFunc(fields, func(f gojson.Field) bool { return f.Name == child.Name && !f.Quoted }) {
			t.unheld = append(t.unheld, child.Field())
		}
	}
}

// noteUnheld notes the defaults in a value, set by way of its JSON, that its type does not hold.
func (t *typed) noteUnheld(typ types.Type, at *schema.Place) {
	for isPointer(typ) {
		typ = elemOf(typ)
	}
	switch shape := shapeOf(typ); shape {
	case structShape:
		t.noteDefaultsWithoutField(typ, at)
		for _, f := range fieldsOf(typ) {
			child, own := ownDefault(f, at)
			if child == nil {
				continue
			}
			if own.Kind != schema.Null && !holds(f, own) {
				t.unheld = append(t.unheld, child.Field())
			}
			t.noteUnheld(f.Type(), child)
		}
	case listShape, mapShape:
		for _, child := range at.Children() {
			if child.Step == schema.InItems || child.Step == schema.InValues {
				t.noteUnheld(elemOf(typ), child)
			}
		}
	}
}

// holds reports whether a default can be set in a field, and is then in its JSON.
func holds(f gojson.Field, d schema.Value) bool {
	typ := f.Type()
	isShown := !f.OmitEmpty && !f.OmitZero || isPointer(typ)
	for isPointer(typ) {
		typ = elemOf(typ)
	}
	switch shapeOf(typ) {
	case stringShape:
		return d.Kind == schema.String && (isShown || d.Text != "")
	case boolShape:
		return d.Kind == schema.Bool && (isShown || d.Text == "true")
	case intShape, uintShape:
		i, err := strconv.ParseInt(d.Text, 10, 64)
		limits := gojson.RangeOf(typ.Underlying().(*types.Basic).Kind())
		return d.Kind == schema.NumberKind && err == nil && (isShown || i != 0) &&
			(limits == nil || i >= limits.Min && (i < 0 || uint64(i) <= limits.Max))
	case floatShape:
		x, err := strconv.ParseFloat(d.Text, 64)
		return d.Kind == schema.NumberKind && err == nil && (isShown || x != 0)
	case listShape:
		return d.Kind == schema.Array && (isShown || len(d.Items) > 0)
	case mapShape:
		return d.Kind == schema.Object && (isShown || len(d.Members) > 0)
	case structShape:
		return d.Kind == schema.Object && (isShown || !f.OmitZero || len(d.Members) > 0)
	case opaqueShape: // such as a map whose keys are numbers, of which nothing is known
		_, isMap := typ.Underlying().(*types.Map)
		return !isMap
	}
	return true
}

// unheldText says which defaults the type does not hold.
func (t *typed) unheldText() string {
	if len(t.unheld) == 0 {
		return ""
	}
	slices.Sort(t.unheld)
	return "The type cannot hold these defaults: " +
		object.Printable(strings.Join(slices.Compact(t.unheld), ", ")) + "."
}
