package support

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// The string functions of CEL (cel-go, ext/strings.go, version 2), where positions count characters. A byte that is
// not valid UTF-8 counts as the replacement character, and becomes one in the results of functions that build
// strings.

// crdCharAt is the character at a position, or the empty string after the last one.
func crdCharAt(s string, index int64) crdResult[string] {
	start := crdOffset(s, index)
	switch {
	case start < 0:
		return crdOutOfRange[string](index)
	case start == len(s):
		return crdOK("")
	}
	_, size := utf8.DecodeRuneInString(s[start:])
	return crdOK(crdCharacters(s[start : start+size]))
}

// crdSubstringFrom is the text from a position to the end.
func crdSubstringFrom(s string, start int64) crdResult[string] {
	offset := crdOffset(s, start)
	if offset < 0 {
		return crdOutOfRange[string](start)
	}
	return crdOK(crdCharacters(s[offset:]))
}

// crdSubstring is the text between two positions.
func crdSubstring(s string, start, end int64) crdResult[string] {
	if start > end {
		return crdFailed[string]("invalid substring range. start: " + strconv.FormatInt(start, 10) +
			", end: " + strconv.FormatInt(end, 10))
	}
	from := crdOffset(s, start)
	if from < 0 {
		return crdOutOfRange[string](start)
	}
	length := crdOffset(s[from:], end-start)
	if length < 0 {
		return crdOutOfRange[string](end)
	}
	return crdOK(crdCharacters(s[from : from+length]))
}

// crdIndexOf is the position of the first occurrence, or -1.
func crdIndexOf(s, part string) int64 {
	s = crdCharacters(s)
	return crdPosition(s, strings.Index(s, crdCharacters(part)))
}

// crdIndexOfFrom is the position of the first occurrence that does not begin before a position, or -1.
func crdIndexOfFrom(s, part string, from int64) crdResult[int64] {
	if from < 0 {
		return crdOutOfRange[int64](from)
	}
	if part == "" {
		return crdOK(min(from, int64(utf8.RuneCountInString(s))))
	}
	s = crdCharacters(s)
	offset := crdOffset(s, from)
	if offset < 0 {
		return crdOK[int64](-1)
	}
	index := strings.Index(s[offset:], crdCharacters(part))
	if index < 0 {
		return crdOK[int64](-1)
	}
	return crdOK(crdPosition(s, offset+index))
}

// crdLastIndexOf is the position of the last occurrence, or -1.
func crdLastIndexOf(s, part string) int64 {
	if len(s) < len(part) {
		return -1 // in any case: a replacement character is longer than the byte that it replaces
	}
	s = crdCharacters(s)
	return crdPosition(s, strings.LastIndex(s, crdCharacters(part)))
}

// crdLastIndexOfFrom is the position of the last occurrence that does not begin after a position, or -1.
func crdLastIndexOfFrom(s, part string, from int64) crdResult[int64] {
	if from < 0 {
		return crdOutOfRange[int64](from)
	}
	length := int64(utf8.RuneCountInString(s))
	if part == "" {
		return crdOK(min(from, length))
	}
	if from >= length {
		return crdOK[int64](-1)
	}
	s, part = crdCharacters(s), crdCharacters(part)
	size := int64(utf8.RuneCountInString(part))
	if size > length {
		return crdOK[int64](-1)
	}
	end := crdOffset(s, min(from, length-size)+size)
	return crdOK(crdPosition(s, strings.LastIndex(s[:end], part)))
}

// crdLowerASCII converts the letters A to Z to lowercase.
func crdLowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + ('a' - 'A')
		}
		return r
	}, s)
}

// crdUpperASCII converts the letters a to z to uppercase.
func crdUpperASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' {
			return r - ('a' - 'A')
		}
		return r
	}, s)
}

// crdReplace replaces the first occurrences of a substring, up to the limit, or all if it is negative.
func crdReplace(s, old, replacement string, limit int64) string {
	return strings.Replace(s, old, replacement, int(limit))
}

// crdSplit is the text between the separators.
func crdSplit(s, separator string) crdList {
	return crdStrings(strings.Split(s, separator))
}

// crdSplitN is the text between the separators in at most n parts, or all if n is negative.
func crdSplitN(s, separator string, limit int64) crdList {
	return crdStrings(strings.SplitN(s, separator, int(limit)))
}

// crdQuote formats a string as a CEL literal.
func crdQuote(s string) string {
	var out strings.Builder
	out.WriteByte('"')
	for _, r := range s {
		const escaped, letters = "\a\b\f\n\r\t\v\\\"", "abfnrtv\\\""
		if i := strings.IndexRune(escaped, r); i >= 0 && r < utf8.RuneSelf {
			out.WriteByte('\\')
			out.WriteByte(letters[i])
		} else {
			out.WriteRune(r)
		}
	}
	out.WriteByte('"')
	return out.String()
}

// crdStringSize is the number of characters.
func crdStringSize(s string) int64 { return int64(utf8.RuneCountInString(s)) }

// crdOffset is the offset of the character at a position, the length of the string for the position after the last
// one, and -1 for any other.
func crdOffset(s string, position int64) int {
	if position < 0 {
		return -1
	}
	for offset := range s {
		if position == 0 {
			return offset
		}
		position--
	}
	if position == 0 {
		return len(s)
	}
	return -1
}

// crdPosition is the position of the character that begins at an offset; -1 stays -1.
func crdPosition(s string, offset int) int64 {
	if offset < 0 {
		return -1
	}
	return int64(utf8.RuneCountInString(s[:offset]))
}

// crdCharacters is a string with the replacement character for each byte that is not valid UTF-8.
func crdCharacters(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}

func crdOutOfRange[T any](index int64) crdResult[T] {
	return crdFailed[T]("index out of range: " + strconv.FormatInt(index, 10))
}

// crdStrings is a list of strings.
func crdStrings(list []string) crdList {
	items := make([]any, len(list))
	for i, s := range list {
		items[i] = s
	}
	return crdList{items: items}
}
