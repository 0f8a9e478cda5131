package support

import "slices"

// The constraints of a Type that few types have.
type constraints struct {
	// format is that of values, "" if the server ignores it. isFormat checks strings, nil if every string has it.
	// hasTexts is set if there are strings of the format, ignoresFormat if the server does not know it.
	format                  string
	isFormat                func(string) bool
	hasTexts, ignoresFormat bool
	// pattern is the text in errors. Nothing matches a pattern without a matcher.
	pattern string
	matcher *Matcher
	number  *Number
	// enum are the allowed values, if they are not all strings.
	enum []any
	// isUnique is set if a list has no item twice, isClosed if an object has no fields, isResource for an embedded
	// resource.
	isUnique, isClosed, isResource bool
	minFields                      int
	// These are limits of strings and lists that are not positive, and of objects; nil for none.
	maxLength, maxItems, maxFields *int
	// These are the junctors. not may be nil.
	anyOf, oneOf, allOf []*Type
	not                 *Type
	// isCounted is set below anyOf and oneOf, where the validations are counted that a value passes.
	isCounted bool
}

// hasJunctors reports whether a value is validated by more than its type.
func (m *constraints) hasJunctors() bool {
	return len(m.anyOf)+len(m.oneOf)+len(m.allOf) > 0 || m.not != nil
}

// hasText reports whether a string certainly fulfils the constraints.
func (m *constraints) hasText(value string) bool {
	return !m.isCounted && m.allows(value)
}

// allows is hasText for one that is not counted.
func (m *constraints) allows(value string) bool {
	return (m.maxLength == nil || !IsLonger(value, *m.maxLength)) && m.matches(value) && m.isFormatted(value) &&
		m.enum == nil && m.not == nil && len(m.oneOf) == 0 &&
		!slices.ContainsFunc(m.allOf, func(t *Type) bool { return !t.allowsText(value) }) &&
		(len(m.anyOf) == 0 || slices.ContainsFunc(m.anyOf, func(t *Type) bool { return t.allowsText(value) }))
}

// matches reports whether a string matches the pattern, if there is one.
func (m *constraints) matches(value string) bool {
	return m.pattern == "" || m.matcher != nil && m.matcher.Match(value)
}

// isFormatted reports whether a string has the format, if there is one.
func (m *constraints) isFormatted(value string) bool { return m.isFormat == nil || m.isFormat(value) }

// dependsOn reports whether an object may be invalid because of a field, with or without it.
func (t *Type) dependsOn(name string) bool {
	m := t.more
	for _, need := range t.Needs {
		if need == name {
			return true
		}
	}
	return t.Only != nil ||
		m != nil && (m.hasJunctors() || m.enum != nil || m.minFields > 0 || m.maxFields != nil || m.isClosed)
}

// checkMore is checkKind for a type with constraints that few types have.
func (v *Validation) checkMore(value any, t *Type, kind string) {
	m, types := t.more, t.Name
	if t.IntOrString {
		types = "integer,string"
	}
	if kind == "null" {
		if types != "" && !t.Nullable {
			v.CheckType(value, types, m.format)
		} else {
			v.Matches++
		}
		return
	}
	switch {
	case t.Name == kind:
		v.Matches += 2 // there is a type, and it is this one
	case types != "" || m.format != "":
		v.Matches++
		v.CheckType(value, types, m.format)
	}
	v.Matches += 4 // junctors twice, the enum, and the value itself
	switch kind {
	case "string":
		v.Matches++
		if m.hasTexts {
			v.Matches++
		}
	case "integer", "number", "array":
		v.Matches += 2
	case "object":
		v.Matches++
	}
	if len(m.anyOf) > 0 {
		v.checkAnyOf(value, m.anyOf)
	}
	if len(m.oneOf) > 0 {
		v.checkOneOf(value, m.oneOf)
	}
	if len(m.allOf) > 0 {
		v.checkAllOf(value, m.allOf)
	}
	if m.not != nil {
		v.checkNot(value, m.not)
	}
}
