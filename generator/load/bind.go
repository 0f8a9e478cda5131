package load

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/markers"
)

// A binder walks a file's declarations in source order and hands each the comment groups that belong to it, as
// controller-gen does:
//
//   - a declaration or field owns its documentation and the nearest other group above it, even past a blank line;
//   - groups before that, and those of declarations that are not types, belong to the package;
//   - a comment after code on the same line belongs to nothing.
//
// next is the first group that nothing has claimed yet.
type binder struct {
	file   *file
	root   bool
	groups []*ast.CommentGroup
	next   int
	tok    *token.File
	policy *Policy
}

// bind fills the file's declarations, field notes and comments.
func (p *Program) bind(pkg *Package, f *file) {
	tok := p.Fset.File(f.syntax.FileStart)
	b := &binder{file: f, root: pkg.Root, groups: f.syntax.Comments, tok: tok, policy: &p.policy}
	f.fields = map[*ast.Field][]markers.Comment{}
	free, nearest, doc := b.take(f.syntax.Package, f.syntax.Doc)
	b.toPackage(free...)
	b.toPackage(nearest, doc)
	for _, d := range f.syntax.Decls {
		switch d := d.(type) {
		case *ast.GenDecl:
			b.genDecl(pkg, d)
		default:
			b.otherDecl(d)
		}
	}
	b.toPackage(b.groups[b.next:]...)
	if b.root {
		b.blockComments()
		b.unmarked()
	}
}

// take claims the groups that begin before pos: those before the nearest one, the nearest one that is not the
// documentation, and the documentation.
func (b *binder) take(
	pos token.Pos, docGroup *ast.CommentGroup,
) (free []*ast.CommentGroup, nearest, doc *ast.CommentGroup) {
	end := b.next
	for end < len(b.groups) && b.groups[end].Pos() < pos {
		end++
	}
	last := end - 1
	if docGroup != nil && last >= 0 && b.groups[last] == docGroup {
		doc = docGroup
		last--
	}
	if last >= b.next {
		nearest, free = b.groups[last], b.groups[b.next:last]
	}
	b.next = end
	return free, nearest, doc
}

// skipTo skips the groups that begin before pos.
func (b *binder) skipTo(pos token.Pos) {
	for b.next < len(b.groups) && b.groups[b.next].Pos() < pos {
		b.next++
	}
}

// skipTrailing skips the comment after a node.
func (b *binder) skipTrailing(g *ast.CommentGroup) {
	if g != nil {
		b.skipTo(g.End())
		b.strayAll(Trailing, "", g)
	}
}

func (b *binder) strayAll(why StrayKind, on string, groups ...*ast.CommentGroup) {
	if !b.root {
		return
	}
	for _, g := range groups {
		if g == nil || why == Loose && isFieldInComment(g) {
			continue
		}
		for _, c := range b.comments(false, g) {
			b.file.stray = append(b.file.stray, Stray{Comment: c, Why: why, On: on})
		}
	}
}

// isFieldInComment reports whether a comment is a field that was commented out together with its markers.
func isFieldInComment(g *ast.CommentGroup) bool { return deadCode(g) > 0 }

// deadCode returns the number of comments of a group up to the last one that is code: a field with its tag, or the
// beginning of a declaration. Markers among them belonged to that code.
func deadCode(g *ast.CommentGroup) int {
	for i, c := range slices.Backward(g.List) {
		if isCode(c.Text) {
			return i + 1
		}
	}
	return 0
}

// isCode reports whether a comment has code that was commented out.
func isCode(comment string) bool {
	return strings.ContainsAny(comment, "`{") && codeLine.MatchString(comment)
}

// codeLine matches a line that is a field with its tag, or begins a declaration. A text that mentions a tag has more
// words before it.
var codeLine = regexp.MustCompile("(?m)^[ \\t/*]*(" +
	"(\\w+(, *\\w+)*[ \\t]+)?[\\w.*\\[\\]{}]+[ \\t]+`\\w+:\"|" + // A, B []string `json:"a"`
	"type \\w+ .*\\{|func .*\\{)")

func (b *binder) toPackage(groups ...*ast.CommentGroup) {
	b.file.comments = append(b.file.comments, b.comments(false, groups...)...)
}

// comments returns the marker comments of groups.
func (b *binder) comments(doc bool, groups ...*ast.CommentGroup) []markers.Comment {
	var out []markers.Comment
	for _, g := range groups {
		if g == nil {
			continue
		}
		dead := deadCode(g)
		for i := 0; i < len(g.List); i++ {
			c := g.List[i]
			if !isMarker(c.Text) {
				if doc {
					out = append(out, b.angles(g.List[i:])...)
				}
				continue
			}
			lines, block, size := b.policy.extent(g.List[i:])
			text := joined(lines)
			start := b.tok.Offset(c.Slash) + strings.IndexByte(c.Text, '+')
			at := diag.At(b.file.source, start, start+len(text))
			comment := markers.Comment{Text: text, At: at, Doc: doc, Dead: i < dead}
			if len(block) > 0 {
				comment.Block, comment.BlockAt = b.blockText(block)
			}
			out = append(out, comment)
			i += size - 1
		}
	}
	return out
}

