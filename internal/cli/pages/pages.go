// Package pages finds the pages of checks and markers, which are sections of docs/checks.md, docs/markers.md and
// docs/deviations.md, and formats them as text.
package pages

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/docs"
	"github.com/crdproof/crdproof/internal/cli/arguments"
)

// A Page documents a check, a marker or a deviation.
type Page struct {
	// Name is the id of a check or a deviation, or the name of a marker without the plus sign.
	Name string
	// Kind says what is documented.
	Kind Kind
	// Severity is what findings of the check are, in words.
	Severity string
	// Summary is the first sentence.
	Summary string
	// text is the section without its heading, in Markdown.
	text string
}

// A Kind is what a page documents.
type Kind uint8

// The kinds of pages.
const (
	Check Kind = iota
	Marker
	Deviation
)

// URL returns the address of a file of the documentation, or of a section in it.
func URL(file string) string { return "https://github.com/crdproof/crdproof/blob/main/docs/" + file }

// A List has pages in an order.
type List []Page

// All returns all pages: those of the checks, of the markers and of the deviations, each in the order of its document.
func All() List {
	out := sections(docs.Checks, Check, regexp.MustCompile("(?m)^## ([a-z0-9-]+)$"))
	for i, row := range rows(docs.Checks) {
		if i < len(out) && row[0] == "[`"+out[i].Name+"`](#"+out[i].Name+")" {
			out[i].Severity = row[1]
		}
	}
	out = slices.Concat(out,
		sections(docs.Markers, Marker, regexp.MustCompile("(?m)^### `([^`]+)`$")),
		sections(docs.Deviations, Deviation, regexp.MustCompile("(?m)^## ([a-z0-9-]+)$")))
	return slices.DeleteFunc(out, func(p Page) bool { // the chapters about generators
		return p.Kind == Deviation && slices.Contains(arguments.Generators(), p.Name)
	})
}

// sections cuts a document at its headings. The first group of a heading is the name.
func sections(document string, kind Kind, heading *regexp.Regexp) (out []Page) {
	headings := heading.FindAllStringSubmatchIndex(document, -1)
	for i, h := range headings {
		end := len(document)
		if i+1 < len(headings) {
			end = headings[i+1][0]
		}
		text := strings.TrimSpace(document[h[1]:end])
		first, _, _ := strings.Cut(text, "\n\n")
		summary, _, isLonger := strings.Cut(plain(strings.ReplaceAll(first, "\n", " ")), ". ")
		if isLonger {
			summary += "."
		}
		out = append(out, Page{Name: document[h[2]:h[3]], Kind: kind, Summary: summary, text: text})
	}
	return out
}

// rows returns the cells of the tables of checks.
func rows(document string) (out [][]string) {
	for line := range strings.Lines(document) {
		if row, ok := strings.CutPrefix(line, "| [`"); ok {
			out = append(out, strings.Split("[`"+row, " | "))
		}
	}
	return out
}

// Find returns the pages that a user may mean by a name: the id of a check, in brackets or not, or a marker as it is
// written, or the last words of its name.
func (l List) Find(name string) List {
	name = stem(name)
	for _, same := range []func(p Page) bool{
		func(p Page) bool { return p.Name == name || p.Kind == Marker && strings.HasSuffix(p.Name, ":"+name) },
		func(p Page) bool { return strings.EqualFold(p.Name, name) },
		func(p Page) bool { return p.Kind == Marker && strings.EqualFold(p.lastWord(), name) },
	} {
		found := slices.DeleteFunc(slices.Clone(l), func(p Page) bool { return !same(p) })
		if len(found) > 0 || name == "" {
			return found
		}
	}
	return nil
}

// lastWord returns the name of a marker without its prefixes.
func (p Page) lastWord() string { return p.Name[strings.LastIndexByte(p.Name, ':')+1:] }

// bare removes from a name what belongs to its place in a finding or in a comment: brackets, slashes, a plus sign, the
// value, and what leads to a part of a list or a map.
func stem(name string) string {
	name = strings.TrimSpace(strings.Trim(strings.TrimSpace(name), "[]/"))
	name, _, _ = strings.Cut(strings.TrimPrefix(name, "+"), "=")
	name, _, _ = strings.Cut(name, "(")
	for _, part := range []string{"items:", "keys:", "values:"} {
		for strings.HasPrefix(name, part) || strings.Contains(name, ":"+part) {
			name = strings.Replace(name, part, "", 1)
		}
	}
	return name
}

// Near returns the names of the pages that contain a name.
func (l List) Near(name string) (out []string) {
	name = strings.ToLower(stem(name))
	for _, p := range l {
		if name != "" && strings.Contains(strings.ToLower(p.Name), name) {
			out = append(out, p.Name)
		}
	}
	return out
}

// Names returns the names that a page may be asked for by: all names, and the last words of those of markers.
func (l List) Names() (out []string) {
	for _, p := range l {
		out = append(out, p.Name)
		if p.Kind == Marker {
			out = append(out, p.lastWord())
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(out)))
}

// heading returns the first line of a page.
func (p Page) heading() string {
	switch p.Kind {
	case Check:
		return p.Name + " (check: " + cmp.Or(p.Severity, "note") + ")"
	case Marker:
		return "+" + p.Name + " (marker)"
	}
	return p.Name + " (difference from controller-gen)"
}
