package edit

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/diag"
)

// A goFile is a file of Go.
type goFile struct {
	text
	// syntax is nil if the file does not parse. Then it gets no edits.
	syntax *ast.File
	file   *token.File
}

func (r *Resolver) inGo(src *diag.Source) *goFile {
	f := r.goFiles[src]
	if f == nil {
		f = &goFile{text: newText(src)}
		fset := token.NewFileSet()
		syntax, err := parser.ParseFile(fset, "", f.data, parser.ParseComments|parser.SkipObjectResolution)
		if err == nil {
			f.syntax, f.file = syntax, fset.File(syntax.FileStart)
		}
		r.goFiles[src] = f
	}
	return f
}

func (f *goFile) resolve(step diag.Step) []diag.Edit {
	if f.syntax == nil {
		return nil
	}
	start, end := span(step.At)
	switch step.Action {
	case diag.Add:
		return f.add(start, step.Text)
	case diag.Bound:
		return f.replaceMarker(start, []string{markerName(step.Text)}, step.Text)
	case diag.AddOption:
		return f.addOption(start, step.Text)
	case diag.DropOption:
		return f.dropOption(start, step.Text)
	case diag.Require:
		return f.replaceMarker(start, optional(), "+required")
	case diag.RemoveKey:
		if m, ok := f.markerOf(start, []string{step.Text}); ok {
			return f.removeMarker(m)
		}
		return nil
	case diag.Replace:
		return f.replace(start, end, step.Text)
	}
	m, ok := f.markerAt(start, end)
	if !ok || strings.ContainsAny(step.Text, "\r\n") {
		return nil
	}
	switch step.Action {
	case diag.Remove:
		return f.remove(m, start, end)
	case diag.RemoveMarker:
		return f.removeMarker(m)
	case diag.ReplaceMarker:
		if f.continues(m) {
			return nil
		}
		return f.edit(m.start, m.end, step.Text)
	case diag.AddArgument:
		if f.continues(m) {
			return nil
		}
		return f.edit(m.end, m.end, step.Text)
	case diag.Rewrite:
		return f.rewrite(m, start, step.Text)
	}
	return nil
}

func (f *goFile) offset(p token.Pos) int { return f.file.Offset(p) }

// A marker is a line comment that begins with a plus sign: from the sign to its last byte that is not a space.
type marker struct{ start, end int }

// markerAt returns the marker that has a place.
func (f *goFile) markerAt(start, end int) (marker, bool) {
	for _, group := range f.syntax.Comments {
		if f.offset(group.End()) < start || f.offset(group.Pos()) > start {
			continue
		}
		for _, c := range group.List {
			first, last := f.offset(c.Slash), f.lineEnd(f.offset(c.Slash))
			body, isLine := strings.CutPrefix(f.data[first:last], "//")
			plus := last - len(strings.TrimLeft(body, " \t"))
			if isLine && first <= start && end <= last && strings.HasPrefix(f.data[plus:last], "+") {
				return marker{plus, plus + len(strings.TrimRight(f.data[plus:last], " \t"))}, true
			}
		}
	}
	return marker{}, false
}

// continues reports whether further lines may belong to a marker: its parentheses are open, it ends with an equals
// sign, or the next comment line is indented.
func (f *goFile) continues(m marker) bool {
	said := f.data[m.start:m.end]
	next := f.next(m.end)
	following, isComment := strings.CutPrefix(strings.TrimLeft(f.data[next:f.lineEnd(next)], " \t"), "//")
	isOpen := strings.Count(said, "(") > strings.Count(said, ")") || strings.HasSuffix(said, "=")
	return isComment && (isOpen || strings.HasPrefix(following, "\t") || strings.HasPrefix(following, "  "))
}

// removeMarker removes a marker: with its line, if it has one of its own, and with an empty comment line that would be
// the first one or the last one of the comment then.
func (f *goFile) removeMarker(m marker) []diag.Edit {
	start, end := f.line(m.start), f.next(m.end)
	if f.continues(m) {
		return nil
	}
	if !f.isFirst(strings.LastIndex(f.data[:m.start], "//")) {
		return nil // a comment after code
	}
	const first, last = "", ""
	before, after := f.commentBefore(start), f.commentAt(end)
	switch {
	case before == "//" && after == last:
		start = f.line(start - 1)
	case before == first && after == "//":
		end = f.next(end)
	}
	return f.edit(start, end, "")
}

