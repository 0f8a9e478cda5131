package expr

import (
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"

	"github.com/crdproof/crdproof/rules/kube"
)

// later are the overloads that come with cel-go, so that the library's environments of older versions of Kubernetes
// have them too.
var later = map[string]kube.Feature{
	"list_first": kube.EndsOfLists, "list_last": kube.EndsOfLists,
	"optional_unwrap": kube.EndsOfLists, "optional_unwrapOpt": kube.EndsOfLists,
}

// olderIssues returns what a server of a version finds in an expression that compiles in newer ones.
func olderIssues(minor kube.Minor, env *cel.Env, checked *cel.Ast) *cel.Issues {
	native := checked.NativeRep()
	issues := cel.NewIssuesWithSourceInfo(common.NewErrors(checked.Source()), native.SourceInfo())
	if !minor.Has(kube.EndsOfLists) {
		ast.PostOrderVisit(native.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
			isLater := func(id string) bool { f, ok := later[id]; return ok && !minor.Has(f) }
			if slices.ContainsFunc(native.GetOverloadIDs(e.ID()), isLater) {
				issues.ReportErrorAtID(e.ID(), "undeclared reference to '%s' (in container '')",
					e.AsCall().FunctionName())
			}
		}))
	}
	if !minor.Has(kube.FormatChecks) {
		mixed := cel.NewIssuesWithSourceInfo(common.NewErrors(checked.Source()), native.SourceInfo())
		cel.ValidateHomogeneousAggregateLiterals().Validate(env, noExemptions{}, native, mixed)
		for _, issue := range mixed.Errors() {
			if !isFormatted(native, issue.ExprID) {
				issues.ReportErrorAtID(issue.ExprID, "%s", issue.Message)
			}
		}
	}
	return issues
}

// isFormatted reports whether a value is in the list that format is called with, or in a list or a map in it.
func isFormatted(checked *ast.AST, id int64) bool {
	isValue := func(e ast.NavigableExpr) bool { return e.ID() == id }
	for _, value := range ast.MatchDescendants(ast.NavigateAST(checked), isValue) {
		for e, ok := value.Parent(); ok; e, ok = e.Parent() {
			if e.Kind() == ast.CallKind {
				return e.AsCall().FunctionName() == "format"
			} else if e.Kind() != ast.ListKind && e.Kind() != ast.MapKind {
				return false
			}
		}
	}
	return false
}

// noExemptions configures cel-go's check that all values of a list or a map are of one type.
type noExemptions struct{}

// GetOrDefault implements cel.ValidatorConfig.
func (noExemptions) GetOrDefault(_ string, value any) any { return value }

// neutralize replaces the texts that format is called on by others of the same length, to which the check of its
// arguments has no objection. The result puts them back.
func neutralize(parsed *cel.Ast) (restore func()) {
	texts := map[ast.Expr]ast.Expr{}
	factory := ast.NewExprFactory()
	ast.PostOrderVisit(parsed.NativeRep().Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() != ast.CallKind || e.AsCall().FunctionName() != "format" || !e.AsCall().IsMemberFunction() ||
			len(e.AsCall().Args()) != 1 || e.AsCall().Args()[0].Kind() != ast.ListKind {
			return
		}
		target, list := e.AsCall().Target(), e.AsCall().Args()[0].AsList()
		if text, ok := target.AsLiteral().(types.String); ok {
			clauses := strings.Repeat("%s", list.Size())
			filled := clauses + strings.Repeat(" ", max(0, len([]rune(string(text)))-len(clauses)))
			texts[target] = factory.CopyExpr(target)
			target.SetKindCase(factory.NewLiteral(target.ID(), types.String(filled)))
		}
	}))
	return func() {
		for target, text := range texts {
			target.SetKindCase(text)
		}
	}
}