// angles returns the markers in angle brackets of the first of some lines of documentation.
func (b *binder) angles(lines []*ast.Comment) (out []markers.Comment) {
	rest := func() string { return (&ast.CommentGroup{List: lines}).Text() }
	for _, at := range b.policy.Markers.Angles(lines[0].Text, rest) {
		start := b.tok.Offset(lines[0].Slash)
		out = append(out, markers.Comment{Text: lines[0].Text[at[0]:at[1]], Doc: true,
			At: diag.At(b.file.source, start+at[0], start+at[1])})
	}
	return out
}

// isMarker reports whether a comment is a line comment whose first character is '+'.
func isMarker(comment string) bool {
	line, ok := strings.CutPrefix(comment, "//")
	return ok && strings.HasPrefix(strings.TrimSpace(line), "+")
}

func (b *binder) otherDecl(d ast.Decl) {
	var docGroup *ast.CommentGroup
	fn, isFunc := d.(*ast.FuncDecl)
	if isFunc {
		docGroup = fn.Doc
	}
	free, nearest, doc := b.take(d.Pos(), docGroup)
	b.toPackage(free...)
	b.toPackage(nearest)
	if isFunc {
		b.strayAll(Other, "function "+fn.Name.Name, doc)
	}
	b.skipTo(d.End())
}

func (b *binder) genDecl(pkg *Package, d *ast.GenDecl) {
	free, nearest, doc := b.take(d.Pos(), d.Doc)
	b.toPackage(free...)
	var forSpec []markers.Comment
	if d.Tok == token.TYPE && !d.Lparen.IsValid() {
		forSpec = append(b.comments(false, nearest), b.comments(true, doc)...)
	} else {
		b.toPackage(nearest)
		b.strayAll(Other, declName(d), doc)
	}
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			b.typeSpec(pkg, d, spec, forSpec)
			forSpec = nil
		case *ast.ValueSpec:
			_, _, doc := b.take(spec.Pos(), spec.Doc)
			b.strayAll(Other, declName(&ast.GenDecl{Tok: d.Tok, Specs: []ast.Spec{spec}}), doc)
			b.skipTo(spec.End())
			b.skipTrailing(spec.Comment)
		case *ast.ImportSpec:
			b.take(spec.Pos(), spec.Doc)
			b.skipTo(spec.End())
			b.skipTrailing(spec.Comment)
		}
	}
	b.skipTo(d.End())
}

// declName names a declaration that is not a type, for messages.
func declName(d *ast.GenDecl) string {
	kind := map[token.Token]string{token.CONST: "constant", token.VAR: "variable", token.IMPORT: "import"}[d.Tok]
	if kind == "" {
		kind = "group of types"
	}
	if len(d.Specs) == 1 {
		if v, ok := d.Specs[0].(*ast.ValueSpec); ok {
			return kind + " " + v.Names[0].Name
		}
	}
	return kind
}

func (b *binder) typeSpec(pkg *Package, d *ast.GenDecl, spec *ast.TypeSpec, comments []markers.Comment) {
	free, nearest, doc := b.take(spec.Name.Pos(), spec.Doc)
	b.strayAll(Loose, "", free...)
	comments = append(comments, b.comments(false, nearest)...)
	comments = append(comments, b.comments(true, doc)...)
	docGroup := spec.Doc
	if docGroup == nil && !d.Lparen.IsValid() {
		docGroup = d.Doc
	}
	start := b.tok.Offset(spec.Name.Pos())
	b.file.decls = append(b.file.decls, &TypeDecl{
		Pkg:      pkg,
		Name:     spec.Name.Name,
		Spec:     spec,
		Doc:      docText(docGroup, b.policy),
		Comments: comments,
		At:       diag.At(b.file.source, start, start+len(spec.Name.Name)),
		file:     b.file,
	})
	if spec.TypeParams != nil {
		b.skipTo(spec.TypeParams.End())
	}
	b.typeExpr(spec.Type)
	b.skipTo(spec.Type.End())
	b.skipTrailing(spec.Comment)
}

// typeExpr binds comments to the fields of the struct types in an expression.
func (b *binder) typeExpr(expr ast.Expr) {
	EachStruct(expr, func(s *ast.StructType) {
		b.skipTo(s.Fields.Opening)
		for _, field := range s.Fields.List {
			b.field(field)
		}
		free, nearest, _ := b.take(s.Fields.End(), nil)
		b.strayAll(Loose, "", nearest)
		b.strayAll(Loose, "", free...)
	})
}

