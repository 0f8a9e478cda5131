package explain

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/size"
)

// WriteSizes writes sizes for a person.
func WriteSizes(w io.Writer, crds []CRD) error {
	var out bytes.Buffer
	for i := range crds {
		if i > 0 {
			out.WriteByte('\n')
		}
		writeSize(&out, &crds[i])
	}
	_, err := w.Write(out.Bytes())
	return err
}

// writeSize writes the bytes of a CRD, and where they are.
func writeSize(out *bytes.Buffer, c *CRD) {
	s, all := c.Sizes, c.Spread.Schemas
	fmt.Fprintf(out, "%s: %s of %s bytes of annotations with kubectl apply (%s)\n", diag.Printable(c.Name),
		size.Amount(s.Annotations), size.Amount(size.AnnotationLimit), size.Part(s.Annotations, size.AnnotationLimit))
	fmt.Fprintf(out, "  %s bytes as JSON, including %s (%s) of descriptions", size.Amount(s.JSON),
		size.Amount(all.Descriptions),
		size.Part(all.Descriptions, s.JSON))
	if s.File > 0 {
		fmt.Fprintf(out, "; %s as a file", size.Amount(s.File))
	}
	out.WriteString("\n\n")
	columns := []string{"BYTES", "SHARE", "DESCRIPTIONS"}
	rows := []row{{numbers: columns, text: "FIELD"}}
	add := func(share size.Share, text string) {
		numbers := []string{size.Amount(share.Bytes), size.Part(share.Bytes, s.JSON), size.Amount(share.Descriptions)}
		rows = append(rows, row{numbers: numbers, text: text})
	}
	var way []string // of the fields above
	for _, f := range c.Spread.Fields {
		way = append(way[:f.Depth], f.Name)
		if f.Depth == 0 {
			add(f.Share, f.Version)
			continue
		}
		add(f.Share, strings.Repeat("  ", f.Depth)+strings.TrimPrefix(strings.TrimPrefix(f.Name, way[f.Depth-1]), "."))
	}
	rows = append(rows, row{}, row{numbers: columns, text: "PACKAGE"})
	for _, p := range c.Spread.Packages {
		if p.Path != "" && p.Bytes > 0 {
			add(p.Share, fmt.Sprintf("%s (descriptions: %s)", p.Path, size.Amount(p.Described)))
		}
	}
	if rows[len(rows)-1].text == "PACKAGE" {
		rows = rows[:len(rows)-2]
	}
	writeTable(out, rows)
}
