package confirmed

import (
	"slices"

	"github.com/google/cel-go/common/ast"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	apicel "k8s.io/apiserver/pkg/cel"

	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/schema"
)

// A reducer makes a schema smaller for the search: an object of the smaller one is an object of the whole.
type reducer struct {
	// read are the names in CEL of all fields that rules read, ruled the paths of places with rules and of those around
	// them.
	read, ruled map[string]bool
}

// Reduced returns a schema without the optional fields that no rule is on or reads, no default sets, and no place
// needs.
func Reduced(structure *structural.Structural, rules []expr.Rule, places ...*schema.Place) *structural.Structural {
	r := reducer{map[string]bool{}, map[string]bool{}}
	for _, p := range places {
		for ; p != nil; p = p.Above {
			r.ruled[p.Path()] = true
		}
	}
	for i := range rules {
		for p := rules[i].Place; p != nil; p = p.Above {
			r.ruled[p.Path()] = true
		}
		if rules[i].Checked == nil {
			continue
		}
		ast.PostOrderVisit(rules[i].Checked.NativeRep().Expr(), ast.NewExprVisitor(func(e ast.Expr) {
			switch e.Kind() {
			case ast.SelectKind:
				r.read[e.AsSelect().FieldName()] = true
			case ast.LiteralKind: // a field of an optional
				if text, ok := e.AsLiteral().Value().(string); ok {
					r.read[text] = true
				}
			}
		}))
	}
	return r.reduce(structure, &schema.Place{})
}

func (r *reducer) reduce(s *structural.Structural, at *schema.Place) *structural.Structural {
	if s == nil {
		return nil
	}
	out := *s
	if s.XIntOrString { // the server ignores the type (pkg/apiserver/validation/validation.go)
		out.Type = ""
	}
	out.Properties = map[string]structural.Structural{}
	for name := range s.Properties {
		property := s.Properties[name]
		next := &schema.Place{Above: at, Step: schema.InProperty, Name: name}
		escaped, _ := apicel.Escape(name)
		if r.read[escaped] || r.ruled[next.Path()] || property.Default.Object != nil || names(s.ValueValidation, name) {
			out.Properties[name] = *r.reduce(&property, next)
		}
	}
	out.Items = r.reduce(s.Items, &schema.Place{Above: at, Step: schema.InItems})
	if s.AdditionalProperties != nil {
		values := *s.AdditionalProperties
		values.Structural = r.reduce(values.Structural, &schema.Place{Above: at, Step: schema.InValues})
		out.AdditionalProperties = &values
	}
	return &out
}

// names reports whether validations are about a field.
func names(v *structural.ValueValidation, name string) bool {
	if v == nil {
		return false
	}
	nested := slices.Concat(v.AllOf, v.AnyOf, v.OneOf)
	if v.Not != nil {
		nested = append(nested, *v.Not)
	}
	return slices.Contains(v.Required, name) ||
		slices.ContainsFunc(nested, func(n structural.NestedValueValidation) bool {
			_, has := n.Properties[name]
			return has || names(&n.ValueValidation, name)
		})
}
