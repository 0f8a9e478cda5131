package node

import (
	"go/ast"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/markers"
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
}

// Target returns the field as what its markers are on.
func (f *Field) Target() Target { return Target{Decl: f.Decl, Field: f} }

// Omits reports whether the tag makes the field optional.
func (f *Field) Omits() bool { return f.OmitEmpty || f.OmitZero }
