package load

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
)

// A MissingMeta is what a struct lacks to be a kind.
type MissingMeta struct {
	// Name is TypeMeta or ObjectMeta.
	Name string
	// At is a field that was probably meant to be it, if any; From is the package of the field's type if it is not the
	// right one. Unknown is the name of a package in the field's type that the file does not import, and Known the name
	// under which it imports the right one, "" if it does not.
	At             diag.Span
	From           string
	Unknown, Known string
}

// MissingMeta returns what a struct with the marker of an object lacks. ok is false for a list, for an object that is
// never stored, such as a configuration file, and for a struct that embeds another type, which may have the metas.
func (d *TypeDecl) MissingMeta() (missing MissingMeta, ok bool) {
	s, isStruct := ast.Unparen(d.Spec.Type).(*ast.StructType)
	if !isStruct || d.Spec.TypeParams != nil || strings.HasSuffix(d.Name, "List") {
		return MissingMeta{}, false
	}
	var has metas
	near := map[metas]MissingMeta{}
	for _, field := range s.Fields.List {
		name, from := d.typeOf(field)
		meta := known(name)
		switch {
		case len(field.Names) == 1 && field.Names[0].Name == "Items", name == "ListMeta":
			return MissingMeta{}, false
		case len(field.Names) > 0 &&
			(meta != typeMeta && meta != objectMeta || field.Names[0].Name != name || from != Metav1):
		case meta != typeMeta && meta != objectMeta:
			return MissingMeta{}, false
		case len(field.Names) > 0:
			near[meta] = MissingMeta{At: d.Pkg.Span(field.Names[0])}
		case from == Metav1:
			has |= meta
		default:
			near[meta] = MissingMeta{At: d.Pkg.Span(field.Type), From: from}
			if from == "" {
				near[meta] = d.unknownPackage(field)
			}
		}
	}
	name, lacks := "TypeMeta", typeMeta
	if has&typeMeta != 0 {
		name, lacks = "ObjectMeta", objectMeta
	}
	missing = near[lacks]
	missing.Name = name
	return missing, has&lacks == 0 && (lacks == typeMeta || missing.At.IsValid() || d.isMeantStored(s))
}

// unknownPackage describes an embedded meta of a package that the file does not import.
func (d *TypeDecl) unknownPackage(field *ast.Field) MissingMeta {
	out := MissingMeta{At: d.Pkg.Span(field.Type)}
	if t, ok := pointee(field.Type).(*ast.SelectorExpr); ok {
		out.Unknown = types.ExprString(t.X)
	}
	if slices.Contains(d.file.unnamed, Metav1) {
		out.Known = "v1"
	}
	for _, name := range slices.Sorted(maps.Keys(d.file.imports)) {
		if d.file.imports[name] == Metav1 {
			out.Known = name
		}
	}
	return out
}

// typeOf returns the name of a field's type, and the path of its package.
func (d *TypeDecl) typeOf(field *ast.Field) (name, from string) {
	switch t := pointee(field.Type).(type) {
	case *ast.SelectorExpr:
		if pkg, name := d.qualified(t); pkg != nil {
			return name, pkg.Path
		}
		return t.Sel.Name, ""
	case *ast.Ident:
		if d.Pkg.byName[t.Name] == nil && slices.Contains(d.file.dots, Metav1) {
			return t.Name, Metav1
		}
		return t.Name, d.Pkg.Path
	}
	return "", ""
}

// isMeantStored reports whether a struct is meant to be a kind, not only an object: it has a list type, or a status
// beside its spec.
func (d *TypeDecl) isMeantStored(s *ast.StructType) bool {
	has := func(name string) bool {
		return slices.ContainsFunc(s.Fields.List, func(f *ast.Field) bool {
			return len(f.Names) == 1 && f.Names[0].Name == name
		})
	}
	return d.Pkg.byName[d.Name+"List"] != nil || has("Spec") && has("Status")
}
