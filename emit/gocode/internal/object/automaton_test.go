package object

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/crdproof/crdproof/internal/regular"
	"github.com/crdproof/crdproof/internal/support"
)

// matchesTable matches a text as the runtime does with the written table.
func matchesTable(t *regular.Table, text string) bool {
	return (&support.Matcher{Table: tableText(t)}).Match(text)
}

// patterns are typical patterns of CRDs, and unusual ones.
func patterns() []string {
	return []string{
		"", "a", "^$", "^", "$", "a|b", "^a|b$", "^a$|^b$", "(^a|b)c", "a$|^b", "^(a$)*b?", "a*", "a+b+",
		"(a|ab)(c|bcd)(d*)", "x^", "$x", "^^a$$", "(?i)straße", "(?i)k", "(?i)ſ",
		"(?s).", ".", "[^a]", "\\d+", "[[:alpha:]]", "\\D", "é+", "[à-é]", "\\x{10FFFF}", "[^\\x00-\\x7f]", "\\n",
		"a{2,4}", "(ab){0,3}$", "^a{3}$", "(?U)a+?", "\\Aab\\z",
		"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
		"^(\\*\\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$",
		"^[^a]{1,244}b", "^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$", "^.{1,253}$",
		"^([0-9]{1,5}(h|m|s|ms)){1,4}$",
		"^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))" +
			"(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$",
		"^((25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])\\.){3}(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])$",
	}
}

// TestAutomaton compares automata with package regexp, on texts that are made of parts of the expression.
func TestAutomaton(t *testing.T) {
	small := 0
	for _, p := range patterns() {
		a := newAutomaton(p)
		if a == nil {
			continue
		}
		small++
		want := regexp.MustCompile(p)
		try := func(text string) {
			if got := matchesTable(a.table, text); got != want.MatchString(text) {
				t.Errorf("%q matches %q: %t", p, text, got)
			}
		}
		alphabet := []string{"", "a", "b", "ab", "c", "d", "0", "255", ".", "*", "-", "h", "ms", "K", "k", "\u212a",
			"s", "ſ", "é", "\n", "\xff", "\uFFFD", "Ki", "1e5"}
		for _, x := range alphabet {
			for _, y := range alphabet {
				try(x + y)
				for _, z := range alphabet {
					try(x + y + z)
				}
			}
		}
	}
	if small < len(patterns())-2 {
		t.Errorf("only %d of %d patterns have an automaton", small, len(patterns()))
	}
}

// What looks at more than characters, and what is large, is left to package regexp.
func TestNoAutomaton(t *testing.T) {
	for _, p := range []string{"\\bword\\b", "(?m)^a$", "^[a-z]{1,300}$", "(a|b|cc){1,40}(ab|ba){1,40}[0-9a-f]{3,90}$",
		"\\p{L}"} {
		if a := newAutomaton(p); a != nil {
			t.Errorf("%q has an automaton of %d states", p, len(a.table.Next))
		}
	}
}

func FuzzAutomaton(f *testing.F) {
	for i, p := range patterns() {
		f.Add(p, fmt.Sprintf("a%d.b", i))
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		want, err := regexp.Compile(pattern)
		if err != nil || len(pattern) > 100 {
			return
		}
		if a := newAutomaton(pattern); a != nil && matchesTable(a.table, text) != want.MatchString(text) {
			t.Errorf("%q matches %q: not %t", pattern, text, matchesTable(a.table, text))
		}
	})
}
