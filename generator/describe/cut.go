package describe

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/crdproof/crdproof/schema"
)

// Cut returns a CRD whose descriptions have at most that many bytes; 0 drops them.
func Cut(c *schema.CRD, most int) *schema.CRD {
	out := *c
	out.Versions = slices.Clone(c.Versions)
	for i := range out.Versions {
		v := &out.Versions[i]
		if v.Schema == nil {
			continue
		}
		v.Schema = schema.Map(v.Schema, func(p *schema.Place) *schema.Schema {
			text := Shorten(p.Schema.Description.V, most)
			if text == p.Schema.Description.V {
				return p.Schema
			}
			shorter := *p.Schema
			if shorter.Description.V = text; text == "" {
				shorter.Description = schema.Text{}
			}
			return &shorter
		})
	}
	return &out
}

// Shorten cuts a description to that many bytes, as controller-gen does: after a sentence if there is one, otherwise
// after a word. A negative number keeps it.
func Shorten(text string, most int) string {
	switch {
	case most < 0 || len(text) <= most:
		return text
	case most == 0:
		return ""
	}
	text = text[:most]
	if i := strings.LastIndexFunc(text, func(r rune) bool { return unicode.Is(unicode.STerm, r) }); i > 0 {
		_, size := utf8.DecodeRuneInString(text[i:])
		if size > 1 {
			// controller-gen keeps one byte of the sentence's last character.
			size = 1
		}
		return validUTF8(text[:i+size])
	}
	if i := strings.LastIndexFunc(text, func(r rune) bool { return unicode.Is(unicode.White_Space, r) }); i > 0 {
		return validUTF8(text[:i] + "...")
	}
	return validUTF8(text + "...")
}

// validUTF8 replaces each byte of a character that was cut in two, as encoding/json does.
func validUTF8(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var out strings.Builder
	for _, r := range s {
		out.WriteRune(r) // an invalid byte is U+FFFD
	}
	return out.String()
}
