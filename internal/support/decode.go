package support

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// crdDecode decodes an object as an API server does. If it can, it also sets defaults, and reports that the object is
// ready: there is nothing to prune and no default is missing. The values of such an object are validated with v, unless
// it is nil: v counts failures, but reports none. The warnings, which may be nil, get the keys that an object has
// twice, of which the last one counts. The object is nil if it cannot be decoded, for the reason of crdDecodingError.
func crdDecode(raw []byte, t *crdType, v *crdValidation, warnings *crdWarnings) (object map[string]any, isReady bool) {
	if text := (crdJSONText[[]byte]{text: raw}); len(raw) > crdLongText && !text.isValue() {
		return nil, false
	}
	var members [32]crdJSONMember
	var items [16]any
	text := string(raw)
	r := crdDecoder{crdJSONText: crdJSONText[string]{text: text}, isPlain: crdIsPlainText(raw),
		isUTF8: utf8.ValidString(text), v: v, members: members[:0], items: items[:0]}
	r.skip()
	value, ok := r.decode(t, 0)
	if object, isObject := value.(map[string]any); ok && isObject && r.at == len(text) {
		if r.repeats && warnings != nil {
			crdWarnOfRepeats(r, warnings)
		}
		return object, !r.unready && !r.repeats
	}
	return nil, false
}

// crdLongText is the number of bytes from which a text is read twice: first without memory for its values, to find out
// whether it is JSON.
const crdLongText = 16 << 10

// crdDecodingError says why an object cannot be decoded.
func crdDecodingError(raw []byte) error {
	var object map[string]any
	if err := utiljson.Unmarshal(raw, &object); err != nil {
		return err
	}
	return errors.New("expected a JSON object, got null")
}

// A crdDecoder reads JSON. While it reads, it follows the structure of the schema: no field has to be looked up for
// what is done here.
type crdDecoder struct {
	crdJSONText[string]
	// isPlain is set if no string contains an escape or a control character, isUTF8 if all are valid UTF-8.
	isPlain, isUTF8 bool
	// v validates values; it may be nil.
	v *crdValidation
	// unready is set if there may be something to prune or to default, repeats if an object has a key twice.
	unready, repeats bool
	// members and items are those of the objects and lists that are being read.
	members []crdJSONMember
	items   []any
}

// A crdJSONMember is a member of an object.
type crdJSONMember struct {
	name  string
	value any
}

// decode reads a value of a type, which may be nil, and white space after it. The depth is the number of lists and
// objects around it. It returns false for what an API server cannot decode.
func (r *crdDecoder) decode(t *crdType, depth int) (value any, ok bool) {
	switch {
	case r.at == len(r.text):
		return nil, false
	case r.text[r.at] == '"':
		text, ok := r.decodeString()
		value = text
		if t != nil && r.v != nil && (t.own != nil || !t.hasText(text)) {
			r.v.check(value, t)
		}
		return value, ok
	case r.text[r.at] == '{':
		return r.decodeObject(t, depth+1)
	case r.text[r.at] == '[':
		return r.decodeList(t, depth+1)
	case r.word("true"):
		value = true
	case r.word("false"):
		value = false
	case r.word("null"):
	default:
		if value, ok = r.decodeNumber(); !ok {
			return nil, false
		}
	}
	if t != nil && r.v != nil {
		r.v.check(value, t)
	}
	return value, true
}

func (r *crdDecoder) decodeObject(t *crdType, depth int) (object map[string]any, ok bool) {
	start, next := len(r.members), 0
	if depth > crdDeepest {
		return nil, false
	}
	r.next('{')
	for isFirst := true; !r.next('}'); isFirst = false {
		if !isFirst && !r.next(',') {
			return nil, false
		}
		name, ok := r.decodeString()
		if !ok || !r.next(':') {
			return nil, false
		}
		var value any
		if t == nil {
			value, ok = r.decode(nil, depth)
		} else {
			value, next, ok = r.decodeField(name, t, next, depth)
		}
		if !ok {
			return nil, false
		}
		r.members = append(r.members, crdJSONMember{name, value})
		if len(r.members)-start == crdManyMembers {
			object = r.addMembers(object, start)
		}
	}
	var members []crdJSONMember
	if object == nil {
		members = r.members[start:]
	}
	object = r.addMembers(object, start)
	if t != nil {
		r.complete(object, members, t)
	}
	return object, true
}

// crdManyMembers is the number of members that are added to an object together. So the map of most objects is made
// once.
const crdManyMembers = 64

// addMembers adds the members that were read to an object, which may be nil.
func (r *crdDecoder) addMembers(object map[string]any, start int) map[string]any {
	members := r.members[start:]
	if object == nil {
		object = make(map[string]any, len(members))
	}
	size := len(object)
	for i := range members {
		object[members[i].name] = members[i].value
	}
	r.repeats = r.repeats || len(object) < size+len(members)
	r.members = r.members[:start]
	return object
}

// decodeField reads the value of a field of an object of a type. The field is probably the next one of the type.
func (r *crdDecoder) decodeField(name string, t *crdType, next, depth int) (any, int, bool) {
	below := t.values
	at, found := t.find(name, next)
	if found {
		below, next = t.fields[at].typ, at+1
	}
	if t.embedded && crdIsMeta(name) { // it is not pruned
		value, ok := r.decode(nil, depth)
		if below != nil && value == nil {
			r.unready = true
		} else if below != nil {
			below.setDefaults(value)
			if r.v != nil {
				r.v.check(value, below)
			}
		}
		return value, next, ok
	}
	value, ok := r.decode(below, depth)
	switch {
	case below == nil:
		r.unready = r.unready || t.open && crdHolds(value) || !t.open && !t.preserve
	case value == nil:
		r.unready = r.unready || !below.nullable
	}
	return value, next, ok
}

