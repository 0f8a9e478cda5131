package object

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Place is the position of a schema, for names and comments of its code.
type Place struct {
	// Name is the path as a part of a Go name: WidgetSpecPortsItem.
	Name string
	// kind is the kind of the resource, field the path as authors of objects write it: spec.ports[].
	kind, field string
	// isRoot is set for the schema of the whole resource.
	isRoot bool
}

// RootOf returns the place of the schema of a kind.
func RootOf(k *Kind) Place { return Place{Name: k.Name, kind: k.Name, isRoot: true} }

// below returns a place with more on its name and its path.
func (p Place) below(name, field string) Place {
	p.Name, p.field, p.isRoot = shortName(p.Name+name), shortened(p.field+field, "…"), false
	return p
}

// Property returns the place of a property.
func (p Place) Property(name string) Place {
	dot := "."
	if p.field == "" {
		dot = ""
	}
	return p.below(GoName(name), dot+name)
}

// Item returns the place of the items of a list.
func (p Place) Item() Place { return p.below("Item", "[]") }

// Value returns the place of the values of a map.
func (p Place) Value() Place { return p.below("Value", "[*]") }

// alternative returns the place of a schema of a junctor: the first of anyOf, or the one of not.
func (p Place) alternative(keyword, number string) Place {
	return p.below(GoName(keyword)+number, "{"+keyword+number+"}")
}

// These are the numbers of bytes that a path may have, and a name: with what stands before and after it, an identifier
// then has at most 60.
const (
	longestPath = 100
	longestName = 44
)

// shortName leaves out words in the middle of a long name.
func shortName(name string) string {
	const head = 16
	if len(name) <= longestName {
		return name
	}
	first, last := 0, len(name)
	for i, r := range name {
		switch isStart := unicode.IsUpper(r); {
		case isStart && i <= head:
			first = i
		case isStart && len(name)-i <= longestName-first && last == len(name):
			last = i
		}
	}
	if last == len(name) { // the last word is too long
		last -= longestName - first
	}
	return strings.ToValidUTF8(name[:first]+name[last:], "")
}

// shortened replaces the middle of a long text. Without a limit, the code for a deep schema would grow with the square
// of its depth.
func shortened(text, gap string) string {
	if len(text) <= longestPath {
		return text
	}
	head, tail := text[:longestPath/2], text[len(text)-longestPath/2+len(gap):]
	return strings.ToValidUTF8(head, "") + gap + strings.ToValidUTF8(tail, "")
}

// Text returns how comments name the place.
func (p Place) Text() string {
	if p.field == "" {
		return "a " + p.kind
	}
	return Printable(p.field) + " of a " + p.kind
}

// Printable returns a text for a comment, quoted if necessary.
func Printable(text string) string {
	odd := func(r rune) bool { return !unicode.IsPrint(r) && r != '\t' }
	if strings.ContainsFunc(text, odd) || strings.Contains(text, "*/") {
		return strconv.Quote(text)
	}
	return text
}

// GoName converts the name of a property to a part of a Go name: x-y.z is XYZ.
func GoName(name string) string {
	var out strings.Builder
	isEnd := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	for _, word := range strings.FieldsFunc(name, isEnd) {
		first, size := utf8.DecodeRuneInString(word)
		out.WriteRune(unicode.ToUpper(first))
		out.WriteString(word[size:])
	}
	return out.String()
}
