package support

import (
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// A crdValidation is one validation of an object.
type crdValidation struct {
	path crdPath
	errs field.ErrorList
	// warnings are the errors that an update may leave, since the object had them before.
	warnings []string

	// typ is the structure of the object. The object and, on an update, the old one are needed only after an error:
	// to find the old value that belongs to the current one, and to compare them.
	typ         *crdType
	object, old map[string]any
	// isFresh is set if values that did not change are validated as if they had.
	isFresh bool
	// spine are the values from the object to the position of the last error, with whether they have changed, if
	// known.
	spine []crdCorrelation

	// failures counts the errors of values, including those that are not reported: none is while quiet is set, since
	// then only their number matters.
	failures int
	quiet    bool
	// matches counts the validations that a value passed. It decides which alternative's errors are reported.
	matches int
	// junctor is the length of the path at which allOf, anyOf or oneOf began, plus one: errors below are theirs. 0
	// outside of them.
	junctor int
	// said are the texts of the errors of values.
	said []string
}

// A crdCheck is the generated function that validates the values of a schema.
type crdCheck func(v *crdValidation, value any)

// fails counts an error and reports whether to add it.
func (v *crdValidation) fails() bool {
	v.failures++
	return !v.quiet
}

// report adds an error of a value, unless it is a duplicate, or the value did not change (kube-openapi,
// pkg/validation/validate, Result.AddErrors; apiextensions-apiserver, pkg/apiserver/validation/ratcheting.go).
func (v *crdValidation) report(sentence string, err *field.Error) {
	if v.old != nil && !v.isFresh && v.unchanged() {
		return
	}
	for _, said := range v.said {
		if said == sentence {
			return
		}
	}
	v.said = append(v.said, sentence)
	v.errs = append(v.errs, err)
}

// reportValue reports an error of the value that the path leads to.
func (v *crdValidation) reportValue(typ field.ErrorType, bad any, sentence string) {
	v.report(sentence, &field.Error{Type: typ, Field: crdValueField(v.path.value()), BadValue: bad, Detail: sentence})
}

// mayCheckRules reports whether the rules of the object are checked: not after an error that could make them fail.
// Then one error replaces all of theirs (apiextensions-apiserver, pkg/registry/customresource/strategy.go,
// hasBlockingErr).
func (v *crdValidation) mayCheckRules() bool {
	for _, err := range v.errs {
		switch err.Type {
		case field.ErrorTypeNotSupported, field.ErrorTypeRequired, field.ErrorTypeTooLong, field.ErrorTypeTooMany,
			field.ErrorTypeTypeInvalid:
			v.errs = append(v.errs, field.Invalid(nil, nil,
				"some validation rules were not checked because the object was invalid; correct the existing errors "+
					"to complete validation"))
			return false
		}
	}
	return true
}

// value formats a path as in errors of values: spec.ports[0].name.
func (p crdPath) value() string {
	var out strings.Builder
	for _, s := range p {
		switch {
		case s.kind == crdItem:
			out.WriteString("[" + strconv.Itoa(s.index) + "]")
			continue
		case out.Len() > 0:
			out.WriteByte('.')
		}
		out.WriteString(s.name)
	}
	return out.String()
}

// crdValueField is the field of an error of a value, from the text of its path (apiextensions-apiserver,
// pkg/apiserver/validation/validation.go, kubeOpenAPIResultToFieldErrors).
func crdValueField(path string) string {
	if path == "" || path == "." {
		return crdNoField
	}
	return strings.TrimPrefix(path, ".")
}

// crdNoField is the field of an error at the root.
const crdNoField = "<nil>"
