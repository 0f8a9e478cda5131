package confirmed

import (
	"regexp"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/internal/regular"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema"
)

// usualDurations are patterns that people write for durations, the narrowest first. The last one is all of Go's.
var usualDurations = []string{
	`^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$`,
	`^([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$`,
	`^(0|([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+)$`,
	schema.DurationPattern,
}

// durationPattern returns the pattern to write in place of one that accepts more than Go's durations. It is what the
// old one matches as a whole, if its anchors bind to alternatives alone. Otherwise it accepts all durations that the
// old one accepts: it is the old one without the units that Go lacks, or the first of the usual ones.
func durationPattern(p *session.Pass, old string) (string, diag.Effect) {
	budget := effort.New(p.Context(), effort.PatternText)
	within := func(inner []string, outer string) bool {
		q := regular.Query{MaxLength: -1}
		for _, text := range append(inner, outer) {
			compiled, err := regular.Compile(text, budget)
			if err != nil {
				return false
			}
			q.Match = append(q.Match, compiled)
		}
		last := len(q.Match) - 1
		q.Match, q.Avoid = q.Match[:last], q.Match[last:]
		_, answer := regular.Find(q, effort.PatternText.N(), budget)
		return answer == regular.None
	}
	keeps := func(pattern string) bool { return within([]string{old, schema.DurationPattern}, pattern) }
	isNarrower := func(pattern string) bool {
		return within([]string{pattern}, schema.DurationPattern) && within([]string{pattern}, old)
	}
	if whole := regular.Anchored(old); whole != old && isNarrower(whole) {
		return whole, diag.Effect{Kind: diag.AcceptsLess, Detail: "only what the pattern matches as a whole"}
	}
	candidates := usualDurations
	if own := withoutAlternatives(old, keeps); own != old {
		candidates = append([]string{own}, usualDurations...)
	}
	for _, pattern := range candidates {
		if !keeps(pattern) || !within([]string{pattern}, schema.DurationPattern) {
			continue
		}
		if isNarrower(pattern) {
			return pattern, diag.Effect{Kind: diag.AcceptsLess, Detail: "only the values that Go decodes"}
		}
		return pattern, diag.Effect{Kind: diag.AcceptsOther,
			Detail: "only durations of Go, also some that the pattern rejects now"}
	}
	return "", diag.Effect{}
}

// alternative is a word of a group of alternatives, with the bar before it or behind it.
var alternative = regexp.MustCompile(`\|[a-zA-Zµμ]+|[a-zA-Zµμ]+\|`)

// withoutAlternatives returns a pattern without the words of its groups that nothing needs.
func withoutAlternatives(pattern string, keeps func(string) bool) string {
	for from := 0; ; {
		at := alternative.FindStringIndex(pattern[from:])
		if at == nil {
			return pattern
		}
		start, end := from+at[0], from+at[1]
		shorter := pattern[:start] + pattern[end:]
		isLast := pattern[start] == '|' && (end == len(pattern) || pattern[end] == '|' || pattern[end] == ')')
		isFirst := pattern[start] != '|' && start > 0 && (pattern[start-1] == '|' || pattern[start-1] == '(')
		if (isLast || isFirst) && keeps(shorter) {
			pattern, from = shorter, 0
			continue
		}
		from = start + 1
	}
}
