package support

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// The string functions of CEL (cel-go, ext/strings.go, version 2), where positions count characters. A byte that is
// not valid UTF-8 counts as the replacement character, and becomes one in the results of functions that build
// strings.

// CharAt is the character at a position, or the empty string after the last one.
func CharAt(s string, index int64) Result[string] {
	start := byteOffset(s, index)
	switch {
	case start < 0:
		return outOfRange[string](index)
	case start == len(s):
		return OK("")
	}
	_, size := utf8.DecodeRuneInString(s[start:])
	return OK(characters(s[start : start+size]))
}

// SubstringFrom is the text from a position to the end.
func SubstringFrom(s string, start int64) Result[string] {
	offset := byteOffset(s, start)
	if offset < 0 {
		return outOfRange[string](start)
	}
	return OK(characters(s[offset:]))
}

// Substring is the text between two positions.
func Substring(s string, start, end int64) Result[string] {
	if start > end {
		return failWith[string]("invalid substring range. start: " + strconv.FormatInt(start, 10) +
			", end: " + strconv.FormatInt(end, 10))
	}
	from := byteOffset(s, start)
	if from < 0 {
		return outOfRange[string](start)
	}
	length := byteOffset(s[from:], end-start)
	if length < 0 {
		return outOfRange[string](end)
	}
	return OK(characters(s[from : from+length]))
}

// IndexOf is the position of the first occurrence, or -1.
func IndexOf(s, part string) int64 {
	s = characters(s)
	return runePosition(s, strings.Index(s, characters(part)))
}

// IndexOfFrom is the position of the first occurrence that does not begin before a position, or -1.
func IndexOfFrom(s, part string, from int64) Result[int64] {
	if from < 0 {
		return outOfRange[int64](from)
	}
	if part == "" {
		return OK(min(from, int64(utf8.RuneCountInString(s))))
	}
	s = characters(s)
	offset := byteOffset(s, from)
	if offset < 0 {
		return OK[int64](-1)
	}
	index := strings.Index(s[offset:], characters(part))
	if index < 0 {
		return OK[int64](-1)
	}
	return OK(runePosition(s, offset+index))
}

// LastIndexOf is the position of the last occurrence, or -1.
func LastIndexOf(s, part string) int64 {
	if len(s) < len(part) {
		return -1 // in any case: a replacement character is longer than the byte that it replaces
	}
	s = characters(s)
	return runePosition(s, strings.LastIndex(s, characters(part)))
}

// LastIndexOfFrom is the position of the last occurrence that does not begin after a position, or -1.
func LastIndexOfFrom(s, part string, from int64) Result[int64] {
	if from < 0 {
		return outOfRange[int64](from)
	}
	length := int64(utf8.RuneCountInString(s))
	if part == "" {
		return OK(min(from, length))
	}
	if from >= length {
		return OK[int64](-1)
	}
	s, part = characters(s), characters(part)
	size := int64(utf8.RuneCountInString(part))
	if size > length {
		return OK[int64](-1)
	}
	end := byteOffset(s, min(from, length-size)+size)
	return OK(runePosition(s, strings.LastIndex(s[:end], part)))
}

// LowerASCII converts the letters A to Z to lowercase.
func LowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + ('a' - 'A')
		}
		return r
	}, s)
}

// UpperASCII converts the letters a to z to uppercase.
func UpperASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' {
			return r - ('a' - 'A')
		}
		return r
	}, s)
}

// Replace replaces the first occurrences of a substring, up to the limit, or all if it is negative.
func Replace(s, old, replacement string, limit int64) string {
	return strings.Replace(s, old, replacement, int(limit))
}

// Split is the text between the separators.
func Split(s, separator string) List {
	return stringList(strings.Split(s, separator))
}

// SplitN is the text between the separators in at most n parts, or all if n is negative.
func SplitN(s, separator string, limit int64) List {
	return stringList(strings.SplitN(s, separator, int(limit)))
}

// Quote formats a string as a CEL literal.
func Quote(s string) string {
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

// StringSize is the number of characters.
func StringSize(s string) int64 { return int64(utf8.RuneCountInString(s)) }

// byteOffset is the offset of the character at a position, the length of the string for the position after the last
// one, and -1 for any other.
func byteOffset(s string, position int64) int {
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

// runePosition is the position of the character that begins at an offset; -1 stays -1.
func runePosition(s string, offset int) int64 {
	if offset < 0 {
		return -1
	}
	return int64(utf8.RuneCountInString(s[:offset]))
}

// characters is a string with the replacement character for each byte that is not valid UTF-8.
func characters(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}

func outOfRange[T any](index int64) Result[T] {
	return failWith[T]("index out of range: " + strconv.FormatInt(index, 10))
}

// stringList is a list of strings.
func stringList(list []string) List {
	items := make([]any, len(list))
	for i, s := range list {
		items[i] = s
	}
	return List{Items: items}
}
