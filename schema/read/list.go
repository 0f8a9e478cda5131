package read

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"

	clientyaml "sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/schema"
)

// The tree of a document takes many times the memory of its text. So the items of a list, which clients send one by
// one, are read one by one. If the text is not certain to have the same meaning in parts, the list is read as a whole.

// An item is an item of a list: its part of the source, and the JSON that clients send, nil if it is too large.
type item struct {
	chunk
	sent []byte
}

// yamlList visits the items of a document that is a list. It reports false if the document must be read as a whole.
func (r *reader) yamlList(c chunk) bool {
	if r.item == nil {
		return false
	}
	text := r.src.Data[c.start:c.end]
	header, parts := cutItems(text)
	if len(parts) == 0 {
		return false
	}
	end := parts[len(parts)-1].end
	list := r.yamlFrame(c, slices.Concat(text[:header], text[end:]), header, end-header)
	if list == nil {
		return false
	}
	items := make([]item, len(parts))
	for i, part := range parts {
		items[i].chunk = chunk{c.start + part.start, c.start + part.end}
		if r.isOversized(items[i].chunk) {
			continue
		}
		sent, err := clientyaml.YAMLToJSON(text[part.start:part.end])
		if err != nil {
			return false
		}
		items[i].sent = bytes.TrimSuffix(bytes.TrimPrefix(sent, []byte("[")), []byte("]"))
	}
	r.items(list, items, func(it item) bool {
		data := r.src.Data[it.start:it.end]
		t := r.yamlTree(it.start, data)
		n, err := t.parse(data)
		if err != nil || n == nil || len(n.Items) != 1 {
			r.report(diag.Errorf(r.part(it.start, it.end), syntax, "this item of the list cannot be read: %v", err))
			return false
		}
		value, sent := inferred(&n.Items[0], it.sent, list)
		r.item(value, sent, t.found)
		return true
	})
	return true
}

// items visits the items of a list until visit returns false.
func (r *reader) items(list *schema.Value, items []item, visit func(item) bool) {
	for i := range items {
		if items[i].sent == nil {
			r.tooLarge(items[i].chunk)
			continue
		}
		if !visit(items[i]) {
			return
		}
		items[i].sent = nil // which may be large
	}
}

// yamlFrame returns the fields of a list from its text without the items, which are cut out at an offset. It is nil if
// the text is not that of a list, or has findings.
func (r *reader) yamlFrame(c chunk, frame []byte, cut, size int) *schema.Value {
	if _, err := clientyaml.YAMLToJSON(frame); err != nil {
		return nil
	}
	t := r.yamlTree(c.start, frame)
	n, err := t.parse(frame)
	if err != nil || n == nil || len(t.found)+len(t.rejected) > 0 || t.documentEnd() >= 0 || !isList(n) {
		return nil
	}
	items := n.Member("items")
	if items.Value.Kind != schema.Null ||
		int(items.KeyAt.Start) != c.start+bytes.LastIndex(frame[:cut], []byte("items:")) {
		return nil
	}
	for i := range n.Members {
		for _, at := range []*diag.Span{&n.Members[i].KeyAt, &n.Members[i].Value.At} {
			if at.Start >= int32(c.start+cut) {
				at.Start, at.End = at.Start+int32(size), at.End+int32(size)
			}
		}
	}
	return n
}

// itemsLine is the line of the key items of a document.
var itemsLine = regexp.MustCompile(`^items:[ \t]*(#.*)?\r?\n`)

// cutItems cuts the items of a list in block style: a part begins at each line with a dash in the column of the first
// one. Where such a line belongs to the value before it, that value is not closed, and its part is not YAML. header is
// the offset after the line of the key. There are no parts if a text may have other line breaks.
func cutItems(text []byte) (header int, parts []chunk) {
	header = itemsHeader(text)
	if header < 0 || hasOtherBreaks(text) || bytes.HasPrefix(text, []byte("%")) || bytes.Contains(text, []byte("\n%")) {
		return 0, nil
	}
	indent := -1
	start := header
	for offset := header; offset < len(text); {
		line, _, _ := bytes.Cut(text[offset:], []byte("\n"))
		next := min(offset+len(line)+1, len(text))
		rest := bytes.TrimLeft(line, " ")
		column := len(line) - len(rest)
		isDash := len(rest) > 0 && rest[0] == '-' && (len(rest) == 1 || bytes.IndexByte([]byte(" \t\r"), rest[1]) >= 0)
		switch rest = bytes.TrimSpace(rest); {
		case len(rest) == 0 || rest[0] == '#': // a part of the item, whether or not it is a comment
		case indent < 0 && !isDash:
			return header, nil
		case indent < 0:
			indent = column
		case column == indent && isDash:
			parts = append(parts, chunk{start, offset})
			start = offset
		case column <= indent:
			return header, append(parts, chunk{start, offset})
		}
		offset = next
	}
	if indent < 0 {
		return header, nil
	}
	return header, append(parts, chunk{start, len(text)})
}

