package explain

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/cost"
)

const (
	// maxExpression is the maximum number of characters that are shown of an expression.
	maxExpression = 60
	// maxExpensive is how many rules are listed as the most expensive ones, if there are more than so many at all.
	maxExpensive = 3
)

// WriteCosts writes costs for a person.
func WriteCosts(w io.Writer, crds []CRD) error {
	var out bytes.Buffer
	for _, c := range crds {
		for i := range c.Versions {
			if out.Len() > 0 {
				out.WriteByte('\n')
			}
			writeVersion(&out, c.Name, &c.Versions[i])
		}
	}
	_, err := w.Write(out.Bytes())
	return err
}

// writeVersion writes the sum of a version, and the table of its rules.
func writeVersion(out *bytes.Buffer, name string, r *cost.Report) {
	fmt.Fprintf(out, "%s %s: ", diag.Printable(name), diag.Printable(r.Version))
	if len(r.Entries) == 0 {
		fmt.Fprint(out, "no rules")
	} else {
		fmt.Fprintf(out, "%s of %s (%s), %s left", cost.Amount(r.Cost), cost.Amount(cost.VersionBudget),
			cost.Share(r.Cost, cost.VersionBudget), cost.Amount(r.Left()))
	}
	switch {
	case r.Broken == 1:
		fmt.Fprint(out, "; 1 rule does not compile")
	case r.Broken > 1:
		fmt.Fprintf(out, "; %d rules do not compile", r.Broken)
	}
	out.WriteByte('\n')
	if len(r.Entries) == 0 {
		return
	}
	out.WriteByte('\n')
	writeTable(out, costRows(r))
	writeExpensive(out, r)
}

// costRows lays out the tree: each field once, below the fields that it lies in.
func costRows(r *cost.Report) []row {
	rows := []row{{[]string{"ESTIMATE", "VALUES", "COST", "SHARE"}, "FIELD, RULE", "DOMINATED BY"}}
	var way []string
	for i := range r.Entries {
		e := &r.Entries[i]
		for depth := commonPrefix(way, e.Way); depth < len(e.Way); depth++ {
			field := row{text: strings.Repeat("  ", depth) + e.Way[depth]}
			if depth == len(e.Way)-1 {
				field.text += roomNote(e)
			}
			rows = append(rows, field)
		}
		way = e.Way
		rows = append(rows, row{
			[]string{cost.Amount(e.Each), cost.Amount(e.Cardinality), cost.Amount(e.Cost),
				cost.Share(e.Cost, cost.RuleBudget)},
			strings.Repeat("  ", len(way)) + expressionOf(e), sizeOf(e.Dominant),
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

// roomNote shows how much a rule on a field of many values may cost.
func roomNote(e *cost.Entry) string {
	switch {
	case e.Part != "rule" || e.Cardinality == 1:
		return ""
	case e.Cardinality == 0:
		return "  (never present)"
	}
	return fmt.Sprintf("  (a rule here may cost %s)", cost.Amount(e.Room()))
}

// expressionOf returns the beginning of an expression, on one line.
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
		field := cmp.Or(strings.Join(e.Way, "."), "the object")
		fmt.Fprintf(out, "  %8s  %s: %s\n", cost.Share(e.Cost, cost.RuleBudget), diag.Printable(field),
			diag.Printable(expressionOf(e)))
	}
}
