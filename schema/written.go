package schema

import (
	"strconv"
	"strings"
)

// A WrittenStep is a step of a path that an author wrote, with its offsets in the text, without the dot.
type WrittenStep struct {
	PathStep
	Start, End int
}

// ReadPath reads the steps at the start of a path that are plain names and brackets, and reports whether that is the
// whole path.
func ReadPath(path string) (out []WrittenStep, isWhole bool) {
	for i := 0; i < len(path); {
		switch path[i] {
		case '.':
			end := i + 1
			for end < len(path) && !strings.ContainsRune(".[]{}() \\'\"", rune(path[end])) {
				end++
			}
			if end == i+1 || path[i+1:end] == "*" || end < len(path) && path[end] != '.' && path[end] != '[' {
				return out, false
			}
			out = append(out, WrittenStep{Key(path[i+1 : end]), i + 1, end})
			i = end
		case '[':
			end := closing(path[i:])
			if end < 0 || path[i+1] == '\'' || path[i+1] == '"' {
				return out, false
			}
			index, err := strconv.Atoi(strings.Trim(path[i:i+end], "[]"))
			if err != nil || index < 0 {
				index = AnyItem
			}
			out = append(out, WrittenStep{Item(index), i, i + end})
			i += end
		default:
			return out, false
		}
	}
	return out, true
}

// closing returns the offset after the bracket that closes the one at the start, -1 without one.
func closing(text string) int {
	depth, quote := 0, byte(0)
	for i := range len(text) {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '[':
			depth++
		case c == ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}
