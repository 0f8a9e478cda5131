package lower

import (
	"cmp"
	"go/ast"
	"go/types"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/internal/gojson"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/schema"
)

// describeCompatMarshaler describes a type that marshals itself as controller-gen does: as its Type marker says, or
// as a string if it marshals to text. It returns false if the declaration must be followed anyway.
func (d describer) describeCompatMarshaler(t *typ, _ *scope, marks []markers.Marker) bool {
	obj := t.decl.Pkg.Types.Scope().Lookup(t.decl.Name)
	if obj == nil {
		return false
	}
	switch m := gojson.MethodsOf(obj.Type()); {
	case m.MarshalJSON != nil:
		declared := find(marks, markType)
		if (declared == nil || declared.Arg("").Text == "") && !hasConstantsMarker(marks) {
			return false
		}
		t.node = &node{s: schema.Schema{At: t.decl.At}}
	case m.MarshalText != nil:
		t.node = &node{s: schema.Schema{At: t.decl.At, Type: schema.Text{V: "string"}}}
	default:
		return false
	}
	d.applyText(t, marks)
	return true
}

// applyText applies the markers of a type with a marshal method.
func (d describer) applyText(t *typ, marks []markers.Marker) {
	text := t.node.s.Type.V == "string"
	d.applier().apply(t.node, marks, target{decl: t.decl})
	if !d.opts.With(marshalForms) && text && t.node.s.Type.V != "string" {
		d.report(diag.Errorf(t.node.s.Type.At, typeConflict,
			"type %s implements encoding.TextMarshaler, so its JSON form is a string, not %s", t.name,
			t.node.s.Type.V).
			Help("remove the marker, or add MarshalJSON to the type"))
	}
}

// describeMarshaler describes a type with a marshal method. It returns false for other types, and for those that only
// their fields describe.
func (d describer) describeMarshaler(t *typ, sc *scope, marks []markers.Marker) bool {
	obj := t.decl.Pkg.Types.Scope().Lookup(t.decl.Name)
	if obj == nil || t.decl.Spec.Assign.IsValid() {
		return false // an alias is the same type
	}
	m := gojson.MethodsOf(obj.Type())
	t.byPointer = m.ByPointer
	d.checkOneWay(t, obj.Type(), m, marks)
	st, inner := d.structOf(sc, t.decl.Spec.Type)
	d.checkFieldsLost(inner, st, m, "type "+t.name)
	if m.Promoted() && st != nil && !m.Marshal().OfInterface() && find(marks, markType) == nil {
		t.node = d.promoted(inner, st, m)
		if t.node.jsonType() != "object" {
			d.deviate(marshalForms, t.decl.At)
		}
		t.node.s.Description = docText(t.decl.Doc, t.decl.At)
	} else if t.node = d.marshaled(t, obj.Type(), m, marks); t.node == nil {
		return false
	}
	t.node.s.At = t.decl.At
	d.applyText(t, marks)
	return true
}

// promoted describes a struct with the marshal method of an embedded field: it has the form of that field.
func (d describer) promoted(sc *scope, st *ast.StructType, m gojson.Methods) *node {
	embedded := fieldAt(st, m.Marshal().Path[0])
	n := d.expr(sc, embedded.Type)
	n.byPointer, n.sort, n.zero = false, structSort, nil
	f := &field{syntax: embedded, decl: sc.decl}
	d.applier().apply(n, d.reader().fieldMarkers(sc.decl, embedded), target{decl: sc.decl, field: f})
	return n
}

