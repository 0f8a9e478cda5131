package crd

import (
	"strings"
	"unicode/utf8"
)

// plain writes a string without quotes, folded.
func (e *encoder) plain(s string, t traits) {
	for {
		i := foldAt(s, e.col, t)
		if i < 0 {
			e.out = append(e.out, s...)
			return
		}
		e.out = append(e.out, s[:i]...)
		e.wrap()
		s = s[i+1:]
	}
}

// foldAt returns the index of the first space to fold at, or -1: the first single space beyond the width, if the text
// begins at that column.
func foldAt(s string, col int, t traits) int {
	i := max(0, width+1-col)
	if t&wide != 0 {
		i = 0
		for ; i < len(s) && col <= width; col++ {
			_, w := utf8.DecodeRuneInString(s[i:])
			i += w
		}
	}
	for i < len(s) {
		j := strings.IndexByte(s[i:], ' ')
		if j < 0 {
			return -1
		}
		i += j
		if i > 0 && s[i-1] != ' ' && i+1 < len(s) && s[i+1] != ' ' {
			return i
		}
		i++
	}
	return -1
}

// single writes a string in single quotes. The only line breaks here are U+2028 and U+2029; they are written
// verbatim, and the text after them is indented.
func (e *encoder) single(s string, fold bool) {
	e.out = append(e.out, '\'')
	e.col++
	broken := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == 0xE2 && isSeparator(s[i:]) {
			e.out = append(e.out, s[i:i+separatorLen]...)
			i += separatorLen - 1
			broken = true
			continue
		}
		if broken {
			broken = false
			e.col = e.indent + step
			e.pad(e.col)
		}
		switch {
		case c == ' ':
			if fold && e.col > width && i > 0 && i+1 < len(s) && s[i-1] != ' ' && s[i+1] != ' ' {
				e.wrap()
				continue
			}
			e.col++
		case c == '\'':
			e.out = append(e.out, '\'')
			e.col += 2
		case utf8.RuneStart(c):
			e.col++
		}
		e.out = append(e.out, c)
	}
	e.out = append(e.out, '\'')
}

const separatorLen = len("\u2028")

func isSeparator(s string) bool {
	return strings.HasPrefix(s, "\u2028") || strings.HasPrefix(s, "\u2029")
}

// double writes a string in double quotes. A string that begins with a byte order mark has every character escaped:
// the library tests for the mark at the beginning, whatever the position.
func (e *encoder) double(s string, fold bool) {
	e.out = append(e.out, '"')
	e.col++
	escapeAll := strings.HasPrefix(s, "\uFEFF")
	afterSpace := false
	for i := 0; i < len(s); {
		r, w := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, w = utf8.DecodeRuneInString(s[i:])
		}
		switch {
		case escapeAll || mustEscape(r):
			e.escape(r)
			afterSpace = false
		case r == ' ' && fold && !afterSpace && e.col > width && i > 0 && i+1 < len(s):
			e.wrap()
			// A space at the beginning of a line would be lost without the backslash.
			if s[i+1] == ' ' {
				e.out = append(e.out, '\\')
				e.col++
			}
			afterSpace = true
		default:
			e.out = append(e.out, s[i:i+w]...)
			e.col++
			afterSpace = r == ' '
		}
		i += w
	}
	e.out = append(e.out, '"')
}

func mustEscape(r rune) bool {
	if r < 0x7F {
		return r < ' ' || r == '"' || r == '\\'
	}
	return !isPrintable(r) || r == '\u2028' || r == '\u2029'
}

// escape writes a character as an escape sequence: by name if YAML has one, by number otherwise.
func (e *encoder) escape(r rune) {
	const named = "\x00\a\b\t\n\v\f\r\x1b\"\\\u0085\u00a0\u2028\u2029"
	const names = `0abtnvfre"\N_LP`
	start := len(e.out)
	e.out = append(e.out, '\\')
	if i := strings.IndexRune(named, r); i >= 0 {
		e.out = append(e.out, names[utf8.RuneCountInString(named[:i])])
	} else {
		mark, digits := byte('U'), 8
		switch {
		case r <= 0xFF:
			mark, digits = 'x', 2
		case r <= 0xFFFF:
			mark, digits = 'u', 4
		}
		e.out = append(e.out, mark)
		for shift := 4 * (digits - 1); shift >= 0; shift -= 4 {
			e.out = append(e.out, "0123456789ABCDEF"[r>>shift&0xF])
		}
	}
	e.col += len(e.out) - start
}

// literal writes a string as a literal block: the marks of how it begins and ends, then its lines, indented.
func (e *encoder) literal(s string, t traits) {
	e.out = append(e.out, '|')
	if s[0] == ' ' || s[0] == '\n' || isSeparator(s) {
		e.out = append(e.out, '0'+step)
	}
	if before, ok := cutLastBreak(s); !ok {
		e.out = append(e.out, '-')
	} else if _, more := cutLastBreak(before); more || before == "" {
		e.out = append(e.out, '+')
	}
	e.out = append(e.out, '\n')
	breaks := "\n"
	if t&separator != 0 {
		breaks = "\n\u2028\u2029"
	}
	for s != "" {
		i := strings.IndexAny(s, breaks)
		if i != 0 {
			e.pad(e.indent + step)
		}
		if e.bol = i >= 0; !e.bol {
			e.out = append(e.out, s...)
			return
		}
		_, w := utf8.DecodeRuneInString(s[i:])
		e.out = append(e.out, s[:i+w]...)
		s = s[i+w:]
	}
}

// cutLastBreak removes one line break from the end of s.
func cutLastBreak(s string) (string, bool) {
	for _, end := range [...]string{"\n", "\u2028", "\u2029"} {
		if before, ok := strings.CutSuffix(s, end); ok {
			return before, true
		}
	}
	return s, false
}
