package read

import (
	"bytes"

	"go.yaml.in/yaml/v3"

	"github.com/crdproof/crdproof/internal/effort"
)

// expands reports a document that is too large with its aliases expanded. The bytes are counted before that.
func (r *reader) expands(c chunk) bool {
	data := r.src.Data[c.start:c.end]
	if bytes.IndexByte(data, '*') < 0 || bytes.IndexByte(data, '&') < 0 {
		return false
	}
	doc, err := unmarshal(data)
	if err != nil {
		return false // which is reported later
	}
	e := expansion{sizes: map[*yaml.Node]int64{}}
	e.size(&doc)
	if e.alias == nil {
		return false
	}
	t := r.yamlTree(c.start, data)
	t.rewind()
	at := t.seek(e.alias)
	r.report(effort.AliasBytes.Rejected(t.span(at, at+1+len(e.alias.Value)), "the aliases of this document").
		Help("write fewer aliases of &%s", e.alias.Value))
	return true
}

// An expansion counts the bytes of values with their aliases expanded.
type expansion struct {
	// sizes has the bytes of the values with anchors; one that is being counted has none yet.
	sizes map[*yaml.Node]int64
	// all are the bytes of expanded aliases so far, and alias is the one that exceeds the limit.
	all   int64
	alias *yaml.Node
}

// size returns the bytes of a value. After the limit is exceeded, it counts no more.
func (e *expansion) size(n *yaml.Node) int64 {
	switch {
	case e.alias != nil:
		return 0
	case n.Kind == yaml.AliasNode:
		size := e.sizes[n.Alias]
		if e.all += size; e.all > effort.AliasBytes.Most {
			e.alias = n
		}
		return size
	}
	size := int64(len(n.Value)) + 1
	for _, child := range n.Content {
		size += e.size(child)
	}
	if n.Anchor != "" {
		e.sizes[n] = size
	}
	return size
}
