package lower

import (
	"cmp"
	"go/ast"
	"go/types"
	"reflect"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/markers"
)

// describeCompatMarshaler describes a type that marshals itself as controller-gen does: as its Type marker says, or
// as a string where it marshals to text. It returns false where the declaration has to be followed all the same.
func (d describer) describeCompatMarshaler(t *typ, _ *scope, marks []markers.Marker) bool {
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
	d.applyText(t, marks)
	return true
}

// applyText applies the markers of a type that marshals itself.
func (d describer) applyText(t *typ, marks []markers.Marker) {
	text := t.node.s.Type.V == "string"
	d.applier().apply(t.node, marks, target{decl: t.decl})
	if d.opts.Compat && text && t.node.s.Type.V != "string" {
		d.refuse(diag.Errorf(t.node.s.Type.At, typeConflict,
			"type %s marshals to text, which is a string, not %s", t.name, t.node.s.Type.V).
			Help("remove the Type marker, or give the type MarshalJSON"))
	}
}

// describeMarshaler describes a type that marshals itself. It returns false for other types, and for those of which
// only the fields can say what they look like.
func (d describer) describeMarshaler(t *typ, sc *scope, marks []markers.Marker) bool {
	obj := t.decl.Pkg.Types.Scope().Lookup(t.decl.Name)
	if obj == nil || t.decl.Spec.Assign.IsValid() {
		return false // an alias is what it stands for
	}
	m := methodsOf(obj.Type())
	t.byPointer = m.byPointer
	d.checkOneWay(t, obj.Type(), m, marks)
	st, inner := d.structOf(sc, t.decl.Spec.Type)
	d.checkFieldsLost(inner, st, m, "type "+t.name)
	if m.promoted() && st != nil && !m.marshal().ofInterface() && find(marks, markType) == nil {
		t.node = d.promoted(inner, st, m)
		t.node.s.Description = docText(t.decl.Doc, t.decl.At)
	} else if t.node = d.marshaled(t, obj.Type(), m, marks); t.node == nil {
		return false
	}
	t.node.s.At = t.decl.At
	d.applyText(t, marks)
	return true
}

// promoted describes a struct that marshals itself by the method of an embedded field: it looks as that field does.
func (d describer) promoted(sc *scope, st *ast.StructType, m marshalMethods) *node {
	embedded := fieldAt(st, m.marshal().path[0])
	n := d.expr(sc, embedded.Type)
	n.byPointer, n.sort, n.zero = false, structSort, nil
	f := &field{syntax: embedded, decl: sc.decl}
	d.applier().apply(n, d.reader().fieldMarkers(sc.decl, embedded), target{decl: sc.decl, field: f})
	return n
}

// marshaled describes the JSON form of a type that has a method for it: a string where it writes text, what the Type
// marker says, or unknown. It is nil for a type without methods, and for one that is an object or a list by its Type
// marker: of what, only the declaration can say. So it is where mistakes are tolerated: the declaration is a better
// guess than nothing.
func (d describer) marshaled(t *typ, goType types.Type, m marshalMethods, marks []markers.Marker) *node {
	declared := find(marks, markType)
	preserves := find(marks, markPreserve) != nil || find(marks, markXPreserve) != nil
	switch {
	case m.marshal() == nil:
		return nil
	case m.promoted() && strings.HasPrefix(m.marshal().receiver(), load.EmbeddedBy):
		n := goTime() // of time.Time, the only type embedded in a known one
		n.zero, n.deviation = zeroText(known("time", "Time").zero), knownForms
		return n
	case m.marshalJSON == nil:
		return text()
	case declared != nil:
		return d.stated(t, goType, declared.Arg("").Text, preserves)
	case hasConstantsMarker(marks):
		return &node{}
	case preserves && jsonTypeOf(goType) == "object":
		if hasFields(goType) {
			d.deviate(marshalForms, t.decl.At)
		}
		n := object()
		n.s.Description = docText(t.decl.Doc, t.decl.At)
		return n
	}
	unknown := unknownForm(t)
	if d.opts.Tolerate && !preserves {
		d.mistake(*unknown)
		return nil
	}
	return &node{unknown: unknown}
}

