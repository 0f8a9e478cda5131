package build

import (
	"cmp"
	"go/ast"
	"go/types"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/markers"
)

// typeOf returns the described type of a declaration; args are the arguments of a generic one.
func (b *builder) typeOf(pkg *load.Package, name string, args []typeArg) *typ {
	return b.described(typeKey{pkg: pkg, name: name}, args)
}

// described describes a type unless that has been done.
func (b *builder) described(key typeKey, args []typeArg) *typ {
	pkg, name := key.pkg, key.name
	shown := pkg.Name + "." + name
	if len(args) > 0 {
		var list []string
		for _, a := range args {
			list = append(list, b.argKey(a))
		}
		key.args = "[" + strings.Join(list, ",") + "]"
		shown += key.args
	}
	if t := b.types[key]; t != nil {
		return t
	}
	t := &typ{name: shown, decl: pkg.Lookup(name)}
	b.types[key] = t
	b.index(pkg)
	if pkg.IsOpaque(name) {
		t.node = b.knownNode(pkg.Path, name)
		return t
	}
	if t.decl == nil {
		t.node = &node{}
		return t
	}
	t.describing = true
	b.stack = append(b.stack, step{typ: t})
	sc := &scope{decl: t.decl, args: map[string]typeArg{}}
	if params := t.decl.Spec.TypeParams; params != nil {
		i := 0
		for _, field := range params.List {
			for _, n := range field.Names {
				if i < len(args) {
					sc.args[n.Name] = args[i]
				}
				i++
			}
		}
	}
	b.describe(t, sc)
	b.stack = b.stack[:len(b.stack)-1]
	t.describing = false
	return t
}

// index notes that a package has been looked at.
func (b *builder) index(pkg *load.Package) {
	for _, p := range b.indexed {
		if p == pkg {
			return
		}
	}
	b.indexed = append(b.indexed, pkg)
}

// describe fills the node of a declared type.
func (b *builder) describe(t *typ, sc *scope) {
	marks := b.typeMarkers(t.decl)
	if b.describeMarshaler(t, marks) {
		return
	}
	if st, ok := unparen(t.decl.Spec.Type).(*ast.StructType); ok {
		t.node = &node{s: schema.Schema{At: t.decl.At, Type: schema.Text{V: "object"}}}
		b.structInto(t.node, sc, st, t, marks)
	} else {
		t.node = b.expr(sc, t.decl.Spec.Type)
	}
	t.node.s.At = t.decl.At
	t.node.s.Description = b.text(t.decl.Doc, t.decl.At)
	b.apply(t.node, marks, target{decl: t.decl})
	b.checkOneOf(t, marks)
}

// describeMarshaler describes a type that marshals itself: as its Type marker says, or as a string where it marshals
// to text. It returns false where the declaration has to be followed all the same.
func (b *builder) describeMarshaler(t *typ, marks []markers.Marker) bool {
	obj := t.decl.Pkg.Types.Scope().Lookup(t.decl.Name)
	if obj == nil {
		return false
	}
	switch {
	case hasMarshal(obj.Type(), "MarshalJSON"):
		declared := find(marks, "kubebuilder:validation:Type")
		if (declared == nil || declared.Arg("").Text == "") && !hasConstantsMarker(marks) {
			return false
		}
		t.node = &node{s: schema.Schema{At: t.decl.At}}
	case hasMarshal(obj.Type(), "MarshalText"):
		t.node = &node{s: schema.Schema{At: t.decl.At, Type: schema.Text{V: "string"}}}
	default:
		return false
	}
	text := t.node.s.Type.V == "string"
	b.apply(t.node, marks, target{decl: t.decl})
	if text && t.node.s.Type.V != "string" {
		b.refuse(textMarshalerType(t, t.node.s.Type))
	}
	return true
}

// hasMarshal reports whether a type or its pointer has a method `name() ([]byte, error)`.
func hasMarshal(t types.Type, name string) bool {
	if _, ok := t.Underlying().(*types.Interface); !ok {
		t = types.NewPointer(t)
	}
	m := types.NewMethodSet(t).Lookup(nil, name)
	if m == nil {
		return false
	}
	sig, ok := m.Type().(*types.Signature)
	if !ok || sig.Params().Len() != 0 || sig.Results().Len() != 2 {
		return false
	}
	slice, ok := types.Unalias(sig.Results().At(0).Type()).(*types.Slice)
	if !ok {
		return false
	}
	elem, ok := slice.Elem().(*types.Basic)
	return ok && elem.Kind() == types.Byte && types.Identical(sig.Results().At(1).Type(), types.Universe.Lookup("error").Type())
}

func unparen(e ast.Expr) ast.Expr {
	for {
		p, ok := e.(*ast.ParenExpr)
		if !ok {
			return e
		}
		e = p.X
	}
}

