package load

import (
	"context"
	"go/ast"
	"slices"

	"github.com/crdproof/crdproof/internal/effort"
)

// Go's type checker follows every declared type through all types whose values its own values contain, without memory
// of what it has seen (go/types, validtype.go), and compares each with all around it. If types contain others several
// times, the steps double with each level. So they are counted before.

// contents are the values in a value of a type: how many there are of declared types, and in how many levels. A value
// of a type parameter is counted when the generic type has arguments.
type contents struct {
	values, levels int64
	// params are how often the value has one of each type parameter.
	params []int64
}

// manyValues is a number of values beyond all limits, which can still be multiplied.
const manyValues = 1 << 30

// add adds the contents of a part, as often as it is there.
func (c *contents) add(part contents, times int64) {
	c.values = min(c.values+times*part.values, manyValues)
	c.levels = max(c.levels, part.levels)
	for i, n := range part.params {
		c.params[i] = min(c.params[i]+times*n, manyValues)
	}
}

// A counter counts the contents of types.
type counter struct {
	budget *effort.Budget
	known  map[*TypeDecl]*contents
	// rejected are the types that exceed the budget, each after those that it contains.
	rejected []*TypeDecl
}

// limitContents reports types that would take the type checker too long, and leaves them out.
func (p *Program) limitContents(ctx context.Context) {
	c := counter{budget: effort.New(ctx, effort.TypeContents), known: map[*TypeDecl]*contents{}}
	for _, pkg := range p.all {
		for _, d := range pkg.Decls {
			if d.reached {
				c.decl(d)
			}
		}
	}
	for i, d := range c.rejected {
		d.reached, d.Pkg.tooLarge = false, true
		if i == 0 {
			p.Diagnostics = append(p.Diagnostics, c.budget.Rejected(d.At, "the values in a value of "+d.Name).
				Help("use pointers or slices in it, or fewer types that contain each other"))
		}
	}
}

// decl returns the contents of a declared type. A type that contains itself is the type checker's to report.
func (c *counter) decl(d *TypeDecl) contents {
	if known := c.known[d]; known != nil {
		return *known
	}
	params := typeParams(d.Spec)
	c.known[d] = &contents{params: make([]int64, len(params))}
	out := c.expr(d, params, d.Spec.Type)
	out.values, out.levels = out.values+1, out.levels+1
	c.known[d] = &out
	const most = 1 << 40
	if !c.budget.Spend(int(min(out.values*out.levels, most))) {
		c.rejected = append(c.rejected, d)
	}
	return out
}

// expr returns the contents of a type expression in a declaration.
func (c *counter) expr(in *TypeDecl, params []string, e ast.Expr) contents {
	out := contents{params: make([]int64, len(params))}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return c.expr(in, params, e.X)
	case *ast.ArrayType:
		if e.Len != nil { // otherwise the items are elsewhere
			return c.expr(in, params, e.Elt)
		}
	case *ast.StructType:
		for _, f := range e.Fields.List {
			out.add(c.expr(in, params, f.Type), int64(max(1, len(f.Names))))
		}
	case *ast.IndexExpr:
		return c.instance(in, params, e.X, []ast.Expr{e.Index})
	case *ast.IndexListExpr:
		return c.instance(in, params, e.X, e.Indices)
	case *ast.Ident, *ast.SelectorExpr:
		if ident, ok := e.(*ast.Ident); ok && slices.Contains(params, ident.Name) {
			out.params[slices.Index(params, ident.Name)] = 1
			return out
		}
		return c.instance(in, params, e, nil)
	}
	return out
}

// instance returns the contents of a named type with its arguments.
func (c *counter) instance(in *TypeDecl, params []string, name ast.Expr, args []ast.Expr) contents {
	out := contents{params: make([]int64, len(params))}
	r := &refs{decl: in}
	r.expr(name)
	for _, t := range r.found {
		d := t.pkg.byName[t.name]
		if d == nil || !d.reached {
			continue
		}
		held := c.decl(d)
		out.add(contents{values: held.values, levels: held.levels}, 1)
		for i, times := range held.params {
			if i < len(args) {
				arg := c.expr(in, params, args[i])
				arg.levels += held.levels
				out.add(arg, times)
			}
		}
	}
	return out
}
