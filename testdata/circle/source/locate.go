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
	decls     []decl
	fields    []field
	arguments []argument
}

// argument is the type argument for a type parameter of a declared type.
type argument struct {
	area
	of string
}

// A Position is a byte offset in the file of a kind, or in that of its types in the other package.
type Position struct {
	Helper bool
	Offset int
}

// area is what lies between two offsets, the latter included.
type area struct {
	start Position
	end   int
}

func (a area) contains(p Position) bool {
	return a.start.Helper == p.Helper && a.start.Offset <= p.Offset && p.Offset <= a.end
}

// decl is a declared type, or what belongs to one: its methods and constants.
type decl struct {
	area
	name string
	// isStruct is whether its fields have keys of their own.
	isStruct bool
	mentions []string
}

// field is one field of a struct, in declared types and within others.
type field struct {
	area
	owner     string // the declared type around it
	name      string
	key       string // its JSON key; "" for one that JSON has not
	flattened bool   // its fields are the struct's, if it is a struct
	mentions  []string
	nested    bool // in an anonymous struct
}

// A Place is a position as the source's author would name it.
type Place struct {
	// Type is the declared type; Field is its field, "" for the type itself.
	Type, Field string
	// Keys are the JSON keys that a diagnostic at that place refers to.
	Keys []string
}

// Locate parses a kind's files.
func Locate(k Kind) (*File, error) {
	f := &File{}
	for _, src := range []string{k.Source, k.Helper} {
		if src == "" {
			continue
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, "", src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		isHelper := src == k.Helper
		f.collect(parsed, func(doc *ast.CommentGroup, n ast.Node) area {
			start := n.Pos()
			if doc != nil {
				start = doc.Pos()
			}
			return area{Position{isHelper, set.Position(start).Offset}, set.Position(n.End()).Offset}
		})
	}
	return f, nil
}

// places are the positions of a node and its comment.
type places func(doc *ast.CommentGroup, n ast.Node) area

func (f *File) collect(parsed *ast.File, at places) {
	for _, d := range parsed.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv != nil {
				f.decls = append(f.decls, decl{area: at(nil, d), name: idents(d.Recv.List[0].Type)[0]})
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				where := at(d.Doc, d)
				where.end = at(nil, spec).end
				f.spec(spec, where, at)
			}
		}
	}
}

func (f *File) spec(spec ast.Spec, where area, at places) {
	switch spec := spec.(type) {
	case *ast.ValueSpec:
		if spec.Type != nil {
			f.decls = append(f.decls, decl{area: at(nil, spec), name: idents(spec.Type)[0]})
		}
	case *ast.TypeSpec:
		f.instances(spec.Type, at)
		d := decl{area: where, name: spec.Name.Name, mentions: idents(spec.Type)}
		_, d.isStruct = spec.Type.(*ast.StructType)
		f.decls = append(f.decls, d)
		f.structs(spec.Type, spec.Name.Name, at)
	}
}

// instances collects the arguments of generic types in a type expression.
func (f *File) instances(expr ast.Expr, at places) {
	ast.Inspect(expr, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IndexExpr:
			f.arguments = append(f.arguments, argument{at(nil, n.Index), embeddedName(n.X)})
		case *ast.IndexListExpr:
			for _, arg := range n.Indices {
				f.arguments = append(f.arguments, argument{at(nil, arg), embeddedName(n.X)})
			}
		}
		return true
	})
}

// structs collects the fields of all structs in a type expression, outer ones first.
func (f *File) structs(expr ast.Expr, owner string, at places) {
	ast.Inspect(expr, func(n ast.Node) bool {
		s, ok := n.(*ast.StructType)
		if !ok {
			return true
		}
		for _, astField := range s.Fields.List {
			fd := newField(astField, owner)
			fd.nested, fd.area = n != expr, at(astField.Doc, astField)
			f.fields = append(f.fields, fd)
		}
		return true
	})
}

