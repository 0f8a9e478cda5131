// Package node holds schemas in the making: the nodes of Go types before references and embedded structs are merged.
package node

import (
	"cmp"
	"go/ast"
	"path"
	"reflect"
	"slices"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/internal/gojson"
	"github.com/crdproof/crdproof/internal/moved"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/schema"
)

// A Target is what markers are on: a type, or a field of one.
type Target struct {
	Decl  *load.TypeDecl
	Field *Field
}

// What names the target for messages.
func (t Target) What() string {
	switch {
	case t.Field == nil:
		return "type " + t.Decl.Name
	case t.Field.GoName == "":
		return "embedded field of " + t.Decl.Name
	default:
		return "field " + t.Field.GoName
	}
}

// A Field is one name of a struct field, with the parts of its tag.
type Field struct {
	Syntax *ast.Field
	Decl   *load.TypeDecl
	GoName string // "" for an embedded field
	Name   string // the JSON name
	At     diag.Span
	Inline bool   // its fields are part of the struct around it
	Doc    string // without markers
	Marks  []markers.Marker

	// The options of the tag.
	HasTag              bool // there is a tag
	Named               bool // which names the field
	Quoted              bool // string
	OmitEmpty, OmitZero bool
	// IsMisread is set if the tag has an error, so that its name and options are those that were probably meant.
	IsMisread bool
}

// Target returns the field as what its markers are on.
func (f *Field) Target() Target { return Target{Decl: f.Decl, Field: f} }

// StructTag returns the tag.
func (f *Field) StructTag() reflect.StructTag { return load.Tag(f.Syntax) }

// Omits reports whether the tag makes the field optional.
func (f *Field) Omits() bool { return f.OmitEmpty || f.OmitZero }

// KnownName returns the name of the known type of metav1 or resource that a node is of, "" for any other.
func (n *Node) KnownName() string {
	return nearest(n, func(n *Node) string {
		if n.Ref == nil || n.Ref.Known == nil || n.Ref.Known.Pkg != PkgMeta && n.Ref.Known.Pkg != PkgResource {
			return ""
		}
		return n.Ref.Known.Name
	})
}

// IsTimeDuration reports whether a node is a time.Duration, which is a number of nanoseconds in JSON.
func (n *Node) IsTimeDuration() bool {
	return nearest(n, func(n *Node) bool {
		return n.Ref != nil && n.Ref.Decl != nil && n.Ref.Decl.Pkg.Path == "time" && n.Ref.Decl.Name == "Duration"
	})
}

