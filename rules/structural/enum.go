package structural

import (
	"math/big"
	"strings"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	apivalidation "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/kube"
)

// enumRows are the checks of enums, at which an API server does not look.
func enumRows() []row {
	return []row{
		{
			Check: diag.Check{
				ID: "enum-impossible", Accepted: true,
				Doc:  "Where the rest of the schema refuses all values of an enum, there is none that can be written.",
				Bad:  "type: string\nenum: [1, 2]",
				Good: "type: string\nenum: [\"1\", \"2\"]",
			},
			ofSchema: checkEnumPossible,
		},
		{
			Check: diag.Check{
				ID: "enum-type", Severity: diag.Warning,
				Doc:  "A value of an enum that is not of the schema's type, or that its bounds or its pattern refuse, can never be written.",
				Bad:  "type: string\nenum: [a, b, 3]",
				Good: "type: string\nenum: [a, b, \"3\"]",
			},
			ofSchema: checkEnumValues,
		},
		{
			Check: diag.Check{
				ID: "enum-twice", Severity: diag.Warning,
				Doc:  "An enum lists each value once.",
				Bad:  "type: string\nenum: [a, b, a]",
				Good: "type: string\nenum: [a, b]",
			},
			ofSchema: checkEnumTwice,
		},
		{
			Check: diag.Check{
				ID: "enum-null", Severity: diag.Warning,
				Doc:  "An API server refuses null wherever there is an enum, though the value is nullable and even if the enum lists null.",
				Bad:  "// +nullable\n// +kubebuilder:validation:Enum=a;b\nLevel *string `json:\"level,omitempty\"`",
				Good: "// +nullable\n// +kubebuilder:validation:XValidation:rule=\"self in ['a', 'b']\"\nLevel *string `json:\"level,omitempty\"`",
			},
			ofSchema: checkEnumNull,
		},
	}
}

// A refusedValue is a value of an enum that the rest of the schema refuses.
type refusedValue struct {
	schema.EnumValue
	why string
}

// refusedValues finds the values of an enum that cannot be written. Inside of junctors only types count.
func (n *node) refusedValues() []refusedValue {
	if len(n.s.Enum) == 0 {
		return nil
	}
	s := n.s
	if n.Nested {
		s, _ = structure(n.Place)
	}
	if s == nil {
		return nil
	}
	var out []refusedValue
	for _, v := range n.s.Enum {
		kind := kindOf(v.Value)
		switch {
		case v.Value.Kind == schema.Null:
			if !isSet(s.Nullable) && s.Type.V != "" {
				out = append(out, refusedValue{v, "null is permitted by no enum"})
			}
		case s.Type.V != "" && !isSet(s.IntOrString) && kind != s.Type.V && !(s.Type.V == "number" && (kind == "integer" || kind == beyond)),
			isSet(s.IntOrString) && kind != "integer" && kind != "string":
			out = append(out, refusedValue{v, wrongKind(kind, n.what(), s)})
		}
	}
	if len(out) > 0 || n.Nested || !isConstrained(n.s) {
		return out
	}
	return n.valuesOutOfBounds()
}

// isConstrained reports whether a schema says more of scalars than their type.
func isConstrained(s *schema.Schema) bool {
	return s.Pattern.V != "" || s.MinLength != nil || s.MaxLength != nil || s.Minimum != nil || s.Maximum != nil || s.MultipleOf != nil
}

// valuesOutOfBounds has the API server's code look at each value, by what the schema says of scalars.
func (n *node) valuesOutOfBounds() []refusedValue {
	bare := schema.Schema{Type: n.s.Type, IntOrString: n.s.IntOrString, Enum: n.s.Enum}
	for _, k := range schema.Keywords() {
		if k.Of == "string" || k.Of == "number" {
			k.Copy(&bare, n.s)
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
			out = append(out, refusedValue{n.s.Enum[i], "it " + inBody(err)})
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

func checkEnumPossible(n *node) []finding {
	refused := n.refusedValues()
	if n.Nested || len(refused) == 0 || len(refused) < len(n.s.Enum) {
		return nil
	}
	return one(n.enumImpossible(refused))
}

func checkEnumValues(n *node) []finding {
	refused := n.refusedValues()
	if !n.Nested && len(refused) == len(n.s.Enum) {
		return nil
	}
	var out []finding
	for _, v := range refused {
		out = append(out, n.enumValue(v))
	}
	return out
}

func checkEnumTwice(n *node) []finding {
	var out []finding
	for i, v := range n.s.Enum {
		for _, first := range n.s.Enum[:i] {
			if first.Value.Equal(v.Value) {
				out = append(out, n.enumTwice(v, first))
				break
			}
		}
	}
	return out
}

func checkEnumNull(n *node) []finding {
	if n.Nested || !isSet(n.s.Nullable) || len(n.s.Enum) == 0 {
		return nil
	}
	return one(n.enumNull())
}