// complete sets the defaults of an object that has been read, and validates it without its fields.
func (r *crdDecoder) complete(object map[string]any, members []crdJSONMember, t *crdType) {
	for i := range t.defaults {
		d := &t.defaults[i]
		if crdHasMember(object, members, d.name) {
			continue
		}
		value := d.value()
		object[d.name] = value
		if r.v != nil {
			r.v.check(value, t.field(d.name))
		}
	}
	if r.v == nil {
		return
	}
	r.checkKind(object, t, "object")
	for _, name := range t.needs {
		if !crdHasMember(object, members, name) {
			if _, ok := object[name]; !ok {
				r.v.failures++
			}
		}
	}
}

// crdHasMember reports whether an object had a member when it was read. Few are compared; of many, which may be nil, it
// is looked up.
func crdHasMember(object map[string]any, members []crdJSONMember, name string) bool {
	const few = 12
	if members == nil || len(members) > few {
		_, ok := object[name]
		return ok
	}
	for i := range members {
		if members[i].name == name {
			return true
		}
	}
	return false
}

// checkKind validates a list or an object without what is in it.
func (r *crdDecoder) checkKind(value any, t *crdType, kind string) {
	switch {
	case t.own != nil:
		t.own(r.v, value)
	case t.name != kind && (t.name != "" || t.intOrString), t.only != nil:
		r.v.failures++
	}
}

func (r *crdDecoder) decodeList(t *crdType, depth int) (any, bool) {
	start := len(r.items)
	if depth > crdDeepest {
		return nil, false
	}
	r.next('[')
	var below *crdType
	if t != nil {
		below = t.items
		if below != nil && t.preserve {
			r.unready = true
		}
	}
	if !r.next(']') {
		for {
			item, ok := r.decode(below, depth)
			if !ok {
				return nil, false
			}
			if t != nil {
				r.unready = r.unready || below == nil && !t.preserve && crdHolds(item) ||
					item == nil && t.itemDefault != nil
			}
			r.items = append(r.items, item)
			if !r.next(',') {
				break
			}
		}
		if !r.next(']') {
			return nil, false
		}
	}
	size := len(r.items) - start
	var list any = append(make([]any, 0, size), r.items[start:]...)
	r.items = r.items[:start]
	if t != nil && r.v != nil {
		r.checkKind(list, t, "array")
		if size < t.minItems || t.maxItems > 0 && size > t.maxItems {
			r.v.failures++
		}
	}
	return list, true
}

// decodeString reads a string, and white space after it.
func (r *crdDecoder) decodeString() (string, bool) {
	start := r.at + 1
	if r.isPlain {
		if r.at == len(r.text) || r.text[r.at] != '"' {
			return "", false
		}
		size := strings.IndexByte(r.text[start:], '"')
		if size < 0 {
			return "", false
		}
		r.end, r.at = start+size, start+size+1
		r.skip()
	} else if !r.string() {
		return "", false
	}
	text := r.text[start:r.end]
	if r.isUTF8 && (r.isPlain || strings.IndexByte(text, '\\') < 0) {
		return text, true
	}
	return crdUnescapeJSON(text), true
}

// crdIsPlainText reports whether a text contains neither backslashes nor control characters.
func crdIsPlainText(text []byte) bool {
	const word, each = 8, 0x0101010101010101
	if bytes.IndexByte(text, '\\') >= 0 {
		return false
	}
	controls := uint64(0) // the highest bits of the bytes that are less than a space, and sometimes of others
	for ; len(text) >= word; text = text[word:] {
		x := binary.LittleEndian.Uint64(text)
		controls |= (x - each*' ') &^ x
	}
	for _, c := range text {
		controls |= uint64(c-' ') &^ uint64(c)
	}
	return controls&(each<<7) == 0
}

// crdUnescapeJSON replaces the escapes of a string of valid JSON, and bytes that are not UTF-8, as encoding/json does.
func crdUnescapeJSON(text string) string {
	const escapes, meanings = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	out := make([]byte, 0, len(text))
	for len(text) > 0 {
		switch c := text[0]; {
		case c != '\\':
			char, size := utf8.DecodeRuneInString(text)
			out, text = utf8.AppendRune(out, char), text[size:]
		case text[1] != 'u':
			out, text = append(out, meanings[strings.IndexByte(escapes, text[1])]), text[2:]
		default:
			char := crdEscapedRune(text)
			text = text[crdEscapeSize:]
			if utf16.IsSurrogate(char) {
				char = utf16.DecodeRune(char, crdEscapedRune(text))
				if char != utf8.RuneError {
					text = text[crdEscapeSize:]
				}
			}
			out = utf8.AppendRune(out, char)
		}
	}
	return string(out)
}

// crdEscapeSize is the length of an escape such as \u00e9.
const crdEscapeSize = 6

// crdEscapedRune is the rune of the escape with which a text begins, or -1.
func crdEscapedRune(text string) rune {
	if len(text) < crdEscapeSize || text[:2] != `\u` {
		return -1
	}
	char, _ := strconv.ParseUint(text[2:crdEscapeSize], 16, 16) // it is valid
	return rune(char)
}

// decodeNumber reads a number, and white space after it. An integer that is too large for int64 is a float.
func (r *crdDecoder) decodeNumber() (any, bool) {
	start := r.at
	if !r.number() {
		return nil, false
	}
	text := r.text[start:r.end]
	if strings.IndexByte(text, '.') < 0 {
		if i, err := strconv.ParseInt(text, 10, 64); err == nil {
			return i, true
		}
	}
	f, err := strconv.ParseFloat(text, 64)
	return f, err == nil
}
