package schema

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/crdproof/crdproof/diag"
)

// A JSONReader reads texts that are valid JSON.
type JSONReader struct {
	// Number returns the kind and the text of a number.
	Number func(literal string, at diag.Span) (Kind, string)
	// Again is called for a duplicate key; the later value counts.
	Again func(key string, at, first diag.Span)
}

// Read returns the value of a text that starts at the start of the span.
func (r *JSONReader) Read(text []byte, at diag.Span) Value {
	t := jsonTree{JSONReader: r, at: at, text: text, dec: json.NewDecoder(bytes.NewReader(text))}
	t.dec.UseNumber()
	return t.value()
}

type jsonTree struct {
	*JSONReader
	at   diag.Span
	text []byte
	dec  *json.Decoder
}

// token returns the next token and its position.
func (t *jsonTree) token() (json.Token, diag.Span) {
	start := int(t.dec.InputOffset())
	for start < len(t.text) && bytes.IndexByte([]byte(" \t\r\n,:"), t.text[start]) >= 0 {
		start++
	}
	token, _ := t.dec.Token() // the text is valid
	return token, t.at.Sub(start, int(t.dec.InputOffset()))
}

func (t *jsonTree) value() Value {
	token, at := t.token()
	v := Value{At: at}
	switch token := token.(type) {
	case bool:
		v.Kind, v.Text = Bool, strconv.FormatBool(token)
	case json.Number:
		v.Kind, v.Text = t.Number(token.String(), at)
	case string:
		v.Kind, v.Text = String, token
	case json.Delim:
		if token == '[' {
			t.array(&v)
		} else {
			t.object(&v)
		}
		_, end := t.token()
		v.At.End = end.End
	}
	return v
}

func (t *jsonTree) array(v *Value) {
	v.Kind = Array
	for t.dec.More() {
		v.Items = append(v.Items, t.value())
	}
}

func (t *jsonTree) object(v *Value) {
	v.Kind = Object
	index := map[string]int{}
	for t.dec.More() {
		token, at := t.token()
		key, _ := token.(string)
		i, found := index[key]
		if found {
			t.Again(key, at, v.Members[i].KeyAt)
		} else {
			i = len(v.Members)
			index[key] = i
			v.Members = append(v.Members, Member{})
		}
		v.Members[i] = Member{Key: key, KeyAt: at, Value: t.value()}
	}
}
