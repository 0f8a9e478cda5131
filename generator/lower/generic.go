package lower

import (
	"fmt"
	"go/ast"
	"go/types"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/generator/load"
)

// generic takes the instance of a generic type apart: into the type, and its arguments as they are in a scope. There
// are none for any other expression.
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
func (d describer) instance(sc *scope, e ast.Expr) *node {
	of, args := generic(sc, e)
	switch x := of.(type) {
	case *ast.Ident:
		return d.named(sc, e, x, args)
	case *ast.SelectorExpr:
		return d.named(sc, e, x.Sel, args)
	}
	return d.unsupported(sc.span(e), types.ExprString(e), "use a named type")
}

// argKey identifies a type argument: its expression with every type parameter replaced by what it stands for.
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
		of, args := generic(a.scope, e)
		return key(of) + argsKey(args)
	case *ast.StructType:
		// An anonymous struct may hold type parameters; its place tells it apart, and the arguments in scope.
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

// Bounds of what generic types may expand to: how often one may be described within itself, each time with other
// arguments, and how many of its instances a CRD may have.
const (
	maxExpansions = 20
	maxInstances  = 1000
)

// expands reports whether a generic type seems to expand without end.
func (d describer) expands(pkg *load.Package, name string) bool {
	nested := 0
	for s := d.step; s != nil; s = s.outer {
		if s.typ != nil && s.typ.decl.Pkg == pkg && s.typ.decl.Name == name {
			nested++
		}
	}
	instances := 0
	if nested > 1 { // only then can there be no end
		for key := range d.current.types {
			if key.pkg == pkg && key.name == name {
				instances++
			}
		}
	}
	return nested > maxExpansions || instances > maxInstances
}