// expr describes a type expression. The result is new, so that markers can be applied to it.
func (b *builder) expr(sc *scope, e ast.Expr) *node {
	at := sc.span(e)
	var n *node
	switch e := e.(type) {
	case *ast.ParenExpr:
		return b.expr(sc, e.X)
	case *ast.StarExpr:
		return b.expr(sc, e.X)
	case *ast.Ident:
		n = b.ident(sc, e)
	case *ast.SelectorExpr:
		n = b.named(sc, e, e.Sel, nil)
	case *ast.IndexExpr:
		n = b.instance(sc, e, e.X, []ast.Expr{e.Index})
	case *ast.IndexListExpr:
		n = b.instance(sc, e, e.X, e.Indices)
	case *ast.ArrayType:
		n = b.array(sc, e)
	case *ast.MapType:
		n = b.mapping(sc, e)
	case *ast.StructType:
		n = &node{s: object()}
		b.structInto(n, sc, e, nil, nil)
	case *ast.InterfaceType:
		b.refuse(b.unsupported(at, "an interface", interfaceHelp))
	case *ast.ChanType:
		b.refuse(b.unsupported(at, "a channel", "give the field the tag `json:\"-\"`"))
	case *ast.FuncType:
		b.refuse(b.unsupported(at, "a function", "give the field the tag `json:\"-\"`"))
	default:
		b.refuse(b.unsupported(at, types.ExprString(e), "use a named type"))
	}
	if n == nil {
		n = &node{}
	}
	n.s.At = at
	return n
}

// within describes a part of the current type.
func (b *builder) within(part string, at diag.Span, describe func() *node) *node {
	b.stack = append(b.stack, step{part: part, at: at})
	n := describe()
	b.stack = b.stack[:len(b.stack)-1]
	return n
}

func (b *builder) array(sc *scope, e *ast.ArrayType) *node {
	if e.Len == nil && b.resolved(sc, e.Elt) == types.Universe.Lookup("byte").Type() {
		return &node{s: schema.Schema{Type: schema.Text{V: "string"}, Format: schema.Text{V: "byte"}}}
	}
	items := b.within("[]", sc.span(e.Elt), func() *node { return b.expr(sc, e.Elt) })
	return &node{s: schema.Schema{Type: schema.Text{V: "array"}}, items: items}
}

func (b *builder) mapping(sc *scope, e *ast.MapType) *node {
	if !isText(b.resolved(sc, e.Key)) {
		b.refuse(b.mapKey(sc.span(e.Key), types.ExprString(e.Key)))
		return &node{}
	}
	value := b.within("{}", sc.span(e.Value), func() *node { return b.expr(sc, e.Value) })
	return &node{s: object(), additional: value}
}

// isText reports whether values of a type can be keys of a JSON object.
func isText(t types.Type) bool {
	if t == nil {
		return false
	}
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsString != 0 || hasMarshal(t, "MarshalText")
}

// resolved is the checked type of a name, with type parameters replaced, and nil for any other expression.
func (b *builder) resolved(sc *scope, e ast.Expr) types.Type {
	if ident, ok := unparen(e).(*ast.Ident); ok {
		if arg, ok := sc.args[ident.Name]; ok {
			return b.resolved(arg.scope, arg.expr)
		}
	}
	return sc.decl.Pkg.TypeOf(e)
}

// ident describes an unqualified name: a predeclared type, a type parameter, a type of the package or of a dot import.
func (b *builder) ident(sc *scope, e *ast.Ident) *node {
	if arg, ok := sc.args[e.Name]; ok {
		return b.expr(arg.scope, arg.expr)
	}
	obj, ok := sc.decl.Pkg.Info.Uses[e].(*types.TypeName)
	if !ok {
		b.refuseUndefined(sc, e, e.Name)
		return &node{}
	}
	if obj.Pkg() != nil {
		return b.named(sc, e, e, nil)
	}
	switch t := types.Unalias(obj.Type()).(type) {
	case *types.Basic:
		return b.basic(sc.span(e), t)
	default:
		b.refuse(b.unsupported(sc.span(e), "the interface "+e.Name, interfaceHelp))
		return &node{}
	}
}

// refuseUndefined reports a name that stands for nothing, unless that is the consequence of a file that does not parse or
// of a package that was not found, which load reports.
func (b *builder) refuseUndefined(sc *scope, e ast.Expr, name string) {
	if !sc.decl.Pkg.Broken() && !sc.decl.ImportFailed(e) {
		b.refuse(b.undefined(sc, e, name))
	}
}

