package pages

import (
	"regexp"
	"strings"

	"github.com/crdproof/crdproof/diag"
)

// Text formats the page for a terminal with a number of columns. bold makes a text bold.
func (p Page) Text(width int, bold func(string) string) string {
	w := writer{width: width, bold: bold}
	w.out.WriteString(bold(p.heading()) + "\n\n")
	for line := range strings.SplitSeq(p.text, "\n") {
		w.line(line)
	}
	w.paragraph()
	return strings.TrimRight(w.out.String(), "\n") + "\n"
}

// A writer formats Markdown as far as the pages use it: paragraphs, lists, code, headings and tables.
type writer struct {
	out   strings.Builder
	width int
	bold  func(string) string
	// lines are those of the paragraph that is not yet written.
	lines []string
	// isCode is set inside a fence.
	isCode bool
}

// line reads a line. Code, headings and tables are written as they are.
func (w *writer) line(line string) {
	text := strings.TrimSpace(line)
	switch isFence := strings.HasPrefix(text, "```"); {
	case isFence:
		w.paragraph()
		w.isCode = !w.isCode
	case w.isCode:
		w.verbatim("    " + line)
	case text == "":
		w.paragraph()
		w.out.WriteByte('\n')
	case strings.HasPrefix(line, "    ") && len(w.lines) == 0, strings.HasPrefix(text, "|"):
		w.verbatim(line)
	case strings.HasPrefix(text, "#"):
		w.out.WriteString(w.bold(plain(strings.TrimLeft(text, "# "))) + "\n")
	case strings.HasPrefix(text, "- "):
		w.paragraph()
		w.lines = append(w.lines, line)
	case !strings.HasPrefix(text, "<!--"):
		w.lines = append(w.lines, line)
	}
}

func (w *writer) verbatim(line string) {
	w.out.WriteString(strings.TrimRight(strings.ReplaceAll(line, "\t", "    "), " ") + "\n")
}

// paragraph writes the paragraph, or the item of a list, that ends.
func (w *writer) paragraph() {
	if len(w.lines) == 0 {
		return
	}
	text := strings.TrimLeft(w.lines[0], " ")
	indent := strings.Repeat(" ", len(w.lines[0])-len(text))
	for _, line := range w.lines[1:] {
		text += " " + strings.TrimSpace(line)
	}
	w.lines = nil
	more := indent
	if strings.HasPrefix(text, "- ") {
		more += "  "
	}
	w.out.WriteString(diag.Wrapped(indent, more, plain(text), w.width))
}

var (
	link     = regexp.MustCompile(`\[([^\[\]]+)\]\([^()]*\)`)
	emphasis = regexp.MustCompile(`\*{1,2}([^*\s][^*]*)\*{1,2}`)
)

// plain removes the links of a text, and the stars of words that are stressed.
func plain(text string) string {
	parts := strings.Split(text, "`") // those at odd places are code
	for i := 0; i < len(parts); i += 2 {
		parts[i] = emphasis.ReplaceAllString(parts[i], "$1")
	}
	return link.ReplaceAllString(strings.Join(parts, "`"), "$1")
}
