package support

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// This file reads JSON. It knows what is common, and is certain about that: everything else is left to the decoder of
// API servers (sigs.k8s.io/json).

// crdAdmit decodes, prunes, defaults and validates the JSON of an object, and of the one that it replaces, if that is
// not nil.
func crdAdmit(raw, old []byte, t *crdType, prune func(map[string]any) []string, defaults func(map[string]any),
	validate func(obj, old map[string]any) (field.ErrorList, []string),
) (obj map[string]any, errs field.ErrorList, warnings []string, err error) {
	obj, warnings, err = crdDecode(raw, t)
	if err != nil {
		return nil, nil, nil, err
	}
	warnings = crdStrictWarnings(warnings, prune(obj))
	defaults(obj)
	var before map[string]any
	if old != nil {
		if before, _, err = crdDecode(old, t); err != nil {
			return nil, nil, nil, err
		}
		prune(before)
		defaults(before)
	}
	errs, unchanged := validate(obj, before)
	return obj, errs, append(warnings, unchanged...), nil
}

// crdDecode decodes an object as an API server does. The texts are about keys that an object has twice, of which the
// last one counts. The type, which may be nil, saves the allocation of known keys.
func crdDecode(raw []byte, t *crdType) (object map[string]any, duplicates []string, err error) {
	r := crdJSONText[string]{text: string(raw)}
	r.skip()
	if value, ok := r.decode(t, 0); ok && r.at == len(raw) {
		if object, ok := value.(map[string]any); ok {
			return object, nil, nil
		}
	}
	if err := utiljson.Unmarshal(raw, &object); err != nil {
		return nil, nil, err
	}
	if object == nil {
		return nil, nil, errors.New("expected a JSON object, got null")
	}
	repeats := crdRepeatedKeys{decoder: json.NewDecoder(bytes.NewReader(raw))}
	repeats.decoder.UseNumber()
	repeats.value("", true)
	return object, repeats.found, nil
}

// crdRepeatedKeys finds the keys that objects have twice.
type crdRepeatedKeys struct {
	decoder *json.Decoder
	found   []string
}

// value reads a value of valid JSON. The root has no path.
func (r *crdRepeatedKeys) value(path string, isRoot bool) {
	const most = 100 // as in sigs.k8s.io/json, saveStrictError
	switch start, _ := r.decoder.Token(); start {
	case json.Delim('{'):
		seen := map[string]bool{}
		for r.decoder.More() {
			key, _ := r.decoder.Token()
			name, _ := key.(string)
			below := name
			if !isRoot {
				below = path + "." + name
			}
			text := "duplicate field " + strconv.Quote(below)
			if seen[name] && len(r.found) < most && !slices.Contains(r.found, text) {
				r.found = append(r.found, text)
			}
			seen[name] = true
			r.value(below, false)
		}
	case json.Delim('['):
		for i := 0; r.decoder.More(); i++ {
			r.value(path+"["+strconv.Itoa(i)+"]", false)
		}
	default:
		return
	}
	_, _ = r.decoder.Token() // the end
}

// crdStrictWarnings are the warnings about fields that an object has twice, or that the schema does not have.
func crdStrictWarnings(repeated, unknown []string) []string {
	for _, path := range unknown {
		repeated = append(repeated, `unknown field "`+path+`"`)
	}
	return repeated
}

// decode reads a value, and white space after it. It returns false for what is not common: keys that an object has
// twice, unusual numbers and characters, deep nesting, and what is not JSON.
func (r *crdJSONText[T]) decode(t *crdType, depth int) (value any, ok bool) {
	switch {
	case r.at == len(r.text) || depth > crdDeepestText:
		return nil, false
	case r.next('{'):
		return r.decodeObject(t, depth)
	case r.next('['):
		return r.decodeList(t, depth)
	case r.text[r.at] == '"':
		text, ok := r.decodeString()
		return text, ok
	case r.word("true"):
		return true, true
	case r.word("false"):
		return false, true
	case r.word("null"):
		return nil, true
	}
	return r.decodeNumber()
}

func (r *crdJSONText[T]) decodeObject(t *crdType, depth int) (any, bool) {
	start := len(r.members)
	if r.next('}') {
		return map[string]any{}, true
	}
	for {
		name, below, ok := r.decodeKey(t)
		if !ok || !r.next(':') {
			return nil, false
		}
		value, ok := r.decode(below, depth+1)
		if !ok {
			return nil, false
		}
		r.members = append(r.members, crdJSONMember{name, value})
		if !r.next(',') {
			break
		}
	}
	members := r.members[start:]
	object := make(map[string]any, len(members))
	for i := range members {
		object[members[i].name] = members[i].value
	}
	r.members = r.members[:start]
	return object, r.next('}') && len(object) == len(members)
}

