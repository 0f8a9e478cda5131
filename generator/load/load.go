// Package load reads the API types of Go packages. The input is package patterns. The output is a Program: the root
// packages, and from all other packages only the type declarations that the kinds of the roots reach. They are
// type-checked, and each has its comments.
//
// Packages are read on demand, because parsing is expensive. A file is parsed only if it can declare something that is
// needed. Function bodies, variables and unreached declarations never reach the type checker. The phases:
//
//  1. list: the go command names packages, files and imports (golist.go)
//  2. parse: files of needed packages, in parallel (parse.go)
//  3. bind: comments to declarations (bind.go)
//  4. reach: types from the kinds outward, by name (kinds.go, reach.go)
//  5. check: go/types on what was reached (check.go)
//
// The package carries no promise, and may change in any release: see docs/stability.md.
package load

import (
	"context"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/stage"
	"github.com/crdproof/crdproof/markers"
)

// Config says what to load.
type Config struct {
	// Dir is the directory that relative paths start from; "" is the process's own.
	Dir string
	// Paths are file-system paths (absolute or beginning with "."; a final "..." crosses module boundaries) and Go
	// package patterns.
	Paths []string
	// Tags are build tags.
	Tags []string
	// Env is the environment of the go command; nil is the process's own.
	Env []string
	// Packages asks the go command; nil is packages.Load. Tests of hundreds of small packages ask it once for all of
	// them.
	Packages func(cfg *packages.Config, patterns ...string) ([]*packages.Package, error)
	// Overlay is the content of files in place of what is on disk, by their paths as the go command has them. It must
	// have the same package clauses, build constraints and imports: the go command does not see it.
	Overlay map[string][]byte
	// Progress receives the stages of List and Load, with the number of packages that have been read: their total is
	// unknown. It may be nil.
	Progress stage.Progress
}

// Opaque replaces the declaration of a type that is not read.
type Opaque struct {
	// Underlying is the type's underlying type if that is not a struct.
	Underlying string
	// Methods are the names of the methods that decide the type's JSON form; those with a '*' in front have a pointer
	// receiver.
	Methods []string
	// Promoted are those of an embedded field, which types defined by the type keep.
	Promoted []string
}

// A Policy is what the loader must know about the meaning of declarations to read only those that are needed.
type Policy struct {
	// Opaque are the types whose declaration need not be read, because their schema is known, by path and name.
	Opaque map[string]Opaque
	// Kinds decides what is a kind, Versions what is a version of one.
	Kinds, Versions KindRule
	// Markers is the table of known markers.
	Markers *markers.Table
}

// A Program is what was loaded. It is not changed after Load returns.
type Program struct {
	Fset *token.FileSet
	// Roots are the packages that the paths name, in the order of the paths, each once.
	Roots []*Package
	// Diagnostics are the mistakes found in Go itself: files that do not parse, packages that do not exist.
	Diagnostics []diag.Diagnostic

	policy  Policy
	config  *Config
	read    int // how many packages have been read
	finder  *finder
	all     []*Package // every package of every list, for the sake of iteration in a fixed order
	byTypes map[*types.Package]*Package
	sources sync.Map              // file name → *diag.Source
	own     map[*diag.Source]bool // the files of packages that the user can change
}

// A Package is one Go package.
type Package struct {
	// Path is the import path, without any vendor prefix.
	Path string
	Name string
	// Root reports whether the paths name the package.
	Root bool
	// Own reports whether the user can change the package: it is a root, or part of a main module, or of one that a
	// local directory replaces.
	Own bool
	// GoVersion is the version in the go.mod of its module, such as "1.24"; "" if it has none.
	GoVersion string
	// Imports maps import paths as written to packages.
	Imports map[string]*Package
	// Decls are the type declarations that are known so far, in the order of files and positions.
	Decls []*TypeDecl
	// Comments are the marker comments that bind to the package as a whole.
	Comments []markers.Comment
	// Stray are marker comments that bind to nothing (root packages only).
	Stray []Stray
	// Types is the checked package: only what was reached is in it.
	Types *types.Package
	// Info holds the objects that the names in the reached declarations refer to.
	Info *types.Info

	program *Program
	goFiles []string
	listed  []string // errors that go list reported for the package
	broken  bool     // a file does not parse
	files   []*file
	parsed  bool // files that look needed have been parsed
	whole   bool // files that may declare only constants have been parsed too
	byName  map[string]*TypeDecl
	opaque  map[string]Opaque // reached opaque types
	// redeclared are pairs of declarations of one name, the first and a later one.
	redeclared [][2]*TypeDecl
	// methods are the marshal methods by the name of their receiver's type.
	methods map[string][]*ast.FuncDecl
	consts  bool // constants are needed by the checker
	// constDecls are the constants of a package if they are needed, constByName the first one of each name.
	constDecls  []*constDecl
	constByName map[string]*constDecl

	// tooLarge is set if a type of the package was left out, because it has too many values.
	tooLarge bool

	checked bool
	typeErr []types.Error
}

