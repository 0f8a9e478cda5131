package diag

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// maxPlaces is how many further places of a finding are shown where not all are.
const maxPlaces = 10

// places writes the further places of a finding, each with what is different there.
func (p *textPrinter) places(d *Diagnostic) {
	shown := d.Places
	if p.opts.Max > 0 && len(shown) > maxPlaces+1 { // a line for the last one would take as much room
		shown = shown[:maxPlaces]
	}
	for i := range shown {
		further := &shown[i]
		p.lines(indent, more, run{text: "also at " + expanded(oneLine(p.whereabouts(further, d)))})
		if helps := helpLines(further); !slices.EqualFunc(helps, helpLines(d), sameHelp) {
			p.helps(helps)
		}
	}
	if n := len(d.Places) - len(shown); n > 0 {
		p.lines(indent, more, run{text: fmt.Sprintf("and at %s%s", Counted(n, "more place"), p.more())})
	}
}

// more returns the words behind a number of hidden things.
func (p *textPrinter) more() string {
	if p.opts.More == "" {
		return ""
	}
	return "; " + p.opts.More
}

// whereabouts returns a further place of a finding with what it says there that the finding does not.
func (p *textPrinter) whereabouts(d, first *Diagnostic) string {
	at := strings.TrimSuffix(p.position(d.Span), ":")
	return strings.Join(slices.DeleteFunc([]string{cmp.Or(at, d.Path), strings.Join(here(d, first), "; ")},
		func(s string) bool { return s == "" }), ": ")
}

func sameHelp(a, b labelled) bool { return a.label == b.label && slices.Equal(a.lines, b.lines) }
