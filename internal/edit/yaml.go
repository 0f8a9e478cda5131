package edit

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/crdproof/crdproof/diag"
)

// A yamlFile is a file of YAML or JSON.
type yamlFile struct {
	text
	// documents is empty if the file does not parse. Then it gets no edits.
	documents []*yaml.Node
	// lines are the offsets of the first bytes of the lines.
	lines []int
}

func (r *Resolver) inYAML(src *diag.Source) *yamlFile {
	f := r.yamlFiles[src]
	if f == nil {
		f = &yamlFile{text: newText(src), lines: []int{0}}
		f.documents = parse(f.data)
		for i := range f.data {
			if f.data[i] == '\n' {
				f.lines = append(f.lines, i+1)
			}
		}
		r.yamlFiles[src] = f
	}
	return f
}

// parse returns the documents of a file, none if it is not valid.
func parse(data string) (out []*yaml.Node) {
	for decoder := yaml.NewDecoder(strings.NewReader(data)); ; {
		var document yaml.Node
		err := decoder.Decode(&document)
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			return nil
		}
		out = append(out, &document)
	}
}

// resolve returns the edits of a step. It makes none that would leave a file that does not parse.
func (f *yamlFile) resolve(step diag.Step) []diag.Edit {
	start, _ := span(step.At)
	at, ok := f.find(start)
	if !ok || strings.ContainsAny(step.Text, "\r\n") && step.Action != diag.Rewrite {
		return nil
	}
	out := f.change(at, step)
	if out == nil || parse(string(diag.Apply([]byte(f.data), out))) == nil {
		return nil
	}
	return out
}

func (f *yamlFile) change(at place, step diag.Step) []diag.Edit {
	switch step.Action {
	case diag.Add, diag.Bound:
		key, value, _ := strings.Cut(step.Text, ": ")
		m := at.fields()
		if around := at.around(key); around != nil && step.Action == diag.Bound {
			m = around
		}
		return f.set(m, key, value)
	case diag.AddItem:
		key, item, _ := strings.Cut(step.Text, "=")
		return f.addItem(at, key, item)
	case diag.Require:
		return f.require(at, step.Text)
	case diag.RemoveKey:
		return f.removeKey(at.around(step.Text), step.Text)
	case diag.Remove, diag.RemoveMarker:
		return f.remove(at)
	case diag.Rewrite:
		return f.write(at, step.Text)
	}
	return nil
}

// A place is the node that has an offset, or the scalar around it, with the nodes above it, outermost first.
type place struct {
	node    *yaml.Node
	parents []*yaml.Node
}

// find returns the last scalar that does not begin after an offset, or the flow collection that begins there.
func (f *yamlFile) find(offset int) (at place, ok bool) {
	var search func(n *yaml.Node, parents []*yaml.Node)
	search = func(n *yaml.Node, parents []*yaml.Node) {
		start := f.offset(n)
		isFlow := n.Style&yaml.FlowStyle != 0 && n.Kind != yaml.ScalarNode && start == offset
		if n.Kind == yaml.ScalarNode && start <= offset || isFlow {
			at = place{n, parents}
		}
		if isFlow {
			return
		}
		for _, child := range n.Content {
			search(child, append(parents[:len(parents):len(parents)], n))
		}
	}
	for _, document := range f.documents {
		search(document, nil)
	}
	return at, at.node != nil
}

// offset returns the offset of the first byte of a node.
func (f *yamlFile) offset(n *yaml.Node) int {
	if n.Line < 1 || n.Line > len(f.lines) {
		return len(f.data) // a node without content
	}
	offset := f.lines[n.Line-1]
	for range n.Column - 1 {
		_, size := utf8.DecodeRuneInString(f.data[offset:])
		offset += size
	}
	return min(offset, len(f.data))
}

// mapping returns the nearest mapping that has the place as a key or in a value, and the index of the key in its
// content.
func (p place) mapping() (*yaml.Node, int) {
	n := p.node
	for _, above := range slices.Backward(p.parents) {
		if above.Kind == yaml.MappingNode {
			if i := slices.Index(above.Content, n); i >= 0 {
				return above, i &^ 1
			}
		}
		n = above
	}
	return nil, 0
}

// fields returns the mapping to which a key is added: the one at the place, or the value of the key at the place, or
// the one around it.
func (p place) fields() *yaml.Node {
	m, k := p.mapping()
	if p.node.Kind == yaml.MappingNode {
		return p.node
	}
	if m != nil && m.Content[k] == p.node && m.Content[k+1].Kind == yaml.MappingNode {
		return m.Content[k+1]
	}
	return m
}

// around returns the nearest mapping that has a key, of the one to which keys are added and those above.
func (p place) around(key string) *yaml.Node {
	if m := p.fields(); indexOf(m, key) >= 0 {
		return m
	}
	for _, above := range slices.Backward(p.parents) {
		if indexOf(above, key) >= 0 {
			return above
		}
	}
	return nil
}

