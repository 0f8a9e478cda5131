package build

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/markers"
)

// describeCompatMarshaler describes a type that marshals itself as controller-gen does: as its Type marker says, or as a
// string where it marshals to text. It returns false where the declaration has to be followed all the same.
func (b *builder) describeCompatMarshaler(t *typ, marks []markers.Marker) bool {
	obj := t.decl.Pkg.Types.Scope().Lookup(t.decl.Name)
	if obj == nil {
		return false
	}
	switch {
	case hasMarshal(obj.Type(), "MarshalJSON"):
		declared := find(marks, markType)
		if (declared == nil || declared.Arg("").Text == "") && !hasConstantsMarker(marks) {
			return false
		}
		t.node = &node{s: schema.Schema{At: t.decl.At}}
	case hasMarshal(obj.Type(), "MarshalText"):
		t.node = &node{s: schema.Schema{At: t.decl.At, Type: schema.Text{V: "string"}}}
	default:
		return false
	}
	b.applyText(t, marks)
	return true
}

// applyText applies the markers of a type that marshals itself.
func (b *builder) applyText(t *typ, marks []markers.Marker) {
	text := t.node.s.Type.V == "string"
	b.apply(t.node, marks, target{decl: t.decl})
	if text && t.node.s.Type.V != "string" {
		b.refuse(textMarshalerType(t, t.node.s.Type))
	}
}

// describeMarshaler describes a type that marshals itself. It returns false for other types.
func (b *builder) describeMarshaler(t *typ, marks []markers.Marker) bool {
	obj := t.decl.Pkg.Types.Scope().Lookup(t.decl.Name)
	if obj == nil || t.decl.Spec.Assign.IsValid() {
		return false // an alias is what it stands for
	}
	methods := methodsOf(obj.Type())
	t.byPointer = methods.byPointer
	b.checkOneWay(t, methods, marks)
	provider, form := methods.marshalJSON, "MarshalJSON"
	if provider == nil {
		provider, form = methods.marshalText, "MarshalText"
	}
	if provider == nil {
		return false
	}
	b.checkFieldsLost(t, provider, form)
	n := b.marshaled(t, provider, form, marks)
	if n == nil {
		return false
	}
	t.node = n
	t.node.s.At = t.decl.At
	b.applyText(t, marks)
	return true
}

// marshaled describes the JSON form that a method gives a type: that of the type it is promoted from, a string where it
// writes text, what the Type marker says, or unknown. It is nil for a struct that is an object by its Type marker: which
// properties that has, only the fields can say. So it is where mistakes are tolerated: the fields are a better guess than
// nothing.
func (b *builder) marshaled(t *typ, provider *types.Func, form string, marks []markers.Marker) *node {
	declared := find(marks, markType)
	if from := b.providerOf(t, provider); from != nil && declared == nil {
		return from
	}
	if form == "MarshalText" {
		return text()
	}
	st, isStruct := unparen(t.decl.Spec.Type).(*ast.StructType)
	preserves := find(marks, markPreserve) != nil || find(marks, markXPreserve) != nil
	if declared != nil && declared.Arg("").Text == "object" && isStruct && !preserves {
		if slices.ContainsFunc(st.Fields.List, inJSON) {
			b.deviate(marshalForms, t.decl.At)
		}
		return nil
	}
	if declared == nil && !hasConstantsMarker(marks) {
		d := unknownForm(t)
		if b.opts.Tolerate && !preserves {
			b.mistake(d)
			return nil
		}
		return &node{unknown: &d}
	}
	return &node{}
}

