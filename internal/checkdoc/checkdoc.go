// Package checkdoc has the documents of all checks, as data: checks.txtar has three files for each, named by its id.
package checkdoc

import (
	_ "embed"
	"strings"

	"golang.org/x/tools/txtar"
)

//go:embed checks.txtar
var checks []byte

// A Page documents a check.
type Page struct {
	// Doc says what is found and why it matters, in one or two sentences.
	Doc string
	// Hurts says in a sentence whom a warning hurts, and Unless completes "Ignore it if". A check without warnings has
	// neither.
	Hurts, Unless string
	// Bad is what the check finds, Good what to write instead: lines of Go, or of YAML if Go cannot express the
	// mistake. Both are "" for a check without examples.
	Bad, Good string
}

// Pages returns the documents of all checks by their ids.
func Pages() map[string]*Page {
	out := map[string]*Page{}
	for _, f := range txtar.Parse(checks).Files {
		id, part, _ := strings.Cut(f.Name, " ")
		switch text := strings.TrimSuffix(string(f.Data), "\n"); part {
		case "bad":
			out[id].Bad = text
		case "good":
			out[id].Good = text
		default:
			out[id] = page(text)
		}
	}
	return out
}

// page reads a document: paragraphs, two of which may begin with a name.
func page(text string) *Page {
	p := &Page{}
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		paragraph = strings.ReplaceAll(paragraph, "\n", " ")
		if hurts, ok := strings.CutPrefix(paragraph, "Hurts: "); ok {
			p.Hurts = hurts
		} else if unless, ok := strings.CutPrefix(paragraph, "Unless: "); ok {
			p.Unless = unless
		} else {
			p.Doc = paragraph
		}
	}
	return p
}
