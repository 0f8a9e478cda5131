package load

import (
	"go/ast"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// metav1 is the package whose TypeMeta and ObjectMeta make a struct a kind.
const metav1 = "k8s.io/apimachinery/pkg/apis/meta/v1"

// readImports fills the file's tables of imports. What name an import without one has is the package's business, which may
// differ from its path's last element; that is resolved on lookup.
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

// imported returns the package that a name stands for in a file, or nil.
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

// A typeName is a type that something refers to.
type typeName struct {
	pkg  *Package
	name string
	// constants asks for the constants of the type too.
	constants bool
}

// reach marks the declarations that the kinds of the root packages lead to, parsing packages as they come up.
func (p *Program) reach() {
	var queue []typeName
	for _, pkg := range p.Roots {
		for _, d := range pkg.Decls {
			if pkg.isKind(d) && d.Spec.TypeParams == nil {
				queue = append(queue, typeName{pkg: pkg, name: d.Name})
			}
		}
	}
	kinds := slices.Clone(queue)
	p.follow(queue)
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
	fresh := pkgs[:0:0]
	for _, pkg := range pkgs {
		if !pkg.parsed {
			fresh = append(fresh, pkg)
		}
	}
	p.parseAll(fresh)
}

func (pkg *Package) opaqueName(name string) bool {
	if pkg.program.config.Opaque == nil {
		return false
	}
	_, ok := pkg.program.config.Opaque(pkg.Path, name)
	return ok
}

// mark reaches one type and returns the types that it refers to.
func (pkg *Package) mark(t typeName) []typeName {
	if pkg.program.config.Opaque != nil {
		if o, ok := pkg.program.config.Opaque(pkg.Path, t.name); ok {
			pkg.opaque[t.name] = o
			return nil
		}
	}
	d := pkg.byName[t.name]
	if d == nil {
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
	r := &refs{decl: d}
	if d.Spec.TypeParams != nil {
		for _, field := range d.Spec.TypeParams.List {
			for _, n := range field.Names {
				r.params = append(r.params, n.Name)
			}
		}
	}
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
		if x, ok := expr.X.(*ast.Ident); ok {
			if pkg := r.decl.Pkg.imported(r.decl.file, x.Name); pkg != nil {
				r.found = append(r.found, typeName{pkg: pkg, name: expr.Sel.Name})
			}
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

// field follows a struct field, unless its type cannot matter: it is not part of the JSON form, or its schema is
// declared to be independent of its type. Embedded fields always matter, for the methods that they promote.
func (r *refs) field(field *ast.Field) {
	if len(field.Names) > 0 {
		tag, tagged := Tag(field).Lookup("json")
		if tag == "-" || !tagged {
			return
		}
		for _, c := range r.decl.file.fields[field] {
			if c.Text == "+kubebuilder:validation:Schemaless" {
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

// isKind reports whether a declaration is a struct that directly embeds TypeMeta and ObjectMeta of metav1.
func (pkg *Package) isKind(d *TypeDecl) bool {
	structType, ok := d.Spec.Type.(*ast.StructType)
	if !ok {
		return false
	}
	var typeMeta, objectMeta bool
	for _, field := range structType.Fields.List {
		if len(field.Names) > 0 {
			continue
		}
		var name string
		switch t := field.Type.(type) {
		case *ast.SelectorExpr:
			x, ok := t.X.(*ast.Ident)
			if !ok {
				continue
			}
			if from := pkg.imported(d.file, x.Name); from == nil || from.Path != metav1 {
				continue
			}
			name = t.Sel.Name
		case *ast.Ident:
			if pkg.byName[t.Name] != nil || !slices.Contains(d.file.dots, metav1) {
				continue
			}
			name = t.Name
		}
		typeMeta = typeMeta || name == "TypeMeta"
		objectMeta = objectMeta || name == "ObjectMeta"
	}
	return typeMeta && objectMeta
}

// Kinds returns the declarations of the package that are kinds, in source order; among them may be generic ones, which
// cannot have a CRD.
func (pkg *Package) Kinds() []*TypeDecl {
	var out []*TypeDecl
	for _, d := range pkg.Decls {
		if pkg.isKind(d) {
			out = append(out, d)
		}
	}
	return out
}

// otherVersions returns the types, not reached yet, of reached packages of a kind's group that carry a kind's name.
func (p *Program) otherVersions(kinds []typeName) []typeName {
	byGroup := map[string][]*Package{}
	groups := map[*Package]string{}
	for _, pkg := range p.all {
		if pkg.parsed {
			groups[pkg] = groupText(pkg)
			byGroup[groups[pkg]] = append(byGroup[groups[pkg]], pkg)
		}
	}
	var out []typeName
	for _, kind := range kinds {
		group := groups[kind.pkg]
		if group == "" {
			continue
		}
		for _, pkg := range byGroup[group] {
			if d := pkg.byName[kind.name]; d != nil && !d.reached {
				out = append(out, typeName{pkg: pkg, name: kind.name})
			}
		}
	}
	return out
}

// groupText returns the value of the package's groupName marker, as far as it can be told without parsing markers: what
// is taken for the same group here only decides what is read.
func groupText(pkg *Package) string {
	group := groupIn(pkg.Comments)
	for _, d := range pkg.Decls {
		if group == "" {
			group = groupIn(d.Comments)
		}
	}
	return group
}

func groupIn(comments []Comment) string {
	for _, c := range comments {
		if value, ok := strings.CutPrefix(c.Text, "+groupName"); ok && !c.Doc {
			return strings.Trim(value, ":= \"`")
		}
	}
	return ""
}
