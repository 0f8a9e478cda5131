package support

import "strings"

// This file reads JSON.

// IsJSON reports whether a text is certainly JSON that can be decoded, and not null: an object, if isObject is set.
// It is not certain about numbers with exponents or many digits, which may be too large.
func IsJSON(text []byte, isObject bool) bool {
	r := jsonText[[]byte]{text: text}
	r.skip()
	if r.at == len(text) || text[r.at] == 'n' || isObject && text[r.at] != '{' {
		return false
	}
	return r.value(0) && r.at == len(text) && !r.hasLongNumber
}

// A jsonText is a text that is being read.
type jsonText[T string | []byte] struct {
	text T
	at   int
	// end is that of the last string, before its quote, or of the last number.
	end int
	// hasLongNumber is set if a number has an exponent or many digits.
	hasLongNumber bool
}

// isValue reports whether the whole text is a value.
func (r *jsonText[T]) isValue() bool {
	r.skip()
	return r.value(0) && r.at == len(r.text)
}

// skip skips white space.
func (r *jsonText[T]) skip() {
	for r.at < len(r.text) && r.text[r.at] <= ' ' {
		switch r.text[r.at] {
		case ' ', '\n', '\t', '\r':
			r.at++
		default:
			return
		}
	}
}

// next reads a byte, if it is the next one, and white space after it.
func (r *jsonText[T]) next(c byte) bool {
	if r.at == len(r.text) || r.text[r.at] != c {
		return false
	}
	r.at++
	r.skip()
	return true
}

// value reads a value, and white space after it. The depth is the number of lists and objects around it.
func (r *jsonText[T]) value(depth int) bool {
	if r.at == len(r.text) {
		return false
	}
	switch r.text[r.at] {
	case '{':
		return r.group('}', depth+1)
	case '[':
		return r.group(']', depth+1)
	case '"':
		return r.string()
	case 't':
		return r.word("true")
	case 'f':
		return r.word("false")
	case 'n':
		return r.word("null")
	}
	const many = 15
	start := r.at
	isNumber := r.number()
	r.hasLongNumber = r.hasLongNumber || r.end-start > many
	return isNumber
}

// group reads an object or a list, which ends with a byte.
func (r *jsonText[T]) group(end byte, depth int) bool {
	r.at++
	r.skip()
	switch {
	case depth > deepest:
		return false
	case r.next(end):
		return true
	}
	for {
		if end == '}' && (!r.string() || !r.next(':')) || !r.value(depth) {
			return false
		}
		if !r.next(',') {
			return r.next(end)
		}
	}
}

// word reads a word.
func (r *jsonText[T]) word(word string) bool {
	if len(r.text)-r.at < len(word) || string(r.text[r.at:r.at+len(word)]) != word {
		return false
	}
	r.at += len(word)
	r.skip()
	return true
}

// string reads a string, and white space after it.
func (r *jsonText[T]) string() bool {
	text, at := r.text, r.at
	if at == len(text) || text[at] != '"' {
		return false
	}
	for at++; at < len(text); at++ {
		switch c := text[at]; {
		case c == '"':
			r.end, r.at = at, at+1
			r.skip()
			return true
		case c < ' ':
			return false
		case c == '\\':
			if at++; !r.isEscape(at) {
				return false
			}
		}
	}
	return false
}

// isEscape reports whether the text after a backslash completes an escape.
func (r *jsonText[T]) isEscape(at int) bool {
	const digits = 4
	switch {
	case at == len(r.text):
		return false
	case r.text[at] != 'u':
		return strings.IndexByte(`"\/bfnrt`, r.text[at]) >= 0
	case len(r.text)-at <= digits:
		return false
	}
	for _, c := range []byte(r.text[at+1 : at+1+digits]) {
		if !('0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F') {
			return false
		}
	}
	return true
}

// number reads a number, and white space after it.
func (r *jsonText[T]) number() bool {
	r.has('-')
	if r.digits() == 0 || r.text[r.end] == '0' && r.at-r.end > 1 {
		return false
	}
	if r.has('.') && r.digits() == 0 {
		return false
	}
	if r.has('e') || r.has('E') {
		r.hasLongNumber = true
		if !r.has('+') {
			r.has('-')
		}
		if r.digits() == 0 {
			return false
		}
	}
	r.end = r.at
	r.skip()
	return true
}

// has reads a byte, if it is the next one.
func (r *jsonText[T]) has(c byte) bool {
	if r.at == len(r.text) || r.text[r.at] != c {
		return false
	}
	r.at++
	return true
}

// digits reads digits and returns their number. Their start is the end of what was read before.
func (r *jsonText[T]) digits() int {
	r.end = r.at
	for r.at < len(r.text) && '0' <= r.text[r.at] && r.text[r.at] <= '9' {
		r.at++
	}
	return r.at - r.end
}