// indexOf returns the index of a key in the content of a mapping, or -1.
func indexOf(m *yaml.Node, key string) int {
	for k := 0; m != nil && m.Kind == yaml.MappingNode && k < len(m.Content); k += 2 {
		if m.Content[k].Value == key {
			return k
		}
	}
	return -1
}

func isFlow(n *yaml.Node) bool { return n.Style&yaml.FlowStyle != 0 }

// set writes a key with its value in JSON: over the scalar that the key has, or as a new key before the first one that
// is after it in the alphabet.
func (f *yamlFile) set(m *yaml.Node, key, value string) []diag.Edit {
	if m == nil || m.Kind != yaml.MappingNode {
		return nil
	}
	if k := indexOf(m, key); k >= 0 {
		start, end := f.scalar(m.Content[k+1])
		if end < 0 {
			return nil
		}
		return f.edit(start, end, value)
	}
	return f.insert(m, key, value, ": "+value)
}

// insert writes a key before the first one that is after it in the alphabet, or else before the last one. In a block,
// block is what is after the key.
func (f *yamlFile) insert(m *yaml.Node, key, inFlow, block string) []diag.Edit {
	if len(m.Content) == 0 {
		start := f.offset(m) + 1
		if strings.HasPrefix(strings.TrimLeft(f.data, " \t\r\n"), "{") {
			key = quoted(key)
		}
		return f.edit(start, start, key+": "+inFlow)
	}
	next := m.Content[len(m.Content)-2]
	for k := 0; k < len(m.Content); k += 2 {
		if m.Content[k].Value > key {
			next = m.Content[k]
			break
		}
	}
	start := f.offset(next)
	if next.Style == yaml.DoubleQuotedStyle {
		key = quoted(key)
	}
	between := ", "
	if f.isFirst(start) || !isFlow(m) {
		between = f.eol + strings.Repeat(" ", next.Column-1)
		if isFlow(m) {
			between = "," + f.eol + f.indent(start)
		}
	}
	if isFlow(m) {
		block = ": " + inFlow
	}
	return f.edit(start, start, key+block+between)
}

// quoted returns a text as JSON.
func quoted(text string) string {
	out, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string can always be written
	}
	return string(out)
}

// removeKey removes a key with its value. The last key of a mapping stays: its parent would become null.
func (f *yamlFile) removeKey(m *yaml.Node, key string) []diag.Edit {
	k := indexOf(m, key)
	if k < 0 || len(m.Content) <= 2 {
		return nil
	}
	if isFlow(m) {
		return f.cut(m, k, 2)
	}
	return f.cutBlock(m, k, 2, f.offset(m.Content[k]))
}

// remove removes the item of a list that is the place, or the key with its value.
func (f *yamlFile) remove(at place) []diag.Edit {
	if n := len(at.parents); n > 0 && at.parents[n-1].Kind == yaml.SequenceNode {
		list := at.parents[n-1]
		i := slices.Index(list.Content, at.node)
		switch {
		case len(list.Content) == 1:
			return nil // an empty list is something else
		case isFlow(list):
			return f.cut(list, i, 1)
		}
		return f.cutBlock(list, i, 1, strings.LastIndexByte(f.data[:f.offset(at.node)], '-'))
	}
	if m, k := at.mapping(); m != nil {
		return f.removeKey(m, m.Content[k].Value)
	}
	return nil
}

// cut removes the nodes of a child of a flow collection, with the comma that is after or before it.
func (f *yamlFile) cut(n *yaml.Node, i, width int) []diag.Edit {
	start := f.offset(n.Content[i])
	if i+width < len(n.Content) {
		return f.edit(start, f.offset(n.Content[i+width]), "")
	}
	_, end := f.scalar(n.Content[i+width-1])
	before, _ := f.scalar(n.Content[i-1])
	_, last := f.scalar(n.Content[i-1])
	if end < 0 || before < 0 || last < 0 {
		return nil
	}
	return f.edit(last, end, "")
}

// cutBlock removes a child of a block collection: its lines, or, if it begins behind a dash, everything up to the next
// child. start is the offset of its key or its dash.
func (f *yamlFile) cutBlock(n *yaml.Node, i, width, start int) []diag.Edit {
	if f.isFirst(start) {
		isList := width == 2 && n.Content[i+1].Kind == yaml.SequenceNode
		return f.edit(f.line(start), f.blockEnd(start, len(f.indent(start)), isList), "")
	}
	if i+width >= len(n.Content) {
		return nil
	}
	end := f.offset(n.Content[i+width])
	if strings.Contains(f.data[start:end], "#") {
		return nil // a comment of the next child
	}
	return f.edit(start, end, "")
}

