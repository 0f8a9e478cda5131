package support

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// try validates a value with a method of this kind without reporting errors; matches counts the validations that it
// passes.
func (v *Validation) try(check func(*Validation, any, *Type), value any, t *Type) (matches int, ok bool) {
	quiet, failures, before := v.quiet, v.failures, v.Matches
	v.quiet, v.failures, v.Matches = true, 0, 0
	check(v, value, t)
	matches, ok = v.Matches, v.failures == 0
	v.quiet, v.failures, v.Matches = quiet, failures, before
	return matches, ok
}

// within validates a value against a schema of a junctor, and reports errors as those of the junctor.
func (v *Validation) within(t *Type, value any) {
	junctor := v.junctor
	if junctor == 0 {
		v.junctor = len(v.path) + 1
	}
	v.Check(value, t)
	v.junctor = junctor
}

// A alternativeErrors finds the closest of several alternatives that all fail: the first one of which the value passes
// the most validations.
type alternativeErrors struct {
	nearest *Type
	matches int
}

func (a *alternativeErrors) failed(t *Type, matches int) {
	if a.nearest == nil || matches > a.matches {
		a.nearest, a.matches = t, matches
	}
}

// explain reports the errors of a value that matches no alternative.
func (v *Validation) explain(a alternativeErrors, value any) {
	if v.quiet {
		v.Matches += a.matches
		return
	}
	v.within(a.nearest, value)
}

// checkAnyOf checks that a value matches an alternative (kube-openapi, pkg/validation/validate/schema_props.go, as all
// in this file).
func (v *Validation) checkAnyOf(value any, alternatives []*Type) {
	var a alternativeErrors
	for _, t := range alternatives {
		matches, ok := v.try((*Validation).Check, value, t)
		if ok {
			v.Matches += matches
			return
		}
		a.failed(t, matches)
	}
	v.junctorFails("anyOf", "must validate at least one schema (anyOf)")
	v.explain(a, value)
}

// checkOneOf checks that a value matches exactly one alternative.
func (v *Validation) checkOneOf(value any, alternatives []*Type) {
	var a alternativeErrors
	valid, first := 0, 0
	for _, t := range alternatives {
		matches, ok := v.try((*Validation).Check, value, t)
		switch {
		case !ok:
			a.failed(t, matches)
		case valid == 0:
			first = matches
			valid++
		default:
			valid++
		}
	}
	switch valid {
	case 0:
		v.junctorFails("oneOf", "must validate one and only one schema (oneOf). Found none valid")
		v.explain(a, value)
	case 1:
		v.Matches += first
	default:
		v.junctorFails("oneOf",
			fmt.Sprintf("must validate one and only one schema (oneOf). Found %d valid alternatives", valid))
	}
}

// checkAllOf checks that a value matches all schemas.
func (v *Validation) checkAllOf(value any, schemas []*Type) {
	valid := 0
	for _, t := range schemas {
		failures := v.failures
		v.within(t, value)
		if v.failures == failures {
			valid++
		}
	}
	switch valid {
	case len(schemas):
	case 0:
		v.junctorFails("allOf", "must validate all the schemas (allOf). None validated")
	default:
		v.junctorFails("allOf", "must validate all the schemas (allOf)")
	}
}

// checkNot checks that a value does not match a schema.
func (v *Validation) checkNot(value any, t *Type) {
	if _, ok := v.try((*Validation).Check, value, t); ok {
		v.junctorFails("not", "must not validate the schema (not)")
	}
}

// junctorFails reports that a value violates a junctor.
func (v *Validation) junctorFails(keyword, how string) {
	if v.failsNow() {
		sentence := fmt.Sprintf("%q %s", v.path.value(), how)
		v.report(keyword, sentence, &field.Error{Type: field.ErrorTypeInvalid, Field: noField, BadValue: "",
			Detail: sentence})
	}
}
