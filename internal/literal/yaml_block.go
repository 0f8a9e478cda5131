package literal

import "strings"

// block reads a block scalar: a header, and lines that are indented.
func (s *yamlScalar) block(folded bool) bool {
	indicators := 1 + len(s.source[1:]) - len(strings.TrimLeft(s.source[1:], "+-123456789"))
	explicit := 0
	if i := strings.IndexAny(s.source[1:indicators], "123456789"); i >= 0 {
		explicit = int(s.source[1+i] - '0')
	}
	s.pos = indicators
	for s.rest() != "" && YAMLBreak(s.rest()) == 0 {
		s.pos++ // white space and a comment
	}
	s.pos += YAMLBreak(s.rest())
	body := s.pos
	if isBreaks(s.text) {
		// All lines are empty; the block may keep them.
		s.pos, s.end = indicators, indicators
		return s.put(s.text, s.pos, s.pos)
	}
	first, last := s.indentation(explicit)
	for indent := first; indent <= last; indent++ {
		s.pos, s.done = body, 0
		if s.trace != nil {
			*s.trace = builder{}
		}
		if s.lines(indent, folded) {
			s.end = s.pos
			return true
		}
	}
	return false
}

// indentation returns the possible indentations of the lines: that of the first line that is not empty, unless an
// indicator gives it relative to the collection around, whose indentation is unknown.
func (s *yamlScalar) indentation(explicit int) (first, last int) {
	rest := s.rest()
	for {
		spaces := len(rest) - len(strings.TrimLeft(rest, " "))
		last = max(last, spaces, 1)
		size := YAMLBreak(rest[spaces:])
		if size == 0 {
			break
		}
		rest = rest[spaces+size:]
	}
	if explicit > 0 {
		return explicit, last
	}
	return last, last
}

// A lineBreak is a line break that was read and may still be dropped.
type lineBreak struct {
	text     string
	from, to int
}

// lines reads the lines of a block. It ends with the last line that is not blank; line breaks of the text after it
// come from that end.
func (s *yamlScalar) lines(indent int, folded bool) bool {
	var broken *lineBreak // after the previous line
	var empty []lineBreak // the empty lines since
	wasBlank := false     // whether the previous line starts with white space, which prevents folding
	for {
		empty = s.emptyBlockLines(indent, empty[:0])
		if s.rest() == "" || s.column() != indent {
			return false
		}
		blank := isBlank(s.rest()[0])
		folds := folded && broken != nil && broken.text == "\n" && !wasBlank && !blank
		ok := true
		switch {
		case folds && len(empty) == 0:
			ok = s.put(" ", broken.from, s.pos)
		case !folds && broken != nil:
			ok = s.put(broken.text, broken.from, broken.to)
		}
		for _, e := range empty {
			ok = ok && s.put(e.text, e.from, e.to)
		}
		wasBlank = blank
		if !ok || !s.verbatim(lineSize(s.rest())) {
			return false
		}
		if rest := s.text[s.done:]; isBreaks(rest) {
			return s.put(rest, s.pos, s.pos)
		}
		size := YAMLBreak(s.rest())
		if size == 0 {
			return false
		}
		broken = &lineBreak{breakText(s.rest()), s.pos, s.pos + size}
		s.pos += size
	}
}

// emptyBlockLines reads empty lines and the indentation of the line after them.
func (s *yamlScalar) emptyBlockLines(indent int, list []lineBreak) []lineBreak {
	for {
		column := 0
		for column < indent && strings.HasPrefix(s.rest(), " ") {
			s.pos++
			column++
		}
		size := YAMLBreak(s.rest())
		if size == 0 {
			return list
		}
		list = append(list, lineBreak{breakText(s.rest()), s.pos, s.pos + size})
		s.pos += size
	}
}

// column counts the spaces before the next character.
func (s *yamlScalar) column() int {
	before := s.source[:s.pos]
	return len(before) - len(strings.TrimRight(before, " "))
}

// lineSize returns the length of the first line of s, without its break.
func lineSize(s string) int {
	for i := range len(s) {
		if YAMLBreak(s[i:]) > 0 {
			return i
		}
	}
	return len(s)
}

// isBreaks reports whether s consists of line breaks only.
func isBreaks(s string) bool { return strings.Trim(s, "\n\u2028\u2029") == "" }