// marshaled describes the JSON form of a type with a method for it: a string if it writes text, what the Type marker
// says, or unknown. It is nil for a type without methods, and for one that is an object or a list by its Type marker:
// the declaration describes what it contains. It is nil too if mistakes are tolerated: the declaration is then the best
// guess.
func (d describer) marshaled(t *typ, goType types.Type, m gojson.Methods, marks []markers.Marker) *node {
	declared := find(marks, markType)
	preserves := find(marks, markPreserve) != nil || find(marks, markXPreserve) != nil
	switch {
	case m.Marshal() == nil:
		return nil
	case m.Promoted() && strings.HasPrefix(m.Marshal().Receiver(), gojson.EmbeddedBy):
		n := dateTime() // of time.Time, the only type embedded in a known one
		if d.opts.With(knownForms) {
			n = goTime()
			n.deviation = knownForms
		}
		n.zero = zeroText(findKnown("time", "Time").zero)
		return n
	case m.MarshalJSON == nil:
		return text()
	case declared != nil:
		return d.stated(t, goType, declared.Arg("").Text, preserves)
	case hasConstantsMarker(marks):
		return &node{}
	case preserves && gojson.TypeOf(goType) == "object":
		if gojson.HasFields(goType) {
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

// unknownForm reports a type with a marshal method, unless markers state its JSON form.
func unknownForm(t *typ) *diag.Diagnostic {
	d := diag.Errorf(t.decl.At, typeMarshaler,
		"type %s implements json.Marshaler; its JSON form cannot be derived from the fields", t.name).
		Help("state its JSON type on the type or the field, as in +kubebuilder:validation:Type=string (object keeps " +
			"the fields of a struct; items:Type is for items); for any JSON use " +
			"+kubebuilder:pruning:PreserveUnknownFields")
	return &d
}

// stated describes a type whose Type marker states what its method writes; nil if its declaration describes the rest.
func (d describer) stated(t *typ, goType types.Type, jsonType string, preserves bool) *node {
	isComposite := jsonType == "object" || jsonType == "array"
	switch {
	case !isComposite || preserves:
	case gojson.TypeOf(goType) == jsonType && gojson.HasFields(goType):
		d.deviate(marshalForms, t.decl.At)
		return nil
	case jsonType == "object": // a field may still say more
		return &node{unknown: unknownForm(t)}
	}
	return &node{}
}

// checkOneWay reports types that Go encodes in one form and decodes in another. Promoted methods are reported where
// they are declared.
func (d describer) checkOneWay(t *typ, goType types.Type, m gojson.Methods, marks []markers.Marker) {
	declared := find(marks, markType)
	plain := gojson.TypeOf(goType)
	switch {
	case m.Promoted():
	case m.MarshalJSON != nil:
		if m.UnmarshalJSON == nil && m.UnmarshalText == nil && declared != nil && plain != declared.Arg("").Text {
			d.oneWay(t, "MarshalJSON", "UnmarshalJSON")
		}
	case m.UnmarshalJSON != nil:
	case m.MarshalText != nil && m.UnmarshalText == nil && plain != "string":
		d.oneWay(t, "MarshalText", "UnmarshalText")
	case m.MarshalText == nil && m.UnmarshalText != nil && len(m.UnmarshalText.Path) == 1 && plain != "string":
		d.oneWay(t, "UnmarshalText", "MarshalText")
	}
}

// oneWay reports a type that has a method, and lacks its counterpart.
func (d describer) oneWay(t *typ, has, lacks string) {
	d.mistake(diag.Errorf(t.decl.At, typeOneWay,
		"type %s has %s but not %s, so Go cannot decode what it encodes", t.name, has, lacks).
		Help("add %s to the type", lacks))
}

// checkFieldsLost reports a struct that is encoded or decoded by the method of an embedded field, which ignores the
// other fields.
func (d describer) checkFieldsLost(sc *scope, st *ast.StructType, m gojson.Methods, owner string) {
	if st == nil {
		return
	}
	does, by := "encodes", m.Marshal()
	if by == nil {
		does, by = "decodes", cmp.Or(m.UnmarshalJSON, m.UnmarshalText)
	}
	if by == nil || len(by.Path) == 1 {
		return
	}
	from := fieldAt(st, by.Path[0])
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
				"Go %s %s with the %s of the embedded %s, which ignores field %s",
				does, owner, by.Func.Name(), embeddedName(from.Type), types.ExprString(name)).
				Help("name the embedded field, or add %s and a Type marker to the type",
					by.Func.Name()))
			return
		}
	}
}

// withoutMethods returns the type expression that decides the JSON form of a declaration, and its scope. A type that is
// declared as another one (type A B) does not have its methods: if B has a marshal method, A has the form of B's
// declaration.
func (d describer) withoutMethods(t *typ, sc *scope) (*scope, ast.Expr) {
	expr := t.decl.Spec.Type
	if !d.opts.With(marshalForms) || t.decl.Spec.Assign.IsValid() {
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
		m := gojson.MethodsOf(from)
		if m.Marshal() == nil && !isJSONNumber(from) {
			return sc, expr
		}
		base, inner := d.declared(sc, expr)
		if base == nil { // only the methods of the type are known
			name := from.Obj().Pkg().Name() + "." + from.Obj().Name()
			d.mistake(diag.Errorf(t.decl.At, typeMethods,
				"type %s is declared as %s but does not have its methods, so Go encodes it differently",
				t.name, name).Help("make it an alias: type %s = %s, or embed it in a struct", t.decl.Name, name))
			return sc, expr
		}
		if m.MarshalJSON == nil || find(d.reader().typeMarkers(base), markType) != nil {
			d.deviate(marshalForms, t.decl.At)
		}
		sc, expr = inner, base.Spec.Type
	}
}

// checkAddressable reports a map whose values contain a type with a marshal method that has a pointer receiver: Go
// cannot take the address of a map's values, and encodes such a type as if it had no methods.
func (d describer) checkAddressable(sc *scope, e *ast.MapType, value *node) {
	if t := byPointerOnly(value, map[*node]bool{}); t != nil {
		d.mistake(d.reached(diag.Errorf(sc.span(e.Value), typeAddress,
			"the marshal method of %s needs an address, which values of a map do not have: Go ignores the method",
			t.name).
			Help("use *%s as the values of the map, or a value receiver for the method", types.ExprString(e.Value))))
	}
}

// byPointerOnly returns a type that a value contains directly and that has a marshal method with a pointer receiver, or
// nil.
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
	held := n.held()
	if n.sort == arraySort {
		held = append(held, n.items)
	}
	for _, child := range held {
		if t := byPointerOnly(child, seen); t != nil {
			return t
		}
	}
	return nil
}
