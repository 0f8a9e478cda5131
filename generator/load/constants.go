package load

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/markers"
)

// A Constant is a constant at package level.
type Constant struct {
	Name string
	// At is the declared name.
	At diag.Span
	// Value is a string, an integer and so on; it is of kind Unknown if Problem says why it cannot be evaluated.
	Value   constant.Value
	Problem string
	// Literal reports that the declaration names the type and states the value as a string literal, the only form that
	// controller-gen reads.
	Literal bool
	// Comments are the markers of its documentation.
	Comments []markers.Comment
}

// Constants returns the constants of the type in its own package, including those named _, in the order of files and
// positions. They are known for types whose constants Load was asked for, and for the types of fields.
//
// Constants that other packages declare with the type are left out: which of those are loaded depends on the paths, and
// so the schema would.
func (d *TypeDecl) Constants() []Constant { return d.constants }

// Untyped returns the constants that are perhaps meant to have the type, if none has it: those with a string and
// without a type that are declared directly below it, or whose names begin with its name.
func (d *TypeDecl) Untyped() []Constant { return d.untyped }

func (d *TypeDecl) findUntyped() (out []Constant) {
	for _, c := range d.Pkg.constDecls {
		lit, ok := c.value.(*ast.BasicLit)
		if !ok || c.typ != nil || lit.Kind != token.STRING || c.name.Name == "_" {
			continue
		}
		if strings.HasPrefix(c.name.Name, d.Name) || c.file == d.file && d.isDirectlyAbove(c.name) {
			out = append(out, Constant{Name: c.name.Name, At: d.Pkg.Span(c.name),
				Value: constant.MakeFromLiteral(lit.Value, token.STRING, 0)})
		}
	}
	return out
}

// Variable returns the keyword of the first group of variables that declares strings of the type and nothing else, and
// the name of the first one, if the type has no constants: they are perhaps meant to be its constants.
func (d *TypeDecl) Variable() (keyword diag.Span, name string) { return d.varAt, d.varName }

func (d *TypeDecl) findVariable() (keyword diag.Span, name string) {
	for _, f := range d.Pkg.files {
		if f == nil {
			continue
		}
		for _, gen := range f.texts {
			isOther := func(s ast.Spec) bool { return s.(*ast.ValueSpec).Type.(*ast.Ident).Name != d.Name }
			if !slices.ContainsFunc(gen.Specs, isOther) {
				at := d.Pkg.program.span(gen.TokPos, gen.TokPos+token.Pos(len("var")))
				return at, gen.Specs[0].(*ast.ValueSpec).Names[0].Name
			}
		}
	}
	return diag.Span{}, ""
}

// isTexts reports whether a declaration has only variables of a type of the package, each with a string.
func isTexts(gen *ast.GenDecl) bool {
	isOther := func(e ast.Expr) bool {
		lit, ok := e.(*ast.BasicLit)
		return !ok || lit.Kind != token.STRING
	}
	for _, s := range gen.Specs {
		spec, ok := s.(*ast.ValueSpec)
		if !ok || len(spec.Values) != len(spec.Names) || slices.ContainsFunc(spec.Values, isOther) {
			return false
		}
		if _, ok := spec.Type.(*ast.Ident); !ok {
			return false
		}
	}
	return gen.Tok == token.VAR && len(gen.Specs) > 0
}

// isDirectlyAbove reports whether the declaration after that of the type has a name.
func (d *TypeDecl) isDirectlyAbove(name *ast.Ident) bool {
	list := d.file.syntax.Decls
	holds := func(decl ast.Decl, n ast.Node) bool { return decl.Pos() <= n.Pos() && n.End() <= decl.End() }
	i := slices.IndexFunc(list, func(decl ast.Decl) bool { return holds(decl, d.Spec) })
	return i >= 0 && i+1 < len(list) && holds(list[i+1], name)
}

// A constDecl is one name of a constant declaration, with its type and value, repeated from an earlier line if it has
// neither.
type constDecl struct {
	pkg      *Package
	file     *file
	name     *ast.Ident
	typ      ast.Expr // nil if it follows from the value
	value    ast.Expr // nil if it is missing, which is a mistake
	own      bool     // the value is its own
	doc      *ast.CommentGroup
	followed bool
	// inferred reports whether the constant has a type, by its name; false while that is being found out.
	inferred map[string]bool
	// length is the number of bytes of a string, 0 before it is known.
	length int64
}

