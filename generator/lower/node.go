package lower

import (
	"cmp"
	"go/ast"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/internal/gojson"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/schema"
)

// A node is a schema in the making: keywords of its own, and by reference or embedding those of other types.
type node struct {
	// s holds the node's own keywords; its nested schemas are in the fields below instead.
	s schema.Schema
	// ref is the named type of the node; its keywords come before the node's own.
	ref *typ
	// cut marks a reference that closes a cycle: the type contributes nothing.
	cut bool
	// unknown is the mistake to report unless markers give the node a complete schema: it is set for a cut reference,
	// and for a type with a marshal method.
	unknown *diag.Diagnostic
	// parts are merged into the node when it is flattened: embedded structs, later what could not be merged.
	parts      []*node
	properties []property
	items      *node
	additional *node
	// over is the node that this one narrows: it is merged into that one. Only its own keywords count.
	over *node

	// unique is the value of k8s:unique on a list, uniqueBy the marker, and uniqueKeys are the keys that identify items
	// of a list that is not of type map; customUnique is the tag of that name.
	unique                 string
	uniqueBy, customUnique *markers.Marker
	uniqueKeys             []schema.Text

	// The other fields describe the Go type, and are not set under compat.

	// sort is the sort of the Go type.
	sort emptiness
	// zero is the JSON form of the type's zero value, unless it follows from ref or the parts.
	zero *schema.Value
	// ints is the range of an integer type; nil for other types.
	ints *gojson.Range
	// known is the known type of a field without a schema.
	known *known
	// length is the length of an array.
	length *int64
	// zeroBehind marks a pointer to a type with IsZero: omitzero asks what it points to.
	zeroBehind bool
	// innerNull marks a pointer to what can be null itself.
	innerNull bool
	// byPointer marks what Go reaches through a pointer, and can therefore call pointer methods on.
	byPointer bool
	// quoted marks a literal in a string.
	quoted bool
	// replaceable marks a pattern of a known type that a pattern on the field replaces.
	replaceable bool
	// deviation names the deviation that the node is, if any.
	deviation string
	// embedding says how the node, one of the parts of another, is part of it.
	embedding embedding
}

// A property is a member of an object. A name can occur more than once among the fields of a struct and those of the
// structs embedded in it; which of them counts is decided as in Go (encoding/json, dominantField): see addProperty.
type property struct {
	name string
	node *node

	// The other fields are not set under compat, where two properties with the same name both count.

	// depth is how many embedded structs the field lies in.
	depth int
	// tagged reports that the name comes from the field's tag.
	tagged bool
	// hidden marks a name that two fields claim with equal right: Go writes neither, nor any field that lies deeper.
	hidden bool
	// required is the name at the place that makes the property required, empty if it is optional.
	required schema.Text
	// field is the Go field; nil in known types.
	field *field
	// narrows marks what a marker adds to the property of that name.
	narrows bool
	// ofMarker marks a property that exists only because a marker names it.
	ofMarker bool
}

// An embedding is how a struct is embedded.
type embedding struct {
	// depth counts from 1; 0 is what is not embedded.
	depth int
	// optional marks a struct embedded by pointer, at some level: its fields are present only if the pointer is not
	// nil.
	optional bool
	// at is that pointer.
	at diag.Span
	// budget counts the embedded structs that are merged into one struct.
	budget *effort.Budget
}

// A emptiness is the sort of a Go type, as far as encoding/json's omitempty cares.
type emptiness uint8

const (
	// scalar types are omitted if they are false, 0 or "".
	scalar emptiness = iota
	// pointerSort and interfaceSort types are omitted if they are nil.
	pointerSort
	interfaceSort
	// sliceSort types, slices and maps, are omitted if they are nil or empty.
	sliceSort
	// arraySort is omitted only if its length is 0.
	arraySort
	// structSort is never omitted.
	structSort
	// unreadSort is for a type that was not read, since its schema has no effect.
	unreadSort
)

// typeKey identifies a named type; args are the arguments of a generic one.
// A kind is described once more as the root of its CRD: as such it may be part of itself, one level deep, which is how
// controller-gen has it.
// Where metadata is to be described its properties are part of the description.
type typeKey struct {
	pkg        *load.Package
	name, args string
	root       bool
	metadata   metaMode
	opaque     bool
}

