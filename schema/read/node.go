package read

import (
	"fmt"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/schema"
)

func isString(n *schema.Value) bool { return n != nil && n.Kind == schema.String }

// hasText reports whether a value is that string.
func hasText(n *schema.Value, text string) bool { return isString(n) && n.Text == text }

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

// shown returns a value as messages show it.
func shown(n *schema.Value) string {
	switch n.Kind {
	case schema.String:
		return fmt.Sprintf("%q", n.Text)
	case schema.Bool, schema.NumberKind:
		return n.Text
	}
	return kindName(n.Kind)
}

// kindName names a type of JSON.
func kindName(k schema.Kind) string {
	return [...]string{
		schema.Null: "null", schema.Bool: "a boolean", schema.NumberKind: "a number", schema.String: "a string",
		schema.Array: "a list", schema.Object: "an object",
	}[k]
}

// duplicateKey reports a key that is duplicated in one object.
func duplicateKey(key string, at, first diag.Span) diag.Diagnostic {
	return diag.Warningf(at, duplicate, "duplicate key %q", key).
		Note("clients drop one of the two values; an API server with strict decoding rejects the file").
		Help("remove one of them").See(first, "first given here")
}
