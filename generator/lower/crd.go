package lower

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/gobuffalo/flect"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/generator/lower/internal/apply"
	"github.com/crdproof/crdproof/generator/lower/internal/checks"
	"github.com/crdproof/crdproof/generator/lower/internal/flatten"
	"github.com/crdproof/crdproof/generator/lower/internal/gotype"
	"github.com/crdproof/crdproof/generator/lower/internal/node"
	"github.com/crdproof/crdproof/generator/lower/internal/options"
	"github.com/crdproof/crdproof/generator/lower/internal/read"
	"github.com/crdproof/crdproof/generator/lower/internal/report"
	"github.com/crdproof/crdproof/internal/stage"
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
	report.Reporter
	marks   read.Reader
	history *gotype.History
	// isVersion has the declarations that became a version of a CRD.
	isVersion map[*load.TypeDecl]bool
	// none is set if no CRD was made; skipped are the markers that skip kinds.
	none    bool
	skipped []diag.Span
	// The stages for the CRD that is being made.
	flat flatten.Flattener
	ap   apply.Applier
	d    gotype.Describer
}

// newFramer returns a framer of the kinds of a program.
func newFramer(r report.Reporter) *framer {
	return &framer{Reporter: r, marks: read.New(r), history: gotype.NewHistory(), isVersion: map[*load.TypeDecl]bool{}}
}

// begin forgets the CRD that was made last.
func (w *framer) begin() {
	w.flat = flatten.New(w.Reporter)
	w.ap = apply.New(w.Reporter, w.marks, w.flat)
	w.d = gotype.New(w.Reporter, w.ap, w.history)
}

// crds builds the CRDs of all kinds of the root packages.
func (w *framer) crds(progress stage.Progress, yield func(*schema.CRD, Doubt) bool) {
	var kinds []groupKind
	var written bool
	var skipped []diag.Span
	decls := map[groupKind][]*load.TypeDecl{}
	for _, pkg := range w.Program.Roots {
		p := w.marks.PackageMarkers(pkg)
		if p.Skip {
			if len(pkg.Kinds()) > 0 {
				skipped = append(skipped, p.SkipAt)
			}
			continue
		}
		if w.isOutside(pkg) {
			continue
		}
		w.history.Index(pkg)
		w.bases(pkg)
		for _, d := range pkg.Kinds() {
			if d.Spec.TypeParams != nil {
				w.Mistake(diag.Errorf(d.At, checks.KindGeneric,
					"kind %s has type parameters, but a CRD describes one type", d.Name).
					Help("declare a kind without type parameters, and use the generic type in its fields"))
				continue
			}
			if !p.HasGroup {
				w.Mistake(diag.Errorf(d.At, checks.GroupMissing, "kind %s has no API group: its package has no "+
					"+groupName marker", d.Name).
					Help("add +groupName=example.com above the package clause, or add +kubebuilder:skip above the "+
						"package clause to leave the package out").
					CausedBy(diag.Span{}, d.At.Package()))
			}
			gk := groupKind{p.Group, d.Name}
			if decls[gk] == nil {
				kinds = append(kinds, gk)
			}
			decls[gk] = append(decls[gk], d)
		}
	}
	// Parts come last: what is found then, no other kind has.
	parts := map[groupKind]bool{}
	for _, gk := range kinds {
		parts[gk] = w.isPart(decls[gk])
	}
	slices.SortFunc(kinds, func(a, b groupKind) int {
		switch {
		case parts[a] == parts[b]:
			return strings.Compare(a.String(), b.String())
		case parts[a]:
			return 1
		}
		return -1
	})
	for i, gk := range kinds {
		w.OfPart = parts[gk]
		progress.Report("building and validating CRDs", i, len(kinds))
		var crd *schema.CRD
		w.begin()
		inFrame := w.Apart(func() { crd = w.crd(gk) })
		doubt := Doubt{Unread: w.d.ReadsBroken(), Partial: w.d.MissesTypes(), InFrame: inFrame != 0,
			InSchemas: w.flat.IsIncomplete()}
		if crd == nil {
			skipped = append(skipped, w.skippedAt(decls[gk])...)
			continue
		}
		written = true
		if !slices.ContainsFunc(decls[gk], (*load.TypeDecl).EmbedsMetas) {
			w.Deviate(options.KindsByMeaning, decls[gk][0].At)
		}
		if !yield(crd, doubt) {
			return
		}
	}
	w.OfPart = false
	w.none, w.skipped = !written, skipped
}

