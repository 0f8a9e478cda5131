package diff

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/effort"
)

// WriteMarkdown writes the report as Markdown for a comment or for release notes, without what a policy does not
// report. If it is too long, it has no witnesses; if it still is, lists end with the number of lines that are left
// out.
func (r *Report) WriteMarkdown(w io.Writer, policy *Policy) error {
	most := effort.Markdown.N()
	var text string
	for _, form := range []markdown{
		{policy, -1, true}, {policy, -1, false}, {policy, 30, false}, {policy, 5, false}, {policy, 1, false},
	} {
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
	policy    *Policy
	limit     int
	witnesses bool
}

func (m markdown) write(r *Report) string {
	var out strings.Builder
	r.writeBroken(m.policy, func(line string) { fmt.Fprintf(&out, "- %s\n", line) }, diag.Code)
	if out.Len() > 0 {
		out.WriteString("\n")
	}
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
		fmt.Fprintf(&out, "| %s |", strings.ReplaceAll(diag.Code(c.Title()), "|", "\\|"))
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
	m.list(&out, len(r.Added), func(i int) { fmt.Fprintf(&out, "- New CRD %s\n", diag.Code(r.Added[i])) })
	return out.String()
}

func (m markdown) comparison(out *strings.Builder, c *Comparison) {
	fmt.Fprintf(out, "\n### %s\n\n", diag.Code(c.Title()))
	for _, list := range [][]diag.Diagnostic{c.Rejected, c.OldRejected} {
		m.list(out, len(list), func(i int) {
			fmt.Fprintf(out, "- **%s** %s\n", list[i].Severity, diag.Code(list[i].Message))
		})
	}
	groups := groupsOf([]*Comparison{c}, m.policy)
	m.list(out, len(groups), func(i int) { m.group(out, groups[i]) })
	silenced := slices.DeleteFunc(slices.Clone(c.Changes), func(c Change) bool { return c.Silenced == "" })
	m.list(out, len(silenced), func(i int) {
		change := &silenced[i]
		fmt.Fprintf(out, "- %s%s; silenced: %s\n", whereOf(change.Versions, change.Path), diag.Code(change.Message),
			diag.Code(change.Silenced))
	})
	m.list(out, len(c.Additions), func(i int) {
		a := &c.Additions[i]
		fmt.Fprintf(out, "- Added: %s%s%s\n", whereOf(a.Versions, a.Path), diag.Code(a.Message), a.remark())
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

// group writes equal changes, with the witnesses of the first one.
func (m markdown) group(out *strings.Builder, g *group) {
	c := g.places[0]
	fmt.Fprintf(out, "- **%s** %s%s", c.answers(), whereOf(c.Versions, c.Path), diag.Code(c.Message))
	for _, f := range c.Findings {
		if f.Answer == Unknown && f.Reason != "" {
			fmt.Fprintf(out, "; %s", diag.Code(f.Reason))
		}
	}
	if len(g.places) > 1 {
		fmt.Fprintf(out, "; also at %s", diag.Code(g.others(false)))
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

// whereOf returns the place of a change, with a colon; "" if it is the CRD itself.
func whereOf(versions []string, path string) string {
	if text := strings.TrimSpace(strings.Join(versions, ", ") + " " + path); text != "" {
		return diag.Code(text) + ": "
	}
	return ""
}
