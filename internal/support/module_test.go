package support

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/printer"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

//go:generate go test . -run ^TestModule$ -update

var update = flag.Bool("update", false, "write the module crd, and add what is new to its API")

// module is the directory of the module that generated code imports.
const module = "../../crd"

// TestModule compares the files of the module crd with those of this package.
func TestModule(t *testing.T) {
	want := moduleFiles(t)
	have, err := filepath.Glob(filepath.Join(module, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range have {
		name := filepath.Base(path)
		if _, ok := want[name]; ok || name == "doc.go" || strings.HasSuffix(name, "_test.go") {
			continue
		}
		if *update {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			continue
		}
		t.Errorf("the module has %s, which is not in this package; run go generate", name)
	}
	for name, data := range want {
		path := filepath.Join(module, name)
		if *update {
			if err := os.WriteFile(path, data, 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%s is not that of this package (%v); run go generate", path, err)
		}
	}
}

// moduleFiles are the files of this package as those of the module.
func moduleFiles(t *testing.T) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	for name := range files(t) {
		if name == "source.go" || name == "doc.go" {
			continue
		}
		data, err := fs.ReadFile(Sources(), name)
		if err != nil {
			t.Fatal(err)
		}
		rest, ok := bytes.CutPrefix(data, []byte("package support\n"))
		if !ok {
			t.Fatalf("%s does not begin with its package clause", name)
		}
		const header = "// Code generated from internal/support of crdproof. DO NOT EDIT.\n\npackage crd\n"
		out[name] = append([]byte(header), rest...)
	}
	return out
}

// TestAPI holds the promise of the module: code that an older version of crdproof has generated works with it. What is
// in the list stays, with its signature; with -update it gets what is new.
func TestAPI(t *testing.T) {
	const golden = "testdata/crd.api.txt"
	data, err := os.ReadFile(golden)
	if err != nil && !*update {
		t.Fatal(err)
	}
	have := strings.Split(strings.TrimSpace(string(data)), "\n")
	got := api(t)
	for _, line := range have {
		if line != "" && !slices.Contains(got, line) {
			t.Errorf("the runtime has no longer: %s", line)
		}
	}
	if *update {
		all := slices.DeleteFunc(append(have, got...), func(line string) bool { return line == "" })
		slices.Sort(all)
		if err := os.WriteFile(golden, []byte(strings.Join(slices.Compact(all), "\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, line := range got {
		if !slices.Contains(have, line) {
			t.Errorf("%s lacks: %s; run the test with -update", golden, line)
		}
	}
}

// api are the exported declarations, fields and methods of this package, a line each.
func api(t *testing.T) (lines []string) {
	t.Helper()
	for name, file := range files(t) {
		if name == "source.go" {
			continue // it is not in the module
		}
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if decl.Name.IsExported() {
					lines = append(lines, source(t, &ast.FuncDecl{Recv: decl.Recv, Name: decl.Name, Type: decl.Type}))
				}
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					lines = append(lines, specLines(t, decl.Tok, spec)...)
				}
			}
		}
	}
	return lines
}

// specLines are those of a declaration that is not a function.
func specLines(t *testing.T, tok token.Token, spec ast.Spec) (lines []string) {
	t.Helper()
	switch spec := spec.(type) {
	case *ast.ValueSpec:
		for _, name := range spec.Names {
			if name.IsExported() {
				lines = append(lines, tok.String()+" "+name.Name)
			}
		}
	case *ast.TypeSpec:
		if !spec.Name.IsExported() {
			return nil
		}
		s, ok := spec.Type.(*ast.StructType)
		if !ok {
			return []string{"type " + spec.Name.Name + " " + source(t, spec.Type)}
		}
		lines = []string{"type " + spec.Name.Name + " struct"}
		for _, field := range s.Fields.List {
			for _, name := range field.Names {
				if name.IsExported() {
					lines = append(lines, fmt.Sprintf("field %s.%s %s", spec.Name.Name, name.Name, source(t, field.Type)))
				}
			}
		}
	}
	return lines
}

// source is a node as Go code in one line.
func source(t *testing.T, n ast.Node) string {
	t.Helper()
	var out bytes.Buffer
	if err := (&printer.Config{Mode: printer.RawFormat}).Fprint(&out, token.NewFileSet(), n); err != nil {
		t.Fatal(err)
	}
	return strings.Join(strings.Fields(out.String()), " ")
}
