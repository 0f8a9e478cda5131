package diag

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// TextOptions says how Text writes.
type TextOptions struct {
	// Dir is the directory that paths below it are shown relative to; "" shows all paths as they are.
	Dir string
	// Color asks for ANSI colours.
	Color bool
	// Width is how many columns the terminal has. Lines are wrapped and excerpts are cut to fit into it, except for
	// code that may be copied. If it is 0, lines are not wrapped, and excerpts take about 120 columns. Less than 20
	// counts as 20.
	Width int
	// Max limits how many diagnostics are shown, errors before warnings, and how many places of each; 0 shows all.
	Max int
	// More says how to see what Max hides.
	More string
	// Part leaves the summary out, for a list that is a part of what there is to say.
	Part bool
	// Brief reports whether findings of a check have neither the lines of sources nor a blank line behind them; nil is
	// for none.
	Brief func(check string) bool
}

// indent precedes all lines of a diagnostic except the first.
const indent = "   "

// more precedes the rest of a line that is wrapped.
const more = indent + "  "

// Text writes the list for a person at a terminal: each diagnostic with the line it is about, and a summary at the
// end. An empty list writes nothing.
func Text(w io.Writer, list []Diagnostic, opts TextOptions) error {
	if len(list) == 0 {
		return nil
	}
	if opts.Width > 0 {
		opts.Width = max(opts.Width, minWidth)
	}
	p := textPrinter{opts: opts}
	shown := choose(list, opts.Max)
	for _, i := range shown {
		p.diagnostic(&list[i])
		if !p.isBrief(&list[i]) {
			p.out.WriteByte('\n')
		}
	}
	if n := len(list) - len(shown); n > 0 {
		fmt.Fprintf(&p.out, "… and %s%s\n", Counted(n, "more finding"), p.more())
	}
	if !opts.Part {
		fmt.Fprintln(&p.out, Summary(list))
	}
	_, err := w.Write(p.out.Bytes())
	return err
}

// Summary counts the list in words: "2 errors, 1 warning, 3 notes", or "1 warning at 4 places".
func Summary(list []Diagnostic) string {
	errors, warnings, notes := count(list)
	var parts []string
	if errors > 0 {
		parts = append(parts, Counted(errors, "error"))
	}
	if warnings > 0 {
		parts = append(parts, Counted(warnings, "warning"))
	}
	if notes > 0 {
		parts = append(parts, Counted(notes, "note"))
	}
	if n := PlacesOf(list); n > len(list) {
		parts[len(parts)-1] += fmt.Sprintf(" at %s", Counted(n, "place"))
	}
	return strings.Join(parts, ", ")
}

// Counted returns a number of things in words: "1 file", "3 files".
func Counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Grouped writes a number with commas between thousands.
func Grouped[T int | int64 | uint64](n T) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// choose returns the indices of the diagnostics to show, in the list's order. Warnings give way to errors, because a
// run that failed must show why, those that hurt only some to those that hurt every user, and notes to all.
func choose(list []Diagnostic, limit int) []int {
	out := make([]int, len(list))
	for i := range out {
		out[i] = i
	}
	if limit <= 0 || limit >= len(list) {
		return out
	}
	slices.SortStableFunc(out, func(i, j int) int { return cmp.Compare(rank(&list[i]), rank(&list[j])) })
	out = out[:limit]
	slices.Sort(out)
	return out
}

// rank orders findings by who needs to see them.
func rank(d *Diagnostic) int {
	some := 0
	if d.Hurts != nil {
		some = 1
	}
	return 2*int(d.Severity) + some
}

// The styles are ANSI "select graphic rendition" parameters.
const (
	bold   = "1"
	faint  = "2"
	red    = "1;31"
	yellow = "1;33"
	blue   = "1;34"
	green  = "32"
)

type textPrinter struct {
	opts TextOptions
	out  bytes.Buffer
}

func (p *textPrinter) style(sgr, text string) string {
	if !p.opts.Color {
		return text
	}
	return "\x1b[" + sgr + "m" + text + "\x1b[0m"
}

func (p *textPrinter) diagnostic(d *Diagnostic) {
	severity := [...]string{Error: red, Warning: yellow, Note: blue}[d.Severity]
	first := []run{
		{sgr: severity, text: d.Severity.String() + ":"},
		{sgr: bold, text: " " + Printable(oneLine(d.Message))},
	}
	if at := p.position(d.Span); at != "" {
		first[0].text = " " + first[0].text
		first = slices.Insert(first, 0, run{sgr: bold, text: at, isWhole: true})
	}
	if d.Check != "" {
		first = append(first, run{sgr: faint, text: " [" + Printable(d.Check) + "]"})
	}
	p.lines("", more, first...)
	if !p.isBrief(d) {
		p.excerpt(d.Span, severity)
	}
	if d.Path != "" {
		p.lines(indent, more, run{sgr: faint, text: "at"}, run{sgr: faint, text: Printable(d.Path), isPath: true})
	}
	if d.Hurts != nil {
		p.lines(indent, more, run{text: "hurts: " + d.Hurts.Who})
	}
	for _, note := range d.Notes {
		p.lines(indent, more, run{text: expanded(note)})
	}
	for _, r := range d.SeeAlso {
		text := r.Message
		if at := p.position(r.Span); at != "" {
			text = at + " " + text
		}
		p.lines(indent, more, run{text: "note: " + expanded(text)})
	}
	p.helps(helpLines(d))
	p.places(d)
}

func (p *textPrinter) isBrief(d *Diagnostic) bool {
	return p.opts.Brief != nil && p.opts.Brief(d.Check)
}

func (p *textPrinter) helps(list []labelled) {
	for _, help := range list {
		p.lines(indent, more, run{sgr: green, text: help.label + ":"}, run{text: " " + expanded(help.lines[0])})
		for _, line := range help.lines[1:] {
			p.lines(more, more, run{text: expanded(line), isWhole: true})
		}
	}
}

// position returns "path:line:col:", "path:" if the line is unknown, or "" without a path.
func (p *textPrinter) position(s Span) string {
	at, ok := locate(s, p.opts.Dir)
	switch {
	case !ok:
		return ""
	case at.line == 0:
		return Printable(at.file) + ":"
	}
	return fmt.Sprintf("%s:%d:%d:", Printable(at.file), at.line, at.col)
}

// oneLine keeps the first line of a diagnostic on one line, where tools that read "path:line:col: message" need it.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
