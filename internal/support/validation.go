package support

import (
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// A Validation is one validation of an object.
type Validation struct {
	path valuePath
	errs field.ErrorList
	// warnings are the errors that an update may leave, since the object had them before.
	warnings warningList
	// textSize is about the number of bytes of the errors.
	textSize int

	// typ is the structure of the object. The object and, on an update, the old one are needed only after an error:
	// to find the old value that belongs to the current one, and to compare them.
	typ         *Type
	object, old map[string]any
	// inParts is set if the object has only the JSON of its parts that may be invalid. Its own rules hold.
	inParts bool
	// isDecoded is set for objects that are not too deep, since they were decoded.
	isDecoded bool
	// isFresh is set if values that did not change are validated as if they had.
	isFresh bool
	// rulesAfterEnums is set if rules are checked after an error of an enum.
	rulesAfterEnums bool
	opts            settings
	// ended is the reason why the context has ended.
	ended error
	// spine are the values from the object to the position of the last error, with whether they have changed, if
	// known.
	spine []correlation

	// budget is what is left for rules, nil if the object cannot exceed it.
	budget spender

	// failures counts the errors of values, including those that are not reported: none is while quiet is set, since
	// then only their number matters.
	failures int
	quiet    bool
	// judges is set if it only matters whether there are failures at all. The path is not known then.
	judges bool
	// Matches counts the validations that a value passed. It decides which alternative's errors are reported.
	Matches int
	// junctor is the length of the path at which allOf, anyOf or oneOf began, plus one: errors below are theirs. 0
	// outside of them.
	junctor int
	// said are the texts of the errors of values.
	said map[string]bool
}

// fails counts an error and reports whether to add it.
func (v *Validation) fails() bool {
	v.failures++
	return !v.quiet && v.hasRoom()
}

// failsNow is fails for an error that an update may leave: the value has changed, or there is no old object
// (apiextensions-apiserver, pkg/apiserver/validation/ratcheting.go).
func (v *Validation) failsNow() bool {
	v.failures++
	return !v.quiet && !v.isFull() && (v.old == nil || v.isFresh || !v.unchanged()) && v.hasRoom()
}

// mostErrors is about the number of bytes that the errors of an object may have: that of the longest body of a
// request (apiserver, pkg/server/config.go, MaxRequestBodyBytes). A server has no such limit, but an object may have
// errors of any length: each contains the keys that lead to its value.
const mostErrors = 3 << 20

// isFull reports whether no more errors are added.
func (v *Validation) isFull() bool { return v.textSize >= mostErrors || v.isDone() }

// hasRoom reports whether there may be one more error at the current path.
func (v *Validation) hasRoom() bool {
	const frame, each = 256, 3 // the bytes of an error without paths, and the number of paths in it
	if v.isFull() {
		return false
	}
	v.textSize += frame
	for i := range v.path {
		v.textSize += each * len(v.path[i].name)
	}
	return true
}

// allErrors returns the errors, and one more if there was no room for others.
func (v *Validation) allErrors() field.ErrorList {
	if v.textSize < mostErrors {
		return v.errs
	}
	return append(v.errs,
		field.Invalid(nil, nil, "the object has more errors; correct the existing errors to see them"))
}

// report adds an error of a value, unless it is a duplicate (kube-openapi, pkg/validation/validate, Result.AddErrors).
// The keyword of the schema is its origin.
func (v *Validation) report(keyword, sentence string, err *field.Error) {
	if v.said[sentence] {
		return
	}
	if v.said == nil {
		v.said = map[string]bool{}
	}
	v.said[sentence] = true
	v.errs = append(v.errs, withOrigin(err, keyword))
}

// reportValue reports an error of the value that the path leads to.
func (v *Validation) reportValue(keyword string, typ field.ErrorType, bad any, sentence string) {
	path := valueField(v.path.value())
	v.report(keyword, sentence, &field.Error{Type: typ, Field: path, BadValue: bad, Detail: sentence})
}

// mayCheckRules reports whether the rules of the object are checked: not after an error that could make them fail.
// Then one error replaces all of theirs (apiextensions-apiserver, pkg/registry/customresource/strategy.go,
// hasBlockingErr).
func (v *Validation) mayCheckRules() bool {
	for _, err := range v.errs {
		if err.Type == field.ErrorTypeNotSupported && v.rulesAfterEnums {
			continue
		}
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
func (p valuePath) value() string {
	var out strings.Builder
	for _, s := range p {
		switch {
		case s.kind == itemStep:
			out.WriteString("[" + strconv.Itoa(s.index) + "]")
			continue
		case out.Len() > 0:
			out.WriteByte('.')
		}
		out.WriteString(s.name)
	}
	return out.String()
}

// valueField is the field of an error of a value, from the text of its path (apiextensions-apiserver,
// pkg/apiserver/validation/validation.go, kubeOpenAPIResultToFieldErrors).
func valueField(path string) string {
	if path == "" || path == "." {
		return noField
	}
	return strings.TrimPrefix(path, ".")
}

// noField is the field of an error at the root.
const noField = "<nil>"
