package build

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
	"unicode"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/markers"
)

// A field is one name of a struct field, with its tag taken apart.
type field struct {
	syntax *ast.Field
	decl   *load.TypeDecl
	goName string // "" for an embedded field
	name   string // the JSON name
	at     diag.Span
	inline bool // its fields are part of the struct around it
	notes  load.FieldNotes
	marks  []markers.Marker

	// The options of the tag.
	tagged              bool // the tag names the field
	hasTag              bool // there is a tag
	quoted              bool // string
	omitEmpty, omitZero bool
}

// omits reports whether the tag makes the field optional.
func (f *field) omits() bool { return f.omitEmpty || f.omitZero }

// fields takes a field declaration apart: one for each name, none for what is not part of the JSON form.
func (b *builder) fields(sc *scope, syntax *ast.Field, t *typ) []*field {
	tag, tagged := load.Tag(syntax).Lookup("json")
	if tagged && tag == "-" {
		return nil
	}
	opts := strings.Split(tag, ",")
	names := []*ast.Ident{nil}
	if len(syntax.Names) > 0 {
		names = syntax.Names
	}
	var out []*field
	for _, ident := range names {
		f := &field{
			syntax: syntax, decl: sc.decl, name: opts[0], notes: sc.decl.Notes(syntax),
			quoted:    slices.Contains(opts[1:], "string"),
			omitEmpty: slices.Contains(opts[1:], "omitempty"),
			omitZero:  slices.Contains(opts[1:], "omitzero"),
		}
		f.hasTag = tagged
		f.at = sc.span(syntax.Type)
		if ident != nil {
			f.goName = ident.Name
			f.at = sc.span(ident)
		}
		isField := b.nameField
		if b.opts.Compat {
			isField = b.nameCompatField
		}
		if !isField(sc, f, tagged, slices.Contains(opts[1:], "inline"), t) {
			continue
		}
		f.marks = b.fieldMarkers(sc.decl, syntax)
		out = append(out, f)
	}
	return out
}

// nameCompatField decides as controller-gen does whether a field is part of the JSON form: by the tag alone.
func (b *builder) nameCompatField(_ *scope, f *field, tagged, inline bool, t *typ) bool {
	if f.goName != "" && b.opts.IgnoreUnexportedFields && !ast.IsExported(f.goName) {
		return false
	}
	if !tagged {
		b.refuse(b.untagged(f, t))
		return false
	}
	f.inline = f.name == "" || inline
	return true
}

// nameField decides whether a field is part of the JSON form, and under which name (encoding/json, typeFields).
func (b *builder) nameField(sc *scope, f *field, tagged, inline bool, t *typ) bool {
	if text := f.syntax.Tag; text != nil && !tagged && strings.Contains(text.Value, "json") {
		b.mistake(malformedTag(sc.span(text), f))
	}
	embedded, isStruct := f.goName == "", false
	if embedded {
		_, isStruct = b.underlying(sc, f.syntax.Type).(*types.Struct)
	}
	goName := f.goName
	if embedded {
		goName = embeddedName(f.syntax.Type)
	}
	if !ast.IsExported(goName) && !isStruct {
		if tagged && !b.opts.IgnoreUnexportedFields {
			b.mistake(b.unexported(f, goName))
			b.deviate(goFields, f.at)
		}
		return false
	}
	f.tagged = f.name != "" && isJSONName(f.name)
	if f.tagged || !isStruct {
		if tagged && (!f.tagged || inline) {
			b.deviate(goFields, f.at)
		}
		if !f.tagged {
			f.name = goName
		}
		b.checkTag(f, tagged, inline, t)
		return true
	}
	isMeta := goName == "ObjectMeta" || goName == "ListMeta"
	if isMeta && len(b.parts()) == 1 && b.isMeta(sc, f.syntax.Type) { // of a kind, whose metadata has a key
		b.refuse(b.untagged(f, t))
		return false
	}
	f.name, f.inline = "", true
	if _, isPointer := unparen(f.syntax.Type).(*ast.StarExpr); isPointer && !ast.IsExported(goName) {
		b.mistake(b.unexportedPointer(f, goName))
	}
	return true
}

// checkTag reports tags that do something else than they seem to.
func (b *builder) checkTag(f *field, tagged, inline bool, t *typ) {
	switch {
	case inline && f.goName != "":
		b.mistake(b.inlineNamed(f))
	case inline && f.tagged:
		b.mistake(b.inlineNamed(f))
	case !tagged && f.goName != "":
		b.warn(b.untaggedName(f, t))
	}
}

// isMeta reports whether a type expression names a type of the package that ObjectMeta is in.
func (b *builder) isMeta(sc *scope, e ast.Expr) bool {
	if star, ok := unparen(e).(*ast.StarExpr); ok {
		e = star.X
	}
	named, ok := types.Unalias(b.resolved(sc, e)).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == pkgMeta
}

// isJSONName reports whether Go takes a name from a tag (encoding/json, isValidTag).
func isJSONName(name string) bool {
	for _, r := range name {
		if !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return false
		}
	}
	return true
}

// embeddedName is the name of an embedded field: that of its type.
func embeddedName(e ast.Expr) string {
	switch e := unparen(e).(type) {
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
