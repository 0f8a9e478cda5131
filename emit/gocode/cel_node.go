package gocode

import (
	"github.com/dave/jennifer/jen"
	kubecel "k8s.io/apiserver/pkg/cel"

	"github.com/crdproof/crdproof/schema"
)

// A celNode is the schema of a value below self or oldSelf.
type celNode struct {
	schema *schema.Schema
	at     place
	// mayBeNull is set for items of lists and values of maps that are nullable: a null there is a value. A property
	// that is null is not there.
	mayBeNull bool
}

// selfNode is the node of a place of rules. That of a resource describes apiVersion, kind and metadata.
func selfNode(s *schema.Schema, isResource bool, at place) *celNode {
	if isResource {
		s = withTypeAndObjectMeta(s)
	}
	return &celNode{schema: s, at: at}
}

// below is a node below another one. If it is a resource, it has the fields of resources.
func below(s *schema.Schema, at place) *celNode { return selfNode(s, s.EmbeddedResource.True(), at) }

// property is the node of a field and its name, which CEL writes in an escaped form; nil if the schema does not
// describe it.
func (n *celNode) property(escaped string) (*celNode, string) {
	name, ok := kubecel.Unescape(escaped)
	if !ok || !n.isObject() {
		return nil, name
	}
	s := n.schema.Property(name)
	if s == nil {
		return nil, name
	}
	return below(s, n.at.property(name)), name
}

func (n *celNode) item() *celNode { return element(n.schema.Items, n.at.item()) }

func (n *celNode) value() *celNode { return element(n.schema.AdditionalProperties, n.at.value()) }

func element(s *schema.Schema, at place) *celNode {
	node := below(s, at)
	node.mayBeNull = node.schema.Nullable.True()
	return node
}

// isObject is set for an object with properties, isMap for one with keys, isList for a list whose items are described;
// none is for nil.
func (n *celNode) isObject() bool { return n.is("object") && len(n.schema.Properties) > 0 }

func (n *celNode) isMap() bool {
	return n.is("object") && len(n.schema.Properties) == 0 && n.schema.AdditionalProperties != nil
}

func (n *celNode) isList() bool { return n.is("array") && n.schema.Items != nil }

func (n *celNode) is(kind string) bool {
	return n != nil && n.schema.Type.V == kind && !n.schema.IntOrString.True()
}

// reader is the function of emit/support that reads a value of the node, and its result type; "" if only dynamic
// functions can read it.
func (n *celNode) reader() (string, celType) {
	s := n.schema
	switch {
	case n.mayBeNull:
		return "", celDyn
	case s.IntOrString.True():
		return "crdJSONIntOrString", celDyn
	case s.Type.V == "object":
		return "crdJSONObject", celDyn
	case n.isList():
		return "crdJSONList", celDyn
	case s.Type.V == "integer":
		return "crdJSONInt", celInt
	case s.Type.V == "number":
		return "crdJSONDouble", celDouble
	case s.Type.V == "boolean":
		return "crdJSONBool", celBool
	case s.Type.V == "string":
		switch s.Format.V {
		case "byte":
			return "crdJSONBytes", celBytes
		case "date":
			return "crdJSONDate", celTimestamp
		case "date-time":
			return "crdJSONDateTime", celTimestamp
		case "duration":
			return "crdJSONDuration", celDuration
		}
		return "crdJSONString", celString
	}
	return "", celDyn
}

// checker is the function that reads a value only to see whether it can be read.
func (n *celNode) checker() string {
	reader, t := n.reader()
	if t == celBytes {
		return "crdCheckBytes"
	}
	return reader
}

// scalar is the Go type of the node's values if they are scalars, otherwise celDyn.
func (n *celNode) scalar() celType {
	_, t := n.reader()
	return t
}

// typeOf is a pointer to the structure of the node.
func (n *celNode) typeOf(w *writer) jen.Code {
	return w.structure(n.schema, n.at)
}
