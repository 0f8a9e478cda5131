package support

import (
	"regexp"
	"slices"
	"strings"
)

// This file finishes a structure that was read: it computes what follows from its members.

// finish sets what follows from the members of a structure.
func (r *typeReader) finish(t *Type, m *constraints) {
	r.finishFormat(t, m)
	r.finishNumber(t, m)
	if texts, ok := onlyTexts(m.enum); ok {
		t.Only, m.enum = texts, nil
	}
	isRare := m.format != "" || m.pattern != "" || m.number != nil || m.enum != nil || m.isUnique || m.isClosed ||
		m.isResource || m.minFields > 0 || m.maxLength != nil || m.maxItems != nil || m.maxFields != nil ||
		m.hasJunctors() || m.isCounted
	if m.pattern != "" {
		r.finishPattern(m)
	}
	if isRare {
		t.more = m
	}
	for i := range t.rules {
		t.rules[i].Type = t.Name
		t.readsOld = t.readsOld || t.rules[i].Transition
		t.Has |= withRules
	}
	if t.readsOld {
		t.Has |= withOldRules
	}
	if m.isResource {
		t.Has |= Resources
	}
	if t.ListType == "set" || t.ListType == "map" {
		t.Has |= Lists
	}
	for i := range t.Fields {
		t.Has |= t.Fields[i].Type.Has
	}
	for _, part := range []*Type{t.Items, t.Values} {
		if part != nil {
			t.Has |= part.Has
		}
	}
}

// onlyTexts returns the values of an enum if all of them are strings.
func onlyTexts(enum []any) (texts []string, ok bool) {
	for _, value := range enum {
		text, ok := value.(string)
		if !ok {
			return nil, false
		}
		texts = append(texts, text)
	}
	return texts, texts != nil
}

// finishFormat finds the function that checks the format.
func (r *typeReader) finishFormat(t *Type, m *constraints) {
	if t.Format == "" || m.ignoresFormat {
		return
	}
	m.format = t.Format
	if m.hasTexts {
		m.isFormat = formatCheck(strings.ReplaceAll(t.Format, "-", ""), r.of.HasFormat)
	}
}

// finishPattern finds the automaton of the pattern. A pattern that is not a regular expression has none.
func (r *typeReader) finishPattern(m *constraints) {
	at := slices.IndexFunc(r.of.Matchers, func(known *Matcher) bool { return known.Pattern == m.pattern })
	if at >= 0 {
		m.matcher = r.of.Matchers[at]
	} else if _, err := regexp.Compile(m.pattern); err == nil {
		m.matcher = &Matcher{Pattern: m.pattern}
	} else { // kube-openapi, pkg/validation/validate/values.go, Pattern
		m.pattern += ", but pattern is invalid: " + err.Error()
	}
}

// finishNumber sets the type of numbers; it is "" if there are several.
func (r *typeReader) finishNumber(t *Type, m *constraints) {
	n := m.number
	if n == nil {
		n = &Number{}
	}
	if !r.of.HasAnyRange && (t.Name == "integer" || t.Name == "number") {
		n.Type = t.Name
		if m.format == "int32" || m.format == "int64" || m.format == "float" || m.format == "double" {
			n.Format = m.format
		}
		isWhole := n.Type == "integer"
		if n.Format != "" && isWhole != strings.HasPrefix(n.Format, "int") {
			n.Format = ""
		}
	}
	m.number = nil
	if n.Type == "integer" || n.Format == "float" || n.MultipleOf.Set || n.Minimum.Set || n.Maximum.Set {
		n.prepare()
		m.number = n
	}
}
