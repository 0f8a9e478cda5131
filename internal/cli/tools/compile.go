package tools

import (
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/controller-tools/pkg/applyconfiguration"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit"
)

// uncompiled type-checks the Go files that a job has made, before they are written. It reports the first error of each
// type that causes one, at the type. Packages whose imports cannot be loaded are not checked: they may be of a module
// that is not yet required.
func uncompiled(
	ctx context.Context, job Tool, made []emit.File, genCtx *packages.Config, roots []*loader.Package,
) (found []diag.Diagnostic) {
	if _, ok := job.Generator.(applyconfiguration.Generator); !ok || len(made) == 0 || len(roots) == 0 {
		return nil
	}
	config := &packages.Config{
		Context: ctx, BuildFlags: genCtx.BuildFlags, Fset: token.NewFileSet(), Dir: roots[0].Dir,
		Overlay: map[string][]byte{},
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedTypes | packages.NeedSyntax | packages.NeedExportFile,
	}
	var dirs []string
	for _, f := range made {
		config.Overlay[f.Path] = f.Data
		if dir := filepath.Dir(f.Path); !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	list, err := packages.Load(config, dirs...)
	if err != nil {
		return nil // the generators have listed these packages, so that it is about what they import
	}
	reported := map[string]bool{}
	for _, pkg := range list {
		isListed := func(e packages.Error) bool { return e.Kind == packages.ListError && !isOfCompiler(e) }
		if slices.ContainsFunc(pkg.Errors, isListed) || slices.ContainsFunc(pkg.TypeErrors, isOfImport) {
			continue
		}
		for _, e := range pkg.TypeErrors {
			at := config.Fset.Position(e.Pos)
			name := typeAround(pkg.Syntax, e.Pos)
			if reported[pkg.PkgPath+"."+name] {
				continue
			}
			reported[pkg.PkgPath+"."+name] = true
			d := diag.Of(job.check(), fmt.Errorf("the apply configuration of %s does not compile: %s",
				cmp.Or(name, "the package"), e.Msg))
			d.Span = declarationOf(roots, pkg.Name, name)
			found = append(found, d.Help("%s", helpToCompile(e.Msg)).
				Note("the error is in line %d of %s, which is not written", at.Line, filepath.Base(at.Filename)))
		}
	}
	return found
}

// helpToCompile says what makes the files compile.
func helpToCompile(message string) string {
	const leaveOut = "leave the type out with +kubebuilder:ac:generate=false"
	switch {
	case strings.Contains(message, "undefined: ") && strings.HasSuffix(message, ".SchemeGroupVersion"):
		return "declare SchemeGroupVersion in the package, a schema.GroupVersion with its group and version"
	case strings.Contains(message, "field and method with the same name"):
		return "rename the field, or " + leaveOut
	}
	return leaveOut
}

// isOfCompiler reports whether the go command repeats an error of the compiler, which type-checking finds as well.
func isOfCompiler(e packages.Error) bool { return strings.HasPrefix(e.Msg, "# ") }

// isOfImport reports whether an error only says that an import cannot be loaded.
func isOfImport(e types.Error) bool { return strings.HasPrefix(e.Msg, "could not import ") }

// typeAround returns the user's type for which the declaration around a position was made: Thing for
// ThingApplyConfiguration and its methods. It is "" for a declaration about all types.
func typeAround(files []*ast.File, pos token.Pos) string {
	const suffix = "ApplyConfiguration"
	var names []string
	for _, f := range files {
		for _, decl := range f.Decls {
			if pos < decl.Pos() || decl.End() < pos {
				continue
			}
			ast.Inspect(decl, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok && strings.HasSuffix(id.Name, suffix) {
					names = append(names, strings.TrimSuffix(id.Name, suffix))
				}
				return true
			})
			if f, isFunc := decl.(*ast.FuncDecl); isFunc && f.Recv == nil && len(slices.Compact(names)) > 1 {
				return ""
			}
		}
	}
	return strings.Join(names[:min(len(names), 1)], "")
}

// declarationOf returns the position of a type in the packages from which files were made: first in one of that name.
// Without a type it is that of a package clause.
func declarationOf(roots []*loader.Package, packageName, typeName string) (out diag.Span) {
	sources := map[string]*diag.Source{}
	for _, isNamed := range []bool{true, false} {
		for _, root := range roots {
			for _, file := range root.CompiledGoFiles {
				if out.IsValid() || (root.Name == packageName) != isNamed {
					continue
				}
				set := token.NewFileSet()
				syntax, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
				if err != nil {
					continue // reported by the generators
				}
				if typeName == "" {
					return spanOf(set.Position(syntax.Name.Pos()).String(), root.Dir, sources)
				}
				ast.Inspect(syntax, func(n ast.Node) bool {
					if spec, ok := n.(*ast.TypeSpec); ok && spec.Name.Name == typeName {
						out = spanOf(set.Position(spec.Name.Pos()).String(), root.Dir, sources)
					}
					return !out.IsValid()
				})
			}
		}
	}
	return out
}
