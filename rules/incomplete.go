package rules

import (
	"context"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema"
)

// NotValidated is reported for CRDs of which something was not validated.
var NotValidated = &diag.Check{ID: "not-validated", Severity: diag.Warning, Mistake: true}

// CheckIncomplete validates a CRD with errors in declarations, whose repair may change what they say. It returns what
// is found whatever they say: in two CRDs between which the repaired one lies. inFrame is set if there are errors
// outside of the schemas, too.
func CheckIncomplete(ctx context.Context, s *session.Session, inFrame bool) []diag.Diagnostic {
	found := Check(ctx, s.With(open.crd(s.CRD)))
	again := s.Options
	again.Trace = nil // each rule is compiled once, as far as others can see
	type identity struct {
		at             diag.Span
		check, message string
	}
	isConfirmed := map[identity]bool{}
	for _, d := range Check(ctx, session.New(dynamic.crd(s.CRD), nil, again)) {
		isConfirmed[identity{d.Span, d.Check, d.Message}] = true
	}
	return slices.DeleteFunc(found, func(d diag.Diagnostic) bool {
		return inFrame && !strings.Contains(d.Path, ".openAPIV3Schema.") ||
			!isConfirmed[identity{d.Span, d.Check, d.Message}]
	})
}

// A variant makes a complete CRD of an incomplete one.
type variant uint8

const (
	// open keeps what is known of an incomplete schema. One without a type may have any fields.
	open variant = iota
	// dynamic makes all small and required that is not, and the reverse: rules may do anything with the value of an
	// incomplete schema that has no parts.
	dynamic
)

func (v variant) crd(c *schema.CRD) *schema.CRD {
	out := *c
	out.Versions = slices.Clone(c.Versions)
	made := map[*schema.Schema]*schema.Schema{}
	for i := range out.Versions {
		out.Versions[i].Schema = v.schema(out.Versions[i].Schema, made)
	}
	return &out
}

// schema returns a schema in which the incomplete nodes say something. Nodes that are shared stay so.
func (v variant) schema(s *schema.Schema, made map[*schema.Schema]*schema.Schema) *schema.Schema {
	if s == nil || made[s] != nil {
		return made[s]
	}
	out := *s
	made[s] = &out
	out.Properties = slices.Clone(s.Properties)
	for i, p := range s.Properties {
		out.Properties[i].Schema = v.schema(p.Schema, made)
		if v == dynamic && p.Schema.Incomplete&schema.DoubtPresence != 0 {
			out.Required = toggled(out.Required, schema.Text{V: p.Name, At: p.Schema.At})
		}
	}
	out.Items, out.AdditionalProperties = v.schema(s.Items, made), v.schema(s.AdditionalProperties, made)
	if s.Incomplete&schema.DoubtContent != 0 {
		v.complete(&out)
	}
	return &out
}

// complete changes an incomplete schema.
func (v variant) complete(s *schema.Schema) {
	hasParts := len(s.Properties) > 0 || s.Items != nil || s.AdditionalProperties != nil
	switch {
	case v == open && s.Type.V == "" && !s.IntOrString.True():
		s.PreserveUnknownFields = &schema.Flag{V: true, At: s.At}
	case v == open:
	case hasParts:
		one := &schema.Int{V: 1, At: s.At}
		if s.Items != nil {
			s.MaxItems = one
		} else if s.AdditionalProperties != nil {
			s.MaxProperties = one
		}
		s.Default, s.ListType, s.ListMapKeys, s.MinItems, s.MinProperties = nil, schema.Text{}, nil, nil, nil
		s.AllOf, s.AnyOf, s.OneOf, s.Not = nil, nil, nil, nil
	default:
		*s = schema.Schema{At: s.At, Description: s.Description, IntOrString: &schema.Flag{V: true, At: s.At},
			Enum: []schema.Value{{Kind: schema.String, Text: "none that a rule names", At: s.At}}}
	}
}

// toggled adds a name, or removes it.
func toggled(names []schema.Text, name schema.Text) []schema.Text {
	isName := func(t schema.Text) bool { return t.V == name.V }
	if slices.ContainsFunc(names, isName) {
		return slices.DeleteFunc(slices.Clone(names), isName)
	}
	return append(slices.Clone(names), name)
}
