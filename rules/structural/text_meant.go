package structural

import (
	"regexp"
	"strings"

	"github.com/crdproof/crdproof/internal/regular"
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
	for _, i := range regular.Operators(pattern, "^$") {
		if pattern[i] == '^' && i == 0 || pattern[i] == '$' && i == len(pattern)-1 {
			continue
		}
		escaped = append(escaped, pattern[:i]+`\`+pattern[i:])
		without = append(without, pattern[:i]+pattern[i+1:])
	}
	return append(escaped, without...)
}

// isHalfAnchored reports whether a pattern has one of the anchors alone, and is more than the repetition of a class: in
// words of its characters, the other anchor is missing.
func isHalfAnchored(pattern string) bool {
	starts, ends := len(regular.Operators(pattern, "^")) > 0, len(regular.Operators(pattern, "$")) > 0
	return starts != ends && !repeatedClass.MatchString(pattern)
}

var repeatedClass = regexp.MustCompile(`^\^?\[[^\]]+\]\*\$?$`)
