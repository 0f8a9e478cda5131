package baseline

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// header begins each file.
const header = `# Findings of crdproof that are known and not reported. Remove lines, but add none:
# https://github.com/crdproof/crdproof/blob/main/docs/baseline.md
`

// Format returns the file with entries, whose keys must differ. Line ends are those of the file before, if there is
// one.
func Format(entries []Entry, before []byte) []byte {
	sorted := slices.Clone(entries)
	slices.SortFunc(sorted, func(a, b Entry) int { return compareKeys(a.Key, b.Key) })
	var out bytes.Buffer
	out.WriteString(header)
	for _, e := range sorted {
		fmt.Fprintln(&out, e)
	}
	if bytes.Contains(before, []byte("\r\n")) {
		return bytes.ReplaceAll(out.Bytes(), []byte("\n"), []byte("\r\n"))
	}
	return out.Bytes()
}

// String returns the line of the entry.
func (e Entry) String() string {
	words := []string{quoted(e.Check), quoted(e.Place.Unit), quoted(e.Place.Name)}
	if e.For != (Place{}) {
		words = append(words, "for", quoted(e.For.Unit), quoted(e.For.Name))
	}
	if e.Count > 1 {
		words = append(words, "x"+strconv.Itoa(e.Count))
	}
	if e.Text != "" {
		words = append(words, "//", e.Text)
	}
	return strings.Join(words, " ")
}

// quoted returns a word, in quotes if a reader would not take it for one.
func quoted(word string) string {
	isOdd := func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsGraphic(r) || r == unicode.ReplacementChar }
	if strings.ContainsFunc(word, isOdd) || strings.HasPrefix(word, "//") || strings.HasPrefix(word, "#") ||
		strings.HasPrefix(word, `"`) {
		return strconv.Quote(word)
	}
	return word
}

// Total counts the findings of entries.
func Total(entries []Entry) (n int) {
	for _, e := range entries {
		n += e.Count
	}
	return n
}
