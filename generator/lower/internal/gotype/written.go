package gotype

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/internal/gojson"
)

// This file reads from the body of MarshalJSON whether its JSON is that of the fields.

// A writer is the MarshalJSON of a declared type. It follows what each name in the method stands for: values whose JSON
// is that of a type without methods, and the bytes that json.Marshal made of them.
type writer struct {
	decl     *load.TypeDecl
	receiver string
	// types are the types that the method declares, and locals the types of its variables; nil if they are unknown.
	types, locals map[string]ast.Expr
	// encoded are the types of which the bytes in a variable are the JSON; nil if that is unknown.
	encoded map[string]ast.Expr
}

// writesFields reports whether MarshalJSON of a type writes what encoding/json would write without it, as in
//
//	type plain T
//	return json.Marshal((*plain)(t))
//
// or with fewer fields, or other omitted ones. If it cannot tell, it returns the result that it cannot follow.
func writesFields(decl *load.TypeDecl, t types.Type) (ok bool, unclear ast.Node) {
	fn := decl.Pkg.Method(decl.Name, "MarshalJSON")
	if fn == nil || fn.Body == nil || gojson.MethodsOf(t.Underlying()).Marshal() != nil {
		return false, nil
	}
	w := &writer{
		decl: decl, types: map[string]ast.Expr{}, locals: map[string]ast.Expr{}, encoded: map[string]ast.Expr{},
	}
	if names := fn.Recv.List[0].Names; len(names) == 1 {
		w.receiver = names[0].Name
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if w.returnsFields(n) {
				ok = true
			} else if !returnsNothing(n) && unclear == nil {
				unclear = n
			}
		default:
			w.follow(n)
		}
		return true
	})
	return ok && unclear == nil, unclear
}

// follow notes what a statement declares or assigns.
func (w *writer) follow(n ast.Node) {
	switch n := n.(type) {
	case *ast.TypeSpec:
		if !n.Assign.IsValid() {
			w.types[n.Name.Name] = n.Type
		}
	case *ast.ValueSpec:
		for i, name := range n.Names {
			switch {
			case n.Type != nil:
				w.assign(w.locals, name, n.Type)
			case len(n.Values) == len(n.Names):
				w.assign(w.locals, name, w.typeOf(n.Values[i]))
			}
		}
	case *ast.AssignStmt:
		w.followAssignment(n)
	case *ast.CallExpr:
		if name, ok := calledOn(n, "SetNested"); ok {
			w.assign(w.locals, name, nil)
		}
	}
}

// calledOn returns the variable that is the first argument of a call, if the name of the function has a prefix.
func calledOn(call *ast.CallExpr, prefix string) (*ast.Ident, bool) {
	fun, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !strings.HasPrefix(fun.Sel.Name, prefix) || len(call.Args) == 0 {
		return nil, false
	}
	name, ok := call.Args[0].(*ast.Ident)
	return name, ok
}

func (w *writer) followAssignment(n *ast.AssignStmt) {
	for i, to := range n.Lhs {
		if entry, ok := to.(*ast.IndexExpr); ok {
			if name, ok := entry.X.(*ast.Ident); ok {
				w.assign(w.locals, name, nil)
			}
		}
		name, ok := to.(*ast.Ident)
		if !ok {
			continue // a field of a value, which keeps its type
		}
		if i == 0 && len(n.Rhs) == 1 && len(n.Lhs) == 2 {
			w.assign(w.encoded, name, w.marshaled(n.Rhs[0]))
			w.assign(w.locals, name, w.unstructured(n.Rhs[0]))
		} else if n.Tok == token.DEFINE && len(n.Rhs) == len(n.Lhs) {
			w.assign(w.locals, name, w.typeOf(n.Rhs[i]))
		} else {
			w.assign(w.encoded, name, nil)
		}
	}
}

// assign notes the type of a variable. A name that has had another type stands for nothing that is known.
func (w *writer) assign(to map[string]ast.Expr, name *ast.Ident, typ ast.Expr) {
	if old, had := to[name.Name]; had && (old == nil || typ == nil || types.ExprString(old) != types.ExprString(typ)) {
		typ = nil
	}
	to[name.Name] = typ
}

// returnsFields reports whether a return statement returns the JSON of the fields.
func (w *writer) returnsFields(n *ast.ReturnStmt) bool {
	switch len(n.Results) {
	case 1:
		return w.hasFields(w.marshaled(n.Results[0]))
	case 2:
		data, ok := n.Results[0].(*ast.Ident)
		return ok && w.hasFields(w.encoded[data.Name])
	}
	return false
}

// returnsNothing reports whether a return statement returns an error or null.
func returnsNothing(n *ast.ReturnStmt) bool {
	if len(n.Results) != 2 {
		return false
	}
	text := types.ExprString(n.Results[0])
	return text == "nil" || text == `[]byte("null")`
}

// marshaled returns the type of what a call of json.Marshal encodes, nil for other expressions.
func (w *writer) marshaled(e ast.Expr) ast.Expr {
	call, ok := e.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return nil
	}
	fun, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || fun.Sel.Name != "Marshal" {
		return nil
	}
	if pkg, ok := fun.X.(*ast.Ident); ok && pkg.Name == "json" {
		return w.typeOf(call.Args[0])
	}
	return nil
}

