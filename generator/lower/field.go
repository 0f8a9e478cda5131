package lower

import (
	"go/ast"
	"go/types"
	"slices"
	"strconv"
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
	hasTag              bool // there is a tag
	named               bool // which names the field
	quoted              bool // string
	omitEmpty, omitZero bool
}

// omits reports whether the tag makes the field optional.
func (f *field) omits() bool { return f.omitEmpty || f.omitZero }

// fields takes a field declaration apart: one for each name, none for what is not part of the JSON form.
func (d describer) fields(sc *scope, syntax *ast.Field, t *typ) []*field {
	tag, hasTag := load.Tag(syntax).Lookup("json")
	if hasTag && tag == "-" {
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
			syntax: syntax, decl: sc.decl, name: opts[0], notes: sc.decl.Notes(syntax), hasTag: hasTag,
			quoted:    slices.Contains(opts[1:], "string"),
			omitEmpty: slices.Contains(opts[1:], "omitempty"),
			omitZero:  slices.Contains(opts[1:], "omitzero"),
		}
		f.at = sc.span(syntax.Type)
		if ident != nil {
			f.goName = ident.Name
			f.at = sc.span(ident)
		}
		isField := d.nameField
		if d.opts.Compat {
			isField = d.nameCompatField
		}
		if !isField(sc, f, slices.Contains(opts[1:], "inline"), t) {
			continue
		}
		f.marks = d.applier().fieldMarkers(sc.decl, syntax)
		if d.opaque {
			f.marks = withoutTags(f.marks)
		}
		out = append(out, f)
	}
	return out
}

// nameCompatField decides as controller-gen does whether a field is part of the JSON form: by the tag alone.
func (d describer) nameCompatField(_ *scope, f *field, inline bool, t *typ) bool {
	if f.goName != "" && d.opts.IgnoreUnexportedFields && !ast.IsExported(f.goName) {
		return false
	}
	if !f.hasTag {
		d.refuse(d.untagged(f, t))
		return false
	}
	f.inline = f.name == "" || inline
	return true
}

// nameField decides whether a field is part of the JSON form, and under which name (encoding/json, typeFields).
func (d describer) nameField(sc *scope, f *field, inline bool, t *typ) bool {
	embedded, isStruct := f.goName == "", false
	if embedded {
		_, isStruct = deref(goType(sc, f.syntax.Type)).Underlying().(*types.Struct)
	}
	goName := f.goName
	if embedded {
		goName = embeddedName(f.syntax.Type)
	}
	if !ast.IsExported(goName) && !isStruct {
		if f.hasTag && !d.opts.IgnoreUnexportedFields {
			d.mistake(d.unexported(f, goName))
			d.deviate(goFields, f.at)
		}
		return false
	}
	d.checkTag(sc, f)
	f.named = f.name != "" && isJSONName(f.name)
	if f.named || !isStruct {
		if f.hasTag && (!f.named || inline) {
			d.deviate(goFields, f.at)
		}
		if !f.named {
			f.name = goName
		}
		switch {
		case inline && (f.goName != "" || f.named):
			d.mistake(d.inlineNamed(f))
		case !f.hasTag && f.goName != "":
			d.warn(d.untaggedName(f, t))
		}
		return true
	}
	isMeta := goName == "ObjectMeta" || goName == "ListMeta"
	if isMeta && len(d.parts()) == 1 && d.isMeta(sc, f.syntax.Type) { // of a kind, whose metadata has a key
		d.refuse(d.untagged(f, t))
		return false
	}
	f.name, f.inline = "", true
	if _, isPointer := ast.Unparen(f.syntax.Type).(*ast.StarExpr); isPointer && !ast.IsExported(goName) {
		d.mistake(d.unexportedPointer(f, goName))
	}
	return true
}

// checkTag reports a tag of which Go understands less than it seems: one that does not consist of key:"value", as far as
// that hides a json in it, a name that is none, and options with spaces around.
func (d describer) checkTag(sc *scope, f *field) {
	if f.syntax.Tag == nil {
		return
	}
	at := sc.span(f.syntax.Tag)
	tag := string(load.Tag(f.syntax))
	if !f.hasTag && strings.Contains(tag, "json") && !isTag(tag) {
		d.mistake(malformedTag(at, f))
	}
	if f.name != "" && !isJSONName(f.name) {
		d.mistake(tagName(at, f))
	}
	_, options, _ := strings.Cut(load.Tag(f.syntax).Get("json"), ",")
	for option := range strings.SplitSeq(options, ",") {
		if trimmed := strings.TrimSpace(option); trimmed != option {
			d.mistake(tagSpace(at, option, trimmed))
		}
	}
}

// isTag reports whether a tag consists of nothing but key:"value" (reflect.StructTag).
func isTag(tag string) bool {
	for tag = strings.TrimLeft(tag, " "); tag != ""; tag = strings.TrimLeft(tag, " ") {
		key, rest, ok := strings.Cut(tag, ":")
		if !ok || key == "" || strings.ContainsAny(key, " \"") {
			return false
		}
		value, err := strconv.QuotedPrefix(rest)
		if err != nil || rest[0] != '"' {
			return false
		}
		tag = rest[len(value):]
	}
	return true
}

// isMeta reports whether a type expression names a type of the package that ObjectMeta is in.
func (d describer) isMeta(sc *scope, e ast.Expr) bool {
	named, ok := types.Unalias(deref(goType(sc, e))).(*types.Named)
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
	switch e := ast.Unparen(e).(type) {
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
