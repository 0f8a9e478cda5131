package read

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	clientyaml "sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/literal"
	"github.com/crdproof/crdproof/schema"
)

// Two libraries read the same text, with the same grammar. sigs.k8s.io/yaml is the one that kubectl, Helm and API
// servers use: it decides the value of a document and of each scalar. go.yaml.in/yaml/v3 gives lines and columns.

// yamlDocument reads a document that is YAML.
func (r *reader) yamlDocument(c chunk) {
	if r.expands(c) || r.yamlList(c) || r.oversized(c) {
		return
	}
	data := r.src.Data[c.start:c.end]
	sent, err := clientyaml.YAMLToJSON(data)
	t := r.yamlTree(c.start, data)
	n, positionsErr := t.parse(data)
	switch {
	case (err != nil || positionsErr != nil) && r.skipsTemplate(c):
	case err != nil && positionsErr == nil && len(t.rejected) > 0 && !r.isTemplate(c):
		r.found = append(r.found, t.rejected...)
	case err != nil:
		r.report(r.yamlSyntax(c, err, positionsErr))
	case positionsErr != nil:
		r.report(r.yamlSyntax(c, positionsErr, positionsErr))
	case n != nil:
		if end := t.documentEnd(); end >= 0 {
			r.report(diag.Errorf(r.part(c.start+end, c.end), syntax,
				"kubectl ignores the text after three dots, which end the document").
				Help("separate documents with a line of three dashes"))
		}
		r.visit(n, sent, t.found)
	}
}

// yamlTree builds nodes from YAML.
type yamlTree struct {
	src  *diag.Source
	base int
	text string
	// anchors are the values that have a name; one that is being built is nil.
	anchors map[*yaml.Node]*schema.Value
	// meanings are those of the scalars that the library resolved so far.
	meanings map[string]meaning
	// found are duplicate keys and those that are sent as others; rejected are values that JSON cannot express.
	found, rejected []diag.Diagnostic

	// line, column and offset are those of the last position that was looked up. The library counts lines and
	// characters from 1, without the byte order mark of a document.
	line, column, offset int
}

// yamlTree returns the tree of a text that starts at an offset of the source.
func (r *reader) yamlTree(base int, data []byte) *yamlTree {
	const most = 10_000
	if r.meanings == nil || len(r.meanings) > most {
		r.meanings = map[string]meaning{}
	}
	return &yamlTree{src: r.src, base: base, text: string(data), anchors: map[*yaml.Node]*schema.Value{},
		meanings: r.meanings}
}

// parse returns the first document of the text, nil without one.
func (t *yamlTree) parse(data []byte) (*schema.Value, error) {
	doc, err := unmarshal(data)
	if err != nil || len(doc.Content) == 0 {
		return nil, err
	}
	t.rewind()
	root := t.node(doc.Content[0])
	return &root, nil
}

// unmarshal calls the library, which panics on its own bugs.
func unmarshal(data []byte) (doc yaml.Node, err error) {
	defer func() {
		if bug := recover(); bug != nil {
			err = fmt.Errorf("yaml: %v", bug)
		}
	}()
	err = yaml.Unmarshal(data, &doc)
	return doc, err
}

func (t *yamlTree) span(start, end int) diag.Span { return diag.At(t.src, t.base+start, t.base+end) }

func (t *yamlTree) reject(d diag.Diagnostic) { t.rejected = append(t.rejected, d) }

func (t *yamlTree) rewind() {
	t.line, t.column, t.offset = 1, 1, len(t.text)-len(strings.TrimPrefix(t.text, "\uFEFF"))
}

// seek returns the offset of a node, which is rarely before the last one.
func (t *yamlTree) seek(n *yaml.Node) int {
	if n.Line < t.line || n.Line == t.line && n.Column < t.column {
		t.rewind()
	}
	for t.offset < len(t.text) && (t.line < n.Line || t.line == n.Line && t.column < n.Column) {
		rest := t.text[t.offset:]
		if size := literal.YAMLBreak(rest); size > 0 {
			t.line, t.column, t.offset = t.line+1, 1, t.offset+size
			continue
		}
		t.column++
		for t.offset++; t.offset < len(t.text) && t.text[t.offset]&0xC0 == 0x80; t.offset++ {
		}
	}
	return t.offset
}

