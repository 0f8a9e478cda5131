package gotype

import (
	"fmt"
	"go/ast"
	"go/types"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/generator/lower/internal/node"
	"github.com/crdproof/crdproof/internal/effort"
)

// substituted follows a type parameter to its argument.
func substituted(sc *scope, e ast.Expr) (*scope, ast.Expr) {
	for {
		e = ast.Unparen(e)
		ident, ok := e.(*ast.Ident)
		if !ok {
			return sc, e
		}
		arg, ok := sc.args[ident.Name]
		if !ok {
			return sc, e
		}
		sc, e = arg.scope, arg.expr
	}
}

// goType returns the Go type of an expression, invalid if it contains an undeclared name. The type checker records only
// the types of names; this function composes the others.
func goType(sc *scope, e ast.Expr) types.Type {
	sc, e = substituted(sc, e)
	switch e := e.(type) {
	case *ast.Ident, *ast.SelectorExpr:
		if t := sc.decl.Pkg.TypeOf(e); t != nil {
			return t
		}
	case *ast.StarExpr:
		return types.NewPointer(goType(sc, e.X))
	case *ast.ArrayType:
		if e.Len == nil {
			return types.NewSlice(goType(sc, e.Elt))
		}
		length, _ := sc.decl.Pkg.IntConst(e.Len)
		return types.NewArray(goType(sc, e.Elt), length)
	case *ast.MapType:
		return types.NewMap(goType(sc, e.Key), goType(sc, e.Value))
	case *ast.IndexExpr, *ast.IndexListExpr:
		return instanceType(generic(sc, e))
	case *ast.StructType:
		return structType(sc, e)
	case *ast.InterfaceType:
		if len(e.Methods.List) == 0 {
			return types.NewInterfaceType(nil, nil).Complete()
		}
	}
	return types.Typ[types.Invalid]
}

func instanceType(name ast.Expr, indices []typeArg) types.Type {
	base := goType(indices[0].scope, name)
	params, ok := base.(interface{ TypeParams() *types.TypeParamList })
	if !ok || params.TypeParams().Len() != len(indices) {
		return types.Typ[types.Invalid]
	}
	var args []types.Type
	for _, index := range indices {
		args = append(args, goType(index.scope, index.expr))
	}
	if t, err := types.Instantiate(nil, base, args, false); err == nil {
		return t
	}
	return types.Typ[types.Invalid]
}

func structType(sc *scope, e *ast.StructType) types.Type {
	var fields []*types.Var
	for _, f := range e.Fields.List {
		t := goType(sc, f.Type)
		if len(f.Names) == 0 {
			fields = append(fields, types.NewField(f.Pos(), sc.decl.Pkg.Types, embeddedName(f.Type), t, true))
		}
		for _, name := range f.Names {
			fields = append(fields, types.NewField(name.Pos(), sc.decl.Pkg.Types, name.Name, t, false))
		}
	}
	return types.NewStruct(fields, nil)
}

func isInvalid(t types.Type) bool { return t == types.Typ[types.Invalid] }

// declared returns the declaration that an expression names, and its scope; nil if it was not read.
func (d Describer) declared(sc *scope, e ast.Expr) (*load.TypeDecl, *scope) {
	sc, e = substituted(sc, e)
	e, args := generic(sc, e)
	name, ok := e.(*ast.Ident)
	if sel, isSel := e.(*ast.SelectorExpr); isSel {
		name, ok = sel.Sel, true
	}
	if !ok {
		return nil, nil
	}
	obj, ok := sc.decl.Pkg.Info.Uses[name].(*types.TypeName)
	if !ok || obj.Pkg() == nil {
		return nil, nil
	}
	pkg := d.Program.PackageOf(obj.Pkg())
	if pkg == nil || pkg.Lookup(obj.Name()) == nil || pkg.IsOpaque(obj.Name()) {
		return nil, nil
	}
	decl := pkg.Lookup(obj.Name())
	return decl, newScope(decl, args)
}

// newScope returns the scope of a declaration with its arguments.
func newScope(d *load.TypeDecl, args []typeArg) *scope {
	sc := &scope{decl: d, args: map[string]typeArg{}}
	for i, name := range typeParams(d) {
		if i < len(args) {
			sc.args[name] = args[i]
		}
	}
	return sc
}

// typeParams returns the names of a declaration's type parameters.
func typeParams(d *load.TypeDecl) []string {
	var out []string
	if d.Spec.TypeParams != nil {
		for _, field := range d.Spec.TypeParams.List {
			for _, n := range field.Names {
				out = append(out, n.Name)
			}
		}
	}
	return out
}

// structOf returns the struct type of an expression, through all declarations, and its scope; nil if the type is not a
// struct, or was not read.
func (d Describer) structOf(sc *scope, e ast.Expr) (*ast.StructType, *scope) {
	seen := map[*load.TypeDecl]bool{}
	for {
		sc, e = substituted(sc, e)
		if st, ok := e.(*ast.StructType); ok {
			return st, sc
		}
		decl, inner := d.declared(sc, e)
		if decl == nil || seen[decl] {
			return nil, nil
		}
		seen[decl] = true
		sc, e = inner, decl.Spec.Type
	}
}

