package gocode_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/crdproof/crdproof/internal/support"
)

// TestSupportIsReachable makes sure that generated code can use each function of internal/support: this package writes
// its name, or it is not exported and another function that is reachable calls it.
func TestSupportIsReachable(t *testing.T) {
	words, reached := texts(t), map[string]bool{}
	for _, w := range support.Wordings() {
		words[w.Name] = true
	}
	var waiting []*ast.FuncDecl
	for _, file := range supportFiles(t) {
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok {
				waiting = append(waiting, f)
				continue
			}
			note(reached, decl)
		}
	}
	for more := true; more; {
		before := len(waiting)
		waiting = slices.DeleteFunc(waiting, func(f *ast.FuncDecl) bool {
			ok := spells(words, f.Name.Name, 0) || isForUsers(f) || !f.Name.IsExported() && reached[f.Name.Name]
			if ok {
				note(reached, f.Body)
			}
			return ok
		})
		more = len(waiting) < before
	}
	for _, f := range waiting {
		t.Errorf("nothing that is written names %s", f.Name.Name)
	}
}

// isForUsers reports whether a function is one that users or other packages call.
func isForUsers(f *ast.FuncDecl) bool {
	name := receiver(f)
	types := []string{"Kind", "Resource", "PartHelpers", "Registry"}
	functions := []string{"Below", "StopAtFirst", "Context", "Part", "NewRegistry", "Untyped"}
	return f.Name.IsExported() && (slices.Contains(types, name) || name != "" && !ast.IsExported(name) ||
		name == "" && slices.Contains(functions, f.Name.Name))
}

// spells reports whether a name is a word, or is put together from up to three: Add and Int.
func spells(words map[string]bool, name string, others int) bool {
	conversion, ok := strings.CutPrefix(name, "Convert") // to the type of that name
	if words[name] || ok && words[strings.ToLower(conversion)] {
		return true
	}
	for i := 1; i < len(name) && others < 2; i++ {
		head, tail := name[:i], name[i:]
		if unicode.IsUpper(rune(tail[0])) && words[head] && spells(words, tail, others+1) {
			return true
		}
	}
	return false
}

// note notes the identifiers in a node.
func note(into map[string]bool, n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			into[id.Name] = true
		}
		return true
	})
}

// texts are the words in the strings of the packages which the output is made of.
func texts(t *testing.T) map[string]bool {
	t.Helper()
	objects, err := filepath.Glob("internal/object/*.go")
	types, err2 := filepath.Glob("typed/*.go")
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	words := map[string]bool{}
	for _, name := range slices.Concat(objects, types) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, data, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING {
				value, err := strconv.Unquote(text.Value)
				if err != nil {
					t.Fatal(err)
				}
				words[value] = true
			}
			return true
		})
	}
	return words
}
