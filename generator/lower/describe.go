package lower

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/internal/gojson"
	"github.com/crdproof/crdproof/schema"
)

// A describer makes nodes of Go types from the JSON form of their values and from their markers.
type describer struct {
	reporter
	ap applier
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
	*history
	types map[typeKey]*typ
	// argSizes are the sizes of type arguments.
	argSizes map[typeArg]int64
	// reportedDeep is set once a type that is nested too deep has been reported.
	reportedDeep bool
}

// A history holds what is known from the CRDs that were made before.
type history struct {
	// cycles are the references that closed a cycle once; they are cut wherever the cycle is entered.
	cycles map[reference]*diag.Diagnostic
	// packages are those that have been read, in order: they may have versions of a kind.
	packages []*load.Package
}

// newHistory returns the history of a run that has not described anything.
func newHistory() *history { return &history{cycles: map[reference]*diag.Diagnostic{}} }

// index records that a package has been read.
func (h *history) index(pkg *load.Package) {
	if !slices.Contains(h.packages, pkg) {
		h.packages = append(h.packages, pkg)
	}
}

// newDescriber returns a describer for one CRD.
func newDescriber(r reporter, ap applier, before *history) describer {
	return describer{
		reporter: r, ap: ap, meta: metaOf(r.opts.GenerateEmbeddedObjectMeta, false),
		typeMemo: &typeMemo{history: before, types: map[typeKey]*typ{}, argSizes: map[typeArg]int64{}},
	}
}

// at returns the describer at a place.
func (d describer) at(r reporter) describer {
	d.reporter = r
	return d
}

// within returns the describer for a part of the current type.
func (d describer) within(part string, at diag.Span) describer {
	return d.at(d.reporter.within(part, at))
}

// inside returns the describer for the parts of a type.
func (d describer) inside(t *typ) describer { return d.at(d.reporter.inside(t)) }

// The other stages at the place of the describer.
func (d describer) applier() applier     { return d.ap.at(d.reporter) }
func (d describer) reader() reader       { return d.ap.marks.at(d.reporter) }
func (d describer) flattener() flattener { return d.ap.flat.at(d.reporter) }

// root returns the described type of a kind.
func (d describer) root(pkg *load.Package, kind string) *typ {
	return d.described(typeKey{pkg: pkg, name: kind, root: true, metadata: d.meta}, nil)
}

// described returns the described type of a declaration; args are the arguments of a generic one.
func (d describer) described(key typeKey, args []typeArg) *typ {
	pkg, name := key.pkg, key.name
	shown := pkg.Name + "." + name
	if len(args) > 0 {
		key.args = argsKey(args)
		shown += key.args
	}
	if t := d.types[key]; t != nil {
		return t
	}
	t := &typ{name: shown, decl: pkg.Lookup(name)}
	d.types[key] = t
	d.index(pkg)
	if pkg.IsOpaque(name) {
		t.node = d.knownNode(pkg.Path, name)
		row := findKnown(pkg.Path, name)
		t.known, t.byPointer = row.known(), row.byPointer()
		t.objectMeta = pkg.Path == pkgMeta && name == "ObjectMeta"
		return t
	}
	if t.decl == nil {
		t.node = &node{}
		return t
	}
	t.describing = true
	d.inside(t).describe(t, newScope(t.decl, args))
	t.describing = false
	return t
}

// describe fills the node of a declared type.
func (d describer) describe(t *typ, sc *scope) {
	marks := d.reader().typeMarkers(t.decl)
	if d.opaque {
		marks = withoutTags(marks)
	}
	d.opaque = d.opaque || isOpaque(marks)
	isMarshaler := d.describeMarshaler
	// A known type is only described from its declaration if that is what controller-gen does.
	if !d.opts.With(marshalForms) || findKnown(t.decl.Pkg.Path, t.decl.Name) != nil {
		isMarshaler = d.describeCompatMarshaler
	}
	if isMarshaler(t, sc, marks) {
		return
	}
	d.preserves = false
	inner, expr := d.withoutMethods(t, sc)
	if st, ok := ast.Unparen(expr).(*ast.StructType); ok {
		t.node = object()
		t.node.sort = structSort
		d.structInto(t.node, inner, st, t, marks)
	} else {
		t.node = d.expr(inner, expr)
	}
	t.node.s.At = t.decl.At
	t.node.s.Description = docText(t.decl.Doc, t.decl.At)
	d.applier().apply(t.node, marks, target{decl: t.decl})
	d.checkOneOf(t, marks)
}

