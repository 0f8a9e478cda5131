package expr

import (
	"github.com/google/cel-go/common/ast"
	kubecel "k8s.io/apiserver/pkg/cel"

	"github.com/crdproof/crdproof/rules/kube"
)

// The versions from whose servers on rules may use what shows in no function (cel/environment/base.go).
const (
	optionals    kube.Minor = 29 // and comparisons of numbers of different types
	twoVariables kube.Minor = 33
)

// overloads are the ids of all functions that servers of a version know.
func overloads(minor kube.Minor) map[string]bool {
	out := map[string]bool{}
	for _, f := range minor.Environment().NewExpressionsEnv().Functions() {
		for _, o := range f.OverloadDecls() {
			out[o.ID()] = true
		}
	}
	return out
}

// portable reports whether an older server, whose functions are given, surely compiles what a newer one has compiled:
// all functions that it has resolved are known there, and it uses no syntax that is not. To compile it there as well
// would take several times as long.
func portable(checked *ast.AST, oldest kube.Minor, known map[string]bool) bool {
	ok := oldest >= optionals
	for _, ref := range checked.ReferenceMap() {
		for _, id := range ref.OverloadIDs {
			ok = ok && known[id]
		}
	}
	ast.PostOrderVisit(checked.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		switch e.Kind() {
		case ast.ComprehensionKind:
			ok = ok && (oldest >= twoVariables || !e.AsComprehension().HasIterVar2())
		case ast.SelectKind:
			escaped, escapable := kubecel.Escape(e.AsSelect().FieldName())
			ok = ok && (oldest >= keywordFields || !escapable || escaped == e.AsSelect().FieldName())
		}
	}))
	return ok
}
