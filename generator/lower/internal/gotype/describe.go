// Package gotype turns Go types into nodes: their JSON form as encoding/json has it, and their markers.
package gotype

import (
	"cmp"
	"go/ast"
	"go/types"
	"slices"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/generator/lower/internal/checks"
	"github.com/crdproof/crdproof/generator/lower/internal/node"
	"github.com/crdproof/crdproof/generator/lower/internal/options"
	"github.com/crdproof/crdproof/generator/lower/internal/read"
	"github.com/crdproof/crdproof/generator/lower/internal/report"
	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/internal/gojson"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/schema"
)

// described returns the described type of a declaration; args are the arguments of a generic one.
func (d Describer) described(key typeKey, args []typeArg) *node.Type {
	pkg, name := key.pkg, key.name
	shown := pkg.Name + "." + name
	if len(args) > 0 {
		key.args = argsKey(args)
		shown += key.args
	}
	if t := d.types[key]; t != nil {
		return t
	}
	t := &node.Type{Name: shown, Decl: pkg.Lookup(name), Go: &schema.GoType{Package: pkg.Path, Name: name}}
	d.types[key] = t
	d.Index(pkg)
	if pkg.IsOpaque(name) {
		t.Node = d.knownNode(pkg.Path, name)
		row := findKnown(pkg.Path, name)
		t.Known, t.ByPointer = row.known(), row.byPointer()
		t.ObjectMeta = pkg.Path == node.PkgMeta && name == "ObjectMeta"
		return t
	}
	if t.Decl == nil {
		t.Node = &node.Node{}
		return t
	}
	t.Describing = true
	doubt := d.Apart(func() { d.inside(t).describe(t, newScope(t.Decl, args)) })
	t.Describing = false
	if t.Expands {
		// What was described of it is as large as a limit lets it be.
		t.Node, doubt = &node.Node{Undefined: true, Own: schema.Schema{At: t.Decl.At}}, schema.DoubtAll
	}
	t.Node.Own.Incomplete |= doubt
	if under := t.Node.GoType(); under != nil {
		t.Go.Under = []*schema.GoType{under}
	}
	return t
}

// describe fills the node of a declared type.
func (d Describer) describe(t *node.Type, sc *scope) {
	marks := d.reader().TypeMarkers(t.Decl)
	if d.Opaque {
		marks = read.WithoutTags(marks)
	}
	d.Opaque = d.Opaque || read.IsOpaque(marks)
	isMarshaler := d.describeMarshaler
	// A known type is only described from its declaration if that is what controller-gen does.
	if !d.Opts.With(options.MarshalForms) || findKnown(t.Decl.Pkg.Path, t.Decl.Name) != nil {
		isMarshaler = d.describeCompatMarshaler
	}
	if isMarshaler(t, sc, marks) {
		return
	}
	d.preserves = false
	inner, expr := d.withoutMethods(t, sc)
	if st, ok := ast.Unparen(expr).(*ast.StructType); ok {
		t.Node = node.Object()
		t.Node.Sort = node.StructSort
		d.structInto(t.Node, inner, st, t, marks)
	} else {
		t.Node = d.expr(inner, expr)
		if decodesItself(t) {
			t.Node.Own.Origin = schema.OtherOrigin
		}
	}
	t.Node.Own.At = t.Decl.At
	t.Node.Own.Description = d.docText(t.Decl.Doc, t.Decl.At)
	d.applier().Apply(t.Node, marks, node.Target{Decl: t.Decl})
	d.checkOneOf(t, marks)
}

// decodesItself reports whether a type has a method that decodes it from JSON.
func decodesItself(t *node.Type) bool {
	obj := t.Decl.Pkg.Types.Scope().Lookup(t.Decl.Name)
	if obj == nil {
		return false
	}
	m := gojson.MethodsOf(obj.Type())
	return m.UnmarshalJSON != nil || m.UnmarshalText != nil
}

