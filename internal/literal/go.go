package literal

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Go decodes a literal that is "quoted" or `raw` as in Go, "quoted" as in JSON, whose escapes are compatible with
// Go's, or a bare word. It returns false for escapes that are in neither language.
func Go(source string) (Decoded, bool) {
	var b builder
	quote, start, end := quoteOf(source), 0, len(source)
	if quote != 0 {
		start, end = 1, end-1
	}
	for i := start; i < end; {
		text, size, ok := character(quote, source[i:end])
		if !ok {
			return Decoded{}, false
		}
		b.add(text, i, i+size)
		i += size
	}
	return b.finish(end), true
}

// quoteOf returns the quote around the literal, or 0 for bare words. Bare words never start with a quote: the scanner
// reads such a word as a string.
func quoteOf(source string) byte {
	if n := len(source); n >= 2 && (source[0] == '"' || source[0] == '`') && source[n-1] == source[0] {
		return source[0]
	}
	return 0
}

// character decodes the first character of a literal's body.
func character(quote byte, body string) (text string, size int, ok bool) {
	switch {
	case quote == '`' && body[0] == '\r':
		return "", 1, true // as strconv.Unquote has it
	case quote != '"' || body[0] != '\\':
		c, size := utf8.DecodeRuneInString(body)
		if c == utf8.RuneError && quote == '"' {
			return string(c), size, true // JSON replaces invalid bytes; Go rejects the literal
		}
		return body[:size], size, true
	case len(body) > 1 && body[1] == '/':
		return "/", 2, true // JSON only
	}
	if c, size := surrogates(body); size > 0 {
		return string(c), size, true
	}
	c, multibyte, tail, err := strconv.UnquoteChar(body, quote)
	if err != nil {
		return "", 0, false
	}
	if c < utf8.RuneSelf || multibyte {
		return string(c), len(body) - len(tail), true
	}
	return string([]byte{byte(c)}), len(body) - len(tail), true
}

// surrogates decodes \uXXXX of a surrogate, or of a pair of surrogates; size is 0 for everything else.
func surrogates(body string) (c rune, size int) {
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
	first := unit(body)
	if !utf16.IsSurrogate(first) {
		return 0, 0
	}
	if pair := utf16.DecodeRune(first, unit(body[6:])); pair != utf8.RuneError {
		return pair, 12
	}
	return utf8.RuneError, 6
}