// EachStruct calls visit for the outermost struct types in a type expression, in source order.
func EachStruct(expr ast.Expr, visit func(*ast.StructType)) {
	ast.Inspect(expr, func(n ast.Node) bool {
		if s, ok := n.(*ast.StructType); ok {
			visit(s)
			return false
		}
		_, isFunc := n.(*ast.FuncType)
		_, isInterface := n.(*ast.InterfaceType)
		return !isFunc && !isInterface
	})
}

func (b *binder) field(field *ast.Field) {
	free, nearest, doc := b.take(field.Pos(), field.Doc)
	b.strayAll(Loose, "", free...)
	if comments := append(b.comments(false, nearest), b.comments(true, doc)...); len(comments) > 0 {
		b.file.fields[field] = comments
	}
	b.typeExpr(field.Type)
	b.skipTo(field.End())
	if c := field.Comment; c != nil && Omits(field) && strings.Trim(c.List[0].Text, "/ ") == "+optional" {
		b.skipTo(c.End()) // the field is what the comment says
		return
	}
	b.skipTrailing(field.Comment)
}

// blockComments records lines of /* … */ comments that look like markers: controller-gen ignores them as markers and
// puts them into the description. Markers in code that is commented out, and inside of functions, are not meant as any.
func (b *binder) blockComments() {
	for _, g := range b.groups {
		if b.isInFunc(g) {
			continue
		}
		for _, c := range g.List {
			if !strings.HasPrefix(c.Text, "/*") || isCode(c.Text) {
				continue
			}
			start := b.tok.Offset(c.Slash)
			for line := range strings.Lines(c.Text) {
				text := strings.TrimLeft(line, " \t/*")
				at := start + len(line) - len(text)
				text = strings.TrimRight(strings.TrimSuffix(strings.TrimSpace(text), "*/"), " \t\r")
				if len(text) > 1 && text[0] == '+' {
					b.file.stray = append(b.file.stray, Stray{Why: Block, Comment: markers.Comment{
						Text: text,
						At:   diag.At(b.file.source, at, at+len(text)),
					}})
				}
				start += len(line)
			}
		}
	}
}

// unmarked records line comments outside of functions that were meant as markers but are not recognized as such.
func (b *binder) unmarked() {
	for _, g := range b.groups {
		if isFieldInComment(g) || b.isInFunc(g) {
			continue
		}
		for _, c := range g.List {
			if !strings.HasPrefix(c.Text, "//") || isMarker(c.Text) {
				continue
			}
			start := b.tok.Offset(c.Slash)
			text := strings.TrimRight(c.Text, " \t\r")
			comment := markers.Comment{Text: text, At: diag.At(b.file.source, start, start+len(text))}
			if b.policy.Markers.Unmarked(comment) != nil {
				b.file.stray = append(b.file.stray, Stray{Comment: comment, Why: Unmarked})
			}
		}
	}
}

// isInFunc reports whether a comment is inside of a function.
func (b *binder) isInFunc(g *ast.CommentGroup) bool {
	return slices.ContainsFunc(b.file.syntax.Decls, func(d ast.Decl) bool {
		fn, ok := d.(*ast.FuncDecl)
		return ok && fn.Pos() < g.Pos() && g.Pos() < fn.End()
	})
}

// FieldDoc returns the documentation text of a field of the declaration, without markers.
func (d *TypeDecl) FieldDoc(field *ast.Field) string {
	return d.file.docs[field]
}

// FieldComments returns the marker comments of a field of the declaration.
func (d *TypeDecl) FieldComments(field *ast.Field) []markers.Comment { return d.file.fields[field] }

// docText turns a documentation comment into a description without markers and their blocks. Outside fenced code it
// also drops lines that begin with TODO, and everything from a line that begins with "---" on (the conventions of
// k8s.io/apimachinery/pkg/runtime/swagger_doc_generator.go).
func docText(group *ast.CommentGroup, policy *Policy) string {
	if group == nil {
		return ""
	}
	var words ast.CommentGroup
	block := false
	for i := 0; i < len(group.List); i++ {
		c := group.List[i]
		if isMarker(c.Text) {
			_, _, size := policy.extent(group.List[i:])
			i += size - 1
			continue
		}
		block = block || strings.HasPrefix(c.Text, "/*")
		words.List = append(words.List, c)
	}
	text := strings.TrimSuffix(words.Text(), "\n")
	if text == "" {
		return ""
	}
	var out []string
	fenced := false
	for line := range strings.SplitSeq(text, "\n") {
		if block {
			line = strings.TrimSpace(line)
		}
		if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
			fenced = !fenced
		}
		if !fenced && strings.HasPrefix(line, "TODO") {
			continue
		}
		if !fenced && strings.HasPrefix(line, "---") {
			break
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}
