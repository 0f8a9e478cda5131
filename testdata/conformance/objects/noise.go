package objects

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/testdata/conformance/exchange"
)

// Text writes an object as JSON, with up to two oddities that the object itself cannot have, such as a key that
// appears twice, and with odd metadata at times. The same random numbers make the same text.
func Text(random *rand.Rand, object map[string]any) []byte {
	object = maps.Clone(object)
	if meta, ok := object["metadata"].(map[string]any); ok && random.IntN(6) == 0 {
		meta = maps.Clone(meta)
		maps.Copy(meta, metaOddity(random))
		object["metadata"] = meta
	}
	w := &noisy{Rand: random}
	w.value(object)
	total := w.values
	for range pick(&maker{Rand: random}, 0, 0, 0, 1, 1, 2) {
		w.odd = append(w.odd, random.IntN(total)+1)
	}
	w.out, w.values = strings.Builder{}, 0
	w.pretty = random.IntN(6) == 0
	w.value(object)
	text := w.out.String()
	if len(text) < 3 {
		return []byte(text)
	}
	switch at := 1 + random.IntN(len(text)-1); random.IntN(250) {
	case 0:
		text = text[:at]
	case 1:
		text = text[:at] + "\xff" + text[at:]
	case 2:
		text = text[:at] + string(text[at]^byte(1<<random.IntN(7))) + text[at+1:]
	case 3:
		text = pick(&maker{Rand: random}, "null", "[]", "1", `"x"`, " ", text+text, text+"x")
	}
	return []byte(text)
}

// metaOddity is something in metadata that the object of a request may have, although no client writes it.
func metaOddity(random *rand.Rand) map[string]any {
	list := []any{"example.com/a"}
	all := []map[string]any{
		{"labels": map[string]any{"a": nil}}, {"labels": map[string]any{}}, {"labels": list}, {"annotations": nil},
		{"labels": map[string]any{"a": int64(1)}}, {"unknown": int64(1)}, {"lables": map[string]any{"a": "b"}},
		{"finalizers": list}, {"finalizers": []any{}}, {"finalizers": "x"}, {"creationTimestamp": nil},
		{"managedFields": []any{map[string]any{"manager": "m", "operation": "Update", "apiVersion": "v1",
			"fieldsType": "FieldsV1", "fieldsV1": map[string]any{"f:spec": map[string]any{}}, "x": int64(1)}}},
		{"ownerReferences": []any{map[string]any{"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "u",
			"unknown": nil, "controller": true}}},
		{"ownerReferences": []any{map[string]any{"controller": "yes"}}}, {"Name": "x"}, {"generation": 1.0},
		{"generation": "1"}, {"creationTimestamp": "yesterday"}, {"managedFields": map[string]any{}},
		{"deletionGracePeriodSeconds": int64(0)}, {"selfLink": ""},
	}
	return all[random.IntN(len(all))]
}

// A noisy writes JSON.
type noisy struct {
	*rand.Rand
	out    strings.Builder
	pretty bool
	// odd are the numbers of the values that are written with an oddity; values counts them.
	odd    []int
	values int
}

func (w *noisy) isOdd() bool {
	w.values++
	return slices.Contains(w.odd, w.values)
}

func (w *noisy) space() {
	if w.pretty {
		w.out.WriteString([]string{"", " ", "\n\t", "\r\n", "  "}[w.IntN(5)])
	}
}

func (w *noisy) value(v any) {
	isOdd := w.isOdd()
	switch v := v.(type) {
	case map[string]any:
		w.object(v, isOdd)
	case []any:
		w.list(v, isOdd)
	case string:
		if isOdd {
			w.oddString(v)
			return
		}
		w.out.Write(exchange.Encode(v))
	default:
		if isOdd {
			w.out.WriteString(w.scalar())
			return
		}
		w.out.Write(exchange.Encode(v))
	}
}