// needConstants makes sure that the constants of the type can be evaluated: it reads the packages that they use, and
// returns the types that occur in them.
func (d *TypeDecl) needConstants() []typeName {
	if d.needed {
		return nil
	}
	d.needed = true
	d.Pkg.needConsts()
	f := &follower{}
	for _, c := range d.Pkg.constDecls {
		if d.Pkg.hasType(c, d.Name) {
			f.follow(c)
		}
	}
	return f.found
}

// needConsts parses the files that can declare a constant, and indexes their constants.
func (pkg *Package) needConsts() {
	if pkg.consts {
		return
	}
	pkg.consts = true
	pkg.program.parseFiles([]*Package{pkg}, true)
	pkg.constByName = map[string]*constDecl{}
	for _, f := range pkg.files {
		if f == nil || f.syntax == nil {
			continue
		}
		for _, d := range f.syntax.Decls {
			if gen, ok := d.(*ast.GenDecl); ok && gen.Tok == token.CONST {
				pkg.indexConsts(f, gen)
			}
		}
	}
}

func (pkg *Package) indexConsts(f *file, gen *ast.GenDecl) {
	var last *ast.ValueSpec
	for _, s := range gen.Specs {
		spec := s.(*ast.ValueSpec)
		if last == nil || spec.Type != nil || len(spec.Values) > 0 {
			last = spec
		}
		for i, name := range spec.Names {
			c := &constDecl{pkg: pkg, file: f, name: name, typ: ast.Unparen(last.Type), own: spec == last,
				doc: spec.Doc}
			if !gen.Lparen.IsValid() {
				c.doc = gen.Doc
			}
			if i < len(last.Values) {
				c.value = last.Values[i]
			}
			pkg.constDecls = append(pkg.constDecls, c)
			if pkg.constByName[name.Name] == nil {
				pkg.constByName[name.Name] = c
			}
		}
	}
}

// hasType reports whether a constant has the named type of its package, judging by the syntax.
func (pkg *Package) hasType(c *constDecl, name string) bool {
	if c.typ != nil {
		return pkg.names(c.typ, name, 0)
	}
	return pkg.infers(c.value, name, 0)
}

// maxInference bounds how far constants and aliases are followed, since they may go in a circle.
const maxInference = 100

// names reports whether an expression names a type, be it by an alias.
func (pkg *Package) names(e ast.Expr, name string, depth int) bool {
	ident, ok := ast.Unparen(e).(*ast.Ident)
	if !ok || depth > maxInference {
		return false
	}
	if ident.Name == name {
		return true
	}
	d := pkg.byName[ident.Name]
	return d != nil && d.Spec.Assign.IsValid() && pkg.names(d.Spec.Type, name, depth+1)
}

// infers reports whether a constant expression has a type that it was given by a conversion or by another constant.
func (pkg *Package) infers(e ast.Expr, name string, depth int) bool {
	if depth > maxInference {
		return false
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return pkg.infers(e.X, name, depth+1)
	case *ast.UnaryExpr:
		return pkg.infers(e.X, name, depth+1)
	case *ast.BinaryExpr:
		switch e.Op {
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			return false
		case token.SHL, token.SHR:
			return pkg.infers(e.X, name, depth+1)
		}
		return pkg.infers(e.X, name, depth+1) || pkg.infers(e.Y, name, depth+1)
	case *ast.CallExpr:
		return pkg.names(e.Fun, name, 0)
	case *ast.Ident:
		c := pkg.constByName[e.Name]
		switch {
		case c == nil:
			return false
		case c.typ != nil:
			return pkg.names(c.typ, name, 0)
		}
		known, ok := c.inferred[name]
		if !ok {
			if c.inferred == nil {
				c.inferred = map[string]bool{}
			}
			c.inferred[name] = false // a constant that depends on itself
			known = pkg.infers(c.value, name, depth+1)
			c.inferred[name] = known
		}
		return known
	}
	return false
}

// textLength returns at least the number of bytes of a constant string, which is not yet made: it can double with each
// constant.
func (pkg *Package) textLength(in *file, e ast.Expr) int64 {
	const most = 1 << 40
	switch e := e.(type) {
	case *ast.BasicLit:
		return int64(len(e.Value))
	case *ast.ParenExpr:
		return pkg.textLength(in, e.X)
	case *ast.BinaryExpr:
		return min(pkg.textLength(in, e.X)+pkg.textLength(in, e.Y), most)
	case *ast.CallExpr:
		if len(e.Args) == 1 {
			return pkg.textLength(in, e.Args[0])
		}
	case *ast.SelectorExpr:
		if x, ok := e.X.(*ast.Ident); ok {
			if from := pkg.imported(in, x.Name); from != nil {
				return from.textLength(in, e.Sel)
			}
		}
	case *ast.Ident:
		if c := pkg.constByName[e.Name]; c != nil {
			if c.length == 0 {
				c.length = 1 // a constant that depends on itself
				c.length = pkg.textLength(c.file, c.value)
			}
			return c.length
		}
	}
	return 0
}