// blockEnd returns the offset after the lines of a child of a block collection: those after its first one are indented
// deeper. The items of a list may not be.
func (f *yamlFile) blockEnd(start, indent int, isList bool) int {
	end := f.next(start)
	for next := end; next < len(f.data); next = f.next(next) {
		line := f.data[next:f.lineEnd(next)]
		rest := strings.TrimLeft(line, " ")
		isItem := isList && len(line)-len(rest) == indent && (rest == "-" || strings.HasPrefix(rest, "- "))
		switch {
		case rest == "":
			continue // it belongs to the child if a line after it does
		case len(line)-len(rest) <= indent && !isItem:
			return end
		}
		end = f.next(next)
	}
	return end
}

// addItem adds an item to a list, or a list with the item to a mapping.
func (f *yamlFile) addItem(at place, key, item string) []diag.Edit {
	m := at.fields()
	if n := len(at.parents); key == "required" && n > 0 && at.node.Kind == yaml.MappingNode {
		m = at.parents[n-1] // of the properties
	} else if around, k := at.mapping(); indexOf(m, key) < 0 && around != nil && around.Content[k].Value == key {
		m = around
	}
	k := indexOf(m, key)
	if k < 0 {
		if m == nil || m.Kind != yaml.MappingNode {
			return nil
		}
		indent := ""
		if len(m.Content) > 0 {
			indent = strings.Repeat(" ", m.Content[0].Column-1)
		}
		return f.insert(m, key, "["+quoted(item)+"]", ":"+f.eol+indent+"- "+item)
	}
	list := m.Content[k+1]
	if list.Kind != yaml.SequenceNode || len(list.Content) == 0 {
		return nil
	}
	first := f.offset(list.Content[0])
	if !isFlow(list) {
		dash := strings.LastIndexByte(f.data[:first], '-')
		return f.edit(f.line(dash), f.line(dash), f.indent(dash)+"- "+item+f.eol)
	}
	if list.Content[0].Style == yaml.DoubleQuotedStyle {
		item = quoted(item)
	}
	return f.edit(first, first, item+", ")
}

// require adds the name of a field to those that the schema around it requires.
func (f *yamlFile) require(at place, name string) []diag.Edit {
	properties, k := at.mapping()
	if properties == nil || properties.Content[k].Value != name {
		return nil
	}
	for i, above := range slices.Backward(at.parents) {
		if above == properties && i > 0 && indexOf(at.parents[i-1], "properties") >= 0 {
			return f.addItem(place{properties, at.parents[:i]}, "required", name)
		}
	}
	return nil
}

// write replaces a scalar by a text, in the quotes that it has if they can have the text.
func (f *yamlFile) write(at place, text string) []diag.Edit {
	n := at.node
	if n.Kind != yaml.ScalarNode {
		return nil
	}
	start, end := f.scalar(n)
	if end < 0 {
		if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) == 0 {
			return nil
		}
		indent := len(f.indent(start))
		if m, k := at.mapping(); m != nil {
			indent = m.Content[k].Column - 1
		}
		end = len(strings.TrimRight(f.data[:f.blockEnd(start, indent, false)], "\r\n"))
	}
	return f.edit(start, end, written(n.Style, text))
}

// written returns a text as a scalar of one line.
func written(style yaml.Style, text string) string {
	if style == yaml.SingleQuotedStyle && !strings.ContainsAny(text, "\r\n") {
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	plain, err := yaml.Marshal(text)
	if out := strings.TrimSuffix(string(plain), "\n"); err == nil && style != yaml.DoubleQuotedStyle &&
		!strings.Contains(out, "\n") {
		return out
	}
	return quoted(text)
}

// scalar returns the offsets of a scalar that is in quotes, or that is plain and in one line. Otherwise, end is -1.
func (f *yamlFile) scalar(n *yaml.Node) (start, end int) {
	start = f.offset(n)
	rest := f.data[start:]
	switch {
	case n.Kind != yaml.ScalarNode:
		return start, -1
	case n.Style&yaml.DoubleQuotedStyle != 0 && strings.HasPrefix(rest, `"`):
		for i := 1; i < len(rest); i++ {
			if rest[i] == '\\' {
				i++
			} else if rest[i] == '"' {
				return start, start + i + 1
			}
		}
	case n.Style&yaml.SingleQuotedStyle != 0 && strings.HasPrefix(rest, "'"):
		for i := 1; i < len(rest); i++ {
			if strings.HasPrefix(rest[i:], "''") {
				i++
			} else if rest[i] == '\'' {
				return start, start + i + 1
			}
		}
	case n.Style&^yaml.TaggedStyle == 0 && n.Value != "" && strings.HasPrefix(rest, n.Value):
		return start, start + len(n.Value)
	}
	return start, -1
}
