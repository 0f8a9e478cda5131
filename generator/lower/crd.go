package lower

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gobuffalo/flect"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/internal/stage"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/schema"
)

// groupKind identifies a CRD.
type groupKind struct{ group, kind string }

func (gk groupKind) String() string {
	if gk.group == "" {
		return gk.kind
	}
	return gk.kind + "." + gk.group
}

// A framer makes CRDs of kinds and their versions.
type framer struct {
	reporter
	marks   reader
	history *history
	// isVersion has the declarations that became a version of a CRD.
	isVersion map[*load.TypeDecl]bool
	// none is set if no CRD was made; skipped are the markers that skip kinds.
	none    bool
	skipped []diag.Span
	// The stages for the CRD that is being made.
	flat flattener
	ap   applier
	d    describer
}

// newFramer returns a framer of the kinds of a program.
func newFramer(r reporter) *framer {
	return &framer{reporter: r, marks: newReader(r), history: newHistory(), isVersion: map[*load.TypeDecl]bool{}}
}

// begin forgets the CRD that was made last.
func (w *framer) begin() {
	w.flat = newFlattener(w.reporter)
	w.ap = newApplier(w.reporter, w.marks, w.flat)
	w.d = newDescriber(w.reporter, w.ap, w.history)
	w.unsound = diag.HasErrors(w.program.Diagnostics)
}

// crds builds the CRDs of all kinds of the root packages.
func (w *framer) crds(progress stage.Progress, yield func(*schema.CRD, bool) bool) {
	var kinds []groupKind
	var written bool
	var skipped []diag.Span
	decls := map[groupKind][]*load.TypeDecl{}
	for _, pkg := range w.program.Roots {
		p := w.marks.packageMarkers(pkg)
		if p.skip {
			if len(pkg.Kinds()) > 0 {
				skipped = append(skipped, p.skipAt)
			}
			continue
		}
		w.history.index(pkg)
		w.bases(pkg)
		for _, d := range pkg.Kinds() {
			if d.Spec.TypeParams != nil {
				w.mistake(diag.Errorf(d.At, kindGeneric,
					"kind %s has type parameters, but a CRD describes one type", d.Name).
					Help("declare a kind without type parameters, and use the generic type in its fields"))
				continue
			}
			if !p.hasGroup {
				w.mistake(diag.Errorf(d.At, groupMissing, "kind %s has no API group: its package has no +groupName "+
					"marker", d.Name).
					Help("add +groupName=example.com above the package clause, or add +kubebuilder:skip above the " +
						"package clause to leave the package out"))
			}
			gk := groupKind{p.group, d.Name}
			if decls[gk] == nil {
				kinds = append(kinds, gk)
			}
			decls[gk] = append(decls[gk], d)
		}
	}
	slices.SortFunc(kinds, func(a, b groupKind) int { return strings.Compare(a.String(), b.String()) })
	for i, gk := range kinds {
		progress.Report("building and validating CRDs", i, len(kinds))
		w.begin()
		crd := w.crd(gk)
		if crd == nil {
			skipped = append(skipped, w.skippedAt(decls[gk])...)
			continue
		}
		written = true
		if !slices.ContainsFunc(decls[gk], (*load.TypeDecl).EmbedsMetas) {
			w.deviate(kindsByMeaning, decls[gk][0].At)
		}
		if !yield(crd, !w.unsound) {
			return
		}
	}
	w.none, w.skipped = !written, skipped
}

// skippedAt are the markers that exclude versions of a kind.
func (w *framer) skippedAt(decls []*load.TypeDecl) (out []diag.Span) {
	for _, d := range decls {
		if m := find(w.marks.typeMarkers(d), markSkipVersion); m != nil {
			out = append(out, m.At)
		}
	}
	return out
}