// expr describes a type expression. The result is new, so that markers can be applied to it.
func (d Describer) expr(sc *scope, e ast.Expr) *node.Node {
	at := sc.span(e)
	var n *node.Node
	if d.depth++; d.depth > effort.SchemaDepth.Most {
		return d.rejectDepth(at)
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return d.expr(sc, e.X)
	case *ast.StarExpr:
		n = d.expr(sc, e.X)
		n.ZeroBehind = !d.Opts.Compat && gojson.HasIsZero(types.NewPointer(goType(sc, e.X)))
		inner := d.flattener().ZeroOf(n)
		n.InnerNull = inner != nil && inner.Kind == schema.Null
		n.ByPointer, n.Sort, n.Zero = true, node.PointerSort, null()
		return n
	case *ast.Ident:
		n = d.ident(sc, e)
	case *ast.SelectorExpr:
		n = d.named(sc, e, e.Sel, nil)
	case *ast.IndexExpr, *ast.IndexListExpr:
		n = d.instance(sc, e)
	case *ast.ArrayType:
		n = d.array(sc, e)
	case *ast.MapType:
		n = d.mapping(sc, e)
	case *ast.StructType:
		n = d.anonymous(sc, e)
	case *ast.InterfaceType:
		n = d.iface(at, "an interface", len(e.Methods.List) == 0)
	case *ast.ChanType:
		n = d.rejectType(at, "a channel", "write `json:\"-\"`")
	case *ast.FuncType:
		n = d.rejectType(at, "a function", "write `json:\"-\"`")
	default:
		n = d.rejectType(at, types.ExprString(e), "use a named type")
	}
	n.Own.At = at
	if n.Ref == nil && n.JSONType() == "" {
		n.Own.Incomplete |= d.Doubts()
	}
	return n
}

// anonymous describes a struct type without a name. It may have the marshal method of an embedded field.
func (d Describer) anonymous(sc *scope, e *ast.StructType) *node.Node {
	if d.Opts.With(options.MarshalForms) {
		m := gojson.MethodsOf(goType(sc, e))
		if m.Marshal() != nil || m.UnmarshalJSON != nil || m.UnmarshalText != nil {
			d.checkFieldsLost(sc, e, m, "an anonymous struct")
			switch {
			case m.Marshal() == nil:
			case m.Marshal().OfInterface():
				return d.rejectType(sc.span(e), "a struct that is marshaled by an embedded interface",
					"name the interface field, or give it the tag `json:\"-\"`")
			default:
				return d.promoted(sc, e, m)
			}
		}
	}
	n := node.Object()
	n.Sort = node.StructSort
	d.structInto(n, sc, e, nil, nil)
	return n
}

func (d Describer) array(sc *scope, e *ast.ArrayType) *node.Node {
	if e.Len == nil && d.isByteSlice(sc, e.Elt) {
		n := node.Text()
		n.Own.Format.V, n.Sort, n.Zero = "byte", node.SliceSort, null()
		n.Own.Origin = schema.GoBytes
		if goType(sc, e.Elt) != types.Universe.Lookup("byte").Type() {
			n.Deviation = options.BytesAsText
		}
		return n
	}
	n := node.OfType("array")
	n.Items = d.Within("[]", sc.span(e.Elt)).expr(sc, e.Elt)
	d.checkElement(n.Items, rejectsNull)
	if e.Len == nil {
		n.Sort, n.Zero = node.SliceSort, null()
		return n
	}
	n.Sort = node.ArraySort
	if length, ok := sc.decl.Pkg.IntConst(e.Len); ok {
		n.Length = &length
	}
	return n
}

// isByteSlice reports whether a list of such items is encoded as base64 (encoding/json, newSliceEncoder).
func (d Describer) isByteSlice(sc *scope, elem ast.Expr) bool {
	t := goType(sc, elem)
	if !d.Opts.With(options.BytesAsText) {
		return t == types.Universe.Lookup("byte").Type()
	}
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Kind() == types.Uint8 && gojson.MethodsOf(t).Marshal() == nil
}

func (d Describer) mapping(sc *scope, e *ast.MapType) *node.Node {
	if !d.checkKey(sc, e.Key) {
		return &node.Node{}
	}
	n := node.Object()
	n.Sort, n.Zero = node.SliceSort, null()
	n.Additional = d.Within("{}", sc.span(e.Value)).expr(sc, e.Value)
	d.checkElement(n.Additional, dropsNull)
	if !d.Opts.Compat {
		d.checkAddressable(sc, e, n.Additional)
		d.applier().ApplyKeyTags(n, d.DeclOf(goType(sc, e.Key)))
	}
	return n
}

