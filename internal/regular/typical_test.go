package regular_test

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"

	"github.com/crdproof/crdproof/internal/regular"
)

// typical are patterns like those of CRDs.
var typical = []string{
	`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`,
	`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`,
	`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`,
	`^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$`,
	`^([0-9]{1,5}(h|m|s|ms)){1,4}$`,
	`^[0-9]+(\.[0-9]+)?(Ki|Mi|Gi|[kMG])?$`,
	`^(\d{1,3}\.){3}\d{1,3}(/\d{1,2})?$`,
	`^v?\d+\.\d+\.\d+(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$`,
	`^https?://[^\s/$.?#].[^\s]*$`,
	`^(?:[-A-Za-z0-9!#$%&'*+.^_|~]+=\S+;?)*$`,
	`(?i)^arn:aws[a-z-]*:iam::\d{12}:role/.+$`,
	`[^\s]`,
	`^.{1,63}$`,
	`^$|^/`,
	`\.json$`,
}

// TestTypical decides all pairs of typical patterns. Included patterns are compared with the regexp package for strings
// that differ in a few places from strings of the first one.
func TestTypical(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	included := 0
	for _, first := range typical {
		match := regexp.MustCompile(first)
		q := regular.Query{Match: compile(t, first), MaxLength: 253}
		words := q.Words(12, steps/10, total(t))
		for _, w := range slices.Clone(words) {
			for range 50 {
				if m := mutate(r, w); match.MatchString(m) {
					words = append(words, m)
				}
			}
		}
		for _, second := range typical {
			q := regular.Query{Match: q.Match, Avoid: compile(t, second), MaxLength: -1}
			word, answer := regular.Find(q, steps, total(t))
			switch answer {
			case regular.Unknown:
				t.Errorf("%s in %s: unknown", first, second)
			case regular.Found:
				checkWord(t, q, word)
			case regular.None:
				included++
				avoid := regexp.MustCompile(second)
				for _, w := range words {
					if !avoid.MatchString(w) {
						t.Errorf("%s is not in %s: %q", first, second, w)
					}
				}
			}
		}
	}
	if included < len(typical)+10 {
		t.Errorf("only %d patterns are included", included)
	}
}

// mutate changes, adds or removes a few runes.
func mutate(r *rand.Rand, word string) string {
	runes := []rune(word)
	for range 1 + r.IntN(3) {
		i, added := r.IntN(len(runes)+1), []rune("aZ0-._/:* \n@é1fK")[r.IntN(16)]
		switch {
		case i == len(runes) || r.IntN(3) == 0:
			runes = slices.Insert(runes, i, added)
		case r.IntN(2) == 0:
			runes = slices.Delete(runes, i, i+1)
		default:
			runes[i] = added
		}
	}
	return string(runes)
}
