package build

import "github.com/crdproof/crdproof/markers"

// applyJunctor adds a value validation under anyOf, oneOf, allOf or not, and reports whether the marker is one of those.
func (b *builder) applyJunctor(n *node, m *markers.Marker, on target) bool { return false }
