package typed

import (
	"go/types"
	"reflect"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/crdproof/crdproof/emit/gocode/internal/object"
	"github.com/crdproof/crdproof/internal/gojson"
)

// A goShape is the form of the JSON that encoding/json writes for a Go type, as far as typed code reads the type
// itself.
type goShape uint8

const (
	// opaqueShape is any JSON: typed code encodes the value.
	opaqueShape goShape = iota
	stringShape
	boolShape
	intShape
	uintShape
	floatShape
	bytesShape
	structShape
	mapShape
	listShape
	// timeShape, durationShape and quantityShape are those types of Kubernetes, which are texts; a time may be null.
	timeShape
	durationShape
	quantityShape
	intOrStringShape
)

const (
	pkgMeta     = "k8s.io/apimachinery/pkg/apis/meta/v1"
	pkgIntstr   = "k8s.io/apimachinery/pkg/util/intstr"
	pkgResource = "k8s.io/apimachinery/pkg/api/resource"
)

// knownShapes are the shapes of types that encode themselves.
var knownShapes = map[string]goShape{
	pkgMeta + ".ObjectMeta": structShape, pkgMeta + ".Time": timeShape, pkgMeta + ".MicroTime": timeShape,
	pkgMeta + ".Duration": durationShape, pkgResource + ".Quantity": quantityShape,
	pkgIntstr + ".IntOrString": intOrStringShape,
}

// shapeOf returns the shape of a type that is not a pointer.
func shapeOf(t types.Type) goShape {
	pkg, name := gojson.NameOf(t)
	if shape, ok := knownShapes[pkg+"."+name]; ok {
		return shape
	}
	if pkg+"."+name == "encoding/json.Number" || t == types.Typ[types.Invalid] || gojson.MethodsOf(t).Marshal() != nil {
		return opaqueShape
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return basicShape(u)
	case *types.Struct:
		if isReadable(u) {
			return structShape
		}
	case *types.Map:
		if key, ok := u.Key().Underlying().(*types.Basic); ok && key.Info()&types.IsString != 0 &&
			gojson.MethodsOf(u.Key()).MarshalText == nil && !byPointer(u.Elem()) {
			return mapShape
		}
	case *types.Slice:
		if elem, ok := u.Elem().Underlying().(*types.Basic); ok && elem.Kind() == types.Byte {
			if gojson.MethodsOf(u.Elem()).Marshal() != nil {
				return opaqueShape
			}
			return bytesShape
		}
		return listShape
	case *types.Array:
		return listShape
	}
	return opaqueShape
}

func basicShape(b *types.Basic) goShape {
	switch info := b.Info(); {
	case b.Kind() == types.Uintptr:
		return opaqueShape
	case info&types.IsString != 0:
		return stringShape
	case info&types.IsBoolean != 0:
		return boolShape
	case info&types.IsUnsigned != 0:
		return uintShape
	case info&types.IsInteger != 0:
		return intShape
	case info&types.IsFloat != 0:
		return floatShape
	}
	return opaqueShape
}

// byPointer reports whether encoding/json encodes values of a type in another way if it has no pointer to them, as
// those of maps.
func byPointer(t types.Type) bool {
	if m := gojson.MethodsOf(t); m.Marshal() != nil && m.ByPointer {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for i := range u.NumFields() {
			if byPointer(u.Field(i).Type()) {
				return true
			}
		}
	case *types.Array:
		return byPointer(u.Elem())
	}
	return false
}