// bases records the structs of a package that controller-gen treats as kinds, although they are only parts of kinds.
func (w *framer) bases(pkg *load.Package) {
	for _, base := range pkg.Bases() {
		if base.Doubtful {
			kind, part := base.Kind.Name, base.Decl.Name
			w.report(diag.Warningf(base.Decl.At, kindDoubtful,
				"%s gets no CRD: the kind %s embeds it, so it is treated as a part of that kind", part, kind).
				Help("put +kubebuilder:object:root=true on %s, or on %s if that is the kind", kind, part).
				See(base.Kind.At, "the kind"))
		}
		if base.Decl.EmbedsMetas() && base.Decl.Spec.TypeParams == nil {
			w.deviate(kindsByMeaning, base.Decl.At)
		}
	}
}

// A version is a version of a kind with the Go type that it is made of.
type version struct {
	schema.Version
	decl *load.TypeDecl
}

// crd builds one CRD, nil if all its versions are skipped.
func (w *framer) crd(gk groupKind) *schema.CRD {
	versions := w.versions(gk)
	crd := &schema.CRD{
		Group:    schema.Text{V: gk.group},
		Kind:     schema.Text{V: gk.kind},
		ListKind: schema.Text{V: gk.kind + "List"},
		Plural:   schema.Text{V: strings.ToLower(flect.Pluralize(gk.kind))},
		Singular: schema.Text{V: strings.ToLower(gk.kind)},
		Scope:    schema.Text{V: "Namespaced"},
	}
	if w.opts.PreserveUnknownFields != nil {
		crd.PreserveUnknownFields = &schema.Flag{V: *w.opts.PreserveUnknownFields}
	}
	if len(versions) > 0 {
		crd.Group.At = w.marks.packageMarkers(versions[0].decl.Pkg).groupAt
	}
	c := w.ap.crdMarkers(crd)
	for _, v := range versions {
		if c.apply(&v.Version, w.marks.typeMarkers(v.decl)) {
			crd.Versions = append(crd.Versions, v.Version)
			crd.HasConverters = crd.HasConverters || v.decl.Pkg.HasConverters()
		}
	}
	byKey := func(a, b schema.KeyValue) int { return strings.Compare(a.Key, b.Key) }
	slices.SortFunc(crd.Annotations, byKey)
	slices.SortFunc(crd.Labels, byKey)
	c.checkClaims()
	if len(crd.Versions) == 0 {
		return nil
	}
	w.checkVersions(crd)
	return crd
}

// versions returns the versions of a kind in the packages of its group that have been looked at, sorted by version.
func (w *framer) versions(gk groupKind) []version {
	var out []version
	same := map[string][]*load.TypeDecl{}
	for _, pkg := range slices.Clone(w.history.packages) {
		p := w.marks.packageMarkers(pkg)
		if p.skip || p.group != gk.group {
			continue
		}
		d := pkg.Version(gk.kind)
		if d == nil || pkg.Types.Scope().Lookup(gk.kind) == nil {
			if namesake := pkg.Lookup(gk.kind); namesake != nil && gk.group != "" && w.opts.With(versionsByMeaning) {
				w.deviate(versionsByMeaning, namesake.At)
			}
			continue
		}
		w.isVersion[d] = true
		same[p.version] = append(same[p.version], d)
		if len(same[p.version]) > 1 {
			continue
		}
		s := w.rootSchema(w.d.within(gk.kind, d.At).root(pkg, gk.kind))
		w.checkRoot(d, s)
		out = append(out, version{decl: d, Version: schema.Version{
			At: d.At, Name: schema.Text{V: p.version, At: p.versionAt}, Served: true, Schema: s,
			Package: &schema.Package{Path: pkg.Path, Name: pkg.Name, Dir: filepath.Dir(d.At.Source.Path),
				Named: pkg.Root},
		}})
	}
	for _, v := range out {
		if decls := same[v.Name.V]; len(decls) > 1 {
			for _, d := range decls {
				w.report(duplicateVersion(gk, v.Name.V, d, decls))
			}
		}
	}
	slices.SortStableFunc(out, func(a, b version) int { return strings.Compare(a.Name.V, b.Name.V) })
	return out
}

