package build

import "github.com/crdproof/crdproof/generator/schema"

// Packages whose types have a known schema.
const (
	pkgMeta         = "k8s.io/apimachinery/pkg/apis/meta/v1"
	pkgUnstructured = pkgMeta + "/unstructured"
	pkgResource     = "k8s.io/apimachinery/pkg/api/resource"
	pkgRuntime      = "k8s.io/apimachinery/pkg/runtime"
	pkgIntstr       = "k8s.io/apimachinery/pkg/util/intstr"
	pkgExtV1        = "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	pkgExtV1beta1   = "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
)

// quantityPattern is what resource.ParseQuantity accepts (k8s.io/apimachinery/pkg/api/resource/quantity.go).
const quantityPattern = `^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`

// A knownType is a type whose JSON form its declaration does not show.
type knownType struct {
	pkg, name string
	// methods are the marshal methods that embedding the type promotes.
	methods []string
	schema  func() schema.Schema
}

// knownTypes is the table of such types in Kubernetes' libraries.
func knownTypes() []knownType {
	json := []string{"MarshalJSON"}
	return []knownType{
		{pkgMeta, "ObjectMeta", nil, object},
		{pkgMeta, "Time", json, stringFormat("date-time")},
		{pkgMeta, "MicroTime", json, stringFormat("date-time")},
		{pkgMeta, "Duration", json, stringFormat("")},
		{pkgMeta, "Fields", nil, anyMap},
		{pkgResource, "Quantity", json, quantity},
		{pkgRuntime, "RawExtension", json, rawObject},
		{pkgUnstructured, "Unstructured", json, object},
		{pkgIntstr, "IntOrString", json, intOrString},
		{pkgExtV1, "JSON", json, anything},
		{pkgExtV1beta1, "JSON", json, anything},
	}
}

// Opaque reports whether the declaration of a type need not be read, and the marshal methods that it has.
func Opaque(pkgPath, name string) (methods []string, ok bool) {
	for _, k := range knownTypes() {
		if k.pkg == pkgPath && k.name == name {
			return k.methods, true
		}
	}
	return nil, false
}

func object() schema.Schema { return schema.Schema{Type: schema.Text{V: "object"}} }

func stringFormat(format string) func() schema.Schema {
	return func() schema.Schema {
		return schema.Schema{Type: schema.Text{V: "string"}, Format: schema.Text{V: format}}
	}
}

func anyMap() schema.Schema {
	return schema.Schema{Type: schema.Text{V: "object"}, AdditionalAllowed: true}
}

func rawObject() schema.Schema {
	return schema.Schema{Type: schema.Text{V: "object"}, PreserveUnknownFields: &schema.Flag{V: true}}
}

func anything() schema.Schema {
	return schema.Schema{PreserveUnknownFields: &schema.Flag{V: true}}
}

func intOrString() schema.Schema {
	return schema.Schema{
		IntOrString: &schema.Flag{V: true},
		AnyOf:       []*schema.Schema{{Type: schema.Text{V: "integer"}}, {Type: schema.Text{V: "string"}}},
	}
}

func quantity() schema.Schema {
	s := intOrString()
	s.Pattern = schema.Text{V: quantityPattern}
	return s
}

// knownNode returns the node of a known type.
func (b *builder) knownNode(pkgPath, name string) *node {
	for _, k := range knownTypes() {
		if k.pkg != pkgPath || k.name != name {
			continue
		}
		if k.name == "ObjectMeta" && b.opts.GenerateEmbeddedObjectMeta {
			return embeddedObjectMeta()
		}
		return &node{s: k.schema()}
	}
	return nil
}

// embeddedObjectMeta describes the part of ObjectMeta that users write; what the API server fills in is left out.
func embeddedObjectMeta() *node {
	str := func() *node { return &node{s: schema.Schema{Type: schema.Text{V: "string"}}} }
	strMap := func() *node { return &node{s: object(), additional: str()} }
	list := &node{s: schema.Schema{Type: schema.Text{V: "array"}}, items: str()}
	return &node{s: object(), properties: []property{
		{"name", str()},
		{"namespace", str()},
		{"annotations", strMap()},
		{"labels", strMap()},
		{"finalizers", list},
	}}
}
