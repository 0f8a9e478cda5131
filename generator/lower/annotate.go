package lower

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/rules/check"
)

// packageMarkers are the settings that the markers of a package make.
type packageMarkers struct {
	hasGroup bool
	group    string
	version  string
	// groupAt and versionAt are the places of their markers, if any.
	groupAt, versionAt diag.Span
	skip               bool
	skipAt             diag.Span
	optional           bool
}

// A reader parses the markers of declarations, and finds rules by their names.
type reader struct {
	reporter
	*readMemo
	// annotatedType is the type expression of the declaration whose markers are being parsed, nil if it has none.
	annotatedType ast.Expr
}

// A readMemo holds what has been read.
type readMemo struct {
	// table has the markers that have an effect in the user's own packages, imported those in other packages, and all
	// those that have an effect unless an option switches them off.
	table, imported, all *markers.Table

	packages map[*load.Package]*packageMarkers
	types    map[*load.TypeDecl][]markers.Marker
	// rules are the named rules of the packages that were searched for rules.
	rules map[*load.Package]*packageRules
	// fields are the fields of root packages whose markers have been parsed.
	fields   map[*ast.Field]bool
	silences []check.Silence
	// inFile are the silences of the declarations in the files with mistakes.
	inFile map[*diag.Source][]check.Silence
	// guesses counts the comments that may be misspelled markers; undecided is set once they are no longer looked at.
	guesses   *effort.Budget
	undecided bool
	// annotating is set once all types that kinds lead to have been described: controller-gen never reads the others.
	annotating bool
}

// newReader returns a reader of the program, which knows what its declarations silence.
func newReader(r reporter) reader {
	rd := reader{reporter: r, readMemo: &readMemo{
		table: r.opts.ownMarkers(), imported: r.opts.markers(false), all: markers.Known(),
		packages: map[*load.Package]*packageMarkers{},
		types:    map[*load.TypeDecl][]markers.Marker{},
		rules:    map[*load.Package]*packageRules{},
		fields:   map[*ast.Field]bool{},
		inFile:   map[*diag.Source][]check.Silence{},
		guesses:  effort.New(r.ctx, effort.UnknownMarkers),
	}}
	r.run.silenced = rd.isSilenced
	return rd
}

// at returns the reader at the place of another stage.
func (rd reader) at(r reporter) reader {
	rd.reporter = r
	return rd
}

// annotate parses the markers of the root packages that were not parsed before, so that a run reports all mistakes.
func (rd reader) annotate() {
	rd.readMemo.annotating = true
	for _, pkg := range rd.program.Roots {
		rd.packageMarkers(pkg)
		for _, d := range pkg.Decls {
			rd.typeMarkers(d)
			rd.eachField(d.Spec.Type, func(f *ast.Field) {
				if !rd.fields[f] {
					rd.checkBlank(f, rd.fieldMarkers(d, f))
				}
			})
		}
		for _, s := range pkg.Stray {
			rd.stray(s)
		}
	}
}

// checkBlank reports markers on a field without a name.
func (rd reader) checkBlank(f *ast.Field, marks []markers.Marker) {
	if len(f.Names) != 1 || f.Names[0].Name != "_" {
		return
	}
	for _, m := range marks {
		rd.report(diag.Warningf(m.At, markerStray, "%s has no effect here: the blank field is not part of an object",
			m.Def.Name).Help("move it to a field with a name, or to the type"))
	}
}

// eachField calls visit for the fields of all struct types in a type expression.
func (rd reader) eachField(e ast.Expr, visit func(*ast.Field)) {
	load.EachStruct(e, func(s *ast.StructType) {
		for _, f := range s.Fields.List {
			visit(f)
			rd.eachField(f.Type, visit)
		}
	})
}

