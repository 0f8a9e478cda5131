package object

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	gotypes "go/types"
	"io/fs"
	"maps"
	gopath "path"
	"slices"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/internal/support"
)

// newCarrier reads internal/support.
func newCarrier() *carrier {
	c := &carrier{fset: token.NewFileSet(), byName: map[string]*carried{}, used: map[string]bool{},
		selected: map[string]bool{}, imports: map[string]string{}, importNames: map[string]bool{}}
	names, err := fs.Glob(support.Sources(), "*.go")
	if err != nil {
		panic(err)
	}
	for _, name := range names {
		if !strings.HasSuffix(name, "_test.go") && name != "source.go" && name != "doc.go" {
			c.index(name)
		}
	}
	return c
}

// Copy returns a generated file without the import of the runtime, and a file with copies of the declarations that it
// uses, directly or indirectly.
func (c *carrier) Copy(p Package, generated []byte) (helpers, copies []byte) {
	file, err := parser.ParseFile(c.fset, FileName, generated, parser.SkipObjectResolution)
	if err != nil {
		panic(err) // it has just been rendered
	}
	c.selects(file, nil)
	helpers = c.withoutImport(file, generated)
	for c.spread() {
	}
	return helpers, c.file(p)
}

// A carried is one declaration of internal/support.
type carried struct {
	decl ast.Decl
	// names are what it declares; receiver is the type of a method.
	names    []string
	receiver string
	// text is the declaration as it was written, with its comment; imports are those of its file by name.
	text     []byte
	start    int
	comments []*ast.Comment
	imports  map[string]string
	keep     bool
}

// A carrier is the state of one carry.
type carrier struct {
	fset   *token.FileSet
	all    []*carried
	byName map[string]*carried
	// used are the identifiers in the kept declarations that may refer to declarations.
	used map[string]bool
	// selected are those of them after a dot, which may be methods or fields, and the methods of interfaces.
	selected map[string]bool
	imports  map[string]string // path → name
	// importNames are the names of all packages that internal/support imports. Generated code calls functions of no
	// others.
	importNames map[string]bool
}

// index reads the declarations of a file.
func (c *carrier) index(name string) {
	data, err := fs.ReadFile(support.Sources(), name)
	if err != nil {
		panic(err)
	}
	file, err := parser.ParseFile(c.fset, name, data, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		panic(err)
	}
	imports := map[string]string{}
	for _, spec := range file.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		imports[ImportName(spec, path)] = path
		c.importNames[ImportName(spec, path)] = true
	}
	for _, decl := range file.Decls {
		d := &carried{decl: decl, imports: imports}
		doc := d.declares()
		if len(d.names) == 0 && d.receiver == "" {
			continue // imports
		}
		start := decl.Pos()
		if doc != nil {
			start = doc.Pos()
		}
		d.start = c.fset.Position(start).Offset
		d.text = data[d.start:c.fset.Position(decl.End()).Offset]
		for _, group := range file.Comments {
			if start <= group.Pos() && group.Pos() < decl.End() {
				d.comments = append(d.comments, group.List...)
			}
		}
		c.all = append(c.all, d)
		for _, n := range d.names {
			c.byName[n] = d
		}
	}
}

// ImportName returns the name under which a file imports a package: the explicit one, or the last part of the path
// without a version.
func ImportName(spec *ast.ImportSpec, path string) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	base := gopath.Base(path)
	if version, ok := strings.CutPrefix(base, "v"); ok && version != "" && strings.Trim(version, "0123456789") == "" {
		base = gopath.Base(gopath.Dir(path))
	}
	return base
}

// declares records the names of a declaration, and returns its comment.
func (d *carried) declares() *ast.CommentGroup {
	switch decl := d.decl.(type) {
	case *ast.FuncDecl:
		if decl.Recv == nil {
			d.names = []string{decl.Name.Name}
		} else {
			receiver := strings.TrimPrefix(gotypes.ExprString(decl.Recv.List[0].Type), "*")
			d.receiver, _, _ = strings.Cut(receiver, "[")
		}
		return decl.Doc
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				d.names = append(d.names, spec.Name.Name)
			case *ast.ValueSpec:
				for _, n := range spec.Names {
					d.names = append(d.names, n.Name)
				}
			}
		}
		return decl.Doc
	}
	return nil
}

// use records the identifiers of a node, and the imports that it needs.
func (c *carrier) use(n ast.Node, imports map[string]string) {
	for _, id := range identifiers(n) {
		c.used[id.Name] = true
	}
	c.selects(n, imports)
}

// selects records the fields, methods and functions of imports that a node selects.
func (c *carrier) selects(n ast.Node, imports map[string]string) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			c.selected[n.Sel.Name] = true
			if id, ok := n.X.(*ast.Ident); ok && imports[id.Name] != "" {
				c.imports[imports[id.Name]] = id.Name
			}
		case *ast.InterfaceType:
			for _, method := range n.Methods.List {
				for _, name := range method.Names {
					c.selected[name.Name] = true
				}
			}
		}
		return true
	})
}

// spread keeps declarations that are used now, and reports whether there are new ones. A method is kept with its type
// if its name is selected, if it is for users, or if it implements an interface of another package: then it is exported
// although the type is not.
func (c *carrier) spread() bool {
	more := false
	for _, d := range c.all {
		if d.keep || !c.wants(d) {
			continue
		}
		d.keep, more = true, true
		c.use(d.decl, d.imports)
	}
	return more
}

func (c *carrier) wants(d *carried) bool {
	if d.receiver == "" {
		return slices.ContainsFunc(d.names, func(n string) bool { return c.used[n] })
	}
	name := d.decl.(*ast.FuncDecl).Name
	owner := c.byName[d.receiver]
	isForUsers := d.receiver == "Kind" || d.receiver == "Resource" || !ast.IsExported(d.receiver)
	isOption := strings.HasPrefix(name.Name, "With") // which users could not name
	return owner != nil && owner.keep && (c.selected[name.Name] || isForUsers && name.IsExported() && !isOption)
}

// file writes the kept declarations.
func (c *carrier) file(p Package) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "%spackage %s\n\nimport (\n", p.top(), p.Name)
	paths := slices.Sorted(maps.Keys(c.imports))
	rank := func(path string) int {
		if IsThirdParty(path) {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(paths, func(a, b string) int { return rank(a) - rank(b) })
	for i, path := range paths {
		if i > 0 && rank(path) != rank(paths[i-1]) {
			out.WriteByte('\n')
		}
		if ImportName(&ast.ImportSpec{}, path) == c.imports[path] {
			fmt.Fprintf(&out, "%q\n", path)
		} else {
			fmt.Fprintf(&out, "%s %q\n", c.imports[path], path)
		}
	}
	out.WriteString(")\n")
	for _, d := range c.all {
		if d.keep {
			out.WriteByte('\n')
			out.Write(c.renamed(d))
			out.WriteByte('\n')
		}
	}
	formatted, err := format.Source(out.Bytes())
	if err != nil {
		panic(err)
	}
	return formatted
}

// IsThirdParty reports whether a package is outside the standard library.
func IsThirdParty(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return strings.Contains(first, ".")
}
