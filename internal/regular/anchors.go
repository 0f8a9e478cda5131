package regular

import "strings"

// Anchored returns a pattern that matches strings which the given one matches as a whole.
func Anchored(pattern string) string {
	var alternatives []string
	start := 0
	for _, bar := range append(Operators(pattern, "|"), len(pattern)) {
		alternatives = append(alternatives, withoutAnchors(pattern[start:bar]))
		start = bar + 1
	}
	if len(alternatives) == 1 {
		return "^" + alternatives[0] + "$"
	}
	return "^(" + strings.Join(alternatives, "|") + ")$"
}

// withoutAnchors returns a pattern without ^ at its start and $ at its end.
func withoutAnchors(pattern string) string {
	pattern = strings.TrimPrefix(pattern, "^")
	if ends := Operators(pattern, "$"); len(ends) > 0 && ends[len(ends)-1] == len(pattern)-1 {
		pattern = pattern[:len(pattern)-1]
	}
	return pattern
}

// Operators returns the positions of operators outside of groups, classes and escapes.
func Operators(pattern, chars string) (out []int) {
	depth, class := 0, -1
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		switch {
		case c == '\\':
			i++
		case class >= 0: // a bracket at the start of a class is a part of it
			if c == ']' && strings.TrimPrefix(pattern[class+1:i], "^") != "" {
				class = -1
			}
		case c == '[':
			class = i
		case c == '(':
			depth++
		case c == ')':
			depth--
		case depth == 0 && strings.IndexByte(chars, c) >= 0:
			out = append(out, i)
		}
	}
	return out
}
