package structural

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	apivalidation "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/session"
)

// enumRows are the checks of enums, at which an API server does not look.
func enumRows() []session.Row {
	return []session.Row{
		{Check: diag.Check{
			ID: "enum-impossible", Accepted: true,
			Doc:  "Where the rest of the schema refuses all values of an enum, there is none that can be written.",
			Bad:  "type: string\nenum: [1, 2]",
			Good: "type: string\nenum: [\"1\", \"2\"]",
		}, Needs: session.EachSchema, Run: checkEnumPossible},
		{Check: diag.Check{
			ID: "enum-type", Severity: diag.Warning,
			Doc: "A value of an enum that is not of the schema's type, or that its bounds or its pattern refuse, can " +
				"never be written.",
			Bad:  "type: string\nenum: [a, b, 3]",
			Good: "type: string\nenum: [a, b, \"3\"]",
		}, Needs: session.EachSchema, Run: checkEnumValues},
		{Check: diag.Check{
			ID: "enum-twice", Severity: diag.Warning,
			Doc:  "An enum lists each value once.",
			Bad:  "type: string\nenum: [a, b, a]",
			Good: "type: string\nenum: [a, b]",
		}, Needs: session.EachSchema, Run: checkEnumTwice},
		{Check: diag.Check{
			ID: "enum-null", Severity: diag.Warning,
			Doc: "An API server refuses null wherever there is an enum, though the value is nullable and even if the " +
				"enum lists null.",
			Bad: "// +nullable\n// +kubebuilder:validation:Enum=a;b\nLevel *string `json:\"level,omitempty\"`",
			Good: "// +nullable\n// +kubebuilder:validation:XValidation:rule=\"self in ['a', 'b']\"\n" +
				"Level *string `json:\"level,omitempty\"`",
		}, Needs: session.EachSchema, Run: checkEnumNull},
	}
}

// A refusedValue is a value of an enum that the rest of the schema refuses.
type refusedValue struct {
	schema.Value
	why string
}

// refusedValues finds the values of an enum that cannot be written. Inside of junctors only types count.
func refusedValues(p *schema.Place) []refusedValue {
	if len(p.Schema.Enum) == 0 {
		return nil
	}
	s := outside(p)
	if s == nil {
		return nil
	}
	var out []refusedValue
	for _, v := range p.Schema.Enum {
		kind := kindOf(v)
		isInteger := s.Type.V == "number" && (kind == "integer" || kind == beyond)
		switch {
		case v.Kind == schema.Null:
			if !isSet(s.Nullable) && s.Type.V != "" {
				out = append(out, refusedValue{v, "null is permitted by no enum"})
			}
		case isSet(s.IntOrString):
			if kind == beyond {
				out = append(out, refusedValue{v, "it is beyond the integers of 64 bits"})
			} else if kind != "integer" && kind != "string" {
				out = append(out, refusedValue{v, fmt.Sprintf("it is %s, but %s is an integer or a string",
					typePhrase(kind), what(p))})
			}
		case s.Type.V == "" || kind == s.Type.V || isInteger:
		case kind == beyond:
			out = append(out, refusedValue{v, "it is beyond the integers of 64 bits"})
		default:
			out = append(out, refusedValue{v, fmt.Sprintf("it is %s, but %s is %s", typePhrase(kind), what(p),
				typePhrase(s.Type.V))})
		}
	}
	if len(out) > 0 || p.Nested || !isConstrained(p.Schema) {
		return out
	}
	return valuesOutOfBounds(p.Schema)
}

// isConstrained reports whether a schema says more of scalars than their type.
func isConstrained(s *schema.Schema) bool {
	return s.Pattern.V != "" || s.MinLength != nil || s.MaxLength != nil || s.Minimum != nil || s.Maximum != nil ||
		s.MultipleOf != nil
}

