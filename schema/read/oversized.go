package read

import (
	"bytes"
	"regexp"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/schema"
)

// requestLimit is how many bytes an API server reads of one request (k8s.io/apiserver/pkg/server,
// MaxRequestBodyBytes).
const requestLimit = 3 << 20

// isOversized reports whether a text is certainly more JSON than an API server reads: its tree takes many times the
// memory of the text, and is not built.
func (r *reader) isOversized(c chunk) bool {
	return c.end-c.start > 2*requestLimit && leastJSON(r.src.Data[c.start:c.end]) > requestLimit
}

// leastJSON returns a number of bytes that the JSON of a text has at least. Half is for numbers and quotes that JSON
// writes shorter.
func leastJSON(text []byte) int {
	n := 0
	for line := range bytes.Lines(text) {
		if i := bytes.IndexByte(line, '#'); i == 0 || i > 0 && (line[i-1] == ' ' || line[i-1] == '\t') {
			line = line[:i]
		}
		line = bytes.TrimLeft(line, " \t-") // the dashes of nested lists
		if bytes.HasPrefix(line, []byte("&")) || bytes.Contains(line, []byte(" &")) ||
			bytes.Contains(line, []byte(" !")) {
			continue // an anchor or a tag
		}
		blanks := bytes.Count(line, []byte(" ")) + bytes.Count(line, []byte("\t")) + 1
		const longestEscape = len(`\U00000041`)
		n += max(0, len(line)-blanks-bytes.Count(line, []byte(`\`))*longestEscape)
	}
	return n / 2
}

// typed finds the apiVersion or the kind of an object at the root of a document.
var typed = regexp.MustCompile(`(?m)^(apiVersion|kind):|^\s*\{[^{}\[\]]*"(apiVersion|kind)"|^  "(apiVersion|kind)":`)

// oversized drops a document that is too large, and reports it if it is an object.
func (r *reader) oversized(c chunk) bool {
	if r.item == nil || !r.isOversized(c) {
		return false
	}
	if typed.Match(r.src.Data[c.start:c.end]) {
		r.tooLarge(c)
		return true
	}
	at := r.part(c.start, c.end)
	r.visit(&schema.Value{Kind: schema.Object, At: at.Sub(0, 1)}, []byte("{}"), nil)
	return true
}

// tooLarge reports an object that is too large. CRDs are the only objects that matter to readers of CRDs.
func (r *reader) tooLarge(c chunk) {
	if r.document != nil && !bytes.Contains(r.src.Data[c.start:c.end], []byte(crdKind)) {
		return
	}
	at := r.part(c.start, c.end)
	first, _, _ := bytes.Cut(r.src.Data[at.Start:at.End], []byte("\n"))
	r.report(diag.Errorf(at.Sub(0, len(first)), syntax, "this object has %s; an API server reads at most %d of a "+
		"request",
		diag.Counted(c.end-c.start, "byte"), requestLimit).
		Note("it was not read").Help("move a part of it into other objects"))
}
