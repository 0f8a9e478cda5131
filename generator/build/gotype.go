package build

import (
	"go/ast"
	"go/types"
)

// resolved is the checked type of a name, with type parameters replaced, and nil for any other expression.
func (b *builder) resolved(sc *scope, e ast.Expr) types.Type {
	sc, e = substituted(sc, e)
	return sc.decl.Pkg.TypeOf(e)
}

// substituted follows a type parameter to the expression that it stands for.
func substituted(sc *scope, e ast.Expr) (*scope, ast.Expr) {
	for {
		e = unparen(e)
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

// underlying is the underlying type of what an expression names, and nil for other expressions. A pointer is looked
// through.
func (b *builder) underlying(sc *scope, e ast.Expr) types.Type {
	sc, e = substituted(sc, e)
	switch x := e.(type) {
	case *ast.StarExpr:
		return b.underlying(sc, x.X)
	case *ast.IndexExpr:
		return b.underlying(sc, x.X)
	case *ast.IndexListExpr:
		return b.underlying(sc, x.X)
	}
	if t := sc.decl.Pkg.TypeOf(e); t != nil {
		return t.Underlying()
	}
	return nil
}

// sortOf is the sort of a Go type.
func sortOf(t types.Type) goSort {
	switch t.Underlying().(type) {
	case *types.Pointer:
		return pointerSort
	case *types.Interface:
		return interfaceSort
	case *types.Slice, *types.Map:
		return sliceSort
	case *types.Array:
		return arraySort
	case *types.Struct:
		return structSort
	}
	return scalar
}
