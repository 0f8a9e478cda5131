package load

import (
	"bytes"
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"slices"
	"sync"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/internal/stage"
	"github.com/crdproof/crdproof/markers"
)

// A file is one parsed Go file of a package.
type file struct {
	name     string
	source   *diag.Source
	syntax   *ast.File         // nil if the file was skipped or unreadable
	imports  map[string]string // import paths by the name given to them
	unnamed  []string          // import paths without a name of their own
	dots     []string          // import paths of dot imports
	decls    []*TypeDecl
	comments []markers.Comment
	stray    []Stray
	texts    []*ast.GenDecl                   // variables of types of the package, with strings
	fields   map[*ast.Field][]markers.Comment // the marker comments of fields
	docs     map[*ast.Field]string            // the documentation texts of fields, known at the end
	problems []diag.Diagnostic
	converts bool // it converts objects between versions
}

// parseFiles parses the files of packages that have not been parsed and may be needed, in parallel, and indexes them;
// with whole set, also those that seem to declare only constants.
func (p *Program) parseFiles(pkgs []*Package, whole bool) {
	type job struct {
		pkg   *Package
		index int
	}
	var jobs []job
	for _, pkg := range pkgs {
		if pkg.whole || pkg.parsed && !whole {
			continue
		}
		if pkg.files == nil {
			pkg.files = make([]*file, len(pkg.goFiles))
		}
		for i := range pkg.goFiles {
			if f := pkg.files[i]; f == nil || whole && f.syntax == nil && f.problems == nil {
				jobs = append(jobs, job{pkg, i})
			}
		}
		if !pkg.parsed {
			p.read++
		}
		pkg.parsed = true
		pkg.whole = whole
	}
	p.config.Progress.Report("reading packages", p.read, 0)
	stage.Each(len(jobs), func(i int) {
		j := &jobs[i]
		j.pkg.files[j.index] = p.parseFile(j.pkg, j.pkg.goFiles[j.index], whole)
	})
	for _, pkg := range pkgs {
		pkg.index()
	}
}

// index rebuilds the package's tables from its files.
func (pkg *Package) index() {
	pkg.Decls, pkg.Comments, pkg.Stray, pkg.redeclared, pkg.methods = nil, nil, nil, nil, map[string][]*ast.FuncDecl{}
	for _, f := range pkg.files {
		if f == nil {
			continue
		}
		pkg.Comments = append(pkg.Comments, f.comments...)
		pkg.Stray = append(pkg.Stray, f.stray...)
		if f.syntax != nil {
			for _, d := range f.syntax.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok {
					pkg.methods[receiver(fn)] = append(pkg.methods[receiver(fn)], fn)
				}
			}
		}
		for _, d := range f.decls {
			pkg.Decls = append(pkg.Decls, d)
			first := pkg.byName[d.Name]
			if first == nil {
				pkg.byName[d.Name] = d
			} else if first != d && d.Name != "_" {
				pkg.redeclared = append(pkg.redeclared, [2]*TypeDecl{first, d})
			}
		}
	}
}

// buffers are what files are read into: the parser copies all that it keeps.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// readInto reads a file into a buffer, which it may replace by a larger one.
func readInto(buffer []byte, name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return buffer, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return buffer, err
	}
	switch {
	case !info.Mode().IsRegular():
		return buffer, &fs.PathError{Op: "read", Path: name, Err: input.ErrNotRegular}
	case info.Size() > effort.FileBytes.Most:
		return buffer, &fs.PathError{Op: "read", Path: name, Err: input.ErrTooLarge}
	}
	to := bytes.NewBuffer(buffer[:0])
	to.Grow(int(info.Size()) + bytes.MinRead) // which the last read needs, to see the end
	_, err = to.ReadFrom(f)
	return to.Bytes(), err
}

func (p *Program) parseFile(pkg *Package, name string, whole bool) *file {
	f := &file{name: name}
	buffer := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	data, isOver := p.config.Overlay[name]
	var err error
	if !isOver {
		data, err = readInto(*buffer, name)
		*buffer = data
	}
	if err != nil {
		f.source = &diag.Source{Path: name}
		f.problems = append(f.problems, diag.Errorf(diag.Span{Source: f.source}, unreadable, "%s", err))
		return f
	}
	f.converts = hasConverter(data)
	if !pkg.broken && !mayDeclare(data, pkg.Root) && !(whole && hasConstDecl(data)) {
		return f
	}
	f.source = p.source(name)
	if isOver {
		f.source.Data = data
	}
	syntax, err := parser.ParseFile(p.Fset, name, data, parser.ParseComments|parser.SkipObjectResolution)
	var list scanner.ErrorList
	if errors.As(err, &list) {
		f.source.Data = slices.Clone(data)
		list.RemoveMultiples() // one for each line; the scanner reports every byte
		for _, e := range list {
			at := diag.At(f.source, e.Pos.Offset, e.Pos.Offset)
			f.problems = append(f.problems, diag.Errorf(at, Syntax, "%s", e.Msg))
		}
	}
	if syntax == nil || err != nil {
		return f
	}
	f.syntax = syntax
	f.readImports()
	p.bind(pkg, f)
	f.prune()
	return f
}