// A follower collects what constants depend on.
type follower struct{ found []typeName }

func (f *follower) follow(c *constDecl) {
	if c.followed {
		return
	}
	c.followed = true
	f.expr(c.pkg, c.file, c.typ)
	f.expr(c.pkg, c.file, c.value)
}

func (f *follower) expr(pkg *Package, in *file, e ast.Expr) {
	if e == nil {
		return
	}
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			x, ok := n.X.(*ast.Ident)
			if !ok {
				return true
			}
			if from := pkg.imported(in, x.Name); from != nil {
				f.name(from, n.Sel.Name)
			}
			return false
		case *ast.Ident:
			if f.name(pkg, n.Name) {
				return true
			}
			for _, path := range in.dots {
				if dot := pkg.Imports[path]; dot != nil && f.name(dot, n.Name) {
					break
				}
			}
		}
		return true
	})
}

// name follows a name of a package that constants use; packages that the go command could not load are skipped.
func (f *follower) name(pkg *Package, name string) bool {
	if len(pkg.listed) > 0 && !pkg.parsed {
		return false
	}
	pkg.needConsts()
	if c := pkg.constByName[name]; c != nil {
		f.follow(c)
		return true
	}
	if pkg.byName[name] != nil {
		f.found = append(f.found, typeName{pkg: pkg, name: name})
		return true
	}
	return false
}

// constants evaluates the constants that are needed.
func (p *Program) constants() {
	for _, pkg := range p.all {
		if !pkg.consts || pkg.Types == nil {
			continue
		}
		for _, d := range pkg.Decls {
			if !d.needed || !d.reached {
				continue
			}
			for _, c := range pkg.constDecls {
				if pkg.hasType(c, d.Name) {
					d.constants = append(d.constants, d.constant(c))
				}
			}
			if len(d.constants) == 0 {
				d.untyped = d.findUntyped()
				d.varAt, d.varName = d.findVariable()
			}
		}
	}
}

// constant evaluates a constant of the type, if the type checker agrees that it has the type.
func (d *TypeDecl) constant(c *constDecl) Constant {
	pkg := d.Pkg
	out := Constant{Name: c.name.Name, At: pkg.Span(c.name), Value: constant.MakeUnknown()}
	out.Comments = (&binder{
		file: c.file, tok: pkg.program.Fset.File(c.name.Pos()), policy: &pkg.program.policy,
	}).comments(true, c.doc)
	if ident, ok := c.typ.(*ast.Ident); ok && ident.Name == d.Name && c.own {
		lit, ok := c.value.(*ast.BasicLit)
		out.Literal = ok && lit.Kind == token.STRING
	}
	if c.name.Name == "_" {
		if out.Literal {
			out.Value = constant.MakeFromLiteral(c.value.(*ast.BasicLit).Value, token.STRING, 0)
		}
		return out
	}
	if pkg.textLength(c.file, c.name) > effort.ConstantBytes.Most {
		out.Problem = "it is too long"
		return out
	}
	obj, ok := pkg.Types.Scope().Lookup(c.name.Name).(*types.Const)
	if ok && obj.Pos() == c.name.Pos() && obj.Type() != types.Typ[types.Invalid] {
		out.Value = obj.Val()
	}
	if out.Value.Kind() != constant.Unknown {
		return out
	}
	out.Problem = pkg.TypeError(c.name)
	if out.Problem == "" && c.value != nil {
		out.Problem = pkg.TypeError(c.value)
	}
	if name, ok := strings.CutPrefix(out.Problem, "undefined: "); ok {
		out.Problem = name + " is not a constant" // only constants were read, so it may be a variable
	}
	if out.Problem == "" {
		out.Problem = "it depends on a constant that cannot be evaluated"
	}
	return out
}

// wantsConstants reports whether one of the comments on a type or a field needs the constants of the type.
func (p *Program) wantsConstants(comments []markers.Comment, own bool) bool {
	return slices.ContainsFunc(comments, func(c markers.Comment) bool {
		return p.policy.Markers.NeedsConstants(c.Text, own)
	})
}