// checkKey reports whether values of a type can be keys of a JSON object, with a diagnostic if not (encoding/json,
// newMapEncoder).
func (d Describer) checkKey(sc *scope, key ast.Expr) bool {
	t := goType(sc, key)
	at, name := sc.span(key), types.ExprString(key)
	var basic types.BasicInfo
	if b, ok := t.Underlying().(*types.Basic); ok {
		basic = b.Info()
	}
	switch {
	case isInvalid(t):
		d.expr(sc, key) // reports the undeclared name
		return false
	case d.Opts.Compat && (basic&types.IsString != 0 || gojson.MethodsOf(t).MarshalText != nil):
		return true
	case d.Opts.Compat:
	case basic&types.IsString != 0:
		return true
	case gojson.WritesText(t):
		if gojson.MethodsOf(t).UnmarshalText == nil && basic&types.IsInteger == 0 {
			d.Mistake(d.Reached(diag.Errorf(at, checks.TypeOneWay,
				"map key %s has MarshalText but not UnmarshalText, so Go cannot decode what it encodes", name).
				Help("add UnmarshalText to the type, or use a string type as the key")))
		}
		return true
	case basic&types.IsInteger != 0:
		d.Warn(d.Reached(diag.Errorf(at, checks.TypeMapKey, "map key %s is an integer: the API server accepts any "+
			"string as a key, but Go cannot decode an object with such a key", name).
			Help("use a string type as the key, or a list with listType=map")))
		return true
	}
	d.Report(d.Reached(diag.Errorf(at, checks.TypeMapKey,
		"map key %s is neither a string nor an encoding.TextMarshaler", name).
		Help("use a string type as the key")))
	return false
}

// iface describes an interface. An empty one holds any JSON value; Go cannot decode into another one.
func (d Describer) iface(at diag.Span, name string, empty bool) *node.Node {
	if !empty || d.Opts.Compat {
		return d.rejectType(at, name,
			"use apiextensionsv1.JSON for any JSON value, runtime.RawExtension for an object, or an explicit type")
	}
	n := anything()
	n.Sort, n.Zero = node.InterfaceSort, null()
	return n
}

// ident describes an unqualified name: a predeclared type, a type parameter, a type of the package or of a dot import.
func (d Describer) ident(sc *scope, e *ast.Ident) *node.Node {
	if arg, ok := sc.args[e.Name]; ok {
		return d.expr(arg.scope, arg.expr)
	}
	obj, ok := sc.decl.Pkg.Info.Uses[e].(*types.TypeName)
	if !ok {
		return d.reportUndefined(sc, e, e.Name)
	}
	if obj.Pkg() != nil {
		return d.named(sc, e, e, nil)
	}
	switch t := types.Unalias(obj.Type()).(type) {
	case *types.Basic:
		return d.basic(sc.span(e), t)
	case *types.Interface:
		return d.iface(sc.span(e), "the interface "+e.Name, t.Empty())
	default: // error and comparable
		return d.iface(sc.span(e), "the interface "+e.Name, false)
	}
}

// rejectType reports a Go type that no schema can describe, and returns a node without a schema.
func (d Describer) rejectType(at diag.Span, what, help string) *node.Node {
	d.Report(d.Reached(diag.Errorf(at, checks.TypeUnsupported, "%s has no schema", what).Help("%s", help)))
	return &node.Node{}
}

// basic describes a predeclared type.
func (d Describer) basic(at diag.Span, t *types.Basic) *node.Node {
	n := &node.Node{}
	info := t.Info()
	switch {
	case info&types.IsBoolean != 0:
		n.Own.Type.V = "boolean"
	case info&types.IsString != 0:
		n.Own.Type.V = "string"
	case info&types.IsInteger != 0:
		n.Own.Type.V = "integer"
	case info&types.IsFloat != 0 && d.Opts.AllowDangerousTypes:
		n.Own.Type.V = "number"
	case info&types.IsFloat != 0:
		d.Report(d.Reached(diag.Errorf(at, checks.TypeFloat,
			"%s is not allowed: languages differ in how they handle floating-point numbers", t.Name()).
			Help("use a string, a resource.Quantity or an integer of a smaller unit, or run with " +
				"crd:allowDangerousTypes=true")))
	default:
		d.rejectType(at, t.Name(), "use a string, or declare a type with MarshalJSON and a Type marker")
	}
	n.Own.Origin = schema.OriginOf(types.Typ[t.Kind()].Name())
	n.Ints, n.Zero = gojson.RangeOf(t.Kind()), zeroOfBasic(info)
	switch {
	case n.Ints == nil && (t.Kind() != types.Float32 || !d.Opts.With(options.NumberFormats)):
	case n.Ints == nil:
		n.Own.Format.V, n.Deviation = "float", options.NumberFormats
	case d.Opts.With(options.NumberFormats) && (n.Ints.Compat == "" || n.Ints.IsCut()):
		n.Own.Format.V = n.Ints.Format()
	default:
		n.Own.Format.V = n.Ints.Compat
	}
	return n
}