// providerOf describes the type of an embedded field whose method is promoted, nil where the method is the type's own.
func (b *builder) providerOf(t *typ, method *types.Func) *node {
	named := receiverOf(method)
	if named == nil || t.owns(method) || named.TypeArgs().Len() > 0 || types.IsInterface(named) {
		return nil
	}
	pkg, name := b.program.PackageOf(named.Obj().Pkg()), named.Obj().Name()
	switch {
	case pkg == nil:
		return nil
	case strings.HasPrefix(name, load.EmbeddedBy):
		n := goTime() // of time.Time, the only type embedded in a known one
		n.deviation = knownForms
		n.zero = zeroText(known("time", "Time").zero)
		return n
	}
	n := &node{ref: b.typeOf(pkg, name, nil)}
	if n.ref.describing {
		return nil
	}
	return n
}

// receiverOf returns the type that a method is declared for, nil where that has no name.
func receiverOf(method *types.Func) *types.Named {
	recv := method.Signature().Recv().Type()
	if p, ok := recv.(*types.Pointer); ok {
		recv = p.Elem()
	}
	named, _ := recv.(*types.Named)
	return named
}

// owns reports whether a method is the type's own rather than promoted from an embedded field.
func (t *typ) owns(method *types.Func) bool {
	named := receiverOf(method)
	return named != nil && named.Obj().Pkg() == t.decl.Pkg.Types && named.Obj().Name() == t.decl.Name
}

// marshalMethods are the methods that decide the JSON form of a type, its own and promoted ones, whatever their receiver.
type marshalMethods struct {
	marshalJSON, unmarshalJSON, marshalText, unmarshalText *types.Func
	// byPointer reports that the one that marshals has a pointer receiver.
	byPointer bool
}

func methodsOf(t types.Type) marshalMethods {
	values := types.NewMethodSet(t)
	all := values
	if _, ok := t.Underlying().(*types.Interface); !ok {
		all = types.NewMethodSet(types.NewPointer(t))
	}
	m := marshalMethods{
		marshalJSON:   lookupMethod(all, "MarshalJSON", isMarshal),
		marshalText:   lookupMethod(all, "MarshalText", isMarshal),
		unmarshalJSON: lookupMethod(all, "UnmarshalJSON", isUnmarshal),
		unmarshalText: lookupMethod(all, "UnmarshalText", isUnmarshal),
	}
	switch {
	case m.marshalJSON != nil:
		m.byPointer = lookupMethod(values, "MarshalJSON", isMarshal) == nil
	case m.marshalText != nil:
		m.byPointer = lookupMethod(values, "MarshalText", isMarshal) == nil
	}
	return m
}

