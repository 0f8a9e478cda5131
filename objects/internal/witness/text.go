package witness

import (
	"fmt"
	"slices"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/internal/regular"
	"github.com/crdproof/crdproof/rules/kube"
)

// longWord is how much longer than the shortest texts others may be.
const longWord = 20

// found is an answer of find.
type found struct {
	words []string
	all   bool
	// reached is the limit of the search if it was reached.
	reached *effort.Limit
}

// find returns a few texts of a query that have some formats, too, the shortest first. all is set if there are no
// others.
func (v *Solver) find(q textQuery, formats []string) (words []string, all bool) {
	key := fmt.Sprintf("%q %q %q %d %d %q", q.match, q.avoid, q.not, q.least, q.most, formats)
	known, ok := v.found[key]
	if !ok {
		if !v.Steps.Texts.Spend(len(key)) {
			return nil, false
		}
		known.words, known.all = v.search(q, formats)
		if len(known.words) == 0 && !known.all {
			known.reached = effort.DiffText
		}
		v.found[key] = known
	}
	if known.reached != nil {
		v.Reached = known.reached
	}
	return known.words, known.all
}

func (v *Solver) search(q textQuery, formats []string) (words []string, all bool) {
	for _, name := range formats {
		if f, ok := kube.FormatOf(name); ok && f.Pattern != "" {
			q.match = append(slices.Clip(q.match), f.Pattern)
		}
	}
	r, ok := v.regular(q)
	if !ok {
		return nil, false
	}
	first, answer := regular.Find(r, effort.DiffText.N(), v.Steps.Texts)
	if answer != regular.Found {
		return nil, answer == regular.None
	}
	words = []string{first}
	for _, word := range r.Words(effort.DiffWords.N(), effort.DiffText.N(), v.Steps.Texts) {
		if !slices.Contains(words, word) && len(word) < len(first)+longWord {
			words = append(words, word)
		}
	}
	slices.SortStableFunc(words, func(a, b string) int { return len(a) - len(b) })
	// Some formats are code, so only examples can tell.
	isCode := false
	for _, name := range formats {
		if f, ok := kube.FormatOf(name); ok && f.Pattern == "" {
			isCode = true
			words = append(slices.Clone(f.Valid), words...)
		}
	}
	if isCode {
		words = slices.DeleteFunc(words, func(word string) bool {
			return slices.ContainsFunc(formats, func(f string) bool { return !kube.HasFormat(f, word) }) ||
				!v.satisfies(q, word)
		})
	}
	return words, false
}

// regular returns a query for package regular; ok is unset if a pattern cannot be read.
func (v *Solver) regular(q textQuery) (r regular.Query, ok bool) {
	r = regular.Query{MinLength: q.least, MaxLength: q.most, Not: q.not}
	for _, p := range q.match {
		r.Match = append(r.Match, v.pattern(p))
	}
	for _, p := range q.avoid {
		r.Avoid = append(r.Avoid, v.pattern(p))
	}
	return r, !slices.Contains(r.Match, nil) && !slices.Contains(r.Avoid, nil)
}

// satisfies reports whether a text is one of a query.
func (v *Solver) satisfies(q textQuery, word string) bool {
	r, ok := v.regular(q)
	if !ok {
		return false
	}
	r.Match = append(r.Match, regular.Enum([]string{word}, v.Steps.Texts))
	_, answer := regular.Find(r, effort.DiffText.N(), v.Steps.Texts)
	return answer == regular.Found
}

// pattern compiles a pattern; nil if it is too large, or if that fails, which the CRD does not permit.
func (v *Solver) pattern(text string) *regular.Pattern {
	p, ok := v.patterns[text]
	if !ok {
		var err error
		if p, err = regular.Compile(text, v.Steps.Texts); err != nil {
			p = nil
		}
		v.patterns[text] = p
	}
	return p
}
