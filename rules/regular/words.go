package regular

import (
	"regexp"
	"slices"
	"unicode/utf8"
)

const (
	longest  = 1 << 16 // runes of the longest string that Words looks for
	ordinary = 1 << 10 // the same without a maximum length
)

// Words returns up to n different strings of a query that are as different as possible: a shortest and a longest one,
// with each kind of rune, at the start, at the end or anywhere, and of several lengths. They are candidates for
// conditions that patterns cannot express. Each of the searches has the budget, and those that exceed it find nothing.
func (q Query) Words(n, budget int) []string {
	var words []string
	add := func(q Query) bool {
		if len(words) == n {
			return false
		}
		word, answer := Find(q, budget)
		if answer == Found && !slices.Contains(words, word) {
			words = append(words, word)
		}
		return answer == Found
	}
	if !add(q) {
		return words
	}
	if word, ok := q.longest(words[0], budget); ok && len(words) < n && word != words[0] {
		words = append(words, word)
	}
	shortest := utf8.RuneCountInString(words[0])
	runes := q.kinds()
	for i, shape := range []string{"%", "^%", "%$"} {
		length := shortest + i + 1
		if q.MaxLength < 0 || length <= q.MaxLength {
			add(Query{q.Match, q.Avoid, length, length, q.Not})
		}
		for _, r := range runes {
			add(q.with(shape, r))
		}
	}
	return words
}

// with is the query with a string that has a rune where the shape has %.
func (q Query) with(shape string, r rune) Query {
	quoted := regexp.QuoteMeta(string(r))
	p, err := Compile(regexp.MustCompile("%").ReplaceAllLiteralString(shape, quoted))
	if err != nil {
		panic(err) // it is one rune
	}
	q.Match = append(slices.Clip(q.Match), p)
	return q
}

// kinds are a rune of each kind that the patterns tell apart, and of each kind that people tell apart.
func (q Query) kinds() []rune {
	var partitions []classes
	for _, p := range slices.Concat(q.Match, q.Avoid) {
		partitions = append(partitions, p.classes)
	}
	var runes []rune
	for _, s := range alphabet(partitions) {
		runes = append(runes, s.rune)
	}
	for _, r := range readable {
		if !slices.Contains(runes, r.first) {
			runes = append(runes, r.first)
		}
	}
	return runes
}

// longest finds a string that is as long as possible. If there is one of a length, there is one of each smaller bound.
func (q Query) longest(word string, budget int) (string, bool) {
	most := q.MaxLength
	if most < 0 {
		most = max(ordinary, q.MinLength)
	}
	low, high := utf8.RuneCountInString(word), min(most, longest)
	found := false
	for probe := high; low < high; probe = low + (high-low+1)/2 {
		q.MinLength = probe
		if longer, answer := Find(q, budget); answer == Found {
			word, found = longer, true
			low = utf8.RuneCountInString(longer)
		} else {
			high = probe - 1
		}
	}
	return word, found
}