// valuesOutOfBounds has the API server's code look at each value, by what the schema says of scalars.
func valuesOutOfBounds(of *schema.Schema) []refusedValue {
	bare := schema.Schema{Type: of.Type, IntOrString: of.IntOrString, Enum: of.Enum}
	for _, k := range schema.Keywords() {
		if k.Of == "string" || k.Of == "number" {
			k.Copy(&bare, of)
		}
	}
	s, err := kube.Structural(&bare)
	if err != nil {
		return nil
	}
	values := s.ValueValidation.Enum
	s.ValueValidation.Enum = nil
	validator := apivalidation.NewSchemaValidatorFromOpenAPI((&structural.Structural{
		Generic: s.Generic, Extensions: s.Extensions, ValueValidation: s.ValueValidation,
	}).ToKubeOpenAPI())
	var out []refusedValue
	for i, v := range values {
		for _, err := range apivalidation.ValidateCustomResource(field.NewPath("value"), v.Object, validator) {
			out = append(out, refusedValue{of.Enum[i], "it " + inBody(err)})
			break
		}
	}
	return out
}

// inBody is the API server's sentence about a value, without the value.
func inBody(err *field.Error) string {
	_, why, ok := strings.Cut(err.Detail, " in body ")
	if !ok {
		why = err.Detail
	}
	return strings.TrimPrefix(why, "value ")
}

// beyond is the kind of whole numbers that are no integers to an API server.
const beyond = "integer beyond 64 bits"

// isBeyond reports whether a value is a whole number that an API server reads as a floating-point number.
func isBeyond(v schema.Value) bool {
	if v.Kind != schema.NumberKind || !schema.IsWholeNumber(v.Text) {
		return false
	}
	r, ok := new(big.Rat).SetString(v.Text)
	return ok && !r.Num().IsInt64()
}

// kindOf is the type of a schema that a value has.
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
	refused := refusedValues(p.Place)
	if p.Nested || len(refused) == 0 || len(refused) < len(p.Schema.Enum) {
		return
	}
	first := refused[0]
	p.Reportf(p.At(first.At), p.Key("enum"), "none of the enum's values can be written: %s is refused, since %s",
		valueText(first.Value), first.why).Help("%s", enumHelp(p.Place, first))
}

func checkEnumValues(p *session.Pass) {
	refused := refusedValues(p.Place)
	if !p.Nested && len(refused) == len(p.Schema.Enum) {
		return
	}
	for _, v := range refused {
		p.Reportf(p.At(v.At), p.Key("enum"), "enum value %s can never be written, since %s", valueText(v.Value), v.why).
			Help("%s", enumHelp(p.Place, v))
	}
}

func enumHelp(p *schema.Place, v refusedValue) string {
	if s := outside(p); s != nil && s.Type.V == "string" && v.Value.Kind != schema.String && v.Value.Text != "" {
		return "write it in quotes: " + strconv.Quote(v.Value.Text)
	}
	return "remove it, or write a value that is permitted"
}

func checkEnumTwice(p *session.Pass) {
	for i, v := range p.Schema.Enum {
		for _, first := range p.Schema.Enum[:i] {
			if first.Equal(v) {
				p.Reportf(p.At(v.At), p.Key("enum"), "enum value %s is listed twice", valueText(v)).
					Help("remove one of them").
					See(first.At, "first listed here")
				break
			}
		}
	}
}

func checkEnumNull(p *session.Pass) {
	if s := p.Schema; !p.Nested && isSet(s.Nullable) && len(s.Enum) > 0 {
		p.Reportf(p.At(s.Nullable.At), p.Key("nullable"),
			"%s is nullable, but null is permitted by no enum, not even by one that lists it", what(p.Place)).
			Help("check the values with a rule instead of the enum, such as %s, or remove %s",
				p.Write().Choose("+kubebuilder:validation:XValidation:rule=\"self in […]\"",
					"x-kubernetes-validations: [{rule: \"self in […]\"}]"),
				p.Write().Name("nullable")).See(s.Enum[0].At, "the enum")
	}
}
