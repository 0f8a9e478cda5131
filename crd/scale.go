// Code generated from internal/support of crdproof. DO NOT EDIT.

package crd

import (
	"fmt"
	"math"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Replicas checks the number of replicas that the scale subresource reads; the fields lead to it, and the path is
// their text in the CRD (apiextensions-apiserver, pkg/registry/customresource/validator.go).
func (v *Validation) Replicas(object map[string]any, path string, fields ...string) {
	value, ok, wrong := nestedField(object, fields)
	count, isInt := value.(int64)
	switch {
	case wrong != "":
	case ok && !isInt:
		wrong = accessError(fields, value, "int64")
	case count < 0:
		wrong = "should be a non-negative integer"
	case count > math.MaxInt32:
		wrong = fmt.Sprintf("should be less than or equal to %v", math.MaxInt32)
	}
	if wrong != "" {
		v.errs = append(v.errs, field.Invalid(field.NewPath(path), count, wrong))
	}
}

// Selector checks the label selector that the scale subresource reads.
func (v *Validation) Selector(object map[string]any, path string, fields ...string) {
	value, ok, wrong := nestedField(object, fields)
	text, isText := value.(string)
	if wrong == "" && ok && !isText {
		wrong = accessError(fields, value, "string")
	}
	if wrong != "" {
		v.errs = append(v.errs, field.Invalid(field.NewPath(path), text, wrong))
	}
}

// nestedField returns the value at the end of a path of fields, and whether there is one, or an error in the path
// (apimachinery, pkg/apis/meta/v1/unstructured, NestedFieldNoCopy).
func nestedField(object map[string]any, fields []string) (value any, ok bool, wrong string) {
	value = object
	for i, name := range fields {
		if value == nil {
			return nil, false, ""
		}
		inside, isObject := value.(map[string]any)
		if !isObject {
			return nil, false, accessError(fields[:i+1], value, "map[string]interface{}")
		}
		if value, ok = inside[name]; !ok {
			return nil, false, ""
		}
	}
	return value, true, ""
}

func accessError(fields []string, value any, expected string) string {
	return fmt.Sprintf(".%s accessor error: %v is of the type %T, expected %s", strings.Join(fields, "."),
		shown(value), value, expected)
}
