package build

import (
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/generator/schema"
)

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
	// methods are what is left of the type's declaration.
	methods load.Opaque
	schema  func() schema.Schema
}

// Most known types marshal themselves. Time and MicroTime embed time.Time, so that types made of them do so too.
var (
	opaque       = load.Opaque{}
	marshalsJSON = load.Opaque{Methods: []string{"MarshalJSON"}}
	embedsTime   = load.Opaque{Methods: []string{"MarshalJSON"}, Promoted: []string{"MarshalJSON", "MarshalText"}}
)

// knownTypes is the table of such types in Kubernetes' libraries.
var knownTypes = [...]knownType{
	{pkgMeta, "ObjectMeta", opaque, object},
	{pkgMeta, "Time", embedsTime, stringFormat("date-time")},
	{pkgMeta, "MicroTime", embedsTime, stringFormat("date-time")},
	{pkgMeta, "Duration", marshalsJSON, stringFormat("")},
	{pkgMeta, "Fields", opaque, anyMap},
	{pkgResource, "Quantity", marshalsJSON, quantity},
	{pkgRuntime, "RawExtension", marshalsJSON, rawObject},
	{pkgUnstructured, "Unstructured", marshalsJSON, object},
	{pkgIntstr, "IntOrString", marshalsJSON, intOrString},
	{pkgExtV1, "JSON", marshalsJSON, anything},
	{pkgExtV1beta1, "JSON", marshalsJSON, anything},
}

// Opaque reports whether the declaration of a type need not be read, and what takes its place.
func Opaque(pkgPath, name string) (o load.Opaque, ok bool) {
	for _, k := range knownTypes {
		if k.pkg == pkgPath && k.name == name {
			return k.methods, true
		}
	}
	return load.Opaque{}, false
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
	for _, k := range knownTypes {
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
