package load

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/diag"
)

// Declared returns where the Go files of a directory declare each name at package level, except methods. It skips files
// with the given names and files that do not parse. A directory that does not exist declares nothing.
func Declared(dir string, except ...string) map[string]diag.Span {
	out := map[string]diag.Span{}
	eachFile(dir, parser.SkipObjectResolution, except, func(src *diag.Source, fset *token.FileSet, file *ast.File) {
		for _, id := range Names(file) {
			start := fset.Position(id.Pos()).Offset
			out[id.Name] = diag.At(src, start, start+len(id.Name))
		}
	})
	return out
}

// PackageName returns the name in the package clauses of a directory's Go files, "" if there are no files except those
// with the given names.
func PackageName(dir string, except ...string) (name string) {
	eachFile(dir, parser.PackageClauseOnly, except, func(_ *diag.Source, _ *token.FileSet, file *ast.File) {
		if name == "" {
			name = file.Name.Name
		}
	})
	return name
}

// ImportNames returns the names that the Go files of a directory give to the packages that they import, by path: those
// of the first file that does, without blank and dot imports.
func ImportNames(dir string, except ...string) map[string]string {
	out := map[string]string{}
	eachFile(dir, parser.ImportsOnly, except, func(_ *diag.Source, _ *token.FileSet, file *ast.File) {
		for _, spec := range file.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err == nil && spec.Name != nil && spec.Name.Name != "_" && spec.Name.Name != "." && out[path] == "" {
				out[path] = spec.Name.Name
			}
		}
	})
	return out
}

// eachFile parses the Go files of a directory, except external tests and files that are not built here, such as
// programs for go run.
func eachFile(
	dir string, mode parser.Mode, except []string, visit func(src *diag.Source, fset *token.FileSet, file *ast.File),
) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return // the directory does not exist yet
	}
	fset := token.NewFileSet()
	for _, e := range entries {
		if e.IsDir() || filepath.Ext(e.Name()) != ".go" || slices.Contains(except, e.Name()) {
			continue
		}
		if ok, err := build.Default.MatchFile(dir, e.Name()); err != nil || !ok {
			continue
		}
		path := filepath.Join(dir, e.Name())
		data, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		file, err := parser.ParseFile(fset, path, data, mode)
		if err != nil || strings.HasSuffix(path, "_test.go") && strings.HasSuffix(file.Name.Name, "_test") {
			continue
		}
		visit(&diag.Source{Path: path, Data: data}, fset, file)
	}
}

// Names returns what a file declares at package level, except methods.
func Names(file *ast.File) (out []*ast.Ident) {
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv == nil && decl.Name.Name != "init" {
				out = append(out, decl.Name)
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					out = append(out, spec.Name)
				case *ast.ValueSpec:
					out = append(out, spec.Names...)
				}
			}
		}
	}
	return slices.DeleteFunc(out, func(id *ast.Ident) bool { return id.Name == "_" })
}
