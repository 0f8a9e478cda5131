package gotype

import (
	"go/ast"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/load"
)

// typeKey identifies a named type; args are the arguments of a generic one. A kind is described once more as the root
// of its CRD: as such it may be part of itself, one level deep, which is how controller-gen has it. Where metadata is
// to be described its properties are part of the description.
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
