package expressions

import (
	"maps"
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
)

// A call is one overload of a function or an operator.
type call struct {
	function string
	args     []*types.Type
	result   *types.Type
	isMember bool
}

// calls are all overloads of an environment, by function, sorted. What no rule can call is left out: there is no
// authorizer in rules, and what begins with @ or __ is written by macros.
func calls(env *cel.Env) [][]call {
	var out [][]call
	functions := env.Functions()
	for _, name := range slices.Sorted(maps.Keys(functions)) {
		if strings.Contains(name, "@") || strings.HasPrefix(name, "__") || name == "_?._" || name == "_in_" {
			continue
		}
		var list []call
		for _, o := range functions[name].OverloadDecls() {
			c := call{name, o.ArgTypes(), o.ResultType(), o.IsMemberFunction()}
			if !strings.Contains(c.text(), "authorization") {
				list = append(list, c)
			}
		}
		if len(list) > 0 {
			out = append(out, list)
		}
	}
	return out
}

func (c call) text() string {
	var out strings.Builder
	for _, t := range append(slices.Clip(c.args), c.result) {
		out.WriteString(t.String() + " ")
	}
	return out.String()
}

// write writes the call.
func (c call) write(args []string) string {
	switch c.function {
	case "_?_:_":
		return "(" + args[0] + " ? " + args[1] + " : " + args[2] + ")"
	case "_[_]":
		return args[0] + "[" + args[1] + "]"
	case "_[?_]":
		return args[0] + "[?" + args[1] + "]"
	case "!_", "-_":
		return "(" + c.function[:1] + args[0] + ")"
	case "in":
		return "(" + args[0] + " in " + args[1] + ")"
	}
	if op, ok := strings.CutPrefix(c.function, "_"); ok {
		return "(" + args[0] + " " + strings.TrimSuffix(op, "_") + " " + args[1] + ")"
	}
	if c.isMember {
		return args[0] + "." + c.function + "(" + strings.Join(args[1:], ", ") + ")"
	}
	return c.function + "(" + strings.Join(args, ", ") + ")"
}

// A binding maps the parameters of polymorphic types to types.
type binding map[string]*types.Type

// unify reports whether a type with parameters can be a type without.
func (b binding) unify(pattern, t *types.Type) bool {
	if pattern.Kind() == types.TypeParamKind {
		if bound, ok := b[pattern.TypeName()]; ok {
			return bound.IsExactType(t)
		}
		b[pattern.TypeName()] = t
		return true
	}
	if pattern.Kind() != t.Kind() || pattern.TypeName() != t.TypeName() ||
		len(pattern.Parameters()) != len(t.Parameters()) {
		return false
	}
	for i, p := range pattern.Parameters() {
		if !b.unify(p, t.Parameters()[i]) {
			return false
		}
	}
	return true
}

// apply replaces parameters; those that are free become what is chosen.
func (b binding) apply(t *types.Type, choose func() *types.Type) *types.Type {
	if t.Kind() == types.TypeParamKind {
		if b[t.TypeName()] == nil {
			b[t.TypeName()] = choose()
		}
		return b[t.TypeName()]
	}
	params := t.Parameters()
	switch {
	case t.Kind() == types.ListKind:
		return types.NewListType(b.apply(params[0], choose))
	case t.Kind() == types.MapKind:
		return types.NewMapType(b.apply(params[0], choose), b.apply(params[1], choose))
	case t.Kind() == types.TypeKind && len(params) == 1:
		return types.NewTypeTypeWithParam(b.apply(params[0], choose))
	case t.Kind() == types.OpaqueKind && len(params) == 1:
		return types.NewOptionalType(b.apply(params[0], choose))
	}
	return t
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
