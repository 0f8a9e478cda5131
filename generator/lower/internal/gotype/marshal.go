package gotype

import (
	"cmp"
	"go/ast"
	"go/types"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/generator/lower/internal/checks"
	"github.com/crdproof/crdproof/generator/lower/internal/node"
	"github.com/crdproof/crdproof/generator/lower/internal/options"
	"github.com/crdproof/crdproof/generator/lower/internal/read"
	"github.com/crdproof/crdproof/internal/gojson"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/schema"
)

// describeCompatMarshaler describes a type that marshals itself as controller-gen does: as its Type marker says, or
// as a string if it marshals to text. It returns false if the declaration must be followed anyway.
func (d Describer) describeCompatMarshaler(t *node.Type, _ *scope, marks []markers.Marker) bool {
	obj := t.Decl.Pkg.Types.Scope().Lookup(t.Decl.Name)
	if obj == nil {
		return false
	}
	switch m := gojson.MethodsOf(obj.Type()); {
	case m.MarshalJSON != nil:
		declared := read.Find(marks, read.MarkType)
		if (declared == nil || declared.Arg("").Text == "") && !read.HasConstantsMarker(marks) {
			return false
		}
		t.Node = &node.Node{Own: schema.Schema{At: t.Decl.At}}
	case m.MarshalText != nil:
		t.Node = &node.Node{Own: schema.Schema{At: t.Decl.At, Type: schema.Text{V: "string"}}}
	default:
		return false
	}
	d.applyText(t, marks)
	return true
}

// applyText applies the markers of a type with a marshal method.
func (d Describer) applyText(t *node.Type, marks []markers.Marker) {
	text := t.Node.Own.Type.V == "string"
	d.applier().Apply(t.Node, marks, node.Target{Decl: t.Decl})
	if !d.Opts.With(options.MarshalForms) && text && t.Node.Own.Type.V != "string" {
		d.Report(diag.Errorf(t.Node.Own.Type.At, checks.TypeConflict,
			"type %s implements encoding.TextMarshaler, so its JSON form is a string, not %s", t.Name,
			t.Node.Own.Type.V).
			Help("remove the marker, or add MarshalJSON to the type"))
	}
}

// describeMarshaler describes a type with a marshal method. It returns false for other types, and for those that only
// their fields describe.
func (d Describer) describeMarshaler(t *node.Type, sc *scope, marks []markers.Marker) bool {
	obj := t.Decl.Pkg.Types.Scope().Lookup(t.Decl.Name)
	if obj == nil || t.Decl.Spec.Assign.IsValid() {
		return false // an alias is the same type
	}
	m := gojson.MethodsOf(obj.Type())
	t.ByPointer = m.ByPointer
	d.checkOneWay(t, obj.Type(), m, marks)
	st, inner := d.structOf(sc, t.Decl.Spec.Type)
	d.checkFieldsLost(inner, st, m, "type "+t.Name)
	if m.Promoted() && st != nil && !m.Marshal().OfInterface() && read.Find(marks, read.MarkType) == nil {
		t.Node = d.promoted(inner, st, m)
		if t.Node.JSONType() != "object" {
			d.Deviate(options.MarshalForms, t.Decl.At)
		}
		t.Node.Own.Description = d.docText(t.Decl.Doc, t.Decl.At)
	} else if t.Node = d.marshaled(t, obj.Type(), m, marks); t.Node == nil {
		return false
	}
	t.Node.Own.At = t.Decl.At
	d.applyText(t, marks)
	return true
}

// promoted describes a struct with the marshal method of an embedded field: it has the form of that field.
func (d Describer) promoted(sc *scope, st *ast.StructType, m gojson.Methods) *node.Node {
	embedded := fieldAt(st, m.Marshal().Path[0])
	n := d.expr(sc, embedded.Type)
	n.ByPointer, n.Sort, n.Zero = false, node.StructSort, nil
	f := &node.Field{Syntax: embedded, Decl: sc.decl}
	d.applier().Apply(n, d.reader().FieldMarkers(sc.decl, embedded), node.Target{Decl: sc.decl, Field: f})
	return n
}