// unstructured returns the type of what a call of ToUnstructured (k8s.io/apimachinery/pkg/runtime) makes a map of: its
// JSON is that of the map, as long as entries are only removed.
func (w *writer) unstructured(e ast.Expr) ast.Expr {
	call, ok := e.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return nil
	}
	if fun, ok := call.Fun.(*ast.SelectorExpr); ok && fun.Sel.Name == "ToUnstructured" {
		return w.typeOf(call.Args[0])
	}
	return nil
}

// typeOf returns the type of a value, whether it is behind a pointer or not; nil if it is unknown.
func (w *writer) typeOf(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.Ident:
		return w.locals[e.Name]
	case *ast.ParenExpr:
		return w.typeOf(e.X)
	case *ast.StarExpr:
		return w.typeOf(e.X)
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			return w.typeOf(e.X)
		}
	case *ast.CompositeLit:
		return e.Type
	case *ast.SelectorExpr:
		if x, ok := e.X.(*ast.Ident); ok && x.Name == w.receiver {
			return w.fieldType(e.Sel.Name)
		}
	case *ast.CallExpr: // a conversion
		if len(e.Args) == 1 && w.isType(pointee(e.Fun)) {
			return pointee(e.Fun)
		}
	}
	return nil
}

// isType reports whether an expression that is called is a type that the receiver is converted to: one of the method,
// one of the package, or the one that the receiver is declared with.
func (w *writer) isType(e ast.Expr) bool {
	if types.ExprString(e) == types.ExprString(w.decl.Spec.Type) {
		return true
	}
	name, ok := e.(*ast.Ident)
	return ok && (w.types[name.Name] != nil || w.decl.Pkg.Lookup(name.Name) != nil)
}

// pointee returns what a type is without parentheses and pointers.
func pointee(e ast.Expr) ast.Expr {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		default:
			return e
		}
	}
}

// fieldType returns the type of a field of the receiver.
func (w *writer) fieldType(name string) ast.Expr {
	for _, f := range w.fields() {
		if len(f.Names) == 0 && embeddedName(f.Type) == name {
			return pointee(f.Type)
		}
	}
	return nil
}

// fields returns the fields of the receiver's declaration that have JSON.
func (w *writer) fields() []*ast.Field {
	st, ok := ast.Unparen(w.decl.Spec.Type).(*ast.StructType)
	if !ok {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(st.Fields.List), func(f *ast.Field) bool {
		return keyOf(f) == "-" || len(f.Names) == 1 && !f.Names[0].IsExported()
	})
}

// keyOf returns the key of a field in JSON, "" for an embedded one without a name.
func keyOf(f *ast.Field) string {
	tag, _ := load.Tag(f).Lookup("json")
	name, _, _ := strings.Cut(tag, ",")
	if name == "" && len(f.Names) == 1 {
		return f.Names[0].Name
	}
	return name
}

// hasFields reports whether the JSON of a type is that of the receiver's fields, or of some of them.
func (w *writer) hasFields(t ast.Expr) bool {
	if t == nil {
		return false
	}
	t = pointee(t)
	if st, ok := t.(*ast.StructType); ok {
		return !slices.ContainsFunc(st.Fields.List, func(f *ast.Field) bool { return !w.hasField(f) })
	}
	if w.isPlain(t) {
		return true
	}
	fields := w.fields()
	return len(fields) == 1 && keyOf(fields[0]) == "" &&
		types.ExprString(pointee(fields[0].Type)) == types.ExprString(t)
}

// isPlain reports whether a type is that of the receiver without its methods, or what it is declared with.
func (w *writer) isPlain(t ast.Expr) bool {
	name, ok := t.(*ast.Ident)
	if !ok {
		return types.ExprString(t) == types.ExprString(w.decl.Spec.Type)
	}
	if local := w.types[name.Name]; local != nil {
		delete(w.types, name.Name) // while it is followed: it may contain a pointer to itself
		defer func() { w.types[name.Name] = local }()
		return types.ExprString(local) == w.decl.Name || w.hasFields(local)
	}
	d := w.decl.Pkg.Lookup(name.Name)
	if d == nil {
		return types.Universe.Lookup(name.Name) != nil && name.Name == types.ExprString(w.decl.Spec.Type)
	}
	return types.ExprString(d.Spec.Type) == w.decl.Name && d.Pkg.Method(d.Name, "MarshalJSON") == nil &&
		d.Pkg.Method(d.Name, "MarshalText") == nil
}

// hasField reports whether a field of a struct that is marshaled instead is one of the receiver.
func (w *writer) hasField(f *ast.Field) bool {
	key := keyOf(f)
	if key == "" && w.hasFields(f.Type) || key == "-" {
		return true
	}
	return slices.ContainsFunc(w.fields(), func(own *ast.Field) bool {
		return keyOf(own) == key && types.ExprString(pointee(own.Type)) == types.ExprString(pointee(f.Type))
	})
}
