package support

import (
	"reflect"
	"slices"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// This file makes the JSON of only those parts of a new Go object that typed code is not certain about.

// A TypedPart is what typed code knows about the values of a Go type in the objects of a kind. It is the same wherever
// such a value is.
type TypedPart struct {
	typ reflect.Type
	// isValid reports whether a value is certainly valid, rulesHold whether the rules of the value itself certainly
	// hold. One of them is nil.
	isValid, rulesHold func(reflect.Value) bool
}

// StructPart makes a part of the function that reports whether a struct is certainly valid.
func StructPart[T any](isValid func(*T) bool) TypedPart {
	return TypedPart{typ: reflect.TypeFor[T](), isValid: onPointer(isValid)}
}

// NewStructPart makes a part of the function that reports whether a struct which replaces an old one, nil for none, is
// certainly valid.
func NewStructPart[T any](isValid func(x, old *T) bool) TypedPart {
	return StructPart(func(x *T) bool { return isValid(x, nil) })
}

// RulesOfStruct makes a part of the function that reports whether the rules of a struct certainly hold.
func RulesOfStruct[T any](hold func(*T) bool) TypedPart {
	return TypedPart{typ: reflect.TypeFor[T](), rulesHold: onPointer(hold)}
}

// RulesOfItems makes a part of the function that reports whether the rules of a list or a map certainly hold.
func RulesOfItems[T any](hold func(T) bool) TypedPart {
	return RulesOfStruct(func(x *T) bool { return hold(*x) })
}

// onPointer returns a function of a pointer as one of the value. What is not addressable, such as a value of a map, is
// copied.
func onPointer[T any](is func(*T) bool) func(reflect.Value) bool {
	return func(v reflect.Value) bool {
		if !v.CanAddr() {
			x := v.Interface().(T)
			return is(&x)
		}
		return is(v.Addr().Interface().(*T))
	}
}

// add adds what typed code knows about a Go type.
func (f *goForm) add(t reflect.Type, parts []TypedPart) {
	for _, part := range parts {
		switch {
		case part.typ != t:
		case part.isValid != nil:
			f.isValid = part.isValid
		default:
			f.rulesHold = part.rulesHold
		}
	}
}

// A goPart is a struct, a list or a map in the JSON of the parts of an object.
type goPart struct {
	// value is the JSON, which has such parts itself; nil if the part is certainly valid. The rules of the value itself
	// are known to hold if rulesHold is set.
	value     any
	rulesHold bool
	// isPartial is set if the value is an object that has all fields which it needs, but lacks members that are fine. A
	// part is fine if it has only such members.
	isPartial, isFine bool

	from reflect.Value
	form *goForm
	typ  *Type
}

// partOf returns a struct, a list or a map as a part, or nil.
func (w *goEncoder) partOf(v reflect.Value, form *goForm, t *Type, depth int) (any, bool) {
	if form.isValid != nil && form.isValid(v) {
		return &goPart{from: v, form: form, typ: t}, true
	}
	if areValidTexts(v, form, t) {
		return &goPart{isFine: true, from: v, form: form, typ: t}, true
	}
	unready := w.unready
	w.unready, w.inParts = false, t.allowsParts()
	value, ok := w.encodeWhole(v, form, t, depth)
	isPartial := w.isPartial && form.kind != goList
	w.inParts, w.isPartial = true, false
	if value == nil || !ok {
		w.unready = unready || w.unready
		return value, ok
	}
	if w.unready {
		pruneValue(value, t, false)
		t.setDefaults(value)
	}
	w.unready = unready
	hold := len(t.rules) == 0 || form.rulesHold != nil && form.rulesHold(v) &&
		!slices.ContainsFunc(t.rules, func(r Rule) bool { return r.isOptional }) // these are also for new objects
	if object, _ := value.(map[string]any); isPartial && len(object) == 0 && hold {
		return &goPart{isFine: true, from: v, form: form, typ: t}, true
	}
	return &goPart{value: value, rulesHold: hold, isPartial: isPartial, from: v, form: form, typ: t}, true
}

// isFine reports whether an object may lack a member: it is valid, and neither rules nor the scale subresource read it.
func isFine(m jsonMember) bool {
	switch value := m.value.(type) {
	case unread:
		return true
	case *goPart:
		return value.isFine && len(value.typ.rules) == 0
	}
	return false
}

// isValidText reports whether a Go value is a text that is certainly valid, and has no rules.
func isValidText(v reflect.Value, form *goForm, t *Type) bool {
	return form.kind == goText && t.Has == 0 && t.hasText(v.String()) && utf8.ValidString(v.String())
}

// areValidTexts reports whether a Go value is a list of such texts that is valid itself.
func areValidTexts(v reflect.Value, form *goForm, t *Type) bool {
	if form.kind != goList || v.Kind() != reflect.Slice || v.IsNil() || t.Has != 0 || t.more != nil || t.Items == nil ||
		!t.isFlat("array") || v.Len() < t.MinItems || t.MaxItems > 0 && v.Len() > t.MaxItems {
		return false
	}
	for i := range v.Len() {
		if !isValidText(v.Index(i), form.elem, t.Items) {
			return false
		}
	}
	return true
}

// hasNeeds reports whether the members of an object are all that it needs, so that it may lack those that are valid: it
// gets no defaults, and their number does not matter.
func (t *Type) hasNeeds(members []jsonMember) bool {
	if t.Embedded || t.more != nil {
		return false
	}
	for i := range t.Defaults {
		if !hasName(members, t.Defaults[i].Name) {
			return false
		}
	}
	return !slices.ContainsFunc(t.Needs, func(name string) bool { return !hasName(members, name) })
}

// allowsParts reports whether a value is validated part by part: nothing compares it as a whole, or counts what is
// valid.
func (t *Type) allowsParts() bool {
	m := t.more
	return !t.Preserve && !t.Open && t.Resource == nil && t.Only == nil && (m == nil || m.enum == nil &&
		!m.hasJunctors() && !m.isUnique && !m.isClosed && !m.isResource && !m.isCounted)
}

// encodeParts returns the JSON of the parts of an object that may be invalid; false if its JSON must be made as a
// whole.
func (e *Encoder) encodeParts(x any, t *Type) (map[string]any, bool) {
	value, _ := e.read(x, t, true)
	part, isPart := value.(*goPart)
	if !isPart || !part.rulesHold {
		return nil, false
	}
	object, ok := part.value.(map[string]any)
	return object, ok
}

// whole returns the JSON of all of a part, pruned and with defaults.
func (v *Validation) whole(value any) any {
	part, isPart := value.(*goPart)
	if !isPart {
		return value
	}
	var w goEncoder
	value, ok := w.encode(part.from, part.form, part.typ, 0)
	if ok && w.unready {
		pruneValue(value, part.typ, false)
		part.typ.setDefaults(value)
	}
	if !ok { // encoding/json decides
		var err error
		if value, err = valueOf(part.from.Interface(), part.typ); err != nil {
			v.errs = append(v.errs, field.InternalError(v.path.fieldPath(), err))
		}
	}
	return value
}

// wholeItems returns the items of a list with all of their JSON.
func (v *Validation) wholeItems(items []any) []any {
	if !slices.ContainsFunc(items, func(item any) bool { _, isPart := item.(*goPart); return isPart }) {
		return items
	}
	out := make([]any, len(items))
	for i, item := range items {
		out[i] = v.whole(item)
	}
	return out
}

// uncertain returns the value of a part, which is nil if the part is certainly valid, or the value itself.
func uncertain(value any) any {
	if part, isPart := value.(*goPart); isPart {
		return part.value
	}
	return value
}