// parse parses one comment. All mistakes are reported in the user's own packages. In imported packages, which users
// cannot change, only mistakes that controller-gen rejects too are reported.
func (rd reader) parse(pkg *load.Package, c markers.Comment, target markers.Target) (markers.Marker, bool) {
	table := rd.table
	if !pkg.Own {
		table = rd.imported
	}
	if table.Lookup(c.Text, target) == nil {
		isOff := !rd.opts.Compat && rd.all.Lookup(c.Text, target) != nil
		if pkg.Own && !isOff {
			rd.guess(table, c, target)
		}
		return markers.Marker{}, false
	}
	m, ok, diags := table.Parse(c, target)
	if len(diags) > 0 {
		c.Type = rd.typeText()
		m, ok, diags = table.Parse(c, target)
	}
	for _, d := range diags {
		switch {
		case !markers.Tolerated(d.Check) && !m.Def.Own && (pkg.Own || m.Def.Grammar != markers.Tag) &&
			!(rd.annotating && d.Check == markers.ForbiddenMarker.ID):
			rd.report(d)
		case pkg.Own:
			rd.mistake(d)
		}
	}
	if !ok {
		return m, false
	}
	return rd.unwrapped(m)
}

// typeText is the type of what the markers that are being parsed are on, as it is written.
func (rd reader) typeText() string {
	if rd.annotatedType == nil {
		return ""
	}
	return types.ExprString(rd.annotatedType)
}

// parseAll parses the markers of one declaration, and reports repetitions and contradictions.
func (rd reader) parseAll(pkg *load.Package, comments []markers.Comment, target markers.Target) []markers.Marker {
	var out []markers.Marker
	for _, c := range comments {
		if m, ok := rd.parse(pkg, c, target); ok {
			out = append(out, m)
		}
	}
	if pkg.Own {
		rd.checkRepeated(out)
		rd.checkContradictions(out)
	}
	return out
}

// fieldMarkers parses the markers of a field.
func (rd reader) fieldMarkers(d *load.TypeDecl, f *ast.Field) []markers.Marker {
	rd.annotated = d.Name
	if len(f.Names) > 0 {
		rd.annotated += "." + f.Names[0].Name
	}
	rd.annotatedType = f.Type
	marks := rd.parseAll(d.Pkg, d.FieldComments(f), markers.Field)
	if d.Pkg.Own && !rd.fields[f] {
		rd.fields[f] = true
		rd.silence(d.FieldComments(f), markers.Field, d.Pkg.Span(f))
	}
	return marks
}

// silence records the findings to ignore at a declaration, including its comments.
func (rd reader) silence(comments []markers.Comment, target markers.Target, scope diag.Span) {
	for _, s := range rd.silencesAt(comments, target, scope) {
		if strings.TrimSpace(s.Reason) == "" && !rd.opts.Compat {
			rd.mistake(diag.Errorf(s.ReasonAt, check.Ignore, "the reason is empty").
				Help("explain why the finding is intended"))
			continue
		}
		rd.readMemo.silences = append(rd.readMemo.silences, s)
	}
}

// silencesAt returns what the comments of a declaration ignore. Mistakes in them are reported where they are parsed.
func (rd reader) silencesAt(
	comments []markers.Comment, target markers.Target, scope diag.Span,
) (out []check.Silence) {
	for _, c := range comments {
		scope.Start = min(scope.Start, c.At.Start)
	}
	for _, c := range comments {
		if !strings.Contains(c.Text, markIgnore) {
			continue
		}
		m, ok, _ := rd.all.Parse(c, target)
		if !ok || m.Def.Name != markIgnore || m.Arg("check") == nil || m.Arg("reason") == nil {
			continue
		}
		id, reason := m.Arg("check"), m.Arg("reason")
		out = append(out, check.Silence{
			Check: id.Text, Reason: reason.Text, At: id.At, ReasonAt: reason.At, Scope: scope,
		})
	}
	return out
}

// guess reports a comment that is probably meant as a marker.
func (rd reader) guess(table *markers.Table, c markers.Comment, target markers.Target) {
	switch {
	case rd.guesses.Spend(1):
		c.Type = rd.typeText()
		if d := table.Unknown(c, target); d != nil {
			rd.mistake(*d)
		}
	case rd.guesses.Exceeded() && !rd.undecided:
		rd.readMemo.undecided = true
		rd.report(rd.guesses.Undecided(c.At, "whether this comment and those after it are misspelled markers"))
	}
}

