package diff

import (
	"fmt"
	"io"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/effort"
)

// WriteMarkdown writes the report as Markdown for a comment or for release notes. If it is too long, it has no
// witnesses; if it still is, lists end with the number of lines that are left out.
func (r *Report) WriteMarkdown(w io.Writer) error {
	most := effort.DiffMarkdown.N()
	var text string
	for _, form := range []markdown{{limit: -1, witnesses: true}, {limit: -1}, {limit: 30}, {limit: 5}, {limit: 1}} {
		if text = form.write(r); len(text) <= most {
			break
		}
	}
	if len(text) > most { // thousands of CRDs
		end := strings.LastIndexByte(text[:most-100], '\n')
		text = text[:end] + "\n\nThe rest is left out. Run crdproof diff for all changes.\n"
	}
	_, err := io.WriteString(w, text)
	return err
}

// A markdown is a form of the report: with witnesses or without them, and with limited lists.
type markdown struct {
	limit     int
	witnesses bool
}

func (m markdown) write(r *Report) string {
	var out strings.Builder
	changed := 0
	for _, c := range r.Comparisons {
		if !c.Changed() {
			continue
		}
		if changed++; changed == 1 {
			out.WriteString("| CRD |")
			for _, q := range Questions() {
				fmt.Fprintf(&out, " %s |", q)
			}
			out.WriteString("\n|---|" + strings.Repeat("---|", len(Questions())) + "\n")
		}
		fmt.Fprintf(&out, "| %s |", strings.ReplaceAll(code(c.Title()), "|", "\\|"))
		for _, q := range Questions() {
			fmt.Fprintf(&out, " %s |", c.Answer(q))
		}
		out.WriteString("\n")
	}
	if changed == 0 && len(r.Added) == 0 {
		return "The CRDs do not differ.\n"
	}
	for _, c := range r.Comparisons {
		if c.Changed() {
			m.comparison(&out, c)
		}
	}
	m.list(&out, len(r.Added), func(i int) { fmt.Fprintf(&out, "- New CRD %s\n", code(r.Added[i])) })
	return out.String()
}

func (m markdown) comparison(out *strings.Builder, c *Comparison) {
	fmt.Fprintf(out, "\n### %s\n\n", code(c.Title()))
	for _, list := range [][]diag.Diagnostic{c.Rejected, c.OldRejected} {
		m.list(out, len(list), func(i int) {
			fmt.Fprintf(out, "- **%s** %s\n", list[i].Severity, code(list[i].Message))
		})
	}
	m.list(out, len(c.Changes), func(i int) { m.change(out, &c.Changes[i]) })
	m.list(out, len(c.Additions), func(i int) {
		a := &c.Additions[i]
		fmt.Fprintf(out, "- Added: %s%s%s\n", place(a.Versions, a.Path), code(a.Message), a.remark())
	})
}

// list writes n items, or as many as the limit permits.
func (m markdown) list(out *strings.Builder, n int, write func(int)) {
	for i := range n {
		if m.limit >= 0 && i == m.limit {
			fmt.Fprintf(out, "- … and %d more\n", n-i)
			return
		}
		write(i)
	}
}

func (m markdown) change(out *strings.Builder, c *Change) {
	var answers []string
	for _, f := range c.Findings {
		answers = append(answers, fmt.Sprintf("%s: %s%s", f.Question, f.Answer, f.servers()))
	}
	fmt.Fprintf(out, "- **%s** %s%s", strings.Join(answers, ", "), place(c.Versions, c.Path), code(c.Message))
	for _, f := range c.Findings {
		if f.Answer == Unknown && f.Reason != "" {
			fmt.Fprintf(out, "; %s", code(f.Reason))
		}
	}
	if c.Silenced != "" {
		fmt.Fprintf(out, "; silenced: %s", code(c.Silenced))
	}
	out.WriteString("\n")
	if !m.witnesses {
		return
	}
	for _, f := range c.Findings {
		if f.Witness == nil {
			continue
		}
		lines := f.Witness.lines(nil)
		fence := "~~~~"
		for strings.Contains(strings.Join(lines, "\n"), fence) {
			fence += "~"
		}
		fmt.Fprintf(out, "\n  <details><summary>%s</summary>\n\n  %syaml\n", f.Question, fence)
		for _, line := range lines {
			fmt.Fprintf(out, "  %s\n", diag.Printable(line))
		}
		fmt.Fprintf(out, "  %s\n\n  </details>\n\n", fence)
	}
}

// place returns the place of a change, with a colon; "" if it is the CRD itself.
func place(versions []string, path string) string {
	if text := strings.TrimSpace(strings.Join(versions, ", ") + " " + path); text != "" {
		return code(text) + ": "
	}
	return ""
}

// code returns a text as code on one line.
func code(text string) string {
	text = strings.ReplaceAll(diag.Printable(text), "`", "'")
	if len(text) > 300 {
		text = strings.ToValidUTF8(text[:300], "") + "…"
	}
	return "`" + text + "`"
}