// marshaled describes the JSON form of a type with a method for it: a string if it writes text, what the Type marker
// says, or unknown. It is nil for a type without methods, and for one that is an object or a list by its Type marker:
// the declaration describes what it contains. It is nil too if mistakes are tolerated: the declaration is then the best
// guess.
func (d Describer) marshaled(t *node.Type, goType types.Type, m gojson.Methods, marks []markers.Marker) *node.Node {
	declared := read.Find(marks, read.MarkType)
	preserves := read.Find(marks, read.MarkPreserve) != nil || read.Find(marks, read.MarkXPreserve) != nil
	switch {
	case m.Marshal() == nil:
		return nil
	case m.Promoted() && strings.HasPrefix(m.Marshal().Receiver(), gojson.EmbeddedBy):
		n, k := dateTime(), findKnown("time", "Time") // the only type embedded in a known one
		d.narrow(n, k)
		n.Zero = zeroText(k.zero)
		return n
	case m.MarshalJSON == nil:
		return node.Text()
	case declared != nil:
		return d.stated(t, goType, declared.Arg("").Text, preserves)
	case read.HasConstantsMarker(marks):
		return &node.Node{}
	}
	fields, unclear := writesFields(t.Decl, goType)
	switch {
	case fields:
		t.ByPointer = false // Go writes the same without the method
		return nil
	case preserves && gojson.TypeOf(goType) == "object":
		if gojson.HasFields(goType) {
			d.Deviate(options.MarshalForms, t.Decl.At)
		}
		n := node.Object()
		n.Own.Description = d.docText(t.Decl.Doc, t.Decl.At)
		return n
	}
	unknown := unknownForm(t)
	if unclear != nil {
		*unknown = unknown.See(t.Decl.Pkg.Span(unclear),
			"as far as can be seen, this is not the JSON of the fields")
	}
	if d.Opts.Tolerate && !preserves {
		d.Mistake(*unknown)
		return nil
	}
	return &node.Node{Unknown: unknown}
}

// unknownForm reports a type with a marshal method, unless markers state its JSON form.
func unknownForm(t *node.Type) *diag.Diagnostic {
	d := diag.Errorf(t.Decl.At, checks.TypeMarshaler,
		"type %s implements json.Marshaler; its JSON form cannot be derived from the fields", t.Name).
		Help("state its JSON type on the type or the field, as in +kubebuilder:validation:Type=string (object keeps " +
			"the fields of a struct; items:Type is for items); for any JSON use " +
			"+kubebuilder:pruning:PreserveUnknownFields")
	return &d
}

// stated describes a type whose Type marker states what its method writes; nil if its declaration describes the rest.
func (d Describer) stated(t *node.Type, goType types.Type, jsonType string, preserves bool) *node.Node {
	isComposite := jsonType == "object" || jsonType == "array"
	switch {
	case !isComposite || preserves:
	case gojson.TypeOf(goType) == jsonType && gojson.HasFields(goType):
		d.Deviate(options.MarshalForms, t.Decl.At)
		return nil
	case jsonType == "object": // a field may still say more
		return &node.Node{Unknown: unknownForm(t)}
	}
	return &node.Node{}
}