// named describes a reference to a declared type.
func (d Describer) named(sc *scope, e ast.Expr, name *ast.Ident, args []typeArg) *node.Node {
	obj, ok := sc.decl.Pkg.Info.Uses[name].(*types.TypeName)
	if !ok || obj.Type() == types.Typ[types.Invalid] && obj.Pkg() == nil {
		return d.reportUndefined(sc, e, types.ExprString(e))
	}
	if obj.Pkg() == types.Unsafe {
		return d.rejectType(sc.span(e), "unsafe.Pointer", "write `json:\"-\"`")
	}
	local := obj.Pkg() == sc.decl.Pkg.Types
	if local && len(args) == 0 {
		obj = d.throughAlias(sc.decl.Pkg, obj)
	}
	pkg := d.Program.PackageOf(obj.Pkg())
	if pkg == nil || pkg.Lookup(obj.Name()) == nil && !pkg.IsOpaque(obj.Name()) {
		return d.reportUndefined(sc, e, types.ExprString(e))
	}
	if i, isInterface := obj.Type().Underlying().(*types.Interface); isInterface && (d.Opts.Compat || !i.Empty()) {
		return d.iface(sc.span(e), "the interface "+types.ExprString(e), false)
	}
	decl := pkg.Lookup(obj.Name())
	if len(args) == 0 && decl != nil && decl.Spec.TypeParams != nil && obj == pkg.Types.Scope().Lookup(obj.Name()) {
		help := "write its type arguments in brackets"
		if params := typeParams(decl); len(params) == 1 {
			help = "write " + types.ExprString(e) + "[string], or another type in the brackets"
		}
		return d.rejectType(sc.span(e), "generic type "+types.ExprString(e)+" without type arguments", help)
	}
	if len(args) > 0 && d.expands(pkg, obj.Name(), args) {
		for s := d.Step; s != nil; s = s.Outer {
			if s.Typ != nil && s.Typ.Decl == decl {
				s.Typ.Expands = true
			}
		}
		return d.rejectType(sc.span(e), "generic type "+types.ExprString(e)+", which expands endlessly,",
			"use the same type arguments where the type refers to itself")
	}
	n := d.refer(reference{at: sc.span(e), within: scopeKey(sc)}, pkg, obj, args)
	d.copyType(n, obj.Type(), local && !n.Cut)
	return n
}

// refer makes the node of a reference to a declared type. It describes the type if that has not been done.
func (d Describer) refer(here reference, pkg *load.Package, obj *types.TypeName, args []typeArg) *node.Node {
	n := &node.Node{Sort: sortOf(obj.Type())}
	if cycle := d.cycles[here]; cycle != nil {
		n.Ref, n.Cut, n.Unknown = &node.Type{}, true, cycle
		return n
	}
	n.Ref = d.described(typeKey{pkg: pkg, name: obj.Name(), metadata: d.meta, opaque: d.Opaque}, args)
	if n.Ref.Describing {
		n.Cut, n.Unknown = true, d.cycle(n.Ref, here.at)
		d.cycles[here] = n.Unknown
		return n
	}
	there := d.inside(n.Ref)
	for _, wrong := range n.Ref.Wrong {
		if wrong != nil {
			there.Report(*wrong)
		}
	}
	for _, u := range n.Ref.Unenforced {
		if own, typ := there.OwnPlace(u.At); typ != nil {
			there.LeaveOut(own, typ, u.What, u.At)
		}
	}
	if u := n.Ref.Node.Unknown; u != nil {
		placed := d.Reached(*u)
		if !d.Program.Owns(u.Span) {
			placed.Span, placed.SeeAlso = here.at, report.Related(u.Span, "the type")
		}
		n.Unknown = &placed
	}
	n.InnerNull = n.Ref.Node.InnerNull
	if n.Ref.ObjectMeta {
		d.checkMetadata(here.at)
	}
	return n
}

