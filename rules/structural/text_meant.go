package structural

import (
	"regexp"
	"strings"
)

// delimited is a pattern in the delimiters of another language, with the flags of RE2 behind them.
var delimited = regexp.MustCompile("(?s)^(?:/(.*)/([is]*)|'(.*)'|\"(.*)\"|`(.*)`|\\s+(.*)|(.*\\S)\\s+)$")

// withoutDelimiters returns a pattern without slashes, quotes and spaces around it.
func withoutDelimiters(pattern string) string {
	for {
		m := delimited.FindStringSubmatch(pattern)
		if m == nil {
			return pattern
		}
		pattern = strings.Join(append([]string{m[1]}, m[3:]...), "")
		if m[2] != "" {
			pattern = "(?" + m[2] + ")" + pattern
		}
	}
}

// meantPatterns returns what a pattern that no string matches may be meant as, the likeliest first: without delimiters,
// or with an anchor in the middle that stands for itself, or that goes.
func meantPatterns(pattern string) []string {
	if inner := withoutDelimiters(pattern); inner != pattern {
		return []string{inner}
	}
	var escaped, without []string
	for _, i := range operators(pattern, "^$") {
		if pattern[i] == '^' && i == 0 || pattern[i] == '$' && i == len(pattern)-1 {
			continue
		}
		escaped = append(escaped, pattern[:i]+`\`+pattern[i:])
		without = append(without, pattern[:i]+pattern[i+1:])
	}
	return append(escaped, without...)
}

// anchored returns a pattern that matches strings which the given one matches as a whole.
func anchored(pattern string) string {
	var alternatives []string
	start := 0
	for _, bar := range append(operators(pattern, "|"), len(pattern)) {
		alternatives = append(alternatives, withoutAnchors(pattern[start:bar]))
		start = bar + 1
	}
	if len(alternatives) == 1 {
		return "^" + alternatives[0] + "$"
	}
	return "^(" + strings.Join(alternatives, "|") + ")$"
}

// isHalfAnchored reports whether a pattern has one of the anchors alone, and is more than the repetition of a class: in
// words of its characters, the other anchor is missing.
func isHalfAnchored(pattern string) bool {
	starts, ends := len(operators(pattern, "^")) > 0, len(operators(pattern, "$")) > 0
	return starts != ends && !repeatedClass.MatchString(pattern)
}

var repeatedClass = regexp.MustCompile(`^\^?\[[^\]]+\]\*\$?$`)

// withoutAnchors returns a pattern without ^ at its start and $ at its end.
func withoutAnchors(pattern string) string {
	pattern = strings.TrimPrefix(pattern, "^")
	if ends := operators(pattern, "$"); len(ends) > 0 && ends[len(ends)-1] == len(pattern)-1 {
		pattern = pattern[:len(pattern)-1]
	}
	return pattern
}

// operators returns the positions of operators outside of groups, classes and escapes.
func operators(pattern, chars string) (out []int) {
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
