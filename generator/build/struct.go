package build

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/markers"
)

// Names of markers that decide more than one keyword.
const (
	markExactlyOneOf = "kubebuilder:validation:ExactlyOneOf"
	markAtMostOneOf  = "kubebuilder:validation:AtMostOneOf"
	markAtLeastOneOf = "kubebuilder:validation:AtLeastOneOf"
	markKBOptional   = "kubebuilder:validation:Optional"
	markKBRequired   = "kubebuilder:validation:Required"
	markSchemaless   = "kubebuilder:validation:Schemaless"
	markImmutable    = "k8s:immutable"
)

// A field is one name of a struct field, with its tag taken apart as controller-gen does.
type field struct {
	syntax *ast.Field
	goName string // "" for an embedded field
	name   string // the JSON name
	at     diag.Span
	inline bool
	omit   bool // omitempty or omitzero
	notes  load.FieldNotes
	marks  []markers.Marker
}

// structInto describes a struct's fields into n. t is the declared type, nil for an anonymous struct; marks are its
// markers.
func (b *builder) structInto(n *node, sc *scope, st *ast.StructType, t *typ, marks []markers.Marker) {
	n.properties = []property{}
	oneOf := b.oneOfMembers(marks)
	var immutable []*field
	for _, syntax := range st.Fields.List {
		for _, f := range b.fields(sc, syntax, t) {
			required := b.required(sc, f, oneOf)
			child := b.field(sc, f)
			if required && (!f.inline || b.opts.Compat) {
				n.s.Required = append(n.s.Required, schema.Text{V: f.name, At: f.at})
			}
			if f.inline {
				if b.checkInline(f, child, required) {
					n.parts = append(n.parts, child)
				}
				continue
			}
			if find(f.marks, markImmutable) != nil {
				immutable = append(immutable, f)
			}
			n.setProperty(f.name, child)
		}
	}
	slices.SortStableFunc(n.s.Required, func(a, b schema.Text) int { return strings.Compare(a.V, b.V) })
	for _, f := range immutable {
		isName := func(r schema.Text) bool { return r.V == f.name }
		if slices.ContainsFunc(n.s.Required, isName) {
			continue
		}
		// The field's own rule does not run when the field is removed.
		m := find(f.marks, markImmutable)
		n.s.Rules = append(n.s.Rules, schema.Rule{
			At:      m.At,
			Rule:    schema.Text{V: fmt.Sprintf("!has(oldSelf.%s) || has(self.%s)", f.name, f.name), At: m.At},
			Message: schema.Text{V: fmt.Sprintf("field %s is immutable once set", f.name), At: m.At},
		})
	}
}

// setProperty adds a property; of two with one name the later stays.
func (n *node) setProperty(name string, child *node) {
	for i := range n.properties {
		if n.properties[i].name == name {
			n.properties[i].node = child
			return
		}
	}
	n.properties = append(n.properties, property{name, child})
}

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
		f := &field{syntax: syntax, name: opts[0], notes: sc.decl.Notes(syntax)}
		f.at = sc.span(syntax.Type)
		if ident != nil {
			f.goName = ident.Name
			f.at = sc.span(ident)
		}
		if ident != nil && b.opts.IgnoreUnexportedFields && !ident.IsExported() {
			continue
		}
		if !tagged {
			b.refuse(b.untagged(f, t))
			continue
		}
		f.inline = opts[0] == "" || slices.Contains(opts[1:], "inline")
		f.omit = slices.Contains(opts[1:], "omitempty") || slices.Contains(opts[1:], "omitzero")
		f.marks = b.fieldMarkers(sc.decl, syntax)
		out = append(out, f)
	}
	return out
}

// oneOf is what the OneOf markers of a type say of its fields.
type oneOf map[string]diag.Span

// oneOfMembers collects the fields named by OneOf markers.
func (b *builder) oneOfMembers(marks []markers.Marker) oneOf {
	out := oneOf{}
	for i := range marks {
		switch marks[i].Def.Name {
		case markExactlyOneOf, markAtMostOneOf, markAtLeastOneOf:
			for _, item := range marks[i].Arg("").Items {
				if strings.Contains(item.Text, ".") {
					b.refuse(nestedOneOf(item))
				}
				out[item.Text] = item.At
			}
		}
	}
	return out
}

// required decides whether a field is listed as required. kubebuilder's own markers outrank the others, and saying
// optional outranks saying required; without a marker it is the tag that decides, or the package's default.
func (b *builder) required(sc *scope, f *field, oneOf oneOf) bool {
	var marker *markers.Marker
	required := false
	for _, rule := range []struct {
		name     string
		required bool
	}{
		{markKBOptional, false}, {markKBRequired, true},
		{"optional", false}, {"k8s:optional", false},
		{"required", true}, {"k8s:required", true},
	} {
		if m := find(f.marks, rule.name); m != nil {
			marker, required = m, rule.required
			break
		}
	}
	if marker == nil {
		required = !b.packageMarkers(sc.decl.Pkg).optional && !f.inline && !f.omit
	}
	if at, isMember := oneOf[f.name]; required && isMember {
		b.refuse(requiredOneOf(f, marker, at))
	}
	return required
}

// field describes one field.
func (b *builder) field(sc *scope, f *field) *node {
	part := f.name
	if f.inline {
		part = ""
	}
	n := b.within(part, f.at, func() *node {
		if find(f.marks, markSchemaless) != nil {
			return &node{}
		}
		return b.expr(sc, f.syntax.Type)
	})
	n.s.At = f.at
	n.s.Description = b.text(f.notes.Doc, f.at)
	b.stack = append(b.stack, step{part: part, at: f.at})
	b.apply(n, f.marks, target{decl: sc.decl, field: f})
	b.stack = b.stack[:len(b.stack)-1]
	return n
}