// A TypeDecl is one type declaration at package level.
type TypeDecl struct {
	Pkg  *Package
	Name string
	Spec *ast.TypeSpec
	// Doc is the documentation text, without markers.
	Doc string
	// Comments are the marker comments bound to the declaration; those that are not from its documentation may be
	// meant for the package.
	Comments []markers.Comment
	// At is the declared name.
	At diag.Span

	file    *file
	reached bool
	// needed is set if the constants of the type are needed.
	needed             bool
	constants, untyped []Constant
	varAt              diag.Span
	varName            string
}

// Stray is a marker-like comment that no declaration owns.
type Stray struct {
	markers.Comment
	Why StrayKind
	// On names what the comment is on, such as "constant Foo".
	On string
}

// StrayKind says why a comment binds to nothing.
type StrayKind uint8

// The kinds of stray comments.
const (
	// Trailing comments are after code on the same line.
	Trailing StrayKind = iota
	// Block comments are /* … */.
	Block
	// Loose comments are in a struct, but not directly above a field.
	Loose
	// Other comments document a declaration that is neither a type nor a field.
	Other
	// Unmarked comments do not begin as a marker does; their Text has the slashes.
	Unmarked
)

// Load reads the packages that the go command listed. Their mistakes are in the Program's Diagnostics. A Listing can be
// loaded more than once; each time the files are read anew.
func (l *Listing) Load(ctx context.Context, policy Policy) *Program {
	p := &Program{Fset: token.NewFileSet(), policy: policy, config: &l.config}
	p.graph(l)
	p.parseFiles(p.Roots, false)
	p.reach()
	p.limitContents(ctx)
	p.check()
	p.constants()
	p.collect()
	l.hasRead(p)
	p.release()
	return p
}

// collect gathers the mistakes that were found on the way, package by package.
func (p *Program) collect() {
	p.own = map[*diag.Source]bool{}
	for _, pkg := range p.all {
		for _, f := range pkg.files {
			if f == nil || f.source == nil {
				continue
			}
			f.source.Package = pkg.Path
			if pkg.Own {
				p.own[f.source] = true
			}
		}
		if pkg.isNeeded() && !pkg.Root {
			for _, problem := range pkg.listed {
				p.Diagnostics = append(p.Diagnostics, listProblemAt(p.importOf(pkg), pkg, problem))
			}
		}
		if !pkg.parsed {
			continue
		}
		for _, f := range pkg.files {
			p.Diagnostics = append(p.Diagnostics, f.problems...)
		}
		for _, pair := range pkg.redeclared {
			first, d := pair[0], pair[1]
			p.Diagnostics = append(p.Diagnostics, diag.Errorf(d.At, redeclared, "type %s is declared twice", d.Name).
				Help("remove or rename one of them").See(first.At, "first declared here"))
		}
	}
}

// importOf returns the place in a root package where a package is imported, if there is one.
func (p *Program) importOf(pkg *Package) diag.Span {
	for _, root := range p.Roots {
		for _, f := range root.files {
			if f == nil || f.syntax == nil {
				continue
			}
			for _, spec := range f.syntax.Imports {
				if path, err := strconv.Unquote(spec.Path.Value); err == nil && root.Imports[path] == pkg {
					return p.span(spec.Path.Pos(), spec.Path.End())
				}
			}
		}
	}
	return diag.Span{}
}