func lookupMethod(set *types.MethodSet, name string, is func(*types.Signature) bool) *types.Func {
	selection := set.Lookup(nil, name)
	if selection == nil {
		return nil
	}
	method, ok := selection.Obj().(*types.Func)
	if !ok || !is(method.Signature()) {
		return nil
	}
	return method
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

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

// hasMarshal reports whether a type or its pointer has a method `name() ([]byte, error)`.
func hasMarshal(t types.Type, name string) bool {
	if _, ok := t.Underlying().(*types.Interface); !ok {
		t = types.NewPointer(t)
	}
	return lookupMethod(types.NewMethodSet(t), name, isMarshal) != nil
}

// checkOneWay reports types that Go writes in another form than it reads them in.
func (b *builder) checkOneWay(t *typ, m marshalMethods, marks []markers.Marker) {
	declared := find(marks, markType)
	obj := t.decl.Pkg.Types.Scope().Lookup(t.decl.Name)
	plain := jsonTypeOf(obj.Type())
	reads := m.unmarshalJSON != nil
	switch {
	case m.marshalJSON != nil && !t.owns(m.marshalJSON), m.marshalText != nil && !t.owns(m.marshalText):
		// That is said of the type that the method is promoted from.
	case m.marshalJSON != nil:
		if !reads && m.unmarshalText == nil && declared != nil && plain != declared.Arg("").Text {
			b.mistake(oneWay(t, "MarshalJSON", "UnmarshalJSON"))
		}
	case reads:
	case m.marshalText != nil && m.unmarshalText == nil && plain != "string":
		b.mistake(oneWay(t, "MarshalText", "UnmarshalText"))
	case m.marshalText == nil && m.unmarshalText != nil && plain != "string":
		b.mistake(oneWay(t, "UnmarshalText", "MarshalText"))
	}
}

// jsonTypeOf is the JSON type of a Go type without methods.
func jsonTypeOf(t types.Type) string {
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

// checkFieldsLost reports a struct whose method is promoted from an embedded field: the other fields are in no JSON.
func (b *builder) checkFieldsLost(t *typ, method *types.Func, form string) {
	st, ok := unparen(t.decl.Spec.Type).(*ast.StructType)
	if !ok {
		return
	}
	named := receiverOf(method)
	if named == nil || t.owns(method) {
		return
	}
	for _, f := range st.Fields.List {
		if !inJSON(f) || len(f.Names) == 0 || !f.Names[0].IsExported() {
			continue
		}
		name := strings.TrimPrefix(named.Obj().Name(), load.EmbeddedBy)
		b.mistake(fieldsLost(t, t.decl.Pkg.Span(f.Names[0]), f.Names[0].Name, form, name))
		b.deviate(marshalForms, t.decl.At)
		return
	}
}

// inJSON reports whether a field's tag lets it be part of the JSON form.
func inJSON(f *ast.Field) bool {
	tag, _ := load.Tag(f).Lookup("json")
	return tag != "-"
}

// withoutMethods returns the type expression that a declaration stands for in JSON, and its scope. A type that is declared
// as another one (type A B) has none of its methods: where B marshals itself, A is what B is declared as.
func (b *builder) withoutMethods(t *typ, sc *scope) (*scope, ast.Expr) {
	expr := t.decl.Spec.Type
	if b.opts.Compat || t.decl.Spec.Assign.IsValid() {
		return sc, expr
	}
	for {
		from, ok := b.resolved(sc, expr).(*types.Named)
		if !ok || from.Obj().Pkg() == nil || from.TypeParams().Len() > 0 {
			return sc, expr
		}
		m := methodsOf(from)
		if m.marshalJSON == nil && m.marshalText == nil {
			return sc, expr
		}
		var d *load.TypeDecl
		if pkg := b.program.PackageOf(from.Obj().Pkg()); pkg != nil {
			d = pkg.Lookup(from.Obj().Name())
		}
		if d == nil { // nothing but its methods is known of the type
			b.mistake(methodsLost(t, from.Obj().Pkg().Name()+"."+from.Obj().Name()))
			return sc, expr
		}
		if m.marshalJSON == nil || find(b.typeMarkers(d), markType) != nil {
			b.deviate(marshalForms, t.decl.At)
		}
		sc, expr = &scope{decl: d}, d.Spec.Type
	}
}

// checkAddressable reports a map whose values hold a type that only a pointer to it marshals: Go cannot take the address
// of a map's values, and writes such a type as if it had no methods.
func (b *builder) checkAddressable(sc *scope, e *ast.MapType, value *node) {
	if t := byPointerOnly(value, map[*node]bool{}); t != nil {
		b.mistake(b.notAddressable(sc.span(e.Value), types.ExprString(e.Value), t))
	}
}

// byPointerOnly returns the type among those that a value holds directly which only a pointer to it marshals, or nil.
func byPointerOnly(n *node, seen map[*node]bool) *typ {
	if n == nil || n.byPointer || n.cut || seen[n] {
		return nil
	}
	seen[n] = true
	if n.ref != nil {
		if n.ref.byPointer {
			return n.ref
		}
		return byPointerOnly(n.ref.node, seen)
	}
	if n.sort == arraySort {
		if t := byPointerOnly(n.items, seen); t != nil {
			return t
		}
	}
	for _, p := range n.properties {
		if t := byPointerOnly(p.node, seen); t != nil {
			return t
		}
	}
	for _, part := range n.parts {
		if t := byPointerOnly(part, seen); t != nil {
			return t
		}
	}
	return nil
}
