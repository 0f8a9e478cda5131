package support

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"unicode/utf8"
)

// This file makes the JSON of Go values without its text: what a decoder makes of the text that encoding/json writes.
// Whatever is not plain, such as types that encode themselves, is left to encoding/json.

// An Encoder makes the JSON of objects of one Go type. It reads the type once, when it is needed.
type Encoder struct {
	// Parts returns what typed code knows about parts of the objects; nil if it knows nothing.
	Parts func() []TypedPart

	form atomic.Pointer[goForm]
}

// encode returns the JSON of an object, pruned and with the defaults of its type, as readStored does; false if
// encoding/json must make it, or say why it cannot.
func (e *Encoder) encode(x any, t *Type) (map[string]any, bool) {
	value, ok := e.read(x, t, false)
	object, isObject := value.(map[string]any)
	return object, ok && isObject
}

// read returns the JSON of an object, in which there are parts if inParts is set.
func (e *Encoder) read(x any, t *Type, inParts bool) (any, bool) {
	if e == nil {
		e = &Encoder{}
	}
	v := reflect.ValueOf(x)
	form := e.form.Load()
	if form == nil {
		var parts []TypedPart
		if e.Parts != nil {
			parts = e.Parts()
		}
		form = goFormOf(v.Type(), map[reflect.Type]*goForm{}, parts)
		e.form.Store(form)
	}
	var members [32]jsonMember
	var items [16]any
	w := goEncoder{inParts: inParts}
	w.members, w.items = members[:0], items[:0]
	value, ok := w.encode(v, form, t, 0)
	switch {
	case !ok:
		return nil, false
	case w.unready:
		pruneValue(value, t, true)
		t.setDefaults(value)
	}
	return value, true
}

// A goForm is the form of the JSON of a Go type.
type goForm struct {
	kind goKind
	// elem is the form of what a pointer, a list or a map has.
	elem *goForm
	// fields are those of a struct, sorted by name.
	fields []goField
	// isValid and rulesHold are those of a TypedPart, or nil.
	isValid, rulesHold func(reflect.Value) bool
}

// A goKind says how to read the value of a Go type. Zero leaves it to encoding/json.
type goKind uint8

const (
	// goOwn has the method MarshalJSON.
	goOwn goKind = iota + 1
	goPointer
	goText
	goBool
	goInt
	goUint
	goStruct
	goMap
	goList
)

// A goField is a field of a struct. The path leads to it through embedded structs.
type goField struct {
	name                string
	path                []int
	omitEmpty, omitZero bool
	form                *goForm
}

// goFormOf returns the form of a type. Those that are known may not be complete yet: a type may contain itself.
func goFormOf(t reflect.Type, known map[reflect.Type]*goForm, parts []TypedPart) *goForm {
	if f := known[t]; f != nil {
		return f
	}
	f := &goForm{}
	known[t] = f
	f.add(t, parts)
	switch kind := t.Kind(); {
	case kind == reflect.Pointer:
		f.kind = goPointer
	case implements[json.Marshaler](t):
		f.kind = goOwn
	case implements[interface{ MarshalText() ([]byte, error) }](t), t == reflect.TypeFor[json.Number]():
	case kind == reflect.String:
		f.kind = goText
	case kind == reflect.Bool:
		f.kind = goBool
	case reflect.Int <= kind && kind <= reflect.Int64:
		f.kind = goInt
	case reflect.Uint <= kind && kind <= reflect.Uint64:
		f.kind = goUint
	case kind == reflect.Map && t.Key().Kind() == reflect.String:
		f.kind = goMap
	case kind == reflect.Slice && t.Elem().Kind() != reflect.Uint8, kind == reflect.Array:
		f.kind = goList
	case kind == reflect.Struct:
		if f.addFields(t, nil, known, parts) {
			f.kind = goStruct
			slices.SortFunc(f.fields, func(a, b goField) int { return strings.Compare(a.name, b.name) })
		}
	}
	switch f.kind {
	case goPointer, goMap, goList:
		f.elem = goFormOf(t.Elem(), known, parts)
	}
	return f
}