// source returns the one Source of a file.
func (p *Program) source(name string) *diag.Source {
	s, ok := p.sources.Load(name)
	if !ok {
		s, _ = p.sources.LoadOrStore(name, &diag.Source{Path: name})
	}
	return s.(*diag.Source)
}

// Lookup returns the declaration of a type of the package, or nil.
func (pkg *Package) Lookup(name string) *TypeDecl { return pkg.byName[name] }

// Method returns the method of a type that the package declares, if it decides the type's JSON form.
func (pkg *Package) Method(receiver, name string) *ast.FuncDecl {
	methods := pkg.methods[receiver]
	if i := slices.IndexFunc(methods, func(d *ast.FuncDecl) bool { return d.Name.Name == name }); i >= 0 {
		return methods[i]
	}
	return nil
}

// IsOpaque reports whether the named type was left undeclared because its schema is known.
func (pkg *Package) IsOpaque(name string) bool {
	_, ok := pkg.opaque[name]
	return ok
}

// TypeNames returns the names of the package's types, as far as its files were read.
func (pkg *Package) TypeNames(exported bool) []string {
	var out []string
	for name := range pkg.byName {
		if !exported || ast.IsExported(name) {
			out = append(out, name)
		}
	}
	for name := range pkg.program.policy.Opaque {
		if path, name, _ := cutLast(name, "."); path == pkg.Path && pkg.byName[name] == nil {
			out = append(out, name)
		}
	}
	return slices.Sorted(slices.Values(out))
}

// cutLast cuts a text at the last separator.
func cutLast(text, separator string) (before, after string, ok bool) {
	if i := strings.LastIndex(text, separator); i >= 0 {
		return text[:i], text[i+len(separator):], true
	}
	return text, "", false
}

// Span returns the source range of a node.
func (pkg *Package) Span(n ast.Node) diag.Span { return pkg.program.span(n.Pos(), n.End()) }

// Broken reports whether declarations of the package are missing: a file does not parse, go list reported an error, or
// a type is too large.
func (pkg *Package) Broken() bool {
	return len(pkg.listed) > 0 || pkg.tooLarge ||
		slices.ContainsFunc(pkg.files, func(f *file) bool { return f != nil && len(f.problems) > 0 })
}

// IsBroken reports whether the file of the declaration does not parse, or a type of its package is too large.
func (d *TypeDecl) IsBroken() bool { return len(d.file.problems) > 0 || d.Pkg.tooLarge }

// TypeError returns the type checker's message about a position inside the node, or "".
func (pkg *Package) TypeError(n ast.Node) string {
	for _, e := range pkg.typeErr {
		if n.Pos() <= e.Pos && e.Pos < n.End() {
			return e.Msg
		}
	}
	return ""
}

// listProblemAt returns what the go command reports about an imported package, at the import.
func listProblemAt(at diag.Span, pkg *Package, problem string) diag.Diagnostic {
	d := ListProblem(pkg.Dir(), problem)
	d.Span = at
	return d
}

// ImportFailed reports whether the go command could not load the package that a qualified name refers to.
func (d *TypeDecl) ImportFailed(e ast.Expr) bool {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	pkg, _ := d.qualified(sel)
	return pkg != nil && len(pkg.listed) > 0
}

// PackageOf returns the loaded package of a checked package, or nil.
func (p *Program) PackageOf(t *types.Package) *Package { return p.byTypes[t] }

// Owns reports whether a place is in a package that the user can change.
func (p *Program) Owns(at diag.Span) bool { return p.own[at.Source] }

// Dirs returns the directories of the root packages.
func (p *Program) Dirs() (out []string) {
	for _, pkg := range p.Roots {
		out = append(out, pkg.Dir())
	}
	return out
}

// Packages returns every package that something was read of, in a fixed order: roots first, then by import path.
func (p *Program) Packages() []*Package {
	return slices.DeleteFunc(slices.Clone(p.all), func(pkg *Package) bool { return !pkg.isNeeded() })
}

// isNeeded reports whether something of the package was reached.
func (pkg *Package) isNeeded() bool { return pkg.parsed || len(pkg.opaque) > 0 }