func (t *yamlTree) node(n *yaml.Node) schema.Value {
	if n.Kind == yaml.AliasNode {
		out, ok := t.anchors[n.Alias]
		if out == nil && ok {
			at := t.seek(n)
			t.reject(diag.Errorf(t.span(at, at+1+len(n.Value)), syntax,
				"anchor &%s contains itself", n.Value))
		}
		if out == nil {
			return schema.Value{}
		}
		return *out
	}
	if n.Anchor != "" {
		t.anchors[n] = nil
	}
	out := schema.Value{}
	switch start := t.seek(n); n.Kind {
	case yaml.ScalarNode:
		t.scalar(&out, n, start)
	case yaml.SequenceNode:
		out.Kind = schema.Array
		t.sequence(&out, n, start)
	default:
		out.Kind = schema.Object
		t.mapping(&out, n, start)
	}
	if n.Anchor != "" {
		t.anchors[n] = &out
	}
	return out
}

func (t *yamlTree) sequence(out *schema.Value, n *yaml.Node, start int) {
	end := start + 1
	out.Items = slices.Grow(out.Items, len(n.Content))
	for i, item := range n.Content {
		out.Items = append(out.Items, t.node(item))
		n.Content[i] = nil // the nodes of a large document take more memory than its values
		end = max(end, t.endOf(&out.Items[len(out.Items)-1]))
	}
	out.At = t.span(start, t.closing(n, end))
}

// mapping reads keys and values in their order, as sigs.k8s.io/yaml does: of two equal keys the later counts, also of
// those that << merges into the mapping.
func (t *yamlTree) mapping(out *schema.Value, n *yaml.Node, start int) {
	b := objectBuilder{node: out}
	out.Members = slices.Grow(out.Members, len(n.Content)/2)
	written := map[string]diag.Span{}
	end := start + 1
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		isMerge := k.Kind == yaml.ScalarNode && k.ShortTag() == "!!merge"
		key, keyAt := "", diag.Span{}
		if !isMerge {
			key, keyAt = t.key(k)
		}
		value := t.node(v)
		n.Content[i], n.Content[i+1] = nil, nil
		end = max(end, t.endOf(&value), t.endOf(&schema.Value{At: keyAt}))
		if isMerge {
			t.merge(&b, &value, t.seek(k))
			continue
		}
		if first, ok := written[key]; ok {
			t.found = append(t.found, duplicateKey(key, keyAt, first))
		} else {
			written[key] = keyAt
		}
		b.set(schema.Member{Key: key, KeyAt: keyAt, Value: value})
	}
	out.At = t.span(start, t.closing(n, end))
}

// merge adds the members of a mapping, or of a list of mappings: the first one takes precedence.
func (t *yamlTree) merge(b *objectBuilder, value *schema.Value, at int) {
	switch value.Kind {
	case schema.Object:
		for _, m := range value.Members {
			b.set(m)
		}
		return
	case schema.Array:
		for i := len(value.Items) - 1; i >= 0; i-- {
			if value.Items[i].Kind != schema.Object {
				t.reject(t.notMerged(at))
				continue
			}
			t.merge(b, &value.Items[i], at)
		}
		return
	}
	t.reject(t.notMerged(at))
}

// notMerged reports << at an offset, with a value that it cannot merge.
func (t *yamlTree) notMerged(at int) diag.Diagnostic {
	return diag.Errorf(t.span(at, at+len("<<")), syntax, "<< merges mappings; its value is not a mapping").
		Help("give the alias of a mapping, or put << in quotes if it is a key")
}

// endOf returns the offset after a node in this text, 0 for a node elsewhere.
func (t *yamlTree) endOf(n *schema.Value) int { return int(n.At.End) - t.base }

// closing returns the end of a collection whose last part ends at an offset: after its bracket, if it has one.
func (t *yamlTree) closing(n *yaml.Node, end int) int {
	if n.Style&yaml.FlowStyle == 0 {
		return end
	}
	for i := end; i < len(t.text); i++ {
		switch c := t.text[i]; {
		case c == ']' || c == '}':
			return i + 1
		case c == '#':
			for i+1 < len(t.text) && literal.YAMLBreak(t.text[i+1:]) == 0 {
				i++
			}
		}
	}
	return end
}

// scalar reads a scalar. A quoted one is a string; the library that kubectl uses decides the type of all others.
func (t *yamlTree) scalar(out *schema.Value, n *yaml.Node, start int) {
	tag, start := t.properties(start)
	size, _ := literal.YAMLSize(t.text[start:], n.Value)
	out.At = t.span(start, start+size)
	isPlain := n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0
	if tag == "" && (!isPlain || isText(n.Value)) {
		out.Kind, out.Text = schema.String, n.Value
		return
	}
	source := n.Value
	if tag != "" && tag != "!" {
		quoted, _ := json.Marshal(n.Value) // a string always has JSON
		source = tag + " " + string(quoted)
	}
	meant, ok := t.meanings[source]
	if !ok {
		meant = resolve(source)
		t.meanings[source] = meant
	}
	if meant.err != nil {
		t.reject(diag.Errorf(out.At, syntax, "%s cannot be encoded as JSON: %s", source,
			strings.TrimPrefix(meant.err.Error(), "yaml: ")).
			Help("put it in quotes if it is a string"))
	}
	out.Kind, out.Text = meant.kind, meant.text
}