// scalar is a text of a scalar that is easily mistaken for another one, or of nothing at all.
func (w *noisy) scalar() string {
	all := []string{
		"null", "true", "false", "0", "-0", "1", "1.0", "1.5", "1e2", "1E400", "-1e-400", "9223372036854775807",
		"9223372036854775808", "-9223372036854775808", "12345678901234567890", "3000000000", "0.1", "-0.0", `""`, `"x"`,
		`"1"`, "[]", "{}", "[null]", `[{"a":{}}]`, `{"a":[1]}`, "01", "1.", "nul", "123456789012345678",
		"0.12345678901234567890123", `{"a":1,"a":2}`, "2147483648", "-1", `"true"`, "[[],[[{}]]]",
		`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x","y":1}}`,
	}
	if w.IntN(40) == 0 {
		depth := []int{90, 110, 9000, 10010}[w.IntN(4)]
		return strings.Repeat("[", depth) + strings.Repeat("]", depth)
	}
	return all[w.IntN(len(all))]
}

// oddString writes a string with escapes, or with characters that are none, or something else.
func (w *noisy) oddString(text string) {
	switch w.IntN(6) {
	case 0:
		w.out.WriteString(w.scalar())
	case 1:
		all := []string{`\ud83d\ude00`, `\ud800`, "\xff", "a\xc3", `\u0000`, `\/\b`, "\x01", `\x`}
		w.out.WriteString(`"` + all[w.IntN(len(all))] + `"`)
	default:
		w.out.WriteByte('"')
		for _, r := range text {
			if r > 0xffff {
				w.out.WriteRune(r)
				continue
			}
			w.out.WriteString(`\u` + strconv.FormatInt(int64(r)+0x10000, 16)[1:])
		}
		w.out.WriteByte('"')
	}
}

func (w *noisy) object(object map[string]any, isOdd bool) {
	oddity := -1
	if isOdd {
		oddity = w.IntN(7)
	}
	if oddity == 0 {
		w.out.WriteString(w.scalar())
		return
	}
	keys := slices.Sorted(maps.Keys(object))
	if oddity == 1 || w.IntN(10) == 0 {
		w.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	}
	w.out.WriteByte('{')
	w.space()
	chosen := w.IntN(len(keys) + 1)
	member := func(key string, value func()) {
		w.space()
		w.out.Write(exchange.Encode(key))
		w.space()
		w.out.WriteByte(':')
		w.space()
		value()
		w.space()
	}
	written := 0
	comma := func() {
		if written > 0 {
			w.out.WriteByte(',')
		}
		written++
	}
	for i, key := range keys {
		name := key
		if i == chosen && oddity == 2 { // twice, and once with something else
			comma()
			member(key, func() { w.out.WriteString(w.scalar()) })
		}
		if i == chosen && oddity == 3 {
			name = []string{strings.ToUpper(key), key + "s", " " + key, strings.ToLower(key)}[w.IntN(4)]
		}
		comma()
		if i == chosen && oddity == 4 {
			member(name, func() { w.out.WriteString(w.scalar()) })
			continue
		}
		member(name, func() { w.value(object[key]) })
	}
	if oddity > 4 {
		comma()
		names := []string{"unknown", "x-y", "a.b", "", "metadata", "é", `"`}
		member(names[w.IntN(len(names))], func() { w.out.WriteString(w.scalar()) })
	}
	w.out.WriteByte('}')
	w.space()
}

func (w *noisy) list(list []any, isOdd bool) {
	if isOdd && w.IntN(3) == 0 {
		w.out.WriteString(w.scalar())
		return
	}
	w.out.WriteByte('[')
	for i, item := range list {
		if i > 0 {
			w.out.WriteByte(',')
		}
		w.space()
		w.value(item)
		w.space()
	}
	if isOdd {
		if len(list) > 0 {
			w.out.WriteByte(',')
		}
		w.out.WriteString(w.scalar())
	}
	w.out.WriteByte(']')
}
