package lower

import (
	"slices"

	"github.com/crdproof/crdproof/schema"
)

// A marker for a part of a field must not change the part's type, which other fields use too. So it adds keywords to a
// node that narrows the part: one that is merged into it when the field is flattened.

// narrowing returns a node that narrows another, nil if there is none.
func narrowing(over *node) *node {
	if over == nil {
		return nil
	}
	return &node{over: over, sort: over.sort, byPointer: over.byPointer, s: schema.Schema{At: over.s.At}}
}

// itemsOf returns the node for markers on the items of a list; nil if there are no items.
func (n *node) itemsOf() *node {
	if n == nil {
		return nil
	}
	if n.items == nil {
		n.items = narrowing(n.element())
	}
	return n.items
}

// valuesOf is itemsOf for the values of a map.
func (n *node) valuesOf() *node {
	if n == nil {
		return nil
	}
	if n.additional == nil {
		n.additional = narrowing(n.value())
	}
	return n.additional
}

// member returns the property of an object, also of the struct that the node refers to, narrows or embeds; nil if it
// has no such property.
func (n *node) member(name string) *property {
	if n == nil || n.cut {
		return nil
	}
	var narrows *property
	for i := range n.properties {
		if p := &n.properties[i]; p.name == name {
			if !p.narrows {
				return p
			}
			narrows = p
		}
	}
	for _, part := range n.inside() {
		if p := part.member(name); p != nil && !p.hidden {
			return p
		}
	}
	return narrows
}

// isUnknown reports whether the parts of a node are unknown because of a mistake that is reported anyway.
func (n *node) isUnknown() bool {
	for n != nil && !n.cut && n.over != nil {
		n = n.over
	}
	return n != nil && (n.cut || n.unknown != nil && n.jsonType() == "")
}

// isObjectMeta reports whether the node is a metadata.
func (n *node) isObjectMeta() bool {
	for n != nil && n.over != nil {
		n = n.over
	}
	return n != nil && n.ref != nil && n.ref.objectMeta
}

// inside are the nodes whose keywords come before a node's own: those that it embeds, and the one beneath it.
func (n *node) inside() []*node {
	if under := n.beneath(); under != nil {
		return append(slices.Clone(n.parts), under)
	}
	return n.parts
}

// narrowed returns the node for markers on a member.
func (n *node) narrowed(p property) *node {
	if i := n.indexProperty(p.name); i >= 0 {
		return n.properties[i].node
	}
	child := narrowing(p.node)
	n.properties = append(n.properties, property{name: p.name, node: child, narrows: true, field: p.field})
	return child
}

// isEmbeddedResource reports whether the node is a whole Kubernetes object, whose apiVersion and kind need no schema.
func (n *node) isEmbeddedResource() bool {
	return nearest(n, func(n *node) bool { return n.s.EmbeddedResource != nil && n.s.EmbeddedResource.V })
}

// addText adds a property that is a string, for markers on it.
func (n *node) addText(name string) *property {
	n.properties = append(n.properties, property{name: name, node: text(), ofMarker: true})
	return &n.properties[len(n.properties)-1]
}

// narrow merges what narrows a property into the property.
func (fl flattener) narrow(p, by property) property {
	p.node = fl.combined(p.node, by.node)
	if by.required.V != "" {
		p.required = by.required
	}
	return p
}
