// Code generated from internal/support of crdproof. DO NOT EDIT.

package crd

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// This file reports errors of values with the texts of kube-openapi's schema validator (pkg/validation/validate and
// pkg/validation/errors), as the API server converts them to field errors.

// CheckType checks the JSON type of a value: types are those that the schema allows, joined by commas, and format is
// its format (typeValidator).
func (v *Validation) CheckType(value any, types, format string) {
	is, as := jsonType(value)
	isText := is == "string" || is == "array"
	allowed := allowsType(types, is) || is == "number" && isInteger(value.(float64)) &&
		allowsType(types, "integer") ||
		is == "integer" && allowsType(types, "number")
	isNumber := allowsType(types, "integer") || allowsType(types, "number")
	switch {
	case is == "null":
		v.mistyped("type", types, is)
	case !isText && format != "" && !allowed:
		v.mistyped("type", format, as)
	case isText && format != "" && !isNumber:
		v.Matches++
	case !allowed:
		v.mistyped("type", types, is)
	default:
		v.Matches++
	}
}

// mistyped reports a value of a wrong type, with the expected and the actual type.
func (v *Validation) mistyped(keyword, expected, found string) {
	if v.failsNow() {
		v.reportValue(keyword, field.ErrorTypeTypeInvalid, found,
			fmt.Sprintf("%s in body must be of type %s: %q", v.path.value(), expected, found))
	}
}

// jsonType names the type of a value, and the format of a number. A value that is not JSON has the name of its Go
// type.
func jsonType(value any) (name, format string) {
	switch value.(type) {
	case nil:
		return "null", ""
	case bool:
		return "boolean", ""
	case string:
		return "string", ""
	case int64:
		return "integer", "int64"
	case float64:
		return "number", "float64"
	case []any:
		return "array", ""
	case map[string]any:
		return "object", ""
	}
	name = fmt.Sprintf("%T", value) // no schema has this type
	return name, name
}

// allowsType reports whether a type is among those that are joined by commas.
func allowsType(types, name string) bool {
	first, second, _ := strings.Cut(types, ",")
	return first == name || second == name
}

// isInteger reports whether a number counts as an integer: it is a whole number, or very close to one, and is not
// too large to be exact (swag.IsFloat64AJSONInteger).
func isInteger(f float64) bool {
	const largest, near = 1<<53 - 1, 1e-9
	if math.IsNaN(f) || math.Abs(f) > largest {
		return false
	}
	rounded := math.Round(f)
	return f == rounded || math.Abs(f-rounded) < near*math.Abs(rounded)
}

// notFormat reports a string that does not have its format.
func (v *Validation) notFormat(value, format string) {
	v.mistyped("format", format, value)
}

// IsLonger reports whether a string has more than most characters.
func IsLonger[T ~string](x T, most int) bool {
	return len(x) > most && utf8.RuneCountInString(string(x)) > most
}

// isShorter reports whether a string has fewer than least characters.
func isShorter(x string, least int) bool {
	return len(x) < least || len(x) < utf8.UTFMax*least && utf8.RuneCountInString(x) < least
}

// tooLong reports a string of more than max characters.
func (v *Validation) tooLong(max int) {
	if !v.failsNow() {
		return
	}
	path := v.path.value()
	v.report("maxLength", fmt.Sprintf("%s in body should be at most %d chars long", path, max),
		&field.Error{Type: field.ErrorTypeTooLong, Field: valueField(path),
			BadValue: "<value omitted>", Detail: atMost(max, "may not be more than", "byte", "value is too long")})
}

// tooShort reports a string of fewer than min characters.
func (v *Validation) tooShort(value string, min int) {
	if v.failsNow() {
		v.reportValue("minLength", field.ErrorTypeInvalid, value,
			fmt.Sprintf("%s in body should be at least %d chars long", v.path.value(), min))
	}
}

// mismatches reports a string that does not match a pattern.
func (v *Validation) mismatches(value, pattern string) {
	if v.failsNow() {
		v.reportValue("pattern", field.ErrorTypeInvalid, value,
			fmt.Sprintf("%s in body should match '%s'", v.path.value(), pattern))
	}
}

// tooManyItems reports a list of more than max items.
func (v *Validation) tooManyItems(size, max int) { v.tooMany("maxItems", "items", size, max) }

// tooFewItems reports a list of fewer than min items.
func (v *Validation) tooFewItems(size, min int) { v.tooFew("minItems", "items", size, min) }