// checkOneWay reports types that Go encodes in one form and decodes in another. Promoted methods are reported where
// they are declared.
func (d Describer) checkOneWay(t *node.Type, goType types.Type, m gojson.Methods, marks []markers.Marker) {
	declared := read.Find(marks, read.MarkType)
	plain := gojson.TypeOf(goType)
	switch {
	case m.Promoted():
	case m.MarshalJSON != nil:
		if m.UnmarshalJSON == nil && m.UnmarshalText == nil && declared != nil && plain != declared.Arg("").Text {
			d.reportOneWay(t, "MarshalJSON", "UnmarshalJSON")
		}
	case m.UnmarshalJSON != nil:
	case m.MarshalText != nil && m.UnmarshalText == nil && plain != "string":
		d.reportOneWay(t, "MarshalText", "UnmarshalText")
	case m.MarshalText == nil && m.UnmarshalText != nil && len(m.UnmarshalText.Path) == 1 && plain != "string":
		d.reportOneWay(t, "UnmarshalText", "MarshalText")
	}
}

// reportOneWay reports a type that has a method, and lacks its counterpart.
func (d Describer) reportOneWay(t *node.Type, has, lacks string) {
	d.Mistake(diag.Errorf(t.Decl.At, checks.TypeOneWay,
		"type %s has %s but not %s, so Go cannot decode what it encodes", t.Name, has, lacks).
		Help("add %s to the type", lacks))
}

// checkFieldsLost reports a struct that is encoded or decoded by the method of an embedded field, which ignores the
// other fields.
func (d Describer) checkFieldsLost(sc *scope, st *ast.StructType, m gojson.Methods, owner string) {
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
			d.Mistake(diag.Errorf(sc.span(name), checks.FieldLost,
				"Go %s %s with the %s of the embedded %s, which ignores field %s",
				does, owner, by.Func.Name(), embeddedName(from.Type), types.ExprString(name)).
				Help("name the embedded field, or add %s and a Type marker to the type", by.Func.Name()))
			return
		}
	}
}

// withoutMethods returns the type expression that decides the JSON form of a declaration, and its scope. A type that is
// declared as another one (type A B) does not have its methods: if B has a marshal method, A has the form of B's
// declaration.
func (d Describer) withoutMethods(t *node.Type, sc *scope) (*scope, ast.Expr) {
	expr := t.Decl.Spec.Type
	if !d.Opts.With(options.MarshalForms) || t.Decl.Spec.Assign.IsValid() {
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
			d.Mistake(diag.Errorf(t.Decl.At, checks.TypeMethods,
				"type %s is declared as %s but does not have its methods, so Go encodes it differently",
				t.Name, name).Help("make it an alias: type %s = %s, or embed it in a struct", t.Decl.Name, name))
			return sc, expr
		}
		if m.MarshalJSON == nil || read.Find(d.reader().TypeMarkers(base), read.MarkType) != nil {
			d.Deviate(options.MarshalForms, t.Decl.At)
		}
		sc, expr = inner, base.Spec.Type
	}
}

// checkAddressable reports a map whose values contain a type with a marshal method that has a pointer receiver: Go
// cannot take the address of a map's values, and encodes such a type as if it had no methods.
func (d Describer) checkAddressable(sc *scope, e *ast.MapType, value *node.Node) {
	if t := byPointerOnly(value, map[*node.Node]bool{}); t != nil {
		d.Mistake(d.Reached(diag.Errorf(sc.span(e.Value), checks.TypeAddress,
			"the marshal method of %s needs an address, which values of a map do not have: Go ignores the method",
			t.Name).
			Help("use *%s as the values of the map, or a value receiver for the method", types.ExprString(e.Value))))
	}
}

// byPointerOnly returns a type that a value contains directly and that has a marshal method with a pointer receiver, or
// nil.
func byPointerOnly(n *node.Node, seen map[*node.Node]bool) *node.Type {
	if n == nil || n.ByPointer || n.Cut || seen[n] {
		return nil
	}
	seen[n] = true
	if n.Ref != nil {
		if n.Ref.ByPointer {
			return n.Ref
		}
		return byPointerOnly(n.Ref.Node, seen)
	}
	held := n.Held()
	if n.Sort == node.ArraySort {
		held = append(held, n.Items)
	}
	for _, child := range held {
		if t := byPointerOnly(child, seen); t != nil {
			return t
		}
	}
	return nil
}