// A metaMode is what becomes of ObjectMeta.
type metaMode uint8

const (
	// metaEmpty leaves it empty by default, metaLeftOut because of a marker.
	metaEmpty metaMode = iota
	metaLeftOut
	// metaDescribed gives it properties.
	metaDescribed
)

func metaOf(described, stated bool) metaMode {
	switch {
	case described:
		return metaDescribed
	case stated:
		return metaLeftOut
	}
	return metaEmpty
}

// A typ is a named Go type, described once.
type typ struct {
	name string // for messages: package.Name
	decl *load.TypeDecl
	node *node
	// describing is set while the type's own description is under way: what refers to it then closes a cycle.
	describing bool
	// known is the row of the table of known types, nil for a type that is not in it.
	known *known
	// objectMeta marks ObjectMeta.
	objectMeta bool
	// byPointer reports that the type marshals itself, but only where Go can take its address.
	byPointer bool
	// wrong are the first error and the first warning about a type of a package that is not the user's own, by
	// severity: they are reported at each place that uses the type.
	wrong [2]*diag.Diagnostic
	// unenforced is what an imported type requires and a CRD cannot enforce. It is reported where the type is used.
	unenforced []unenforced
}

// A reference is a place that names a type, inside of a generic type together with its arguments.
type reference struct {
	at     diag.Span
	within string
}

// A scope is what names in a type expression mean: the declaration they are written in, and, inside of a generic
// type, its arguments.
type scope struct {
	decl *load.TypeDecl
	args map[string]typeArg
}

// A typeArg is the expression given for a type parameter, and the scope it was written in.
type typeArg struct {
	expr  ast.Expr
	scope *scope
}

func (s *scope) span(n ast.Node) diag.Span { return s.decl.Pkg.Span(n) }

// beneath returns the node whose keywords come before a node's own: the one that it narrows or refers to, or nil.
func (n *node) beneath() *node {
	switch {
	case n.over != nil:
		return n.over
	case n.ref != nil && !n.cut:
		return n.ref.node
	}
	return nil
}

// nearest is the property of a node, or of the nearest node beneath it that has the property.
func nearest[T comparable](n *node, says func(*node) T) (said T) {
	var nothing T
	for ; n != nil && said == nothing; n = n.beneath() {
		said = says(n)
	}
	return said
}

// held are the nodes of an object's properties, and those that it embeds.
func (n *node) held() []*node {
	var out []*node
	for _, p := range n.properties {
		out = append(out, p.node)
	}
	return append(out, n.parts...)
}

// jsonType is the node's JSON type as far as it is known without flattening.
func (n *node) jsonType() string { return nearest(n, func(n *node) string { return n.s.Type.V }) }

// forgetType drops the properties of the Go type from a node that a marker gives another type.
func (n *node) forgetType() {
	n.ints, n.length, n.zero, n.replaceable, n.deviation = nil, nil, nil, false, ""
}

// isBytes reports whether the node is a slice of bytes, or a pointer to one.
func (n *node) isBytes() bool {
	return n.format() == "byte" && (n.sort == sliceSort || n.innerNull) && !n.s.Format.At.IsValid()
}

// isIntOrString reports whether the node is an integer or a string.
func (n *node) isIntOrString() bool {
	return nearest(n, func(n *node) bool { return n.s.IntOrString != nil })
}

// listType returns x-kubernetes-list-type.
func (n *node) listType() string { return nearest(n, func(n *node) string { return n.s.ListType.V }) }

// noNull is the name of the known type into which Go cannot decode null; empty if Go can decode it, as into most types.
func (n *node) noNull() string {
	for ; n != nil && !n.byPointer; n = n.beneath() {
		known := n.known
		if n.ref != nil {
			known = cmp.Or(n.ref.known, known)
		}
		if known != nil {
			return known.noNull()
		}
	}
	return ""
}

// documentation returns a schema with the keywords alone that describe rather than constrain: those of the node, or of
// its named type.
func (n *node) documentation() (docs schema.Schema) {
	if n.ref != nil && !n.cut {
		docs = n.ref.node.documentation()
	}
	rows := schema.Keywords()
	for i := range rows {
		if k := &rows[i]; k.Merge == schema.MergeNot && !k.HoldsSchemas() && k.IsSet(&n.s) {
			k.Copy(&docs, &n.s)
		}
	}
	return docs
}