// skippedAt returns the markers that exclude versions of a kind.
func (w *framer) skippedAt(decls []*load.TypeDecl) (out []diag.Span) {
	for _, d := range decls {
		if m := read.Find(w.marks.TypeMarkers(d), read.MarkSkipVersion); m != nil {
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
			w.Report(diag.Warningf(base.Decl.At, checks.KindDoubtful,
				"%s gets no CRD: the kind %s embeds it, so it is treated as a part of that kind", part, kind).
				Help("put +kubebuilder:object:root=true on %s, or on %s if that is the kind", kind, part).
				See(base.Kind.At, "the kind"))
		}
		if base.Decl.EmbedsMetas() && base.Decl.Spec.TypeParams == nil {
			w.Deviate(options.KindsByMeaning, base.Decl.At)
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
	if w.Opts.PreserveUnknownFields != nil {
		crd.PreserveUnknownFields = &schema.Flag{V: *w.Opts.PreserveUnknownFields}
	}
	if len(versions) > 0 {
		crd.Group.At = w.marks.PackageMarkers(versions[0].decl.Pkg).GroupAt
	}
	c := w.ap.CRD(crd)
	for _, v := range versions {
		if c.Apply(&v.Version, w.marks.TypeMarkers(v.decl)) {
			crd.Versions = append(crd.Versions, v.Version)
			crd.HasConverters = crd.HasConverters || v.decl.Pkg.HasConverters()
		}
	}
	byKey := func(a, b schema.KeyValue) int { return strings.Compare(a.Key, b.Key) }
	slices.SortFunc(crd.Annotations, byKey)
	slices.SortFunc(crd.Labels, byKey)
	c.CheckClaims()
	if len(crd.Versions) == 0 {
		return nil
	}
	w.checkVersions(crd)
	crd.IsPart = w.OfPart
	return crd
}

// versions returns the versions of a kind in the packages of its group that have been looked at, sorted by version.
func (w *framer) versions(gk groupKind) []version {
	var out []version
	same := map[string][]*load.TypeDecl{}
	for _, pkg := range slices.Clone(w.history.Packages) {
		p := w.marks.PackageMarkers(pkg)
		if p.Skip || p.Group != gk.group {
			continue
		}
		if p.IsWrong {
			w.Doubt(schema.DoubtContent)
		}
		d := pkg.Version(gk.kind)
		if d == nil || pkg.Types.Scope().Lookup(gk.kind) == nil {
			if namesake := pkg.Lookup(gk.kind); namesake != nil && gk.group != "" &&
				w.Opts.With(options.VersionsByMeaning) {
				w.Deviate(options.VersionsByMeaning, namesake.At)
			}
			continue
		}
		w.isVersion[d] = true
		if !w.marks.HasType(d) {
			continue
		}
		same[p.Version] = append(same[p.Version], d)
		if len(same[p.Version]) > 1 {
			continue
		}
		s := w.rootSchema(w.d.Within(gk.kind, d.At).Kind(pkg, gk.kind))
		w.checkRoot(d, s)
		w.SeePlaced(s)
		out = append(out, version{decl: d, Version: schema.Version{
			At: d.At, Name: schema.Text{V: p.Version, At: p.VersionAt}, Served: true, Schema: s,
			Package: &schema.Package{Path: pkg.Path, Name: pkg.Name, Dir: filepath.Dir(d.At.Source.Path),
				Named: pkg.Root},
		}})
	}
	for _, v := range out {
		if decls := same[v.Name.V]; len(decls) > 1 {
			for _, d := range decls {
				w.Report(duplicateVersion(gk, v.Name.V, d, decls))
			}
		}
	}
	slices.SortStableFunc(out, func(a, b version) int { return strings.Compare(a.Name.V, b.Name.V) })
	return out
}

// checkRoot reports a kind without what makes it one in JSON.
func (w *framer) checkRoot(d *load.TypeDecl, root *schema.Schema) {
	if w.Opts.Compat || root.Incomplete != 0 {
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
		w.Mistake(diag.Errorf(d.At, checks.KindIncomplete, "kind %s has no %s in JSON, so its objects cannot be "+
			"stored and read", d.Name, key).
			Help("%s", help).Changes(diag.AcceptsOther, "API servers handle %s", key))
		return
	}
}

// rootSchema returns the schema of a kind. The API server handles metadata, whatever its Go type is; only the names
// that markers limit are described.
func (w *framer) rootSchema(t *node.Type) *schema.Schema {
	marks := w.marks.TypeMarkers(t.Decl)
	dropsStatus := read.Find(marks, read.MarkStatus) != nil || read.Find(marks, read.MarkSkipVersion) != nil
	before := len(w.Diagnostics)
	root := *w.flat.Root(t.Node, dropsStatus)
	w.restate(&root, before)
	root.Properties = slices.Clone(root.Properties)
	for i, p := range root.Properties {
		if p.Name == "metadata" {
			root.Properties[i].Schema = w.ap.RootMetadata(p.Schema.At, t, marks)
		}
	}
	return &root
}

// restate moves the diagnostics about a flattened schema from an index on, if they are about imported types, to the
// user's field that leads there.
func (w *framer) restate(root *schema.Schema, from int) {
	for i := from; i < len(w.Diagnostics); i++ {
		d := &w.Diagnostics[i]
		if !d.Span.IsValid() || w.Program.Owns(d.Span) {
			continue
		}
		if p := schema.PlaceOf(root, d.Span); p != nil {
			own := p.Nearest(w.Program.Owns)
			if own.IsValid() {
				d.SeeAlso = append(report.Related(d.Span, d.Message), d.SeeAlso...)
				d.Span, d.Message = own, "in "+p.Field()+": "+d.Message
				*d = d.Help(report.DescribeInstead)
			}
		}
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
			w.Mistake(diag.Errorf(v.At, checks.VersionStorage, "versions %s and %s of %s are both marked as the "+
				"storage version", stored.Name.V, v.Name.V, crd.Kind.V).
				Help("keep +kubebuilder:storageversion on one of them").See(stored.At, "the other version").
				CausedBy(diag.Span{}, "two storage versions"))
		default:
			stored, crd.At = v, v.At
		}
	}
	if stored == nil {
		w.Report(diag.Errorf(crd.At, checks.VersionStorage, "kind %s has several versions, but no storage version",
			crd.Kind.V).
			Help("add +kubebuilder:storageversion to the version that API servers store"))
	}
	if !served {
		w.Report(diag.Errorf(crd.At, checks.VersionServed, "no version of kind %s is served", crd.Kind.V).
			Help("remove +kubebuilder:unservedversion from one version"))
	}
}

// duplicateVersion reports one of several declarations of the same version.
func duplicateVersion(gk groupKind, version string, d *load.TypeDecl, all []*load.TypeDecl) diag.Diagnostic {
	out := diag.Errorf(d.At, checks.VersionDuplicate, "version %s of kind %s is declared twice", version, gk).
		Help("set +versionName or +groupName in one of the packages, or skip it with +kubebuilder:skip")
	if gk.group == "" {
		out = diag.Errorf(d.At, checks.VersionDuplicate, "kind %s without a group is declared twice", gk).
			Help("set +groupName in the packages, or leave one out with +kubebuilder:skip")
	}
	for _, other := range all {
		if other != d {
			out = out.See(other.At, "also declared here")
		}
	}
	return out
}
