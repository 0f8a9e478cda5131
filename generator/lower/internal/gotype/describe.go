// Package gotype turns Go types into nodes: their JSON form as encoding/json has it, and their markers.
package gotype

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/generator/lower/internal/apply"
	"github.com/crdproof/crdproof/generator/lower/internal/checks"
	"github.com/crdproof/crdproof/generator/lower/internal/flatten"
	"github.com/crdproof/crdproof/generator/lower/internal/node"
	"github.com/crdproof/crdproof/generator/lower/internal/options"
	"github.com/crdproof/crdproof/generator/lower/internal/read"
	"github.com/crdproof/crdproof/generator/lower/internal/report"
	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/internal/gojson"
	"github.com/crdproof/crdproof/schema"
)

// A Describer makes nodes of Go types from the JSON form of their values and from their markers.
type Describer struct {
	report.Reporter
	ap apply.Applier
	*typeMemo
	// meta is what becomes of ObjectMeta.
	meta metaMode
	// depth is the number of type expressions around the one that is being described.
	depth int64
	// preserves is set in a field that preserves unknown fields.
	preserves bool
}

// A typeMemo holds what has been described for the CRD that is being made. It is dropped for the next one, too.
type typeMemo struct {
	*History
	types map[typeKey]*node.Type
	// argSizes are the sizes of type arguments.
	argSizes map[typeArg]int64
	// reportedDeep is set once a type that is nested too deep has been reported.
	reportedDeep bool
}

// A History holds what is known from the CRDs that were made before.
type History struct {
	// cycles are the references that closed a cycle once; they are cut wherever the cycle is entered.
	cycles map[reference]*diag.Diagnostic
	// Packages are those that have been read, in order: they may have versions of a kind.
	Packages []*load.Package
}

// NewHistory returns the history of a run that has not described anything.
func NewHistory() *History { return &History{cycles: map[reference]*diag.Diagnostic{}} }

// Index records that a package has been read.
func (h *History) Index(pkg *load.Package) {
	if !slices.Contains(h.Packages, pkg) {
		h.Packages = append(h.Packages, pkg)
	}
}

// New returns a describer for one CRD.
func New(r report.Reporter, ap apply.Applier, before *History) Describer {
	return Describer{
		Reporter: r, ap: ap, meta: metaOf(r.Opts.GenerateEmbeddedObjectMeta, false),
		typeMemo: &typeMemo{History: before, types: map[typeKey]*node.Type{}, argSizes: map[typeArg]int64{}},
	}
}

// at returns the describer at a place.
func (d Describer) at(r report.Reporter) Describer {
	d.Reporter = r
	return d
}

// Within returns the describer for a part of the current type.
func (d Describer) Within(part string, at diag.Span) Describer {
	return d.at(d.Reporter.Within(part, at))
}

// inside returns the describer for the parts of a type.
func (d Describer) inside(t *node.Type) Describer { return d.at(d.Reporter.Inside(t)) }

// The other stages at the place of the describer.
func (d Describer) applier() apply.Applier       { return d.ap.At(d.Reporter) }
func (d Describer) reader() read.Reader          { return d.ap.Marks.At(d.Reporter) }
func (d Describer) flattener() flatten.Flattener { return d.ap.Flat.At(d.Reporter) }

// Kind returns the described type of a kind.
func (d Describer) Kind(pkg *load.Package, kind string) *node.Type {
	return d.described(typeKey{pkg: pkg, name: kind, root: true, metadata: d.meta}, nil)
}

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
	t := &node.Type{Name: shown, Decl: pkg.Lookup(name)}
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
	d.inside(t).describe(t, newScope(t.Decl, args))
	t.Describing = false
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
	}
	t.Node.Own.At = t.Decl.At
	t.Node.Own.Description = docText(t.Decl.Doc, t.Decl.At)
	d.applier().Apply(t.Node, marks, node.Target{Decl: t.Decl})
	d.checkOneOf(t, marks)
}

// expr describes a type expression. The result is new, so that markers can be applied to it.
func (d Describer) expr(sc *scope, e ast.Expr) *node.Node {
	at := sc.span(e)
	var n *node.Node
	if d.depth++; d.depth > effort.SchemaDepth.Most {
		return d.tooDeep(at)
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
		n = d.unsupported(at, "a channel", "write `json:\"-\"`")
	case *ast.FuncType:
		n = d.unsupported(at, "a function", "write `json:\"-\"`")
	default:
		n = d.unsupported(at, types.ExprString(e), "use a named type")
	}
	n.Own.At = at
	return n
}