// unknownForm is what is wrong with a type that marshals itself, unless markers say what it looks like.
func unknownForm(t *typ) *diag.Diagnostic {
	d := diag.Errorf(t.decl.At, typeMarshaler,
		"type %s marshals itself: what its JSON looks like cannot be known", t.name).
		Help("say what it looks like with +kubebuilder:validation:Type=… on the type, where object keeps the fields " +
			"of a struct, or on the field (items:Type=… for items); for any JSON put " +
			"+kubebuilder:pruning:PreserveUnknownFields there")
	return &d
}

// stated describes a type whose Type marker says what its method writes; nil where its declaration says of what.
func (d describer) stated(t *typ, goType types.Type, jsonType string, preserves bool) *node {
	isComposite := jsonType == "object" || jsonType == "array"
	switch {
	case !isComposite || preserves:
	case jsonTypeOf(goType) == jsonType && hasFields(goType):
		d.deviate(marshalForms, t.decl.At)
		return nil
	case jsonType == "object": // a field may still say more
		return &node{unknown: unknownForm(t)}
	}
	return &node{}
}

// hasFields reports whether a type has more to say than that it is an object.
func hasFields(t types.Type) bool {
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return true
	}
	for i := range st.NumFields() {
		if tag := reflect.StructTag(st.Tag(i)).Get("json"); tag != "-" && (st.Field(i).Exported() || st.Field(i).Embedded()) {
			return true
		}
	}
	return false
}

// A method is one that decides the JSON form of a type.
type method struct {
	fn *types.Func
	// path leads to the method's receiver through embedded fields; its last element is the method itself.
	path []int
}

// receiver is the name of the type that the method is declared for.
func (m *method) receiver() string {
	if named, ok := deref(m.fn.Signature().Recv().Type()).(*types.Named); ok {
		return named.Obj().Name()
	}
	return ""
}

// ofInterface reports whether the method is that of an interface, which may be anybody's.
func (m *method) ofInterface() bool { return types.IsInterface(m.fn.Signature().Recv().Type()) }

// marshalMethods are the methods that decide the JSON form of a type, its own and promoted ones, whatever their
// receiver; nil for those it has not.
type marshalMethods struct {
	marshalJSON, unmarshalJSON, marshalText, unmarshalText *method
	// byPointer reports that the one that marshals has a pointer receiver.
	byPointer bool
}

// marshal is the method that Go writes the type with, nil where it looks at the type itself.
func (m marshalMethods) marshal() *method { return cmp.Or(m.marshalJSON, m.marshalText) }

// promoted reports whether that is the method of an embedded field.
func (m marshalMethods) promoted() bool { return m.marshal() != nil && len(m.marshal().path) > 1 }

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
	if marshal := m.marshal(); marshal != nil {
		m.byPointer = lookupMethod(values, marshal.fn.Name(), isMarshal) == nil
	}
	return m
}

