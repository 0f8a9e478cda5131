package load

import (
	"go/ast"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// readImports fills the file's tables of imports. The name of an import without one is that of the package, which may
// differ from its path's last element; it is resolved on lookup.
func (f *file) readImports() {
	f.imports = map[string]string{}
	for _, spec := range f.syntax.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		switch {
		case spec.Name == nil:
			f.unnamed = append(f.unnamed, path)
		case spec.Name.Name == ".":
			f.dots = append(f.dots, path)
		case spec.Name.Name != "_":
			f.imports[spec.Name.Name] = path
		}
	}
}

// imported returns the package that a name refers to in a file, or nil.
func (pkg *Package) imported(f *file, name string) *Package {
	if path, ok := f.imports[name]; ok {
		return pkg.Imports[path]
	}
	for _, path := range f.unnamed {
		if p := pkg.Imports[path]; p != nil && p.Name == name {
			return p
		}
	}
	return nil
}

// ImportNames returns the names of the packages that the file of the declaration imports.
func (d *TypeDecl) ImportNames() []string {
	out := slices.Collect(maps.Keys(d.file.imports))
	for _, path := range d.file.unnamed {
		if p := d.Pkg.Imports[path]; p != nil {
			out = append(out, p.Name)
		}
	}
	return slices.Sorted(slices.Values(out))
}

// Imported returns the package that a name refers to in the file of the declaration, or nil.
func (d *TypeDecl) Imported(name string) *Package { return d.Pkg.imported(d.file, name) }

// qualified returns the package and the name that a qualified name in the declaration refers to; the package is nil if
// no package is imported under that name.
func (d *TypeDecl) qualified(e *ast.SelectorExpr) (*Package, string) {
	if x, ok := e.X.(*ast.Ident); ok {
		return d.Imported(x.Name), e.Sel.Name
	}
	return nil, ""
}

// A typeName is a type that something refers to.
type typeName struct {
	pkg  *Package
	name string
	// constants is set if the constants of the type are needed too.
	constants bool
	// noStruct is set if the type is not needed if it is a struct.
	noStruct bool
}

// reach marks the declarations that the kinds of the root packages lead to, parsing packages as they come up.
func (p *Program) reach() {
	kinds := p.findKinds()
	p.follow(kinds)
	// A package that was reached may hold another version of a kind; it becomes part of the CRD, and its types too.
	for {
		more := p.otherVersions(kinds)
		if len(more) == 0 {
			return
		}
		p.follow(more)
	}
}

// follow marks the named types and all that they refer to.
func (p *Program) follow(queue []typeName) {
	for len(queue) > 0 {
		var pkgs []*Package
		for _, t := range queue {
			if !slices.Contains(pkgs, t.pkg) && !t.pkg.opaqueName(t.name) {
				pkgs = append(pkgs, t.pkg)
			}
		}
		p.parseNeeded(pkgs)
		var next []typeName
		for _, t := range queue {
			next = append(next, t.pkg.mark(t)...)
		}
		queue = next
	}
}

// parseNeeded parses the packages that have not been parsed yet.
func (p *Program) parseNeeded(pkgs []*Package) {
	p.parseFiles(slices.DeleteFunc(slices.Clone(pkgs), func(pkg *Package) bool { return pkg.parsed }), false)
}

func (pkg *Package) opaqueName(name string) bool {
	_, ok := pkg.program.policy.Opaque[pkg.Path+"."+name]
	return ok
}

// mark reaches one type and returns the types that it refers to.
func (pkg *Package) mark(t typeName) []typeName {
	if o, ok := pkg.program.policy.Opaque[pkg.Path+"."+t.name]; ok {
		pkg.opaque[t.name] = o
		return nil
	}
	d := pkg.byName[t.name]
	if d == nil || t.noStruct && d.isStruct() {
		return nil
	}
	var found []typeName
	if !d.reached {
		found = d.reach()
		t.constants = t.constants || pkg.program.wantsConstants(d.Comments, pkg.Own)
	}
	if t.constants {
		found = append(found, d.needConstants()...)
	}
	return found
}

// reach marks the declaration and returns the types that it refers to.
func (d *TypeDecl) reach() []typeName {
	d.reached = true
	r := &refs{decl: d, params: typeParams(d.Spec)}
	r.expr(d.Spec.Type)
	for _, method := range d.Pkg.methods[d.Name] {
		if method.Type.Results != nil {
			for _, result := range method.Type.Results.List {
				r.expr(result.Type)
			}
		}
	}
	return r.found
}

func (d *TypeDecl) isStruct() bool {
	_, ok := ast.Unparen(d.Spec.Type).(*ast.StructType)
	return ok
}

