package absence

import (
	"slices"
	"strconv"
	"time"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"k8s.io/apimachinery/pkg/api/resource"
	kubecel "k8s.io/apiserver/pkg/cel"

	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/schema"
)

// An origin is what the value of an expression means, beyond its type in CEL.
type origin uint8

const (
	plain    origin = iota
	union           // an integer or a string
	quantity        // the same, read by resource.ParseQuantity
	duration        // a string, read by time.ParseDuration
)

// originOf returns what the values of a schema mean. Alternatives other than the two types may exclude integers or
// strings, so that it is not known what is left.
func originOf(s *schema.Schema) origin {
	isNarrow := func(a *schema.Schema) bool { return a.Type.V == "" || a.Pattern.V != "" || a.Format.V != "" }
	switch {
	case s == nil || len(s.Enum) > 0 || len(s.AllOf) > 0 || len(s.OneOf) > 0 || s.Not != nil ||
		len(s.AnyOf) == 1 || slices.ContainsFunc(s.AnyOf, isNarrow):
		return plain
	case s.IntOrString.True():
		if s.Origin == schema.Quantity || s.Pattern.V == schema.QuantityPattern {
			return quantity
		}
		return union
	case s.Format.V == "" && (s.Origin == schema.Duration || s.Pattern.V == schema.DurationPattern):
		return duration
	}
	return plain
}

// fieldsOf are the schemas of the variables, nil for those that stand for no field.
type fieldsOf map[string]*schema.Schema

func (in fieldsOf) with(name string, s *schema.Schema) fieldsOf {
	out := fieldsOf{name: s}
	for other, container := range in {
		if other != name {
			out[other] = container
		}
	}
	return out
}

// within returns the schemas of the variables in a loop.
func (in fieldsOf) within(c ast.ComprehensionExpr) fieldsOf {
	container := in.schemaOf(c.IterRange())
	inside := in.with(c.AccuVar(), nil)
	if c.HasIterVar2() {
		return inside.with(c.IterVar(), nil).with(c.IterVar2(), element(container, true))
	}
	return inside.with(c.IterVar(), element(container, false))
}

// schemaOf returns the schema of the field that an expression reads, nil if it is anything else.
func (in fieldsOf) schemaOf(e ast.Expr) *schema.Schema {
	switch e.Kind() {
	case ast.IdentKind:
		return in[e.AsIdent()]
	case ast.SelectKind:
		s := e.AsSelect()
		container := in.schemaOf(s.Operand())
		if container == nil || s.IsTestOnly() {
			return nil
		}
		if len(container.Properties) == 0 {
			return container.AdditionalProperties
		}
		for _, p := range container.Properties {
			if name, ok := kubecel.Escape(p.Name); ok && (name == s.FieldName() || p.Name == s.FieldName()) {
				return p.Schema
			}
		}
	case ast.CallKind:
		if call := e.AsCall(); call.FunctionName() == operators.Index {
			return element(in.schemaOf(call.Args()[0]), true)
		}
	}
	return nil
}

// element returns the schema of a list's items, or of a map's values.
func element(container *schema.Schema, values bool) *schema.Schema {
	switch {
	case container == nil:
		return nil
	case container.Items != nil:
		return container.Items
	case values:
		return container.AdditionalProperties
	}
	return nil
}

// An operand is an expression with what is known of its values.
type operand struct {
	e      ast.Expr
	text   string
	origin origin
	// types are those that its value may have at run time, nil if they are not known.
	types []*types.Type
	// literal is the value of a literal.
	literal any
}

func (s *source) operand(e ast.Expr, in fieldsOf, checked *ast.AST) operand {
	o := operand{e: e, text: s.cut(e), origin: originOf(in.schemaOf(e))}
	switch t := checked.GetType(e.ID()); {
	case o.origin == union || o.origin == quantity:
		o.types = []*types.Type{types.IntType, types.StringType}
	case o.origin == duration && t.Kind() != types.StringKind:
		o.origin = plain
	case t.Kind() != types.DynKind && t.Kind() != types.TypeParamKind && t.Kind() != types.AnyKind &&
		t.Kind() != types.ErrorKind:
		o.types = []*types.Type{t}
	default:
		o.types = nil
	}
	if o.origin == duration {
		o.types = []*types.Type{types.StringType}
	}
	if e.Kind() == ast.LiteralKind {
		o.literal = e.AsLiteral().Value()
	}
	return o
}

func (o operand) isUnion() bool { return o.origin == union || o.origin == quantity }

// is reports whether the operand always has the type.
func (o operand) hasType(name string) bool { return len(o.types) == 1 && o.types[0].TypeName() == name }

// as writes the operand as the value that an origin means; "" if it has none.
func (o operand) as(meaning origin) string {
	if meaning == duration {
		return o.asDuration()
	}
	switch v := o.literal.(type) {
	case string:
		if _, err := resource.ParseQuantity(v); err != nil {
			return ""
		}
		return "quantity(" + o.text + ")"
	case int64:
		return "quantity('" + strconv.FormatInt(v, 10) + "')"
	}
	switch {
	case o.hasType(kubecel.QuantityType.TypeName()):
		return o.text
	case o.hasType("string"):
		return "quantity(" + o.text + ")"
	case o.isUnion(), o.hasType("int"):
		return "quantity(string(" + o.text + "))"
	}
	return ""
}

func (o operand) asDuration() string {
	if v, ok := o.literal.(string); ok {
		if _, err := time.ParseDuration(v); err != nil {
			return ""
		}
	}
	switch {
	case o.hasType("google.protobuf.Duration"):
		return o.text
	case o.hasType("string"):
		return "duration(" + o.text + ")"
	}
	return ""
}

// A visit goes through one expression and collects the mistakes in it.
type visit struct {
	*source
	rule    *expr.Rule
	written expression
	found   []misfit
	// uses counts the reads of each field and variable, conditions the operators that combine conditions.
	uses       map[string]int
	conditions int
}

// walk visits an expression. Under an odd number of negations, a guard must be false for values that are not meant.
func (v *visit) walk(e ast.Expr, in fieldsOf, negated bool) {
	switch e.Kind() {
	case ast.CallKind:
		call := e.AsCall()
		negated = negated != (call.FunctionName() == operators.LogicalNot)
		v.call(e, in, negated)
		for _, o := range callOperands(call) {
			v.walk(o, in, negated)
		}
	case ast.SelectKind:
		v.walk(e.AsSelect().Operand(), in, negated)
	case ast.ListKind:
		for _, item := range e.AsList().Elements() {
			v.walk(item, in, negated)
		}
	case ast.MapKind:
		for _, entry := range e.AsMap().Entries() {
			v.walk(entry.AsMapEntry().Key(), in, negated)
			v.walk(entry.AsMapEntry().Value(), in, negated)
		}
	case ast.ComprehensionKind:
		v.loop(e.AsComprehension(), in, negated)
	}
}

func (v *visit) loop(c ast.ComprehensionExpr, in fieldsOf, negated bool) {
	v.walk(c.IterRange(), in, negated)
	v.walk(c.AccuInit(), in, negated)
	v.walk(c.LoopStep(), in.within(c), negated)
	v.walk(c.Result(), in.with(c.AccuVar(), nil), negated)
}

// callOperands returns the target and the arguments of a call.
func callOperands(call ast.CallExpr) []ast.Expr {
	if call.IsMemberFunction() {
		return append([]ast.Expr{call.Target()}, call.Args()...)
	}
	return call.Args()
}
