package literal

import "strings"

// Comment decodes lines of Go's comments. The source is all from the first character of the text to the last, with the
// line breaks, slashes and indentation between; the text is what the lines say, which settles how much of the white
// space in front of them is indentation. It reports false where the source does not say that text.
func Comment(source, text string) (Decoded, bool) {
	var b builder
	pos := 0
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			from := pos
			if pos += blanks(source[pos:]); !strings.HasPrefix(source[pos:], "\n") {
				return Decoded{}, false
			}
			pos++
			b.add("\n", from, pos)
			if pos += blanks(source[pos:]); !strings.HasPrefix(source[pos:], "//") {
				return Decoded{}, false
			}
			pos += len("//")
			if line != "" {
				pos += max(0, blanks(source[pos:])-blanks(line))
			}
		}
		if !strings.HasPrefix(source[pos:], line) {
			return Decoded{}, false
		}
		for _, char := range strings.SplitAfter(line, "") {
			b.add(char, pos, pos+len(char))
			pos += len(char)
		}
	}
	return b.finish(pos), pos == len(source)
}

// blanks counts the white space that a line begins with.
func blanks(line string) int { return len(line) - len(strings.TrimLeft(line, " \t\r")) }
