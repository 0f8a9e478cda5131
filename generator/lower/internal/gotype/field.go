package gotype

import (
	"fmt"
	"go/ast"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/generator/lower/internal/checks"
	"github.com/crdproof/crdproof/generator/lower/internal/node"
	"github.com/crdproof/crdproof/generator/lower/internal/options"
	"github.com/crdproof/crdproof/generator/lower/internal/read"
	"github.com/crdproof/crdproof/internal/gojson"
	"github.com/crdproof/crdproof/schema"
)

// fields splits a field declaration: one field for each name, except those that are not part of the JSON form.
func (d Describer) fields(sc *scope, syntax *ast.Field, t *node.Type) []*node.Field {
	tag, hasTag := load.Tag(syntax).Lookup("json")
	if hasTag && tag == "-" {
		return nil
	}
	opts := strings.Split(tag, ",")
	names := []*ast.Ident{nil}
	if len(syntax.Names) > 0 {
		names = syntax.Names
	}
	var out []*node.Field
	for _, ident := range names {
		f := &node.Field{
			Syntax: syntax, Decl: sc.decl, Name: opts[0], Doc: sc.decl.FieldDoc(syntax), HasTag: hasTag,
			Quoted:    slices.Contains(opts[1:], "string"),
			OmitEmpty: slices.Contains(opts[1:], "omitempty"),
			OmitZero:  slices.Contains(opts[1:], "omitzero"),
		}
		f.At = sc.span(syntax.Type)
		if ident != nil {
			f.GoName = ident.Name
			f.At = sc.span(ident)
		}
		isField := d.nameField
		if !d.Opts.With(options.GoFields) {
			isField = d.nameCompatField
		}
		var isPart bool
		f.IsMisread = d.Apart(func() { isPart = isField(sc, f, slices.Contains(opts[1:], "inline"), t) }) != 0
		if f.IsMisread { // so that whatever names the field is checked
			f.Name, f.Inline = meantName(f), f.GoName == "" && f.Name == ""
			f.OmitEmpty = f.OmitEmpty || strings.Contains(string(load.Tag(syntax)), ",omitempty")
			f.OmitZero = f.OmitZero || strings.Contains(string(load.Tag(syntax)), ",omitzero")
		} else if !isPart {
			continue
		}
		f.Marks = d.reader().FieldMarkers(sc.decl, syntax)
		if !d.isInVariant(sc, f) {
			continue
		}
		if f.IsMisread && !slices.ContainsFunc(f.Marks, read.StatesPresence) {
			d.Doubt(schema.DoubtPresence)
		}
		if d.Opaque {
			f.Marks = read.WithoutTags(f.Marks)
		}
		out = append(out, f)
	}
	return out
}

// isInVariant reports whether a field is in the variant that is built: by its own markers, and by those of its type.
func (d Describer) isInVariant(sc *scope, f *node.Field) bool {
	rd := d.reader()
	if !rd.Belongs(f.Marks) {
		return false
	}
	if d.Opts.Variant == nil {
		return true
	}
	t := goType(sc, f.Syntax.Type)
	for t != nil {
		if decl := d.DeclOf(t); decl != nil {
			return rd.HasType(decl)
		}
		holder, isHolder := types.Unalias(t).(interface{ Elem() types.Type })
		if !isHolder {
			break
		}
		t = holder.Elem()
	}
	return true
}

// meantName returns the name that a field with an error in its tag was probably meant to have.
func meantName(f *node.Field) string {
	if m := namedInTag.FindStringSubmatch(string(load.Tag(f.Syntax))); m != nil {
		return m[1]
	}
	if f.GoName == "" && embeddedName(f.Syntax.Type) != "ObjectMeta" {
		return ""
	}
	if f.GoName == "" {
		return "metadata"
	}
	return jsonName(f)
}

// namedInTag matches a name of a tag with the key json, quoted or not.
var namedInTag = regexp.MustCompile(`json:?"?([A-Za-z][A-Za-z0-9]*)`)

// nameCompatField decides as controller-gen does whether a field is part of the JSON form: by the tag alone.
func (d Describer) nameCompatField(_ *scope, f *node.Field, inline bool, t *node.Type) bool {
	if f.GoName != "" && d.Opts.IgnoreUnexportedFields && !ast.IsExported(f.GoName) {
		return false
	}
	if !f.HasTag {
		d.reportUntagged(f, t)
		return false
	}
	f.Inline = f.Name == "" || inline
	return true
}

