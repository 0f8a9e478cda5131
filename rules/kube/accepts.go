package kube

import (
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/kube-openapi/pkg/validation/strfmt"

	"github.com/crdproof/crdproof/generator/schema"
)

// Accepts returns a function that reports whether the API server's validation of schemas accepts a JSON value; rules,
// list types and pruning are not part of that. A schema that the server cannot validate with accepts nothing.
func Accepts(s *schema.Schema) func(value any) bool {
	var props apiextensions.JSONSchemaProps
	err := apiext.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(Props(s), &props, nil)
	if err != nil {
		return func(any) bool { return false }
	}
	validator, _, err := validation.NewSchemaValidator(&props)
	if err != nil {
		return func(any) bool { return false }
	}
	return func(value any) bool { return validator.Validate(value).IsValid() }
}

// HasFormat reports whether the API server's validation accepts a text of a format that it knows.
func HasFormat(format, text string) bool { return strfmt.Default.Validates(format, text) }

// KnowsFormat reports whether API servers validate a format of strings. They ignore all others.
func KnowsFormat(format string) bool { return format != "" && strfmt.Default.ContainsName(format) }
