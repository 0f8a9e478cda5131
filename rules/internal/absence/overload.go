package absence

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/decls"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	kubecel "k8s.io/apiserver/pkg/cel"
)

// overload reports a function that does not apply to all types that its operands may have.
func (v *visit) overload(e ast.Expr, list []operand, negated bool) {
	name := e.AsCall().FunctionName()
	f := v.rule.Env.Functions()[name]
	if f == nil || name == operators.Conditional || name == operators.Index || name == "type" || name == "dyn" {
		return
	}
	member := e.AsCall().IsMemberFunction()
	var unions []int
	for i, o := range list {
		if o.types == nil {
			return
		}
		if o.isUnion() {
			unions = append(unions, i)
		}
	}
	if len(unions) == 0 {
		return
	}
	fits, all := 0, 1<<len(unions)
	for choice := range all {
		given := make([]*types.Type, len(list))
		for i, o := range list {
			given[i] = o.types[0]
		}
		for bit, i := range unions {
			given[i] = list[i].types[choice>>bit&1]
		}
		if applies(f, member, given) {
			fits++
		}
	}
	field := list[unions[0]]
	shown := strings.Trim(name, "_@")
	m := misfit{e: e, check: celOverload, note: `the API server rejects the object with "no such overload"`}
	switch {
	case fits == all:
		return
	case fits == 0:
		m.message = fmt.Sprintf("%s never applies to %s, which is an integer or a string", shown, field.text)
		m.fix = v.converted(e, f, list)
	case v.isGuarded(list):
		return
	default:
		lacks := "a string"
		want := types.IntType
		if !applies(f, member, chosen(list, types.IntType)) {
			lacks, want = "an integer", types.StringType
		}
		m.message = fmt.Sprintf("%s does not apply to %s if that is %s", shown, field.text, lacks)
		if len(unions) > 1 {
			m.message = fmt.Sprintf("%s does not apply to an integer and a string, and %s may be either", shown,
				field.text)
		}
		m.fix = v.guardedCall(e, list, want, negated)
	}
	v.found = append(v.found, m)
}

// chosen returns the types of operands if each union has the given type.
func chosen(list []operand, t *types.Type) []*types.Type {
	out := make([]*types.Type, len(list))
	for i, o := range list {
		out[i] = o.types[0]
		if o.isUnion() {
			out[i] = t
		}
	}
	return out
}

// applies reports whether a function has an overload for the types of operands.
func applies(f *decls.FunctionDecl, member bool, given []*types.Type) bool {
	for _, o := range f.OverloadDecls() {
		want := o.ArgTypes()
		if o.IsMemberFunction() != member || len(want) != len(given) {
			continue
		}
		fits := true
		for i, t := range want {
			isAny := t.Kind() == types.DynKind || t.Kind() == types.TypeParamKind || t.Kind() == types.AnyKind
			fits = fits && (isAny || given[i].Kind() == t.Kind() && given[i].TypeName() == t.TypeName())
		}
		if fits {
			return true
		}
	}
	return false
}

// isGuarded reports whether a rule with several conditions reads a union more than once: one may look at its type.
func (v *visit) isGuarded(list []operand) bool {
	return v.conditions > 0 && slices.ContainsFunc(list, func(o operand) bool {
		return o.isUnion() && v.uses[o.text] > 1
	})
}

// converted writes a function of quantities with its operands converted, "" if that does not help.
func (v *visit) converted(e ast.Expr, f *decls.FunctionDecl, list []operand) string {
	given := chosen(list, kubecel.QuantityType)
	if !e.AsCall().IsMemberFunction() || !applies(f, true, given) {
		return ""
	}
	var texts []string
	for _, o := range list {
		text := o.text
		if o.isUnion() {
			text = o.as(quantity)
		}
		texts = append(texts, text)
	}
	return texts[0] + "." + e.AsCall().FunctionName() + "(" + strings.Join(texts[1:], ", ") + ")"
}

// guardedCall writes a call so that it sees only values of a type, "" if that is not a condition.
func (v *visit) guardedCall(e ast.Expr, list []operand, want *types.Type, negated bool) string {
	switch name := e.AsCall().FunctionName(); {
	case len(list) == 1 && (name == "quantity" || name == "isQuantity" || name == "size"):
		if e.AsCall().IsMemberFunction() {
			return "string(" + list[0].text + ")." + name + "()"
		}
		return name + "(string(" + list[0].text + "))"
	case v.checked.GetType(e.ID()).Kind() != types.BoolKind:
		return ""
	}
	var out strings.Builder
	for _, o := range list {
		switch {
		case o.isUnion() && negated:
			out.WriteString("type(" + o.text + ") == " + want.TypeName() + " && ")
		case o.isUnion():
			out.WriteString("type(" + o.text + ") != " + want.TypeName() + " || ")
		}
	}
	return out.String() + v.cut(e)
}
