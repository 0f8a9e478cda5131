package build

import "github.com/crdproof/crdproof/markers"

// applyRule adds a rule in CEL that is written over several lines or has a name, and reports whether the marker is one.
func (b *builder) applyRule(n *node, m *markers.Marker, on target) bool { return false }