// fieldAt returns the field of a struct type at an index of go/types, which counts names.
func fieldAt(st *ast.StructType, index int) *ast.Field {
	for _, f := range st.Fields.List {
		if index -= max(1, len(f.Names)); index < 0 {
			return f
		}
	}
	return nil
}

// sortOf returns the sort of a Go type.
func sortOf(t types.Type) node.Sort {
	switch t.Underlying().(type) {
	case *types.Pointer:
		return node.PointerSort
	case *types.Interface:
		return node.InterfaceSort
	case *types.Slice, *types.Map:
		return node.SliceSort
	case *types.Array:
		return node.ArraySort
	case *types.Struct:
		return node.StructSort
	}
	return node.ScalarSort
}

// generic splits the instance of a generic type into the type and its arguments in a scope. Any
// other expression has no arguments.
func generic(sc *scope, e ast.Expr) (ast.Expr, []typeArg) {
	var indices []ast.Expr
	switch x := e.(type) {
	case *ast.IndexExpr:
		e, indices = x.X, []ast.Expr{x.Index}
	case *ast.IndexListExpr:
		e, indices = x.X, x.Indices
	}
	var args []typeArg
	for _, index := range indices {
		args = append(args, typeArg{expr: index, scope: sc})
	}
	return ast.Unparen(e), args
}

// instance describes a generic type with its arguments.
func (d Describer) instance(sc *scope, e ast.Expr) *node.Node {
	base, args := generic(sc, e)
	switch x := base.(type) {
	case *ast.Ident:
		return d.named(sc, e, x, args)
	case *ast.SelectorExpr:
		return d.named(sc, e, x.Sel, args)
	}
	return d.rejectType(sc.span(e), types.ExprString(e), "use a named type")
}

// argKey identifies a type argument: its expression with every type parameter replaced by its argument.
func argKey(a typeArg) string {
	key := func(e ast.Expr) string { return argKey(typeArg{expr: e, scope: a.scope}) }
	switch e := a.expr.(type) {
	case *ast.Ident:
		if outer, ok := a.scope.args[e.Name]; ok {
			return argKey(outer)
		}
	case *ast.ParenExpr:
		return key(e.X)
	case *ast.StarExpr:
		return "*" + key(e.X)
	case *ast.ArrayType:
		if e.Len != nil {
			if length, ok := a.scope.decl.Pkg.IntConst(e.Len); ok {
				return "[" + strconv.FormatInt(length, 10) + "]" + key(e.Elt)
			}
			return "[" + a.scope.decl.Pkg.Path + "." + types.ExprString(e.Len) + "]" + key(e.Elt)
		}
		return "[]" + key(e.Elt)
	case *ast.MapType:
		return "map[" + key(e.Key) + "]" + key(e.Value)
	case *ast.IndexExpr, *ast.IndexListExpr:
		base, args := generic(a.scope, e)
		return key(base) + argsKey(args)
	case *ast.StructType:
		// An anonymous struct may use type parameters: its place and the arguments in scope identify it.
		at := a.scope.span(e)
		return fmt.Sprintf("struct@%s:%d:%s", at.Source.Path, at.Start, scopeKey(a.scope))
	}
	if t := a.scope.decl.Pkg.TypeOf(a.expr); t != nil {
		return types.TypeString(t, nil)
	}
	return types.ExprString(a.expr)
}

func argsKey(args []typeArg) string {
	var list []string
	for _, a := range args {
		list = append(list, argKey(a))
	}
	return "[" + strings.Join(list, ",") + "]"
}

// scopeKey identifies the arguments of the generic type that a scope is inside of.
func scopeKey(sc *scope) string {
	var args []typeArg
	for _, name := range typeParams(sc.decl) {
		if arg, ok := sc.args[name]; ok {
			args = append(args, arg)
		}
	}
	return sc.decl.Name + argsKey(args)
}

// expands reports whether a generic type seems to expand endlessly.
func (d Describer) expands(pkg *load.Package, name string, args []typeArg) bool {
	if d.argsSize(args) > effort.TypeArguments.Most {
		return true
	}
	nested := int64(0)
	for s := d.Step; s != nil; s = s.Outer {
		if s.Typ != nil && s.Typ.Decl.Pkg == pkg && s.Typ.Decl.Name == name {
			nested++
		}
	}
	instances := int64(0)
	if nested > 1 { // otherwise the expansion ends
		for key := range d.types {
			if key.pkg == pkg && key.name == name {
				instances++
			}
		}
	}
	return nested > effort.TypeExpansions.Most || instances > effort.TypeInstances.Most
}

// argsSize returns the number of types in type arguments. A parameter counts as the argument that it stands for.
func (d Describer) argsSize(args []typeArg) int64 {
	size := int64(0)
	for _, a := range args {
		size += d.argSize(a)
	}
	return size
}

// argSize does what argsSize does for one argument. It stops counting beyond the limit.
func (d Describer) argSize(a typeArg) int64 {
	if size, ok := d.argSizes[a]; ok {
		return size
	}
	size := int64(0)
	ast.Inspect(a.expr, func(n ast.Node) bool {
		if ident, ok := n.(*ast.Ident); ok {
			size++
			if outer, ok := a.scope.args[ident.Name]; ok {
				size = min(size+d.argSize(outer), effort.TypeArguments.Most+1)
			}
		}
		return true
	})
	d.argSizes[a] = size
	return size
}
