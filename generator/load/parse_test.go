package load

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"

	"github.com/crdproof/crdproof/markers"
)

// Files that are not parsed must not contain anything that is needed: the search of the bytes must find every
// declaration of a type.
func TestHasTypeDecl(t *testing.T) {
	for src, want := range map[string]bool{
		"package p\n\ntype T int\n":                         true,
		"package p; type T int":                             true,
		"package p\n\ttype (\n\tT int\n)":                   true,
		"package p\r\ntype T int\r\n":                       true,
		"package p\n/* why */ type T int":                   true,
		"package p\nvar x int; type T int":                  true,
		"package p\n":                                       false,
		"package p\n\nfunc f(x any) { switch x.(type) {} }": false,
		"package p\n// the type of x\nvar x int\n":          false,
		"package p\nvar wiretype int\n":                     false,
		"package p\nvar types int\n":                        false,
	} {
		if got := hasTypeDecl([]byte(src)); got != want {
			t.Errorf("hasTypeDecl(%q) = %v", src, got)
		}
	}
}

// TestHasConstDecl is the same for constants, except a single constant named _: no code can refer to it.
func TestHasConstDecl(t *testing.T) {
	for src, want := range map[string]bool{
		"package p\n\nconst C = 1\n":              true,
		"package p; const C = 1":                  true,
		"package p\n\tconst (\n\tC = 1\n)":        true,
		"package p\nconst(\nC = 1\n)":             true,
		"package p\n/* why */ const C = 1":        true,
		"package p\nconst _, C = 1, 2\n":          true,
		"package p\nconst (\n\t_ = iota\n\tC\n)":  true,
		"package p\nconst _ = 1\n":                false,
		"package p\nconst _ = 1\nconst C = 1\n":   true,
		"package p\n// a const of x\nvar x int\n": false,
		"package p\nvar constant int\n":           false,
	} {
		if got := hasConstDecl([]byte(src)); got != want {
			t.Errorf("hasConstDecl(%q) = %v", src, got)
		}
	}
}

func TestHasMarker(t *testing.T) {
	for src, want := range map[string]bool{
		"package p\n// +groupName=x\n":        true,
		"package p\n//+groupName=x\n":         true,
		"package p\n//\t +groupName=x\n":      true,
		"package p\nvar x = 1 // +optional\n": true,
		"package p\nvar x = 1 + 2\n":          false,
		"package p\n// a + b\n":               false,
	} {
		if got := hasMarker([]byte(src), false); got != want {
			t.Errorf("hasMarker(%q) = %v", src, got)
		}
	}
	block := []byte("package p\n/* +optional */\n")
	if hasMarker(block, false) || !hasMarker(block, true) {
		t.Error("block comments count in root packages alone")
	}
}

// FuzzHasTypeDecl compares the search of the bytes with Go's parser. It may find a type that does not exist, but must
// not miss one.
func FuzzHasTypeDecl(f *testing.F) {
	f.Add("package p\ntype T int")
	f.Add("package p;type T int")
	f.Add("package p\nfunc f() { type T int }")
	f.Add("package p/**/type T[P any] struct{}")
	f.Fuzz(func(t *testing.T, src string) {
		file, err := parser.ParseFile(token.NewFileSet(), "x.go", src, parser.SkipObjectResolution)
		if err != nil {
			return
		}
		for _, d := range file.Decls {
			if gen, ok := d.(*ast.GenDecl); ok && gen.Tok == token.TYPE && !hasTypeDecl([]byte(src)) {
				t.Errorf("overlooked a type in %q", src)
			}
		}
	})
}

func TestDocText(t *testing.T) {
	for src, want := range map[string]string{
		"// One.\n//\n// Two.\n":                          "One.\n\nTwo.",
		"// One.\n// +optional\n// Two.\n":                "One.\nTwo.",
		"// One.\n// TODO: two\n// Three.\n":              "One.\nThree.",
		"// One.\n// ---\n// Two.\n":                      "One.",
		"// ```\n// TODO kept\n// ```\n// TODO dropped\n": "```\nTODO kept\n```",
		"/*\n   One.\n   Two.\n*/\n":                      "One.\nTwo.",
		"//nolint:all\n// One.\n":                         "One.",
		"// +optional\n":                                  "",
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "x.go", "package p\n"+src+"type T int", parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if got := docText(file.Decls[0].(*ast.GenDecl).Doc, &Policy{Markers: markers.Known()}); got != want {
			t.Errorf("docText(%q) = %q, want %q", src, got, want)
		}
	}
}
