package lower

import (
	"go/ast"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/rules/check"
)

// packageMarkers is what the markers of a package say.
type packageMarkers struct {
	hasGroup bool
	group    string
	version  string
	// groupAt and versionAt are where they are named, if a marker does that.
	groupAt, versionAt diag.Span
	skip               bool
	optional           bool
}

// annotate parses the markers of the root packages that were not come across before, so that all mistakes of a run are
// reported.
func (b *builder) annotate() {
	b.annotating = true
	for _, pkg := range b.program.Roots {
		b.packageMarkers(pkg)
		for _, d := range pkg.Decls {
			b.typeMarkers(d)
			b.eachField(d.Spec.Type, func(f *ast.Field) {
				if !b.seen[f] {
					b.fieldMarkers(d, f)
				}
			})
		}
		for _, s := range pkg.Stray {
			b.stray(s)
		}
	}
}

// eachField calls visit for the fields of all struct types in a type expression.
func (b *builder) eachField(e ast.Expr, visit func(*ast.Field)) {
	load.EachStruct(e, func(s *ast.StructType) {
		for _, f := range s.Fields.List {
			visit(f)
			b.eachField(f.Type, visit)
		}
	})
}

// parse parses one comment. Mistakes are reported for the user's own packages; elsewhere only those that controller-gen
// refuses as well, since nobody can mend a dependency.
func (b *builder) parse(pkg *load.Package, c markers.Comment, target markers.Target) (markers.Marker, bool) {
	if b.table.Lookup(c.Text, target) == nil {
		if pkg.Own {
			if d := b.table.Unknown(c, target); d != nil {
				b.mistake(*d)
			}
		}
		return markers.Marker{}, false
	}
	m, ok, diags := b.table.Parse(c, target)
	for _, d := range diags {
		switch {
		case !markers.Tolerated(d.Check) && !m.Def.Own && (pkg.Own || m.Def.Grammar != markers.Tag) &&
			!(b.annotating && d.Check == markers.RefusedMarker.ID):
			b.refuse(d)
		case pkg.Own:
			b.mistake(d)
		}
	}
	return m, ok
}

func (b *builder) parseAll(pkg *load.Package, comments []markers.Comment, target markers.Target) []markers.Marker {
	var out []markers.Marker
	for _, c := range comments {
		m, ok := b.parse(pkg, c, target)
		if ok {
			m, ok = b.unwrapped(m)
		}
		if ok {
			out = append(out, m)
		}
	}
	return out
}

// fieldMarkers parses the markers of a field.
func (b *builder) fieldMarkers(d *load.TypeDecl, f *ast.Field) []markers.Marker {
	b.annotated = d.Name
	if len(f.Names) > 0 {
		b.annotated += "." + f.Names[0].Name
	}
	marks := b.parseAll(d.Pkg, d.FieldComments(f), markers.Field)
	b.annotated = ""
	if d.Pkg.Own {
		if !b.seen[f] {
			b.silence(marks, d.Pkg.Span(f))
		}
		b.seen[f] = true
		b.checkRepeated(marks)
		b.checkContradictions(marks)
	}
	return marks
}

// silence notes what is to be ignored at a declaration, which its comments are part of.
func (b *builder) silence(marks []markers.Marker, scope diag.Span) {
	if b.opts.Compat {
		return
	}
	for i := range marks {
		scope.Start = min(scope.Start, marks[i].At.Start)
	}
	for i := range marks {
		if marks[i].Def.Name != markIgnore {
			continue
		}
		id, reason := marks[i].Arg("check"), marks[i].Arg("reason")
		if strings.TrimSpace(reason.Text) == "" {
			b.mistake(diag.Errorf(reason.At, check.Ignore, "the reason is empty").
				Help("say why it is meant to be so, for who reads this next"))
			continue
		}
		b.silences = append(b.silences, check.Silence{Check: id.Text, Reason: reason.Text, At: id.At, Scope: scope})
	}
}

// ofPackage reports whether a comment above a type is meant for the package: it is not part of the type's
// documentation, and names a marker that only packages have.
func (b *builder) ofPackage(c markers.Comment) bool {
	return !c.Doc && b.table.Lookup(c.Text, markers.Type) == nil && b.table.Lookup(c.Text, markers.Package) != nil
}

func (b *builder) typeMarkers(d *load.TypeDecl) []markers.Marker {
	if marks, ok := b.markers[d]; ok {
		return marks
	}
	var own []markers.Comment
	for _, c := range d.Comments {
		if !b.ofPackage(c) {
			own = append(own, c)
		}
	}
	marks := b.parseAll(d.Pkg, own, markers.Type)
	b.markers[d] = marks
	if d.Pkg.Own {
		b.silence(marks, d.At)
		b.checkRepeated(marks)
		b.checkContradictions(marks)
	}
	return marks
}

