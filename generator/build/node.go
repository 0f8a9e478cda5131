package build

import (
	"go/ast"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/generator/schema"
)

// A node is a schema in the making: keywords of its own, and by reference or embedding those of other types.
type node struct {
	// s holds the node's own keywords; its nested schemas are in the fields below instead.
	s schema.Schema
	// ref is the named type that the node stands for; its keywords come before the node's own.
	ref *typ
	// cut marks a reference that closes a cycle: the type contributes nothing.
	cut bool
	// cycle is what is wrong with a node of which a cut reference is all, or part of, what gives it a schema.
	cycle *diag.Diagnostic
	// parts are merged into the node when it is flattened: embedded structs, later what could not be merged.
	parts      []*node
	properties []property
	items      *node
	additional *node
}

type property struct {
	name string
	node *node
}

// typeKey identifies a named type; args are the arguments of a generic one.
// A kind is described once more as the root of its CRD: as such it may be part of itself, one level deep, which is how
// controller-gen has it.
type typeKey struct {
	pkg        *load.Package
	name, args string
	root       bool
}

// A typ is a named Go type, described once.
type typ struct {
	name string // for messages: package.Name
	decl *load.TypeDecl
	node *node
	// describing is set while the type's own description is under way: what refers to it then closes a cycle.
	describing bool
	// wrong are the first error and the first warning about a type of a package that is not the user's own, by severity:
	// each place that uses the type is told.
	wrong [2]*diag.Diagnostic
}

// A reference is a place that names a type, inside of a generic type together with its arguments.
type reference struct {
	at     diag.Span
	within string
}

// A step on the way from a kind to what is being described: a type, or a part of the current type's JSON form.
type step struct {
	typ  *typ
	part string // "spec", "[]" for items, "{}" for a map's values
	at   diag.Span
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

// jsonType is the node's JSON type as far as it is known without flattening.
func (n *node) jsonType() string {
	if n == nil {
		return ""
	}
	if n.s.Type.V != "" || n.ref == nil || n.cut {
		return n.s.Type.V
	}
	return n.ref.node.jsonType()
}

// isIntOrString reports whether the node, or the type it stands for, is an integer or a string.
func (n *node) isIntOrString() bool {
	if n == nil {
		return false
	}
	return n.s.IntOrString != nil || n.ref != nil && !n.cut && n.ref.node.isIntOrString()
}

// listType returns x-kubernetes-list-type of the node or the type it stands for.
func (n *node) listType() string {
	if n == nil {
		return ""
	}
	if n.s.ListType.V != "" || n.ref == nil || n.cut {
		return n.s.ListType.V
	}
	return n.ref.node.listType()
}

// description returns the node's documentation, or that of the type that it stands for; likewise title, example and
// externalDocs.
func (n *node) documentation() (d docs) {
	if n == nil {
		return docs{}
	}
	if n.ref != nil && !n.cut {
		d = n.ref.node.documentation()
	}
	if n.s.Description.V != "" {
		d.description = n.s.Description
	}
	if n.s.Title.V != "" {
		d.title = n.s.Title
	}
	if n.s.ExternalDocs != nil {
		d.external = n.s.ExternalDocs
	}
	if n.s.Example != nil {
		d.example = n.s.Example
	}
	return d
}

// docs are the keywords that describe rather than constrain.
type docs struct {
	description, title schema.Text
	external           *schema.ExternalDocs
	example            *schema.Literal
}