// isReadable reports whether the type checker knows all fields of a struct that encoding/json encodes, and whether Go
// code may select them.
func isReadable(s *types.Struct, above ...*types.Struct) bool {
	if slices.Contains(above, s) {
		return true
	}
	above = append(slices.Clip(above), s)
	for i := range s.NumFields() {
		f := s.Field(i)
		if !f.Embedded() || reflect.StructTag(s.Tag(i)).Get("json") == "-" {
			continue
		}
		t := gojson.Deref(f.Type())
		if t == types.Typ[types.Invalid] || strings.HasPrefix(f.Name(), gojson.EmbeddedBy) ||
			!f.Exported() && isPointer(f.Type()) {
			return false
		}
		name, _, _ := strings.Cut(reflect.StructTag(s.Tag(i)).Get("json"), ",")
		if typ, ok := t.Underlying().(*types.Struct); ok && name == "" && !isReadable(typ, above...) {
			return false
		}
	}
	return true
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// elemOf returns the type of what a pointer, a list or a map has.
func elemOf(t types.Type) types.Type { return t.Underlying().(interface{ Elem() types.Type }).Elem() }

// fieldsOf returns the keys of a struct.
func fieldsOf(t types.Type) []gojson.Field {
	if pkg, name := gojson.NameOf(t); pkg == pkgMeta && name == "ObjectMeta" {
		return metaFields()
	}
	return gojson.Fields(t.Underlying().(*types.Struct))
}

// metaFields returns the fields of ObjectMeta, of which the type checker does not know the declaration: those that a
// schema may describe. Of the others only managedFields may be impossible to encode.
func metaFields() (out []gojson.Field) {
	text := types.Typ[types.String]
	texts := types.NewMap(text, text)
	for _, f := range []struct {
		name, key string
		typ       types.Type
	}{
		{"Name", "name", text}, {"GenerateName", "generateName", text}, {"Namespace", "namespace", text},
		{"UID", "uid", types.NewNamed(types.NewTypeName(0, types.NewPackage("k8s.io/apimachinery/pkg/types", "types"),
			"UID", nil), text, nil)},
		{"ResourceVersion", "resourceVersion", text}, {"Generation", "generation", types.Typ[types.Int64]},
		{"Labels", "labels", texts}, {"Annotations", "annotations", texts},
		{"Finalizers", "finalizers", types.NewSlice(text)},
	} {
		out = append(out, gojson.Field{Name: f.key, OmitEmpty: true,
			Path: []*types.Var{types.NewField(0, nil, f.name, f.typ, false)}})
	}
	return out
}

// A goValue is an expression of a Go type.
type goValue struct {
	typ types.Type
	// code is the expression, or a pointer to the value if isPointer is set.
	code      *jen.Statement
	isPointer bool
	// there are the conditions, in this order, under which encoding/json writes the value, and not null. Only then may
	// code be evaluated.
	there []object.Condition
	// param is the type of the parameter old, of which the value is a part.
	param jen.Code
	// isOld is set for a part of an old value, whose texts may not be valid UTF-8.
	isOld bool
}

// pointer returns a pointer to the value, which is addressable.
func (g goValue) pointer() jen.Code {
	if g.isPointer {
		return g.code
	}
	return jen.Op("&").Add(g.code)
}

// value returns the value itself.
func (g goValue) value() *jen.Statement {
	if g.isPointer {
		return jen.Op("*").Add(g.code)
	}
	return jen.Add(g.code)
}

// base returns what a selector selects from.
func (g goValue) base() *jen.Statement {
	if g.isPointer && strings.HasPrefix(object.Source(g.code), "*") {
		return jen.Parens(g.code)
	}
	return jen.Add(g.code)
}

// when returns a value with another condition.
func (g goValue) when(c object.Condition) goValue {
	text := c.Source()
	if !slices.ContainsFunc(g.there, func(c object.Condition) bool { return c.Source() == text }) {
		g.there = append(slices.Clip(g.there), c)
	}
	return g
}

// reached looks through pointers, and adds the conditions that the value is not null.
func (g goValue) reached() goValue {
	for {
		p, ok := g.typ.Underlying().(*types.Pointer)
		if !ok {
			break
		}
		if g.isPointer {
			g.code = jen.Parens(jen.Op("*").Add(g.code))
		}
		g = g.when(isNotNil(g.code))
		g.typ, g.isPointer = p.Elem(), true
	}
	switch shapeOf(g.typ) {
	case timeShape:
		g = g.when(object.Holds(g.base().Dot("IsZero").Call()).Opposite())
	case bytesShape, mapShape, listShape:
		if _, isArray := g.typ.Underlying().(*types.Array); !isArray {
			full := isFull(g.code).Source()
			if !slices.ContainsFunc(g.there, func(c object.Condition) bool { return c.Source() == full }) {
				g = g.when(isNotNil(g.plain()))
			}
		}
	case opaqueShape:
		if types.IsInterface(g.typ) {
			g = g.when(isNotNil(g.plain()))
		}
	}
	return g
}

// isNotNil and isFull are conditions of pointers, and of lists, maps and interfaces.
func isNotNil(x jen.Code) object.Condition { return object.Compares(x, "!=", jen.Nil()) }
func isFull(x jen.Code) object.Condition   { return object.Compares(jen.Len(x), "!=", jen.Lit(0)) }

// plain returns the value for operators.
func (g goValue) plain() *jen.Statement {
	if g.isPointer {
		return jen.Parens(jen.Op("*").Add(g.code))
	}
	return jen.Add(g.code)
}

// A goWriter is a writer that names Go types.
type goWriter struct{ *object.Writer }

// field returns a field of a struct, with the conditions under which it is written, which may be null.
func (w goWriter) field(g goValue, f gojson.Field) goValue {
	out := goValue{code: g.base(), there: g.there, isOld: g.isOld, param: g.param}
	for _, v := range f.Path[:len(f.Path)-1] {
		if !v.Exported() {
			continue // Go promotes its fields
		}
		out.code = jen.Add(out.code).Dot(v.Name())
		if isPointer(v.Type()) {
			out = out.when(isNotNil(out.code))
		}
	}
	out.code, out.typ = jen.Add(out.code).Dot(f.Path[len(f.Path)-1].Name()), f.Type()
	if f.OmitEmpty {
		if c := notEmpty(out); !c.IsAlways() {
			out = out.when(c)
		}
	}
	if f.OmitZero {
		out = out.when(w.isZero(out).Opposite())
	}
	return out
}

// notEmpty returns the condition that omitempty does not omit a value.
func notEmpty(g goValue) object.Condition {
	x := jen.Add(g.code)
	if g.typ == types.Typ[types.Invalid] {
		return object.Holds(object.Runtime("IsEmptyGo").Call(jen.Op("&").Add(x))).Opposite()
	}
	switch u := g.typ.Underlying().(type) {
	case *types.Pointer, *types.Interface:
		return isNotNil(x)
	case *types.Slice, *types.Map:
		return isFull(x)
	case *types.Array:
		if u.Len() == 0 {
			return object.Never
		}
	case *types.Basic:
		switch info := u.Info(); {
		case info&types.IsString != 0:
			return object.Compares(x, "!=", jen.Lit(""))
		case info&types.IsBoolean != 0:
			return object.Holds(g.converted())
		case info&types.IsNumeric != 0:
			return object.Compares(x, "!=", jen.Lit(0))
		}
	}
	return object.Always
}

// converted returns a scalar as the Go type that code of a schema has for it.
func (g goValue) converted() jen.Code {
	x := g.value()
	to := map[goShape]types.BasicKind{stringShape: types.String, boolShape: types.Bool, intShape: types.Int64,
		uintShape: types.Int64, floatShape: types.Float64}[shapeOf(g.typ)]
	basic := types.Typ[to]
	switch {
	case types.Identical(g.typ, basic):
		return x
	case g.typ.Underlying() == types.Typ[types.Float32]:
		return object.Runtime("Float32").Call(jen.Id("float32").Call(x))
	}
	return jen.Id(basic.Name()).Call(x)
}

// typeCode returns the code of a type; false if the package cannot name it.
func (w goWriter) typeCode(t types.Type) (*jen.Statement, bool) {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return jen.Id(t.Name()), t.Kind() != types.Invalid
	case *types.Pointer:
		elem, ok := w.typeCode(t.Elem())
		return jen.Op("*").Add(elem), ok
	case *types.Slice:
		elem, ok := w.typeCode(t.Elem())
		return jen.Index().Add(elem), ok
	case *types.Array:
		elem, ok := w.typeCode(t.Elem())
		return jen.Index(jen.Lit(int(t.Len()))).Add(elem), ok
	case *types.Map:
		key, isKey := w.typeCode(t.Key())
		elem, ok := w.typeCode(t.Elem())
		return jen.Map(key).Add(elem), ok && isKey
	case *types.Named:
		return w.namedCode(t)
	case *types.Interface:
		return jen.Any(), t.Empty()
	}
	return jen.Any(), false
}

func (w goWriter) namedCode(t *types.Named) (*jen.Statement, bool) {
	obj := t.Obj()
	if obj.Pkg() == nil || obj.Pkg().Path() != w.Path && (!obj.Exported() || !w.mayImport(obj.Pkg())) {
		return jen.Any(), false
	}
	code := jen.Qual(obj.Pkg().Path(), obj.Name())
	ok := true
	var args []jen.Code
	for i := range t.TypeArgs().Len() {
		arg, isNamed := w.typeCode(t.TypeArgs().At(i))
		args, ok = append(args, arg), ok && isNamed
	}
	if args != nil {
		code = code.Types(args...)
	}
	return code, ok
}

// mayImport reports whether the written package may import another one.
func (w goWriter) mayImport(pkg *types.Package) bool {
	before, _, isInternal := strings.Cut("/"+pkg.Path()+"/", "/internal/")
	return pkg.Name() != "main" && (!isInternal || strings.HasPrefix("/"+w.Path+"/", before+"/"))
}