// prune drops what no later phase reads, above all function bodies: only those of MarshalJSON show what JSON they
// write.
func (f *file) prune() {
	f.syntax.Decls = slices.DeleteFunc(f.syntax.Decls, func(d ast.Decl) bool {
		switch d := d.(type) {
		case *ast.GenDecl:
			if isTexts(d) {
				f.texts = append(f.texts, d)
			}
			return d.Tok != token.TYPE && d.Tok != token.CONST && d.Tok != token.IMPORT
		case *ast.FuncDecl:
			if d.Name.Name != "MarshalJSON" {
				d.Body = nil
			}
			return d.Recv == nil || !isJSONMethod(d.Name.Name)
		}
		return true
	})
	f.syntax.Comments = nil
}

// isJSONMethod reports whether a method decides the JSON form of its receiver, or whether omitzero omits it.
func isJSONMethod(name string) bool {
	return slices.Contains([]string{"MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText", "IsZero"}, name)
}

// mayDeclare reports whether a file can hold something that is needed: a type declaration, a marshal method, or a
// marker. It errs on the side of yes; the files it rejects are the large generated ones.
func mayDeclare(src []byte, root bool) bool {
	return hasTypeDecl(src) || hasJSONMethod(src) || hasMarker(src, root)
}

// hasJSONMethod looks for the name of a method that decides the JSON form of its receiver.
func hasJSONMethod(src []byte) bool {
	// MarshalJSON and UnmarshalJSON, MarshalText and UnmarshalText
	return bytes.Contains(src, []byte("arshalJSON")) || bytes.Contains(src, []byte("arshalText")) ||
		bytes.Contains(src, []byte(") IsZero("))
}

// hasConverter looks for the methods of controller-runtime's package conversion, or for the tag of conversion-gen.
func hasConverter(src []byte) bool {
	return bytes.Contains(src, []byte(") Hub() {")) || bytes.Contains(src, []byte(") ConvertTo(")) ||
		bytes.Contains(src, []byte(") ConvertFrom(")) || bytes.Contains(src, []byte("+k8s:conversion-gen"))
}

// HasConverters reports whether the package has functions that convert objects between versions.
func (pkg *Package) HasConverters() bool {
	return slices.ContainsFunc(pkg.files, func(f *file) bool { return f != nil && f.converts })
}

func hasTypeDecl(src []byte) bool { return hasDecl(src, "type", func([]byte) bool { return true }) }

// hasConstDecl does what hasTypeDecl does for constants. It ignores single constants without a name: large files that
// protobuf generates have one.
func hasConstDecl(src []byte) bool {
	return hasDecl(src, "const", func(rest []byte) bool { return !bytes.HasPrefix(rest, []byte(" _ ")) })
}

// hasDecl looks for a keyword where a declaration can begin: first on its line, or after a semicolon or a block
// comment. counts decides by the text that follows.
func hasDecl(src []byte, keyword string, counts func(rest []byte) bool) bool {
	word := []byte(keyword)
	for i := 0; ; {
		n := bytes.Index(src[i:], word)
		if n < 0 {
			return false
		}
		start, end := i+n, i+n+len(word)
		i = end
		if end < len(src) && isIdentByte(src[end]) {
			continue
		}
		j := start - 1
		for j >= 0 && (src[j] == ' ' || src[j] == '\t' || src[j] == '\r') {
			j--
		}
		if (j < 0 || src[j] == '\n' || src[j] == ';' || src[j] == '/') && counts(src[end:]) {
			return true
		}
	}
}

func isIdentByte(b byte) bool {
	return b == '_' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || b >= 0x80
}

// hasMarker looks for a line comment that begins with '+'; in a root package also for a block comment, which is a
// mistake to report.
func hasMarker(src []byte, root bool) bool {
	for i := 0; ; {
		n := bytes.IndexByte(src[i:], '+')
		if n < 0 {
			return false
		}
		j := i + n - 1
		for j >= 0 && (src[j] == ' ' || src[j] == '\t') {
			j--
		}
		if j >= 1 && src[j] == '/' && src[j-1] == '/' || root && j >= 0 && src[j] == '*' {
			return true
		}
		i += n + 1
	}
}

// span returns the range between two positions of one file.
func (p *Program) span(start, end token.Pos) diag.Span {
	tf := p.Fset.File(start)
	if tf == nil {
		return diag.Span{}
	}
	if !end.IsValid() {
		end = start
	}
	return diag.At(p.source(tf.Name()), tf.Offset(start), tf.Offset(end))
}
