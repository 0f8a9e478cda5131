package structural

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/internal/regular"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema"
)

// textRows returns the checks of patterns that no string matches, or all strings. Package regular decides that.
func textRows() []session.Row {
	return []session.Row{
		{Check: diag.Check{ID: "pattern-never", Accepted: true, Follows: markers.LooseValue},
			Needs: session.EachSchema, Run: checkNever},
		{Check: diag.Check{ID: "pattern-always", Severity: diag.Warning},
			Needs: session.EachSchema, Run: checkAlways},
		{Check: diag.Check{ID: "base64-length", Severity: diag.Warning},
			Needs: session.EachSchema, Run: checkBase64},
	}
}

// texts is what a schema, with its allOf, demands of strings.
type texts struct {
	*session.Pass
	patterns []schema.Text
	formats  []schema.Text
	length   span
	budget   *effort.Budget
}

// textsOf returns what the schema of a pass demands of strings, nil if it has no patterns.
func textsOf(p *session.Pass) *texts {
	if p.Nested || p.Schema.Type.V != "string" && !p.Schema.IntOrString.True() || len(p.Schema.Enum) > 0 {
		return nil
	}
	t := &texts{Pass: p}
	t.add(p.Schema)
	if len(t.patterns) == 0 {
		return nil
	}
	t.length.tighten(p.Schema, schema.Measure{Min: schema.KeywordOf("minLength"), Max: schema.KeywordOf("maxLength")})
	t.budget = p.Budget(effort.PatternTexts)
	return t
}

func (t *texts) add(s *schema.Schema) {
	if s.Pattern.V != "" {
		t.patterns = append(t.patterns, s.Pattern)
	}
	if s.Format.V != "" && t.Kube.Last.Validates("string", s.Format.V) {
		t.formats = append(t.formats, s.Format)
	}
	for _, nested := range s.AllOf {
		t.add(nested)
	}
}

// compiled returns an automaton, nil if the pattern is invalid or too large.
func (t *texts) compiled(pattern string) *regular.Pattern {
	type key struct{ pattern string }
	return session.Memo(t.Session, key{pattern}, func() *regular.Pattern {
		p, err := regular.Compile(pattern, t.budget)
		if err != nil {
			return nil
		}
		return p
	})
}

// find looks for a string that matches some patterns, but not others, within bounds of its length.
func (t *texts) find(match, avoid []string, length span) (string, regular.Answer) {
	type found struct {
		word   string
		answer regular.Answer
	}
	type key struct{ query string }
	q := regular.Query{MinLength: length.low.size(0), MaxLength: length.high.size(-1)}
	f := session.Memo(t.Session, key{fmt.Sprintf("%q %q %d %d", match, avoid, q.MinLength, q.MaxLength)}, func() found {
		for _, text := range match {
			q.Match = append(q.Match, t.compiled(text))
		}
		for _, text := range avoid {
			q.Avoid = append(q.Avoid, t.compiled(text))
		}
		for _, p := range append(q.Match[:len(q.Match):len(q.Match)], q.Avoid...) {
			if p == nil {
				return found{}
			}
		}
		word, answer := regular.Find(q, effort.PatternText.N(), t.budget)
		return found{word, answer}
	})
	return f.word, f.answer
}

// size returns the bound as a number of characters.
func (l *limit) size(otherwise int) int {
	if l == nil || !l.value.IsInt() || !l.value.Num().IsInt64() {
		return otherwise
	}
	return int(min(l.value.Num().Int64(), 1<<31))
}

// isNever reports whether no string matches all patterns.
func (t *texts) isNever(length span, patterns ...string) bool {
	_, answer := t.find(patterns, nil, length)
	return answer == regular.None
}

// isAlways reports whether all strings match a pattern.
func (t *texts) isAlways(pattern string) bool {
	_, answer := t.find(nil, []string{pattern}, span{})
	return answer == regular.None
}

func checkNever(p *session.Pass) {
	t := textsOf(p)
	if t == nil {
		return
	}
	isPossible := true
	for _, pattern := range t.patterns {
		if t.isNever(span{}, pattern.V) {
			isPossible = false
			t.reportNever(pattern)
		}
	}
	if isPossible && p.Schema.Type.V == "string" {
		t.checkTogether()
	}
	p.Undecided(effort.PatternTexts, "which strings match the patterns of this and later fields")
}

func checkAlways(p *session.Pass) {
	if t := textsOf(p); t != nil {
		for _, pattern := range t.patterns {
			if t.isAlways(pattern.V) {
				t.reportAlways(pattern)
			}
		}
	}
}

// reportNever reports a pattern that matches no string.
func (t *texts) reportNever(pattern schema.Text) {
	f := t.Reportf(t.At(pattern.At), t.Key("pattern"), "no string matches the pattern %s", shown(pattern.V))
	helps := 0
	for _, meant := range meantPatterns(pattern.V) {
		if sample, ok := t.accepted(pattern.V, meant); ok && helps < 2 && !t.isAlways(meant) {
			f.Or("write %s", t.literal(meant)).Changes(diag.AcceptsMore, "strings such as %q", sample)
			helps++
		}
	}
}