// checkRoot reports a kind without what makes it one in JSON.
func (w *framer) checkRoot(d *load.TypeDecl, root *schema.Schema) {
	if w.opts.Compat || diag.HasErrors(w.diagnostics) || diag.HasErrors(w.program.Diagnostics) {
		return
	}
	for _, key := range []string{"apiVersion", "kind", "metadata"} {
		if root.Property(key) != nil {
			continue
		}
		help := "embed metav1.TypeMeta with `json:\",inline\"`"
		if key == "metadata" {
			help = "embed metav1.ObjectMeta with `json:\"metadata,omitempty\"`"
		}
		w.mistake(diag.Errorf(d.At, kindIncomplete, "kind %s has no %s in JSON, so its objects cannot be stored and "+
			"read",
			d.Name, key).
			Help("%s", help))
		return
	}
}

// rootSchema is the schema of a kind. The API server handles metadata, whatever its Go type is; only the names that
// markers limit are described.
func (w *framer) rootSchema(t *typ) *schema.Schema {
	marks := w.marks.typeMarkers(t.decl)
	dropsStatus := find(marks, markStatus) != nil || find(marks, markSkipVersion) != nil
	before := len(w.diagnostics)
	root := *w.flat.flattenRoot(t.node, dropsStatus)
	w.restate(&root, before)
	root.Properties = slices.Clone(root.Properties)
	for i, p := range root.Properties {
		if p.Name == "metadata" {
			root.Properties[i].Schema = w.ap.rootMetadata(p.Schema.At, t, marks)
		}
	}
	return &root
}

// restate moves the diagnostics about a flattened schema from an index on, if they are about imported types, to the
// user's field that leads there.
func (w *framer) restate(root *schema.Schema, from int) {
	for i := from; i < len(w.diagnostics); i++ {
		d := &w.diagnostics[i]
		if !d.Span.IsValid() || w.program.Owns(d.Span) {
			continue
		}
		if p := schema.PlaceOf(root, d.Span); p != nil {
			own := p.Nearest(w.program.Owns)
			if own.IsValid() {
				d.SeeAlso = append(related(d.Span, d.Message), d.SeeAlso...)
				d.Span, d.Message, d.HelpText = own, "in "+p.Field()+": "+d.Message, describeInstead
			}
		}
	}
}

// crdMarkers applies the markers of all versions of a kind to its CRD.
type crdMarkers struct {
	ap  applier
	crd *schema.CRD
	// claims are what each version says about the properties that all versions share.
	claims []claim
	// skip is set if the current version is left out.
	skip bool
}

// crdMarkers returns what applies markers to a CRD.
func (ap applier) crdMarkers(crd *schema.CRD) *crdMarkers { return &crdMarkers{ap: ap, crd: crd} }

// apply applies the markers of one version. It returns false if they leave the version out.
func (c *crdMarkers) apply(v *schema.Version, marks []markers.Marker) bool {
	c.skip = false
	for i := range marks {
		if frame := c.ap.meaning(&marks[i]).frame; frame != nil {
			frame(c, v, &marks[i])
		}
	}
	return !c.skip
}

func (c *crdMarkers) addColumn(v *schema.Version, m *markers.Marker) {
	subresources(v)
	c.ap.expect(m.Arg("type"), "string", "integer", "number", "boolean", "date")
	column := schema.Column{
		At:          m.At,
		Name:        textOf(m.Arg("name")),
		Type:        textOf(m.Arg("type")),
		JSONPath:    textOf(m.Arg("JSONPath")),
		Description: textOf(m.Arg("description")),
		Format:      textOf(m.Arg("format")),
	}
	if p := m.Arg("priority"); p != nil {
		priority, _ := p.Int64()
		column.Priority = int32(priority)
	}
	v.Columns = append(v.Columns, column)
}

func (c *crdMarkers) deprecate(v *schema.Version, m *markers.Marker) {
	if v.Name.V != "" { // without a group there is no version to deprecate
		v.Deprecated = true
		v.DeprecationWarning = argTextPointer(m, "warning")
	}
}

