package expr

import (
	"maps"
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	kubecel "k8s.io/apiserver/pkg/cel"
)

// An inspection is what the type checker knows about an expression that it rejects.
type inspection struct {
	env   *cel.Env
	decls map[string]*kubecel.DeclType
	types map[int64]*types.Type
	exprs map[int64]ast.Expr
	// variables are the loop variables of each expression inside a macro.
	variables map[int64][]string
}

// inspect type-checks a parsed expression for the types of its parts. cel.Env.Check does the same, but does not return
// them if there are errors.
func inspect(env *cel.Env, self *kubecel.DeclType, parsed *cel.Ast) *inspection {
	i := &inspection{
		env: env, decls: kubecel.FieldTypeMap(selfType, self),
		exprs: map[int64]ast.Expr{}, variables: map[int64][]string{},
	}
	i.index(parsed.NativeRep().Expr(), nil)
	c, err := checker.NewEnv(env.Container, env.CELTypeProvider(), checker.CrossTypeNumericComparisons(true))
	if err != nil || c.AddIdents(env.Variables()...) != nil {
		return i
	}
	for _, f := range env.Functions() {
		if !f.IsDeclarationDisabled() && c.AddFunctions(f) != nil {
			return i
		}
	}
	copied := ast.Copy(parsed.NativeRep()) // checking rewrites names
	checked, _ := checker.Check(copied, parsed.Source(), c)
	i.types = checked.TypeMap()
	return i
}

// index notes all expressions by id, with the variables of the macros around them.
func (i *inspection) index(e ast.Expr, scope []string) {
	i.exprs[e.ID()], i.variables[e.ID()] = e, scope
	switch e.Kind() {
	case ast.ComprehensionKind:
		c := e.AsComprehension()
		i.index(c.IterRange(), scope)
		i.index(c.AccuInit(), scope)
		inner := append(slices.Clip(scope), c.IterVar())
		if c.HasIterVar2() {
			inner = append(inner, c.IterVar2())
		}
		i.index(c.LoopCondition(), inner)
		i.index(c.LoopStep(), inner)
		i.index(c.Result(), inner)
	default:
		for _, child := range operands(e) {
			i.index(child, scope)
		}
	}
}

// operands returns the expressions that one other than a comprehension is made of.
func operands(e ast.Expr) []ast.Expr {
	switch e.Kind() {
	case ast.CallKind:
		if e.AsCall().IsMemberFunction() {
			return append([]ast.Expr{e.AsCall().Target()}, e.AsCall().Args()...)
		}
		return e.AsCall().Args()
	case ast.SelectKind:
		return []ast.Expr{e.AsSelect().Operand()}
	case ast.ListKind:
		return e.AsList().Elements()
	case ast.MapKind:
		var out []ast.Expr
		for _, entry := range e.AsMap().Entries() {
			out = append(out, entry.AsMapEntry().Key(), entry.AsMapEntry().Value())
		}
		return out
	case ast.StructKind:
		var out []ast.Expr
		for _, field := range e.AsStruct().Fields() {
			out = append(out, field.AsStructField().Value())
		}
		return out
	}
	return nil
}

// fields returns the fields that a type has, as they are written in CEL; nil for types without.
func (i *inspection) fields(t *types.Type) []string {
	if t != nil && t.TypeName() == types.OptionalType.TypeName() && len(t.Parameters()) == 1 {
		t = t.Parameters()[0]
	}
	if t == nil || t.Kind() != types.StructKind {
		return nil
	}
	d := i.decls[t.TypeName()]
	if d == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(d.Fields))
}

// follows reports whether an issue is only a consequence of another one: a function that is not found since the name
// before it is undeclared.
func (i *inspection) follows(issue *common.Error) bool {
	e := i.exprs[issue.ExprID]
	if e == nil || e.Kind() != ast.CallKind || !e.AsCall().IsMemberFunction() {
		return false
	}
	t := i.types[e.AsCall().Target().ID()]
	return t != nil && t.Kind() == types.ErrorKind
}

// names returns those that can stand alone at an expression: variables, and functions.
func (i *inspection) names(id int64) (variables, functions []string) {
	for _, v := range i.env.Variables() {
		if !strings.ContainsAny(v.Name(), ".@") && v.Type().Kind() != types.TypeKind {
			variables = append(variables, v.Name())
		}
	}
	for _, v := range i.variables[id] {
		if !strings.HasPrefix(v, "@") {
			variables = append(variables, v)
		}
	}
	for name := range i.env.Functions() {
		if !strings.ContainsAny(name, "_@!-[]?:") || strings.Contains(name, ".") {
			functions = append(functions, name)
		}
	}
	slices.Sort(variables)
	slices.Sort(functions)
	return slices.Compact(variables), functions
}

// typeName returns a type as the author of a rule knows it.
func typeName(t *types.Type) string {
	switch {
	case t == nil:
		return "unknown"
	case t.Kind() == types.TypeParamKind || t.Kind() == types.DynKind:
		return "any"
	case strings.HasPrefix(t.String(), "wrapper("):
		return strings.Trim(strings.TrimPrefix(t.String(), "wrapper"), "()") + " or null"
	case t.Kind() == types.StructKind:
		if way, ok := strings.CutPrefix(t.TypeName(), selfType); ok {
			return "object self" + strings.NewReplacer(".@elem", "[*]", ".@idx", "[]").Replace(way)
		}
		if name, ok := strings.CutPrefix(t.TypeName(), "kubernetes."); ok {
			return strings.ToLower(name)
		}
		return "object"
	case t.Kind() == types.ListKind:
		return "list of " + typeName(t.Parameters()[0])
	case t.Kind() == types.MapKind:
		return "map of " + typeName(t.Parameters()[1])
	case t.TypeName() == types.OptionalType.TypeName() && len(t.Parameters()) == 1:
		return "optional " + typeName(t.Parameters()[0])
	}
	switch name := t.TypeName(); name {
	case "google.protobuf.Timestamp":
		return "timestamp"
	case "google.protobuf.Duration":
		return "duration"
	case "null_type":
		return "null"
	default:
		return strings.TrimPrefix(name, "kubernetes.")
	}
}