// isSilenced reports whether a declaration silences a mistake. It looks for the declaration itself: its markers may not
// have been read yet.
func (rd reader) isSilenced(d diag.Diagnostic) bool {
	return slices.ContainsFunc(rd.silencesIn(d.Span.Source), func(s check.Silence) bool { return s.Covers(d) })
}

// silencesIn returns the silences of the declarations in a file.
func (rd reader) silencesIn(src *diag.Source) []check.Silence {
	if known, ok := rd.inFile[src]; ok {
		return known
	}
	var out []check.Silence
	for _, pkg := range rd.program.Packages() {
		for _, decl := range pkg.Decls {
			if decl.At.Source != src {
				continue
			}
			out = append(out, rd.silencesAt(rd.typeComments(decl), markers.Type, decl.At)...)
			rd.eachField(decl.Spec.Type, func(f *ast.Field) {
				out = append(out, rd.silencesAt(decl.FieldComments(f), markers.Field, pkg.Span(f))...)
			})
		}
	}
	rd.inFile[src] = out
	return out
}

// typeComments are the marker comments of a type, without those that are meant for the package.
func (rd reader) typeComments(d *load.TypeDecl) []markers.Comment {
	return slices.DeleteFunc(slices.Clone(d.Comments), rd.ofPackage)
}

// ofPackage reports whether a comment above a type is meant for the package: it is not part of the type's
// documentation, and names a marker that only packages have.
func (rd reader) ofPackage(c markers.Comment) bool {
	return !c.Doc && rd.table.Lookup(c.Text, markers.Type) == nil && rd.table.Lookup(c.Text, markers.Package) != nil
}

func (rd reader) typeMarkers(d *load.TypeDecl) []markers.Marker {
	if marks, ok := rd.types[d]; ok {
		return marks
	}
	own := rd.typeComments(d)
	rd.annotatedType = d.Spec.Type
	marks := rd.parseAll(d.Pkg, own, markers.Type)
	rd.types[d] = marks
	if d.Pkg.Own {
		rd.silence(own, markers.Type, d.At)
	}
	return marks
}

func (rd reader) packageMarkers(pkg *load.Package) *packageMarkers {
	if p := rd.packages[pkg]; p != nil {
		return p
	}
	p := &packageMarkers{version: pkg.Name}
	rd.packages[pkg] = p
	comments := slices.Clone(pkg.Comments)
	for _, d := range pkg.Decls {
		for _, c := range d.Comments {
			if rd.ofPackage(c) {
				comments = append(comments, c)
			}
		}
	}
	marks := rd.parseAll(pkg, comments, markers.Package)
	if m := find(marks, "groupName"); m != nil {
		p.hasGroup = true
		if v := m.Arg(""); v != nil {
			p.group, p.groupAt = v.Text, v.At
		}
	}
	if m := find(marks, "versionName"); m != nil {
		p.version, p.versionAt = m.Arg("").Text, m.Arg("").At
	}
	if !p.hasGroup {
		p.version = ""
	}
	if m := find(marks, "kubebuilder:skip"); m != nil {
		p.skip, p.skipAt = true, m.At
	}
	p.optional = find(marks, markKBOptional) != nil
	return p
}

// find returns the first marker of a name that applies to the declaration itself, not to a part of it; nil if none
// does.
func find(marks []markers.Marker, name string) *markers.Marker {
	for i := range marks {
		if marks[i].Def.Name == name && len(marks[i].Steps) == 0 {
			return &marks[i]
		}
	}
	return nil
}

// checkRepeated reports markers that a declaration has twice, although only one of them counts. An identical repetition
// is harmless and is not reported.
func (rd reader) checkRepeated(marks []markers.Marker) {
	for i := range marks {
		if marks[i].Def.Repeatable || len(marks[i].Steps) > 0 {
			continue
		}
		first := find(marks, marks[i].Def.Name)
		if first != &marks[i] && !sameArgs(first.Args, marks[i].Args) {
			rd.mistake(diag.Errorf(marks[i].At, markerRepeated, "duplicate marker %s with different values",
				first.Def.Name).
				Help("keep one of them").See(first.At, "first given here"))
		}
	}
}

