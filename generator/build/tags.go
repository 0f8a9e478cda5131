package build

import (
	"strings"

	"github.com/crdproof/crdproof/markers"
)

// applyTag adds what a tag of Kubernetes' declarative validation says, and reports whether the marker is one.
func (b *builder) applyTag(n *node, m *markers.Marker, on target) bool {
	return strings.HasPrefix(m.Def.Name, "k8s:") || m.Def.Grammar == markers.Bare
}
