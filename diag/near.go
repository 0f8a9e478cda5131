package diag

import (
	"fmt"
	"strings"
)

// Near returns the candidate closest to name by edit distance, or "" where none is close enough to be what was meant:
// at most one edit in three letters. A difference in case alone always counts as near.
func Near(name string, candidates []string) string {
	best, bestCost := "", 1+len(name)/3
	for _, c := range candidates {
		if max(len(name)-len(c), len(c)-len(name)) > bestCost {
			continue // each letter too many is an edit
		}
		cost := distance(fold(name), fold(c))
		if cost < bestCost || cost == bestCost && best != "" && c < best {
			best, bestCost = c, cost
		}
	}
	return best
}

func fold(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// distance returns the optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours
// cost one each.
func distance(a, b string) int {
	before, prev, cur := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			subst := prev[j-1]
			if a[i-1] != b[j-1] {
				subst++
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, subst)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], before[j-2]+1)
			}
		}
		before, prev, cur = prev, cur, before
	}
	return prev[len(b)]
}

// DidYouMean asks whether the nearest of the candidates was meant; it is "" where none is near.
func DidYouMean(name string, candidates []string) string { return Meant(Near(name, candidates)) }

// Meant asks whether something was meant; it is "" for nothing.
func Meant(near string) string {
	if near == "" {
		return ""
	}
	return fmt.Sprintf("did you mean %q?", near)
}

// Or joins alternatives in a sentence: "a, b or c".
func Or(names []string) string { return join(names, " or ") }

// And joins names in a sentence: "a, b and c".
func And(names []string) string { return join(names, " and ") }

func join(names []string, before string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + before + names[last]
}
