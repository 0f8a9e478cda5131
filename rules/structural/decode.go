package structural

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema"
)

// checkDecodable reports defaults, examples and enum values with parts that Go cannot decode.
func checkDecodable(p *session.Pass) {
	if p.Nested {
		return
	}
	check := func(keyword string, v *schema.Value) {
		schema.Undecoded(p.Schema, v, nil, func(s *schema.Schema, part *schema.Value, in schema.Path) {
			// Package lower compares defaults and enum values of integers with their Go types.
			if !hasType(s, part) {
				return
			}
			isNumber := s.Origin == schema.IntOrString || s.Origin >= schema.GoInt8 && s.Origin <= schema.GoUint
			isKnown := isNumber && len(in) == 0 && part.Kind == schema.NumberKind || !accepts(s, part)
			if keyword == "example" || !isKnown {
				reportUndecodable(p, keyword, v, s, part, in)
			}
		})
	}
	if d := p.Schema.Default; d != nil {
		check("default", d)
	}
	if e := p.Schema.Example; e != nil {
		check("example", e)
	}
	for i := range p.Schema.Enum {
		check("enum", &p.Schema.Enum[i])
	}
}

// accepts reports whether an API server accepts a value that Go cannot decode; if not, other checks report it.
func accepts(s *schema.Schema, v *schema.Value) bool {
	if v.Kind == schema.NumberKind {
		return (s.Minimum == nil || schema.CompareNumbers(v.Text, s.Minimum.V) >= 0) &&
			(s.Maximum == nil || schema.CompareNumbers(v.Text, s.Maximum.V) <= 0)
	}
	matches, err := regexp.MatchString(s.Pattern.V, v.Text)
	return err == nil && matches && (s.Format.V == "" || kube.HasFormat(s.Format.V, v.Text))
}

// hasType reports whether a value has the type of a schema; if not, API servers reject it.
func hasType(s *schema.Schema, v *schema.Value) bool {
	kind := kindOf(*v)
	return s.IntOrString != nil && (kind == "integer" || kind == "string" || kind == beyond) ||
		s.IntOrString == nil && (s.Type.V == "" || s.Type.V == kind || s.Type.V == "number" && kind == "integer")
}

// reportUndecodable reports a part of a value, at a path in it.
func reportUndecodable(p *session.Pass, keyword string, whole *schema.Value, s *schema.Schema, part *schema.Value,
	in schema.Path) {
	what := cmp.Or(map[string]string{"enum": "enum value"}[keyword], keyword)
	subject := what + " " + valueText(*part)
	if len(in) > 0 {
		subject = in.String() + " of the " + what
	}
	fits := strings.Replace(s.Origin.String(), "intstr.IntOrString", "int32", 1)
	message, help := subject+" does not fit "+fits, "write a value of this type"
	if part.Kind == schema.NumberKind && schema.IsWholeNumber(part.Text) {
		help = "write a smaller number"
	}
	if form := textFormOf(s); form != nil {
		message, help = explainText(subject, s, part, form)
		if regexp.MustCompile(schema.DurationPattern).MatchString(part.Text) {
			message, help = subject+" is longer than a Go duration can be", `write "2562047h" or a shorter one`
		}
	}
	if !part.At.IsValid() {
		help = changeTo(help)
	}
	p.Reportf(p.At(part.At, whole.At), p.Key(keyword), "%s; API servers accept it, but Go clients cannot read objects "+
		"with it", message).
		Help("%s", help).Changes(diag.AcceptsOther, "another %s", what)
}
