package source

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"strings"
)

// A File is a parsed kind, which leads positions back to fields and keys.
type File struct {
	decls  []decl
	fields []field
}

// decl is a declared type, or what belongs to one: its methods and constants.
type decl struct {
	start, end int
	name       string
	// isStruct is whether its fields have keys of their own.
	isStruct bool
	mentions []string
}

// field is one field of a struct, in declared types and within others.
type field struct {
	start, end int
	owner      string // the declared type around it
	name       string
	key        string // its JSON key; "" for one that JSON has not
	flattened  bool   // its fields are the struct's, if it is a struct
	mentions   []string
	nested     bool // in an anonymous struct
}

// A Place is a position as the source's author would name it.
type Place struct {
	// Type is the declared type; Field is its field, "" for the type itself.
	Type, Field string
	// Keys are the JSON keys that a diagnostic at that place speaks of.
	Keys []string
}

// Locate parses a kind's source.
func Locate(src string) (*File, error) {
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, "", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	f := &File{}
	offset := func(p token.Pos) int { return set.Position(p).Offset }
	for _, d := range parsed.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv != nil {
				f.decls = append(f.decls, decl{start: offset(d.Pos()), end: offset(d.End()), name: idents(d.Recv.List[0].Type)[0]})
			}
		case *ast.GenDecl:
			start := offset(d.Pos())
			if d.Doc != nil {
				start = offset(d.Doc.Pos())
			}
			for _, spec := range d.Specs {
				f.spec(spec, start, offset)
			}
		}
	}
	return f, nil
}

func (f *File) spec(spec ast.Spec, start int, offset func(token.Pos) int) {
	switch spec := spec.(type) {
	case *ast.ValueSpec:
		if spec.Type != nil {
			f.decls = append(f.decls, decl{start: offset(spec.Pos()), end: offset(spec.End()), name: idents(spec.Type)[0]})
		}
	case *ast.TypeSpec:
		d := decl{start: start, end: offset(spec.End()), name: spec.Name.Name, mentions: idents(spec.Type)}
		_, d.isStruct = spec.Type.(*ast.StructType)
		f.decls = append(f.decls, d)
		f.structs(spec.Type, spec.Name.Name, offset)
	}
}

// structs collects the fields of all structs in a type expression, outer ones first.
func (f *File) structs(expr ast.Expr, owner string, offset func(token.Pos) int) {
	top := expr
	ast.Inspect(expr, func(n ast.Node) bool {
		s, ok := n.(*ast.StructType)
		if !ok {
			return true
		}
		for _, astField := range s.Fields.List {
			fd := newField(astField, owner)
			fd.nested = n != top
			fd.start, fd.end = offset(astField.Pos()), offset(astField.End())
			if astField.Doc != nil {
				fd.start = offset(astField.Doc.Pos())
			}
			f.fields = append(f.fields, fd)
		}
		return true
	})
}

func newField(f *ast.Field, owner string) field {
	fd := field{owner: owner, mentions: idents(f.Type)}
	var name, options string
	if f.Tag != nil {
		name, options, _ = strings.Cut(reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("json"), ",")
	}
	if len(f.Names) > 0 {
		fd.name = f.Names[0].Name
	} else {
		fd.name = embeddedName(f.Type)
		fd.flattened = name == ""
	}
	switch {
	case name == "-" && options == "":
	case name != "":
		fd.key = name
	case ast.IsExported(fd.name):
		fd.key = fd.name
	}
	return fd
}

// embeddedName is the name that an embedded field has.
func embeddedName(expr ast.Expr) string {
	switch e := expr.(type) {
	case *ast.StarExpr:
		return embeddedName(e.X)
	case *ast.IndexExpr:
		return embeddedName(e.X)
	case *ast.IndexListExpr:
		return embeddedName(e.X)
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// idents are the names in a type expression, but for those of fields.
func idents(expr ast.Expr) []string {
	var list []string
	ast.Inspect(expr, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.StructType:
			return false
		case *ast.Ident:
			list = append(list, n.Name)
		}
		return true
	})
	return list
}

// At returns what stands at a byte offset; the zero Place if nothing does.
func (f *File) At(offset int) Place {
	var place Place
	for _, d := range f.decls {
		if d.start <= offset && offset <= d.end {
			place = Place{Type: d.name, Keys: f.keysOfType(d.name, 0)}
		}
	}
	// Outer fields come before those within them.
	for _, fd := range f.fields {
		if fd.start <= offset && offset <= fd.end {
			place = Place{Type: fd.owner, Field: fd.name, Keys: f.keysOfField(fd, 0)}
		}
	}
	return place
}

// keysOfField is the field's key, or those of the struct that is embedded.
func (f *File) keysOfField(fd field, depth int) []string {
	if !fd.flattened || depth > 5 || !slices.ContainsFunc(f.decls, func(d decl) bool { return d.isStruct && d.name == fd.name }) {
		if fd.key == "" {
			return nil
		}
		return []string{fd.key}
	}
	var list []string
	for _, inner := range f.fields {
		if inner.owner == fd.name && !inner.nested {
			list = append(list, f.keysOfField(inner, depth+1)...)
		}
	}
	return list
}

// keysOfType are the keys of the fields that have the type, also within lists, maps and other types' definitions.
func (f *File) keysOfType(name string, depth int) []string {
	var list []string
	if depth > 5 {
		return nil
	}
	for _, fd := range f.fields {
		if slices.Contains(fd.mentions, name) {
			list = append(list, f.keysOfField(fd, 0)...)
		}
	}
	for _, d := range f.decls {
		if !d.isStruct && d.name != name && slices.Contains(d.mentions, name) {
			list = append(list, f.keysOfType(d.name, depth+1)...)
		}
	}
	return list
}

// IsKey reports whether an element of a path is the key of a field, given the elements before it. Names are unique but for
// "metadata", which objects of unknown types have, too.
func (f *File) IsKey(element string, before []string) bool {
	for _, fd := range f.fields {
		if fd.key != element {
			continue
		}
		if element != "metadata" {
			return true
		}
		for _, key := range f.keysOfType(fd.owner, 0) {
			if slices.Contains(before, key) {
				return true
			}
		}
	}
	return false
}

// FieldsOf are the fields with that key.
func (f *File) FieldsOf(key string) []Place {
	var list []Place
	for _, fd := range f.fields {
		if fd.key == key {
			list = append(list, Place{Type: fd.owner, Field: fd.name})
		}
	}
	return list
}
