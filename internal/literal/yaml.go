package literal

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// YAML decodes a scalar of a YAML document: plain, 'single', "double", or a block after | or >, over any number of
// lines. The source is the whole scalar, as YAMLSize measures it. The text is its value from a YAML library, which
// decides what the source leaves open, such as the indentation of the collection around a block. JSON is read as
// YAML, even if it has escapes that YAML libraries reject. YAML returns false if the source does not have that text.
func YAML(source, text string) (Decoded, bool) {
	var b builder
	s := yamlScalar{source: source, text: text, trace: &b}
	if !s.read() || s.size != len(source) {
		return Decoded{}, false
	}
	return b.finish(s.end), true
}

// YAMLSize returns the size of the scalar with that text at the start of the source: with its quotes, and for a block
// from the indicator to the end of the last line that is not blank.
func YAMLSize(source, text string) (int, bool) {
	s := yamlScalar{source: source, text: text}
	ok := s.read()
	return s.size, ok
}

// A yamlScalar follows a source and its text side by side, like libyaml's scanner, from which all YAML libraries for
// Go are translated.
type yamlScalar struct {
	source, text string
	// pos is the offset in the source of the next character, done the number of bytes of the text that were matched.
	pos, done int
	// end is the offset after the last character, size that after the scalar.
	end, size int
	// trace records the origin of each byte; nil records nothing.
	trace *builder
}

func (s *yamlScalar) read() bool {
	ok := false
	switch first, _ := utf8.DecodeRuneInString(s.source); first {
	case '\'', '"':
		ok = s.quoted(byte(first))
	case '|', '>':
		ok = s.block(first == '>')
	default:
		ok = s.plain()
	}
	s.size = s.pos
	return ok
}

// rest returns the source that was not read yet.
func (s *yamlScalar) rest() string { return s.source[s.pos:] }

// put matches a piece of the text with the source from one offset to another.
func (s *yamlScalar) put(piece string, from, to int) bool {
	if !strings.HasPrefix(s.text[s.done:], piece) {
		return false
	}
	s.done += len(piece)
	if s.trace != nil {
		s.trace.add(piece, from, to)
	}
	return true
}

// verbatim reads bytes that are equal in source and text.
func (s *yamlScalar) verbatim(n int) bool {
	piece := s.source[s.pos : s.pos+n]
	if !strings.HasPrefix(s.text[s.done:], piece) {
		return false
	}
	s.done += n
	for s.trace != nil && piece != "" {
		_, size := utf8.DecodeRuneInString(piece)
		s.trace.add(piece[:size], s.pos, s.pos+size)
		s.pos, piece = s.pos+size, piece[size:]
	}
	s.pos += len(piece)
	return true
}

// plain reads a scalar without quotes, which ends with the text.
func (s *yamlScalar) plain() bool {
	for s.done < len(s.text) {
		n := min(solid(s.rest(), ""), len(s.text)-s.done)
		switch {
		case n > 0 && !s.verbatim(n):
			return false
		case n == 0 && (s.rest() == "" || !s.fold()):
			return false
		}
	}
	s.end = s.pos
	return true
}

