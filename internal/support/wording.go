package support

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// This file gives errors the texts of other API servers than that of the linked library. Wordings says which one has
// which.

// reword changes errors.
func reword(errs field.ErrorList, changes []func(*field.Error)) {
	for _, err := range errs {
		for _, change := range changes {
			change(err)
		}
	}
}

// brokenByType is broken for API servers whose errors have the type of the value instead of the value.
func (v *Validation) brokenByType(result Result[bool], value, old any, rule *Rule) {
	if result.err != nil {
		v.broken(result, value, old, rule)
		return
	}
	typed := *rule
	typed.Message = rule.detail(value, old)
	typed.Type, typed.Text, typed.Expression = "", "", nil // broken omits the values of objects and lists
	v.broken(result, rule.Type, nil, &typed)
}

// OwnerWithoutIndex drops the index of an owner reference, whose missing fields were invalid.
func OwnerWithoutIndex(e *field.Error) {
	const list = "metadata.ownerReferences"
	before, rest, ok := strings.Cut(e.Field, list+"[")
	_, name, found := strings.Cut(rest, "]")
	if !ok || !found || before != "" && !strings.HasSuffix(before, ".") {
		return
	}
	e.Field = before + list + name
	isEmpty := e.Type == field.ErrorTypeRequired
	if isEmpty {
		e.Type, e.BadValue = field.ErrorTypeInvalid, ""
	}
	if name == ".apiVersion" && (isEmpty || strings.HasPrefix(e.Detail, "must be <group>")) {
		e.Detail = "version must not be empty"
	}
}

// OwnerNamed repeats the name of the field, except for the version, which has it already.
func OwnerNamed(e *field.Error) {
	_, name, ok := strings.Cut(e.Field, "metadata.ownerReferences.")
	if ok && e.Type == field.ErrorTypeInvalid && e.Detail == "must not be empty" {
		e.Detail = name + " must not be empty"
	}
}

// EmbeddedEmpty names the reason of a missing field of an embedded resource.
func EmbeddedEmpty(e *field.Error) {
	if e.Type == field.ErrorTypeRequired && e.Detail == "" {
		e.Detail = "must not be empty"
	}
}

// InCharacters counts the maximum length of a name in characters.
func InCharacters(e *field.Error) {
	if of := strings.LastIndex(e.Detail, "must be no more than "); of >= 0 && strings.HasSuffix(e.Detail, " bytes") {
		e.Detail = strings.TrimSuffix(e.Detail, " bytes") + " characters"
	}
}

// QualifiedName names the key of a label as it was.
func QualifiedName(e *field.Error) {
	e.Detail = strings.Replace(e.Detail, "a valid label key must consist of", "a qualified name must consist of", 1)
}

// TooFew has the types and texts for a minimum of characters, items or fields.
func TooFew(e *field.Error) {
	start := strings.LastIndex(e.Detail, " in body should ")
	if e.Type != field.ErrorTypeInvalid || start < 0 || !strings.HasSuffix(e.Field, e.Detail[:start]) {
		return // it is another error, or the message of a rule
	}
	// The types are those of k8s.io/apimachinery from 0.36 on.
	const tooShort, tooFew = field.ErrorType("FieldValueTooShort"), field.ErrorType("FieldValueTooFew")
	rule := strings.TrimPrefix(e.Detail[start:], " in body should ")
	var least int
	var what string
	if _, err := fmt.Sscanf(rule, "be at least %d chars long", &least); err == nil {
		e.Type, e.Detail = tooShort, atLeast("be", least, "character")
	} else if _, err := fmt.Sscanf(rule, "have at least %d %s", &least, &what); err == nil {
		e.Type, e.Detail = tooFew, atLeast("have", least, "item")
	}
}

// atLeast is the text of a minimum.
func atLeast(verb string, least int, unit string) string {
	if least != 1 {
		unit += "s"
	}
	return fmt.Sprintf("must %s at least %d %s", verb, least, unit)
}

// MetaMissing leaves out the reason for a field that is missing in a list of the metadata.
func MetaMissing(e *field.Error) {
	isInList := strings.Contains(e.Field, "metadata.ownerReferences[") ||
		strings.Contains(e.Field, "metadata.managedFields[")
	if isInList && e.Type == field.ErrorTypeRequired && e.Detail == "must not be empty" {
		e.Detail = ""
	}
}

// Plural has the plural for one byte and one item.
func Plural(e *field.Error) {
	switch {
	case e.Type == field.ErrorTypeTooLong && e.Detail == "may not be more than 1 byte",
		e.Type == field.ErrorTypeTooMany && e.Detail == "must have at most 1 item":
		e.Detail += "s"
	}
}

// LongerThan has the older texts for a maximum length.
func LongerThan(e *field.Error) {
	var most int
	if _, err := fmt.Sscanf(e.Detail, "may not be more than %d byte", &most); err != nil ||
		e.Type != field.ErrorTypeTooLong {
		return
	}
	e.Detail = fmt.Sprintf("may not be longer than %d", most)
	if strings.HasSuffix(e.Field, "metadata.annotations") {
		e.Detail = fmt.Sprintf("must have at most %d bytes", most)
	}
}

// goValue is a value that errors print as Go does.
type goValue struct{ any }

// MarshalJSON fails, so that errors do not print JSON.
func (goValue) MarshalJSON() ([]byte, error) { return nil, errors.New("not JSON") }

func (v goValue) String() string {
	if s, ok := v.any.(fmt.Stringer); ok {
		return s.String()
	}
	return fmt.Sprintf("%#v", v.any)
}

// ValueInGo prints the value of an error in the syntax of Go, not as JSON.
func ValueInGo(e *field.Error) {
	value := reflect.ValueOf(e.BadValue)
	if value.Kind() == reflect.Pointer && !value.IsNil() {
		value = value.Elem()
	}
	switch value.Kind() {
	case reflect.Invalid, reflect.Pointer:
		e.BadValue = "null"
	case reflect.Map, reflect.Slice:
		e.BadValue = goValue{value.Interface()}
	case reflect.Struct:
		if e.BadValue != (field.OmitValueType{}) {
			e.BadValue = goValue{value.Interface()}
		}
	}
}