// commentAt returns the line of a comment that begins at an offset, without white space around it, or "".
func (f *goFile) commentAt(start int) string {
	line := strings.TrimSpace(f.data[start:f.lineEnd(start)])
	if strings.HasPrefix(line, "//") {
		return line
	}
	return ""
}

// commentBefore returns the line of a comment before the line that begins at an offset.
func (f *goFile) commentBefore(start int) string {
	if start == 0 {
		return ""
	}
	return f.commentAt(f.line(start - 1))
}

// argumentKey matches the name of an argument, or a key between braces, before its value.
var argumentKey = regexp.MustCompile(`[,:]\w+=$|[{,] *\w+: *$`)

// remove removes the marker if the place is its name or its whole value, or else the argument, the item or the key with
// its value.
func (f *goFile) remove(m marker, start, end int) []diag.Edit {
	before := f.data[m.start+1 : max(start, m.start+1)]
	if rest := f.data[end:m.end]; strings.HasPrefix(rest, "=") ||
		strings.HasPrefix(rest, ":") && strings.ContainsAny(before, "{[") {
		end += valueEnd(rest)
	}
	isValue := end == m.end && strings.HasSuffix(before, "=") && !strings.ContainsAny(before, ",{(")
	if before == "" || isValue {
		return f.removeMarker(m)
	}
	if key := argumentKey.FindStringIndex(before); key != nil {
		before = before[:key[0]+1]
		start = m.start + 1 + len(before)
	}
	if f.continues(m) {
		return nil
	}
	trimmed := strings.TrimRight(before, " ")
	rest := strings.TrimLeft(f.data[end:m.end], " ")
	switch {
	case rest != "" && strings.ContainsRune(",;", rune(rest[0])):
		end = m.end - len(strings.TrimLeft(rest[1:], " "))
	case trimmed != "" && strings.ContainsRune(",;", rune(trimmed[len(trimmed)-1])):
		start = m.start + 1 + len(trimmed) - 1
	case rest == "" && strings.HasSuffix(trimmed, ":"):
		return f.removeMarker(m) // the only argument
	}
	return f.edit(start, end, "")
}

// valueEnd returns the length of the value of a key, with what is before it.
func valueEnd(text string) int {
	depth := 0
	for i, r := range text {
		switch {
		case strings.ContainsRune("{[(", r):
			depth++
		case strings.ContainsRune("}])", r):
			depth--
		}
		if depth < 0 || depth == 0 && i > 0 && strings.ContainsRune(",;", r) {
			return i
		}
	}
	return len(text)
}

// rewrite replaces the string of a marker's rule that has a place, in the quotes that it has if they can have the text.
func (f *goFile) rewrite(m marker, at int, text string) []diag.Edit {
	for start := m.start; start < m.end; {
		n := strings.IndexAny(f.data[start:m.end], "\"`")
		if n < 0 {
			return nil
		}
		start += n
		quoted, err := strconv.QuotedPrefix(f.data[start:m.end])
		if err != nil {
			return nil
		}
		end := start + len(quoted)
		if start <= at && at < end {
			if quoted[0] == '`' && strconv.CanBackquote(text) {
				return f.edit(start, end, "`"+text+"`")
			}
			return f.edit(start, end, strconv.Quote(text))
		}
		start = end
	}
	return nil
}

// declarationAt returns the field, the type or the file that has a place, or its documentation: the innermost one.
func (f *goFile) declarationAt(at int) (found ast.Node) {
	has := func(n ast.Node, doc *ast.CommentGroup) bool {
		start := n.Pos()
		if doc != nil {
			start = doc.Pos()
		}
		return f.offset(start) <= at && at <= f.lineEnd(f.offset(n.End()))
	}
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GenDecl:
			if n.Tok == token.TYPE && !n.Lparen.IsValid() && has(n, n.Doc) {
				found = n
			}
		case *ast.TypeSpec:
			if _, isAlone := found.(*ast.GenDecl); !isAlone && has(n, n.Doc) {
				found = n
			}
		case *ast.Field:
			if has(n, n.Doc) {
				found = n
			}
		case *ast.FuncDecl:
			return false
		}
		return true
	})
	return found
}

