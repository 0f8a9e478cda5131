package build

import "github.com/crdproof/crdproof/markers"

// applyWithin adds what a marker says of a part of what it stands on.
func (b *builder) applyWithin(n *node, m *markers.Marker, on target) {}
