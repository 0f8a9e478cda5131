package build

import "github.com/crdproof/crdproof/markers"

// applyScalar adds what a marker says of a duration, a quantity or an integer that may be a string, and reports whether
// the marker is one of those.
func (b *builder) applyScalar(n *node, m *markers.Marker, on target) bool { return false }
