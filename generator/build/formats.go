package build

import "github.com/crdproof/crdproof/markers"

func (b *builder) applyFormat(n *node, m *markers.Marker, on target) {}

func (b *builder) formatCondition(value string, v *markers.Value) condition { return condition{} }
