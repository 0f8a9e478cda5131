package object

import (
	"github.com/dave/jennifer/jen"
	kubecel "k8s.io/apiserver/pkg/cel"

	"github.com/crdproof/crdproof/schema"
)

// A Node is the schema of a value below self or oldSelf.
type Node struct {
	Schema *schema.Schema
	at     Place
	// MayBeNull is set for items of lists and values of maps that are nullable: a null there is a value. A property
	// that is null is not there.
	MayBeNull bool
}

// SelfNode returns the node of a place of rules. That of a resource describes apiVersion, kind and metadata.
func SelfNode(s *schema.Schema, isResource bool, at Place) *Node {
	if isResource {
		s = WithTypeAndObjectMeta(s)
	}
	return &Node{Schema: s, at: at}
}

// below returns a node below another one. If it is a resource, it has the fields of resources.
func below(s *schema.Schema, at Place) *Node { return SelfNode(s, s.EmbeddedResource.True(), at) }

// Property returns the node of a field and its name, which CEL writes in an escaped form; nil if the schema does not
// describe it.
func (n *Node) Property(escaped string) (*Node, string) {
	name, ok := kubecel.Unescape(escaped)
	if !ok || !n.IsObject() {
		return nil, name
	}
	s := n.Schema.Property(name)
	if s == nil {
		return nil, name
	}
	return below(s, n.at.Property(name)), name
}

// Item returns the node of the items of a list.
func (n *Node) Item() *Node { return element(n.Schema.Items, n.at.Item()) }

// Value returns the node of the values of a map.
func (n *Node) Value() *Node { return element(n.Schema.AdditionalProperties, n.at.Value()) }

func element(s *schema.Schema, at Place) *Node {
	node := below(s, at)
	node.MayBeNull = node.Schema.Nullable.True()
	return node
}

// IsObject reports whether the node is an object with properties; nil is not.
func (n *Node) IsObject() bool { return n.hasType("object") && len(n.Schema.Properties) > 0 }

// IsMap reports whether the node is an object with keys; nil is not.
func (n *Node) IsMap() bool {
	return n.hasType("object") && len(n.Schema.Properties) == 0 && n.Schema.AdditionalProperties != nil
}

// IsList reports whether the node is a list whose items are described; nil is not.
func (n *Node) IsList() bool { return n.hasType("array") && n.Schema.Items != nil }

func (n *Node) hasType(kind string) bool {
	return n != nil && n.Schema.Type.V == kind && !n.Schema.IntOrString.True()
}

// Reader returns the function of internal/support that reads a value of the node, and its result type; "" if only
// dynamic functions can read it.
func (n *Node) Reader() (string, Type) {
	s := n.Schema
	switch {
	case n.MayBeNull:
		return "", DynType
	case s.IntOrString.True():
		return "JSONIntOrString", DynType
	case s.Type.V == "object":
		return "JSONObject", DynType
	case n.IsList():
		return "JSONList", DynType
	case s.Type.V == "integer":
		return "JSONInt", IntType
	case s.Type.V == "number":
		return "JSONDouble", DoubleType
	case s.Type.V == "boolean":
		return "JSONBool", BoolType
	case s.Type.V == "string":
		switch s.Format.V {
		case "byte":
			return "JSONBytes", celBytes
		case "date":
			return "JSONDate", celTimestamp
		case "date-time":
			return "JSONDateTime", celTimestamp
		case "duration":
			return "JSONDuration", celDuration
		}
		return "JSONString", StringType
	}
	return "", DynType
}

// checker returns the function that reads a value only to see whether it can be read.
func (n *Node) checker() string {
	reader, t := n.Reader()
	if t == celBytes {
		return "CheckBytes"
	}
	return reader
}

// Scalar returns the Go type of the node's values if they are scalars, otherwise DynType.
func (n *Node) Scalar() Type {
	_, t := n.Reader()
	return t
}

// TypeOf returns a pointer to the structure of the node.
func (n *Node) TypeOf(w *Writer) jen.Code {
	return w.Structure(n.Schema, n.at)
}