// nameField decides whether a field is part of the JSON form, and under which name (encoding/json, typeFields).
func (d Describer) nameField(sc *scope, f *node.Field, inline bool, t *node.Type) bool {
	goName, isStruct := f.GoName, false
	if goName == "" {
		goName = embeddedName(f.Syntax.Type)
		t := gojson.Deref(goType(sc, f.Syntax.Type))
		_, isStruct = t.Underlying().(*types.Struct)
		isStruct = isStruct || isInvalid(t) // most are
	}
	if !ast.IsExported(goName) && !isStruct {
		if f.HasTag && !d.Opts.IgnoreUnexportedFields {
			d.Mistake(d.Reached(diag.Errorf(f.At, checks.FieldUnexported,
				"field %s has a json tag, but Go ignores it: its name begins with a lowercase letter", goName).
				Help("begin the name with a capital letter, or remove the tag")))
			d.Deviate(options.GoFields, f.At)
		}
		return false
	}
	d.checkTag(sc, f)
	f.Named = f.Name != "" && gojson.IsName(f.Name)
	if f.Named || !isStruct {
		if f.HasTag && (!f.Named || inline) {
			d.Deviate(options.GoFields, f.At)
		}
		if !f.Named {
			f.Name = goName
		}
		switch {
		case inline && (f.GoName != "" || f.Named):
			help := "remove the option, or the name before it"
			if !f.Named {
				help = fmt.Sprintf("write `json:%q`, or embed the type: remove the name %s", jsonName(f)+",omitempty",
					f.GoName)
			}
			d.Mistake(d.Reached(diag.Errorf(f.At, checks.FieldInline,
				"Go has no tag option inline: it encodes this field as an object under the key %q", f.Name).
				Help("%s", help).Changes(diag.AcceptsOther, "the key %q goes", f.Name)))
		case !f.HasTag && f.GoName != "" && !hasMisspelledKey(f) && load.Tag(f.Syntax).Get("protobuf_oneof") == "":
			d.Warn(d.Reached(diag.Errorf(f.At, checks.FieldUntagged,
				"field %s of %s has no json tag: its key is %q", f.GoName, owner(t), f.Name).
				Help("write `json:%q`, or write `json:\"-\"`", jsonName(f)+",omitempty").
				Changes(diag.AcceptsOther, "the key %q goes", f.Name).
				CausedBy(diag.Span{}, f.At.Package())))
		}
		return true
	}
	isMeta := goName == "ObjectMeta" || goName == "ListMeta"
	if isMeta && len(d.Parts()) == 1 && d.isMeta(sc, f.Syntax.Type) { // of a kind, whose metadata has a key
		d.reportUntagged(f, t)
		return false
	}
	f.Name, f.Inline = "", true
	if _, isPointer := ast.Unparen(f.Syntax.Type).(*ast.StarExpr); isPointer && !ast.IsExported(goName) {
		d.Mistake(d.Reached(diag.Errorf(f.At, checks.FieldUnexported,
			"Go encodes an embedded *%s but cannot decode it: it cannot set an unexported field", goName).
			Help("embed %s itself, or export it", goName)))
	}
	return true
}

// checkTag reports a tag that Go reads in another way than it looks: one that does not consist of key:"value", if that
// hides a json key, an invalid name, options with spaces, and what misreadTag finds.
func (d Describer) checkTag(sc *scope, f *node.Field) {
	if f.Syntax.Tag == nil {
		return
	}
	at := sc.span(f.Syntax.Tag)
	tag := string(load.Tag(f.Syntax))
	if !f.HasTag && strings.Contains(tag, "json") && !gojson.IsTag(tag) {
		d.Mistake(diag.Errorf(at, checks.FieldTag, "Go finds no json key in this tag and uses the name of the field").
			Help("write `json:%q`", jsonName(f)+",omitempty").
			Changes(diag.AcceptsOther, "the field gets another key"))
	}
	if f.Name != "" && !gojson.IsName(f.Name) {
		d.Mistake(diag.Errorf(at, checks.FieldTag, "invalid name %q in the json tag: Go uses the name of the field",
			f.Name).
			Help("remove quotes, backslashes and unprintable characters"))
	}
	if what, meant := misreadTag(tag, f); what != "" {
		d.Warn(diag.Errorf(at, checks.FieldTag, "%s", what).Help("write `%s`", meant).
			Changes(diag.AcceptsOther, "the schema follows the tag"))
	}
	_, options, _ := strings.Cut(load.Tag(f.Syntax).Get("json"), ",")
	for option := range strings.SplitSeq(options, ",") {
		if trimmed := strings.TrimSpace(option); trimmed != option {
			literal := strings.Replace(f.Syntax.Tag.Value, ","+option, ","+trimmed, 1)
			d.Mistake(diag.Errorf(at, checks.FieldTag, "unknown option %q in the json tag", option).
				Write(literal).Changes(diag.AcceptsOther, "the schema follows the tag"))
		}
	}
}

// isMeta reports whether a type expression names a type of the package that ObjectMeta is in.
func (d Describer) isMeta(sc *scope, e ast.Expr) bool {
	pkg, _ := gojson.NameOf(gojson.Deref(goType(sc, e)))
	return pkg == node.PkgMeta
}

// embeddedName returns the name of an embedded field: that of its type.
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

// reportUntagged reports a field that must have a json tag, or a name in it.
func (d Describer) reportUntagged(f *node.Field, t *node.Type) {
	name := f.GoName
	if name == "" {
		name = types.ExprString(f.Syntax.Type)
	}
	help := fmt.Sprintf("write `json:%q`, or write `json:\"-\"`", jsonName(f)+",omitempty")
	if f.GoName == "" && (strings.HasSuffix(name, ".ObjectMeta") || strings.HasSuffix(name, ".ListMeta")) {
		help = "write `json:\"metadata,omitempty\"`"
	} else if f.GoName == "" {
		help = "write `json:\",inline\"`"
	} else if !ast.IsExported(name) {
		help = "write `json:\"-\"`, or run with crd:ignoreUnexportedFields=true"
	}
	lacks := "has no json tag"
	if f.HasTag {
		lacks = "has no name in its json tag"
	}
	d.Report(d.Reached(diag.Errorf(f.At, checks.FieldUntagged, "field %s of %s %s", name, owner(t), lacks).
		Help("%s", help).CausedBy(diag.Span{}, f.At.Package())))
}

// owner names the struct that a field is of.
func owner(t *node.Type) string {
	if t == nil {
		return "an anonymous struct"
	}
	return "type " + t.Name
}

// jsonName returns the name that a field would usually have in JSON.
func jsonName(f *node.Field) string {
	name := f.GoName
	if name == "" {
		name = types.ExprString(f.Syntax.Type)
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
