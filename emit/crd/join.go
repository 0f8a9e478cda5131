package crd

import (
	"bytes"

	"github.com/crdproof/crdproof/internal/literal"
)

// Join returns the content of one file with several CRDs, which Append has encoded without a header: as documents, or
// as the items of a list of kind List.
func Join(header []byte, docs [][]byte, asList bool) []byte {
	out := bytes.Clone(header)
	if !asList {
		for _, doc := range docs {
			out = append(out, doc...)
		}
		return out
	}
	out = append(out, "---\napiVersion: v1\nkind: List\nitems:\n"...)
	for _, doc := range docs {
		out = appendItem(out, bytes.TrimPrefix(doc, []byte("---\n")))
	}
	return out
}

// appendItem appends a document as an item of a list: YAML gives the same meaning to lines that are all indented.
func appendItem(out, doc []byte) []byte {
	indent := "- "
	for len(doc) > 0 {
		line, rest := literal.CutLine(doc)
		if literal.YAMLBreak(string(line)) == 0 { // it is not empty
			out = append(out, indent...)
			indent = "  "
		}
		out, doc = append(out, line...), rest
	}
	return out
}
