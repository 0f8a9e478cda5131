package support

import "strings"

// This file reads JSON. It knows what is common, and is certain about that: everything else is left to others.

// crdIsJSON reports whether a text is certainly JSON that can be decoded, and not null: an object, if isObject is set.
// It knows only common JSON: no numbers with exponents or many digits, and no deep nesting.
func crdIsJSON(text []byte, isObject bool) bool {
	r := crdJSONText[[]byte]{text: text}
	r.skip()
	if r.at == len(text) || text[r.at] == 'n' || isObject && text[r.at] != '{' {
		return false
	}
	return r.value(0) && r.at == len(text)
}

// A crdJSONText is a text that is being read.
type crdJSONText[T string | []byte] struct {
	text T
	at   int
	// end is that of the last string, before its quote, or of the last number.
	end int
}

// crdDeepestText is the deepest nesting that is common.
const crdDeepestText = 100

// skip skips white space.
func (r *crdJSONText[T]) skip() {
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
func (r *crdJSONText[T]) next(c byte) bool {
	if r.at == len(r.text) || r.text[r.at] != c {
		return false
	}
	r.at++
	r.skip()
	return true
}

// value reads a value, and white space after it.
func (r *crdJSONText[T]) value(depth int) bool {
	if r.at == len(r.text) || depth > crdDeepestText {
		return false
	}
	switch r.text[r.at] {
	case '{':
		return r.group('}', depth)
	case '[':
		return r.group(']', depth)
	case '"':
		return r.string()
	case 't':
		return r.word("true")
	case 'f':
		return r.word("false")
	case 'n':
		return r.word("null")
	}
	return r.number()
}

// group reads an object or a list, which ends with a byte.
func (r *crdJSONText[T]) group(end byte, depth int) bool {
	r.at++
	r.skip()
	if r.next(end) {
		return true
	}
	for {
		if end == '}' && (!r.string() || !r.next(':')) || !r.value(depth+1) {
			return false
		}
		if !r.next(',') {
			return r.next(end)
		}
	}
}

// word reads a word.
func (r *crdJSONText[T]) word(word string) bool {
	if len(r.text)-r.at < len(word) || string(r.text[r.at:r.at+len(word)]) != word {
		return false
	}
	r.at += len(word)
	r.skip()
	return true
}

// string reads a string, which may have only the short escapes.
func (r *crdJSONText[T]) string() bool {
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
			if at++; at == len(text) || strings.IndexByte(`"\/bfnrt`, text[at]) < 0 {
				return false
			}
		}
	}
	return false
}

// number reads a number.
func (r *crdJSONText[T]) number() bool {
	const most = 15
	start := r.at
	if r.text[r.at] == '-' {
		r.at++
	}
	whole := r.digits()
	if whole == 0 || whole > 1 && r.text[r.at-whole] == '0' {
		return false
	}
	if r.at < len(r.text) && r.text[r.at] == '.' {
		if r.at++; r.digits() == 0 {
			return false
		}
	}
	if r.at-start > most || r.at < len(r.text) && (r.text[r.at] == 'e' || r.text[r.at] == 'E') {
		return false
	}
	r.end = r.at
	r.skip()
	return true
}

// digits reads digits and returns their number.
func (r *crdJSONText[T]) digits() (n int) {
	for r.at < len(r.text) && '0' <= r.text[r.at] && r.text[r.at] <= '9' {
		r.at++
		n++
	}
	return n
}
