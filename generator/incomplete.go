package generator

import (
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/lower"
	"github.com/crdproof/crdproof/rules"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema"
)

// incomplete is reported for CRDs of which nothing was validated.
var incomplete = &diag.Check{
	ID: "not-validated", Severity: diag.Warning, Mistake: true,
	Doc: "A CRD was not validated, since files do not parse that declare its types. Run again after they are repaired.",
}

func notValidated(names []string) diag.Diagnostic {
	were := "was"
	if len(names) > 1 {
		were = "were"
	}
	return diag.Warningf(diag.Span{}, incomplete, "%s %s not validated, because a file with its types does not parse",
		diag.And(names), were).Help("repair the file, and run again")
}

// isComplete reports whether no declaration of a CRD has an error.
func isComplete(c *schema.CRD) bool {
	for i := range c.Versions {
		complete := true
		schema.Walk(c.Versions[i].Schema, func(p *schema.Place) { complete = complete && !p.Schema.Incomplete })
		if !complete {
			return false
		}
	}
	return true
}

// checkIncomplete validates a CRD with errors in declarations, whose repair may change what they say. It returns what is
// found whatever they say: in two CRDs between which the repaired one lies.
func (p *pipeline) checkIncomplete(s *session.Session, doubt lower.Doubt) (found []diag.Diagnostic) {
	for i, variant := range []variant{open, dynamic} {
		of := rules.Check(p.ctx, s.With(variant.crd(s.CRD)))
		if i == 0 {
			found = of
			continue
		}
		found = slices.DeleteFunc(found, func(d diag.Diagnostic) bool {
			return !slices.ContainsFunc(of, func(e diag.Diagnostic) bool {
				return d.Span == e.Span && d.Check == e.Check && d.Message == e.Message
			})
		})
	}
	return slices.DeleteFunc(found, func(d diag.Diagnostic) bool {
		return doubt.InFrame && !strings.Contains(d.Path, ".openAPIV3Schema.")
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

// schema returns a schema in which all nodes are complete. Nodes that are shared stay so.
func (v variant) schema(s *schema.Schema, made map[*schema.Schema]*schema.Schema) *schema.Schema {
	if s == nil || made[s] != nil {
		return made[s]
	}
	out := *s
	made[s] = &out
	out.Properties = slices.Clone(s.Properties)
	for i, p := range s.Properties {
		out.Properties[i].Schema = v.schema(p.Schema, made)
		if v == dynamic && p.Schema.Incomplete {
			out.Required = toggled(out.Required, schema.Text{V: p.Name, At: p.Schema.At})
		}
	}
	out.Items, out.AdditionalProperties = v.schema(s.Items, made), v.schema(s.AdditionalProperties, made)
	if s.Incomplete {
		v.complete(&out)
	}
	return &out
}

// complete changes an incomplete schema.
func (v variant) complete(s *schema.Schema) {
	hasParts := len(s.Properties) > 0 || s.Items != nil || s.AdditionalProperties != nil
	s.Incomplete = false
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
		s.Default = nil
	default:
		*s = schema.Schema{At: s.At, Description: s.Description, IntOrString: &schema.Flag{V: true, At: s.At}}
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
