package regular_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/crdproof/crdproof/internal/regular"
)

// randomPattern writes a regular expression of a few parts.
func randomPattern(r *rand.Rand, depth int) string {
	atoms := []string{"a", "b", "-", ".", `\n`, "[ab]", "[^a]", "[^a-]", `\w`, `\W`, "(?i:A)", "(?s:.)", "(?m:^)",
		"(?m:$)", "^", "$", `\b`, `\B`, `\A`, `\z`, ""}
	if depth == 0 {
		return atoms[r.IntN(len(atoms))]
	}
	sub := func() string { return randomPattern(r, depth-1) }
	switch r.IntN(8) {
	case 0:
		return "(" + sub() + "|" + sub() + ")"
	case 1:
		return "(" + sub() + ")" + []string{"*", "+", "?", "{2}", "{1,3}", "{2,}", "*?", "+?"}[r.IntN(8)]
	case 2:
		return "^" + sub() + "$"
	case 3:
		return sub()
	default:
		return sub() + sub()
	}
}

// small has all strings of at most n runes of an alphabet, short ones first.
func small(alphabet string, n int) []string {
	words, last := []string{""}, []string{""}
	for range n {
		var next []string
		for _, w := range last {
			for _, r := range alphabet {
				next = append(next, w+string(r))
			}
		}
		words, last = append(words, next...), next
	}
	return words
}

// TestRandom compares answers with those of the regexp package for all short strings: of a query without a string,
// none of them fits, and no string that fits is shorter than the one found.
func TestRandom(t *testing.T) {
	const patterns = 3000
	words := small("ab-\n", 5)
	r := rand.New(rand.NewPCG(1, 2))
	count := map[regular.Answer]int{}
	for range patterns {
		texts := []string{randomPattern(r, 3), randomPattern(r, 3), randomPattern(r, 3)}
		q := regular.Query{MaxLength: -1}
		var match, avoid []*regexp.Regexp
		for _, text := range texts {
			if r.IntN(2) == 0 {
				q.Match, match = append(q.Match, compile(t, text)...), append(match, regexp.MustCompile(text))
			} else {
				q.Avoid, avoid = append(q.Avoid, compile(t, text)...), append(avoid, regexp.MustCompile(text))
			}
		}
		if r.IntN(2) == 0 {
			q.MinLength = r.IntN(12)
		}
		if r.IntN(2) == 0 {
			q.MaxLength = q.MinLength + r.IntN(4)
		}
		if r.IntN(2) == 0 {
			q.Not = []string{"", "a", "ab", "\n"}[:1+r.IntN(4)]
		}
		word, answer := regular.Find(q, steps, total(t))
		count[answer]++
		name := fmt.Sprintf("match %q, avoid %q, length %d to %d, not %q",
			q.Match, q.Avoid, q.MinLength, q.MaxLength, q.Not)
		switch answer {
		case regular.Unknown:
			t.Errorf("%s: unknown", name)
			continue
		case regular.Found:
			checkWord(t, q, word)
		}
		for _, w := range words {
			if answer == regular.Found && len(w) >= utf8.RuneCountInString(word) {
				break
			}
			if fitsCompiled(q, match, avoid, w) {
				t.Errorf("%s: answer %v, word %q, but %q fits", name, answer, word, w)
				break
			}
		}
	}
	if count[regular.Found] < patterns/10 || count[regular.None] < patterns/10 {
		t.Errorf("too few answers of a kind: %v", count)
	}
}

func fitsCompiled(q regular.Query, match, avoid []*regexp.Regexp, word string) bool {
	if n := utf8.RuneCountInString(word); n < q.MinLength || q.MaxLength >= 0 && n > q.MaxLength {
		return false
	}
	for _, re := range match {
		if !re.MatchString(word) {
			return false
		}
	}
	for _, re := range avoid {
		if re.MatchString(word) {
			return false
		}
	}
	for _, w := range q.Not {
		if w == word {
			return false
		}
	}
	return true
}

func TestWords(t *testing.T) {
	tests := map[string]struct {
		pattern string
		max     int
		want    []string
	}{
		"everything": {"", 10, []string{"", "aaaaaaaaaa", "a", "0", "A", "-", ".", "_", "/", ":", "!", " ", "à", "α"}},
		"names": {`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`, 63,
			[]string{"a", strings.Repeat("a", 63), "aa", "a-a", "0", "aaa", "aaaa"}},
		"few":     {`^(yes|no)$`, -1, []string{"no", "yes"}},
		"counted": {`^[a-z]{3,20}$`, -1, []string{"aaa", strings.Repeat("a", 20), "aaaa", "aaaaa", "aaaaaa"}},
		"nothing": {`a^`, -1, nil},
	}
	for name, tt := range tests {
		q := regular.Query{Match: compile(t, tt.pattern), MaxLength: tt.max}
		words := q.Words(14, steps, total(t))
		if fmt.Sprintf("%.70q", words) != fmt.Sprintf("%.70q", tt.want) {
			t.Errorf("%s: got %.70q, want %.70q", name, words, tt.want)
		}
		for _, w := range words {
			checkWord(t, q, w)
		}
	}
}

// FuzzFind compares answers for patterns that people could write with those of the regexp package.
func FuzzFind(f *testing.F) {
	f.Add(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`, `^.{0,63}$`, "a-b", uint8(1), uint8(9))
	f.Add(`(?i)(\bk|ß)$`, `(?m)^\B[^[:alpha:]]{2,5}`, "\u212a\n", uint8(0), uint8(255))
	f.Add(`\pL+[^\PN]`, `\Q.*\E|\x{10FFFF}?`, "é1", uint8(3), uint8(3))
	f.Fuzz(func(t *testing.T, match, avoid, word string, least, most uint8) {
		if len(match)+len(avoid) > 200 {
			t.Skip("regexp itself is slow")
		}
		m, err := regular.Compile(match, total(t))
		_, want := regexp.Compile(match)
		if fmt.Sprint(err) != fmt.Sprint(want) {
			t.Fatalf("error %v, want %v", err, want)
		}
		a, avoidErr := regular.Compile(avoid, total(t))
		if err != nil || avoidErr != nil {
			return
		}
		q := regular.Query{Match: []*regular.Pattern{m}, Avoid: []*regular.Pattern{a}, MaxLength: -1}
		q.MinLength = int(least)
		if most < 255 {
			q.MaxLength = int(most)
		}
		found, answer := regular.Find(q, 100_000, total(t))
		if answer == regular.Found {
			checkWord(t, q, found)
		}
		if fits(q, word) && (answer == regular.None || utf8.RuneCountInString(found) > utf8.RuneCountInString(word)) {
			t.Errorf("match %q, avoid %q: answer %v, word %q, but %q fits", match, avoid, answer, found, word)
		}
		for _, w := range q.Words(5, 20_000, total(t)) {
			checkWord(t, q, w)
		}
	})
}
