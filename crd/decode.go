// Code generated from internal/support of crdproof. DO NOT EDIT.

package crd

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

// decode decodes an object as an API server does. If it can, it also sets defaults, and reports that the object is
// ready: there is nothing to prune and no default is missing. The values of such an object are validated with v, unless
// it is nil: v counts failures, but reports none. The warnings, which may be nil, get the keys that an object has
// twice, of which the last one counts. The object is nil if it cannot be decoded, for the reason of decodingError.
func decode(raw []byte, t *Type, v *Validation, warnings *warningList) (object map[string]any, isReady bool) {
	if !mayBeJSON(raw) {
		return nil, false
	}
	var members [32]jsonMember
	var items [16]any
	r := decoder{v: v, members: members[:0], items: items[:0]}
	r.start(raw)
	value, ok := r.decode(t, 0)
	if object, isObject := value.(map[string]any); ok && isObject && r.at == len(r.text) {
		if r.repeats && warnings != nil {
			warnOfRepeats(r, warnings)
		}
		return object, !r.unready && !r.repeats
	}
	return nil, false
}

// start begins to read a text.
func (r *decoder) start(raw []byte) {
	r.text = string(raw)
	r.isPlain, r.isUTF8 = isPlainText(raw), utf8.ValidString(r.text)
	r.skip()
}

// longText is the number of bytes from which a text is read twice: first without memory for its values, to find out
// whether it is JSON.
const longText = 16 << 10

// mayBeJSON reports whether a text is short, or JSON.
func mayBeJSON(raw []byte) bool {
	text := jsonText[[]byte]{text: raw}
	return len(raw) <= longText || text.isValue()
}

// decodingError says why an object cannot be decoded.
func decodingError(raw []byte) error {
	var object map[string]any
	if err := utiljson.Unmarshal(raw, &object); err != nil {
		return err
	}
	return errors.New("expected a JSON object, got null")
}

// A decoder reads JSON. While it reads, it follows the structure of the schema: no field has to be looked up for
// what is done here.
type decoder struct {
	jsonText[string]
	// isPlain is set if no string contains an escape or a control character, isUTF8 if all are valid UTF-8.
	isPlain, isUTF8 bool
	// v validates values, until one is invalid; nil validates none.
	v *Validation
	// unready is set if there may be something to prune or to default, repeats if an object has a key twice.
	unready, repeats bool
	// members and items are those of the objects and lists that are being read.
	members []jsonMember
	items   []any
}

// A jsonMember is a member of an object.
type jsonMember struct {
	name  string
	value any
	// typ is that of a member of a flat object, or nil. Its value may be unread: a text.
	typ  *Type
	text string
}

