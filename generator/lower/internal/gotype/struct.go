package gotype

import (
	"cmp"
	"fmt"
	"go/ast"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/generator/lower/internal/apply"
	"github.com/crdproof/crdproof/generator/lower/internal/checks"
	"github.com/crdproof/crdproof/generator/lower/internal/node"
	"github.com/crdproof/crdproof/generator/lower/internal/options"
	"github.com/crdproof/crdproof/generator/lower/internal/read"
	"github.com/crdproof/crdproof/generator/lower/internal/report"
	"github.com/crdproof/crdproof/internal/gojson"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/schema"
)

// checkInline reports fields that cannot be part of the struct around them: those that are not objects, and those that
// a marker makes required. It returns false for the former.
func (d Describer) checkInline(f *node.Field, child *node.Node, required bool) bool {
	if t := child.JSONType(); t != "" && t != "object" {
		d.Report(d.Reached(diag.Errorf(f.At, checks.FieldInline,
			"a field without a name in its json tag must be a struct; this one is %s", report.TypePhrase(t)).
			Help("write `json:%q`", jsonName(f)+",omitempty")))
		return false
	}
	if required {
		at, help := f.At, "make the fields of the embedded struct required instead"
		for _, name := range []string{read.MarkKBRequired, "required", "k8s:required"} {
			if m := read.Find(f.Marks, name); m != nil {
				at, help = m.At, "remove the marker, or make the fields of the embedded struct required"
			}
		}
		d.Mistake(diag.Errorf(at, markers.WrongTarget,
			"an embedded struct cannot be required: its fields are part of the struct around it").
			Help("%s", help))
	}
	return true
}

// checkOneOf reports OneOf markers on types without fields, and members that are not fields of the type.
func (d Describer) checkOneOf(t *node.Type, marks []markers.Marker) {
	var names []string
	var complete bool
	known := map[string]bool{}
	for i := range marks {
		if !d.ap.IsOneOf(&marks[i]) {
			continue
		}
		if t.Node.JSONType() != "object" {
			d.Mistake(d.applier().WrongType("object", t.Node, &marks[i], node.Target{Decl: t.Decl}))
			continue
		}
		if len(names) == 0 {
			names, complete = t.Node.FieldNames()
			for _, name := range names {
				known[name] = true
			}
		}
		for _, item := range marks[i].Arg("").Items {
			switch name := d.MeantField(item.Text); {
			case strings.Contains(item.Text, "."):
			case complete && !known[name]:
				unknown := diag.Errorf(item.At, checks.OneOfUnknown, "%s has no field %q", t.Name, item.Text).
					Help("use the JSON names of fields")
				if 0 < len(names) && len(names) <= maxShownFields {
					unknown = unknown.Note("its fields are %s", strings.Join(names, ", "))
				}
				if near := diag.Near(item.Text, names); near != "" {
					unknown = unknown.Meant(near)
				}
				d.Mistake(unknown)
			}
		}
	}
}

// maxShownFields is how many fields of a type are listed in a message.
const maxShownFields = 200

// structInto describes a struct's fields into n. t is the declared type, nil for an anonymous struct; marks are its
// markers.
func (d Describer) structInto(n *node.Node, sc *scope, st *ast.StructType, t *node.Type, marks []markers.Marker) {
	n.Properties = []node.Property{}
	oneOf := d.oneOfMembers(marks)
	var immutable []*node.Field
	var required []string
	var fields apply.StructFields
	enforces := d.Enforces(sc.decl.Pkg)
	for _, syntax := range st.Fields.List {
		var declared []*node.Field
		doubt := d.Apart(func() { declared = d.fields(sc, syntax, t) })
		for _, f := range declared {
			var isRequired bool
			var child *node.Node
			doubt := d.Apart(func() {
				d.Doubt(doubt)
				isRequired = d.required(sc, f, oneOf)
				child = d.field(sc, f)
			})
			child.Own.Incomplete |= doubt
			if isRequired {
				required = append(required, f.Name)
			}
			if f.Inline {
				d.applier().CheckEmbeddedTags(f)
				d.embed(n, f, child, isRequired)
				continue
			}
			if !enforces && read.Find(f.Marks, read.MarkImmutable) != nil {
				immutable = append(immutable, f)
			}
			fields = append(fields, d.setProperty(n, f, child, isRequired))
		}
	}
	slices.SortStableFunc(n.Own.Required, func(a, b schema.Text) int { return strings.Compare(a.V, b.V) })
	for _, f := range immutable {
		if slices.Contains(required, f.Name) {
			continue
		}
		// The field's own rule does not run if the field is removed.
		m := read.Find(f.Marks, read.MarkImmutable)
		n.Own.Rules = append(n.Own.Rules, schema.Rule{
			At:      m.At,
			Rule:    schema.Text{V: fmt.Sprintf("!has(oldSelf.%s) || has(self.%s)", f.Name, f.Name), At: m.At},
			Message: schema.Text{V: fmt.Sprintf("field %s is immutable once set", f.Name), At: m.At},
			Of:      f.At,
		})
	}
	if enforces {
		if doubt := d.Apart(func() { d.applier().Relate(n, fields, marks) }); doubt != 0 {
			d.Doubt(doubt)
			for _, p := range n.Properties { // whose presence the tags are about
				p.Node.Own.Incomplete |= schema.DoubtPresence
			}
		}
	}
}

