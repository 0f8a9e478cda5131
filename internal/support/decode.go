package support

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// crdDecode decodes an object as an API server does. If it can, it also sets defaults, and reports that the object is
// ready: there is nothing to prune and no default is missing. The values of such an object are validated with v, unless
// it is nil: v counts failures, but reports none. The texts are about keys that an object has twice, of which the last
// one counts.
func crdDecode(raw []byte, t *crdType, v *crdValidation) (object map[string]any, isReady bool, duplicates []string,
	err error) {
	var members [32]crdJSONMember
	var items [16]any
	r := crdDecoder{crdJSONText: crdJSONText[string]{text: string(raw)}, isPlain: crdIsPlainText(raw), v: v,
		members: members[:0], items: items[:0]}
	r.skip()
	if utf8.ValidString(r.text) {
		if value, ok := r.decode(t, 0); ok && r.at == len(r.text) {
			if object, ok := value.(map[string]any); ok {
				return object, !r.unready, nil, nil
			}
		}
	}
	if err := utiljson.Unmarshal(raw, &object); err != nil {
		return nil, false, nil, err
	}
	if object == nil {
		return nil, false, nil, errors.New("expected a JSON object, got null")
	}
	repeats := crdRepeatedKeys{decoder: json.NewDecoder(bytes.NewReader(raw))}
	repeats.decoder.UseNumber()
	repeats.value("", true)
	return object, false, repeats.found, nil
}

// crdRepeatedKeys finds the keys that objects have twice.
type crdRepeatedKeys struct {
	decoder *json.Decoder
	found   []string
}

// crdMostStrict is how many strict errors of an object are reported (sigs.k8s.io/json, saveStrictError).
const crdMostStrict = 100

// value reads a value of valid JSON. The root has no path.
func (r *crdRepeatedKeys) value(path string, isRoot bool) {
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
			if seen[name] && len(r.found) < crdMostStrict && !slices.Contains(r.found, text) {
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

// A crdDecoder reads JSON that is common, valid UTF-8. While it reads, it follows the structure of the schema: no field
// has to be looked up for what is done here.
type crdDecoder struct {
	crdJSONText[string]
	// isPlain is set if no string contains an escape or a control character.
	isPlain bool
	// v validates values; it may be nil.
	v *crdValidation
	// unready is set if there may be something to prune or to default.
	unready bool
	// members and items are those of the objects and lists that are being read.
	members []crdJSONMember
	items   []any
}

// A crdJSONMember is a member of an object.
type crdJSONMember struct {
	name  string
	value any
}

// decode reads a value of a type, which may be nil, and white space after it. It returns false for what is not common:
// keys that an object has twice, unusual numbers and characters, deep nesting, and what is not JSON.
func (r *crdDecoder) decode(t *crdType, depth int) (value any, ok bool) {
	switch {
	case r.at == len(r.text) || depth > crdDeepestText:
		return nil, false
	case r.text[r.at] == '"':
		text, ok := r.decodeString()
		value = text
		if t != nil && r.v != nil && (t.own != nil || !t.hasText(text)) {
			r.v.check(value, t)
		}
		return value, ok
	case r.next('{'):
		return r.decodeObject(t, depth)
	case r.next('['):
		return r.decodeList(t, depth)
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

func (r *crdDecoder) decodeObject(t *crdType, depth int) (any, bool) {
	start, next := len(r.members), 0
	if !r.next('}') {
		for {
			name, ok := r.decodeString()
			if !ok || !r.next(':') {
				return nil, false
			}
			var value any
			if t == nil {
				value, ok = r.decode(nil, depth+1)
			} else {
				value, next, ok = r.decodeField(name, t, next, depth)
			}
			if !ok {
				return nil, false
			}
			r.members = append(r.members, crdJSONMember{name, value})
			if !r.next(',') {
				break
			}
		}
		if !r.next('}') {
			return nil, false
		}
	}
	members := r.members[start:]
	object := make(map[string]any, len(members))
	for i := range members {
		object[members[i].name] = members[i].value
	}
	isWhole := len(object) == len(members)
	if t != nil {
		r.complete(object, members, t)
	}
	r.members = r.members[:start]
	return object, isWhole
}

// decodeField reads the value of a field of an object of a type. The field is probably the next one of the type.
func (r *crdDecoder) decodeField(name string, t *crdType, next, depth int) (any, int, bool) {
	below := t.values
	at, found := t.find(name, next)
	if found {
		below, next = t.fields[at].typ, at+1
	}
	if t.embedded && crdIsMeta(name) { // it is not pruned
		value, ok := r.decode(nil, depth+1)
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
	value, ok := r.decode(below, depth+1)
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

// crdHasMember reports whether an object had a member when it was read. Few are compared, of many it is looked up.
func crdHasMember(object map[string]any, members []crdJSONMember, name string) bool {
	const few = 12
	if len(members) > few {
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
	var below *crdType
	if t != nil {
		below = t.items
		if below != nil && t.preserve {
			r.unready = true
		}
	}
	if !r.next(']') {
		for {
			item, ok := r.decode(below, depth+1)
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

// decodeString reads a string without surrogates.
func (r *crdDecoder) decodeString() (string, bool) {
	text := r.text
	start := r.at + 1
	if r.at == len(text) || text[r.at] != '"' {
		return "", false
	}
	if r.isPlain {
		size := strings.IndexByte(text[start:], '"')
		if size < 0 {
			return "", false
		}
		r.at = start + size + 1
		r.skip()
		return text[start : start+size], true
	}
	plain := true
	for at := start; at < len(text); at++ {
		switch c := text[at]; {
		case c == '"':
			r.at = at + 1
			r.skip()
			if plain {
				return text[start:at], true
			}
			return crdUnescapeJSON(text[start:at])
		case c < ' ':
			return "", false
		case c == '\\':
			plain = false
			at++
		}
	}
	return "", false
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
	return out.String(), true
}

// decodeNumber reads a number.
func (r *crdDecoder) decodeNumber() (any, bool) {
	start := r.at
	if !r.number() {
		return nil, false
	}
	text := r.text[start:r.end]
	if strings.Contains(text, ".") {
		f, err := strconv.ParseFloat(text, 64)
		return f, err == nil
	}
	i, err := strconv.ParseInt(text, 10, 64)
	return i, err == nil && (i != 0 || text == "0")
}
