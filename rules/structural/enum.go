package structural

import (
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	apivalidation "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema"
)

// enumRows returns the checks of enums, which an API server does not check.
func enumRows() []session.Row {
	return []session.Row{
		{Check: diag.Check{ID: "enum-impossible", Accepted: true},
			Needs: session.EachSchema, Run: checkEnumPossible},
		{Check: diag.Check{ID: "enum-type", Severity: diag.Warning},
			Needs: session.EachSchema, Run: checkEnumValues},
		{Check: diag.Check{ID: "enum-twice", Severity: diag.Warning},
			Needs: session.EachSchema, Run: checkEnumTwice},
		{Check: diag.Check{ID: "enum-null", Severity: diag.Warning}, Needs: session.EachSchema, Run: checkEnumNull},
	}
}

// A rejectedValue is a value of an enum that the rest of the schema rejects.
type rejectedValue struct {
	schema.Value
	why string
}

// rejectedValues finds the values of an enum that are never accepted. Inside of junctors only types count.
func rejectedValues(p *schema.Place) []rejectedValue {
	if len(p.Schema.Enum) == 0 {
		return nil
	}
	s := outside(p)
	if s == nil {
		return nil
	}
	var out []rejectedValue
	for _, v := range p.Schema.Enum {
		kind := kindOf(v)
		isInteger := s.Type.V == "number" && (kind == "integer" || kind == beyond)
		switch {
		case v.Kind == schema.Null:
			if !s.Nullable.True() && s.Type.V != "" {
				out = append(out, rejectedValue{v, "an enum never accepts null"})
			}
		case s.IntOrString.True():
			if kind == beyond {
				out = append(out, rejectedValue{v, "it does not fit int64"})
			} else if kind != "integer" && kind != "string" {
				out = append(out, rejectedValue{v, fmt.Sprintf("it is %s, and %s is an integer or a string",
					typePhrase(kind), what(p))})
			}
		case s.Type.V == "" || kind == s.Type.V || isInteger:
		case kind == beyond:
			out = append(out, rejectedValue{v, "it does not fit int64"})
		default:
			out = append(out, rejectedValue{v, fmt.Sprintf("it is %s, and %s is %s", typePhrase(kind), what(p),
				typePhrase(s.Type.V))})
		}
	}
	if len(out) > 0 || p.Nested || !isConstrained(p.Schema) {
		return out
	}
	return valuesOutOfBounds(p.Schema)
}

// isConstrained reports whether a schema constrains scalars beyond their type.
func isConstrained(s *schema.Schema) bool {
	return s.Pattern.V != "" || s.MinLength != nil || s.MaxLength != nil || s.Minimum != nil || s.Maximum != nil ||
		s.MultipleOf != nil
}

// valuesOutOfBounds lets the API server's code validate each value against the schema's keywords for scalars.
func valuesOutOfBounds(listed *schema.Schema) []rejectedValue {
	typed := schema.Schema{Type: listed.Type, IntOrString: listed.IntOrString, Enum: listed.Enum}
	for _, k := range schema.Keywords() {
		if k.Of == "string" || k.Of == "number" {
			k.Copy(&typed, listed)
		}
	}
	s, err := kube.Structural(&typed)
	if err != nil {
		return nil
	}
	values := s.ValueValidation.Enum
	s.ValueValidation.Enum = nil
	validator := apivalidation.NewSchemaValidatorFromOpenAPI((&structural.Structural{
		Generic: s.Generic, Extensions: s.Extensions, ValueValidation: s.ValueValidation,
	}).ToKubeOpenAPI())
	var out []rejectedValue
	for i, v := range values {
		for _, err := range apivalidation.ValidateCustomResource(field.NewPath("value"), v.Object, validator) {
			out = append(out, rejectedValue{listed.Enum[i], "it " + inBody(err)})
			break
		}
	}
	return out
}

// inBody returns the API server's sentence about a value, without the value.
func inBody(err *field.Error) string {
	_, why, ok := strings.Cut(err.Detail, " in body ")
	if !ok {
		why = err.Detail
	}
	return strings.TrimPrefix(why, "value ")
}

// beyond is the kind of whole numbers that an API server does not read as integers.
const beyond = "integer beyond 64 bits"

// isBeyond reports whether a value is a whole number that an API server reads as a floating-point number.
func isBeyond(v schema.Value) bool {
	if v.Kind != schema.NumberKind || !schema.IsWholeNumber(v.Text) {
		return false
	}
	r, ok := new(big.Rat).SetString(v.Text)
	return ok && !r.Num().IsInt64()
}

// kindOf returns the type of a schema that a value has.
func kindOf(v schema.Value) string {
	switch v.Kind {
	case schema.Bool:
		return "boolean"
	case schema.NumberKind:
		switch {
		case isBeyond(v):
			return beyond
		case schema.IsWholeNumber(v.Text):
			return "integer"
		}
		return "number"
	case schema.String:
		return "string"
	case schema.Array:
		return "array"
	case schema.Object:
		return "object"
	}
	return "null"
}

