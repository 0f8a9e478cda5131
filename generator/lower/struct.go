package lower

import (
	"cmp"
	"fmt"
	"go/ast"
	"slices"
	"strings"

	kubecel "k8s.io/apiserver/pkg/cel"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/gojson"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/schema"
)

// Names of markers that other files refer to.
const (
	markExactlyOneOf = "kubebuilder:validation:ExactlyOneOf"
	markAtMostOneOf  = "kubebuilder:validation:AtMostOneOf"
	markAtLeastOneOf = "kubebuilder:validation:AtLeastOneOf"
	markKBOptional   = "kubebuilder:validation:Optional"
	markKBRequired   = "kubebuilder:validation:Required"
	markSchemaless   = "kubebuilder:validation:Schemaless"
	markImmutable    = "k8s:immutable"
	markType         = "kubebuilder:validation:Type"
	markPreserve     = "kubebuilder:pruning:PreserveUnknownFields"
	markObjectMeta   = "crdproof:embeddedObjectMeta"
	markIgnore       = "crdproof:ignore"
	markFormat       = "k8s:format"
	markRule         = "crdproof:rule"
	markXPreserve    = "kubebuilder:validation:XPreserveUnknownFields"
)

// structInto describes a struct's fields into n. t is the declared type, nil for an anonymous struct; marks are its
// markers.
func (d describer) structInto(n *node, sc *scope, st *ast.StructType, t *typ, marks []markers.Marker) {
	n.properties = []property{}
	index := map[string]int{}
	oneOf := d.oneOfMembers(marks)
	var immutable []*field
	var required []string
	var fields structFields
	enforces := d.enforces(sc.decl.Pkg)
	for _, syntax := range st.Fields.List {
		for _, f := range d.fields(sc, syntax, t) {
			isRequired := d.required(sc, f, oneOf)
			child := d.field(sc, f)
			if isRequired {
				required = append(required, f.name)
			}
			if f.inline {
				d.applier().checkEmbeddedTags(f)
				d.embed(n, f, child, isRequired)
				continue
			}
			if !enforces && find(f.marks, markImmutable) != nil {
				immutable = append(immutable, f)
			}
			fields = append(fields, d.setProperty(n, index, f, child, isRequired))
		}
	}
	slices.SortStableFunc(n.s.Required, func(a, b schema.Text) int { return strings.Compare(a.V, b.V) })
	for _, f := range immutable {
		if slices.Contains(required, f.name) {
			continue
		}
		// The field's own rule does not run if the field is removed.
		m := find(f.marks, markImmutable)
		n.s.Rules = append(n.s.Rules, schema.Rule{
			At:      m.At,
			Rule:    schema.Text{V: fmt.Sprintf("!has(oldSelf.%s) || has(self.%s)", f.name, f.name), At: m.At},
			Message: schema.Text{V: fmt.Sprintf("field %s is immutable once set", f.name), At: m.At},
			Of:      f.at,
		})
	}
	if enforces {
		d.applier().relate(n, fields, marks)
	}
}

// embed makes an embedded struct a part of the one around it.
func (d describer) embed(n *node, f *field, child *node, required bool) {
	if required && !d.opts.With(goFields) {
		n.s.Required = append(n.s.Required, schema.Text{V: f.name, At: f.at})
	}
	if !d.checkInline(f, child, required) {
		return
	}
	if d.opts.With(goFields) {
		_, isPointer := ast.Unparen(f.syntax.Type).(*ast.StarExpr)
		child.embedding = embedding{depth: 1, optional: isPointer, at: f.at}
	}
	n.parts = append(n.parts, child)
}

