package expr

import (
	"github.com/google/cel-go/common/ast"
	kubecel "k8s.io/apiserver/pkg/cel"

	"github.com/crdproof/crdproof/rules/kube"
)

// overloads returns the ids of all functions that servers of a version know.
func overloads(minor kube.Minor) map[string]bool {
	out := map[string]bool{}
	for _, f := range minor.NewRules().Functions() {
		for _, o := range f.OverloadDecls() {
			if f, ok := later[o.ID()]; !ok || minor.Has(f) {
				out[o.ID()] = true
			}
		}
	}
	return out
}

// portable reports whether an older server, whose functions are given, surely compiles what a newer one has compiled:
// all functions that it has resolved are known there, and it uses no syntax that is not. To compile it there as well
// would take several times as long.
func portable(checked *ast.AST, oldest kube.Minor, known map[string]bool) bool {
	ok := oldest.Has(kube.Optionals)
	for _, ref := range checked.ReferenceMap() {
		for _, id := range ref.OverloadIDs {
			// Each of these macros asks whether its target has a value.
			ok = ok && known[id] && (oldest.Has(kube.OptionalMacros) || id != "optional_hasValue")
		}
	}
	ast.PostOrderVisit(checked.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		switch e.Kind() {
		case ast.CallKind:
			ok = ok && (oldest.Has(kube.FormatChecks) || e.AsCall().FunctionName() != "format")
		case ast.ComprehensionKind:
			ok = ok && (oldest.Has(kube.TwoVariables) || !e.AsComprehension().HasIterVar2())
		case ast.SelectKind:
			escaped, escapable := kubecel.Escape(e.AsSelect().FieldName())
			ok = ok && (oldest.Has(kube.KeywordFields) || !escapable || escaped == e.AsSelect().FieldName())
		}
	}))
	return ok
}
