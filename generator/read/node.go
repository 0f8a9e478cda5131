package read

import (
	"slices"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
)

// A Node is a value in a document, of one of the types of JSON. Where YAML refers to a value again, the node is shared. A finished
// tree is never changed.
type Node struct {
	Kind schema.Kind
	// Text is a string, a number as it is sent in JSON, "true" or "false".
	Text string
	// At is the value with its quotes, or a collection from its first to its last byte. It is empty for a null of which nothing is
	// written.
	At diag.Span
	// Items are those of a list.
	Items []*Node
	// Members are the fields of an object in the order of the file, each key once: of two with the same key the later counts.
	Members []Member
}

// A Member is a field of an object.
type Member struct {
	Key   string
	KeyAt diag.Span
	Value *Node
}

// at is the member with its key.
func (m *Member) at() diag.Span {
	if m.KeyAt.Source == nil || m.Value.At.Start < m.KeyAt.Start {
		return m.Value.At // or the value stands elsewhere
	}
	return diag.At(m.KeyAt.Source, int(m.KeyAt.Start), int(m.Value.At.End))
}

// Find returns the value of a key, nil where it is not there.
func (n *Node) Find(key string) *Node {
	for i := range n.Members {
		if n.Members[i].Key == key {
			return n.Members[i].Value
		}
	}
	return nil
}

// Start is where an item of a list begins: its first key with its value, or all of it.
func (n *Node) Start() diag.Span {
	if len(n.Members) > 0 {
		return n.Members[0].at()
	}
	return n.At
}

func (n *Node) isString() bool { return n != nil && n.Kind == schema.String }

// is reports whether a node is that string.
func (n *Node) is(text string) bool { return n.isString() && n.Text == text }

// Value is the node as a value of the IR.
func (n *Node) Value() schema.Value {
	out := schema.Value{Kind: n.Kind, At: n.At, Text: n.Text}
	switch n.Kind {
	case schema.NumberKind:
		out.Text = schema.CanonicalNumber(n.Text)
	case schema.Array:
		for _, item := range n.Items {
			out.Items = append(out.Items, item.Value())
		}
	case schema.Object:
		for i := range n.Members {
			out.Members = append(out.Members, schema.Member{Key: n.Members[i].Key, KeyAt: n.Members[i].KeyAt, Value: n.Members[i].Value.Value()})
		}
		slices.SortFunc(out.Members, func(a, b schema.Member) int { return strings.Compare(a.Key, b.Key) })
	}
	return out
}

// An objectBuilder collects the members of an object. A key that occurs again replaces the value, as in the YAML library
// that kubectl uses.
type objectBuilder struct {
	node  *Node
	index map[string]int
}

func (b *objectBuilder) set(m Member) {
	if i, ok := b.index[m.Key]; ok {
		b.node.Members[i] = m
		return
	}
	if b.index == nil {
		b.index = map[string]int{}
	}
	b.index[m.Key] = len(b.node.Members)
	b.node.Members = append(b.node.Members, m)
}

// get returns the member of a key that has been set.
func (b *objectBuilder) get(key string) (Member, bool) {
	i, ok := b.index[key]
	if !ok {
		return Member{}, false
	}
	return b.node.Members[i], true
}