// copyType gives a reference the JSON type of a list or a map, and of a scalar of the same package, as controller-gen
// does: it decides what k8s:required adds, and which Type markers on the field conflict with it.
func (d Describer) copyType(n *node.Node, t types.Type, local bool) {
	known, list, object := "", "array", "object"
	if !n.Cut {
		known = n.Ref.Node.JSONType()
		if d.Opts.With(options.MarshalForms) || n.Ref.Known != nil {
			list, object = known, known // a type with a marshal method may have any JSON form
		}
	}
	switch t.Underlying().(type) {
	case *types.Slice:
		n.Own.Type.V = cmp.Or(known, list)
	case *types.Map:
		n.Own.Type.V = cmp.Or(known, object)
	case *types.Basic:
		if local {
			n.Own.Type.V = known
			n.Own.Format.V = n.Ref.Node.Format()
		}
	}
}

// throughAlias returns the type that an alias names: controller-gen looks through one alias if it is declared in the
// same package.
func (d Describer) throughAlias(pkg *load.Package, obj *types.TypeName) *types.TypeName {
	alias, ok := obj.Type().(*types.Alias)
	if !ok {
		return obj
	}
	named, ok := alias.Rhs().(interface { // a *types.Named or another *types.Alias
		TypeArgs() *types.TypeList
		Obj() *types.TypeName
	})
	if !ok || named.TypeArgs().Len() > 0 || named.Obj().Pkg() == nil || named.Obj() == obj {
		return obj
	}
	d.reader().CheckAlias(pkg.Lookup(obj.Name()), named.Obj().Name())
	return named.Obj()
}

// docText makes a documentation text.
func (d Describer) docText(s string, at diag.Span) schema.Text {
	if v := d.Opts.Variant; v != nil && v.Channels {
		s = markers.DescribeIn(s, v.On)
	}
	if s == "" {
		return schema.Text{}
	}
	return schema.Text{V: s, At: at}
}

// This file checks how Go encodes unset values that the API server then rejects or drops.

// What the API server does with null in a list and in a map.
const (
	rejectsNull = "rejects"
	dropsNull   = "drops together with its key"
)

// checkElement checks the elements of a list or a map that Go encodes as null. A nil slice means the same as an empty
// one, so its null is allowed; so is the null of a type whose own method writes it, unless Go cannot read it back. A
// nil pointer is a mistake of the program that makes it, and nothing in the types shows that one does.
func (d Describer) checkElement(n *node.Node, does string) {
	if d.Opts.Compat {
		return
	}
	if n.IsBytes() {
		d.Warn(d.Reached(diag.Errorf(n.Own.At, checks.JSONEmpty,
			"an empty element is encoded as \"\", which the API server rejects: it is not valid base64").
			Help("make sure that no element is empty, or use strings instead")))
	}
	switch zero := d.flattener().ZeroOf(n); {
	case zero == nil || zero.Kind != schema.Null || n.Sort == node.PointerSort:
	case n.NoNull() != "":
		d.Warn(d.Reached(diag.Errorf(n.Own.At, checks.JSONNullElement,
			"a zero %s is encoded as null, which the API server %s", n.NoNull(), does).
			Help("use another type, or make sure that no element is zero")))
	case d.Opts.With(options.NullElements):
		n.Own.Nullable = &schema.Flag{V: true}
	}
}

// checkMetadata reports an ObjectMeta whose fields are all pruned. The API server handles the metadata of the kind
// itself.
func (d Describer) checkMetadata(at diag.Span) {
	if described := d.meta == metaDescribed; described != d.Opts.GenerateEmbeddedObjectMeta {
		d.Deviate(options.ObjectMeta, at)
	}
	if d.meta != metaEmpty || d.preserves || d.Opts.Compat || d.InRootMetadata() {
		return
	}
	found := diag.Warningf(at, checks.MetadataPruned,
		"the schema of this ObjectMeta is empty: the API server prunes its labels, annotations and all other fields").
		Help("add +crdproof:embeddedObjectMeta to the field, or run with crd:generateEmbeddedObjectMeta=true").
		Do(diag.Add, "+crdproof:embeddedObjectMeta").
		Changes(diag.AcceptsOther, "API servers keep its labels and annotations").
		CausedBy(diag.Span{}, "embedded metadata") // one option describes all
	found = d.Edited(found, schema.Lack{Way: d.Parts()})
	if parts := d.Parts(); !d.Program.Owns(at) && slices.Contains(parts, "volumeClaimTemplate") { // of a pod's volume
		found = found.Hurting(diag.Unlikely)
	}
	d.Report(d.Reached(found))
}
