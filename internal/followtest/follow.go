// Package followtest does in YAML what a help says, literally, and checks that it works. Only tests use it.
package followtest

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/crdproof/crdproof/diag"
)

// A form is a help that can be followed literally. A help joins alternatives by ", or ".
type form struct {
	pattern *regexp.Regexp
	// edit returns the text of the file after the help, and false if the help does not fit the place.
	edit func(e *editor, groups []string) (string, bool)
}

// forms are in the order in which they are tried.
func forms() []form {
	row := func(pattern string, edit func(*editor, []string) (string, bool)) form {
		return form{regexp.MustCompile(`^(?:` + pattern + `)$`), edit}
	}
	return []form{
		row(`did you mean "?([^"? ]+)"?\?`, (*editor).replace),
		row(`(?:put|write) it in quotes: (".*")`, (*editor).replace),
		row(`write ("[^"]*"(?:, "[^"]*")+)`, (*editor).replace),
		row(`(?:write|change it to|set it to) [a-z][^"]*?,? such as ("[^"]*"|[^ ]+)`, (*editor).replace),
		row(`write ([\w.-]+: (?:\S+|[{\[].*[}\]]))`, (*editor).set),
		row(`write ([\w.-]+: \S+) and remove ([\w-]+)`, (*editor).setWithout),
		row(`(?:write|use) ([^ ]+)`, (*editor).replace),
		row(`add (\S+) after \w+:`, (*editor).append),
		row(`add ([\w.-]+: (?:\S+|[{\[].*[}\]]))(?: to (?:permit every \w+|(\w+)))?`, (*editor).add),
		row(`add (\w+) to (\w+)`, (*editor).addItem),
		row(`remove it(?:[:,].*)?`, (*editor).remove),
		row(`remove (?:the )?([\w-]+)(?: (?:of|from) the (\w+))?(?:[:,].*)?`, (*editor).removeKey),
		row(`remove (\w+) from (\w+)`, (*editor).removeItem),
		row(`replace the schema of (\w+) with (\{.*\})`, (*editor).replaceValue),
		row(`replace the (\w+) with a rule, such as (\S+: .*)`, (*editor).replaceKey),
		row(`(?s)change the rule to (.*)`, (*editor).changeScalar),
	}
}

// Help returns the text of a file after one alternative of a help. It returns false for a help that leaves a choice.
func Help(at diag.Span, help string) (string, bool) {
	for _, f := range forms() {
		if groups := f.pattern.FindStringSubmatch(help); groups != nil {
			if text, ok := f.edit(&editor{at: at, text: string(at.Source.Data)}, groups[1:]); ok {
				return text, true
			}
		}
	}
	return "", false
}

// An editor changes what is underlined in a file: its bytes, or the nodes around it.
type editor struct {
	at        diag.Span
	text      string
	documents []*yaml.Node
	// node is what is underlined, or the scalar around it; parents are the nodes above it, outermost first.
	node    *yaml.Node
	parents []*yaml.Node
}

func (e *editor) replace(groups []string) (string, bool) {
	return e.text[:e.at.Start] + groups[0] + e.text[e.at.End:], true
}

func (e *editor) append(groups []string) (string, bool) {
	return e.text[:e.at.End+1] + " " + groups[0] + e.text[e.at.End+1:], true
}

// locate finds what is underlined. It returns false for a file that is not valid YAML.
func (e *editor) locate() bool {
	for decoder := yaml.NewDecoder(strings.NewReader(e.text)); ; {
		var document yaml.Node
		err := decoder.Decode(&document)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return false
		}
		e.documents = append(e.documents, &document)
	}
	before := e.text[:e.at.Start]
	line := strings.Count(before, "\n") + 1
	column := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
	for _, document := range e.documents {
		e.search(document, nil, line, column)
	}
	return e.node != nil
}

// search keeps the last node that does not begin after the place, and below it the one that is underlined.
func (e *editor) search(n *yaml.Node, parents []*yaml.Node, line, column int) {
	isAfter := n.Line > line || n.Line == line && n.Column > column
	isAt := n.Line == line && n.Column == column
	if n.Kind == yaml.ScalarNode && !isAfter || n.Style&yaml.FlowStyle != 0 && isAt {
		e.node, e.parents = n, parents
	}
	if n.Style&yaml.FlowStyle != 0 && isAt {
		return
	}
	for _, child := range n.Content {
		e.search(child, append(parents[:len(parents):len(parents)], n), line, column)
	}
}

// mapping returns the mapping that has what is underlined as a key or a value, and the index of the key in its content.
func (e *editor) mapping() (*yaml.Node, int) {
	n := e.node
	for i := len(e.parents) - 1; i >= 0; i-- {
		if p := e.parents[i]; p.Kind == yaml.MappingNode {
			for k := range p.Content {
				if p.Content[k] == n {
					return p, k &^ 1
				}
			}
		}
		n = e.parents[i]
	}
	return nil, 0
}

// fields returns the mapping to which a key is added: the one that is underlined or whose key is, or the one around.
func (e *editor) fields() *yaml.Node {
	p, k := e.mapping()
	if e.node.Kind == yaml.MappingNode {
		return e.node
	}
	if p != nil && p.Content[k] == e.node && p.Content[k+1].Kind == yaml.MappingNode {
		return p.Content[k+1]
	}
	return p
}

