package object

import (
	"bytes"
	"go/ast"
	"go/format"
	"regexp"
	"slices"
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"
)

// This file knows how generated code names the declarations of the runtime: crd.Eq if it imports the runtime, crdEq if
// it has a copy. All code is written with the import. In a copy the names are replaced.

// RuntimePath is the package of the runtime, and its module.
const RuntimePath = "github.com/crdproof/crdproof/crd"

// runtimeName is the name of the package, and the prefix of all names that helpers declare and do not export.
const runtimeName = "crd"

// Runtime returns a declaration of the runtime.
func Runtime(name string) *jen.Statement { return jen.Qual(RuntimePath, name) }

// copyName returns the name of a declaration in a copy.
func copyName(name string) string {
	first, size := utf8.DecodeRuneInString(name)
	return runtimeName + string(unicode.ToUpper(first)) + name[size:]
}

// An edit replaces a part of a text.
type edit struct {
	from, to int
	text     string
}

// edited applies edits, which are in the order of the text.
func edited(data []byte, edits []edit) []byte {
	var out bytes.Buffer
	at := 0
	for _, e := range edits {
		out.Write(data[at:e.from])
		out.WriteString(e.text)
		at = e.to
	}
	out.Write(data[at:])
	return out.Bytes()
}

// withoutImport returns a generated file with the names of a copy.
func (c *carrier) withoutImport(file *ast.File, data []byte) []byte {
	offset := func(n ast.Node) int { return c.fset.Position(n.Pos()).Offset }
	var edits []edit
	name := ""
	for _, spec := range file.Imports {
		if path, _ := strconv.Unquote(spec.Path.Value); path == RuntimePath {
			name = ImportName(spec, path)
			edits = append(edits, edit{offset(spec), c.fset.Position(spec.End()).Offset, ""})
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := s.X.(*ast.Ident); ok && id.Name == name {
				c.used[s.Sel.Name] = true
				edits = append(edits, edit{offset(s), c.fset.Position(s.End()).Offset, copyName(s.Sel.Name)})
			}
		}
		return true
	})
	slices.SortFunc(edits, func(a, b edit) int { return a.from - b.from })
	out := bytes.Replace(edited(data, edits), []byte("\nimport \n"), nil, 1) // it was the only import
	formatted, err := format.Source(out)
	if err != nil {
		panic(err)
	}
	return formatted
}

// identifiers returns those in a node that may refer to declarations of the package: no fields and no methods. In
// internal/support, nothing else has the name of a declaration (TestConventions).
func identifiers(n ast.Node) (out []*ast.Ident) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			out = append(out, n)
		case *ast.SelectorExpr:
			out = append(out, identifiers(n.X)...)
			return false
		case *ast.KeyValueExpr:
			if _, ok := n.Key.(*ast.Ident); ok {
				out = append(out, identifiers(n.Value)...)
				return false
			}
		case *ast.Field:
			out = append(out, identifiers(n.Type)...)
			return false
		case *ast.FuncDecl:
			if n.Recv != nil {
				out = append(out, identifiers(n.Recv)...)
				out = append(out, identifiers(n.Type)...)
				out = append(out, identifiers(n.Body)...)
				return false
			}
		}
		return true
	})
	return out
}

// subject finds the name with which the comment of a declaration begins, and nameInText those with a capital letter
// inside.
var (
	subject    = regexp.MustCompile(`^// (?:An? )?(\w+)`)
	nameInText = regexp.MustCompile(`[ (](\w*[a-z][A-Z]\w*)\b`)
)

// renamed returns the text of a declaration with the names of a copy.
func (c *carrier) renamed(d *carried) []byte {
	var edits []edit
	replace := func(at int, name string) {
		if c.byName[name] != nil {
			edits = append(edits, edit{at, at + len(name), copyName(name)})
		}
	}
	for _, id := range identifiers(d.decl) {
		replace(c.fset.Position(id.Pos()).Offset-d.start, id.Name)
	}
	for i, comment := range d.comments {
		at := c.fset.Position(comment.Pos()).Offset - d.start
		names := nameInText.FindAllStringSubmatchIndex(comment.Text, -1)
		if first := subject.FindStringSubmatchIndex(comment.Text); i == 0 && at == 0 && first != nil {
			names = slices.DeleteFunc(names, func(m []int) bool { return m[2] == first[2] })
			if d.receiver == "" {
				names = append(names, first)
			}
		}
		for _, m := range names {
			replace(at+m[2], comment.Text[m[2]:m[3]])
		}
	}
	slices.SortFunc(edits, func(a, b edit) int { return a.from - b.from })
	return edited(d.text, slices.Compact(edits))
}