// implements reports whether a type or a pointer to it has the methods of an interface.
func implements[I any](t reflect.Type) bool {
	i := reflect.TypeFor[I]()
	return t.Implements(i) || reflect.PointerTo(t).Implements(i)
}

// addFields adds the fields of a struct, to which a path leads. It returns false if they follow rules of encoding/json
// that are rarely needed: two fields have one name, a name has unusual characters, or a number is a string.
func (f *goForm) addFields(t reflect.Type, path []int, known map[reflect.Type]*goForm, parts []TypedPart) bool {
	const most = 10 // embedded structs in each other
	if len(path) > most {
		return false
	}
	for i := range t.NumField() {
		field := t.Field(i)
		tag := field.Tag.Get("json")
		below := field.Type
		if field.Anonymous && below.Kind() == reflect.Pointer {
			below = below.Elem()
		}
		isStruct := below.Kind() == reflect.Struct
		if tag == "-" || !field.IsExported() && (!field.Anonymous || !isStruct) {
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		to := append(slices.Clip(path), i)
		if name == "" && field.Anonymous && isStruct {
			if !f.addFields(below, to, known, parts) {
				return false
			}
			continue
		}
		if name == "" {
			name = field.Name
		}
		has := func(option string) bool { return slices.Contains(strings.Split(options, ","), option) }
		if !isUsualName(name) || has("string") ||
			slices.ContainsFunc(f.fields, func(other goField) bool { return other.name == name }) {
			return false
		}
		f.fields = append(f.fields, goField{name, to, has("omitempty"), has("omitzero"),
			goFormOf(field.Type, known, parts)})
	}
	return true
}

// isUsualName reports whether a name consists of characters that encoding/json certainly accepts.
func isUsualName(name string) bool {
	return !strings.ContainsFunc(name, func(c rune) bool {
		return (c < 'a' || 'z' < c) && (c < 'A' || 'Z' < c) && (c < '0' || '9' < c) && !strings.ContainsRune("-_./$", c)
	})
}

// read returns a field of a struct; false if it is omitted.
func (f *goField) read(v reflect.Value) (reflect.Value, bool) {
	for i, at := range f.path {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return v, false
			}
			v = v.Elem()
		}
		v = v.Field(at)
	}
	return v, !(f.omitEmpty && omitsEmpty(v) || f.omitZero && omitsZero(v))
}

// A goEncoder puts objects and lists together as a decoder does.
type goEncoder struct {
	decoder
	// inParts is set if structs, lists and maps are parts.
	inParts bool
	// isPartial is set if the last object lacks members that are valid.
	isPartial bool
}

// encode returns the JSON of a value for a type of the schema, which may be nil.
func (w *goEncoder) encode(v reflect.Value, form *goForm, t *Type, depth int) (value any, ok bool) {
	const most = 500 // a value may contain itself
	if depth > most {
		return nil, false
	}
	if w.inParts && t != nil && (form.kind == goStruct || form.kind == goMap || form.kind == goList) {
		return w.partOf(v, form, t, depth)
	}
	return w.encodeWhole(v, form, t, depth)
}

// encodeWhole is encode for a value that is not a part itself.
func (w *goEncoder) encodeWhole(v reflect.Value, form *goForm, t *Type, depth int) (value any, ok bool) {
	switch form.kind {
	case goPointer:
		if v.IsNil() {
			return nil, true
		}
		return w.encode(v.Elem(), form.elem, t, depth+1)
	case goText:
		text := v.String()
		return text, utf8.ValidString(text)
	case goBool:
		return v.Bool(), true
	case goInt:
		return v.Int(), true
	case goUint:
		return int64(v.Uint()), v.Uint() <= math.MaxInt64
	case goStruct:
		return w.structOf(v, form, t, depth+1)
	case goMap:
		return w.mapOf(v, form, t, depth+1)
	case goList:
		return w.listOf(v, form, t, depth+1)
	}
	return w.textOf(v, form.kind == goOwn, t, depth)
}

