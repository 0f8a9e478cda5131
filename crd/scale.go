// Code generated from internal/support of crdproof. DO NOT EDIT.

package crd

import (
	"fmt"
	"math"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// ScalePaths are the paths of the fields that the scale subresource reads, such as .spec.replicas.
type ScalePaths struct {
	Replicas, StatusReplicas string
	// Selector may be "".
	Selector string
}

// check checks the fields that the scale subresource reads: those of the status alone, or all. The paths may be nil.
func (p *ScalePaths) check(v *Validation, object any, isStatus bool) {
	if p == nil {
		return
	}
	if !isStatus {
		v.replicas(object, p.Replicas)
	}
	v.replicas(object, p.StatusReplicas)
	if p.Selector != "" {
		v.selector(object, p.Selector)
	}
}

// replicas checks the number of replicas that the scale subresource reads at a path (apiextensions-apiserver,
// pkg/registry/customresource/validator.go).
func (v *Validation) replicas(object any, path string) {
	value, ok, wrong := v.nestedField(object, path)
	count, isInt := value.(int64)
	switch {
	case wrong != "":
	case ok && !isInt:
		wrong = accessError(path, value, "int64")
	case count < 0:
		wrong = "should be a non-negative integer"
	case count > math.MaxInt32:
		wrong = fmt.Sprintf("should be less than or equal to %v", math.MaxInt32)
	}
	if wrong != "" {
		v.errs = append(v.errs, field.Invalid(field.NewPath(path), count, wrong))
	}
}

// selector checks the label selector that the scale subresource reads at a path.
func (v *Validation) selector(object any, path string) {
	value, ok, wrong := v.nestedField(object, path)
	text, isText := value.(string)
	if wrong == "" && ok && !isText {
		wrong = accessError(path, value, "string")
	}
	if wrong != "" {
		v.errs = append(v.errs, field.Invalid(field.NewPath(path), text, wrong))
	}
}

// nestedField returns the value at the end of a path of fields, and whether there is one, or an error in the path
// (apimachinery, pkg/apis/meta/v1/unstructured, NestedFieldNoCopy).
func (v *Validation) nestedField(object any, path string) (value any, ok bool, wrong string) {
	value = object
	name, rest, more := strings.Cut(strings.TrimPrefix(path, "."), ".")
	for {
		if value == nil {
			return nil, false, ""
		}
		inside := uncertain(value)
		part, isPart := value.(*goPart)
		if _, has, _ := fieldOf(inside, name); !hasFields(inside) || isPart && part.isPartial && !has {
			value = v.whole(value)
			inside = value
		}
		if !hasFields(inside) {
			if more {
				path = strings.TrimSuffix(path, "."+rest)
			}
			return nil, false, accessError(path, value, "map[string]interface{}")
		}
		if value, ok, _ = fieldOf(inside, name); !ok {
			return nil, false, ""
		}
		if !more {
			return v.whole(value), true, ""
		}
		name, rest, more = strings.Cut(rest, ".")
	}
}

func accessError(path string, value any, expected string) string {
	return fmt.Sprintf(".%s accessor error: %v is of the type %T, expected %s", strings.TrimPrefix(path, "."),
		shown(value), value, expected)
}