// add writes a marker above a declaration, below its other comments.
func (f *goFile) add(at int, marker string) []diag.Edit {
	n := f.declarationAt(at)
	if n == nil || strings.ContainsAny(marker, "\r\n") {
		return nil
	}
	start := f.offset(n.Pos())
	if !f.isFirst(start) {
		return nil // several declarations in one line
	}
	line := f.line(start)
	return f.edit(line, line, f.indent(start)+"// "+marker+f.eol)
}

// optional returns the markers that make a field optional.
func optional() []string {
	return []string{"+optional", "+kubebuilder:validation:Optional", "+k8s:optional"}
}

// replaceMarker writes a marker above a declaration, in place of one with one of the names.
func (f *goFile) replaceMarker(at int, names []string, marker string) []diag.Edit {
	if m, ok := f.markerOf(at, names); ok && !f.continues(m) {
		return f.edit(m.start, m.end, marker)
	}
	return f.add(at, marker)
}

// markerOf returns the marker with one of the names directly above a declaration.
func (f *goFile) markerOf(at int, names []string) (marker, bool) {
	n := f.declarationAt(at)
	if n == nil {
		return marker{}, false
	}
	for start := f.line(f.offset(n.Pos())); f.commentBefore(start) != ""; {
		start = f.line(start - 1)
		m, ok := f.markerAt(f.lineEnd(start), f.lineEnd(start))
		if ok && slices.Contains(names, markerName(f.data[m.start:m.end])) {
			return m, true
		}
	}
	return marker{}, false
}

// markerName returns a marker without its value, with the steps to the part that it is about.
func markerName(marker string) string {
	if i := strings.LastIndexByte(marker, '='); i >= 0 {
		return marker[:i]
	}
	return marker
}

// replace replaces a part of a line comment, or, by another one, the tag of the field that has the place.
func (f *goFile) replace(start, end int, by string) []diag.Edit {
	if strings.ContainsAny(by, "\r\n") {
		return nil
	}
	for _, group := range f.syntax.Comments {
		for _, c := range group.List {
			first := f.offset(c.Slash)
			if strings.HasPrefix(c.Text, "//") && first <= start && end <= f.lineEnd(first) {
				isKept := first+len("//") <= start || strings.HasPrefix(by, "//")
				if isKept && f.isFirst(first) {
					return f.edit(start, end, by)
				}
				return nil
			}
		}
	}
	field, isField := f.declarationAt(start).(*ast.Field)
	if tag, err := strconv.Unquote(by); isField && field.Tag != nil && err == nil && tag != by && by[0] == '`' {
		return f.edit(f.offset(field.Tag.Pos()), f.offset(field.Tag.End()), by)
	}
	return nil
}

// jsonTag is the value of the key json in a tag.
var jsonTag = regexp.MustCompile(`json:(\\?")([^"\\]*)(\\?")`)

// tagAt returns the offsets of the value of the key json in the tag of the field that has a place.
func (f *goFile) tagAt(at int) (start, end int, ok bool) {
	field, isField := f.declarationAt(at).(*ast.Field)
	if !isField || field.Tag == nil {
		return 0, 0, false
	}
	from := f.offset(field.Tag.Pos())
	m := jsonTag.FindStringSubmatchIndex(f.data[from:f.offset(field.Tag.End())])
	if m == nil {
		return 0, 0, false
	}
	return from + m[4], from + m[5], true
}

func (f *goFile) addOption(at int, option string) []diag.Edit {
	start, end, ok := f.tagAt(at)
	if !ok || slices.Contains(strings.Split(f.data[start:end], ",")[1:], option) {
		return nil
	}
	return f.edit(end, end, ","+option)
}

func (f *goFile) dropOption(at int, option string) []diag.Edit {
	start, end, ok := f.tagAt(at)
	if !ok {
		return nil
	}
	parts := strings.Split(f.data[start:end], ",")
	offset := start + len(parts[0])
	for _, part := range parts[1:] {
		if part == option {
			return f.edit(offset, offset+1+len(part), "")
		}
		offset += 1 + len(part)
	}
	return nil
}
