package diag

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// TextOptions says how Text writes.
type TextOptions struct {
	// Dir is the directory that paths below it are shown relative to; "" shows all paths as they are.
	Dir string
	// Color asks for ANSI colours.
	Color bool
	// Max limits how many diagnostics are shown, errors before warnings, and how many places of each; 0 shows all.
	Max int
	// More says how to see what Max hides.
	More string
	// Part leaves the summary out, for a list that is a part of what there is to say.
	Part bool
}

const (
	// indent precedes all lines of a diagnostic except the first.
	indent = "   "
	// tabWidth is the distance of the tab stops in excerpts.
	tabWidth = 4
	// excerptWidth is the most characters that an excerpt shows of a line, excerptLines the most lines.
	excerptWidth = 110
	excerptLines = 4
)

// Text writes the list for a person at a terminal: each diagnostic with the line it is about, and a summary at the
// end. An empty list writes nothing.
func Text(w io.Writer, list []Diagnostic, opts TextOptions) error {
	if len(list) == 0 {
		return nil
	}
	p := textPrinter{opts: opts}
	shown := choose(list, opts.Max)
	for _, i := range shown {
		p.diagnostic(&list[i])
		p.out.WriteByte('\n')
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
	if at := p.position(d.Span); at != "" {
		p.out.WriteString(p.style(bold, at) + " ")
	}
	p.out.WriteString(p.style(severity, d.Severity.String()+":") + " " + p.style(bold, Printable(oneLine(d.Message))))
	if d.Check != "" {
		p.out.WriteString(" " + p.style(faint, "["+Printable(d.Check)+"]"))
	}
	p.out.WriteByte('\n')
	p.excerpt(d.Span, severity)
	if d.Path != "" {
		p.out.WriteString(indent + p.style(faint, "at "+Printable(d.Path)) + "\n")
	}
	if d.Hurts != nil {
		p.indented("hurts: ", d.Hurts.Who)
	}
	for _, note := range d.Notes {
		p.indented("", note)
	}
	for _, r := range d.SeeAlso {
		text := r.Message
		if at := p.position(r.Span); at != "" {
			text = at + " " + text
		}
		p.indented("note: ", text)
	}
	p.helps(helpLines(d))
	p.places(d)
}

func (p *textPrinter) helps(list []labelled) {
	for _, help := range list {
		label := p.style(green, help.label+":") + " "
		for _, line := range help.lines {
			p.indented(label, line)
			label = "  "
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

// indented writes a line of text under its diagnostic.
func (p *textPrinter) indented(label, text string) {
	p.out.WriteString(strings.TrimRight(indent+label+expanded(text), " ") + "\n")
}

// excerpt writes the lines of the span, or the first few of them, with the span underlined.
func (p *textPrinter) excerpt(s Span, sgr string) {
	at, ok := locate(s, "")
	if !ok || at.line == 0 || strings.TrimSpace(s.Source.Line(at.line)) == "" {
		return
	}
	last := min(at.endLine, at.line+excerptLines-1)
	lead := margin(s.Source, at.line, last)
	width := len(fmt.Sprint(last))
	for n := at.line; n <= last; n++ {
		line := s.Source.Line(n)
		from, to := at.col-1, len(strings.TrimRight(line, " \t\r"))
		if n > at.line {
			from = contentOf(line)
		}
		if n == at.endLine {
			to = at.endCol - 1
		}
		if n > at.line && from >= to && n == at.endLine {
			break // the span ends with the line before
		}
		cells, start, end := layout(line, lead, from, to)
		cells, start, end = window(cells, start, end)
		fmt.Fprintf(&p.out, "%s%s", indent, p.style(faint, fmt.Sprintf("%*d |", width, n)))
		p.out.WriteString(strings.TrimRight("  "+string(cells), " ") + "\n")
		if n == at.line || from < to {
			fmt.Fprintf(&p.out, "%s%s  %s%s\n", indent, p.style(faint, strings.Repeat(" ", width)+" |"),
				strings.Repeat(" ", start), p.style(sgr, strings.Repeat("^", end-start)))
		}
	}
	if at.endLine > last {
		fmt.Fprintf(&p.out, "%s%s  …\n", indent, p.style(faint, strings.Repeat(" ", width)+" |"))
	}
}

// margin returns how many bytes of white space the lines have in common, but for blank ones.
func margin(s *Source, first, last int) int {
	line := s.Line(first)
	common := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	for n := first + 1; n <= last; n++ {
		if line := s.Line(n); strings.TrimSpace(line) != "" {
			for !strings.HasPrefix(line, common) {
				common = common[:len(common)-1]
			}
		}
	}
	return len(common)
}

// contentOf returns where a line begins to say something: behind white space and the slashes of a comment.
func contentOf(line string) int {
	text := strings.TrimLeft(line, " \t")
	if rest, ok := strings.CutPrefix(text, "//"); ok {
		text = strings.TrimLeft(rest, " \t")
	}
	return len(line) - len(text)
}

// layout turns a line into the characters in a terminal's columns, and the byte range [from, to) into columns. It
// drops the lead and trailing space, expands tabs, and replaces characters that are not printable: a source file must
// not be able to send escape sequences to the terminal.
func layout(line string, lead, from, to int) (cells []rune, fromCell, toCell int) {
	fromCell, toCell = -1, -1
	text := strings.TrimRight(line, " \t\r")
	for i := lead; i < len(text); {
		if fromCell < 0 && i >= from {
			fromCell = len(cells)
		}
		if toCell < 0 && i >= to {
			toCell = len(cells)
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == '\t':
			cells = append(cells, []rune(strings.Repeat(" ", tabWidth-len(cells)%tabWidth))...)
		case !unicode.IsPrint(r) || r == '#' && isCommand(text, i):
			cells = append(cells, utf8.RuneError)
		default:
			cells = append(cells, r)
		}
		i += size
	}
	if fromCell < 0 {
		fromCell = len(cells)
	}
	if toCell < 0 {
		toCell = len(cells)
	}
	return cells, fromCell, max(toCell, fromCell+1)
}

// window cuts a long line to the part around the span.
func window(cells []rune, from, to int) ([]rune, int, int) {
	if len(cells) <= excerptWidth {
		return cells, from, to
	}
	to = min(to, from+excerptWidth-2)
	left := from - (excerptWidth-(to-from))/2
	left = max(0, min(left, len(cells)-excerptWidth))
	right := left + excerptWidth
	cut := append([]rune(nil), cells[left:right]...)
	from, to = from-left, to-left
	if left > 0 {
		cut[0] = '…'
	}
	if right < len(cells) {
		cut[len(cut)-1] = '…'
	}
	return cut, from, to
}

// oneLine keeps the first line of a diagnostic on one line, where tools that read "path:line:col: message" need it.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
