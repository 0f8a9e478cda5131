package literal

import "strings"

// Comment decodes lines of Go's comments. The source is everything from the first character of the text to the last,
// with line breaks, slashes and indentation. The text is the lines without them, which decides how much of the
// leading white space is indentation. It returns false if the source does not have that text.
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

// blanks counts the leading white space of a line.
func blanks(line string) int { return len(line) - len(strings.TrimLeft(line, " \t\r")) }
