package load

import (
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/internal/gojson"
	"github.com/crdproof/crdproof/internal/stage"
	"github.com/crdproof/crdproof/markers"
)

// TypeOf returns the checked type of a name, qualified or not, and nil for any other expression.
func (pkg *Package) TypeOf(e ast.Expr) types.Type {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return pkg.TypeOf(e.X)
	case *ast.Ident:
		if obj := pkg.Info.Uses[e]; obj != nil {
			return obj.Type()
		}
	case *ast.SelectorExpr:
		if obj := pkg.Info.Uses[e.Sel]; obj != nil {
			return obj.Type()
		}
	}
	return nil
}

// TypeNamed returns the declared type with a name in the package with an import path, nil if it was not read.
func (p *Program) TypeNamed(path, name string) types.Type {
	for _, pkg := range p.all {
		if pkg.Path == path && pkg.Types != nil {
			if obj := pkg.Types.Scope().Lookup(name); obj != nil {
				return obj.Type()
			}
		}
	}
	return nil
}

// IntConst evaluates a constant integer expression, such as the length of an array.
func (pkg *Package) IntConst(e ast.Expr) (int64, bool) {
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	if err := types.CheckExpr(pkg.program.Fset, pkg.Types, e.Pos(), e, info); err != nil || info.Types[e].Value == nil {
		return 0, false
	}
	return constant.Int64Val(constant.ToInt(info.Types[e].Value))
}

// release drops what no later stage reads: the syntax trees of the files with their comments, and the unreached
// declarations of packages that are not roots. What remains of a large project is looked at whenever Go collects
// garbage.
func (p *Program) release() {
	var files []*file
	for _, pkg := range p.all {
		pkg.constDecls, pkg.constByName = nil, nil
		if !pkg.Root {
			pkg.Decls = slices.DeleteFunc(pkg.Decls, func(d *TypeDecl) bool { return !d.reached })
		}
		for _, f := range pkg.files {
			if f != nil && f.syntax != nil {
				files = append(files, f)
			}
		}
	}
	stage.Each(len(files), func(i int) { files[i].release(&p.policy) })
}

// release keeps of the comments of fields only the texts: all marker comments in root packages, otherwise those of
// reached types, whose documentation is kept too.
func (f *file) release(policy *Policy) {
	fields, docs := map[*ast.Field][]markers.Comment{}, map[*ast.Field]string{}
	for _, d := range f.decls {
		ast.Inspect(d.Spec.Type, func(n ast.Node) bool {
			field, ok := n.(*ast.Field)
			if !ok {
				return true
			}
			if comments := f.fields[field]; comments != nil && (d.reached || d.Pkg.Root) {
				fields[field] = comments
			}
			if d.reached && field.Doc != nil {
				docs[field] = docText(field.Doc, policy)
			}
			field.Doc, field.Comment = nil, nil
			return true
		})
		d.Spec.Doc, d.Spec.Comment = nil, nil
	}
	f.fields, f.docs, f.decls, f.syntax, f.texts = fields, docs, nil, nil, nil
}

// check type-checks the reached declarations of every package, dependencies first. Errors are kept for later: most only
// follow from declarations that were left out, and the others matter only if a type is needed.
func (p *Program) check() {
	p.byTypes = map[*types.Package]*Package{}
	for _, pkg := range p.all {
		if pkg.isNeeded() {
			pkg.check()
			p.byTypes[pkg.Types] = pkg
		}
	}
}

func (pkg *Package) check() {
	if pkg.checked {
		return
	}
	pkg.checked = true
	pkg.Types = types.NewPackage(pkg.Path, pkg.Name)
	// The types of expressions are not recorded: there are many, and those of names follow from their uses.
	pkg.Info = &types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := &types.Config{
		Importer:                 importer{pkg},
		IgnoreFuncBodies:         true,
		DisableUnusedImportCheck: true,
		Error: func(err error) {
			var e types.Error
			if errors.As(err, &e) {
				pkg.typeErr = append(pkg.typeErr, e)
			}
		},
	}
	// The errors are in typeErr.
	_ = types.NewChecker(config, pkg.program.Fset, pkg.Types, pkg.Info).Files(pkg.pruned())
}

// importer resolves the imports of one package. What was not reached is an empty package.
type importer struct{ pkg *Package }

func (i importer) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	dep := i.pkg.Imports[path]
	if dep == nil {
		return nil, errors.New("package not found")
	}
	if !dep.isNeeded() {
		if dep.Types == nil {
			dep.Types = types.NewPackage(dep.Path, dep.Name)
			dep.Types.MarkComplete()
		}
		return dep.Types, nil
	}
	dep.check()
	return dep.Types, nil
}

// pruned returns the package's files with only the reached declarations.
func (pkg *Package) pruned() []*ast.File {
	var out []*ast.File
	for _, f := range pkg.files {
		if f == nil || f.syntax == nil {
			continue
		}
		if pruned := pkg.prunedFile(f); pruned != nil {
			out = append(out, pruned)
		}
	}
	if len(pkg.opaque) > 0 {
		out = append(out, pkg.opaqueFile())
	}
	return out
}

