package read

import (
	"github.com/crdproof/crdproof/generator/schema"
)

func isString(n *schema.Value) bool { return n != nil && n.Kind == schema.String }

// is reports whether a value is that string.
func is(n *schema.Value, text string) bool { return isString(n) && n.Text == text }

// An objectBuilder collects the members of an object. A key that occurs again replaces the value, as in the YAML
// library that kubectl uses.
type objectBuilder struct {
	node  *schema.Value
	index map[string]int
}

func (b *objectBuilder) set(m schema.Member) {
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
func (b *objectBuilder) get(key string) (schema.Member, bool) {
	i, ok := b.index[key]
	if !ok {
		return schema.Member{}, false
	}
	return b.node.Members[i], true
}
