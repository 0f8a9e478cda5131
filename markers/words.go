package markers

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// This file names what diagnostics and the reference speak of.

// written is a definition's name as it is written: options of the command line have no '+'.
func written(def *Definition) string {
	if def.Category == catOption {
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

func such(def *Definition) string { return "for example " + example(def) }

// clip shortens what is quoted from the source.
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
		String: "a string", List: "a list", Map: "a map in braces", Any: "any value"}
	return names[k]
}

// noun names a single target.
func (t Target) noun() string {
	return map[Target]string{Package: "package", Type: "type", Field: "field", Constant: "constant"}[t]
}

// a puts the indefinite article before the names of a set of targets: "a package, a type or a field".
func (t Target) a() string {
	var list []string
	for _, one := range targets(t) {
		list = append(list, "a "+one.noun())
	}
	return either(list, "or")
}

// either joins names: `"a", "b" or "c"`.
func either(names []string, last string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	n := len(names) - 1
	return strings.Join(names[:n], ", ") + " " + last + " " + names[n]
}

// argumentNames are those of a definition's arguments that have names.
func argumentNames(def *Definition) []string {
	var names []string
	for _, p := range def.Params {
		if p.Name != "" {
			names = append(names, p.Name)
		}
	}
	return names
}

// unquoted is a text without the quotes around it.
func unquoted(s string) string {
	if n := len(s); n >= 2 && s[0] == s[n-1] && strings.IndexByte("\"'`", s[0]) >= 0 {
		return s[1 : n-1]
	}
	return s
}

// closingQuote returns the offset behind a string that starts the text, or -1.
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

// width is the size of the character at an offset.
func width(text string, at int) int {
	_, size := utf8.DecodeRuneInString(text[min(at, len(text)):])
	return size
}