// textOf decodes the text that encoding/json writes for a value.
func (w *goEncoder) textOf(v reflect.Value, isOwn bool, t *Type, depth int) (any, bool) {
	if v.CanAddr() { // a method may need the pointer
		v = v.Addr()
	}
	var text []byte
	var err error
	if own, ok := v.Interface().(json.Marshaler); ok && isOwn {
		text, err = own.MarshalJSON()
	} else {
		text, err = json.Marshal(v.Interface())
	}
	r := decoder{isUTF8: utf8.Valid(text)}
	r.text = string(text)
	r.skip()
	value, ok := r.decode(t, depth)
	w.unready = w.unready || r.unready
	if w.inParts && r.text == "-0" {
		return nil, false // for typed code it is another number than for rules on JSON
	}
	return value, ok && err == nil && r.at == len(r.text)
}

func (w *goEncoder) structOf(v reflect.Value, form *goForm, t *Type, depth int) (any, bool) {
	start, next, ok := len(w.members), 0, true
	for i := range form.fields {
		f := &form.fields[i]
		if field, isThere := f.read(v); isThere {
			if next, ok = w.add(f.name, field, f.form, t, next, depth); !ok {
				return nil, false
			}
		}
	}
	return w.objectFrom(start, t), true
}

func (w *goEncoder) mapOf(v reflect.Value, form *goForm, t *Type, depth int) (any, bool) {
	if v.IsNil() {
		return nil, true
	}
	start := len(w.members)
	for each := v.MapRange(); each.Next(); {
		name := each.Key().String()
		if _, ok := w.add(name, each.Value(), form.elem, t, 0, depth); !ok || !utf8.ValidString(name) {
			return nil, false
		}
	}
	return w.objectFrom(start, t), true
}

// objectFrom makes an object of the members from a position.
func (w *goEncoder) objectFrom(start int, t *Type) map[string]any {
	members := w.members[start:]
	if w.isPartial = w.inParts && t != nil && t.hasNeeds(members); w.isPartial {
		members = slices.DeleteFunc(members, isFine)
		w.members = w.members[:start+len(members)]
		if len(members) == 0 {
			return nil
		}
		return w.addMembers(nil, start)
	}
	for i := range members {
		members[i].read()
	}
	object := w.addMembers(nil, start)
	if t != nil {
		w.complete(object, members, t)
	}
	return object
}

// add adds a field to the members of an object of a type, unless the server drops it because it is null. The field
// is probably the next one of the type.
func (w *goEncoder) add(name string, v reflect.Value, form *goForm, t *Type, next, depth int) (int, bool) {
	var below *Type
	isMeta := false
	if t != nil {
		below = t.Values
		at, found := t.find(name, next)
		if found {
			below, next = t.Fields[at].Type, at+1
		}
		isMeta = t.Embedded && isMetaField(name) // it is not pruned
	}
	if w.inParts && below != nil && !isMeta && isValidText(v, form, below) {
		w.members = append(w.members, jsonMember{name: name, value: unread{}, text: v.String()})
		return next, true
	}
	pruned := below
	if isMeta {
		pruned = nil
	}
	value, ok := w.encode(v, form, pruned, depth)
	switch {
	case t == nil, !ok:
	case below != nil && value == nil && !below.Nullable:
		if t.ValueDefault == nil {
			return next, true // a default of the field comes later
		}
		w.unready = true
	case isMeta:
		if below != nil {
			below.setDefaults(value)
		}
	case below == nil:
		w.unready = w.unready || t.Open && holdsParts(value) || !t.Open && !t.Preserve
	}
	w.members = append(w.members, jsonMember{name: name, value: value})
	return next, ok
}

func (w *goEncoder) listOf(v reflect.Value, form *goForm, t *Type, depth int) (any, bool) {
	if v.Kind() == reflect.Slice && v.IsNil() {
		return nil, true
	}
	var below *Type
	if t != nil {
		below = t.Items
		w.unready = w.unready || below != nil && t.Preserve
	}
	list := make([]any, v.Len())
	for i := range list {
		item, ok := w.encode(v.Index(i), form.elem, below, depth)
		if !ok {
			return nil, false
		}
		w.unready = w.unready || t != nil &&
			(below == nil && !t.Preserve && holdsParts(item) || item == nil && t.ItemDefault != nil)
		list[i] = item
	}
	return list, true
}