func lookupMethod(set *types.MethodSet, name string, is func(*types.Signature) bool) *method {
	selection := set.Lookup(nil, name)
	if selection == nil {
		return nil
	}
	fn, ok := selection.Obj().(*types.Func)
	if !ok || !is(fn.Signature()) {
		return nil
	}
	return &method{fn: fn, path: selection.Index()}
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

// isZeroMethod recognizes `() bool`.
func isZeroMethod(sig *types.Signature) bool {
	return sig.Params().Len() == 0 && sig.Results().Len() == 1 &&
		types.Identical(sig.Results().At(0).Type(), types.Typ[types.Bool])
}

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

// hasMarshal reports whether a type or its pointer has a method `name() ([]byte, error)`.
func hasMarshal(t types.Type, name string) bool {
	if _, ok := t.Underlying().(*types.Interface); !ok {
		t = types.NewPointer(t)
	}
	return lookupMethod(types.NewMethodSet(t), name, isMarshal) != nil
}

// checkOneWay reports types that Go writes in another form than it reads them in. Of promoted methods that is said
// where they are declared.
func (d describer) checkOneWay(t *typ, goType types.Type, m marshalMethods, marks []markers.Marker) {
	declared := find(marks, markType)
	plain := jsonTypeOf(goType)
	switch {
	case m.promoted():
	case m.marshalJSON != nil:
		if m.unmarshalJSON == nil && m.unmarshalText == nil && declared != nil && plain != declared.Arg("").Text {
			d.oneWay(t, "MarshalJSON", "UnmarshalJSON")
		}
	case m.unmarshalJSON != nil:
	case m.marshalText != nil && m.unmarshalText == nil && plain != "string":
		d.oneWay(t, "MarshalText", "UnmarshalText")
	case m.marshalText == nil && m.unmarshalText != nil && len(m.unmarshalText.path) == 1 && plain != "string":
		d.oneWay(t, "UnmarshalText", "MarshalText")
	}
}

// oneWay reports a type that has a method, and lacks its counterpart.
func (d describer) oneWay(t *typ, has, lacks string) {
	d.mistake(diag.Errorf(t.decl.At, typeOneWay,
		"type %s has %s, but not %s: Go does not read what it writes", t.name, has, lacks).
		Help("give the type %s", lacks))
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

// checkFieldsLost reports a struct that is written, or read, by the method of an embedded field, which knows nothing of
// the others.
func (d describer) checkFieldsLost(sc *scope, st *ast.StructType, m marshalMethods, owner string) {
	if st == nil {
		return
	}
	does, by := "writes", m.marshal()
	if by == nil {
		does, by = "reads", cmp.Or(m.unmarshalJSON, m.unmarshalText)
	}
	if by == nil || len(by.path) == 1 {
		return
	}
	from := fieldAt(st, by.path[0])
	for _, f := range st.Fields.List {
		tag, _ := load.Tag(f).Lookup("json")
		if f == from || tag == "-" {
			continue
		}
		name := f.Type
		for _, ident := range f.Names {
			if name = nil; ident.IsExported() {
				name = ident
				break
			}
		}
		if name != nil {
			d.mistake(diag.Errorf(sc.span(name), fieldLost,
				"Go %s %s by the %s of the embedded %s, which knows nothing of field %s",
				does, owner, by.fn.Name(), embeddedName(from.Type), types.ExprString(name)).
				Help("give the embedded field a name, or give the type a %s of its own, with a Type marker", by.fn.Name()))
			return
		}
	}
}

// withoutMethods returns the type expression that a declaration stands for in JSON, and its scope. A type that is
// declared as another one (type A B) has none of its methods: where B marshals itself, A is what B is declared as.
func (d describer) withoutMethods(t *typ, sc *scope) (*scope, ast.Expr) {
	expr := t.decl.Spec.Type
	if d.opts.Compat || t.decl.Spec.Assign.IsValid() {
		return sc, expr
	}
	for {
		if _, isStruct := ast.Unparen(expr).(*ast.StructType); isStruct {
			return sc, expr
		}
		from, ok := types.Unalias(goType(sc, expr)).(*types.Named)
		if !ok || from.Obj().Pkg() == nil {
			return sc, expr
		}
		m := methodsOf(from)
		if m.marshal() == nil && !isJSONNumber(from) {
			return sc, expr
		}
		base, inner := d.declared(sc, expr)
		if base == nil { // nothing but its methods is known of the type
			name := from.Obj().Pkg().Name() + "." + from.Obj().Name()
			d.mistake(diag.Errorf(t.decl.At, typeMethods,
				"type %s is declared as %s, but has none of its methods: Go writes it in another form",
				t.name, name).Help("make it an alias: type %s = %s, or embed it in a struct", t.decl.Name, name))
			return sc, expr
		}
		if m.marshalJSON == nil || find(d.reader().typeMarkers(base), markType) != nil {
			d.deviate(marshalForms, t.decl.At)
		}
		sc, expr = inner, base.Spec.Type
	}
}

// checkAddressable reports a map whose values hold a type that only a pointer to it marshals: Go cannot take the
// address of a map's values, and writes such a type as if it had no methods.
func (d describer) checkAddressable(sc *scope, e *ast.MapType, value *node) {
	if t := byPointerOnly(value, map[*node]bool{}); t != nil {
		d.mistake(d.reached(diag.Errorf(sc.span(e.Value), typeAddress,
			"Go cannot take the address of a map's values, which the marshal method of %s needs: it writes the plain Go value",
			t.name).
			Help("use pointers as values: map[…]*%s, or give the method a value receiver", types.ExprString(e.Value))))
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
