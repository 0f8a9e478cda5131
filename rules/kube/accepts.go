package kube

import (
	"reflect"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/kube-openapi/pkg/validation/strfmt"

	"github.com/crdproof/crdproof/schema"
)

// Accepts returns a function that reports whether the API server's validation of schemas accepts a JSON value; rules,
// list types and pruning are not part of that. A schema that the server cannot validate with accepts nothing.
func Accepts(s *schema.Schema) func(value any) bool {
	var props apiextensions.JSONSchemaProps
	err := apiext.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(Props(s), &props, nil)
	if err != nil {
		return func(any) bool { return false }
	}
	return accepts(&props)
}

// accepts looks up the values of enums that all values must be in, since the server compares with one after the other.
func accepts(props *apiextensions.JSONSchemaProps) func(value any) bool {
	rest := *props
	rest.Enum, rest.AllOf = nil, nil
	validator, _, err := validation.NewSchemaValidator(&rest)
	if err != nil {
		return func(any) bool { return false }
	}
	isListed := enumOf(props.Enum)
	var all []func(any) bool
	for i := range props.AllOf {
		all = append(all, accepts(&props.AllOf[i]))
	}
	return func(value any) bool {
		return isListed(value) && validator.Validate(value).IsValid() &&
			!slices.ContainsFunc(all, func(accepts func(any) bool) bool { return !accepts(value) })
	}
}

// enumOf returns a function that reports whether a value is one of an enum. Like the server, it converts the value to
// the type of each value in the enum (kube-openapi/pkg/validation/validate/values.go, Enum).
func enumOf(enum []apiextensions.JSON) func(value any) bool {
	if len(enum) == 0 {
		return func(any) bool { return true }
	}
	scalars := map[any]bool{}
	var others []any
	for _, value := range enum {
		switch value.(type) {
		case string, bool, int64, float64:
			scalars[value] = true
		case nil: // the server ignores it
		default:
			others = append(others, value)
		}
	}
	return func(value any) bool {
		switch v := value.(type) {
		case string, bool:
			return scalars[v]
		case int64:
			text := reflect.ValueOf(v).Convert(reflect.TypeFor[string]()).String()
			return scalars[v] || scalars[float64(v)] || scalars[text]
		case float64:
			return scalars[v] || scalars[int64(v)]
		}
		return slices.ContainsFunc(others, func(other any) bool { return reflect.DeepEqual(value, other) })
	}
}

// HasFormat reports whether the API server's validation accepts a text of a format that it knows.
func HasFormat(format, text string) bool { return strfmt.Default.Validates(format, text) }

// KnowsFormat reports whether API servers validate a format of strings. They ignore all others.
func KnowsFormat(format string) bool { return format != "" && strfmt.Default.ContainsName(format) }