// setProperty adds a property, and returns it. To controller-gen the later of two with the same name counts. index is
// that of the properties of n, as for addProperty.
func (d describer) setProperty(n *node, index map[string]int, f *field, child *node, required bool) property {
	p := property{name: f.name, node: child, tagged: f.named, field: f}
	if required {
		p.required = schema.Text{V: f.name, At: f.at}
	}
	if d.opts.With(goFields) {
		d.flattener().addProperty(n, index, p)
		return p
	}
	if required {
		n.s.Required = append(n.s.Required, p.required)
	}
	if i, ok := index[p.name]; ok {
		n.properties[i] = p
	} else {
		index[p.name] = len(n.properties)
		n.properties = append(n.properties, p)
	}
	return p
}

// indexProperty returns the index of the property with a name, -1 if there is no such property.
func (n *node) indexProperty(name string) int {
	return slices.IndexFunc(n.properties, func(p property) bool { return p.name == name })
}

// addProperty adds a field of a struct, or of one that is embedded in it. The shallowest of several fields with the
// same name counts; of those, the one that is named by its tag; otherwise no field counts. controller-gen merges them.
// index has the index of each property of n by its name, so that many fields take time in proportion to their number.
func (fl flattener) addProperty(n *node, index map[string]int, p property) {
	i, ok := index[p.name]
	if !ok {
		index[p.name] = len(n.properties)
		n.properties = append(n.properties, p)
		return
	}
	old := &n.properties[i]
	switch {
	case p.narrows:
		*old = fl.narrow(*old, p)
	case old.narrows:
		*old = fl.narrow(p, *old)
	case !fl.opts.With(goFields):
		old.node = fl.combined(old.node, p.node)
		old.required = cmp.Or(old.required, p.required)
	case p.depth != old.depth || p.tagged != old.tagged:
		if p.depth < old.depth || p.depth == old.depth && p.tagged {
			*old = p
		}
		fl.deviate(goFields, p.node.s.At)
	default:
		if !old.hidden {
			first, later := *old, p
			if first.node.s.At == later.node.s.At {
				first, later = later, first
			}
			fl.warn(diag.Errorf(later.node.s.At, fieldHidden,
				"two fields have the key %q: Go ignores both, and the schema has no such property", later.name).
				Help("rename one of them in its json tag, or omit it with `json:\"-\"`").
				See(first.node.s.At, "the other one"))
			fl.deviate(goFields, p.node.s.At)
		}
		old.hidden = true
	}
}

// oneOfMembers collects the fields named by OneOf markers, and where.
func (d describer) oneOfMembers(marks []markers.Marker) map[string]diag.Span {
	out := map[string]diag.Span{}
	for i := range marks {
		if !d.ap.isOneOf(&marks[i]) {
			continue
		}
		for _, item := range marks[i].Arg("").Items {
			if strings.Contains(item.Text, ".") {
				d.report(diag.Errorf(item.At, oneOfNested, "%q is not a field of the type itself", item.Text).
					Help("put the marker on the type that has the field, or write a rule with XValidation"))
			}
			out[d.member(item.Text)] = item.At
		}
	}
	return out
}

// member is the field that a name in a OneOf marker means. controller-gen writes the name into CEL verbatim, so the
// name may be in CEL's form, where some fields are escaped (k8s.io/apiserver/pkg/cel, Escape).
func (r reporter) member(name string) string {
	if raw, ok := kubecel.Unescape(name); ok && !r.opts.Compat {
		return raw
	}
	return name
}

