package flatten

import (
	"github.com/crdproof/crdproof/generator/lower/internal/node"
)

// narrow merges what narrows a property into the property.
func (fl Flattener) narrow(p, by node.Property) node.Property {
	p.Node = fl.combined(p.Node, by.Node)
	if by.Required.V != "" {
		p.Required = by.Required
	}
	return p
}
