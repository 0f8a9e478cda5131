package baseline

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"sort"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/input"
)

// A goFile is a Go file with its declarations.
type goFile struct {
	data []byte
	// regions are the declarations with the comments before them, in order of their starts, outer ones first.
	regions []region
	// comments are those of the file, in order.
	comments []extent
}

// An extent is a range of offsets; the end is exclusive.
type extent struct{ start, end int }

func (e extent) contains(offset int) bool { return e.start <= offset && offset < e.end }

// A region is the extent of a declaration.
type region struct {
	extent
	name string
}

// outside is the name of a place that is in no declaration, such as the package clause.
const outside = "package"

// goFile returns the declarations of a file. One that cannot be read or parsed has those before the mistake.
func (n *Namer) goFile(src *diag.Source) *goFile {
	if f := n.goes[src.Path]; f != nil {
		return f
	}
	f := &goFile{data: src.Data}
	n.goes[src.Path] = f
	if f.data == nil {
		f.data, _ = input.ReadFile(src.Path) // which vanished since it was checked: the package is known
	}
	files := token.NewFileSet()
	parsed, _ := parser.ParseFile(files, src.Path, f.data, parser.ParseComments|parser.SkipObjectResolution)
	if parsed == nil || files.File(parsed.FileStart) == nil {
		return f
	}
	w := walker{file: f, at: files.File(parsed.FileStart)}
	for _, group := range parsed.Comments {
		for _, c := range group.List {
			f.comments = append(f.comments, w.extent(c))
		}
	}
	w.declarations(parsed)
	return f
}

// at returns the name of the declaration at an offset, and the line of the comment there, if it is in one.
func (f *goFile) at(offset int) (name, text string) {
	name = outside
	for i := sort.Search(len(f.regions), func(i int) bool { return f.regions[i].start > offset }) - 1; i >= 0; i-- {
		if r := f.regions[i]; r.contains(offset) {
			name = r.name
			break
		}
	}
	i := sort.Search(len(f.comments), func(i int) bool { return f.comments[i].end > offset })
	if i < len(f.comments) && f.comments[i].contains(offset) {
		text = f.commentLine(f.comments[i], offset)
	}
	return name, text
}

// commentLine returns the line of a comment that has an offset, without the signs of comments.
func (f *goFile) commentLine(c extent, offset int) string {
	start, end := c.start, c.end
	if i := bytes.LastIndexByte(f.data[start:offset], '\n'); i >= 0 {
		start += i + 1
	}
	if i := bytes.IndexByte(f.data[offset:end], '\n'); i >= 0 {
		end = offset + i
	}
	line := strings.TrimSpace(string(f.data[start:end]))
	for _, sign := range []string{"//", "/*", "*/"} {
		line = strings.TrimPrefix(line, sign)
	}
	return strings.TrimSuffix(line, "*/")
}

// A walker collects the regions of a file.
type walker struct {
	file *goFile
	at   *token.File
}

// extent returns the extent of a node.
func (w walker) extent(n ast.Node) extent { return extent{w.offset(n.Pos()), w.offset(n.End())} }

// offset returns the offset of a position. In a file with mistakes, a node may lack its end.
func (w walker) offset(p token.Pos) int {
	if !p.IsValid() {
		return 0
	}
	return w.at.Offset(p)
}

// add adds a declaration from an offset to the end of a node, or of the comment behind it. It returns the end: comments
// from there on are about the next declaration.
func (w walker) add(name string, start int, n ast.Node, behind *ast.CommentGroup) int {
	end := w.offset(n.End())
	if behind != nil {
		end = max(end, w.offset(behind.End()))
	}
	w.file.regions = append(w.file.regions, region{extent{start, end}, name})
	return end
}

// declarations adds those of a file.
func (w walker) declarations(parsed *ast.File) {
	start := w.offset(parsed.Name.End())
	for _, d := range parsed.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if d.Recv != nil && len(d.Recv.List) > 0 {
				name = baseName(d.Recv.List[0].Type) + "." + name
			}
			start = w.add(name, start, d, nil)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				start = w.spec(s, start)
			}
			start = max(start, w.offset(d.End()))
		}
	}
}

// spec adds a type, or the names of constants or variables.
func (w walker) spec(s ast.Spec, start int) (end int) {
	switch s := s.(type) {
	case *ast.TypeSpec:
		end = w.add(s.Name.Name, start, s, s.Comment)
		w.fields(s.Name.Name, s.Type)
	case *ast.ValueSpec:
		end = w.add(namesOf(s.Names), start, s, s.Comment)
	default:
		end = w.offset(s.End())
	}
	return end
}

// fields adds the fields in a type: those of structs and the methods of interfaces.
func (w walker) fields(outer string, typ ast.Expr) {
	ast.Inspect(typ, func(n ast.Node) bool {
		list, ok := n.(*ast.FieldList)
		if _, isFunc := n.(*ast.FuncType); isFunc || !ok {
			return !isFunc
		}
		start := w.offset(list.Opening)
		for _, f := range list.List {
			name := outer + "." + namesOf(f.Names)
			if len(f.Names) == 0 {
				name = outer + "." + baseName(f.Type)
			}
			start = w.add(name, start, f, f.Comment)
			w.fields(name, f.Type)
		}
		return false
	})
}

// namesOf joins the names of one declaration.
func namesOf(list []*ast.Ident) string {
	var out []string
	for _, name := range list {
		out = append(out, name.Name)
	}
	return strings.Join(out, ",")
}

// baseName returns the name of an embedded type or a receiver, without pointers, packages and type arguments.
func baseName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.StarExpr:
		return baseName(e.X)
	case *ast.ParenExpr:
		return baseName(e.X)
	case *ast.IndexExpr:
		return baseName(e.X)
	case *ast.IndexListExpr:
		return baseName(e.X)
	}
	return "_"
}