// required decides whether a field is listed as required. kubebuilder's own markers take precedence over the others,
// and optional over required; without a marker the tag decides, or the package's default.
func (d describer) required(sc *scope, f *field, oneOf map[string]diag.Span) bool {
	var marker *markers.Marker
	required := false
	for _, name := range []string{
		markKBOptional, markKBRequired, "optional", "k8s:optional", "required", "k8s:required",
	} {
		if m := find(f.marks, name); m != nil {
			marker, required = m, m.Def.Presence == markers.MustBe
			break
		}
	}
	byTag := !d.reader().packageMarkers(sc.decl.Pkg).optional && !f.inline && !f.omits()
	if !f.hasTag && !sc.decl.Pkg.Own {
		byTag = false // the struct was not written for JSON
	}
	switch {
	case marker == nil && find(f.marks, markK8sForbidden) != nil:
	case marker == nil:
		required = byTag
	case required != byTag && d.opts.Deviations && !strings.HasPrefix(marker.At.Text(), "+"+marker.Def.Name):
		d.deviate(declarativeTags, marker.At)
	}
	if at, isMember := oneOf[f.name]; required && isMember {
		where, help := f.at, "add omitempty to the tag, or add +optional to the field"
		if marker != nil {
			where, help = marker.At, "remove the marker"
		}
		d.report(diag.Errorf(where, oneOfRequired, "field %q is in a OneOf group, but it is required", f.name).
			Help("%s", help).See(at, "the group"))
	}
	return required
}

// schemaless describes a field whose schema does not depend on its type.
func (d describer) schemaless(sc *scope, f *field) *node {
	n := &node{}
	if d.opts.Compat {
		return n
	}
	t := goType(sc, f.syntax.Type)
	if isInvalid(t) {
		n.sort = unreadSort
		return n
	}
	n.sort = sortOf(t)
	row := findKnown(gojson.NameOf(t))
	if row != nil {
		n.known = row.known()
	}
	switch {
	case n.sort == pointerSort || n.sort == interfaceSort:
		n.zero = null()
		n.innerNull = t != gojson.Deref(t) && slices.Contains([]emptiness{pointerSort, interfaceSort, sliceSort},
			sortOf(gojson.Deref(t)))
	case row != nil:
		n.zero = zeroText(row.zero)
	case n.sort == sliceSort && gojson.MethodsOf(t).Marshal() == nil:
		n.zero = null()
	}
	return n
}

// holdsMeta reports whether something in a node is an ObjectMeta.
func holdsMeta(n *node, seen map[*node]bool) bool {
	if n == nil || seen[n] {
		return false
	}
	seen[n] = true
	holds := func(child *node) bool { return holdsMeta(child, seen) }
	return n.ref != nil && !n.cut && (n.ref.objectMeta || holds(n.ref.node)) || holds(n.items) || holds(n.additional) ||
		slices.ContainsFunc(n.held(), holds)
}

// field describes one field.
func (d describer) field(sc *scope, f *field) *node {
	part := f.name
	if f.inline {
		part = ""
	}
	d.opaque = d.opaque || isOpaque(f.marks)
	d.preserves = find(f.marks, markPreserve) != nil || find(f.marks, markXPreserve) != nil
	ofMeta := find(f.marks, markObjectMeta)
	if ofMeta != nil {
		d.meta = metaOf(ofMeta.Arg("") == nil || ofMeta.Arg("").Text == "true", true)
	}
	var n *node
	switch in := d.within(part, f.at); {
	case find(f.marks, markSchemaless) != nil:
		n = in.schemaless(sc, f)
	case f.quoted && d.opts.With(stringOption):
		n = in.quoted(sc, f)
	default:
		n = in.expr(sc, f.syntax.Type)
	}
	if ofMeta != nil && !holdsMeta(n, map[*node]bool{}) {
		d.mistake(diag.Errorf(ofMeta.At, markers.WrongTarget,
			"%s has no effect here: the field contains no ObjectMeta", ofMeta.Def.Name).
			Help("remove the marker, or move it to the field with the ObjectMeta"))
	}
	n.s.At = f.at
	n.s.Description = docText(f.doc, f.at)
	d.within(part, f.at).applier().apply(n, f.marks, target{decl: sc.decl, field: f})
	if name := n.noNull(); name != "" && n.s.Nullable != nil {
		d.mistake(diag.Errorf(n.s.Nullable.At, typeOneWay, "%s cannot decode null, but the field is nullable", name).
			Help("use a pointer"))
	}
	return n
}
