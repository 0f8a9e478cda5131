package gotype

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/lower/internal/checks"
	"github.com/crdproof/crdproof/generator/lower/internal/node"
	"github.com/crdproof/crdproof/schema"
)

// reportUndefined reports an undeclared name, unless a file that does not parse or a missing package explains it, which
// load reports. It returns a node without a schema.
func (d Describer) reportUndefined(sc *scope, e ast.Expr, name string) *node.Node {
	pkg := sc.decl.Pkg
	if pkg.Broken() || sc.decl.ImportFailed(e) {
		d.Doubt(schema.DoubtContent)
		d.missesTypes = true
		return &node.Node{Undefined: true}
	}
	message, help := pkg.TypeError(e), ""
	if message == "" || message == "type "+name+" is not defined" || strings.HasPrefix(message, "undefined: ") {
		message, help = d.undeclared(sc, e, name)
	}
	d.Report(d.Reached(diag.Errorf(sc.span(e), checks.TypeUndefined, "%s", message).Help("%s", help)))
	return &node.Node{Undefined: true}
}

// undeclared returns the message about an undeclared type, and what was perhaps meant.
func (d Describer) undeclared(sc *scope, e ast.Expr, name string) (message, help string) {
	pkg, e := sc.decl.Pkg, ast.Unparen(e)
	arguments := "" // of a generic type, which the suggestion keeps
	if base, args := generic(sc, e); len(args) > 0 {
		arguments = strings.TrimPrefix(types.ExprString(e), types.ExprString(base))
		e, name = base, types.ExprString(base)
	}
	sel, ok := e.(*ast.SelectorExpr)
	if !ok {
		if pkg.Lookup(name) != nil {
			return "type " + name + " refers to itself", ""
		}
		names := slices.DeleteFunc(pkg.TypeNames(false), func(n string) bool { return n == "_" || n == name })
		near := diag.Near(name, append(names, predeclared()...))
		if near != "" {
			near += arguments
		}
		return "undeclared type " + name, diag.Meant(near)
	}
	qualifier := types.ExprString(sel.X)
	from := sc.decl.Imported(qualifier)
	if from == nil {
		help = diag.DidYouMean(qualifier, sc.decl.ImportNames())
		if help != "" {
			help = diag.Meant(diag.Near(qualifier, sc.decl.ImportNames()) + "." + sel.Sel.Name + arguments)
		} else if path := usualImports[qualifier]; path != "" {
			help = fmt.Sprintf("import %s %q", qualifier, path)
		}
		return "package " + qualifier + " is not imported", help
	}
	if near := diag.Near(sel.Sel.Name, from.TypeNames(true)); near != "" && near != sel.Sel.Name {
		help = diag.Meant(qualifier + "." + near + arguments)
	}
	return fmt.Sprintf("package %s has no type %s", qualifier, sel.Sel.Name), help
}

// predeclared returns the names of Go's types that a schema can describe.
func predeclared() []string {
	var out []string
	for _, t := range types.Typ {
		if t.Info()&types.IsUntyped == 0 && t.Info()&types.IsConstType != 0 && t.Info()&types.IsComplex == 0 {
			out = append(out, t.Name())
		}
	}
	return append(out, "byte", "rune", "any")
}

// usualImports are the packages that API types commonly use, by the name that they are imported under.
var usualImports = map[string]string{
	"apiextensionsv1": node.PkgExtV1,
	"appsv1":          "k8s.io/api/apps/v1",
	"autoscalingv2":   "k8s.io/api/autoscaling/v2",
	"batchv1":         "k8s.io/api/batch/v1",
	"corev1":          "k8s.io/api/core/v1",
	"intstr":          node.PkgIntstr,
	"metav1":          node.PkgMeta,
	"networkingv1":    "k8s.io/api/networking/v1",
	"policyv1":        "k8s.io/api/policy/v1",
	"rbacv1":          "k8s.io/api/rbac/v1",
	"resource":        node.PkgResource,
	"runtime":         node.PkgRuntime,
	"storagev1":       "k8s.io/api/storage/v1",
}