func sameArgs(a, b []markers.Arg) bool {
	return slices.EqualFunc(a, b, func(x, y markers.Arg) bool {
		return x.Name == y.Name && x.Value.Canonical().Equal(y.Value.Canonical())
	})
}

// checkContradictions reports markers of one declaration that contradict each other.
func (rd reader) checkContradictions(marks []markers.Marker) {
	var optional, required *markers.Marker
	for i := range marks {
		m := &marks[i]
		if len(m.Steps) > 0 {
			continue
		}
		switch m.Def.Presence {
		case markers.MayBe:
			optional = m
		case markers.MustBe:
			required = m
		}
		if x := find(marks, m.Def.SameAs); x != nil && m == find(marks, m.Def.Name) && !sameArgs(x.Args, m.Args) {
			rd.mistake(contradiction(m, x))
		}
	}
	if forbidden := find(marks, markK8sForbidden); forbidden != nil {
		optional = forbidden
	}
	if optional != nil && required != nil {
		first, later := optional, required
		if later.At.Start < first.At.Start {
			first, later = later, first
		}
		rd.mistake(contradiction(later, first))
	}
}

// checkAlias reports schema markers on an alias, which have no effect.
func (rd reader) checkAlias(d *load.TypeDecl, through string) {
	if d == nil || !d.Pkg.Own {
		return
	}
	for _, m := range rd.typeMarkers(d) {
		if !m.Def.OfKind {
			rd.mistake(diag.Errorf(m.At, markerAlias, "%s has no effect here: %s is an alias of %s",
				m.Def.Name, d.Name, through).
				Help("move it to %s, or declare a type: type %s %s", through, d.Name, through))
		}
	}
}

// checkDecls reports markers of a CRD on types that are not a version of any: one finding for a type, since the markers
// have one cause.
func (rd reader) checkDecls(isVersion map[*load.TypeDecl]bool) {
	for _, pkg := range rd.program.Roots {
		for _, d := range pkg.Decls {
			if isVersion[d] || pkg.Broken() || rd.packageMarkers(pkg).skip {
				continue
			}
			var ofKind []*markers.Marker
			marks := rd.typeMarkers(d)
			for i := range marks {
				if marks[i].Def.OfKind {
					ofKind = append(ofKind, &marks[i])
				}
			}
			if len(ofKind) > 0 {
				rd.mistake(notAKind(d, ofKind))
			} else if at, ok := rootMarker(d); ok {
				rd.checkObject(d, at)
			}
		}
	}
}

// notAKind reports markers of kinds on a type that is not a kind, with what it lacks to be one.
func notAKind(d *load.TypeDecl, ofKind []*markers.Marker) diag.Diagnostic {
	const (
		typeMeta   = "metav1.TypeMeta `json:\",inline\"`"
		objectMeta = "metav1.ObjectMeta `json:\"metadata,omitempty\"`"
	)
	lacks, help := "", "move the markers to a struct that embeds metav1.TypeMeta and metav1.ObjectMeta"
	if lacksType, _, ok := d.LacksMetas(); ok && lacksType {
		lacks, help = ": it does not embed metav1.TypeMeta", "embed "+typeMeta
	} else if ok {
		lacks, help = ": it does not embed metav1.ObjectMeta", "embed "+objectMeta
	}
	if len(ofKind) == 1 {
		return diag.Errorf(ofKind[0].At, markers.WrongTarget, "%s applies to kinds; %s is not a kind%s",
			ofKind[0].Def.Name, d.Name, lacks).Help("%s", strings.Replace(help, "the markers", "the marker", 1))
	}
	var names []string
	for _, m := range ofKind {
		names = append(names, m.Def.Name)
	}
	names = slices.Compact(slices.Sorted(slices.Values(names)))
	out := diag.Errorf(d.At, markers.WrongTarget, "%s is not a kind%s", d.Name, lacks).Help("%s", help)
	return out.Note("these markers have no effect: %s", strings.Join(names, ", "))
}

