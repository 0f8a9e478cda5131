package support

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestConventions checks what the copies of this package in users' packages rely on.
func TestConventions(t *testing.T) {
	imports := map[string]string{}
	var declarations, locals []string
	for name, file := range files(t) {
		if name == "source.go" {
			continue // it is not copied
		}
		for _, spec := range file.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			as := ""
			if spec.Name != nil {
				as = spec.Name.Name
			}
			if other, ok := imports[path]; ok && other != as {
				t.Errorf("%s imports %s as %q, another file as %q", name, path, as, other)
			}
			imports[path] = as
			if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") && !isAllowed(path) {
				t.Errorf("%s imports %s", name, path)
			}
		}
		declarations = append(declarations, declared(file)...)
		locals = append(locals, local(file)...)
	}
	// In copies, all names begin with crd and a capital letter, and fields keep theirs.
	copies := map[string]string{}
	for _, name := range declarations {
		key := strings.ToUpper(name[:1]) + name[1:]
		if other, ok := copies[key]; ok && name != "_" {
			t.Errorf("%s and %s differ only in the case of the first letter", name, other)
		}
		copies[key] = name
		if slices.Contains(locals, name) {
			t.Errorf("%s is a declaration and the name of a variable", name)
		}
	}
	names := map[string]string{}
	for path, as := range imports {
		base := path[strings.LastIndexByte(path, '/')+1:]
		if as == "" {
			as = base
		}
		if other, ok := names[as]; ok {
			t.Errorf("%s and %s are both imported as %s", path, other, as)
		}
		names[as] = path
	}
}

// isAllowed reports whether the package may be imported, because API modules import it already, or because only schemas
// that need it import it.
func isAllowed(path string) bool {
	return strings.HasPrefix(path, "k8s.io/apimachinery/pkg/") ||
		path == "k8s.io/kube-openapi/pkg/validation/strfmt" || path == "github.com/blang/semver/v4"
}

// files are the parsed files of the package, without tests.
func files(t *testing.T) map[string]*ast.File {
	t.Helper()
	out := map[string]*ast.File{}
	names, err := fs.Glob(Sources(), "*.go")
	if err != nil || len(names) == 0 {
		t.Fatal(err, names)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		data, err := fs.ReadFile(Sources(), name)
		if err != nil {
			t.Fatal(err)
		}
		if out[name], err = parser.ParseFile(token.NewFileSet(), name, data, parser.SkipObjectResolution); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// local are the names of the variables and parameters of functions.
func local(file *ast.File) (out []string) {
	names := func(list ...ast.Expr) {
		for _, e := range list {
			if id, ok := e.(*ast.Ident); ok {
				out = append(out, id.Name)
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				names(n.Lhs...)
			}
		case *ast.RangeStmt:
			names(n.Key, n.Value)
		case *ast.FuncType:
			for _, list := range []*ast.FieldList{n.TypeParams, n.Params, n.Results} {
				if list == nil {
					continue
				}
				for _, field := range list.List {
					for _, id := range field.Names {
						out = append(out, id.Name)
					}
				}
			}
		case *ast.DeclStmt:
			out = append(out, declared(&ast.File{Decls: []ast.Decl{n.Decl}})...)
		}
		return true
	})
	return out
}

// declared are the names that a file declares at package level.
func declared(file *ast.File) (out []string) {
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv == nil {
				out = append(out, decl.Name.Name)
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					out = append(out, spec.Name.Name)
				case *ast.ValueSpec:
					for _, id := range spec.Names {
						if id.Name != "_" {
							out = append(out, id.Name)
						}
					}
				}
			}
		}
	}
	return out
}
