package kube

import (
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/parser"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"
)

// Environment returns the CEL environments of a server of that version as the library knows them. It compiles new rules
// in the environment of the version before it, so that they survive a rollback
// (environment.DefaultCompatibilityVersion).
func (m Minor) Environment() *environment.EnvSet {
	return environment.MustBaseEnvSet(version.MajorMinor(1, uint(m-1)))
}

// NewRules returns the environment in which a server of that version compiles new rules, without self. The library's
// environments of older versions lack the functions that Kubernetes had not declared; what is different because
// Kubernetes had an older cel-go is in Feature.
func (m Minor) NewRules() *cel.Env {
	env, _ := newRules.LoadOrStore(m, sync.OnceValue(m.newRules))
	return env.(func() *cel.Env)()
}

// newRules has a func() *cel.Env for each Minor.
var newRules sync.Map

func (m Minor) newRules() *cel.Env {
	env := m.Environment().NewExpressionsEnv()
	if m.Has(OptionalMacros) || !m.Has(Optionals) {
		return env
	}
	env, err := env.Extend(withoutCopies(env))
	if err != nil {
		panic(err) // the macros are cel-go's
	}
	return env
}

// withoutCopies makes the macros of optional values use the expression for their target twice.
func withoutCopies(env *cel.Env) cel.EnvOption {
	var macros []cel.Macro
	for _, m := range env.Macros() {
		if m.Function() == "optMap" || m.Function() == "optFlatMap" {
			expand := m.Expander()
			macros = append(macros, parser.NewReceiverMacro(m.Function(), m.ArgCount(),
				func(f parser.ExprHelper, target ast.Expr, args []ast.Expr) (ast.Expr, *cel.Error) {
					return expand(uncopied{f}, target, args)
				}))
		}
	}
	return cel.Macros(macros...)
}

// uncopied makes expressions for macros, and copies none.
type uncopied struct{ parser.ExprHelper }

// Copy implements parser.ExprHelper.
func (uncopied) Copy(e ast.Expr) ast.Expr { return e }
