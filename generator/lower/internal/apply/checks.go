package apply

import (
	"slices"

	kubecel "k8s.io/apiserver/pkg/cel"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/lower/internal/checks"
	"github.com/crdproof/crdproof/generator/lower/internal/node"
	"github.com/crdproof/crdproof/markers"
)

// checkEnum reports an Enum marker on a list. The checks of CRDs find values that do not fit the type.
func (ap Applier) checkEnum(n *node.Node, m *markers.Marker, on node.Target) {
	if n.JSONType() == "array" && m.Def.ItemsOf == "" {
		ap.Mistake(diag.Errorf(m.At, checks.MarkerType, "%s applies to single values; %s is an array", m.Def.Name,
			on.What()).
			Help("write %s", renamed(m, itemsName(m.Def.Name))))
	}
}

// inCEL is how a field is written in CEL. Names that are merely reserved words are left to the compiler, which knows
// since which version they need no escape.
func inCEL(name string) string {
	escaped, ok := kubecel.Escape(name)
	if _, isWord := kubecel.Unescape("__" + name + "__"); !ok || isWord &&
		!slices.Contains([]string{"true", "false", "null", "in"}, name) {
		return name
	}
	return escaped
}