// tooManyFields reports an object of more than max fields.
func (v *Validation) tooManyFields(size, max int) {
	v.tooMany("maxProperties", "properties", size, max)
}

// tooFewFields reports an object of fewer than min fields.
func (v *Validation) tooFewFields(size, min int) { v.tooFew("minProperties", "properties", size, min) }

func (v *Validation) tooMany(keyword, what string, size, max int) {
	if !v.failsNow() {
		return
	}
	path := v.path.value()
	v.report(keyword, fmt.Sprintf("%s in body should have at most %d %s", path, max, what),
		&field.Error{Type: field.ErrorTypeTooMany, Field: valueField(path),
			BadValue: size, Detail: atMost(max, "must have at most", "item", "has too many items")})
}

func (v *Validation) tooFew(keyword, what string, size, min int) {
	if v.failsNow() {
		v.reportValue(keyword, field.ErrorTypeInvalid, int64(size),
			fmt.Sprintf("%s in body should have at least %d %s", v.path.value(), min, what))
	}
}

// atMost describes the limit of a length, unless it is negative (apimachinery, pkg/util/validation/field, TooLong
// and TooMany).
func atMost(max int, sentence, what, negative string) string {
	switch {
	case max < 0:
		return negative
	case max != 1:
		what += "s"
	}
	return fmt.Sprintf("%s %d %s", sentence, max, what)
}

// uniqueItems checks that no item of a list is repeated.
func (v *Validation) uniqueItems(items []any) {
	same := func(i, j int) bool { return deepEqual(items[i], items[j]) }
	repeats := findRepeats(len(items), same, func(h *hasher, i int) bool { return h.value(items[i], deepest) })
	if len(repeats) > 0 && v.failsNow() {
		v.reportValue("uniqueItems", field.ErrorTypeInvalid, "", v.path.value()+" in body shouldn't contain duplicates")
	}
}

// requireFields reports which of the fields that an object must have are not there.
func (v *Validation) requireFields(object map[string]any, names ...string) {
	for _, name := range names {
		if _, ok := object[name]; !ok && v.failsNow() {
			path := v.path.value() + "." + name
			v.report("required", path+" in body is required", &field.Error{Type: field.ErrorTypeRequired,
				Field: valueField(path), BadValue: ""})
		}
	}
}

// forbidFields reports all fields of an object that must not have any.
func (v *Validation) forbidFields(object map[string]any) {
	for _, name := range sortedKeys(object) {
		if v.failsNow() {
			v.reportValue("additionalProperties", field.ErrorTypeInvalid, name,
				fmt.Sprintf("%s.%s in body is a forbidden property", v.path.value(), name))
		}
	}
}

func sortedKeys(object map[string]any) []string {
	names := slices.AppendSeq(make([]string, 0, len(object)), maps.Keys(object))
	slices.Sort(names)
	return names
}

// checkAllowed checks that a value is one of a few (basicCommonValidator). A number is converted to the type of the
// enum value first, by the rules of Go: 2.5 is 2, and 97 is "a".
func (v *Validation) checkAllowed(value any, allowed []any) {
	for _, a := range allowed {
		if isEnum(value, a) {
			return
		}
	}
	if v.failsNow() {
		v.notSupported(value, allowed)
	}
}

func isEnum(value, allowed any) bool {
	if a, ok := allowed.(string); ok {
		number, isNumber := value.(int64)
		return value == allowed || isNumber && character(number) == a
	}
	switch value := value.(type) {
	case nil:
		return false
	case int64:
		if a, ok := allowed.(float64); ok {
			return float64(value) == a
		}
	case float64:
		if a, ok := allowed.(int64); ok {
			return int64(value) == a
		}
	}
	return deepEqual(value, allowed)
}

// character is Go's conversion of an integer to a string: the character with that number.
func character(number int64) string {
	if int64(rune(number)) != number {
		return "\uFFFD"
	}
	return string(rune(number))
}

// notSupported reports a value that is not an allowed one.
func (v *Validation) notSupported(value any, allowed []any) {
	names := make([]string, len(allowed))
	for i, a := range allowed {
		name, isText := a.(string)
		if !isText {
			data, _ := json.Marshal(a)
			name = string(data)
		}
		names[i] = fmt.Sprintf("%q", name)
	}
	path := v.path.value()
	v.report("enum", fmt.Sprintf("%s in body should be one of %v", path, allowed),
		&field.Error{Type: field.ErrorTypeNotSupported, Field: valueField(path),
			BadValue: shown(value), Detail: "supported values: " + strings.Join(names, ", ")})
}