// expr describes a type expression. The result is new, so that markers can be applied to it.
func (d describer) expr(sc *scope, e ast.Expr) *node {
	at := sc.span(e)
	var n *node
	if d.depth++; d.depth > effort.SchemaDepth.Most {
		return d.tooDeep(at)
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return d.expr(sc, e.X)
	case *ast.StarExpr:
		n = d.expr(sc, e.X)
		n.zeroBehind = !d.opts.Compat && gojson.HasIsZero(types.NewPointer(goType(sc, e.X)))
		inner := d.flattener().zeroOf(n)
		n.innerNull = inner != nil && inner.Kind == schema.Null
		n.byPointer, n.sort, n.zero = true, pointerSort, null()
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
	n.s.At = at
	return n
}

// tooDeep reports a type that is nested too deep, once for a CRD, and returns a node without a schema.
func (d describer) tooDeep(at diag.Span) *node {
	if !d.reportedDeep {
		d.reportedDeep = true
		rejected := effort.SchemaDepth.Rejected(at, "this type is nested too deep")
		if parts := d.parts(); len(parts) > 3 {
			rejected = rejected.Note("reached through %s → … → %s", parts[1], parts[len(parts)-1])
		}
		d.report(rejected.Help("add %s to a field around it", undescribed))
	}
	return &node{}
}

// anonymous describes a struct type without a name. It may have the marshal method of an embedded field.
func (d describer) anonymous(sc *scope, e *ast.StructType) *node {
	if d.opts.With(marshalForms) {
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
	n := object()
	n.sort = structSort
	d.structInto(n, sc, e, nil, nil)
	return n
}

func (d describer) array(sc *scope, e *ast.ArrayType) *node {
	if e.Len == nil && d.isByteSlice(sc, e.Elt) {
		n := text()
		n.s.Format.V, n.sort, n.zero = "byte", sliceSort, null()
		if goType(sc, e.Elt) != types.Universe.Lookup("byte").Type() {
			n.deviation = bytesAsText
		}
		return n
	}
	n := typed("array")
	n.items = d.within("[]", sc.span(e.Elt)).expr(sc, e.Elt)
	d.checkElement(n.items, rejectsNull)
	if e.Len == nil {
		n.sort, n.zero = sliceSort, null()
		return n
	}
	n.sort = arraySort
	if length, ok := sc.decl.Pkg.IntConst(e.Len); ok {
		n.length = &length
	}
	return n
}

// isByteSlice reports whether a list of such items is encoded as base64 (encoding/json, newSliceEncoder).
func (d describer) isByteSlice(sc *scope, elem ast.Expr) bool {
	t := goType(sc, elem)
	if !d.opts.With(bytesAsText) {
		return t == types.Universe.Lookup("byte").Type()
	}
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Kind() == types.Uint8 && gojson.MethodsOf(t).Marshal() == nil
}

func (d describer) mapping(sc *scope, e *ast.MapType) *node {
	if !d.checkKey(sc, e.Key) {
		return &node{}
	}
	n := object()
	n.sort, n.zero = sliceSort, null()
	n.additional = d.within("{}", sc.span(e.Value)).expr(sc, e.Value)
	d.checkElement(n.additional, dropsNull)
	if !d.opts.Compat {
		d.checkAddressable(sc, e, n.additional)
		d.applier().applyKeyTags(n, d.declOf(goType(sc, e.Key)))
	}
	return n
}

// checkKey reports whether values of a type can be keys of a JSON object, with a diagnostic if not (encoding/json,
// newMapEncoder).
func (d describer) checkKey(sc *scope, key ast.Expr) bool {
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
	case d.opts.Compat && (basic&types.IsString != 0 || gojson.MethodsOf(t).MarshalText != nil):
		return true
	case d.opts.Compat:
	case basic&types.IsString != 0:
		return true
	case gojson.WritesText(t):
		if gojson.MethodsOf(t).UnmarshalText == nil && basic&types.IsInteger == 0 {
			d.mistake(d.reached(diag.Errorf(at, typeOneWay,
				"map key %s has MarshalText but not UnmarshalText, so Go cannot decode what it encodes", name).
				Help("add UnmarshalText to the type, or use a string type as the key")))
		}
		return true
	case basic&types.IsInteger != 0:
		d.warn(d.reached(diag.Errorf(at, typeMapKey,
			"map key %s is an integer: the API server accepts any string as a key, but Go cannot decode an "+
				"object with such a key", name).
			Help("use a string type as the key, or a list with listType=map")))
		return true
	}
	d.report(d.reached(diag.Errorf(at, typeMapKey, "map key %s is neither a string nor an encoding.TextMarshaler",
		name).
		Help("use a string type as the key")))
	return false
}

// iface describes an interface. An empty one holds any JSON value; Go cannot decode into another one.
func (d describer) iface(at diag.Span, name string, empty bool) *node {
	if !empty || d.opts.Compat {
		return d.unsupported(at, name,
			"use apiextensionsv1.JSON for any JSON value, runtime.RawExtension for an object, or an explicit type")
	}
	n := anything()
	n.sort, n.zero = interfaceSort, null()
	return n
}

// ident describes an unqualified name: a predeclared type, a type parameter, a type of the package or of a dot import.
func (d describer) ident(sc *scope, e *ast.Ident) *node {
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
func (d describer) undefined(sc *scope, e ast.Expr, name string) *node {
	pkg := sc.decl.Pkg
	if pkg.Broken() || sc.decl.ImportFailed(e) {
		return &node{}
	}
	message, help := pkg.TypeError(e), ""
	if message == "" || message == "type "+name+" is not defined" || strings.HasPrefix(message, "undefined: ") {
		message, help = d.undeclared(sc, e, name)
	}
	d.report(d.reached(diag.Errorf(sc.span(e), typeUndefined, "%s", message).Help("%s", help)))
	return &node{}
}

// undeclared is the message about an undeclared type, and what was perhaps meant.
func (d describer) undeclared(sc *scope, e ast.Expr, name string) (message, help string) {
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
	"apiextensionsv1": pkgExtV1,
	"appsv1":          "k8s.io/api/apps/v1",
	"autoscalingv2":   "k8s.io/api/autoscaling/v2",
	"batchv1":         "k8s.io/api/batch/v1",
	"corev1":          "k8s.io/api/core/v1",
	"intstr":          pkgIntstr,
	"metav1":          pkgMeta,
	"networkingv1":    "k8s.io/api/networking/v1",
	"policyv1":        "k8s.io/api/policy/v1",
	"rbacv1":          "k8s.io/api/rbac/v1",
	"resource":        pkgResource,
	"runtime":         pkgRuntime,
	"storagev1":       "k8s.io/api/storage/v1",
}

// unsupported reports a Go type that no schema can describe, and returns a node without a schema.
func (d describer) unsupported(at diag.Span, what, help string) *node {
	d.report(d.reached(diag.Errorf(at, typeUnsupported, "%s has no schema", what).Help("%s", help)))
	return &node{}
}

// basic describes a predeclared type.
func (d describer) basic(at diag.Span, t *types.Basic) *node {
	n := &node{}
	info := t.Info()
	switch {
	case info&types.IsBoolean != 0:
		n.s.Type.V = "boolean"
	case info&types.IsString != 0:
		n.s.Type.V = "string"
	case info&types.IsInteger != 0:
		n.s.Type.V = "integer"
	case info&types.IsFloat != 0 && d.opts.AllowDangerousTypes:
		n.s.Type.V = "number"
	case info&types.IsFloat != 0:
		d.report(d.reached(diag.Errorf(at, typeFloat,
			"%s is not allowed: languages differ in how they handle floating-point numbers", t.Name()).
			Help("use a string, a resource.Quantity or an integer of a smaller unit, or run with " +
				"crd:allowDangerousTypes=true")))
	default:
		d.unsupported(at, t.Name(), "use a string, or declare a type with MarshalJSON and a Type marker")
	}
	n.ints, n.zero = gojson.RangeOf(t.Kind()), zeroOfBasic(info)
	switch {
	case !d.opts.With(numberRanges):
		if n.ints != nil {
			n.s.Format.V = n.ints.Compat
		}
	case t.Kind() == types.Float32:
		n.s.Format.V, n.deviation = "float", numberRanges
	default:
		n.s.Format.V = n.ints.Format()
	}
	return n
}

// named describes a reference to a declared type.
func (d describer) named(sc *scope, e ast.Expr, name *ast.Ident, args []typeArg) *node {
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
	pkg := d.program.PackageOf(obj.Pkg())
	if pkg == nil || pkg.Lookup(obj.Name()) == nil && !pkg.IsOpaque(obj.Name()) {
		return d.undefined(sc, e, types.ExprString(e))
	}
	if i, isInterface := obj.Type().Underlying().(*types.Interface); isInterface && (d.opts.Compat || !i.Empty()) {
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
	d.copyType(n, obj.Type(), local && !n.cut)
	return n
}

// refer makes the node of a reference to a declared type. It describes the type if that has not been done.
func (d describer) refer(here reference, pkg *load.Package, obj *types.TypeName, args []typeArg) *node {
	n := &node{sort: sortOf(obj.Type())}
	if cycle := d.cycles[here]; cycle != nil {
		n.ref, n.cut, n.unknown = &typ{}, true, cycle
		return n
	}
	n.ref = d.described(typeKey{pkg: pkg, name: obj.Name(), metadata: d.meta, opaque: d.opaque}, args)
	if n.ref.describing {
		n.cut, n.unknown = true, d.cycle(n.ref, here.at)
		d.cycles[here] = n.unknown
		return n
	}
	there := d.inside(n.ref)
	for _, wrong := range n.ref.wrong {
		if wrong != nil {
			there.report(*wrong)
		}
	}
	for _, u := range n.ref.unenforced {
		if own, typ := there.ownPlace(u.at); typ != nil {
			there.leaveOut(own, typ, u.what, u.at)
		}
	}
	if u := n.ref.node.unknown; u != nil {
		placed := d.reached(*u)
		if !d.program.Owns(u.Span) {
			placed.Span, placed.SeeAlso = here.at, related(u.Span, "the type")
		}
		n.unknown = &placed
	}
	n.innerNull = n.ref.node.innerNull
	if n.ref.objectMeta {
		d.checkMetadata(here.at)
	}
	return n
}

// undescribed are the markers of a field of any JSON object, whose Go type is not described.
const undescribed = "+kubebuilder:validation:Schemaless, +kubebuilder:validation:Type=object and " +
	"+kubebuilder:pruning:PreserveUnknownFields"

// cycle describes the recursion that a reference to t closes.
func (d describer) cycle(t *typ, at diag.Span) *diag.Diagnostic {
	start, steps := 0, d.steps()
	for i, s := range steps {
		if s.typ == t {
			start = i
		}
	}
	var way strings.Builder
	way.WriteString(t.name)
	for _, s := range steps[start+1:] {
		switch {
		case s.typ != nil:
			way.WriteString(" (" + s.typ.name + ")")
		case s.part == "[]" || s.part == "{}":
			way.WriteString(s.part)
		case s.part != "":
			way.WriteString(" → " + s.part)
		}
	}
	way.WriteString(" → " + t.name)
	closed := d.reached(diag.Errorf(at, typeRecursive, "type %s contains itself, which a CRD schema cannot describe",
		t.name).
		Note("cycle: %s", way.String()).
		Help("declare the type without a reference to itself, or use apiextensionsv1.JSON instead of it"))
	if endsInField(steps) {
		closed = closed.Help("break the cycle: add " + undescribed + " to the field, or change its type to " +
			"apiextensionsv1.JSON")
	}
	return &closed
}

// endsInField reports whether steps end in the type of a field; otherwise they end in the declaration of a type.
func endsInField(steps []*step) bool {
	for _, s := range slices.Backward(steps) {
		switch {
		case s.typ != nil:
			return false
		case s.part != "" && s.part != "[]" && s.part != "{}":
			return true
		}
	}
	return false
}

// copyType gives a reference the JSON type of a list or a map, and of a scalar of the same package, as controller-gen
// does: it decides what k8s:required adds, and which Type markers on the field conflict with it.
func (d describer) copyType(n *node, t types.Type, local bool) {
	known, list, object := "", "array", "object"
	if !n.cut {
		known = n.ref.node.jsonType()
		if d.opts.With(marshalForms) || n.ref.known != nil {
			list, object = known, known // a type with a marshal method may have any JSON form
		}
	}
	switch t.Underlying().(type) {
	case *types.Slice:
		n.s.Type.V = cmp.Or(known, list)
	case *types.Map:
		n.s.Type.V = cmp.Or(known, object)
	case *types.Basic:
		if local {
			n.s.Type.V = known
			n.s.Format.V = n.ref.node.format()
		}
	}
}

// format is the node's format as far as it is known without flattening.
func (n *node) format() string {
	for n.s.Format.V == "" && n.ref != nil && !n.cut && n.ref.node != nil {
		n = n.ref.node
	}
	return n.s.Format.V
}

// throughAlias returns the type that an alias names: controller-gen looks through one alias if it is declared in the
// same package.
func (d describer) throughAlias(pkg *load.Package, obj *types.TypeName) *types.TypeName {
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
	d.reader().checkAlias(pkg.Lookup(obj.Name()), named.Obj().Name())
	return named.Obj()
}

// docText makes a documentation text.
func docText(s string, at diag.Span) schema.Text {
	if s == "" {
		return schema.Text{}
	}
	return schema.Text{V: s, At: at}
}
