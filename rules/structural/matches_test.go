package structural

import "testing"

func TestMatches(t *testing.T) {
	for _, test := range []struct {
		pattern, text string
		want          bool
	}{
		{"type", "type", true}, {"type", "types", false}, {"type", "typ", false}, {"", "", true}, {"", "x", false},
		{"*", "", true}, {"*", "x", true}, {"a*", "ab", true}, {"a*", "ba", false}, {"*b", "ab", true},
		{"*b", "ba", false},
		{"a*b", "axb", true}, {"a*b", "ab", true}, {"a*b", "a", false}, {"ab*ba", "aba", false},
	} {
		if got := matches(test.pattern, test.text); got != test.want {
			t.Errorf("%q matches %q: %t", test.pattern, test.text, got)
		}
	}
}