// embed makes an embedded struct a part of the one around it.
func (d Describer) embed(n *node.Node, f *node.Field, child *node.Node, required bool) {
	if required && !d.Opts.With(options.GoFields) {
		n.Own.Required = append(n.Own.Required, schema.Text{V: f.Name, At: f.At})
	}
	d.Doubt(child.Own.Incomplete) // its fields may be missing here
	if !d.checkInline(f, child, required) {
		return
	}
	if d.Opts.With(options.GoFields) {
		_, isPointer := ast.Unparen(f.Syntax.Type).(*ast.StarExpr)
		child.Embedding = node.Embedding{Depth: 1, Optional: isPointer, At: f.At}
	}
	n.Parts = append(n.Parts, child)
}

// setProperty adds a property, and returns it. To controller-gen the later of two with the same name counts.
func (d Describer) setProperty(n *node.Node, f *node.Field, child *node.Node, required bool) node.Property {
	p := node.Property{Name: f.Name, Node: child, Tagged: f.Named, Field: f}
	if required {
		p.Required = schema.Text{V: f.Name, At: f.At}
	}
	if d.Opts.With(options.GoFields) {
		d.flattener().AddProperty(n, p)
		return p
	}
	if required {
		n.Own.Required = append(n.Own.Required, p.Required)
	}
	if i := n.IndexProperty(p.Name); i >= 0 {
		n.Properties[i] = p
	} else {
		n.Properties = append(n.Properties, p)
	}
	return p
}

// oneOfMembers collects the fields named by OneOf markers, and where.
func (d Describer) oneOfMembers(marks []markers.Marker) map[string]diag.Span {
	out := map[string]diag.Span{}
	for i := range marks {
		if !d.ap.IsOneOf(&marks[i]) {
			continue
		}
		for _, item := range marks[i].Arg("").Items {
			if strings.Contains(item.Text, ".") {
				d.Report(diag.Errorf(item.At, checks.OneOfNested, "%q is not a field of the type itself", item.Text).
					Help("put the marker on the type that has the field, or write a rule with XValidation"))
			}
			out[d.MeantField(item.Text)] = item.At
		}
	}
	return out
}

// required decides whether a field is listed as required. kubebuilder's own markers take precedence over the others,
// and optional over required; without a marker the tag decides, or the package's default.
func (d Describer) required(sc *scope, f *node.Field, oneOf map[string]diag.Span) bool {
	var marker *markers.Marker
	required := false
	for _, name := range []string{
		read.MarkKBOptional, read.MarkKBRequired, "optional", "k8s:optional", "required", "k8s:required",
	} {
		if m := read.Find(f.Marks, name); m != nil {
			marker, required = m, m.Def.Presence == markers.MustBe
			break
		}
	}
	byTag := !d.reader().PackageMarkers(sc.decl.Pkg).Optional && !f.Inline && !f.Omits()
	if !f.HasTag && !sc.decl.Pkg.Own {
		byTag = false // the struct was not written for JSON
	}
	switch {
	case marker == nil && read.Find(f.Marks, read.MarkK8sForbidden) != nil:
	case marker == nil:
		required = byTag
	case required != byTag && d.Opts.Deviations && !strings.HasPrefix(marker.At.Text(), "+"+marker.Def.Name):
		d.Deviate(options.DeclarativeTags, marker.At)
	}
	if required && d.contradictsOptional(sc, f, marker) {
		required = false
	}
	if at, isMember := oneOf[f.Name]; required && isMember {
		where, help := f.At, "add omitempty to the tag, or add +optional to the field"
		if marker != nil {
			where, help = marker.At, "remove the marker"
		}
		d.Report(diag.Errorf(where, checks.OneOfRequired, "field %q is in a OneOf group, but it is required", f.Name).
			Help("%s", help).See(at, "the group"))
	}
	return required
}

