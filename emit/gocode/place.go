package gocode

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/crdproof/crdproof/generator/schema"
)

// A place is the position of a schema, for names and comments of its code.
type place struct {
	// name is the path as a part of a Go name: WidgetSpecPortsItem.
	name string
	// kind is the kind of the resource, field the path as authors of objects write it: spec.ports[].
	kind, field string
}

func rootOf(k *Kind) place { return place{name: k.Name, kind: k.Name} }

func (p place) property(name string) place {
	p.name += GoName(name)
	if p.field != "" {
		p.field += "."
	}
	p.field += name
	return p
}

func (p place) item() place { return place{p.name + "Item", p.kind, p.field + "[]"} }

func (p place) value() place { return place{p.name + "Value", p.kind, p.field + "[*]"} }

// alternative is the place of a schema of a junctor: the first of anyOf, or the one of not.
func (p place) alternative(keyword, number string) place {
	p.name += GoName(keyword) + number
	p.field += "{" + keyword + number + "}"
	return p
}

// text is how comments name the place.
func (p place) text() string {
	if p.field == "" {
		return "a " + p.kind
	}
	return printable(p.field) + " of a " + p.kind
}

// printable is a text for a comment, quoted if necessary.
func printable(text string) string {
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

// isSet reports whether a flag is set and true.
func isSet(f *schema.Flag) bool { return f != nil && f.V }