func checkEnumPossible(p *session.Pass) {
	rejected := rejectedValues(p.Place)
	if p.Nested || len(rejected) == 0 || len(rejected) < len(p.Schema.Enum) {
		return
	}
	first := rejected[0]
	at, help := first.At, enumHelp(p.Place, first.Value)
	if list := inQuotes(p, rejected); list != "" {
		at.End, help = rejected[len(rejected)-1].At.End, "write "+list
	} else if len(rejected) > 1 && strings.HasPrefix(help, "remove it") {
		help = "change the values, or what rejects them"
	}
	p.Reportf(p.At(at), p.Key("enum"), "the API server rejects every enum value, such as %s: %s",
		valueText(first.Value), first.why).Help("%s", help).Changes(diag.AcceptsMore, "the values of the enum")
}

// separator is what is between the values of an Enum marker, and of a list of YAML in brackets.
var separator = regexp.MustCompile(`^ *[;,] *$`)

// inQuotes returns the values of an enum as strings; "" if there is one, or they are not in one line, or not all for a
// string.
func inQuotes(p *session.Pass, all []rejectedValue) string {
	if p.Schema.Type.V != "string" || len(all) < 2 {
		return ""
	}
	out := ""
	for i, v := range all {
		if v.Value.Kind == schema.String || v.Text == "" || v.At.Source == nil {
			return ""
		}
		if i > 0 {
			before := all[i-1].At
			if v.At.Source != before.Source || v.At.Start < before.End {
				return ""
			}
			before.Start, before.End = before.End, v.At.Start
			if !separator.MatchString(before.Text()) {
				return ""
			}
			out += before.Text()
		}
		out += strconv.Quote(v.Written())
	}
	return out
}

func checkEnumValues(p *session.Pass) {
	rejected := rejectedValues(p.Place)
	if !p.Nested && len(rejected) == len(p.Schema.Enum) {
		rejected = nil
	}
	for _, v := range rejected {
		help := enumHelp(p.Place, v.Value)
		f := p.Reportf(p.At(v.At), p.Key("enum"), "the API server rejects the enum value %s: %s",
			valueText(v.Value), v.why).
			Help("%s", help)
		if !strings.HasPrefix(help, "remove") {
			f.Changes(diag.AcceptsMore, "those with this value")
		}
	}
	for _, v := range p.Schema.Enum {
		if p.Schema.Origin == schema.Quantity && kindOf(v) == "integer" {
			p.Reportf(p.At(v.At), p.Key("enum"),
				"the API server rejects what Go writes: the enum value %s is an integer, and a quantity is a string",
				v.Text).Help("write it in quotes: %q", v.Written()).Do(diag.Replace, strconv.Quote(v.Written())).
				Changes(diag.AcceptsOther, "%q instead of %s", v.Written(), v.Text)
		}
	}
}

func enumHelp(p *schema.Place, v schema.Value) string {
	s := outside(p)
	switch {
	case s == nil || v.Text == "":
	case s.Type.V == "string" && v.Kind != schema.String:
		return "write it in quotes: " + strconv.Quote(v.Written())
	case v.Kind == schema.String && (s.Type.V == "integer" && schema.IsWholeNumber(v.Text) ||
		s.Type.V == "boolean" && (v.Text == "true" || v.Text == "false")):
		return "write " + v.Text
	}
	return "remove it, or write a valid value"
}

func checkEnumTwice(p *session.Pass) {
	firsts := map[string]diag.Span{}
	for _, v := range p.Schema.Enum {
		text := v.Compact()
		if p.Schema.Type.V == "string" && v.Kind != schema.String {
			text = v.Written() // two such as yes and on will be two strings
		}
		if first, ok := firsts[text]; ok {
			p.Reportf(p.At(v.At), p.Key("enum"), "duplicate enum value %s", valueText(v)).
				Help("remove it").
				See(first, "first listed here")
			continue
		}
		firsts[text] = v.At
	}
}

func checkEnumNull(p *session.Pass) {
	if s := p.Schema; !p.Nested && s.Nullable.True() && len(s.Enum) > 0 {
		p.Reportf(p.At(s.Nullable.At), p.Key("nullable"),
			"%s is nullable, but an enum never accepts null", what(p.Place)).
			DropKey(p.Write().Name("nullable")).Changes(diag.AcceptsMore, "null counts as absent").
			Or("replace the enum with a rule, such as %s",
				p.Write().Choose("+kubebuilder:validation:XValidation:rule=\"self in ['a', 'b']\"",
					"x-kubernetes-validations: [{rule: \"self in ['a', 'b']\"}]")).
			Changes(diag.AcceptsOther, "those that satisfy the rule").See(s.Enum[0].At, "the enum")
	}
}