// contradictsOptional reports a field of an imported type that is marked as optional, too, and that Go omits: then it
// is optional, as the API conventions have it. In the user's own types it is a mistake.
func (d Describer) contradictsOptional(sc *scope, f *node.Field, required *markers.Marker) bool {
	if sc.decl.Pkg.Own || required == nil || !f.Omits() {
		return false
	}
	optional := cmp.Or(read.Find(f.Marks, "optional"), read.Find(f.Marks, read.MarkK8sOptional))
	if optional == nil {
		return false
	}
	isOptional := d.Opts.With(options.OptionalImports)
	if isOptional {
		d.Deviate(options.OptionalImports, required.At)
	}
	if !d.Opts.Compat {
		result := "the CRD requires it, and rejects what Kubernetes writes"
		if isOptional {
			result = "the CRD does not require it, as Kubernetes omits it"
		}
		d.Report(diag.Diagnostic{Span: required.At, Check: checks.ImportPresence.ID, Severity: diag.Warning,
			Message: fmt.Sprintf("field %q is marked as optional and as required: %s", f.Name, result)}.
			Help("add +crdproof:ignore:check=import-presence,reason=%q to the field", "Kubernetes omits it").
			See(optional.At, "marked as optional here"))
	}
	return isOptional
}

// schemaless describes a field whose schema does not depend on its type.
func (d Describer) schemaless(sc *scope, f *node.Field) *node.Node {
	n := &node.Node{}
	if d.Opts.Compat {
		return n
	}
	t := goType(sc, f.Syntax.Type)
	if isInvalid(t) {
		d.Doubt(schema.DoubtContent)
		n.Sort = node.UnreadSort
		return n
	}
	n.Sort = sortOf(t)
	row := findKnown(gojson.NameOf(t))
	if row != nil {
		n.Known = row.known()
	}
	switch {
	case n.Sort == node.PointerSort || n.Sort == node.InterfaceSort:
		n.Zero = null()
		n.InnerNull = t != gojson.Deref(t) && slices.Contains([]node.Sort{node.PointerSort, node.InterfaceSort,
			node.SliceSort},
			sortOf(gojson.Deref(t)))
	case row != nil:
		n.Zero = zeroText(row.zero)
	case n.Sort == node.SliceSort && gojson.MethodsOf(t).Marshal() == nil:
		n.Zero = null()
	}
	return n
}

// holdsMeta reports whether something in a node is an ObjectMeta.
func holdsMeta(n *node.Node, seen map[*node.Node]bool) bool {
	if n == nil || seen[n] {
		return false
	}
	seen[n] = true
	holds := func(child *node.Node) bool { return holdsMeta(child, seen) }
	return n.Ref != nil && !n.Cut && (n.Ref.ObjectMeta || holds(n.Ref.Node)) || holds(n.Items) ||
		holds(n.Additional) ||
		slices.ContainsFunc(n.Held(), holds)
}

// isOneof reports whether a field is a oneof of a generated protobuf message, which encoding/json cannot decode.
func isOneof(f *node.Field) bool {
	_, ok := load.Tag(f.Syntax).Lookup("protobuf_oneof")
	return ok
}

// field describes one field.
func (d Describer) field(sc *scope, f *node.Field) *node.Node {
	part := f.Name
	if f.Inline {
		part = ""
	}
	d.Opaque = d.Opaque || read.IsOpaque(f.Marks)
	d.preserves = read.Find(f.Marks, read.MarkPreserve) != nil || read.Find(f.Marks, read.MarkXPreserve) != nil
	ofMeta := read.Find(f.Marks, read.MarkObjectMeta)
	if ofMeta != nil {
		d.meta = metaOf(ofMeta.Arg("") == nil || ofMeta.Arg("").Text == "true", true)
	}
	var n *node.Node
	switch in := d.Within(part, f.At); {
	case read.Find(f.Marks, read.MarkSchemaless) != nil:
		n = in.schemaless(sc, f)
	case f.Quoted && d.Opts.With(options.StringOption):
		n = in.quoted(sc, f)
	case isOneof(f) && !d.Opts.Compat:
		n = in.rejectType(sc.span(f.Syntax.Type), "the protobuf oneof "+f.GoName,
			"add +kubebuilder:validation:Schemaless and +kubebuilder:pruning:PreserveUnknownFields to the fields of "+
				"type "+sc.decl.Name+": they then accept any JSON")
	default:
		n = in.expr(sc, f.Syntax.Type)
	}
	if ofMeta != nil && !holdsMeta(n, map[*node.Node]bool{}) {
		d.Mistake(diag.Errorf(ofMeta.At, markers.WrongTarget,
			"%s has no effect here: the field contains no ObjectMeta", ofMeta.Def.Name).
			Help("remove the marker, or move it to the field with the ObjectMeta"))
	}
	n.Own.At = f.At
	n.Own.Description = d.docText(f.Doc, f.At)
	d.Within(part, f.At).applier().Apply(n, f.Marks, node.Target{Decl: sc.decl, Field: f})
	if name := n.NoNull(); name != "" && n.Own.Nullable != nil {
		d.Mistake(diag.Errorf(n.Own.Nullable.At, checks.TypeOneWay, "%s cannot decode null, but the field is nullable",
			name).
			Help("use a pointer"))
	}
	return n
}
