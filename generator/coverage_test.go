package generator_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/markers"
)

// TestEveryMarkerHasACase makes sure that some case has each marker on each of its targets, with each of its
// arguments.
func TestEveryMarkerHasACase(t *testing.T) {
	table := markers.Known()
	used := map[*markers.Definition]markers.Target{}
	args := map[*markers.Definition]string{}
	note := func(text string, target markers.Target) {
		if def := table.Lookup(text, target); def != nil {
			used[def] |= target
			args[def] += " " + text
		}
	}
	for _, c := range readCases(t) {
		for _, f := range c.source() {
			if filepath.Ext(f.Name) == ".go" {
				eachMarker(f.Name, f.Data, note)
			}
		}
	}
	for i := range table.Definitions() {
		def := &table.Definitions()[i]
		if missing := def.Targets &^ used[def]; missing != 0 {
			t.Errorf("no case has %s on %s", def.Name, targetNames(missing))
		}
		for _, p := range def.Params {
			if p.Name != "" && !regexp.MustCompile(`\b`+p.Name+`\s*(:|:?=)`).MatchString(args[def]) {
				t.Errorf("no case gives %s the argument %s", def.Name, p.Name)
			}
		}
	}
}

func targetNames(set markers.Target) string {
	var list []string
	for _, one := range []struct {
		target markers.Target
		name   string
	}{{markers.Package, "a package"}, {markers.Type, "a type"}, {markers.Field, "a field"},
		{markers.Constant, "a constant"}} {
		if set&one.target != 0 {
			list = append(list, one.name)
		}
	}
	return strings.Join(list, " and ")
}

// eachMarker calls visit for the markers of a file, and for their payloads. Markers in the documentation of a type, a
// field or a constant belong to it, all others to the package.
func eachMarker(name string, src []byte, visit func(text string, target markers.Target)) {
	file, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ParseComments)
	if err != nil {
		return
	}
	targets := map[*ast.CommentGroup]markers.Target{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GenDecl:
			targets[n.Doc] = markers.Type
			if n.Tok == token.CONST {
				targets[n.Doc] = markers.Constant
			}
		case *ast.ValueSpec:
			targets[n.Doc] = markers.Constant
		case *ast.TypeSpec:
			targets[n.Doc] = markers.Type
		case *ast.Field:
			targets[n.Doc] = markers.Field
		}
		return true
	})
	for _, group := range file.Comments {
		target := targets[group]
		if target == 0 {
			target = markers.Package
		}
		for _, c := range group.List {
			if text, ok := strings.CutPrefix(c.Text, "//"); ok && strings.HasPrefix(strings.TrimSpace(text), "+") {
				text = strings.TrimSpace(text)
				visit(text, target)
				for i := 1; strings.HasPrefix(text, "+k8s:") && i < len(text); i++ {
					if strings.HasPrefix(text[i:], "=+") {
						visit(text[i+1:], target)
					}
				}
			}
		}
	}
}
