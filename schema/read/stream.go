package read

import (
	"bytes"
	"unicode"

	"github.com/crdproof/crdproof/diag"
)

// A chunk is the part of a source between two offsets that holds one document of YAML, or several of JSON.
type chunk struct{ start, end int }

// chunks splits the source at lines that start with three dashes, as kubectl does (YAMLReader in
// k8s.io/apimachinery/pkg/util/yaml/decoder.go).
func (r *reader) chunks() []chunk {
	var out []chunk
	start := 0
	for offset := 0; offset < len(r.src.Data); {
		line, _, _ := bytes.Cut(r.src.Data[offset:], []byte("\n"))
		next := min(offset+len(line)+1, len(r.src.Data))
		if after, ok := bytes.CutPrefix(line, []byte("---")); ok {
			if after = bytes.TrimSpace(after); len(after) > 0 && after[0] != '#' {
				r.report(diag.Errorf(r.part(offset, offset+len(line)), syntax,
					"unexpected text after the three dashes between documents").
					Note("kubectl rejects the file").Help("start the document on the next line"))
			}
			out = append(out, chunk{start, offset})
			start = next
		}
		offset = next
	}
	return append(out, chunk{start, len(r.src.Data)})
}

// part returns the span between two offsets, without the white space around it.
func (r *reader) part(start, end int) diag.Span {
	start += len(r.src.Data[start:end]) - len(bytes.TrimLeftFunc(r.src.Data[start:end], unicode.IsSpace))
	return diag.At(r.src, start, start+len(bytes.TrimSpace(r.src.Data[start:end])))
}

// chunk reads the documents of a chunk. A text that starts with a brace is read as JSON if possible.
func (r *reader) chunk(c chunk) {
	data := r.src.Data[c.start:c.end]
	text := bytes.TrimLeftFunc(data, unicode.IsSpace)
	if bytes.HasPrefix(text, []byte("{")) {
		if r.jsonList(c) {
			return
		}
		values, err := jsonValues(data)
		inner := bytes.TrimLeftFunc(text[1:], unicode.IsSpace)
		looksLikeJSON := bytes.HasPrefix(inner, []byte(`"`)) || bytes.HasPrefix(inner, []byte("}"))
		switch {
		case err == nil:
			for _, v := range values {
				r.jsonDocument(chunk{c.start + v.start, c.start + v.end})
			}
			return
		case looksLikeJSON && !isYAML(data):
			if !r.skipsTemplate(c) {
				r.report(r.jsonSyntax(c, err))
			}
			return
		}
	}
	r.yamlDocument(c)
}