func newField(f *ast.Field, owner string) field {
	fd := field{owner: owner, mentions: idents(f.Type)}
	var tag string
	if f.Tag != nil {
		tag = reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("json")
	}
	name, _, _ := strings.Cut(tag, ",")
	if len(f.Names) > 0 {
		fd.name = f.Names[0].Name
	} else {
		fd.name = embeddedName(f.Type)
		fd.flattened = name == ""
	}
	switch {
	case tag == "-":
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

// At returns what stands at a position; the zero Place if nothing does.
func (f *File) At(p Position) Place {
	var place Place
	for _, d := range f.decls {
		if d.contains(p) {
			place = Place{Type: d.name, Keys: f.keysOfType(d.name, 0)}
		}
	}
	// Outer fields come before those within them.
	for _, fd := range f.fields {
		if fd.contains(p) {
			place = Place{Type: fd.owner, Field: fd.name, Keys: f.keysOfField(fd, 0)}
		}
	}
	for _, arg := range f.arguments {
		if arg.contains(p) { // it is in the fields of the generic type, too
			place.Keys = append(place.Keys, f.keysOfFields(arg.of, 0)...)
		}
	}
	place.Keys = slices.Compact(slices.Sorted(slices.Values(place.Keys)))
	return place
}

// metaKeys are the keys of metadata that a template has, too.
var metaKeys = []string{"name", "namespace", "labels", "annotations", "finalizers"}

// isMeta reports whether a field is metadata whose fields are the struct's own.
func (fd field) isMeta() bool { return fd.flattened && fd.name == "ObjectMeta" }

// keysOfField is the field's key, or those of the struct that is embedded.
func (f *File) keysOfField(fd field, depth int) []string {
	if fd.isMeta() {
		return metaKeys
	}
	if !fd.flattened || depth > 5 || !slices.ContainsFunc(
		f.decls, func(d decl) bool { return d.isStruct && d.name == fd.name }) {
		if fd.key == "" {
			return nil
		}
		return []string{fd.key}
	}
	return f.keysOfFields(fd.name, depth+1)
}

// keysOfFields are the keys of a struct's fields.
func (f *File) keysOfFields(owner string, depth int) []string {
	var list []string
	for _, fd := range f.fields {
		if fd.owner == owner && !fd.nested {
			list = append(list, f.keysOfField(fd, depth)...)
		}
	}
	return list
}

// keysOfType are the keys of the fields that have the type, also within lists, maps and other types' definitions. Where
// it is an argument, they are those of the generic type's fields, too.
func (f *File) keysOfType(name string, depth int) []string {
	var list []string
	if depth > 5 {
		return nil
	}
	generics := func(mentions []string) {
		for _, arg := range f.arguments {
			if slices.Contains(mentions, arg.of) && arg.of != name {
				list = append(list, f.keysOfFields(arg.of, 0)...)
			}
		}
	}
	for _, fd := range f.fields {
		if slices.Contains(fd.mentions, name) {
			list = append(list, f.keysOfField(fd, 0)...)
			generics(fd.mentions)
		}
	}
	for _, d := range f.decls {
		if !d.isStruct && d.name != name && slices.Contains(d.mentions, name) {
			list = append(list, f.keysOfType(d.name, depth+1)...)
			generics(d.mentions)
		}
	}
	return list
}

// IsKey reports whether an element of a path is the key of a field, given the elements before it. Names are unique but
// for those of metadata, which objects of unknown types have, too.
func (f *File) IsKey(element string, before []string) bool {
	return element != "" && slices.ContainsFunc(f.fields, func(fd field) bool {
		switch {
		case fd.isMeta():
			return slices.Contains(metaKeys, element) && before[len(before)-1] != "metadata"
		case fd.key != element:
			return false
		}
		return element != "metadata" || slices.ContainsFunc(f.keysOfType(fd.owner, 0),
			func(key string) bool { return slices.Contains(before, key) })
	})
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
