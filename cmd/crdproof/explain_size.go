package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/crdproof/crdproof/rules/size"
)

// namedPart is how small a part of a CRD is named: one of so many.
const namedPart = 20

// writeSizes writes sizes for a person.
func writeSizes(w io.Writer, crds []explained) error {
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
func writeSize(out *bytes.Buffer, c *explained) {
	s, all := c.sizes, c.spread.Schemas
	fmt.Fprintf(out, "%s: %s of %s bytes of annotations with kubectl apply (%s)\n", c.name, size.Amount(s.Annotations),
		size.Amount(size.AnnotationLimit), size.Part(s.Annotations, size.AnnotationLimit))
	fmt.Fprintf(out, "  %s bytes as JSON, of which %s (%s) are descriptions", size.Amount(s.JSON), size.Amount(all.Descriptions),
		size.Part(all.Descriptions, s.JSON))
	if s.File > 0 {
		fmt.Fprintf(out, "; %s as a file", size.Amount(s.File))
	}
	out.WriteString("\n\n")
	rows := [][4]string{{"BYTES", "SHARE", "DESCRIPTIONS", "FIELD"}}
	row := func(share size.Share, text string) {
		rows = append(rows, [4]string{size.Amount(share.Bytes), size.Part(share.Bytes, s.JSON), size.Amount(share.Descriptions), text})
	}
	var way []string // of the fields above
	for _, f := range c.spread.Fields {
		way = append(way[:f.Depth], f.Name)
		if f.Depth == 0 {
			row(f.Share, f.Version)
			continue
		}
		row(f.Share, strings.Repeat("  ", f.Depth)+strings.TrimPrefix(strings.TrimPrefix(f.Name, way[f.Depth-1]), "."))
	}
	rows = append(rows, [4]string{}, [4]string{"BYTES", "SHARE", "DESCRIPTIONS", "PACKAGE"})
	for _, p := range c.spread.Packages {
		if p.Path != "" && p.Bytes > 0 {
			row(p.Share, fmt.Sprintf("%s (descriptions: %s)", p.Path, size.Amount(p.Described)))
		}
	}
	if rows[len(rows)-1][3] == "PACKAGE" {
		rows = rows[:len(rows)-2]
	}
	writeTable(out, rows)
}

// writeTable aligns the numbers to the right and what they are of to the left.
func writeTable(out *bytes.Buffer, rows [][4]string) {
	var width [3]int
	for _, row := range rows {
		for i := range width {
			width[i] = max(width[i], utf8.RuneCountInString(row[i]))
		}
	}
	for _, row := range rows {
		line := fmt.Sprintf("  %*s  %*s  %*s  %s", width[0], row[0], width[1], row[1], width[2], row[2], row[3])
		out.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

// The types below are the format of explain --size --json: fields may be added, but not renamed or removed. All numbers are
// bytes of JSON, unless it says otherwise.
type (
	jsonSizes struct {
		// AnnotationLimit is how many bytes of annotations an API server accepts.
		AnnotationLimit int            `json:"annotationLimit"`
		CRDs            []jsonCRDSizes `json:"crds"`
	}
	jsonCRDSizes struct {
		Name string `json:"name"`
		Kind string `json:"kind"`
		// File is the length of the file; absent where the file holds more CRDs.
		File int `json:"file,omitempty"`
		JSON int `json:"json"`
		// Annotations are all annotations after kubectl apply, with their keys.
		Annotations  int               `json:"annotations"`
		Descriptions int               `json:"descriptions"`
		Fields       []jsonFieldSize   `json:"fields"`
		Packages     []jsonPackageSize `json:"packages"`
	}
	jsonFieldSize struct {
		Version string `json:"version"`
		// Field is the field as an author of objects knows it, "" for the object.
		Field        string `json:"field"`
		Bytes        int    `json:"bytes"`
		Descriptions int    `json:"descriptions"`
	}
	jsonPackageSize struct {
		// Package is the import path, "" for what comes from no Go file.
		Package      string `json:"package"`
		Bytes        int    `json:"bytes"`
		Descriptions int    `json:"descriptions"`
		// Described is the number of descriptions.
		Described int `json:"described"`
	}
)

// writeSizesJSON writes sizes for a program.
func writeSizesJSON(w io.Writer, crds []explained) error {
	report := jsonSizes{AnnotationLimit: size.AnnotationLimit, CRDs: []jsonCRDSizes{}}
	for _, c := range crds {
		entry := jsonCRDSizes{
			Name: c.name, Kind: c.kind, File: c.sizes.File, JSON: c.sizes.JSON, Annotations: c.sizes.Annotations,
			Descriptions: c.spread.Schemas.Descriptions, Fields: []jsonFieldSize{}, Packages: []jsonPackageSize{},
		}
		for _, f := range c.spread.Fields {
			entry.Fields = append(entry.Fields, jsonFieldSize{f.Version, f.Name, f.Bytes, f.Descriptions})
		}
		for _, p := range c.spread.Packages {
			entry.Packages = append(entry.Packages, jsonPackageSize{p.Path, p.Bytes, p.Descriptions, p.Described})
		}
		report.CRDs = append(report.CRDs, entry)
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(report)
}