// decode reads a value of a type, which may be nil, and white space after it. The depth is the number of lists and
// objects around it. It returns false for what an API server cannot decode.
func (r *decoder) decode(t *Type, depth int) (value any, ok bool) {
	switch {
	case r.at == len(r.text):
		return nil, false
	case r.text[r.at] == '"':
		text, ok := r.decodeString()
		value = text
		if t != nil && r.v != nil && !t.hasText(text) {
			r.check(value, t)
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
	if t != nil {
		r.check(value, t)
	}
	return value, true
}

// check validates a value. After an error the others do not matter: the whole object is validated again.
func (r *decoder) check(value any, t *Type) {
	if r.v != nil {
		r.v.Check(value, t)
		r.goOn()
	}
}

// goOn validates more values unless there is an error.
func (r *decoder) goOn() {
	if r.v != nil && r.v.failures > 0 {
		r.v = nil
	}
}

func (r *decoder) decodeObject(t *Type, depth int) (object map[string]any, ok bool) {
	start, next := len(r.members), 0
	if depth > deepest {
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
		r.members = append(r.members, jsonMember{name: name, value: value})
		if len(r.members)-start == manyMembers {
			object = r.addMembers(object, start)
		}
	}
	var members []jsonMember
	if object == nil {
		members = r.members[start:]
	}
	object = r.addMembers(object, start)
	if t != nil {
		r.complete(object, members, t)
	}
	return object, true
}

// manyMembers is the number of members that are added to an object together. So the map of most objects is made
// once.
const manyMembers = 64

// addMembers adds the members that were read to an object, which may be nil.
func (r *decoder) addMembers(object map[string]any, start int) map[string]any {
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
func (r *decoder) decodeField(name string, t *Type, next, depth int) (any, int, bool) {
	below := t.Values
	at, found := t.find(name, next)
	if found {
		below, next = t.Fields[at].Type, at+1
	}
	if t.Embedded && isMetaField(name) { // it is not pruned
		value, ok := r.decode(nil, depth)
		if below != nil && value == nil {
			r.unready = true
		} else if below != nil {
			below.setDefaults(value)
			r.check(value, below)
		}
		return value, next, ok
	}
	value, ok := r.decode(below, depth)
	switch {
	case below == nil:
		r.unready = r.unready || t.Open && holdsParts(value) || !t.Open && !t.Preserve
	case value == nil:
		r.unready = r.unready || !below.Nullable
	}
	return value, next, ok
}

// complete sets the defaults of an object that has been read, and validates it without its fields.
func (r *decoder) complete(object map[string]any, members []jsonMember, t *Type) {
	for i := range t.Defaults {
		d := &t.Defaults[i]
		if hasMember(object, members, d.Name) {
			continue
		}
		value := copied(d.Value)
		object[d.Name] = value
		r.check(value, t.field(d.Name))
	}
	if r.v == nil {
		return
	}
	r.v.checkObject(object, t)
	for _, name := range t.Needs {
		if !hasMember(object, members, name) {
			if _, ok := object[name]; !ok {
				r.v.failures++
			}
		}
	}
	r.goOn()
}

// hasMember reports whether an object had a member when it was read. Few are compared; of many, which may be nil, it
// is looked up.
func hasMember(object map[string]any, members []jsonMember, name string) bool {
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

func (r *decoder) decodeList(t *Type, depth int) (any, bool) {
	start := len(r.items)
	if depth > deepest {
		return nil, false
	}
	r.next('[')
	var below *Type
	if t != nil {
		below = t.Items
		if below != nil && t.Preserve {
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
				r.unready = r.unready || below == nil && !t.Preserve && holdsParts(item) ||
					item == nil && t.ItemDefault != nil
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
		r.v.checkKind(list, t, "array")
		r.v.checkList(list, t)
		r.goOn()
	}
	return list, true
}

// decodeString reads a string, and white space after it.
func (r *decoder) decodeString() (string, bool) {
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
	return unescapeJSON(text), true
}

// isPlainText reports whether a text contains neither backslashes nor control characters.
func isPlainText(text []byte) bool {
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

// unescapeJSON replaces the escapes of a string of valid JSON, and bytes that are not UTF-8, as encoding/json does.
func unescapeJSON(text string) string {
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
			char := escapedRune(text)
			text = text[escapeSize:]
			if utf16.IsSurrogate(char) {
				char = utf16.DecodeRune(char, escapedRune(text))
				if char != utf8.RuneError {
					text = text[escapeSize:]
				}
			}
			out = utf8.AppendRune(out, char)
		}
	}
	return string(out)
}

// escapeSize is the length of an escape such as \u00e9.
const escapeSize = 6

// escapedRune is the rune of the escape with which a text begins, or -1.
func escapedRune(text string) rune {
	if len(text) < escapeSize || text[:2] != `\u` {
		return -1
	}
	char, _ := strconv.ParseUint(text[2:escapeSize], 16, 16) // it is valid
	return rune(char)
}

// decodeNumber reads a number, and white space after it. An integer that is too large for int64 is a float.
func (r *decoder) decodeNumber() (any, bool) {
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
