package diag

import (
	"slices"
	"strings"
)

// Join joins the findings of a list that have one cause. The first of them stays, and the others become its further
// places. A finding is joined with another one of the same check, severity and group if
//
//   - both have the same Cause, or
//   - both say the same with the same help, as for a marker that is used at several fields, or
//   - both have no Cause, are at the same place and have the same help, as for a type that several fields use.
//
// Notes are what the user asked for, and stay apart; so do the findings of checks for which apart returns true. The
// order of the list, which should be sorted, is kept.
func Join(list []Diagnostic, apart func(check string) bool) []Diagnostic {
	var out []Diagnostic
	index := map[cause]int{}
	for _, d := range list {
		if d.Check == "" || d.Severity == Note || apart(d.Check) {
			out = append(out, d)
			continue
		}
		keys := causesOf(&d)
		i := slices.IndexFunc(keys, func(key cause) bool { _, ok := index[key]; return ok })
		first := len(out)
		if i >= 0 {
			first = index[keys[i]]
			out[first].Places = append(out[first].Places[:len(out[first].Places):len(out[first].Places)], d)
		} else {
			out = append(out, d)
		}
		for _, key := range keys {
			if _, ok := index[key]; !ok {
				index[key] = first
			}
		}
	}
	return out
}

// A cause identifies what findings have in common.
type cause struct {
	check    string
	severity Severity
	hurts    *Group
	at       Span
	words    string
	help     string
}

// causesOf returns the causes of a finding, of which one is enough to join it with another.
func causesOf(d *Diagnostic) []cause {
	set := cause{check: d.Check, severity: d.Severity, hurts: d.Hurts}
	said := set
	for _, h := range d.Helps() {
		said.help += h.String() + "\n"
	}
	placed := said
	set.at, set.words = d.Cause.Span, d.Cause.Message
	said.words, placed.at = d.Message, d.Span
	switch {
	case d.Cause != (Related{}):
		return []cause{set, said}
	case d.Span.IsValid():
		return []cause{said, placed}
	}
	return []cause{said}
}

// PlacesOf returns how many places the findings of a list have.
func PlacesOf(list []Diagnostic) int {
	n := len(list)
	for i := range list {
		n += len(list[i].Places)
	}
	return n
}

// minCommon is the least length of the beginning that two messages share for it to be left out.
const minCommon = 20

// afterCommon returns a message without the words that it begins with as another one does, unless these are few.
func afterCommon(message, other string) string {
	n := 0
	for n < min(len(message), len(other)) && message[n] == other[n] {
		n++
	}
	n = strings.LastIndexByte(message[:n], ' ') + 1
	if n < minCommon {
		return message
	}
	return "… " + message[n:]
}

// here returns what a further place of a finding has to say that the finding does not.
func here(d, first *Diagnostic) []string {
	var out []string
	if d.Message != first.Message {
		out = append(out, afterCommon(d.Message, first.Message))
	}
	for _, note := range d.Notes {
		if !slices.Contains(first.Notes, note) {
			out = append(out, note)
		}
	}
	return out
}
