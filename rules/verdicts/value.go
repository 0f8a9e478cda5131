package verdicts

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"sync"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/schema"
)

// A writer turns values into bytes: equal bytes are equal values, but for the positions in them, which are collected.
// It reads them by reflection, so that no field of them can be forgotten.
type writer struct {
	data []byte
	// spans are the valid positions, in the order of the values.
	spans []diag.Span
	// seen are the pointers and slices that were written, by the order of their first occurrence. They are written
	// once: parts of schemas are shared.
	seen map[shared]int
	// dirs are the directories that were written, by the order of their first occurrence: only which of them are the
	// same matters.
	dirs map[string]int
}

// A shared is a part of a value that may occur more than once.
type shared struct {
	kind   reflect.Type
	at     uintptr
	length int
}

// A plan writes values of one type.
type plan func(*writer, reflect.Value)

// planned has the plan of what is written; it is made once.
var planned = sync.OnceValue(func() plan { return planner{}.planOf(reflect.TypeFor[input]()) })

// write writes what a verdict depends on.
func write(in input) *writer {
	w := &writer{seen: map[shared]int{}, dirs: map[string]int{}}
	planned()(w, reflect.ValueOf(in))
	return w
}

func (w *writer) number(n int) { w.data = binary.AppendVarint(w.data, int64(n)) }

func (w *writer) bool(b bool) {
	if b {
		w.data = append(w.data, 1)
	} else {
		w.data = append(w.data, 0)
	}
}

func (w *writer) text(s string) {
	w.number(len(s))
	w.data = append(w.data, s...)
}

func (w *writer) dir(name string) { w.ordinal(w.dirs, name) }

// ordinal writes which of the names of a kind this is.
func (w *writer) ordinal(names map[string]int, name string) {
	if _, seen := names[name]; !seen {
		names[name] = len(names)
	}
	w.number(names[name])
}

func (w *writer) span(v reflect.Value) {
	at := diag.Span{
		Source: v.Field(0).Interface().(*diag.Source), Start: int32(v.Field(1).Int()), End: int32(v.Field(2).Int()),
	}
	w.bool(at.IsValid())
	if at.IsValid() {
		w.spans = append(w.spans, at)
	}
}

// isNew writes what a pointer or a slice is but for its content: whether that follows, or where it was written before.
func (w *writer) isNew(part shared) bool {
	if part.at == 0 || part.length == 0 {
		w.number(-1)
		w.bool(part.at == 0) // an empty list may differ from none
		return false
	}
	before, exists := w.seen[part]
	if !exists {
		before = len(w.seen)
		w.seen[part] = before
	}
	w.number(before)
	return !exists
}

// A planner has the plans of types, some of which are recursive.
type planner map[reflect.Type]*plan

func (p planner) planOf(t reflect.Type) plan {
	if known := p[t]; known != nil {
		return func(w *writer, v reflect.Value) { (*known)(w, v) }
	}
	made := new(plan)
	p[t] = made
	*made = p.newPlan(t)
	return *made
}

func (p planner) newPlan(t reflect.Type) plan {
	if t == reflect.TypeFor[diag.Span]() {
		return (*writer).span
	}
	if t == reflect.TypeFor[*schema.GoType]() {
		return func(*writer, reflect.Value) {} // no check reads the names of types
	}
	switch t.Kind() {
	case reflect.String:
		return func(w *writer, v reflect.Value) { w.text(v.String()) }
	case reflect.Bool:
		return func(w *writer, v reflect.Value) { w.bool(v.Bool()) }
	case reflect.Int, reflect.Int32, reflect.Int64:
		return func(w *writer, v reflect.Value) { w.number(int(v.Int())) }
	case reflect.Uint8:
		return func(w *writer, v reflect.Value) { w.number(int(v.Uint())) }
	case reflect.Func:
		return func(w *writer, v reflect.Value) { w.bool(v.IsNil()) } // the caller writes what it answers
	case reflect.Struct:
		return p.ofStruct(t)
	case reflect.Pointer:
		below := p.planOf(t.Elem())
		return func(w *writer, v reflect.Value) {
			if w.isNew(shared{t, v.Pointer(), 1}) {
				below(w, v.Elem())
			}
		}
	case reflect.Slice:
		return p.ofSlice(t)
	}
	panic(fmt.Sprintf("verdicts: no plan for %s", t))
}

func (p planner) ofStruct(t reflect.Type) plan {
	fields := make([]plan, t.NumField())
	for i := range fields {
		fields[i] = p.planOf(t.Field(i).Type)
		if t == reflect.TypeFor[schema.Package]() && t.Field(i).Name == "Dir" {
			fields[i] = func(w *writer, v reflect.Value) { w.dir(v.String()) }
		}
	}
	return func(w *writer, v reflect.Value) {
		for i, field := range fields {
			field(w, v.Field(i))
		}
	}
}

func (p planner) ofSlice(t reflect.Type) plan {
	if t.Elem().Kind() == reflect.Uint8 {
		return func(w *writer, v reflect.Value) { w.text(string(v.Bytes())) }
	}
	item := p.planOf(t.Elem())
	return func(w *writer, v reflect.Value) {
		if !w.isNew(shared{t, v.Pointer(), v.Len()}) {
			return
		}
		w.number(v.Len())
		for i := range v.Len() {
			item(w, v.Index(i))
		}
	}
}