// checkNone reports why a run writes no CRDs, unless errors explain it. A kind or package may be skipped on purpose, so
// the markers that do so are reported only if nothing is left.
func (rd reader) checkNone(skipped []diag.Span) {
	if diag.HasErrors(rd.diagnostics) || diag.HasErrors(rd.program.Diagnostics) {
		return
	}
	for _, at := range skipped {
		rd.report(diag.Warningf(at, kindNone, "markers skip all kinds of the run").
			Help("remove the marker"))
	}
	if len(skipped) == 0 {
		rd.report(diag.Warningf(diag.Span{}, kindNone, "the packages of the run have no kinds").
			Help("name the packages of the API, for example paths=./api/..."))
	}
}

// rootMarker returns the place of the marker that gives a type the methods of an object. It is on kinds and their
// lists.
func rootMarker(d *load.TypeDecl) (diag.Span, bool) {
	for _, c := range d.Comments {
		if c.Text == "+kubebuilder:object:root=true" {
			return c.At, true
		}
	}
	return diag.Span{}, false
}

// checkObject reports a type that its marker calls an object, although it has no TypeMeta, or is meant as a kind and
// has no ObjectMeta.
func (rd reader) checkObject(d *load.TypeDecl, marker diag.Span) {
	meta, ok := d.MissingMeta()
	if !ok {
		return
	}
	at, why, help := marker, "it does not embed metav1."+meta.Name, "embed metav1.TypeMeta `json:\",inline\"`"
	if meta.Name == "ObjectMeta" {
		help = "embed metav1.ObjectMeta `json:\"metadata,omitempty\"`"
	}
	switch {
	case meta.From != "":
		at, why = meta.At, "it embeds "+meta.Name+" of "+meta.From
		help = "import " + meta.Name + " from " + load.Metav1
	case meta.At.IsValid():
		at, why = meta.At, "its field "+meta.Name+" has a name, so it is not embedded"
		help = "remove the name of the field"
	}
	rd.report(diag.Warningf(at, kindIncomplete, "%s is marked as an object, but it is not a kind: %s", d.Name, why).
		Help("%s", help))
}

// stray reports a comment that looks like a known marker in a place where markers have no effect.
func (rd reader) stray(s load.Stray) {
	if s.Why == load.Unmarked {
		if d := rd.table.Unmarked(s.Comment); d != nil {
			rd.mistake(*d)
		}
		return
	}
	isKnown := func(target markers.Target) bool { return rd.table.Lookup(s.Text, target) != nil }
	if !slices.ContainsFunc([]markers.Target{markers.Package, markers.Type, markers.Field}, isKnown) ||
		strings.HasPrefix(s.Text, "+optional ") || strings.HasPrefix(s.On, "constant") && isKnown(markers.Constant) {
		return
	}
	rd.mistake(strayMarker(s))
}

func strayMarker(s load.Stray) diag.Diagnostic {
	switch s.Why {
	case load.Trailing:
		return diag.Errorf(s.At, markerStray, "a marker after code has no effect").
			Help("put it on its own line above the declaration")
	case load.Loose:
		return diag.Errorf(s.At, markerStray, "a marker that is not directly above a field has no effect").
			Help("move it to the comment directly above its field")
	case load.Block:
		return diag.Errorf(s.At, markerStray, "a marker in a block comment has no effect").
			Help("write it as a line comment: // %s", s.Text)
	}
	return diag.Errorf(s.At, markerStray, "markers on %s have no effect", s.On).
		Help("put it above a type, a field or the package clause")
}

func contradiction(m, first *markers.Marker) diag.Diagnostic {
	return diag.Errorf(m.At, contradictory, "%s contradicts %s", m.Def.Name, first.Def.Name).
		Help("keep one of them").See(first.At, "the other marker")
}