func (pkg *Package) prunedFile(f *file) *ast.File {
	out := &ast.File{
		Package: f.syntax.Package, Name: f.syntax.Name, FileStart: f.syntax.FileStart, FileEnd: f.syntax.FileEnd,
		GoVersion: f.syntax.GoVersion,
	}
	var imports []ast.Decl
	for _, d := range f.syntax.Decls {
		switch d := d.(type) {
		case *ast.GenDecl:
			switch d.Tok {
			case token.IMPORT:
				imports = append(imports, d)
			case token.CONST:
				if pkg.consts {
					out.Decls = append(out.Decls, d)
				}
			case token.TYPE:
				if specs := pkg.reachedSpecs(f, d); len(specs) > 0 {
					out.Decls = append(out.Decls, &ast.GenDecl{
						TokPos: d.TokPos, Tok: token.TYPE, Lparen: d.Lparen, Specs: specs, Rparen: d.Rparen,
					})
				}
			}
		case *ast.FuncDecl:
			if r := pkg.byName[receiver(d)]; r != nil && r.reached {
				out.Decls = append(out.Decls, d)
			}
		}
	}
	if len(out.Decls) == 0 {
		return nil
	}
	out.Decls = append(imports, out.Decls...)
	out.Imports = f.syntax.Imports
	return out
}

// reachedSpecs returns the reached types of a declaration.
func (pkg *Package) reachedSpecs(f *file, d *ast.GenDecl) []ast.Spec {
	var specs []ast.Spec
	for _, s := range d.Specs {
		spec := s.(*ast.TypeSpec)
		if decl := pkg.byName[spec.Name.Name]; decl == nil || decl.Spec != spec || !decl.reached {
			continue
		}
		if spec.TypeParams != nil {
			copied := *spec
			copied.TypeParams = unconstrained(spec.TypeParams)
			spec = &copied
		}
		specs = append(specs, spec)
	}
	return specs
}

// unconstrained replaces the constraints of type parameters, which may need packages and methods that were not read.
// The compiler checks that arguments satisfy them.
func unconstrained(params *ast.FieldList) *ast.FieldList {
	out := &ast.FieldList{Opening: params.Opening, Closing: params.Closing}
	for _, f := range params.List {
		out.List = append(out.List, &ast.Field{Names: f.Names, Type: &ast.Ident{NamePos: f.Type.Pos(), Name: "any"}})
	}
	return out
}

// receiver returns the name of a method's receiver type.
func receiver(d *ast.FuncDecl) string {
	if len(d.Recv.List) != 1 {
		return ""
	}
	expr := d.Recv.List[0].Type
	for {
		switch t := expr.(type) {
		case *ast.StarExpr:
			expr = t.X
		case *ast.ParenExpr:
			expr = t.X
		case *ast.IndexExpr:
			expr = t.X
		case *ast.IndexListExpr:
			expr = t.X
		case *ast.Ident:
			return t.Name
		default:
			return ""
		}
	}
}

// opaqueFile declares the reached types with a known schema, mostly as nearly empty structs, with their marshal
// methods, so that names resolve and method sets are right without reading the package.
func (pkg *Package) opaqueFile() *ast.File {
	var src strings.Builder
	name := pkg.Name
	if !token.IsIdentifier(name) {
		name = "opaque" // a package that was not found, which has no other files
	}
	fmt.Fprintf(&src, "package %s\n", name)
	for _, name := range slices.Sorted(maps.Keys(pkg.opaque)) {
		opaque, embedded := pkg.opaque[name], gojson.EmbeddedBy+name
		if opaque.Underlying != "" {
			fmt.Fprintf(&src, "type %s %s\n", name, opaque.Underlying)
		} else {
			fmt.Fprintf(&src, "type %s struct{ %s }\ntype %s struct{}\n", name, embedded, embedded)
		}
		declareMethods(&src, name, opaque.Methods)
		declareMethods(&src, embedded, opaque.Promoted)
	}
	f, err := parser.ParseFile(pkg.program.Fset, pkg.Path, src.String(), parser.SkipObjectResolution)
	if err != nil {
		panic("crdproof: declare known types of " + pkg.Path + ": " + err.Error())
	}
	return f
}

func declareMethods(src *strings.Builder, receiver string, methods []string) {
	for _, method := range methods {
		star, signature := "", "() ([]byte, error)"
		if name, ok := strings.CutPrefix(method, "*"); ok {
			star, method = "*", name
		}
		switch {
		case method == "IsZero":
			star, signature = "*", "() bool"
		case strings.HasPrefix(method, "Unmarshal"):
			star, signature = "*", "([]byte) error"
		}
		fmt.Fprintf(src, "func (%s%s) %s%s\n", star, receiver, method, signature)
	}
}