// basic describes a predeclared type.
func (b *builder) basic(at diag.Span, t *types.Basic) *node {
	n := &node{}
	info := t.Info()
	switch {
	case info&types.IsBoolean != 0:
		n.s.Type.V = "boolean"
	case info&types.IsString != 0:
		n.s.Type.V = "string"
	case info&types.IsInteger != 0:
		n.s.Type.V = "integer"
	case info&types.IsFloat != 0 && b.opts.AllowDangerousTypes:
		n.s.Type.V = "number"
	case info&types.IsFloat != 0:
		b.refuse(b.float(at, t.Name()))
	default:
		b.refuse(b.unsupported(at, t.Name(), "use a string, or a type of your own with MarshalJSON and a Type marker"))
	}
	switch t.Kind() {
	case types.Int32, types.Uint32:
		n.s.Format.V = "int32"
	case types.Int64, types.Uint64:
		n.s.Format.V = "int64"
	}
	return n
}

// named describes a reference to a declared type.
func (b *builder) named(sc *scope, e ast.Expr, name *ast.Ident, args []typeArg) *node {
	obj, ok := sc.decl.Pkg.Info.Uses[name].(*types.TypeName)
	if !ok || obj.Type() == types.Typ[types.Invalid] && obj.Pkg() == nil {
		b.refuseUndefined(sc, e, types.ExprString(e))
		return &node{}
	}
	if obj.Pkg() == types.Unsafe {
		b.refuse(b.unsupported(sc.span(e), "unsafe.Pointer", "give the field the tag `json:\"-\"`"))
		return &node{}
	}
	local := obj.Pkg() == sc.decl.Pkg.Types
	if local && len(args) == 0 {
		obj = b.throughAlias(sc.decl.Pkg, obj)
	}
	pkg := b.program.PackageOf(obj.Pkg())
	if pkg == nil || pkg.Lookup(obj.Name()) == nil && !pkg.IsOpaque(obj.Name()) {
		b.refuseUndefined(sc, e, types.ExprString(e))
		return &node{}
	}
	if _, isInterface := obj.Type().Underlying().(*types.Interface); isInterface {
		b.refuse(b.unsupported(sc.span(e), "the interface "+types.ExprString(e), interfaceHelp))
		return &node{}
	}
	if len(args) > 0 && b.expands(pkg, obj.Name()) {
		b.refuse(b.unsupported(sc.span(e), "generic type "+types.ExprString(e)+", which expands without end,",
			"let it refer to itself with the same type arguments"))
		return &node{}
	}
	n := &node{}
	here := reference{at: sc.span(e), within: b.scopeKey(sc)}
	if cycle := b.cycles[here]; cycle != nil {
		n.ref, n.cut, n.cycle = &typ{}, true, cycle
		b.copyType(n, obj.Type(), false)
		return n
	}
	n.ref = b.typeOf(pkg, obj.Name(), args)
	if n.ref.describing {
		n.cut, n.cycle = true, b.cycle(n.ref, here.at)
		b.cycles[here] = n.cycle
		b.copyType(n, obj.Type(), false)
		return n
	}
	for _, d := range n.ref.wrong {
		if d != nil {
			b.stack = append(b.stack, step{typ: n.ref})
			b.report(*d)
			b.stack = b.stack[:len(b.stack)-1]
		}
	}
	b.copyType(n, obj.Type(), local)
	return n
}

// copyType gives a reference the JSON type of a list or a map, and of a scalar of the same package, as controller-gen
// does: it decides what k8s:required adds, and what a Type marker on the field conflicts with.
func (b *builder) copyType(n *node, t types.Type, local bool) {
	known := ""
	if !n.cut {
		known = n.ref.node.jsonType()
	}
	switch t.Underlying().(type) {
	case *types.Slice:
		n.s.Type.V = cmp.Or(known, "array")
	case *types.Map:
		n.s.Type.V = cmp.Or(known, "object")
	case *types.Basic:
		if local {
			n.s.Type.V = known
			n.s.Format.V = n.ref.node.format()
		}
	}
}

// format is the node's format as far as it is known without flattening.
func (n *node) format() string {
	if n.s.Format.V != "" || n.ref == nil || n.cut || n.ref.node == nil {
		return n.s.Format.V
	}
	return n.ref.node.format()
}

// throughAlias returns what an alias of a named type stands for: controller-gen looks through one such alias where it
// is declared in the same package.
func (b *builder) throughAlias(pkg *load.Package, obj *types.TypeName) *types.TypeName {
	alias, ok := obj.Type().(*types.Alias)
	if !ok {
		return obj
	}
	through := obj
	switch rhs := alias.Rhs().(type) {
	case *types.Named:
		if rhs.TypeArgs().Len() == 0 && rhs.Obj().Pkg() != nil {
			through = rhs.Obj()
		}
	case *types.Alias:
		if rhs.Obj().Pkg() != nil {
			through = rhs.Obj()
		}
	}
	if through != obj {
		b.checkAlias(pkg.Lookup(obj.Name()), through.Name())
	}
	return through
}

// text makes a documentation text.
func (b *builder) text(s string, at diag.Span) schema.Text {
	if s == "" {
		return schema.Text{}
	}
	return schema.Text{V: s, At: at}
}