// itemsHeader returns the offset after the line of the key items, -1 without one. A regular expression for all lines
// takes as long as the parser.
func itemsHeader(text []byte) int {
	for at := 0; ; {
		if line := itemsLine.Find(text[at:]); line != nil {
			return at + len(line)
		}
		next := bytes.Index(text[at:], []byte("\nitems:"))
		if next < 0 {
			return -1
		}
		at += next + 1
	}
}

// hasOtherBreaks reports whether a text has line breaks of YAML 1.1 other than those of Unix and Windows.
func hasOtherBreaks(text []byte) bool {
	return bytes.Count(text, []byte("\r")) != bytes.Count(text, []byte("\r\n")) ||
		slices.ContainsFunc([]string{"\u0085", "\u2028", "\u2029"},
			func(other string) bool { return bytes.Contains(text, []byte(other)) })
}

// jsonList visits the items of a document that is a list. It reports false if the document must be read as a whole.
func (r *reader) jsonList(c chunk) bool {
	if r.item == nil {
		return false
	}
	text := r.src.Data[c.start:c.end]
	list, parts := r.cutJSON(c, text)
	if list == nil {
		return false
	}
	items := make([]item, len(parts))
	for i, part := range parts {
		items[i].chunk = chunk{c.start + part.start, c.start + part.end}
		if r.isOversized(items[i].chunk) {
			continue
		}
		sent, err := resent(text[part.start:part.end])
		if err != nil {
			return false
		}
		items[i].sent = sent
	}
	r.items(list, items, func(it item) bool {
		n, _, found := r.jsonTree(it.chunk)
		value, sent := inferred(&n, it.sent, list)
		r.item(value, sent, found)
		return true
	})
	return true
}

// cutJSON returns the kind and the apiVersion of a text that is one list of objects, and the items. It returns nil if
// the text is anything else.
func (r *reader) cutJSON(c chunk, text []byte) (list *schema.Value, parts []chunk) {
	if !bytes.Contains(text, []byte(`"items"`)) {
		return nil, nil
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	if _, err := dec.Token(); err != nil {
		return nil, nil
	}
	list = &schema.Value{Kind: schema.Object, At: diag.At(r.src, c.start, c.end)}
	for dec.More() {
		token, err := dec.Token()
		key, _ := token.(string)
		if err != nil || list.Find(key) != nil {
			return nil, nil
		}
		m := schema.Member{Key: key}
		if key == "items" {
			if parts, err = jsonArray(dec); err != nil {
				return nil, nil
			}
			m.Value.Kind = schema.Array
		} else {
			var raw json.RawMessage
			if dec.Decode(&raw) != nil {
				return nil, nil
			}
			if end := c.start + int(dec.InputOffset()); key == "kind" || key == "apiVersion" {
				m.Value, _, _ = r.jsonTree(chunk{end - len(raw), end})
			}
		}
		list.Members = append(list.Members, m)
	}
	if _, err := dec.Token(); err != nil || !isList(list) || len(bytes.TrimSpace(text[dec.InputOffset():])) > 0 {
		return nil, nil
	}
	return list, parts
}

// jsonArray returns the items of the array that follows.
func jsonArray(dec *json.Decoder) (parts []chunk, err error) {
	if token, err := dec.Token(); err != nil || token != json.Delim('[') {
		return nil, fmt.Errorf("expected an array, got %v", token)
	}
	for dec.More() {
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return nil, err
		}
		end := int(dec.InputOffset())
		parts = append(parts, chunk{end - len(raw), end})
	}
	_, err = dec.Token()
	return parts, err
}
