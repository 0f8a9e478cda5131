package markers

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// This file has the names that messages and the reference use.

// OptionCategory is the category of the options of the command line.
const OptionCategory = "option"

// written returns a definition's name as it is written: options of the command line have no '+'.
func written(def *Definition) string {
	if def.Category == OptionCategory {
		return def.Name
	}
	return "+" + def.Name
}

// example returns a marker line that shows the right use.
func example(def *Definition) string {
	for line := range strings.Lines(def.Example) {
		line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "//"))
		if strings.HasPrefix(line, written(def)) {
			return line
		}
	}
	return written(def)
}

func exampleHelp(def *Definition) string { return "for example " + example(def) }

// exampleOf returns a value of an argument, "" if the definition shows none: its example, or else a small number.
func exampleOf(def *Definition, kind Kind) string {
	if value := ""; def.anonymous() {
		_, value, _ = strings.Cut(example(def), "=")
		if fits(value, kind) {
			return value
		}
	}
	return map[Kind]string{Int: "10", Number: "10"}[kind]
}

// clip shortens a quotation from the source.
func clip(s string) string {
	const most = 40
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

func quoted(s string) string { return strconv.Quote(clip(s)) }

// phrase names a value of a kind.
func phrase(k Kind) string {
	names := map[Kind]string{Null: "null", Bool: "true or false", Int: "an integer", Number: "a number",
		String: "a string", List: "a list", Map: "a map in braces", Any: "a value"}
	return names[k]
}

// noun names a single target.
func (t Target) noun() string {
	return map[Target]string{Package: "package", Type: "type", Field: "field", Constant: "constant"}[t]
}

// plurals names the declarations of a set of targets: packages, types, fields.
func (t Target) plurals() (list []string) {
	for _, one := range targets(t) {
		list = append(list, one.noun()+"s")
	}
	return list
}

// quotedAll puts names in quotes.
func quotedAll(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = strconv.Quote(name)
	}
	return out
}

// argumentNames lists the names of a definition's named arguments.
func argumentNames(def *Definition) []string {
	var names []string
	for _, p := range def.Params {
		if p.Name != "" {
			names = append(names, p.Name)
		}
	}
	return names
}

// unquoted returns a text without the quotes around it.
func unquoted(s string) string {
	if n := len(s); n >= 2 && s[0] == s[n-1] && strings.IndexByte("\"'`", s[0]) >= 0 {
		return s[1 : n-1]
	}
	return s
}

// closingQuote returns the offset after the string at the start of the text, or -1.
func closingQuote(text string) int {
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\\':
			i++
		case text[i] == text[0]:
			return i + 1
		}
	}
	return -1
}

// width returns the size of the character at an offset.
func width(text string, at int) int {
	_, size := utf8.DecodeRuneInString(text[min(at, len(text)):])
	return size
}
