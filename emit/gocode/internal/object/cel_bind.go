package object

import (
	"maps"

	"github.com/dave/jennifer/jen"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	celtypes "github.com/google/cel-go/common/types"
)

// bind compiles a value that gets a name.
func (c *Compiler) bind(m *Macro) (v Value) {
	if sum := c.growing(m); sum != nil {
		return c.fail(sum, "if a list that optMap or optFlatMap names is empty, the API server appends to the list "+
			"itself, and later uses of the name see the added items")
	}
	init := c.Dyn(c.Expr(m.Fold.AccuInit()))
	c.Scoped(m.Fold.AccuVar(), Dynamic, func(id jen.Code) {
		body := c.Dyn(c.Expr(m.Fold.Result()))
		v = Dynamic(jen.Func().Params(jen.Add(id).Any()).Any().Block(jen.Return(body)).
			Call(Runtime("Named").Call(init)))
	})
	return v
}

// growing returns a sum that may add items to the list that a macro names, if the list is used several times, or nil.
// If the value is an empty list, cel-go gives the name a list that grows.
func (c *Compiler) growing(m *Macro) (sum ast.Expr) {
	if !c.mayBeList(m.Fold.AccuInit()) {
		return nil
	}
	// Other names in the body may be names of the same list.
	body, name := m.Fold.Result(), map[string]bool{m.Fold.AccuVar(): true}
	names, uses := maps.Clone(name), occurrences(body, name)
	visit(body, func(e ast.Expr) {
		if e.Kind() != ast.ComprehensionKind {
			return
		}
		fold := e.AsComprehension()
		if inner := c.Macro(e); inner != nil && inner.Kind == MacroBind {
			names[fold.AccuVar()] = true
			return
		}
		names[fold.IterVar()], names[fold.IterVar2()] = true, true
		uses += occurrences(fold.LoopStep(), name) // for the second item
	})
	if uses < 2 {
		return nil
	}
	visit(body, func(e ast.Expr) {
		if args, ok := OperationOf(e, operators.Add, 2); ok && c.mayBeList(args[0]) && c.mayBeList(args[1]) &&
			occurrences(args[0], names) > 0 {
			sum = e
		}
	})
	return sum
}

// mayBeList reports whether the value of an expression may be a list.
func (c *Compiler) mayBeList(e ast.Expr) bool {
	kind := c.Ast.GetType(e.ID()).Kind()
	return kind == celtypes.ListKind || kind == celtypes.DynKind || kind == celtypes.TypeParamKind
}

// occurrences returns the number of uses of variables in an expression.
func occurrences(e ast.Expr, names map[string]bool) (n int) {
	visit(e, func(e ast.Expr) {
		if e.Kind() == ast.IdentKind && names[e.AsIdent()] {
			n++
		}
	})
	return n
}

// visit calls a function for an expression and all of its parts.
func visit(e ast.Expr, f func(ast.Expr)) { ast.PreOrderVisit(e, ast.NewExprVisitor(f)) }