// Packages whose types have a known schema.
const (
	PkgMeta         = "k8s.io/apimachinery/pkg/apis/meta/v1"
	PkgUnstructured = PkgMeta + "/unstructured"
	PkgResource     = "k8s.io/apimachinery/pkg/api/resource"
	PkgRuntime      = "k8s.io/apimachinery/pkg/runtime"
	PkgIntstr       = "k8s.io/apimachinery/pkg/util/intstr"
	PkgExtV1        = moved.ExtV1
	PkgExtV1beta1   = moved.ExtV1beta1
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

// IsScalar reports whether the values of a node are strings, numbers or booleans.
func (n *Node) IsScalar() bool {
	return slices.Contains([]string{"string", "integer", "number", "boolean"}, n.JSONType())
}

// Format returns the node's format as far as it is known without flattening.
func (n *Node) Format() string {
	for n.Own.Format.V == "" && n.Ref != nil && !n.Cut && n.Ref.Node != nil {
		n = n.Ref.Node
	}
	return n.Own.Format.V
}

// A Node is a schema in the making: keywords of its own, and by reference or embedding those of other types.
type Node struct {
	// Own holds the node's own keywords; its nested schemas are in the fields below instead.
	Own schema.Schema
	// Ref is the named type of the node; its keywords come before the node's own.
	Ref *Type
	// Cut marks a reference that closes a cycle: the type contributes nothing.
	Cut bool
	// Undefined marks a type that is not declared, which is reported.
	Undefined bool
	// Unknown is the mistake to report unless markers give the node a complete schema: it is set for a cut reference,
	// and for a type with a marshal method.
	Unknown *diag.Diagnostic
	// Parts are merged into the node when it is flattened: embedded structs, later what could not be merged.
	Parts      []*Node
	Properties []Property
	// index has the indices of the first properties by name; IndexProperty extends it.
	index      map[string]int
	Items      *Node
	Additional *Node
	// Over is the node that this one narrows: it is merged into that one. Only its own keywords count.
	Over *Node

	// ByConstants reports that the enum lists the constants of a type with the older marker +enum: a documentation,
	// which an Enum marker of a field replaces.
	ByConstants bool

	// Tightened are the keywords that markers of our own have made tighter: no other marker loosens them.
	Tightened []string

	// Unique is the value of k8s:unique on a list, UniqueBy the marker, and UniqueKeys are the keys that identify items
	// of a list that is not of type map; CustomUnique is the tag of that name.
	Unique                 string
	UniqueBy, CustomUnique *markers.Marker
	UniqueKeys             []schema.Text

	// The other fields describe the Go type, and are not set under compat.

	// Sort is the sort of the Go type.
	Sort Sort
	// Zero is the JSON form of the type's zero value, unless it follows from ref or the parts.
	Zero *schema.Value
	// Ints is the range of an integer type; nil for other types.
	Ints *gojson.Range
	// Known is the known type of a field without a schema.
	Known *Known
	// Length is the length of an array.
	Length *int64
	// ZeroBehind marks a pointer to a type with IsZero: omitzero asks what it points to.
	ZeroBehind bool
	// InnerNull marks a pointer to what can be null itself.
	InnerNull bool
	// ByPointer marks what Go reaches through a pointer, and can therefore call pointer methods on.
	ByPointer bool
	// Quoted marks a literal in a string.
	Quoted bool
	// Replaceable marks a pattern of a known type that a pattern on the field replaces.
	Replaceable bool
	// Deviation names the deviation that the node is, if any.
	Deviation string
	// Embedding says how the node, one of the parts of another, is part of it.
	Embedding Embedding
}

// A Property is a member of an object. A name can occur more than once among the fields of a struct and those of the
// structs embedded in it; which of them counts is decided as in Go (encoding/json, dominantField): see AddProperty.
type Property struct {
	Name string
	Node *Node

	// The other fields are not set under compat, where two properties with the same name both count.

	// Depth is how many embedded structs the field lies in.
	Depth int
	// Tagged reports that the name comes from the field's tag.
	Tagged bool
	// Hidden marks a name that two fields claim with equal right: Go writes neither, nor any field that lies deeper.
	Hidden bool
	// Required is the name at the place that makes the property required, empty if it is optional.
	Required schema.Text
	// Field is the Go field; nil in known types.
	Field *Field
	// Narrows marks what a marker adds to the property of that name, MadeOptional that it is not required any more.
	Narrows, MadeOptional bool
	// OfMarker marks a property that exists only because a marker names it.
	OfMarker bool
}

// An Embedding is how a struct is embedded.
type Embedding struct {
	// Depth counts from 1; 0 is what is not embedded.
	Depth int
	// Optional marks a struct embedded by pointer, at some level: its fields are present only if the pointer is not
	// nil.
	Optional bool
	// At is that pointer.
	At diag.Span
	// Budget counts the embedded structs that are merged into one struct.
	Budget *effort.Budget
}

// A Sort is the sort of a Go type, as far as encoding/json's omitempty cares.
type Sort uint8

const (
	// ScalarSort types are omitted if they are false, 0 or "".
	ScalarSort Sort = iota
	// PointerSort and InterfaceSort types are omitted if they are nil.
	PointerSort
	InterfaceSort
	// SliceSort types, slices and maps, are omitted if they are nil or empty.
	SliceSort
	// ArraySort is omitted only if its length is 0.
	ArraySort
	// StructSort is never omitted.
	StructSort
	// UnreadSort is for a type that was not read, since its schema has no effect.
	UnreadSort
)

// A Type is a named Go type, described once.
type Type struct {
	Name string // for messages: package.Name
	// Go is the type as schemas know it.
	Go   *schema.GoType
	Decl *load.TypeDecl
	Node *Node
	// Describing is set while the type's own description is under way: what refers to it then closes a cycle.
	Describing bool
	// Expands is set for a generic type that refers to itself with ever new arguments.
	Expands bool
	// Known is the row of the table of known types, nil for a type that is not in it.
	Known *Known
	// ObjectMeta marks ObjectMeta.
	ObjectMeta bool
	// ByPointer reports that the type marshals itself, but only where Go can take its address.
	ByPointer bool
	// Wrong are the first error and the first warning about a type of a package that is not the user's own, by
	// severity: they are reported at each place that uses the type.
	Wrong [2]*diag.Diagnostic
	// Unenforced is what an imported type requires and a CRD cannot enforce. It is reported where the type is used.
	Unenforced []Unenforced
}

// Beneath returns the node whose keywords come before a node's own: the one that it narrows or refers to, or nil.
func (n *Node) Beneath() *Node {
	switch {
	case n.Over != nil:
		return n.Over
	case n.Ref != nil && !n.Cut:
		return n.Ref.Node
	}
	return nil
}

// GoType returns the named Go type of a node, nil without one. A type that closes a cycle has no fields.
func (n *Node) GoType() *schema.GoType {
	switch {
	case n == nil || n.Cut:
		return nil
	case n.Over != nil:
		return n.Over.GoType()
	case n.Ref != nil:
		return n.Ref.Go
	}
	var under []*schema.GoType
	for _, part := range n.Parts {
		if t := part.GoType(); t != nil {
			under = append(under, t)
		}
	}
	if len(under) < 2 {
		return append(under, nil)[0]
	}
	return &schema.GoType{Under: under}
}

// nearest returns the property of a node, or of the nearest node beneath it that has the property.
func nearest[T comparable](n *Node, says func(*Node) T) (said T) {
	var nothing T
	for ; n != nil && said == nothing; n = n.Beneath() {
		said = says(n)
	}
	return said
}

// Held returns the nodes of an object's properties, and those that it embeds.
func (n *Node) Held() []*Node {
	var out []*Node
	for _, p := range n.Properties {
		out = append(out, p.Node)
	}
	return append(out, n.Parts...)
}

// JSONType returns the node's JSON type as far as it is known without flattening.
func (n *Node) JSONType() string { return nearest(n, func(n *Node) string { return n.Own.Type.V }) }

// IsUndefined reports whether nothing is known of the node's type.
func (n *Node) IsUndefined() bool {
	return nearest(n, func(n *Node) bool { return n.Undefined }) && n.JSONType() == ""
}

// ForgetType drops the properties of the Go type from a node that a marker gives another type.
func (n *Node) ForgetType() {
	n.Ints, n.Length, n.Zero, n.Replaceable, n.Deviation = nil, nil, nil, false, ""
}

// IsBytes reports whether the node is a slice of bytes, or a pointer to one.
func (n *Node) IsBytes() bool {
	return n.Format() == "byte" && (n.Sort == SliceSort || n.InnerNull) && !n.Own.Format.At.IsValid()
}

// IsIntOrString reports whether the node is an integer or a string.
func (n *Node) IsIntOrString() bool {
	return nearest(n, func(n *Node) bool { return n.Own.IntOrString != nil })
}

// ListType returns x-kubernetes-list-type.
func (n *Node) ListType() string { return nearest(n, func(n *Node) string { return n.Own.ListType.V }) }

// NoNull returns the name of the known type into which Go cannot decode null; empty if Go can decode it, as into most
// types.
func (n *Node) NoNull() string {
	for ; n != nil && !n.ByPointer; n = n.Beneath() {
		known := n.Known
		if n.Ref != nil {
			known = cmp.Or(n.Ref.Known, known)
		}
		if known != nil {
			return known.noNull()
		}
	}
	return ""
}

// Documentation returns a schema with the keywords alone that describe rather than constrain: those of the node, or of
// its named type.
func (n *Node) Documentation() (docs schema.Schema) {
	if n.Ref != nil && !n.Cut {
		docs = n.Ref.Node.Documentation()
	}
	rows := schema.Keywords()
	for i := range rows {
		if k := &rows[i]; k.Merge == schema.MergeNot && !k.HoldsSchemas() && k.IsSet(&n.Own) {
			k.Copy(&docs, &n.Own)
		}
	}
	return docs
}

// IsAlwaysSet reports whether Go encodes the field even if it is unset: a struct, such as a Quantity, or an array.
func (p *Property) IsAlwaysSet() bool {
	return p.Node.Sort == StructSort || p.Node.Sort == ArraySort
}

// Instead names the type of Kubernetes' libraries to use in place of one of Go's.
func (t *Type) Instead() string {
	switch t.Name {
	case "time.Time":
		return "metav1.Time"
	case "url.URL":
		return "a string"
	case "big.Int", "big.Float", "big.Rat":
		return "resource.Quantity"
	}
	return ""
}

// Unenforced is one requirement of a type that is not enforced, and its place.
type Unenforced struct {
	What string
	At   diag.Span
}

// IsOldMember reports whether a field is a member of a struct that is marked as a union: it is an optional pointer,
// which the API server does not set itself.
func (p *Property) IsOldMember() bool {
	return p.Required.V == "" && p.Node.Sort == PointerSort && p.Node.Own.Default == nil
}