// quoted reads a scalar in quotes of a kind.
func (s *yamlScalar) quoted(quote byte) bool {
	stops := "'"
	if quote == '"' {
		stops = `"\`
	}
	s.pos = 1
	for s.rest() != "" {
		ok := false
		switch c := s.rest()[0]; {
		case c == '\'' && quote == c && strings.HasPrefix(s.rest(), "''"):
			ok = s.put("'", s.pos, s.pos+2)
			s.pos += 2
		case c == quote:
			s.end = s.pos
			s.pos++
			return s.done == len(s.text)
		case c == '\\' && quote == '"':
			ok = s.escape()
		case isBlank(c) || YAMLBreak(s.rest()) > 0:
			ok = s.fold()
		default:
			ok = s.verbatim(solid(s.rest(), stops))
		}
		if !ok {
			return false
		}
	}
	return false
}

// escape reads an escape sequence.
func (s *yamlScalar) escape() bool {
	from := s.pos
	if char, size := surrogates(s.rest()); size > 0 {
		s.pos += size
		return s.put(string(char), from, s.pos)
	}
	s.pos++
	if YAMLBreak(s.rest()) > 0 {
		s.pos += YAMLBreak(s.rest())
		_, ok := s.emptyLines()
		return ok
	}
	if s.rest() == "" {
		return false
	}
	name := s.rest()[0]
	s.pos++
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[name]
	if len(s.rest()) < digits {
		return false
	}
	if digits > 0 {
		code, err := strconv.ParseUint(s.rest()[:digits], 16, 32)
		s.pos += digits
		return err == nil && s.put(string(rune(code)), from, s.pos)
	}
	const names = "0abt\tnvfre \"'/\\N_LP"
	meant := [...]string{"\x00", "\a", "\b", "\t", "\t", "\n", "\v", "\f", "\r", "\x1b", " ", `"`, "'", "/", `\`,
		"\u0085", "\u00a0", "\u2028", "\u2029"}
	i := strings.IndexByte(names, name)
	return i >= 0 && s.put(meant[i], from, s.pos)
}

// fold reads white space in a scalar that is not a block. White space within a line is verbatim. A line break with the
// white space around it is a space, unless empty lines follow: then only these are line breaks.
func (s *yamlScalar) fold() bool {
	from := s.pos
	s.skipBlanks()
	size := YAMLBreak(s.rest())
	if size == 0 {
		blanks := s.pos - from
		s.pos = from
		return s.verbatim(blanks)
	}
	broken := breakText(s.rest())
	s.pos += size
	if broken != "\n" && !s.put(broken, from, s.pos) {
		return false
	}
	lines, ok := s.emptyLines()
	if ok && lines == 0 && broken == "\n" {
		return s.put(" ", from, s.pos)
	}
	return ok
}

// emptyLines reads the empty lines after a line break, each of which is a line break in the text, and the indentation
// that follows.
func (s *yamlScalar) emptyLines() (lines int, ok bool) {
	for {
		s.skipBlanks()
		size := YAMLBreak(s.rest())
		if size == 0 {
			return lines, true
		}
		if !s.put(breakText(s.rest()), s.pos, s.pos+size) {
			return lines, false
		}
		s.pos += size
		lines++
	}
}

func (s *yamlScalar) skipBlanks() {
	for s.rest() != "" && isBlank(s.rest()[0]) {
		s.pos++
	}
}

// solid returns the length of the start of s before white space, a line break or a byte of stops.
func solid(s, stops string) int {
	for i := range len(s) {
		c := s[i]
		if isBlank(c) || strings.IndexByte(stops, c) >= 0 || YAMLBreak(s[i:]) > 0 {
			return i
		}
	}
	return len(s)
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// YAMLBreak returns the length of the line break at the start of s, 0 without one. YAML 1.1 has more line breaks than
// other languages.
func YAMLBreak(s string) int {
	switch {
	case s == "" || s[0] >= ' ' && s[0] < utf8.RuneSelf:
		return 0
	case strings.HasPrefix(s, "\r\n"), strings.HasPrefix(s, "\u0085"):
		return 2
	case s[0] == '\n', s[0] == '\r':
		return 1
	case strings.HasPrefix(s, "\u2028"), strings.HasPrefix(s, "\u2029"):
		return 3
	}
	return 0
}

// CutLine returns the first line of a text with its line break, as YAML has them, and the rest.
func CutLine(text []byte) (line, rest []byte) {
	for i := range text {
		if size := YAMLBreak(string(text[i:min(i+len("\u2028"), len(text))])); size > 0 {
			return text[:i+size], text[i+size:]
		}
	}
	return text, nil
}

// breakText returns the text of the line break at the start of s.
func breakText(s string) string {
	if YAMLBreak(s) == 3 {
		return s[:3]
	}
	return "\n"
}
