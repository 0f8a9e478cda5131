// Package gojson describes how encoding/json treats Go types and tags: the methods that encode and decode a type, its
// JSON type without them, the integers that it holds, and the names that Go reads from tags.
package gojson

import (
	"cmp"
	"go/types"
	"reflect"
)

// EmbeddedBy is the prefix of the name of the type that replaces the one that an opaque type embeds: a type whose
// declaration was not read (generator/load).
const EmbeddedBy = "embeddedBy"

// A Method is one that decides the JSON form of a type.
type Method struct {
	Func *types.Func
	// Path leads to the method's receiver through embedded fields; its last element is the method itself.
	Path []int
}

// Receiver returns the name of the type that the method is declared for.
func (m *Method) Receiver() string {
	if named, ok := Deref(m.Func.Signature().Recv().Type()).(*types.Named); ok {
		return named.Obj().Name()
	}
	return ""
}

// OfInterface reports whether the method is that of an interface, so that its implementation is unknown.
func (m *Method) OfInterface() bool { return types.IsInterface(m.Func.Signature().Recv().Type()) }

// Methods are the methods that decide the JSON form of a type, its own and promoted ones, whatever their receiver; nil
// for those that it does not have.
type Methods struct {
	MarshalJSON, UnmarshalJSON, MarshalText, UnmarshalText *Method
	// ByPointer reports that the marshal method has a pointer receiver.
	ByPointer bool
}

// Marshal returns the method that Go encodes the type with, nil if it has no such method.
func (m Methods) Marshal() *Method { return cmp.Or(m.MarshalJSON, m.MarshalText) }

// Promoted reports whether that is the method of an embedded field.
func (m Methods) Promoted() bool { return m.Marshal() != nil && len(m.Marshal().Path) > 1 }

// MethodsOf returns the methods that decide the JSON form of a type.
func MethodsOf(t types.Type) Methods {
	values := types.NewMethodSet(t)
	all := values
	if _, ok := t.Underlying().(*types.Interface); !ok {
		all = types.NewMethodSet(types.NewPointer(t))
	}
	m := Methods{
		MarshalJSON:   lookup(all, "MarshalJSON", isMarshal),
		MarshalText:   lookup(all, "MarshalText", isMarshal),
		UnmarshalJSON: lookup(all, "UnmarshalJSON", isUnmarshal),
		UnmarshalText: lookup(all, "UnmarshalText", isUnmarshal),
	}
	if marshal := m.Marshal(); marshal != nil {
		m.ByPointer = lookup(values, marshal.Func.Name(), isMarshal) == nil
	}
	return m
}

func lookup(set *types.MethodSet, name string, fits func(*types.Signature) bool) *Method {
	selection := set.Lookup(nil, name)
	if selection == nil {
		return nil
	}
	fn, ok := selection.Obj().(*types.Func)
	if !ok || !fits(fn.Signature()) {
		return nil
	}
	return &Method{Func: fn, Path: selection.Index()}
}

// isMarshal recognizes `() ([]byte, error)`.
func isMarshal(sig *types.Signature) bool {
	return sig.Params().Len() == 0 && sig.Results().Len() == 2 &&
		isBytes(sig.Results().At(0).Type()) && isError(sig.Results().At(1).Type())
}

// isUnmarshal recognizes `([]byte) error`.
func isUnmarshal(sig *types.Signature) bool {
	return sig.Params().Len() == 1 && sig.Results().Len() == 1 &&
		isBytes(sig.Params().At(0).Type()) && isError(sig.Results().At(0).Type())
}

func isBytes(t types.Type) bool {
	slice, ok := types.Unalias(t).(*types.Slice)
	if !ok {
		return false
	}
	elem, ok := types.Unalias(slice.Elem()).(*types.Basic)
	return ok && elem.Kind() == types.Byte
}

// isZero recognizes `() bool`.
func isZero(sig *types.Signature) bool {
	return sig.Params().Len() == 0 && sig.Results().Len() == 1 &&
		types.Identical(sig.Results().At(0).Type(), types.Typ[types.Bool])
}

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

// HasIsZero reports whether a type has the method that omitzero calls.
func HasIsZero(t types.Type) bool { return lookup(types.NewMethodSet(t), "IsZero", isZero) != nil }

// WritesText reports whether values of a type, not only pointers to them, have MarshalText.
func WritesText(t types.Type) bool {
	return lookup(types.NewMethodSet(t), "MarshalText", isMarshal) != nil
}

// TypeOf returns the JSON type of a Go type without methods.
func TypeOf(t types.Type) string {
	switch t := t.Underlying().(type) {
	case *types.Struct, *types.Map:
		return "object"
	case *types.Array:
		return "array"
	case *types.Slice:
		if elem, ok := t.Elem().Underlying().(*types.Basic); ok && elem.Kind() == types.Byte {
			return "string"
		}
		return "array"
	case *types.Basic:
		switch info := t.Info(); {
		case info&types.IsString != 0:
			return "string"
		case info&types.IsBoolean != 0:
			return "boolean"
		case info&types.IsInteger != 0:
			return "integer"
		case info&types.IsFloat != 0:
			return "number"
		}
	}
	return ""
}

// HasFields reports whether a type describes more than that it is an object.
func HasFields(t types.Type) bool {
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return true
	}
	for i := range st.NumFields() {
		tag, field := reflect.StructTag(st.Tag(i)).Get("json"), st.Field(i)
		if tag != "-" && (field.Exported() || field.Embedded()) {
			return true
		}
	}
	return false
}

// NameOf returns the name of a declared type and the path of its package, "" for all others.
func NameOf(t types.Type) (pkg, name string) {
	if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Pkg() != nil {
		return named.Obj().Pkg().Path(), named.Obj().Name()
	}
	return "", ""
}

// Deref looks through one pointer that has no name of its own.
func Deref(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}
