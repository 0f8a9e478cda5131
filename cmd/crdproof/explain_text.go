package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/crdproof/crdproof/rules/cost"
)

const (
	// maxExpression is the most characters that are shown of an expression.
	maxExpression = 60
	// maxExpensive is how many rules are listed as the most expensive ones, if there are more than so many at all.
	maxExpensive = 3
)

// writeCosts writes costs for a person.
func writeCosts(w io.Writer, crds []explained) error {
	var out bytes.Buffer
	for _, c := range crds {
		for i := range c.versions {
			if out.Len() > 0 {
				out.WriteByte('\n')
			}
			writeVersion(&out, c.name, &c.versions[i])
		}
	}
	_, err := w.Write(out.Bytes())
	return err
}

// writeVersion writes the sum of a version, and the table of its rules.
func writeVersion(out *bytes.Buffer, name string, r *cost.Report) {
	fmt.Fprintf(out, "%s %s: ", name, r.Version)
	if len(r.Entries) == 0 {
		fmt.Fprint(out, "no rules")
	} else {
		fmt.Fprintf(out, "%s of %s (%s), %s left", cost.Amount(r.Cost), cost.Amount(cost.VersionBudget),
			cost.Share(r.Cost, cost.VersionBudget), cost.Amount(r.Left()))
	}
	switch {
	case r.Broken == 1:
		fmt.Fprint(out, "; one more does not compile")
	case r.Broken > 1:
		fmt.Fprintf(out, "; %d more do not compile", r.Broken)
	}
	out.WriteByte('\n')
	if len(r.Entries) == 0 {
		return
	}
	rows := costRows(r)
	out.WriteByte('\n')
	writeRows(out, rows)
	writeExpensive(out, r)
}

// A costRow is a line of the table: a field, or a rule of the field above it.
type costRow struct {
	// numbers are the estimate, the values, the cost and the share; empty for fields.
	numbers [4]string
	// text is indented by its depth in the tree.
	text, dominant string
}

// costRows lays out the tree: each field once, below the fields that it lies in.
func costRows(r *cost.Report) []costRow {
	rows := []costRow{{numbers: [4]string{"ESTIMATE", "VALUES", "COST", "SHARE"}, text: "FIELD, RULE", dominant: "DOMINATED BY"}}
	var way []string
	for i := range r.Entries {
		e := &r.Entries[i]
		for depth := commonPrefix(way, e.Way); depth < len(e.Way); depth++ {
			row := costRow{text: strings.Repeat("  ", depth) + e.Way[depth]}
			if depth == len(e.Way)-1 {
				row.text += roomNote(e)
			}
			rows = append(rows, row)
		}
		way = e.Way
		rows = append(rows, costRow{
			numbers: [4]string{
				cost.Amount(e.Each), cost.Amount(e.Cardinality), cost.Amount(e.Cost), cost.Share(e.Cost, cost.RuleBudget),
			},
			text:     strings.Repeat("  ", len(way)) + expressionOf(e),
			dominant: sizeOf(e.Dominant),
		})
	}
	return rows
}

func commonPrefix(a, b []string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// roomNote says what a rule on a field of many values may cost.
func roomNote(e *cost.Entry) string {
	switch {
	case e.Part != "rule" || e.Cardinality == 1:
		return ""
	case e.Cardinality == 0:
		return "  (there is never one)"
	}
	return fmt.Sprintf("  (a rule here may cost %s)", cost.Amount(e.Room()))
}

// expressionOf is the beginning of an expression, on one line.
func expressionOf(e *cost.Entry) string {
	text := []rune(strings.Join(strings.Fields(e.Expression), " "))
	if len(text) > maxExpression {
		text = append(text[:maxExpression-1], '…')
	}
	if e.Part != "rule" {
		return e.Part + ": " + string(text)
	}
	return string(text)
}

func sizeOf(s *cost.Size) string {
	switch {
	case s == nil:
		return ""
	case s.Bound == nil:
		return s.Field + ", no " + s.Keyword
	}
	return fmt.Sprintf("%s, %s %d", s.Field, s.Keyword, *s.Bound)
}

// writeRows aligns the numbers to the right and the texts to the left.
func writeRows(out *bytes.Buffer, rows []costRow) {
	var width [4]int
	textWidth := 0
	for _, row := range rows {
		for i, n := range row.numbers {
			width[i] = max(width[i], utf8.RuneCountInString(n))
		}
		if row.numbers[0] != "" {
			textWidth = max(textWidth, utf8.RuneCountInString(row.text))
		}
	}
	for _, row := range rows {
		var line strings.Builder
		for i, n := range row.numbers {
			fmt.Fprintf(&line, "  %*s", width[i], n)
		}
		fmt.Fprintf(&line, "  %-*s  %s", textWidth, row.text, row.dominant)
		out.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}

// writeExpensive lists the most expensive rules of a version that has many, as far as they matter.
func writeExpensive(out *bytes.Buffer, r *cost.Report) {
	list := slices.DeleteFunc(slices.Clone(r.Entries), func(e cost.Entry) bool { return e.Cost < cost.RuleBudget/100 })
	if len(r.Entries) <= maxExpensive || len(list) == 0 {
		return
	}
	slices.SortStableFunc(list, func(a, b cost.Entry) int { return cmp.Compare(b.Cost, a.Cost) })
	out.WriteString("\n  most expensive:\n")
	for i := range list[:min(len(list), maxExpensive)] {
		e := &list[i]
		field := strings.Join(e.Way, ".")
		if field == "" {
			field = "the object"
		}
		fmt.Fprintf(out, "  %8s  %s: %s\n", cost.Share(e.Cost, cost.RuleBudget), field, expressionOf(e))
	}
}
