package diag

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// MarkdownOptions are what a report in Markdown says beside its findings.
type MarkdownOptions struct {
	// Root is the root of the checkout: the paths of files below it are relative to it.
	Root string
	// Max is how many bytes a comment may have. Findings that do not fit are only counted; 0 is for no limit.
	Max int
	// Page returns the address of the documentation of a check.
	Page func(check string) string
}

// Markdown writes the list as Markdown for a comment on a pull request. The edits of the first help are a suggestion
// block, which a comment on its lines applies, if they are in consecutive lines of one file.
func Markdown(w io.Writer, list []Diagnostic, opts MarkdownOptions) error {
	var out strings.Builder
	out.WriteString(Summary(list) + "\n")
	for i := range list {
		one := opts.finding(&list[i])
		if opts.Max > 0 && out.Len()+len(one) > opts.Max {
			fmt.Fprintf(&out, "\n… and %s\n", Counted(len(list)-i, "more finding"))
			break
		}
		out.WriteString(one)
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// finding returns a finding with its further places.
func (o MarkdownOptions) finding(d *Diagnostic) string {
	var out strings.Builder
	fmt.Fprintf(&out, "\n### %s%s\n\n", d.Severity, o.at(d.Span))
	message, rest, _ := strings.Cut(Prose(d), "\n")
	out.WriteString(Code(message))
	if d.Check != "" {
		fmt.Fprintf(&out, " [%s](%s)", d.Check, o.Page(d.Check))
	}
	out.WriteString("\n\n")
	for line := range strings.Lines(rest) {
		fmt.Fprintf(&out, "- %s\n", Code(strings.TrimSuffix(line, "\n")))
	}
	o.suggest(&out, d)
	for i := range d.Places {
		fmt.Fprintf(&out, "\nAlso%s\n", o.at(d.Places[i].Span))
		o.suggest(&out, &d.Places[i])
	}
	return out.String()
}

// at returns the place of a span, "" for none.
func (o MarkdownOptions) at(s Span) string {
	p, ok := locateFrom(s, o.Root)
	switch {
	case !ok:
		return ""
	case p.line == 0:
		return " in " + Code(p.file)
	}
	return " at " + Code(fmt.Sprintf("%s:%d:%d", p.file, p.line, p.col))
}

// suggest writes the block of a finding, if it has one.
func (o MarkdownOptions) suggest(out *strings.Builder, d *Diagnostic) {
	helps := d.Helps()
	if len(helps) == 0 {
		return
	}
	lines, text, ok := suggestion(helps[0].Edits)
	if !ok {
		return
	}
	p, _ := locateFrom(lines, o.Root)
	last, _ := lines.Source.Position(int(lines.End) - 1)
	where := fmt.Sprintf("%s#L%d", p.file, p.line)
	if last > p.line {
		where += fmt.Sprintf("-L%d", last)
	}
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	fmt.Fprintf(out, "\n%s:\n\n%ssuggestion\n%s%s\n", Code(where), fence, text, fence)
}

// suggestion returns the lines that edits change, and their text afterwards. It is not ok if the edits are in several
// files, or leave lines between them as they are, or if the text has characters that a comment may not keep.
func suggestion(edits []Edit) (lines Span, text string, ok bool) {
	if len(edits) == 0 {
		return Span{}, "", false
	}
	src := edits[0].Span.Source
	data := src.Bytes()
	for i, e := range edits { // sorted
		if e.Span.Source != src || int(e.Span.End) > len(data) {
			return Span{}, "", false
		}
		own := linesOf(data, e.Span)
		if i > 0 && own.Start > lines.End {
			return Span{}, "", false
		}
		if i == 0 {
			lines = own
		}
		lines.End = max(lines.End, own.End)
	}
	moved := make([]Edit, len(edits))
	for i, e := range edits {
		moved[i] = Edit{At(src, int(e.Span.Start-lines.Start), int(e.Span.End-lines.Start)), e.New}
	}
	text = string(Apply(data[lines.Start:lines.End], moved))
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	for line := range strings.Lines(text) {
		if plain := strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "\t", " "); Printable(plain) != plain {
			return Span{}, "", false
		}
	}
	return lines, text, true
}

// linesOf returns the whole lines that a span has bytes of.
func linesOf(data []byte, s Span) Span {
	s.Start = int32(bytes.LastIndexByte(data[:s.Start], '\n') + 1)
	from := s.Start
	if s.End > from {
		from = s.End - 1
	}
	if i := bytes.IndexByte(data[from:], '\n'); i >= 0 {
		s.End = from + int32(i) + 1
	} else {
		s.End = int32(len(data))
	}
	return s
}

// Code returns a text as code on one line of Markdown, at most 300 bytes of it.
func Code(text string) string {
	text = strings.ReplaceAll(Printable(text), "`", "'")
	if len(text) > 300 {
		text = strings.ToValidUTF8(text[:300], "") + "…"
	}
	return "`" + text + "`"
}
