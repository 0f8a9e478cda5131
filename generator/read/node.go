package read

import (
	"slices"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
)

// A node is a value in a document, of one of the types of JSON. Where YAML refers to a value again, the node is shared.
type node struct {
	kind schema.Kind
	// text is a string, a number as it is sent in JSON, "true" or "false".
	text string
	// at is the value with its quotes, or a collection from its first to its last byte.
	at      diag.Span
	items   []*node
	members []member
}

// A member is a key of an object. Each key occurs once.
type member struct {
	key   string
	keyAt diag.Span
	value *node
}

// at is the member with its key.
func (m *member) at() diag.Span {
	if m.keyAt.Source == nil || m.value.at.Start < m.keyAt.Start {
		return m.value.at // or the value stands elsewhere
	}
	return diag.At(m.keyAt.Source, int(m.keyAt.Start), int(m.value.at.End))
}

// find returns the value of a key, nil where it is not there.
func (n *node) find(key string) *node {
	for i := range n.members {
		if n.members[i].key == key {
			return n.members[i].value
		}
	}
	return nil
}

// start is where an item of a list begins: its first key with its value, or all of it.
func (n *node) start() diag.Span {
	if len(n.members) > 0 {
		return n.members[0].at()
	}
	return n.at
}

func (n *node) isString() bool { return n != nil && n.kind == schema.String }

// is reports whether a node is that string.
func (n *node) is(text string) bool { return n.isString() && n.text == text }

// value is the node as a value of the IR.
func (n *node) value() schema.Value {
	out := schema.Value{Kind: n.kind, Text: n.text}
	switch n.kind {
	case schema.NumberKind:
		out.Text = schema.CanonicalNumber(n.text)
	case schema.Array:
		for _, item := range n.items {
			out.Items = append(out.Items, item.value())
		}
	case schema.Object:
		for i := range n.members {
			out.Members = append(out.Members, schema.Member{Key: n.members[i].key, Value: n.members[i].value.value()})
		}
		slices.SortFunc(out.Members, func(a, b schema.Member) int { return strings.Compare(a.Key, b.Key) })
	}
	return out
}

// An objectBuilder collects the members of an object. A key that occurs again replaces the value, as in the YAML library
// that kubectl uses.
type objectBuilder struct {
	node  *node
	index map[string]int
}

func (b *objectBuilder) set(m member) {
	if i, ok := b.index[m.key]; ok {
		b.node.members[i] = m
		return
	}
	if b.index == nil {
		b.index = map[string]int{}
	}
	b.index[m.key] = len(b.node.members)
	b.node.members = append(b.node.members, m)
}

// get returns the member of a key that has been set.
func (b *objectBuilder) get(key string) (member, bool) {
	i, ok := b.index[key]
	if !ok {
		return member{}, false
	}
	return b.node.members[i], true
}
