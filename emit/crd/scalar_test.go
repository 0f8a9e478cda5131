package crd

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/schema"
)

// FuzzScalar compares our keys and strings with the library's, at any depth of mappings and lists, and with
// collections below the key.
func FuzzScalar(f *testing.F) {
	for i, bit := range bits {
		f.Add(bit, bits[(i*7+3)%len(bits)], uint8(i))
	}
	words := strings.Repeat("some words ", 20)
	for i, s := range []string{
		words + "end", "it's " + words, "key: " + words, "\t" + words + "  end",
		"  " + words, words + "\n" + words,
		strings.Repeat("é ", 100), "'" + strings.Repeat("é  a ", 60), "\uFEFFabc", "a\u2028b: c",
		"a \u2028b\n", "\u2028\n\n", "\n", " \nx",
		"a\u0085b", " a \u0085 \u0085 b\u0085", "0b-1", "0b+1", "-0b1", "1__0", "18446744073709551615",
		"18446744073709551616",
		"0x_f", "08", "1e400", ".5e9", "+.5", "1:2:3.4_5", "1:60", "1:60:",
		"2001-12-14t21:59:43.10-05:00", "2001-2-3 4:5:6,7", "2001-02-30", strings.Repeat("k", 128),
		strings.Repeat("k", 129),
	} {
		f.Add(s, s, uint8(i))
	}
	f.Fuzz(func(t *testing.T, key, text string, depth uint8) {
		if !utf8.ValidString(key) || !utf8.ValidString(text) {
			return
		}
		plain := shape(key, text, depth)
		want, err := yaml.Marshal(plain)
		if err != nil {
			// JSON text that the YAML parser rejects: control characters above U+007E, and keys that are longer than
			// 1024 bytes or hold a U+0085. controller-gen fails there.
			return
		}
		e := encoder{bol: true, indent: -step, inline: false}
		e.value(irValue(plain))
		e.out = append(e.out, e.end()...)
		if !bytes.Equal(e.out, want) {
			t.Fatalf("key %q, text %q, depth %d\ngot\n%s\nwant\n%s", key, text, depth, e.out, want)
		}
	})
}

// shape builds an object around a key and a text: each bit of depth wraps it in a list or a mapping.
func shape(key, text string, depth uint8) map[string]any {
	if strings.Contains(key, "\u0085") {
		key = "k"
	}
	inner := map[string]any{key: text}
	switch depth >> 5 & 3 {
	case 1:
		inner = map[string]any{key: []any{text, []any{text, []any{}}}}
	case 2:
		inner = map[string]any{key: map[string]any{key: text}}
	case 3:
		inner = map[string]any{key: map[string]any{}}
	}
	for depth &= 31; depth > 0; depth >>= 1 {
		if depth&1 == 0 {
			inner = map[string]any{"list": []any{inner}}
		} else {
			inner = map[string]any{key: inner}
		}
	}
	return inner
}

func irValue(v any) *schema.Value {
	switch v := v.(type) {
	case string:
		return &schema.Value{Kind: schema.String, Text: v}
	case []any:
		out := &schema.Value{Kind: schema.Array}
		for _, item := range v {
			out.Items = append(out.Items, *irValue(item))
		}
		return out
	}
	out := &schema.Value{Kind: schema.Object}
	for key, value := range v.(map[string]any) {
		out.Members = append(out.Members, schema.Member{Key: key, Value: *irValue(value)})
	}
	return out
}

// FuzzOrder compares our order of two keys with the library's.
func FuzzOrder(f *testing.F) {
	for _, pair := range [][2]string{
		{"a", "b"}, {"a", "B"}, {"a1", "a01"}, {"a10", "a9"}, {"a1001", "a12"}, {"a001", "a02"},
		{"a100", "a10b"}, {"v1", "v1beta1"},
		{"v2", "v12"}, {"a-b", "aB"}, {"a", "ab"},
		{"é", "e"}, {"a0", "a00"}, {"10", "100"}, {"x٣", "x3"}, {"x99999999999999999999", "x1"},
		{"日", "本"}, {"_a", "a"}, {"a0b", "a_b"},
	} {
		f.Add(pair[0], pair[1])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if !utf8.ValidString(a) || !utf8.ValidString(b) || strings.Contains(a+b, "\u0085") || a == b {
			return
		}
		plain := map[string]any{a: "", b: ""}
		want, err := yaml.Marshal(plain)
		if err != nil {
			return
		}
		e := encoder{bol: true, indent: -step}
		e.value(irValue(plain))
		if e.out = append(e.out, '\n'); !bytes.Equal(e.out, want) {
			t.Fatalf("got\n%s\nwant\n%s", e.out, want)
		}
	})
}
