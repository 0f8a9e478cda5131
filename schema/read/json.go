package read

import (
	"bytes"
	"encoding/json"
	"io"
	"strconv"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/schema"
)

// jsonValues cuts a text into the JSON values that follow each other in it.
func jsonValues(data []byte) ([]chunk, error) {
	var out []chunk
	dec := json.NewDecoder(bytes.NewReader(data))
	for {
		var raw json.RawMessage
		switch err := dec.Decode(&raw); err {
		case nil:
			end := int(dec.InputOffset())
			out = append(out, chunk{end - len(raw), end})
		case io.EOF:
			return out, nil
		default:
			return nil, err
		}
	}
}

// jsonDocument reads a document that is a JSON value.
func (r *reader) jsonDocument(c chunk) {
	if r.oversized(c) {
		return
	}
	n, unsent, found := r.jsonTree(c)
	sent, err := resent(r.src.Data[c.start:c.end])
	if err != nil {
		r.report(diag.Errorf(unsent, syntax, "clients cannot send this: %v", err))
		return
	}
	r.visit(&n, sent, found)
}

// jsonTree returns the tree of a JSON value with the findings in its text. unsent is a number that no client can send,
// or the whole text.
func (r *reader) jsonTree(c chunk) (n schema.Value, unsent diag.Span, found []diag.Diagnostic) {
	data, whole := r.src.Data[c.start:c.end], diag.At(r.src, c.start, c.end)
	unsent = whole
	tree := schema.JSONReader{
		Number: func(literal string, at diag.Span) (schema.Kind, string) {
			sent := sentNumber(json.Number(literal))
			if sent == "" {
				unsent = at
			}
			return schema.NumberKind, sent
		},
		Again: func(key string, at, first diag.Span) { found = append(found, duplicateKey(key, at, first)) },
	}
	n = tree.Read(data, whole)
	return n, unsent, found
}

// resent returns JSON as kubectl sends it, which reads numbers into Go's int64 and float64 and encodes them again.
func resent(data []byte) ([]byte, error) {
	var object any
	if err := utiljson.Unmarshal(data, &object); err != nil {
		return nil, err
	}
	return json.Marshal(object)
}

// sentNumber returns a number as kubectl sends it, "" if it cannot.
func sentNumber(n json.Number) string {
	if i, err := n.Int64(); err == nil {
		return strconv.FormatInt(i, 10)
	}
	if f, err := n.Float64(); err == nil {
		if text, err := json.Marshal(f); err == nil {
			return string(text)
		}
	}
	return ""
}

// jsonSyntax says why a text is not JSON.
func (r *reader) jsonSyntax(c chunk, err error) diag.Diagnostic {
	if r.isTemplate(c) {
		return r.notRendered(c)
	}
	at := r.part(c.start, c.end)
	if syntax, ok := err.(*json.SyntaxError); ok {
		offset := min(c.start+max(int(syntax.Offset)-1, 0), c.end)
		at = diag.At(r.src, offset, min(offset+1, c.end))
	} else {
		at = at.Sub(int(at.End-at.Start), int(at.End-at.Start)) // it ends too early
	}
	return diag.Errorf(at, syntax, "invalid JSON: %v", err)
}
