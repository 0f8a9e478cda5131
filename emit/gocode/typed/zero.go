package typed

import (
	"go/types"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/crdproof/crdproof/emit/gocode/internal/object"
	"github.com/crdproof/crdproof/internal/gojson"
)

// isZero returns the condition that omitzero omits a value. It is read without reflection, unless the type is unknown
// or the package cannot name what is in it.
func (w goWriter) isZero(g goValue) object.Condition {
	byReflection := object.Holds(object.Runtime("IsZeroGo").Call(jen.Op("&").Add(g.code)))
	if gojson.HasIsZero(g.typ) || gojson.HasIsZero(types.NewPointer(g.typ)) {
		if isPointer(g.typ) || types.IsInterface(g.typ) {
			return byReflection
		}
		return object.Holds(jen.Add(g.code).Dot("IsZero").Call())
	}
	if cond, ok := w.zero(g.typ, g.code); ok {
		return cond
	}
	return byReflection
}

// zero returns the condition that a value is the zero value of its type, whatever methods it has; false if code cannot
// find out. Whether -0 is zero depends on the version of Go.
func (w goWriter) zero(t types.Type, x *jen.Statement) (object.Condition, bool) {
	if isRaw(t) {
		cond := isNotNil(jen.Add(x).Dot("Raw")).Opposite()
		if _, name := gojson.NameOf(t); name == "RawExtension" {
			cond = object.AllOf(cond, isNotNil(jen.Add(x).Dot("Object")).Opposite())
		}
		return cond, true
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Interface:
		return isNotNil(x).Opposite(), true
	case *types.Basic:
		if u.Info()&(types.IsString|types.IsBoolean|types.IsInteger) != 0 {
			return notEmpty(goValue{typ: t, code: x}).Opposite(), true
		}
	case *types.Struct:
		if code, ok := w.typeCode(t); ok && isPlainlyComparable(t) {
			return object.Compares(x, "==", jen.Parens(jen.Add(code).Values())), true
		}
		return w.zeroStruct(t, u, x)
	}
	return object.Condition{}, false
}

// zeroStruct calls the function that compares all fields of a struct.
func (w goWriter) zeroStruct(t types.Type, u *types.Struct, x *jen.Statement) (object.Condition, bool) {
	code, ok := w.typeCode(t)
	named, isNamed := types.Unalias(t).(*types.Named)
	if !ok || !isNamed || isOpaque(u) {
		return object.Condition{}, false
	}
	var all []object.Condition
	for f := range u.Fields() {
		cond, ok := w.zero(f.Type(), jen.Id("x").Dot(f.Name()))
		if !ok || f.Name() == "_" || !f.Exported() && f.Pkg().Path() != w.Path {
			return object.Condition{}, false
		}
		all = append(all, cond)
	}
	name := named.Obj().Name()
	return object.Holds(jen.Id(w.Function(object.Function{
		Name: "crdIsZero" + object.GoName(name), Doc: "reports whether a value of type " + name + " is zero",
		Params:  []jen.Code{jen.Id("x").Op("*").Add(code)},
		Results: []jen.Code{jen.Bool()},
		Body:    []jen.Code{jen.Return(object.AllOf(all...).Lines())},
	})).Call(jen.Op("&").Add(x))), true
}

// comparableTypes are those of Kubernetes whose declaration the type checker does not know, and that Go can compare.
var comparableTypes = []string{
	pkgMeta + ".Time", pkgMeta + ".MicroTime", pkgMeta + ".Duration", pkgIntstr + ".IntOrString",
}

// isPlainlyComparable reports whether Go can compare values of a type, and all of its zero values are equal and of
// the same bits.
func isPlainlyComparable(t types.Type) bool {
	if pkg, name := gojson.NameOf(t); slices.Contains(comparableTypes, pkg+"."+name) {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&(types.IsString|types.IsBoolean|types.IsInteger) != 0
	case *types.Pointer, *types.Interface:
		return true
	case *types.Array:
		return isPlainlyComparable(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if f.Name() == "_" || !isPlainlyComparable(f.Type()) {
				return false
			}
		}
		return !isOpaque(u)
	}
	return false
}

// isOpaque reports whether a struct replaces a type whose declaration was not read.
func isOpaque(s *types.Struct) bool {
	for f := range s.Fields() {
		if strings.HasPrefix(f.Name(), gojson.EmbeddedBy) {
			return true
		}
	}
	return false
}
