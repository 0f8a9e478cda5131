package crd

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"sigs.k8s.io/yaml"
)

// traits decide the style of a string: the results of the emitter's analysis in go.yaml.in/yaml/v2 (emitterc.go), as
// far as they matter outside flow style.
type traits uint16

const (
	// lineFeed and multiline: there is a \n; there is any line break of YAML 1.1 (\n, \r, U+0085, U+2028, U+2029).
	lineFeed traits = 1 << iota
	multiline
	// separator: there is a U+2028 or U+2029, which are line breaks that only double quotes escape.
	separator
	// spaceBreak and breakSpace: there is a space right before a line break, or right after one.
	spaceBreak
	breakSpace
	// special: there is a character that only double quotes can hold.
	special
	// indicator: something in it means something else in a plain scalar.
	indicator
	// spaceFirst and spaceLast: it begins or ends with a space.
	spaceFirst
	spaceLast
	// wide: there are characters beyond ASCII.
	wide
	// nextLine: there is a U+0085.
	nextLine
	// invalid: it is not UTF-8.
	invalid
)

// A class is the class of a byte in the analysis.
type class uint8

const (
	ordinary class = iota
	space
	newline
	colon
	hash
	control
	high
)

// classes holds the class of each byte: a table, since all text passes through it.
var classes = func() (t [256]class) {
	for c := range t {
		switch {
		case c < ' ' || c == 0x7F:
			t[c] = control
		case c >= utf8.RuneSelf:
			t[c] = high
		}
	}
	t[' '], t['\n'], t[':'], t['#'] = space, newline, colon, hash
	return t
}()

// analyze finds the traits of a string.
func analyze(s string) traits {
	if s == "" {
		return 0
	}
	t := analyzeEnds(s)
	prev := ordinary // the previous class: space, newline for any line break, or ordinary
	for i := 0; i < len(s); {
		w := 1
		switch classes[s[i]] {
		case ordinary:
			for i+w < len(s) && classes[s[i+w]] == ordinary {
				w++
			}
			prev = ordinary
		case space:
			if prev == newline {
				t |= breakSpace
			}
			prev = space
		case newline:
			t |= lineFeed | multiline
			if prev == space {
				t |= spaceBreak
			}
			prev = newline
		case colon:
			if i+1 == len(s) || isBlank(s[i+1]) {
				t |= indicator
			}
			prev = ordinary
		case hash:
			if prev == space {
				t |= indicator
			}
			prev = ordinary
		case control:
			t |= special
			if s[i] == '\r' {
				t |= multiline
			}
			prev = ordinary
		case high:
			var found traits
			found, w = analyzeRune(s[i:])
			t |= found
			if found&separator == 0 {
				prev = ordinary
				break
			}
			if prev == space {
				t |= spaceBreak
			}
			prev = newline
		}
		i += w
	}
	return t
}

// analyzeEnds finds the traits that come from how a string begins and ends.
func analyzeEnds(s string) (t traits) {
	switch s[0] {
	case '#', ',', '[', ']', '{', '}', '&', '*', '!', '|', '>', '\'', '"', '%', '@', '`':
		t |= indicator
	case '?', '-':
		if len(s) == 1 || isBlank(s[1]) {
			t |= indicator
		}
	case ' ':
		t |= spaceFirst
	}
	// The marks of a document's beginning and end.
	if strings.HasPrefix(s, "---") || strings.HasPrefix(s, "...") {
		t |= indicator
	}
	if s[len(s)-1] == ' ' {
		t |= spaceLast
	}
	return t
}

// analyzeRune finds the traits of a character beyond ASCII, and its width in bytes.
func analyzeRune(s string) (traits, int) {
	r, w := utf8.DecodeRuneInString(s)
	t := wide
	switch {
	case r == utf8.RuneError && w == 1:
		t |= invalid
	case r == '\u0085':
		t |= nextLine | multiline
	case r == '\u2028' || r == '\u2029':
		t |= separator | multiline
	}
	if !isPrintable(r) {
		t |= special
	}
	return t, w
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// isPrintable reports whether a character beyond ASCII is written without an escape. All characters beyond the basic
// plane are escaped, since the encoder does not support four-byte characters.
func isPrintable(r rune) bool {
	return r >= 0xA0 && r <= 0xFFFD && r != '\uFEFF'
}

// examineKey returns a key as it arrives at the YAML encoder, with its traits: with the replacement character for
// each byte that is not UTF-8, as encoding/json writes it.
func examineKey(s string) (string, traits) {
	t := analyze(s)
	if t&invalid != 0 {
		s = string([]rune(s))
		t = analyze(s)
	}
	return s, t
}

// examine is examineKey for any other string. On a key with U+0085 controller-gen fails, so there is nothing to
// follow, and another name would be wrong.
func examine(s string) (string, traits) {
	s, t := examineKey(s)
	if t&nextLine != 0 {
		s = foldNextLines(s)
		t = analyze(s)
	}
	return s, t
}

// foldNextLines does what reading JSON as YAML does to U+0085. The JSON text of a CRD is parsed by the YAML library,
// and to YAML 1.1 this character is a line break, even in quotes, where line breaks are folded: the first of a run
// becomes a space, or vanishes where more follow, which become \n; the spaces around go. Three dashes after it would
// begin a document: then controller-gen fails, and the text stays as it is.
func foldNextLines(s string) string {
	data, err := json.Marshal(s)
	if err != nil {
		panic(err) // every string is JSON
	}
	var folded string
	if yaml.Unmarshal(data, &folded) != nil {
		return s
	}
	return folded
}

// scalar writes a string as a value or list item.
func (e *encoder) scalar(s string) {
	s, t := examine(s)
	e.inline = false
	e.write(s, t)
}

// write writes a string in the style that its traits ask for. The emitter's rules of precedence: a line feed asks for
// a literal block, a string that would read as something else for double quotes, and everything else is plain if
// possible.
func (e *encoder) write(s string, t traits) {
	e.out = append(e.out, ' ')
	e.col++
	switch {
	case t&lineFeed != 0 && t&(spaceLast|spaceBreak|special) == 0:
		e.literal(s, t)
	case t&lineFeed != 0:
		e.double(s, true)
	default:
		switch quotes(s, t) {
		case '"':
			e.double(s, true)
		case '\'':
			e.single(s, true)
		default:
			e.plain(s, t)
		}
	}
}

// simpleKey writes a key that fits on one line, if nothing is folded.
func (e *encoder) simpleKey(s string, t traits) {
	switch quotes(s, t) {
	case '"':
		e.double(s, false)
	case '\'':
		e.single(s, false)
	default:
		e.out = append(e.out, s...)
	}
}

// quotes returns the quotation mark for a string without line feeds, or 0 for none.
func quotes(s string, t traits) byte {
	switch {
	case resolves(s), t&(special|spaceBreak|breakSpace) != 0:
		return '"'
	case t&(multiline|indicator|spaceFirst|spaceLast) != 0:
		return '\''
	default:
		return 0
	}
}