// tooDeep reports a type that is nested too deep, once for a CRD, and returns a node without a schema.
func (d Describer) tooDeep(at diag.Span) *node.Node {
	if !d.reportedDeep {
		d.reportedDeep = true
		rejected := effort.SchemaDepth.Rejected(at, "this type is nested too deep")
		if parts := d.Parts(); len(parts) > 3 {
			rejected = rejected.Note("reached through %s → … → %s", parts[1], parts[len(parts)-1])
		}
		d.Report(rejected.Help("add %s to a field around it", report.Undescribed))
	}
	return &node.Node{}
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
				return d.unsupported(sc.span(e), "a struct that is marshaled by an embedded interface",
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
		d.Warn(d.Reached(diag.Errorf(at, checks.TypeMapKey,
			"map key %s is an integer: the API server accepts any string as a key, but Go cannot decode an "+
				"object with such a key", name).
			Help("use a string type as the key, or a list with listType=map")))
		return true
	}
	d.Report(d.Reached(diag.Errorf(at, checks.TypeMapKey,
		"map key %s is neither a string nor an encoding.TextMarshaler",
		name).
		Help("use a string type as the key")))
	return false
}

// iface describes an interface. An empty one holds any JSON value; Go cannot decode into another one.
func (d Describer) iface(at diag.Span, name string, empty bool) *node.Node {
	if !empty || d.Opts.Compat {
		return d.unsupported(at, name,
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
		return d.undefined(sc, e, e.Name)
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

// undefined reports an undeclared name, unless a file that does not parse or a missing package explains it, which load
// reports. It returns a node without a schema.
func (d Describer) undefined(sc *scope, e ast.Expr, name string) *node.Node {
	pkg := sc.decl.Pkg
	if pkg.Broken() || sc.decl.ImportFailed(e) {
		return &node.Node{}
	}
	message, help := pkg.TypeError(e), ""
	if message == "" || message == "type "+name+" is not defined" || strings.HasPrefix(message, "undefined: ") {
		message, help = d.undeclared(sc, e, name)
	}
	d.Report(d.Reached(diag.Errorf(sc.span(e), checks.TypeUndefined, "%s", message).Help("%s", help)))
	return &node.Node{}
}

// undeclared is the message about an undeclared type, and what was perhaps meant.
func (d Describer) undeclared(sc *scope, e ast.Expr, name string) (message, help string) {
	pkg, e := sc.decl.Pkg, ast.Unparen(e)
	arguments := "" // of a generic type, which the suggestion keeps
	if of, args := generic(sc, e); len(args) > 0 {
		arguments = strings.TrimPrefix(types.ExprString(e), types.ExprString(of))
		e, name = of, types.ExprString(of)
	}
	sel, ok := e.(*ast.SelectorExpr)
	if !ok {
		if pkg.Lookup(name) != nil {
			return "type " + name + " refers to itself", ""
		}
		names := slices.DeleteFunc(pkg.TypeNames(false), func(n string) bool { return n == "_" || n == name })
		near := diag.Near(name, append(names, predeclared()...))
		if near != "" {
			near += arguments
		}
		return "undeclared type " + name, diag.Meant(near)
	}
	qualifier := types.ExprString(sel.X)
	from := sc.decl.Imported(qualifier)
	if from == nil {
		help = diag.DidYouMean(qualifier, sc.decl.ImportNames())
		if help != "" {
			help = diag.Meant(diag.Near(qualifier, sc.decl.ImportNames()) + "." + sel.Sel.Name + arguments)
		} else if path := usualImports[qualifier]; path != "" {
			help = fmt.Sprintf("import %s %q", qualifier, path)
		}
		return "package " + qualifier + " is not imported", help
	}
	if near := diag.Near(sel.Sel.Name, from.TypeNames(true)); near != "" && near != sel.Sel.Name {
		help = diag.Meant(qualifier + "." + near + arguments)
	}
	return fmt.Sprintf("package %s has no type %s", qualifier, sel.Sel.Name), help
}

// predeclared are the names of Go's types that a schema can describe.
func predeclared() []string {
	var out []string
	for _, t := range types.Typ {
		if t.Info()&types.IsUntyped == 0 && t.Info()&types.IsConstType != 0 && t.Info()&types.IsComplex == 0 {
			out = append(out, t.Name())
		}
	}
	return append(out, "byte", "rune", "any")
}

// usualImports are the packages that API types commonly use, by the name that they are imported under.
var usualImports = map[string]string{
	"apiextensionsv1": node.PkgExtV1,
	"appsv1":          "k8s.io/api/apps/v1",
	"autoscalingv2":   "k8s.io/api/autoscaling/v2",
	"batchv1":         "k8s.io/api/batch/v1",
	"corev1":          "k8s.io/api/core/v1",
	"intstr":          node.PkgIntstr,
	"metav1":          node.PkgMeta,
	"networkingv1":    "k8s.io/api/networking/v1",
	"policyv1":        "k8s.io/api/policy/v1",
	"rbacv1":          "k8s.io/api/rbac/v1",
	"resource":        node.PkgResource,
	"runtime":         node.PkgRuntime,
	"storagev1":       "k8s.io/api/storage/v1",
}

// unsupported reports a Go type that no schema can describe, and returns a node without a schema.
func (d Describer) unsupported(at diag.Span, what, help string) *node.Node {
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
		d.unsupported(at, t.Name(), "use a string, or declare a type with MarshalJSON and a Type marker")
	}
	n.Ints, n.Zero = gojson.RangeOf(t.Kind()), zeroOfBasic(info)
	switch {
	case !d.Opts.With(options.NumberRanges):
		if n.Ints != nil {
			n.Own.Format.V = n.Ints.Compat
		}
	case t.Kind() == types.Float32:
		n.Own.Format.V, n.Deviation = "float", options.NumberRanges
	default:
		n.Own.Format.V = n.Ints.Format()
	}
	return n
}

// named describes a reference to a declared type.
func (d Describer) named(sc *scope, e ast.Expr, name *ast.Ident, args []typeArg) *node.Node {
	obj, ok := sc.decl.Pkg.Info.Uses[name].(*types.TypeName)
	if !ok || obj.Type() == types.Typ[types.Invalid] && obj.Pkg() == nil {
		return d.undefined(sc, e, types.ExprString(e))
	}
	if obj.Pkg() == types.Unsafe {
		return d.unsupported(sc.span(e), "unsafe.Pointer", "write `json:\"-\"`")
	}
	local := obj.Pkg() == sc.decl.Pkg.Types
	if local && len(args) == 0 {
		obj = d.throughAlias(sc.decl.Pkg, obj)
	}
	pkg := d.Program.PackageOf(obj.Pkg())
	if pkg == nil || pkg.Lookup(obj.Name()) == nil && !pkg.IsOpaque(obj.Name()) {
		return d.undefined(sc, e, types.ExprString(e))
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
		return d.unsupported(sc.span(e), "generic type "+types.ExprString(e)+" without type arguments", help)
	}
	if len(args) > 0 && d.expands(pkg, obj.Name(), args) {
		return d.unsupported(sc.span(e), "generic type "+types.ExprString(e)+", which expands endlessly,",
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

// cycle describes the recursion that a reference to t closes.
func (d Describer) cycle(t *node.Type, at diag.Span) *diag.Diagnostic {
	start, steps := 0, d.Steps()
	for i, s := range steps {
		if s.Typ == t {
			start = i
		}
	}
	var way strings.Builder
	way.WriteString(t.Name)
	for _, s := range steps[start+1:] {
		switch {
		case s.Typ != nil:
			way.WriteString(" (" + s.Typ.Name + ")")
		case s.Part == "[]" || s.Part == "{}":
			way.WriteString(s.Part)
		case s.Part != "":
			way.WriteString(" → " + s.Part)
		}
	}
	way.WriteString(" → " + t.Name)
	closed := d.Reached(diag.Errorf(at, checks.TypeRecursive,
		"type %s contains itself, which a CRD schema cannot describe",
		t.Name).
		Note("cycle: %s", way.String()).
		Help("declare the type without a reference to itself, or use apiextensionsv1.JSON instead of it"))
	if endsInField(steps) {
		closed = closed.Help("break the cycle: add " + report.Undescribed + " to the field, or change its type to " +
			"apiextensionsv1.JSON")
	}
	return &closed
}

// endsInField reports whether steps end in the type of a field; otherwise they end in the declaration of a type.
func endsInField(steps []*report.Step) bool {
	for _, s := range slices.Backward(steps) {
		switch {
		case s.Typ != nil:
			return false
		case s.Part != "" && s.Part != "[]" && s.Part != "{}":
			return true
		}
	}
	return false
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
func docText(s string, at diag.Span) schema.Text {
	if s == "" {
		return schema.Text{}
	}
	return schema.Text{V: s, At: at}
}
