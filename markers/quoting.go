package markers

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/crdproof/crdproof/generator/diag"
)

// StringAt returns where in the source the byte at an offset of a String's Text was written: the whole escape sequence
// for an escaped character, the whole character for one of several bytes. The offset len(Text) yields the point behind
// the last character, before the closing quote. For other kinds, and for offsets out of range, it is v.At.
func (v Value) StringAt(offset int) diag.Span {
	if v.Kind != String || offset < 0 || offset > len(v.Text) {
		return v.At
	}
	start, body := v.body()
	for decoded := 0; body != ""; {
		source, out := v.step(body)
		if offset < decoded+out {
			return v.At.Sub(start, start+source)
		}
		start, body, decoded = start+source, body[source:], decoded+out
	}
	return v.At.Sub(start, start)
}

// StringRange returns the source of the bytes from start to end (exclusive) of a String's Text.
func (v Value) StringRange(start, end int) diag.Span {
	from := v.StringAt(start)
	if end <= start {
		from.End = from.Start
		return from
	}
	from.End = v.StringAt(end - 1).End
	return from
}

// body returns the literal without its quotes, and its offset.
func (v Value) body() (int, string) {
	if n := len(v.literal); n >= 2 && v.quote() != 0 {
		return 1, v.literal[1 : n-1]
	}
	return 0, v.literal
}

// quote returns the quote that the literal stands in, or 0 for bare words. Bare words never begin with one: the
// scanner would have taken them for a string.
func (v Value) quote() byte {
	if v.literal != "" && (v.literal[0] == '"' || v.literal[0] == '`') {
		return v.literal[0]
	}
	return 0
}

// step returns how many bytes of source make up the next character, and how many bytes of text it becomes. It knows
// the escapes of Go and of JSON, which contradict each other nowhere.
func (v Value) step(body string) (source, out int) {
	switch quote := v.quote(); {
	case quote == '`' && body[0] == '\r':
		return 1, 0 // as strconv.Unquote has it
	case quote != '"' || body[0] != '\\' || len(body) == 1:
		c, size := utf8.DecodeRuneInString(body)
		if c == utf8.RuneError && size == 1 {
			return 1, utf8.RuneLen(c) // only JSON gets this far, and replaces the byte
		}
		return size, size
	}
	switch c := body[1]; {
	case c == 'u':
		return unicodeEscape(body)
	case c == 'U':
		n, _ := strconv.ParseUint(body[2:min(10, len(body))], 16, 32)
		return min(10, len(body)), utf8.RuneLen(rune(n))
	case c == 'x':
		return min(4, len(body)), 1
	case '0' <= c && c <= '7':
		return min(4, len(body)), 1
	}
	return 2, 1
}

// unicodeEscape measures \uXXXX, or two of them where they are a surrogate pair.
func unicodeEscape(body string) (source, out int) {
	unit := func(s string) rune {
		if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
			return -1
		}
		n, err := strconv.ParseUint(s[2:6], 16, 16)
		if err != nil {
			return -1
		}
		return rune(n)
	}
	c := unit(body)
	if !utf16.IsSurrogate(c) {
		return min(6, len(body)), max(utf8.RuneLen(c), 1)
	}
	if pair := utf16.DecodeRune(c, unit(body[6:])); pair != utf8.RuneError {
		return 12, utf8.RuneLen(pair)
	}
	return 6, utf8.RuneLen(utf8.RuneError)
}
