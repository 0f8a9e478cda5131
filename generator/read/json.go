package read

import (
	"bytes"
	"encoding/json"
	"io"
	"strconv"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
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
	data := r.src.Data[c.start:c.end]
	t := &jsonTree{src: r.src, base: c.start, text: data, dec: json.NewDecoder(bytes.NewReader(data))}
	t.dec.UseNumber()
	t.unsent = t.whole()
	n := t.value()
	// kubectl reads numbers into Go's int64 and float64 and writes them anew.
	var object any
	if err := utiljson.Unmarshal(data, &object); err != nil {
		r.report(diag.Errorf(t.unsent, syntax, "no client can send this: %v", err))
		return
	}
	sent, err := json.Marshal(object)
	if err != nil {
		r.report(diag.Errorf(t.unsent, syntax, "no client can send this: %v", err))
		return
	}
	r.visit(&n, sent, t.found)
}

// jsonTree builds nodes from valid JSON.
type jsonTree struct {
	src   *diag.Source
	base  int
	text  []byte
	dec   *json.Decoder
	found []diag.Diagnostic
	// unsent is a number that no client can send, or else the whole text.
	unsent diag.Span
}

// token returns the next token and its place.
func (t *jsonTree) token() (json.Token, diag.Span) {
	start := int(t.dec.InputOffset())
	for start < len(t.text) && bytes.IndexByte([]byte(" \t\r\n,:"), t.text[start]) >= 0 {
		start++
	}
	token, err := t.dec.Token()
	if err != nil {
		return nil, t.whole() // the text was valid when it was cut out
	}
	return token, diag.At(t.src, t.base+start, t.base+int(t.dec.InputOffset()))
}

func (t *jsonTree) whole() diag.Span { return diag.At(t.src, t.base, t.base+len(t.text)) }

func (t *jsonTree) value() schema.Value {
	token, at := t.token()
	n := schema.Value{At: at}
	switch token := token.(type) {
	case bool:
		n.Kind, n.Text = schema.Bool, strconv.FormatBool(token)
	case json.Number:
		n.Kind, n.Text = schema.NumberKind, sentNumber(token)
		if n.Text == "" {
			t.unsent = at
		}
	case string:
		n.Kind, n.Text = schema.String, token
	case json.Delim:
		if token == '[' {
			t.array(&n)
		} else {
			t.object(&n)
		}
		_, end := t.token()
		n.At.End = end.End
	}
	return n
}

func (t *jsonTree) array(n *schema.Value) {
	n.Kind = schema.Array
	for t.dec.More() {
		n.Items = append(n.Items, t.value())
	}
}

func (t *jsonTree) object(n *schema.Value) {
	n.Kind = schema.Object
	b := objectBuilder{node: n}
	for t.dec.More() {
		key, at := t.token()
		name, _ := key.(string)
		if first, ok := b.get(name); ok {
			t.found = append(t.found, duplicateKey(name, at, first.KeyAt))
		}
		b.set(schema.Member{Key: name, KeyAt: at, Value: t.value()})
	}
}

// sentNumber is a number as kubectl sends it, "" if it cannot.
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

// jsonSyntax says why a text is no JSON.
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
	return diag.Errorf(at, syntax, "this is no JSON: %v", err)
}
