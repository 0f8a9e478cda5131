package profile

import "bytes"

// Join returns the content of one file with the CRDs of an output, which Append has encoded.
func (o *Output) Join(header []byte, parts [][]byte) []byte {
	out := bytes.Clone(header)
	if !o.List {
		for _, part := range parts {
			out = append(out, part...)
		}
		return out
	}
	out = append(out, "---\napiVersion: v1\nkind: List\nitems:\n"...)
	for _, part := range parts {
		out = appendItem(out, bytes.TrimPrefix(part, []byte("---\n")))
	}
	return out
}

// appendItem appends a document as an item of a list: YAML gives the same meaning to lines that are all indented.
func appendItem(out, doc []byte) []byte {
	indent := "- "
	for line := range bytes.Lines(doc) {
		if len(bytes.TrimRight(line, "\r\n")) > 0 {
			out = append(out, indent...)
			indent = "  "
		}
		out = append(out, line...)
	}
	return out
}
