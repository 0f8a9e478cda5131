package support

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"strconv"
	"strings"
	"testing"
)

// TestConventions checks what the copies of this package in users' packages rely on.
func TestConventions(t *testing.T) {
	imports := map[string]string{}
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
		for _, id := range declared(file) {
			if !strings.HasPrefix(id, "crd") {
				t.Errorf("%s declares %s, which does not begin with crd", name, id)
			}
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
