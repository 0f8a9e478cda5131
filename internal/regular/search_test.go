package regular_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/internal/regular"
)

func compile(t testing.TB, texts ...string) []*regular.Pattern {
	t.Helper()
	var out []*regular.Pattern
	for _, text := range texts {
		p, err := regular.Compile(text, total(t))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, p)
	}
	return out
}

// steps is enough for what people write.
const steps = 2_000_000

// total is a budget of its own for each search.
func total(t testing.TB) *effort.Budget {
	t.Helper()
	return effort.New(t.Context(), effort.DiffTexts)
}

// none is the answer of a query without a string.
const none = "(none)"

func TestFind(t *testing.T) {
	label := `^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`
	type all = []string
	tests := []struct {
		name         string
		match, avoid []string
		min, max     int
		want         string
	}{
		{"everything", nil, nil, 0, -1, ""},
		{"a length", nil, nil, 3, 3, "aaa"},
		{"an impossible length", nil, nil, 3, 2, none},
		{"a match may be anywhere", all{`-`}, nil, 3, 3, "-aa"},
		{"an anchor is not the whole string", all{`^a`}, all{`^a$`}, 0, -1, "aa"},
		{"a label without its bound", all{label}, nil, 64, -1, strings.Repeat("a", 64)},
		{"a label is a subdomain", all{label}, all{`^[a-z0-9.-]+$`}, 0, -1, none},
		{"a subdomain may not be a label", all{`^[a-z0-9.-]+$`}, all{label}, 0, -1, "-"},
		{"a counted repetition is bounded", all{`^[a-z]{1,63}$`}, nil, 64, -1, none},
		{"a repetition with the bound of a counted one", all{`^[a-z]+$`}, all{`^[a-z]{1,63}$`}, 0, 63, none},
		{"a repetition without it", all{`^[a-z]+$`}, all{`^[a-z]{1,9}$`}, 0, -1, "aaaaaaaaaa"},
		{"an odd length", all{`^(..)*$`}, nil, 9, 9, none},
		{"lengths that two patterns share", all{`^(.{7})*$`, `^(.{11})*$`}, nil, 100, -1, strings.Repeat("a", 154)},
		{"$ is the end even after a line", all{`^a$`}, all{`^a\z`}, 0, -1, none},
		{"(?m) has lines", all{`(?m)^a$`}, all{`^a$`}, 0, -1, "a\n"},
		{"a later line", all{`^-\nb$`, `(?m)^b$`}, nil, 0, -1, "-\nb"},
		{". is not a line break", nil, all{`^.*$`}, 0, -1, "\n"},
		{"(?s). is any character", nil, all{`(?s)^.*$`}, 0, -1, none},
		{"(?i) folds beyond ASCII", all{`(?i)^k$`}, all{`[kK]`}, 0, -1, "\u212a"},
		{`\b is at the edge of words`, all{`^a\b.*b$`}, nil, 0, -1, "a-b"},
		{`\b needs a word`, all{`^\b-`}, nil, 0, -1, none},
		{`\B is everywhere else`, all{`^\B`}, nil, 1, -1, "-"},
		{"conditions that contradict each other", all{`a^`}, nil, 0, -1, none},
		{"no character", all{`[^\x00-\x{10FFFF}]`}, nil, 0, -1, none},
		{"surrogates are not characters", all{`[\x{D800}-\x{DFFF}]`}, nil, 0, -1, none},
		{"a large minimum", all{label}, nil, 262144, 262144, strings.Repeat("a", 262144)},
	}
	for _, tt := range tests {
		checkFind(t, tt.name, regular.Query{
			Match: compile(t, tt.match...), Avoid: compile(t, tt.avoid...), MinLength: tt.min, MaxLength: tt.max,
		}, tt.want)
	}
}

func TestFindNot(t *testing.T) {
	switches := compile(t, `^(on|off)$`)
	enum := []*regular.Pattern{regular.Enum([]string{"On", "on.", "off!"}, total(t))}
	tests := map[string]struct {
		q    regular.Query
		want string
	}{
		"another":            {regular.Query{Match: switches, Not: []string{"on"}, MaxLength: -1}, "off"},
		"all of them":        {regular.Query{Match: switches, Not: []string{"on", "off"}, MaxLength: -1}, none},
		"the empty string":   {regular.Query{Not: []string{"", "a"}, MaxLength: -1}, "b"},
		"invalid UTF-8":      {regular.Query{Not: []string{"\xff"}, MaxLength: -1}, ""},
		"more than a length": {regular.Query{Not: []string{"aaa"}, MinLength: 3, MaxLength: 3}, "aba"},
		"enum values":        {regular.Query{Match: enum, MaxLength: -1}, "On"},
		"other enum values":  {regular.Query{Match: enum, Not: []string{"On"}, MaxLength: -1}, "on."},
		"only enum values":   {regular.Query{Match: switches, Avoid: enum, MaxLength: -1}, "on"},
	}
	for name, tt := range tests {
		checkFind(t, name, tt.q, tt.want)
	}
}

// TestBudget answers unknown if the work is too much, and the same each time.
func TestBudget(t *testing.T) {
	q := regular.Query{Match: compile(t, `^.*a.{30}$`, `b.{31}$`), Avoid: compile(t, `a`), MaxLength: -1}
	for _, budget := range []int{0, 10, 1000, 100_000} {
		if word, answer := regular.Find(q, budget, total(t)); answer != regular.Unknown {
			t.Errorf("budget %d: got %v, %q", budget, answer, word)
		}
	}
}

func checkFind(t *testing.T, name string, q regular.Query, want string) {
	t.Helper()
	word, answer := regular.Find(q, steps, total(t))
	got := word
	if answer != regular.Found {
		got = []string{regular.Unknown: "(unknown)", regular.None: none}[answer]
	}
	if got != want {
		t.Errorf("%s: got %.80q, want %.80q", name, got, want)
	}
	if answer == regular.Found {
		checkWord(t, q, word)
	}
}

// checkWord checks a string of a query with the regexp package.
func checkWord(t *testing.T, q regular.Query, word string) {
	t.Helper()
	if !fits(q, word) {
		t.Errorf("%.100q does not fit match %q, avoid %q, length %d to %d, not %q",
			word, q.Match, q.Avoid, q.MinLength, q.MaxLength, q.Not)
	}
}

func fits(q regular.Query, word string) bool {
	n := utf8.RuneCountInString(word)
	ok := utf8.ValidString(word) && n >= q.MinLength && (q.MaxLength < 0 || n <= q.MaxLength)
	for _, p := range q.Match {
		ok = ok && regexp.MustCompile(p.String()).MatchString(word)
	}
	for _, p := range q.Avoid {
		ok = ok && !regexp.MustCompile(p.String()).MatchString(word)
	}
	for _, w := range q.Not {
		ok = ok && w != word
	}
	return ok
}