func (c *crdMarkers) skipVersion(v *schema.Version, m *markers.Marker) {
	if v.Name.V == "" {
		c.ap.report(diag.Errorf(m.At, groupMissing, "a package without +groupName has no version to skip").
			Help("add +kubebuilder:skip above the package clause to leave the package out"))
	}
	c.skip = true
}

func (c *crdMarkers) setMetadata(v *schema.Version, m *markers.Marker) {
	c.addMetadata(&c.crd.Annotations, m, "annotations", v.Name.V)
	c.addMetadata(&c.crd.Labels, m, "labels", v.Name.V)
}

// subresources returns the version's subresources. A print column needs them too, as in controller-gen: the CRD then
// says `subresources: {}`.
func subresources(v *schema.Version) *schema.Subresources {
	if v.Subresources == nil {
		v.Subresources = &schema.Subresources{}
	}
	return v.Subresources
}

func argTextPointer(m *markers.Marker, name string) *schema.Text {
	if m.Arg(name) == nil {
		return nil
	}
	text := textOf(m.Arg(name))
	return &text
}

func argTexts(m *markers.Marker, name string) []schema.Text {
	var out []schema.Text
	if v := m.Arg(name); v != nil {
		for i := range v.Items {
			out = append(out, textOf(&v.Items[i]))
		}
	}
	return out
}

// setResource sets names and scope. A marker without a plural or singular leaves them to the markers of other versions.
// Every marker sets the scope and the lists of names, so that the last one of several versions counts.
func (c *crdMarkers) setResource(v *schema.Version, m *markers.Marker) {
	name := func(arg string, dst *schema.Text) {
		if t := textOf(m.Arg(arg)); t.V != "" {
			*dst = t
			c.claim(v, arg, strconv.Quote(t.V), t.At)
		}
	}
	name("path", &c.crd.Plural)
	name("singular", &c.crd.Singular)
	c.ap.expect(m.Arg("scope"), "Namespaced", "Cluster", "")
	c.crd.Scope = schema.Text{V: "Namespaced", At: m.At}
	if t := textOf(m.Arg("scope")); t.V != "" {
		c.crd.Scope = t
	}
	c.claim(v, "scope", c.crd.Scope.V, c.crd.Scope.At)
	names := func(arg string, dst *[]schema.Text) {
		*dst = argTexts(m, arg)
		if len(*dst) > 0 {
			shown := slices.Compact(slices.Sorted(slices.Values(textsOf(*dst)))) // their order means nothing
			c.claim(v, arg, strings.Join(shown, ";"), m.Arg(arg).At)
		} else {
			c.claim(v, arg, "none", m.At)
		}
	}
	names("shortName", &c.crd.ShortNames)
	names("categories", &c.crd.Categories)
}

// addMetadata adds annotations or labels written as key=value; of two with one key the last counts.
func (c *crdMarkers) addMetadata(list *[]schema.KeyValue, m *markers.Marker, arg, version string) {
	for _, item := range argTexts(m, arg) {
		key, value, ok := strings.Cut(item.V, "=")
		if !ok {
			c.ap.report(diag.Errorf(item.At, markers.BadValue, "expected key=value in %s, got %q", arg, item.V).
				Help("write a key and a value, such as team=web"))
			continue
		}
		kv := schema.KeyValue{Key: key, Value: value, At: item.At}
		of := strings.TrimSuffix(arg, "s") + " " + key
		c.claims = append(c.claims, claim{metadata: true, of: of, version: version, shown: strconv.Quote(value),
			at: item.At})
		if i := slices.IndexFunc(*list, func(o schema.KeyValue) bool { return o.Key == key }); i >= 0 {
			(*list)[i] = kv
			continue
		}
		*list = append(*list, kv)
	}
}

