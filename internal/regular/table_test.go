package regular_test

import (
	"context"
	"math/rand/v2"
	"regexp"
	"testing"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/internal/regular"
)

// accepts walks through a table.
func accepts(table *regular.Table, text string) bool {
	state := table.Start
	for _, r := range text {
		state = table.Next[state][table.ClassOf(r)]
	}
	return table.Ends[state]
}

// TestTable compares the tables of random patterns, and those of all other strings, with the regexp package.
func TestTable(t *testing.T) {
	words := append(small("ab-\n", 4), "é", "aé", "\xff", "\uFFFD", "K", "\u212a", "_a", "a_", "A\nb")
	r := rand.New(rand.NewPCG(5, 6))
	some := 0
	for range 2000 {
		var patterns [2][]*regular.Pattern
		var expressions [2][]*regexp.Regexp
		for range 1 + r.IntN(3) {
			text, i := randomPattern(r, 3), r.IntN(2)
			patterns[i] = append(patterns[i], compile(t, text)...)
			expressions[i] = append(expressions[i], regexp.MustCompile(text))
		}
		table := regular.Determinize(patterns[0], patterns[1], 1000, total(t))
		if table == nil {
			t.Errorf("match %q, avoid %q: no table", patterns[0], patterns[1])
			continue
		}
		others := table.Not()
		for _, word := range words {
			want := fitsCompiled(regular.Query{MaxLength: -1}, expressions[0], expressions[1], word)
			if accepts(table, word) != want || accepts(others, word) == want {
				t.Fatalf("match %q, avoid %q: %q: not %t", patterns[0], patterns[1], word, want)
			}
			if want {
				some++
			}
		}
	}
	if some < 10_000 {
		t.Errorf("only %d strings are accepted", some)
	}
}

// TestTableStates merges equivalent states, and gives up if there are too many before.
func TestTableStates(t *testing.T) {
	patterns := compile(t, `^(a|ab|abc)*$`, `^[a-c]*$`)
	if table := regular.Determinize(patterns, nil, 100, total(t)); len(table.Next) != 5 {
		t.Errorf("%d states", len(table.Next))
	}
	if table := regular.Determinize(patterns, nil, 2, total(t)); table != nil {
		t.Errorf("%d states, within a limit of 2", len(table.Next))
	}
	spent := effort.New(context.Background(), effort.HelperAutomaton)
	spent.Spend(effort.HelperAutomaton.N())
	if table := regular.Determinize(patterns, nil, 100, spent); table != nil {
		t.Errorf("%d states, without steps", len(table.Next))
	}
}
