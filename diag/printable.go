package diag

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Printable returns a text as it may be part of a line on a terminal or in the log of a CI server. Names, values and
// messages may come from anyone who opens a pull request, so all output formats print them through this function. It
// writes the following as escape sequences of Go, and leaves everything else:
//
//   - control characters, including line breaks and the beginning of terminals' escape sequences
//   - characters without a shape, such as those that change the direction of text
//   - bytes that are not UTF-8
//   - what CI servers read as a command: "::" at the beginning of a line, "##[" and "##vso[" anywhere
//
// Backslashes are not escaped, so a text may be passed several times.
func Printable(text string) string {
	if isPrintable(text) {
		return text
	}
	var out strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&out, `\x%02x`, text[i])
		case !unicode.IsGraphic(r):
			out.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		case isCommand(text, i):
			fmt.Fprintf(&out, `\x%02x`, r)
		default:
			out.WriteString(text[i : i+size])
		}
		i += size
	}
	return out.String()
}

// isPrintable reports whether Printable leaves a text as it is.
func isPrintable(text string) bool {
	if !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsGraphic(r) }) {
		return false
	}
	for i := range len(text) {
		if (text[i] == ':' || text[i] == '#') && isCommand(text, i) {
			return false
		}
	}
	return true
}

// ciCommand matches the beginning of a command that CI servers find anywhere in a line: those of GitHub
// (src/Runner.Common/ActionCommand.cs in actions/runner), of Azure Pipelines and of TeamCity.
var ciCommand = regexp.MustCompile(`^##[a-zA-Z]*\[`)

// isCommand reports whether the character at an offset must be escaped because it begins a command of a CI server: the
// first colon of "::" at the beginning, which GitHub finds behind white space too, or the second "#" of "##[".
func isCommand(text string, i int) bool {
	switch text[i] {
	case ':':
		return strings.HasPrefix(text[i:], "::") && strings.TrimSpace(text[:i]) == ""
	case '#':
		return i > 0 && text[i-1] == '#' && ciCommand.MatchString(text[i-1:])
	}
	return false
}

// asciiJSON replaces in a JSON text what Printable escapes, by JSON's own escape sequences: programs read the same
// values.
func asciiJSON(data []byte) []byte {
	var out bytes.Buffer
	text := string(data)
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == '\n' || unicode.IsGraphic(r) && (r != '#' || !isCommand(text, i)):
			out.WriteString(text[i : i+size])
		default:
			for _, unit := range utf16.AppendRune(nil, r) {
				fmt.Fprintf(&out, `\u%04x`, unit)
			}
		}
		i += size
	}
	return out.Bytes()
}