// typeParams returns the names of a declaration's type parameters.
func typeParams(spec *ast.TypeSpec) []string {
	if spec.TypeParams == nil {
		return nil
	}
	var out []string
	for _, field := range spec.TypeParams.List {
		for _, n := range field.Names {
			out = append(out, n.Name)
		}
	}
	return out
}

// refs collects the type names in a declaration.
type refs struct {
	decl   *TypeDecl
	params []string
	found  []typeName
}

func (r *refs) expr(expr ast.Expr) {
	switch expr := expr.(type) {
	case *ast.Ident:
		r.ident(expr.Name)
	case *ast.SelectorExpr:
		if pkg, name := r.decl.qualified(expr); pkg != nil {
			r.found = append(r.found, typeName{pkg: pkg, name: name})
		}
	case *ast.ParenExpr:
		r.expr(expr.X)
	case *ast.StarExpr:
		r.expr(expr.X)
	case *ast.ArrayType:
		if expr.Len != nil {
			var f follower
			f.expr(r.decl.Pkg, r.decl.file, expr.Len)
			r.found = append(r.found, f.found...)
		}
		r.expr(expr.Elt)
	case *ast.MapType:
		r.expr(expr.Key)
		r.expr(expr.Value)
	case *ast.IndexExpr:
		r.expr(expr.X)
		r.expr(expr.Index)
	case *ast.IndexListExpr:
		r.expr(expr.X)
		for _, index := range expr.Indices {
			r.expr(index)
		}
	case *ast.StructType:
		for _, field := range expr.Fields.List {
			r.field(field)
		}
	}
}

func (r *refs) ident(name string) {
	if slices.Contains(r.params, name) {
		return
	}
	pkg := r.decl.Pkg
	if pkg.byName[name] != nil {
		r.found = append(r.found, typeName{pkg: pkg, name: name})
		return
	}
	for _, path := range r.decl.file.dots {
		dot := pkg.Imports[path]
		if dot == nil {
			continue
		}
		pkg.program.parseNeeded([]*Package{dot})
		if dot.opaqueName(name) || dot.byName[name] != nil {
			r.found = append(r.found, typeName{pkg: dot, name: name})
			return
		}
	}
}

// field follows a struct field, unless its type has no effect: it is not part of the JSON form. If a marker makes its
// schema independent of its type, only the form of an unset field depends on the type. Embedded fields always have an
// effect, by the methods that they promote.
func (r *refs) field(field *ast.Field) {
	if len(field.Names) > 0 {
		tag, tagged := Tag(field).Lookup("json")
		exported := func(name *ast.Ident) bool { return name.IsExported() }
		if tag == "-" || !tagged && !slices.ContainsFunc(field.Names, exported) {
			return
		}
		for _, c := range r.decl.file.fields[field] {
			if c.Text == "+kubebuilder:validation:Schemaless" {
				r.unset(field.Type)
				return
			}
		}
	}
	start := len(r.found)
	r.expr(field.Type)
	if pkg := r.decl.Pkg; pkg.Own && pkg.program.wantsConstants(r.decl.file.fields[field], true) {
		for i := range r.found[start:] {
			r.found[start+i].constants = r.found[start+i].pkg.Own
		}
	}
}

// unset follows the name of a type as far as needed to know whether Go encodes an unset field as null. A struct is
// never null, unless it is a known type. Fields of imported types are not checked, and other packages are not read.
func (r *refs) unset(expr ast.Expr) {
	expr = ast.Unparen(expr)
	switch generic := expr.(type) {
	case *ast.IndexExpr:
		expr = generic.X
	case *ast.IndexListExpr:
		expr = generic.X
	}
	named := &refs{decl: r.decl, params: r.params}
	switch expr.(type) {
	case *ast.Ident, *ast.SelectorExpr:
		named.expr(expr)
	}
	for _, t := range named.found {
		if r.decl.Pkg.Own && (t.pkg.Own || t.pkg.opaqueName(t.name)) {
			t.noStruct = true
			r.found = append(r.found, t)
		}
	}
}

// Tag returns the struct tag of a field.
func Tag(field *ast.Field) reflect.StructTag {
	if field.Tag == nil {
		return ""
	}
	s, err := strconv.Unquote(field.Tag.Value)
	if err != nil {
		return ""
	}
	return reflect.StructTag(s)
}

// Omits reports whether Go omits a field that is unset, so that the field is optional without a marker.
func Omits(field *ast.Field) bool {
	options := strings.Split(Tag(field).Get("json"), ",")[1:]
	return slices.Contains(options, "omitempty") || slices.Contains(options, "omitzero")
}
