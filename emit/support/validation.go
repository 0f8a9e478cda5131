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
	// warnings are the errors that an update may leave, since what is wrong was wrong before.
	warnings []string

	// typ is the structure of the object. The object, and on an update the old one, are there for what is asked only after
	// an error: which old value belongs to the one that the path leads to, and whether it is the same.
	typ         *crdType
	object, old map[string]any
	// spine are the values from the object to the one where an error was found last, as far as they are known to be the
	// same as before or not.
	spine []crdCorrelation

	// failures counts the errors of values, also those that are not reported: while quiet is set none is, since only whether
	// there are any is asked.
	failures int
	quiet    bool
	// matches counts what a value fulfilled, by which the alternative is chosen whose errors are worth reporting.
	matches int
	// junctor is the length of the path where allOf, anyOf or oneOf began, plus one: what is wrong below is their error. 0 is
	// outside of all.
	junctor int
	// said are the sentences of the errors of values.
	said []string
}

// A crdCheck is a function that was written for a schema and validates its values.
type crdCheck func(v *crdValidation, value any)

// fails counts an error and reports whether it must be reported.
func (v *crdValidation) fails() bool {
	v.failures++
	return !v.quiet
}

// report adds an error of a value, unless the same was said before, or the value did not change (kube-openapi,
// pkg/validation/validate, Result.AddErrors; apiextensions-apiserver, pkg/apiserver/validation/ratcheting.go).
func (v *crdValidation) report(sentence string, err *field.Error) {
	if v.old != nil && v.unchanged() {
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
// Then a single error replaces all of theirs (apiextensions-apiserver, pkg/registry/customresource/strategy.go,
// hasBlockingErr).
func (v *crdValidation) mayCheckRules() bool {
	for _, err := range v.errs {
		switch err.Type {
		case field.ErrorTypeNotSupported, field.ErrorTypeRequired, field.ErrorTypeTooLong, field.ErrorTypeTooMany, field.ErrorTypeTypeInvalid:
			v.errs = append(v.errs, field.Invalid(nil, nil,
				"some validation rules were not checked because the object was invalid; correct the existing errors to complete validation"))
			return false
		}
	}
	return true
}

// value writes a path as errors of values have it: spec.ports[0].name.
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

// crdValueField is the field of an error about a value, whose path is written (apiextensions-apiserver,
// pkg/apiserver/validation/validation.go, kubeOpenAPIResultToFieldErrors).
func crdValueField(path string) string {
	if path == "" || path == "." {
		return crdNoField
	}
	return strings.TrimPrefix(path, ".")
}

// crdNoField is the field of an error at the root.
const crdNoField = "<nil>"
