package node

import (
	"slices"

	"github.com/crdproof/crdproof/schema"
)

// FieldNames returns the names of an object's properties, those of embedded structs included; complete is false if
// there may be more.
func (n *Node) FieldNames() (names []string, complete bool) {
	if n == nil || n.Cut {
		return nil, false
	}
	complete = n.Additional == nil && !n.Own.AdditionalAllowed && n.Own.PreserveUnknownFields == nil
	for _, p := range n.Properties {
		if !p.Narrows {
			names = append(names, p.Name)
		}
	}
	for _, part := range n.inside() {
		more, all := part.FieldNames()
		names, complete = append(names, more...), complete && all
	}
	return names, complete
}

// OfField returns the node of a field, or of the value of a map; nil if it is unknown.
func (n *Node) OfField(name string) *Node {
	if p := n.Member(name); p != nil {
		return p.Node
	}
	return n.value()
}

// Element returns the node of a list's items, or nil.
func (n *Node) Element() *Node { return nearest(n, func(n *Node) *Node { return n.Items }) }

// value returns the node of a map's values, or nil.
func (n *Node) value() *Node { return nearest(n, func(n *Node) *Node { return n.Additional }) }

// IsResource reports whether the node is a whole object of Kubernetes within another.
func (n *Node) IsResource() bool {
	return n != nil && !n.Cut && (n.Own.EmbeddedResource != nil || slices.ContainsFunc(n.inside(), (*Node).IsResource))
}

// A marker for a part of a field must not change the part's type, which other fields use too. So it adds keywords to a
// node that narrows the part: one that is merged into it when the field is flattened.

// narrowing returns a node that narrows another, nil if there is none.
func narrowing(over *Node) *Node {
	if over == nil {
		return nil
	}
	return &Node{Over: over, Sort: over.Sort, ByPointer: over.ByPointer, Own: schema.Schema{At: over.Own.At}}
}

// ItemsOf returns the node for markers on the items of a list; nil if there are no items.
func (n *Node) ItemsOf() *Node {
	if n == nil {
		return nil
	}
	if n.Items == nil {
		n.Items = narrowing(n.Element())
	}
	return n.Items
}

// ValuesOf does what ItemsOf does for the values of a map.
func (n *Node) ValuesOf() *Node {
	if n == nil {
		return nil
	}
	if n.Additional == nil {
		n.Additional = narrowing(n.value())
	}
	return n.Additional
}

// Member returns the property of an object, also of the struct that the node refers to, narrows or embeds; nil if it
// has no such property.
func (n *Node) Member(name string) *Property {
	if n == nil || n.Cut {
		return nil
	}
	var narrows *Property
	if i := n.IndexProperty(name); i >= 0 {
		if p := &n.Properties[i]; !p.Narrows {
			return p
		}
		narrows = &n.Properties[i]
	}
	for _, part := range n.inside() {
		if p := part.Member(name); p != nil && !p.Hidden {
			return p
		}
	}
	return narrows
}

// IsUnknown reports whether the parts of a node are unknown because of a mistake that is reported anyway.
func (n *Node) IsUnknown() bool {
	for n != nil && !n.Cut && n.Over != nil {
		n = n.Over
	}
	return n != nil && (n.Cut || n.Unknown != nil && n.JSONType() == "")
}

// IsObjectMeta reports whether the node is a metadata.
func (n *Node) IsObjectMeta() bool {
	for n != nil && n.Over != nil {
		n = n.Over
	}
	return n != nil && n.Ref != nil && n.Ref.ObjectMeta
}

// inside returns the nodes whose keywords come before a node's own: those that it embeds, and the one beneath it.
func (n *Node) inside() []*Node {
	if under := n.Beneath(); under != nil {
		return append(slices.Clone(n.Parts), under)
	}
	return n.Parts
}

// Narrowed returns the node for markers on a member.
func (n *Node) Narrowed(p Property) *Node {
	if i := n.IndexProperty(p.Name); i >= 0 {
		return n.Properties[i].Node
	}
	child := narrowing(p.Node)
	n.Properties = append(n.Properties, Property{Name: p.Name, Node: child, Narrows: true, Field: p.Field})
	return child
}

// MakeOptional makes a member optional that the type of the object requires.
func (n *Node) MakeOptional(name string) {
	if p := &n.Properties[n.IndexProperty(name)]; p.Narrows {
		p.MadeOptional = true
	} else {
		p.Required = schema.Text{}
	}
}

// IsEmbeddedResource reports whether the node is a whole Kubernetes object, whose apiVersion and kind need no schema.
func (n *Node) IsEmbeddedResource() bool {
	return nearest(n, func(n *Node) bool { return n.Own.EmbeddedResource != nil && n.Own.EmbeddedResource.V })
}

// AddText adds a property that is a string, for markers on it.
func (n *Node) AddText(name string) *Property {
	n.Properties = append(n.Properties, Property{Name: name, Node: Text(), OfMarker: true})
	return &n.Properties[len(n.Properties)-1]
}

// MaxLength returns the node's bound, or that of its named type.
func (n *Node) MaxLength() *schema.Int {
	return nearest(n, func(n *Node) *schema.Int { return n.Own.MaxLength })
}

// IndexProperty returns the index of the property with a name, -1 if there is no such property. Each property is looked
// at once, however often it is called: properties are only appended, and keep their names.
func (n *Node) IndexProperty(name string) int {
	if n.index == nil {
		n.index = make(map[string]int, len(n.Properties))
	}
	for i := len(n.index); i < len(n.Properties); i++ {
		if _, ok := n.index[n.Properties[i].Name]; !ok {
			n.index[n.Properties[i].Name] = i
		}
	}
	if i, ok := n.index[name]; ok {
		return i
	}
	return -1
}

// Copy returns a copy of the node whose properties can be changed.
func (n *Node) Copy() *Node {
	out := *n
	out.Properties, out.index = slices.Clone(n.Properties), nil
	return &out
}

// ListKeys returns the names of the fields that identify the items of a list.
func (n *Node) ListKeys() []string {
	for ; n != nil; n = n.Beneath() {
		switch {
		case len(n.Own.ListMapKeys) > 0:
			return schema.Texts(n.Own.ListMapKeys)
		case len(n.UniqueKeys) > 0:
			return schema.Texts(n.UniqueKeys)
		}
	}
	return nil
}

// Uniqueness returns the value of k8s:unique on a list.
func (n *Node) Uniqueness() string { return nearest(n, func(n *Node) string { return n.Unique }) }

// AllNames returns the names of an object's members.
func (n *Node) AllNames() (names []string, complete bool) {
	if n != nil && n.Over != nil {
		return n.Over.FieldNames()
	}
	return n.FieldNames()
}
