package regular

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/crdproof/crdproof/internal/effort"
)

// Words returns up to n different strings of a query that are as different as possible: a shortest and a longest one,
// with each kind of rune, at the start, at the end or anywhere, and of several lengths. They are candidates for
// conditions that patterns cannot express. Each of the searches may take the given number of steps, and all of them
// spend from the total; those that exceed it find nothing.
func (q Query) Words(n, most int, total *effort.Budget) []string {
	runes := q.kinds(total)
	q = q.withoutList(total)
	var words []string
	add := func(q Query) bool {
		if len(words) == n || total.Ended() {
			return false
		}
		word, answer := Find(q, most, total)
		if answer == Found && !slices.Contains(words, word) {
			words = append(words, word)
		}
		return answer == Found
	}
	if !add(q) {
		return words
	}
	if word, ok := q.longest(words[0], most, total); ok && len(words) < n && word != words[0] {
		words = append(words, word)
	}
	shortest := utf8.RuneCountInString(words[0])
	for i, shape := range []string{"%", "^%", "%$"} {
		length := shortest + i + 1
		if q.MaxLength < 0 || length <= q.MaxLength {
			add(Query{q.Match, q.Avoid, length, length, q.Not})
		}
		for _, r := range runes {
			add(q.with(shape, r, total))
		}
	}
	return words
}

// with returns the query with a string that has a rune where the shape has %.
func (q Query) with(shape string, r rune, total *effort.Budget) Query {
	quoted := regexp.QuoteMeta(string(r))
	p, err := Compile(strings.Replace(shape, "%", quoted, 1), total)
	if err != nil {
		return q // the total is exceeded
	}
	q.Match = append(slices.Clip(q.Match), p)
	return q
}

// kinds returns a rune of each kind that the patterns tell apart, and of each kind that people tell apart.
func (q Query) kinds(total *effort.Budget) []rune {
	var partitions []classes
	for _, p := range slices.Concat(q.Match, q.Avoid) {
		partitions = append(partitions, p.classes)
	}
	var runes []rune
	for _, s := range alphabet(partitions, total) {
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
func (q Query) longest(word string, steps int, total *effort.Budget) (string, bool) {
	most := q.MaxLength
	if most < 0 {
		most = max(effort.DiffOpenText.N(), q.MinLength)
	}
	low, high := utf8.RuneCountInString(word), min(most, effort.DiffLongText.N())
	found := false
	for probe := high; low < high; probe = low + (high-low+1)/2 {
		q.MinLength = probe
		if longer, answer := Find(q, steps, total); answer == Found {
			word, found = longer, true
			low = utf8.RuneCountInString(longer)
		} else {
			high = probe - 1
		}
	}
	return word, found
}
