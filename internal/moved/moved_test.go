package moved

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestBoth finds each package by both of its paths, and no other.
func TestBoth(t *testing.T) {
	for path, want := range map[string]string{
		"k8s.io/apiextensions-api/pkg/apis/apiextensions/v1": ExtV1,
		"cel.dev/cel-go":             "github.com/google/cel-go",
		"cel.dev/cel-go/cel":         "github.com/google/cel-go/cel",
		"cel.dev/cel-gopher":         "cel.dev/cel-gopher",
		"k8s.io/apiextensions-api/x": "k8s.io/apiextensions-api/x",
		ExtV1beta1:                   ExtV1beta1,
	} {
		if got := Former(path); got != want {
			t.Errorf("the former path of %s: got %s, want %s", path, got, want)
		}
	}
	if got := Paths(ExtV1); !slices.Equal(got, []string{ExtV1, "k8s.io/apiextensions-api/pkg/apis/apiextensions/v1"}) {
		t.Errorf("paths: %q", got)
	}
	if got := Paths("k8s.io/api/core/v1"); !slices.Equal(got, []string{"k8s.io/api/core/v1"}) {
		t.Errorf("paths: %q", got)
	}
}

// TestOneHome makes sure that the program names moved packages in this package alone, where both of their paths are
// known. A name elsewhere would be known in one form only.
func TestOneHome(t *testing.T) {
	root := filepath.Join("..", "..")
	read := 0
	for _, dir := range []string{"cmd", "diag", "emit", "generator", "internal", "markers", "objects", "rules", "schema"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, entry fs.DirEntry, err error) error {
			isProgram := strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go")
			if err != nil || entry.IsDir() || !isProgram || strings.Contains(path, "testdata") ||
				filepath.Base(filepath.Dir(path)) == "moved" {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				return err
			}
			read++
			for _, name := range namesIn(file) {
				t.Errorf("%s names %s: name it in internal/moved", path, name)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if read < 300 {
		t.Errorf("only %d files were read", read)
	}
}

// namesIn returns the texts in a file, other than its imports, that begin with a path of a moved module.
func namesIn(file *ast.File) (out []string) {
	for _, decl := range file.Decls {
		if d, ok := decl.(*ast.GenDecl); ok && d.Tok == token.IMPORT {
			continue
		}
		ast.Inspect(decl, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(lit.Value)
			for _, m := range Modules() {
				if err == nil && !strings.Contains(text, " ") && (strings.HasPrefix(text, m.Former) || strings.HasPrefix(text, m.Path)) {
					out = append(out, text)
				}
			}
			return true
		})
	}
	return out
}