func (b *builder) packageMarkers(pkg *load.Package) *packageMarkers {
	if p := b.packages[pkg]; p != nil {
		return p
	}
	p := &packageMarkers{version: pkg.Name}
	b.packages[pkg] = p
	comments := append([]markers.Comment(nil), pkg.Comments...)
	for _, d := range pkg.Decls {
		for _, c := range d.Comments {
			if b.ofPackage(c) {
				comments = append(comments, c)
			}
		}
	}
	marks := b.parseAll(pkg, comments, markers.Package)
	if pkg.Own {
		b.checkRepeated(marks)
		b.checkContradictions(marks)
	}
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
	p.skip = find(marks, "kubebuilder:skip") != nil
	p.optional = find(marks, markKBOptional) != nil
	return p
}

// find returns the first marker of a name that speaks of what it stands on, or nil.
func find(marks []markers.Marker, name string) *markers.Marker {
	for i := range marks {
		if marks[i].Def.Name == name && len(marks[i].Steps) == 0 {
			return &marks[i]
		}
	}
	return nil
}

// checkRepeated reports markers that stand twice on one declaration and can only count once. Repeating a marker word
// for word is harmless, and not reported.
func (b *builder) checkRepeated(marks []markers.Marker) {
	for i := range marks {
		if marks[i].Def.Repeatable || len(marks[i].Steps) > 0 {
			continue
		}
		first := find(marks, marks[i].Def.Name)
		if first != &marks[i] && !sameArgs(first.Args, marks[i].Args) {
			b.mistake(diag.Errorf(marks[i].At, markerRepeated, "marker %s is given twice, with different values",
				first.Def.Name).
				Help("keep one of them").See(first.At, "first given here"))
		}
	}
}

func sameArgs(a, b []markers.Arg) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Name != b[i].Name || !jsonValue(a[i].Value, exactNumber).Equal(jsonValue(b[i].Value, exactNumber)) {
			return false
		}
	}
	return true
}

// checkContradictions reports markers of one declaration that contradict each other.
func (b *builder) checkContradictions(marks []markers.Marker) {
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
			b.mistake(contradiction(m, x))
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
		b.mistake(contradiction(later, first))
	}
}

// checkAlias reports schema markers on an alias that is looked through.
func (b *builder) checkAlias(d *load.TypeDecl, through string) {
	if d == nil || !d.Pkg.Own {
		return
	}
	for _, m := range b.typeMarkers(d) {
		if !m.Def.OfKind {
			b.mistake(diag.Errorf(m.At, markerAlias, "marker %s is not read: %s is an alias, and the same type as %s",
				m.Def.Name, d.Name, through).
				Help("move it to %s, or declare a type of its own: type %s %s", through, d.Name, through))
		}
	}
}

// checkDecls reports markers of a CRD on types that turned out to be no version of any.
func (b *builder) checkDecls() {
	for _, pkg := range b.program.Roots {
		for _, d := range pkg.Decls {
			if b.isVersion[d] || pkg.Broken() {
				continue
			}
			for _, m := range b.typeMarkers(d) {
				if m.Def.OfKind {
					b.mistake(diag.Errorf(m.At, markers.WrongTarget, "marker %s belongs on a kind, but %s is none", m.Def.Name,
						d.Name).
						Help("put it on a struct that embeds metav1.TypeMeta and metav1.ObjectMeta"))
				}
			}
		}
	}
}

// stray reports a comment that looks like one of our markers where no marker is read.
func (b *builder) stray(s load.Stray) {
	known := false
	for _, target := range []markers.Target{markers.Package, markers.Type, markers.Field} {
		known = known || b.table.Lookup(s.Text, target) != nil
	}
	if !known || strings.HasPrefix(s.Text, "+optional ") {
		return
	}
	if onConstant := strings.HasPrefix(s.On, "constant"); onConstant && b.table.Lookup(s.Text, markers.Constant) != nil {
		return
	}
	b.mistake(strayMarker(s))
}

func strayMarker(s load.Stray) diag.Diagnostic {
	switch s.Why {
	case load.Trailing:
		return diag.Errorf(s.At, markerStray, "a marker behind code is not read").
			Help("put it on a line of its own above the declaration")
	case load.Loose:
		return diag.Errorf(s.At, markerStray, "a marker that does not stand directly above a field is not read").
			Help("move it to the comment right above the field that it is for")
	case load.Block:
		return diag.Errorf(s.At, markerStray, "a marker in a block comment is not read").
			Help("write it as a line comment: // %s", s.Text)
	}
	return diag.Errorf(s.At, markerStray, "a marker on %s is not read", s.On).
		Help("put it above a type, a field or the package clause")
}

func contradiction(m, first *markers.Marker) diag.Diagnostic {
	return diag.Errorf(m.At, contradictory, "marker %s contradicts %s", m.Def.Name, first.Def.Name).
		Help("keep one of them").See(first.At, "the other marker")
}
