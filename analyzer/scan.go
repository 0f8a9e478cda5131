package analyzer

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// isAPI reports whether crdproof may find something in a package: it has markers, or a struct that embeds TypeMeta as
// kinds do. All other packages cost no more than a look at their comments and types.
func isAPI(pass *analysis.Pass) bool {
	for _, f := range pass.Files {
		if name := pass.Fset.File(f.FileStart).Name(); isSource(name) && (hasMarker(f) || embedsTypeMeta(f)) {
			return true
		}
	}
	return false
}

// isSource reports whether a file is one that crdproof reads.
func isSource(name string) bool {
	return filepath.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go")
}

// hasMarker reports whether a comment may be a marker. Those of rbac do not count, which controllers have.
func hasMarker(f *ast.File) bool {
	for _, group := range f.Comments {
		for _, c := range group.List {
			for line := range strings.Lines(c.Text) {
				marker, ok := strings.CutPrefix(strings.TrimLeft(line, "/* \t"), "+")
				isOther := strings.HasPrefix(marker, "kubebuilder:rbac:") || strings.HasPrefix(marker, "build ")
				if ok && !isOther && marker != "" && isLetter(marker[0]) {
					return true
				}
			}
		}
	}
	return false
}

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }

// embedsTypeMeta reports whether a struct of the file embeds a TypeMeta.
func embedsTypeMeta(f *ast.File) bool {
	for _, decl := range f.Decls {
		types, ok := decl.(*ast.GenDecl)
		if !ok || types.Tok != token.TYPE {
			continue
		}
		for _, spec := range types.Specs {
			t, ok := spec.(*ast.TypeSpec).Type.(*ast.StructType)
			if !ok {
				continue
			}
			for _, field := range t.Fields.List {
				if s, ok := field.Type.(*ast.SelectorExpr); ok && len(field.Names) == 0 && s.Sel.Name == "TypeMeta" {
					return true
				}
			}
		}
	}
	return false
}
