package lower

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/internal/gojson"
	"github.com/crdproof/crdproof/markers"
)

// A field is one name of a struct field, with the parts of its tag.
type field struct {
	syntax *ast.Field
	decl   *load.TypeDecl
	goName string // "" for an embedded field
	name   string // the JSON name
	at     diag.Span
	inline bool   // its fields are part of the struct around it
	doc    string // without markers
	marks  []markers.Marker

	// The options of the tag.
	hasTag              bool // there is a tag
	named               bool // which names the field
	quoted              bool // string
	omitEmpty, omitZero bool
}

// target is the field as what its markers are on.
func (f *field) target() target { return target{decl: f.decl, field: f} }

// omits reports whether the tag makes the field optional.
func (f *field) omits() bool { return f.omitEmpty || f.omitZero }

// fields splits a field declaration: one field for each name, except those that are not part of the JSON form.
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
			syntax: syntax, decl: sc.decl, name: opts[0], doc: sc.decl.FieldDoc(syntax), hasTag: hasTag,
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
		if !d.opts.With(goFields) {
			isField = d.nameCompatField
		}
		if !isField(sc, f, slices.Contains(opts[1:], "inline"), t) {
			continue
		}
		f.marks = d.reader().fieldMarkers(sc.decl, syntax)
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
		d.untagged(f, t)
		return false
	}
	f.inline = f.name == "" || inline
	return true
}

// nameField decides whether a field is part of the JSON form, and under which name (encoding/json, typeFields).
func (d describer) nameField(sc *scope, f *field, inline bool, t *typ) bool {
	embedded, isStruct := f.goName == "", false
	if embedded {
		_, isStruct = gojson.Deref(goType(sc, f.syntax.Type)).Underlying().(*types.Struct)
	}
	goName := f.goName
	if embedded {
		goName = embeddedName(f.syntax.Type)
	}
	if !ast.IsExported(goName) && !isStruct {
		if f.hasTag && !d.opts.IgnoreUnexportedFields {
			d.mistake(d.reached(diag.Errorf(f.at, fieldUnexported,
				"field %s has a json tag, but Go ignores it: its name begins with a lowercase letter", goName).
				Help("begin the name with a capital letter, or remove the tag")))
			d.deviate(goFields, f.at)
		}
		return false
	}
	d.checkTag(sc, f)
	f.named = f.name != "" && gojson.IsName(f.name)
	if f.named || !isStruct {
		if f.hasTag && (!f.named || inline) {
			d.deviate(goFields, f.at)
		}
		if !f.named {
			f.name = goName
		}
		switch {
		case inline && (f.goName != "" || f.named):
			help := "remove the option, or the name before it"
			if !f.named {
				help = fmt.Sprintf("write `json:%q`, or embed the type: remove the name %s", jsonName(f)+",omitempty",
					f.goName)
			}
			d.mistake(d.reached(diag.Errorf(f.at, fieldInline,
				"Go has no tag option inline: it encodes this field as an object under the key %q",
				f.name).
				Help("%s", help)))
		case !f.hasTag && f.goName != "" && !hasMisspelledKey(f):
			d.warn(d.reached(diag.Errorf(f.at, fieldUntagged,
				"field %s of %s has no json tag: its key is %q", f.goName, owner(t), f.name).
				Help("write `json:%q`, or write `json:\"-\"`", jsonName(f)+",omitempty")))
		}
		return true
	}
	isMeta := goName == "ObjectMeta" || goName == "ListMeta"
	if isMeta && len(d.parts()) == 1 && d.isMeta(sc, f.syntax.Type) { // of a kind, whose metadata has a key
		d.untagged(f, t)
		return false
	}
	f.name, f.inline = "", true
	if _, isPointer := ast.Unparen(f.syntax.Type).(*ast.StarExpr); isPointer && !ast.IsExported(goName) {
		d.mistake(d.reached(diag.Errorf(f.at, fieldUnexported,
			"Go encodes an embedded *%s but cannot decode it: it cannot set an unexported field", goName).
			Help("embed %s itself, or export it", goName)))
	}
	return true
}

// checkTag reports a tag that Go reads in another way than it looks: one that does not consist of key:"value", if that
// hides a json key, an invalid name, options with spaces, and what misreadTag finds.
func (d describer) checkTag(sc *scope, f *field) {
	if f.syntax.Tag == nil {
		return
	}
	at := sc.span(f.syntax.Tag)
	tag := string(load.Tag(f.syntax))
	if !f.hasTag && strings.Contains(tag, "json") && !gojson.IsTag(tag) {
		d.mistake(diag.Errorf(at, fieldTag, "Go finds no json key in this tag and uses the name of the field").
			Help("write `json:%q`", jsonName(f)+",omitempty"))
	}
	if f.name != "" && !gojson.IsName(f.name) {
		d.mistake(diag.Errorf(at, fieldTag, "invalid name %q in the json tag: Go uses the name of the field", f.name).
			Help("remove quotes, backslashes and unprintable characters"))
	}
	if what, meant := misreadTag(tag, f); what != "" {
		d.warn(diag.Errorf(at, fieldTag, "%s", what).Help("write `%s`", meant))
	}
	_, options, _ := strings.Cut(load.Tag(f.syntax).Get("json"), ",")
	for option := range strings.SplitSeq(options, ",") {
		if trimmed := strings.TrimSpace(option); trimmed != option {
			literal := strings.Replace(f.syntax.Tag.Value, ","+option, ","+trimmed, 1)
			d.mistake(diag.Errorf(at, fieldTag, "unknown option %q in the json tag", option).
				Help("write %s", literal))
		}
	}
}

// isMeta reports whether a type expression names a type of the package that ObjectMeta is in.
func (d describer) isMeta(sc *scope, e ast.Expr) bool {
	pkg, _ := gojson.NameOf(gojson.Deref(goType(sc, e)))
	return pkg == pkgMeta
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

// untagged reports a field that must have a json tag, or a name in it.
func (d describer) untagged(f *field, t *typ) {
	name := f.goName
	if name == "" {
		name = types.ExprString(f.syntax.Type)
	}
	help := fmt.Sprintf("write `json:%q`, or write `json:\"-\"`", jsonName(f)+",omitempty")
	if f.goName == "" && (strings.HasSuffix(name, ".ObjectMeta") || strings.HasSuffix(name, ".ListMeta")) {
		help = "write `json:\"metadata,omitempty\"`"
	} else if f.goName == "" {
		help = "write `json:\",inline\"`"
	} else if !ast.IsExported(name) {
		help = "write `json:\"-\"`, or run with crd:ignoreUnexportedFields=true"
	}
	lacks := "has no json tag"
	if f.hasTag {
		lacks = "has no name in its json tag"
	}
	d.report(d.reached(diag.Errorf(f.at, fieldUntagged, "field %s of %s %s", name, owner(t), lacks).
		Help("%s", help)))
}

// owner names the struct that a field is of.
func owner(t *typ) string {
	if t == nil {
		return "an anonymous struct"
	}
	return "type " + t.name
}

// jsonName is the name that a field would usually have in JSON.
func jsonName(f *field) string {
	name := f.goName
	if name == "" {
		name = types.ExprString(f.syntax.Type)
		name = strings.TrimPrefix(name[strings.LastIndexByte(name, '.')+1:], "*")
	}
	n := 1 // leading capitals are one word: KMSKeyID is kmsKeyID
	for n+1 < len(name) && isUpper(name[n]) && isUpper(name[n+1]) {
		n++
	}
	if n+1 == len(name) && isUpper(name[n]) {
		n++
	}
	return strings.ToLower(name[:n]) + name[n:]
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
