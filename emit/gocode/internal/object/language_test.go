package object

import (
	"regexp"
	"testing"
)

// TestJoinedTable compares tables of two languages with those of the answers of package regexp.
func TestJoinedTable(t *testing.T) {
	texts := []string{""}
	for _, part := range []string{"a", "b", "/", "//", ".", "%2f", "é", "\n", "\xff", "\uFFFD"} {
		for _, text := range texts[:min(len(texts), 1000)] {
			texts = append(texts, text+part)
		}
	}
	expressions := []string{"", "^$", "^/", "//", "/\\.$", "^[a-z/]*$", "[^a]", "é", "(?s)^.{2,4}$", "a$|^b", "\\x{FFFD}",
		"^(?:[-A-Za-z0-9/._~]|%[0-9a-fA-F]{2})+$"}
	answers := map[string][]bool{}
	for _, x := range expressions {
		want := regexp.MustCompile(x)
		for _, text := range texts {
			answers[x] = append(answers[x], want.MatchString(text))
		}
	}
	tried := 0
	for _, x := range expressions {
		for _, y := range expressions {
			for bits := range 8 {
				a := &Language{pattern: newAutomaton(x).pattern, avoids: bits&1 != 0}
				b := &Language{pattern: newAutomaton(y).pattern, avoids: bits&2 != 0}
				operator := []string{"&&", "||"}[bits>>2]
				both := joinedTable(operator, []*Language{a, b})
				if both == nil {
					continue
				}
				tried++
				for i, text := range texts {
					isX, isY := answers[x][i] != (bits&1 != 0), answers[y][i] != (bits&2 != 0)
					want := isX && isY
					if operator == "||" {
						want = isX || isY
					}
					if matchesTable(both, text) != want {
						t.Fatalf("%q %s %q, opposites %d: %q: not %t", x, operator, y, bits&3, text, want)
					}
				}
			}
		}
	}
	if tried < 1000 {
		t.Errorf("only %d combinations", tried)
	}
}
