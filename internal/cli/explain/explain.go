// Package explain computes what CRDs cost an API server: the estimated cost of their rules, and their size in bytes.
//
// The input is a CRD. The output is its figures, as tables for people and as JSON for programs.
package explain

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/cost"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/rules/size"
	"github.com/crdproof/crdproof/schema"
)

// A CRD has the costs of its rules, by version, or its sizes.
type CRD struct {
	Name, Kind string
	Versions   []cost.Report
	Sizes      size.Sizes
	Spread     size.Spread
}

// Costs estimates the rules of a CRD, for each version that has a structural schema. Whether the CRD is valid does not
// matter.
func Costs(ctx context.Context, s *session.Session) CRD {
	out := CRD{Name: s.CRD.ObjectName(), Kind: s.CRD.Kind.V}
	for _, v := range s.Versions {
		if _, err := v.Structure(); err == nil {
			out.Versions = append(out.Versions, cost.Explain(ctx, v.Name.V, v.Rules(), v.Estimates()))
		}
	}
	return out
}

// namedPart is the smallest part of a CRD that is named: one of so many.
const namedPart = 20

// Sizes shows where the bytes of a CRD are. The sizes are measured before.
func Sizes(c *schema.CRD, sizes size.Sizes) CRD {
	return CRD{Name: c.ObjectName(), Kind: c.Kind.V, Sizes: sizes, Spread: size.NewWeights().SpreadOf(c, namedPart)}
}

// A row is a line of a table: numbers, their subject, and a remark. Rows that only name a field have no numbers.
type row struct {
	numbers    []string
	text, tail string
}

// writeTable aligns the numbers to the right and the texts to the left. The first row is the heading, and has all
// columns.
func writeTable(out *bytes.Buffer, rows []row) {
	width := make([]int, len(rows[0].numbers))
	textWidth := 0
	for i := range rows {
		r := &rows[i]
		r.text, r.tail = diag.Printable(r.text), diag.Printable(r.tail)
		for i, n := range r.numbers {
			width[i] = max(width[i], utf8.RuneCountInString(n))
		}
		if r.numbers != nil {
			textWidth = max(textWidth, utf8.RuneCountInString(r.text))
		}
	}
	for _, r := range rows {
		var line strings.Builder
		for i := range width {
			number := ""
			if r.numbers != nil {
				number = r.numbers[i]
			}
			fmt.Fprintf(&line, "  %*s", width[i], number)
		}
		fmt.Fprintf(&line, "  %-*s  %s", textWidth, r.text, r.tail)
		out.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}