// around returns the nearest mapping that has a key, of the one to which keys are added and those above.
func (e *editor) around(key string) *yaml.Node {
	if valueOf(e.fields(), key) != nil {
		return e.fields()
	}
	for i := len(e.parents) - 1; i >= 0; i-- {
		if valueOf(e.parents[i], key) != nil {
			return e.parents[i]
		}
	}
	return nil
}

// set writes the fields of a text over those that the file has, or else over what is underlined.
func (e *editor) set(groups []string) (string, bool) {
	return e.put(groups[0], func() *yaml.Node {
		key, _, _ := strings.Cut(groups[0], ":")
		if m := e.around(key); m != nil {
			return m
		}
		p, k := e.mapping()
		if p != nil && e.node == p.Content[k+1] && e.node.Kind == yaml.ScalarNode {
			p.Content = append(p.Content[:k:k], p.Content[k+2:]...)
			return p
		}
		return e.fields()
	})
}

// setWithout does what set does, and removes a key.
func (e *editor) setWithout(groups []string) (string, bool) {
	if _, ok := e.set(groups[:1]); !ok {
		return "", false
	}
	return e.without(e.around(groups[1]), groups[1])
}

func (e *editor) add(groups []string) (string, bool) {
	return e.put(groups[0], func() *yaml.Node {
		p := e.fields()
		if groups[1] == "" {
			return p
		}
		return valueOf(e.around(groups[1]), groups[1])
	})
}

// put sets the fields of a text in a mapping.
func (e *editor) put(text string, target func() *yaml.Node) (string, bool) {
	var fields yaml.Node
	err := yaml.Unmarshal([]byte(text), &fields)
	if err != nil || fields.Content[0].Kind != yaml.MappingNode || !e.locate() {
		return "", false
	}
	m := target()
	if m == nil || m.Kind != yaml.MappingNode {
		return "", false
	}
	pair := fields.Content[0].Content
	if old := valueOf(m, pair[0].Value); old != nil {
		*old = *pair[1]
	} else {
		m.Content = append(m.Content, pair...)
	}
	return e.print()
}

func (e *editor) addItem(groups []string) (string, bool) {
	if !e.locate() {
		return "", false
	}
	list := valueOf(e.fields(), groups[1])
	if p, k := e.mapping(); list == nil && p != nil && p.Content[k].Value == groups[1] {
		list = p.Content[k+1]
	}
	if list == nil {
		return e.put(groups[1]+": ["+groups[0]+"]", e.fields)
	}
	list.Content = append(list.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: groups[0]})
	return e.print()
}

// remove leaves out the item of a list that is underlined, or the key with its value.
func (e *editor) remove([]string) (string, bool) {
	if !e.locate() || len(e.parents) == 0 {
		return "", false
	}
	if p := e.parents[len(e.parents)-1]; p.Kind == yaml.SequenceNode {
		for i := range p.Content {
			if p.Content[i] == e.node {
				p.Content = append(p.Content[:i:i], p.Content[i+1:]...)
				return e.print()
			}
		}
	}
	if p, k := e.mapping(); p != nil {
		return e.without(p, p.Content[k].Value)
	}
	return "", false
}

func (e *editor) removeKey(groups []string) (string, bool) {
	if !e.locate() {
		return "", false
	}
	m := e.around(groups[0])
	if groups[1] != "" {
		m = valueOf(e.around(groups[1]), groups[1])
	}
	return e.without(m, groups[0])
}

func (e *editor) removeItem(groups []string) (string, bool) {
	if !e.locate() {
		return "", false
	}
	list := valueOf(e.around(groups[1]), groups[1])
	if list == nil {
		return "", false
	}
	list.Content = slices.DeleteFunc(list.Content, func(n *yaml.Node) bool { return n.Value == groups[0] })
	return e.print()
}

func (e *editor) replaceValue(groups []string) (string, bool) {
	return e.put(groups[0]+": "+groups[1], func() *yaml.Node { return e.around(groups[0]) })
}

func (e *editor) replaceKey(groups []string) (string, bool) {
	return e.put(groups[1], func() *yaml.Node {
		m := e.around(groups[0])
		e.without(m, groups[0])
		return m
	})
}

// without prints the file without a key of a mapping.
func (e *editor) without(m *yaml.Node, key string) (string, bool) {
	for k := 0; m != nil && m.Kind == yaml.MappingNode && k < len(m.Content); k += 2 {
		if m.Content[k].Value == key {
			m.Content = append(m.Content[:k:k], m.Content[k+2:]...)
			return e.print()
		}
	}
	return "", false
}

// changeScalar replaces the whole scalar in which something is underlined.
func (e *editor) changeScalar(groups []string) (string, bool) {
	if !e.locate() || e.node.Kind != yaml.ScalarNode {
		return "", false
	}
	*e.node = yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: groups[0]}
	return e.print()
}

func valueOf(m *yaml.Node, key string) *yaml.Node {
	for k := 0; m != nil && m.Kind == yaml.MappingNode && k < len(m.Content); k += 2 {
		if m.Content[k].Value == key {
			return m.Content[k+1]
		}
	}
	return nil
}

func (e *editor) print() (string, bool) {
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	for _, document := range e.documents {
		if encoder.Encode(document) != nil {
			return "", false
		}
	}
	return out.String(), true
}
