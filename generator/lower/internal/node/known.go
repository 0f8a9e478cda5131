package node

import (
	"path"

	"github.com/crdproof/crdproof/schema"
)

// KnownName returns the name of the known type of metav1 or resource that a node is of, "" for any other.
func (n *Node) KnownName() string {
	return nearest(n, func(n *Node) string {
		if n.Ref == nil || n.Ref.Known == nil || n.Ref.Known.Pkg != PkgMeta && n.Ref.Known.Pkg != PkgResource {
			return ""
		}
		return n.Ref.Known.Name
	})
}

// Packages whose types have a known schema.
const (
	PkgMeta         = "k8s.io/apimachinery/pkg/apis/meta/v1"
	PkgUnstructured = PkgMeta + "/unstructured"
	PkgResource     = "k8s.io/apimachinery/pkg/api/resource"
	PkgRuntime      = "k8s.io/apimachinery/pkg/runtime"
	PkgIntstr       = "k8s.io/apimachinery/pkg/util/intstr"
	PkgExtV1        = "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	PkgExtV1beta1   = "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
)

// A Known is a type whose JSON form its declaration does not show.
type Known struct {
	Pkg, Name string
	// RefusesNull is set if Go cannot decode null into the type, though it may write it.
	RefusesNull bool
}

// NoNull is the name of a type into which Go cannot decode null; empty for others.
func (k *Known) noNull() string {
	if !k.RefusesNull {
		return ""
	}
	return path.Base(k.Pkg) + "." + k.Name
}

// OfType returns a node of a JSON type.
func OfType(jsonType string) *Node { return &Node{Own: schema.Schema{Type: schema.Text{V: jsonType}}} }

func Object() *Node { return OfType("object") }
func Text() *Node   { return OfType("string") }