// checkVersions makes sure that one version is stored and some are served.
func (w *framer) checkVersions(crd *schema.CRD) {
	if len(crd.Versions) == 1 {
		crd.Versions[0].Storage = true
	}
	crd.At = crd.Versions[0].At
	var stored *schema.Version
	served := false
	for i := range crd.Versions {
		v := &crd.Versions[i]
		served = served || v.Served
		switch {
		case !v.Storage:
		case stored != nil:
			w.mistake(diag.Errorf(v.At, versionStorage, "versions %s and %s of %s are both marked as the storage "+
				"version",
				stored.Name.V,
				v.Name.V, crd.Kind.V).
				Help("keep +kubebuilder:storageversion on one of them").See(stored.At, "the other version"))
		default:
			stored, crd.At = v, v.At
		}
	}
	if stored == nil {
		w.report(diag.Errorf(crd.At, versionStorage, "kind %s has several versions, but no storage version",
			crd.Kind.V).
			Help("add +kubebuilder:storageversion to the version that API servers store"))
	}
	if !served {
		w.report(diag.Errorf(crd.At, versionServed, "no version of kind %s is served", crd.Kind.V).
			Help("remove +kubebuilder:unservedversion from one version"))
	}
}

// related is a second place of a diagnostic.
func related(at diag.Span, message string) []diag.Related {
	if !at.IsValid() {
		return nil
	}
	return []diag.Related{{Span: at, Message: message}}
}

// duplicateVersion reports one of several declarations of the same version.
func duplicateVersion(gk groupKind, version string, d *load.TypeDecl, all []*load.TypeDecl) diag.Diagnostic {
	out := diag.Errorf(d.At, versionDuplicate, "version %s of kind %s is declared twice", version, gk).
		Help("set +versionName or +groupName in one of the packages, or skip it with +kubebuilder:skip")
	if gk.group == "" {
		out = diag.Errorf(d.At, versionDuplicate, "kind %s without a group is declared twice", gk).
			Help("set +groupName in the packages, or leave one out with +kubebuilder:skip")
	}
	for _, other := range all {
		if other != d {
			out = out.See(other.At, "also declared here")
		}
	}
	return out
}

// maxCompared is with how many claims about the same property each claim is compared: the first ones.
const maxCompared = 100

// A claim is what a marker of one version says about a property that all versions share.
type claim struct {
	// metadata is set for kubebuilder:metadata; all other claims come from kubebuilder:resource.
	metadata bool
	of       string // the property, such as "scope"
	version  string
	shown    string // the value in messages, in one form for equal values
	at       diag.Span
}

// claim records what a version says about a property that all versions share, in place of what it said before.
func (c *crdMarkers) claim(v *schema.Version, of, shown string, at diag.Span) {
	said := claim{of: of, version: v.Name.V, shown: shown, at: at}
	before := func(o claim) bool { return !o.metadata && o.of == of && o.version == said.version }
	if i := slices.IndexFunc(c.claims, before); i >= 0 {
		c.claims[i] = said
	} else {
		c.claims = append(c.claims, said)
	}
}

// checkClaims reports at each version what the versions of a kind disagree on.
func (c *crdMarkers) checkClaims() {
	type property struct {
		metadata bool
		of       string
	}
	byProperty := map[property][]claim{}
	for _, said := range c.claims {
		if of := (property{said.metadata, said.of}); len(byProperty[of]) < maxCompared {
			byProperty[of] = append(byProperty[of], said)
		}
	}
	for _, said := range c.claims {
		var others []claim
		for _, o := range byProperty[property{said.metadata, said.of}] {
			if o.shown != said.shown {
				others = append(others, o)
			}
		}
		if len(others) == 0 {
			continue
		}
		row, help := resourceDisagrees, "use the same resource marker in all versions, or in only one"
		if said.metadata {
			row, help = metadataDisagrees, "keep one of the values"
		}
		message := fmt.Sprintf("%s of %s is %s in %s, but %s in %s: a CRD has one for all versions", said.of, c.crd.Kind.V,
			said.shown, said.version, others[0].shown, others[0].version)
		if said.version == others[0].version {
			message = fmt.Sprintf("%s of %s is both %s and %s", said.of, c.crd.Kind.V, said.shown, others[0].shown)
		}
		d := diag.Errorf(said.at, row, "%s", message).Help("%s", help)
		for _, o := range others {
			d = d.See(o.at, "%s in %s", o.shown, o.version)
		}
		c.ap.mistake(d)
	}
}
