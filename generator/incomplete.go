package generator

import (
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/lower"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/rules"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema"
)

// incomplete is reported for CRDs of which something was not validated.
var incomplete = &diag.Check{
	ID: "not-validated", Severity: diag.Warning, Mistake: true,
	Doc: "A CRD was not validated, or only in part, since types of it are not known: a file does not parse, or an " +
		"import is missing. Repair it, and run again.",
}

// notValidated says which CRDs were not validated, and which only in part.
func (p *pipeline) notValidated() (found []diag.Diagnostic) {
	say := func(isMeant func(*job) bool, format string) {
		var names []string
		for _, j := range p.crds {
			if isMeant(j) {
				names = append(names, j.name)
			}
		}
		if len(names) > 0 {
			found = append(found, diag.Warningf(diag.Span{}, incomplete, format, diag.And(names)).
				Help("repair what is reported there, and run again"))
		}
	}
	say(func(j *job) bool { return j.doubt.Unread },
		"not validated, because a file that declares their types does not parse: %s")
	say(func(j *job) bool { return j.doubt.Partial && !j.doubt.Unread },
		"validated without the fields whose types are not known: %s")
	return found
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

// checkIncomplete validates a CRD with errors in declarations, whose repair may change what they say. It returns what
// is found whatever they say: in two CRDs between which the repaired one lies.
func (p *pipeline) checkIncomplete(s *session.Session, doubt lower.Doubt) []diag.Diagnostic {
	found := rules.Check(p.ctx, s.With(open.crd(s.CRD)))
	again := s.Options
	again.Trace = nil // each rule is compiled once, as far as others can see
	confirmed := rules.Check(p.ctx, session.New(dynamic.crd(s.CRD), nil, again))
	return slices.DeleteFunc(found, func(d diag.Diagnostic) bool {
		isSame := func(e diag.Diagnostic) bool { return d.Span == e.Span && d.Check == e.Check && d.Message == e.Message }
		return doubt.InFrame && !strings.Contains(d.Path, ".openAPIV3Schema.") || !slices.ContainsFunc(confirmed, isSame)
	})
}

// withoutEchoes leaves out findings at the place of an error that has been found before. A pattern that matches nothing
// because of quotes that are a part of it has been reported for the quotes.
func withoutEchoes(found, errors []diag.Diagnostic) []diag.Diagnostic {
	return slices.DeleteFunc(found, func(d diag.Diagnostic) bool {
		return slices.ContainsFunc(errors, func(e diag.Diagnostic) bool {
			isWrong := e.Fatal || e.Check == markers.LooseValue.ID && d.Check == "pattern-never"
			return isWrong && d.Span.IsValid() && d.Span.Source == e.Span.Source && d.Span.Start < e.Span.End &&
				e.Span.Start < d.Span.End
		})
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
