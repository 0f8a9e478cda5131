package expr

import (
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	stdlib "github.com/google/cel-go/common/overloads"
	"github.com/google/cel-go/common/types"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/library"
)

// planned reports whether the API server can make a program of an expression.
func planned(env *cel.Env, checked *cel.Ast) (ok bool) {
	if isPlain(checked.NativeRep()) {
		return true
	}
	defer func() {
		if recover() != nil {
			ok = false // the server's code panics likewise, which is for its verdict to say
		}
	}()
	_, err := env.Program(checked, cel.CostLimit(celconfig.PerCallLimit), cel.CostTracking(&library.CostEstimator{}),
		cel.InterruptCheckFrequency(celconfig.CheckFrequency))
	return err == nil
}

// plainCalls are functions of which cel-go computes nothing in advance, and which it therefore plans whatever their
// arguments are (cel-go, interpreter/planner.go and decorators.go).
var plainCalls = map[string]bool{
	operators.LogicalAnd: true, operators.LogicalOr: true, operators.LogicalNot: true, operators.Conditional: true,
	operators.Equals: true, operators.NotEquals: true, operators.In: true, operators.Index: true,
	operators.Less: true, operators.LessEquals: true, operators.Greater: true, operators.GreaterEquals: true,
	operators.Add: true, operators.Subtract: true, operators.NotStrictlyFalse: true,
	stdlib.Size: true, stdlib.Contains: true, stdlib.StartsWith: true, stdlib.EndsWith: true,
}

// isPlain reports whether an expression consists of variables, fields, literals, lists and plain calls. To plan another
// one takes as much time as to compile it.
func isPlain(checked *ast.AST) bool {
	plain, references := true, checked.ReferenceMap()
	ast.PostOrderVisit(checked.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		switch e.Kind() {
		case ast.LiteralKind, ast.ListKind, ast.ComprehensionKind:
		case ast.IdentKind:
			plain = plain && checked.GetType(e.ID()).Kind() != types.TypeKind
		case ast.SelectKind:
			plain = plain && references[e.ID()] == nil // the name of a type or of a constant
		case ast.CallKind:
			plain = plain && plainCalls[e.AsCall().FunctionName()]
		default:
			plain = false
		}
	}))
	return plain
}