// reportAlways reports a pattern that matches every string. With ^ and $, most such patterns reject something. Whether
// that is meant is a guess if the author has written one of the two, unless a value in the schema shows it.
func (t *texts) reportAlways(pattern schema.Text) {
	whole := regular.Anchored(pattern.V)
	_, accepts := t.accepted(pattern.V, whole)
	isMeant := t.Schema.Default != nil || t.Schema.Example != nil || !isHalfAnchored(pattern.V)
	other, answer := t.find([]string{`^[^\n]+$`}, []string{whole}, span{})
	if !accepts || !isMeant || answer != regular.Found {
		t.Reportf(t.At(pattern.At), t.Key("pattern"), "every string matches the pattern %s", shown(pattern.V)).
			Help("remove it")
		return
	}
	t.Reportf(t.At(pattern.At), t.Key("pattern"), "every string matches the pattern %s, such as %q", shown(pattern.V),
		other).
		Write(t.literal(whole)).Changes(diag.AcceptsLess, "no strings such as %q", other).
		Or("remove it")
}

// checkTogether reports what no string satisfies together.
func (t *texts) checkTogether() {
	var all []string
	for _, p := range t.patterns {
		all = append(all, p.V)
	}
	for _, f := range t.formats {
		if known, ok := kube.FormatOf(f.V); ok && known.Pattern != "" {
			all = append(all, known.Pattern)
		}
	}
	if (span{}) == t.length && len(all) == 1 || t.length.isEmpty(true) || !t.isNever(t.length, all...) {
		return
	}
	pattern := t.patterns[0]
	for _, p := range t.patterns {
		if t.reportLength(p) || t.reportFormat(p) {
			return
		}
	}
	f := t.Reportf(t.At(pattern.At), t.Key("pattern"), "no string satisfies this pattern and %s",
		"the other constraints of the field").Help("change the pattern, or what contradicts it").
		Changes(diag.AcceptsMore, "")
	for _, other := range t.patterns[1:] {
		f.See(other.At, "another pattern")
	}
}

// reportLength reports a pattern whose strings are all too long or too short.
func (t *texts) reportLength(pattern schema.Text) bool {
	if !t.isNever(t.length, pattern.V) {
		return false
	}
	l, bound := t.length.high, "at most"
	if l == nil || !t.isNever(span{high: l}, pattern.V) {
		if l, bound = t.length.low, "at least"; l == nil || !t.isNever(span{low: l}, pattern.V) {
			return false
		}
	}
	f := t.Reportf(t.At(pattern.At), t.Key("pattern"), "no string of %s %s characters matches the pattern %s", bound,
		l.text, shown(pattern.V)).See(l.at, "%s is set here", l.keyword)
	help, sample := "", ""
	if l == t.length.high {
		if shortest, answer := t.find([]string{pattern.V}, nil, span{}); answer == regular.Found {
			help = ": the shortest string that matches has " + diag.Counted(len([]rune(shortest)), "character")
			sample = fmt.Sprintf("strings such as %q", shortest)
		}
	}
	f.Help("change the pattern, or %s%s", l.keyword, help).Changes(diag.AcceptsMore, "%s", sample)
	return true
}

// reportFormat reports a pattern whose strings do not have the format of the field.
func (t *texts) reportFormat(pattern schema.Text) bool {
	for _, f := range t.formats {
		known, ok := kube.FormatOf(f.V)
		if !ok || known.Pattern == "" || !t.isNever(span{}, pattern.V, known.Pattern) {
			continue
		}
		name := "the format " + f.V
		if f.V == "byte" {
			name = "base64"
		}
		finding := t.Reportf(t.At(pattern.At), t.Key("pattern"), "no string of %s matches the pattern %s", name,
			shown(pattern.V)).See(f.At, "the format")
		if f.V == "byte" {
			finding.Help("remove it: the API server compares base64 with the pattern").Do(diag.Remove, "").
				Changes(diag.AcceptsMore, "all bytes")
		} else {
			finding.Help("change the pattern, or remove it").Changes(diag.AcceptsMore, "")
		}
		return true
	}
	return false
}

// accepted returns a string that the API server's code accepts for the field with another one of its patterns. The
// values that the schema itself names must be accepted, too.
func (t *texts) accepted(old, pattern string) (string, bool) {
	accepts := kube.Accepts(withPattern(t.Schema, old, pattern))
	for _, v := range []*schema.Value{t.Schema.Default, t.Schema.Example} {
		if v != nil && v.Kind == schema.String && !accepts(v.Text) {
			return "", false
		}
	}
	match := []string{pattern, `^[ -~]+$`}
	for _, other := range t.patterns {
		if other.V != old {
			match = append(match, other.V)
		}
	}
	sample, answer := t.find(match, nil, t.length)
	return sample, answer == regular.Found && accepts(sample)
}

// withPattern returns a copy of a schema in which a pattern takes the place of another one.
func withPattern(s *schema.Schema, old, pattern string) *schema.Schema {
	changed := *s
	if changed.Pattern.V == old {
		changed.Pattern.V = pattern
	}
	changed.AllOf = nil
	for _, nested := range s.AllOf {
		changed.AllOf = append(changed.AllOf, withPattern(nested, old, pattern))
	}
	return &changed
}

// literal writes a pattern in the language of the source.
func (t *texts) literal(pattern string) string {
	if strings.Contains(pattern, "`") {
		return strconv.Quote(pattern)
	}
	return t.Write().Choose("`"+pattern+"`", "'"+strings.ReplaceAll(pattern, "'", "''")+"'")
}

// shown returns the beginning of a pattern.
func shown(pattern string) string {
	const most = 60
	if runes := []rune(pattern); len(runes) > most {
		pattern = string(runes[:most]) + "…"
	}
	return pattern
}