func (r *crdJSONText[T]) decodeList(t *crdType, depth int) (any, bool) {
	start := len(r.items)
	if r.next(']') {
		return []any{}, true
	}
	var below *crdType
	if t != nil {
		below = t.items
	}
	for {
		item, ok := r.decode(below, depth+1)
		if !ok {
			return nil, false
		}
		r.items = append(r.items, item)
		if !r.next(',') {
			break
		}
	}
	list := append(make([]any, 0, len(r.items)-start), r.items[start:]...)
	r.items = r.items[:start]
	return list, r.next(']')
}

// decodeKey reads a key, and returns the type of its value, nil if it is unknown.
func (r *crdJSONText[T]) decodeKey(t *crdType) (name string, below *crdType, ok bool) {
	start := r.at
	if t == nil || !r.string() {
		r.at = start
		name, ok = r.decodeString()
		return name, nil, ok
	}
	text := r.text[start+1 : r.end]
	if strings.Contains(string(text), `\`) {
		r.at = start
		name, ok = r.decodeString()
		return name, t.member(name), ok
	}
	low, high := 0, len(t.fields)
	for low < high {
		if middle := (low + high) / 2; t.fields[middle].name < string(text) {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low < len(t.fields) && t.fields[low].name == string(text) {
		return t.fields[low].name, t.fields[low].typ, true
	}
	r.at = start
	name, ok = r.decodeString()
	return name, t.values, ok
}

// decodeString reads a string of valid UTF-8 without surrogates.
func (r *crdJSONText[T]) decodeString() (string, bool) {
	start := r.at + 1
	plain := true
	if r.at == len(r.text) || r.text[r.at] != '"' {
		return "", false
	}
	for r.at++; r.at < len(r.text) && r.text[r.at] != '"'; r.at++ {
		switch c := r.text[r.at]; {
		case c < ' ':
			return "", false
		case c == '\\':
			plain = false
			r.at++
		}
	}
	if r.at >= len(r.text) {
		return "", false
	}
	text := r.text[start:r.at]
	r.at++
	r.skip()
	if whole := string(text); plain {
		return whole, utf8.ValidString(whole)
	}
	return crdUnescapeJSON(string(text))
}

// crdUnescapeJSON replaces the escapes of a string.
func crdUnescapeJSON(text string) (string, bool) {
	const escapes, meanings = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			out.WriteByte(text[i])
			continue
		}
		i++
		if at := strings.IndexByte(escapes, text[i]); at >= 0 {
			out.WriteByte(meanings[at])
			continue
		}
		if text[i] != 'u' || i+4 >= len(text) {
			return "", false
		}
		char, err := strconv.ParseUint(text[i+1:i+5], 16, 16)
		if err != nil || 0xd800 <= char && char < 0xe000 {
			return "", false
		}
		out.WriteRune(rune(char))
		i += 4
	}
	return out.String(), utf8.ValidString(text)
}

// decodeNumber reads a number.
func (r *crdJSONText[T]) decodeNumber() (any, bool) {
	const mostDigits = 18 // of integers that fit
	start := r.at
	if !r.number() {
		return nil, false
	}
	text := string(r.text[start:r.end])
	if !strings.ContainsAny(text, ".eE") {
		if len(text) > mostDigits || text == "-0" {
			return nil, false
		}
		i, err := strconv.ParseInt(text, 10, 64)
		return i, err == nil
	}
	f, err := strconv.ParseFloat(text, 64)
	return f, err == nil
}

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
	// members and items are those of the objects and lists that are being decoded.
	members []crdJSONMember
	items   []any
}

// A crdJSONMember is a member of an object.
type crdJSONMember struct {
	name  string
	value any
}

// crdDeepestText is the deepest nesting that is common.
const crdDeepestText = 100

// skip skips white space.
func (r *crdJSONText[T]) skip() {
	for r.at < len(r.text) && (r.text[r.at] == ' ' || r.text[r.at] == '\n' || r.text[r.at] == '\t' || r.text[r.at] == '\r') {
		r.at++
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
	switch {
	case r.at == len(r.text) || depth > crdDeepestText:
		return false
	case r.next('{'):
		if r.next('}') {
			return true
		}
		for {
			if !r.string() || !r.next(':') || !r.value(depth+1) {
				return false
			}
			if !r.next(',') {
				return r.next('}')
			}
		}
	case r.next('['):
		if r.next(']') {
			return true
		}
		for {
			if !r.value(depth + 1) {
				return false
			}
			if !r.next(',') {
				return r.next(']')
			}
		}
	case r.text[r.at] == '"':
		return r.string()
	case r.word("true") || r.word("false") || r.word("null"):
		return true
	}
	return r.number()
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
	if r.at == len(r.text) || r.text[r.at] != '"' {
		return false
	}
	for r.at++; r.at < len(r.text); r.at++ {
		switch c := r.text[r.at]; {
		case c == '"':
			r.end = r.at
			r.at++
			r.skip()
			return true
		case c < ' ':
			return false
		case c == '\\':
			if r.at++; r.at == len(r.text) || !strings.ContainsRune(`"\/bfnrt`, rune(r.text[r.at])) {
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