// A meaning is the JSON value of a scalar, or why it has none.
type meaning struct {
	kind schema.Kind
	text string
	err  error
}

// resolve returns the meaning of a scalar's source by the rules of YAML 1.1.
func resolve(source string) meaning {
	sent, err := clientyaml.YAMLToJSON([]byte("- " + source))
	if err != nil {
		return meaning{err: err}
	}
	sent = sent[1 : len(sent)-1] // the brackets of the list
	switch sent[0] {
	case '"':
		var text string
		err := json.Unmarshal(sent, &text)
		return meaning{schema.String, text, err}
	case 't', 'f':
		return meaning{schema.Bool, string(sent), nil}
	case 'n':
		return meaning{kind: schema.Null}
	case '[', '{':
		return meaning{schema.String, source, nil} // such as the dash of [-], which is a string only in brackets
	}
	return meaning{schema.NumberKind, string(sent), nil}
}

// key reads the key of a mapping, which is always a string in JSON.
func (t *yamlTree) key(k *yaml.Node) (string, diag.Span) {
	n := t.node(k)
	at := n.At
	if k.Kind == yaml.AliasNode {
		start := t.seek(k)
		at = t.span(start, start+1+len(k.Value))
	}
	switch n.Kind {
	case schema.String:
		return n.Text, at
	case schema.Null, schema.Array, schema.Object:
		t.reject(diag.Errorf(at, syntax, "expected a string as a key, got %s", kindName(n.Kind)).
			Help("put it in quotes"))
		return "", at
	}
	var sent map[string]any
	if data, err := clientyaml.YAMLToJSON([]byte(n.Text + ": 0")); err == nil && json.Unmarshal(data, &sent) == nil {
		for key := range sent { // exactly one
			if written := k.Value; k.Kind == yaml.ScalarNode && written != key {
				kind := strings.Replace(kindName(n.Kind), "a ", "the ", 1)
				t.found = append(t.found, diag.Warningf(at, renamed, "key %s is read as %s %s and sent as %q",
					written, kind, key, key).Write(fmt.Sprintf("%q", written)))
			}
			return key, at
		}
	}
	return n.Text, at
}

// properties skips the anchor and the tag before a scalar, and returns the tag.
func (t *yamlTree) properties(start int) (tag string, next int) {
	for start < len(t.text) {
		rest := t.text[start:]
		switch c := rest[0]; {
		case c == '!' || c == '&':
			stops := " \t\r\n\u0085\u2028\u2029"
			if c == '&' {
				stops += "?:,]}%@`"
			}
			size := strings.IndexAny(rest, stops)
			if size < 0 {
				size = len(rest)
			}
			if c == '!' {
				tag = rest[:size]
			}
			start += size
		case tag == "" && start == t.offset:
			return "", start
		case c == '#':
			for start < len(t.text) && literal.YAMLBreak(t.text[start:]) == 0 {
				start++
			}
		case c == ' ' || c == '\t' || literal.YAMLBreak(rest) > 0:
			start += max(1, literal.YAMLBreak(rest))
		default:
			return tag, start
		}
	}
	return tag, start
}

// isText reports whether a plain scalar is certainly a string, without the library's table.
func isText(plain string) bool {
	if plain == "" {
		return false
	}
	switch c := plain[0]; {
	case strings.IndexByte("~.+-0123456789", c) >= 0:
		return strings.ContainsAny(plain, "\n\u2028\u2029")
	case strings.IndexByte("yYnNtTfFoO", c) >= 0:
		return len(plain) > len("false")
	}
	return true
}

// documentEnd returns the offset of text after a line of three dots, which ends a document, -1 without such text.
func (t *yamlTree) documentEnd() int {
	offset, ended := 0, -1
	for line := range strings.Lines(t.text) {
		offset += len(line)
		text, _, _ := strings.Cut(line, "#")
		switch text = strings.TrimRight(text, " \t\r\n"); {
		case text == "...":
			ended = offset
		case ended >= 0 && strings.TrimSpace(text) != "":
			return ended
		}
	}
	return -1
}
