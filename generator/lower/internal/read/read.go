// Package read turns the comments of declarations into markers and named rules, and reports mistakes in them.
package read

import (
	"cmp"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/generator/lower/internal/checks"
	"github.com/crdproof/crdproof/generator/lower/internal/report"
	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/rules/check"
	"github.com/crdproof/crdproof/schema"
)

// PackageMarkers are the settings that the markers of a package make.
type packageMarkers struct {
	HasGroup bool
	Group    string
	Version  string
	// GroupAt and VersionAt are the places of their markers, if any.
	GroupAt, VersionAt diag.Span
	Skip               bool
	SkipAt             diag.Span
	// IsOff is set for a package that is not in the variant that is built.
	IsOff    bool
	Optional bool
	// IsWrong is set if a marker has an error.
	IsWrong bool
}

// A Reader parses the markers of declarations, and finds rules by their names.
type Reader struct {
	report.Reporter
	*readMemo
	// annotatedType is the type expression of the declaration whose markers are being parsed, nil if it has none.
	annotatedType ast.Expr
	// omits is set if that declaration is a field which is optional by its tag.
	omits bool
}

// A readMemo holds what has been read.
type readMemo struct {
	// Table has the markers that have an effect in the user's own packages, imported those in other packages, and all
	// those that have an effect unless an option switches them off.
	Table, imported, all *markers.Table

	packages map[*load.Package]*packageMarkers
	types    map[*load.TypeDecl][]markers.Marker
	// wrong is what errors in the markers of types leave in doubt.
	wrong map[*load.TypeDecl]schema.Doubt
	// rules are the named rules of the packages that were searched for rules.
	rules map[*load.Package]*packageRules
	// fields are the fields of root packages whose markers have been parsed.
	fields   map[*ast.Field]bool
	Silences []check.Silence
	// inFile are the silences of the declarations in the files with mistakes.
	inFile map[*diag.Source][]check.Silence
	// named are the channels and gates that the markers of root packages name, with the first place of each.
	named map[string]diag.Span
	// guesses counts the comments that may be misspelled markers; undecided is set once they are no longer looked at.
	guesses   *effort.Budget
	undecided bool
	// annotating is set once all types that kinds lead to have been described: controller-gen never reads the others.
	annotating bool
}

// New returns a reader of the program, which knows what its declarations silence.
func New(r report.Reporter) Reader {
	rd := Reader{Reporter: r, readMemo: &readMemo{
		Table: r.Opts.OwnMarkers(), imported: r.Opts.Markers(false), all: markers.Known(),
		packages: map[*load.Package]*packageMarkers{},
		types:    map[*load.TypeDecl][]markers.Marker{},
		wrong:    map[*load.TypeDecl]schema.Doubt{},
		rules:    map[*load.Package]*packageRules{},
		fields:   map[*ast.Field]bool{},
		inFile:   map[*diag.Source][]check.Silence{},
		named:    map[string]diag.Span{},
		guesses:  effort.New(r.Ctx, effort.UnknownMarkers),
	}}
	r.Run.Silenced = rd.isSilenced
	return rd
}

// At returns the reader at the place of another stage.
func (rd Reader) At(r report.Reporter) Reader {
	rd.Reporter = r
	return rd
}

// Annotate parses the markers of the root packages that were not parsed before, so that a run reports all mistakes.
func (rd Reader) Annotate() {
	rd.readMemo.annotating = true
	for _, pkg := range rd.Program.Roots {
		rd.PackageMarkers(pkg)
		for _, d := range pkg.Decls {
			rd.Apart(func() { rd.TypeMarkers(d) })
			rd.eachField(d.Spec.Type, func(f *ast.Field) {
				if !rd.fields[f] {
					rd.Apart(func() { rd.checkUnread(f, rd.FieldMarkers(d, f)) })
				}
			})
		}
		for _, s := range pkg.Stray {
			rd.checkStray(s)
		}
	}
}

// checkUnread reports markers of fields that are not part of an object. Whether such a field is optional does not
// matter.
func (rd Reader) checkUnread(f *ast.Field, marks []markers.Marker) {
	isBlank := len(f.Names) == 1 && f.Names[0].Name == "_"
	why, help := "the blank field is not part of an object", "move it to a field with a name, or to the type"
	if !isBlank {
		why, help = `the tag json:"-" leaves the field out of objects`, "remove it, or name the field in the tag"
	}
	if !isBlank && load.Tag(f).Get("json") != "-" {
		return
	}
	for _, m := range marks {
		if isBlank || m.Def.Presence == markers.Unsaid {
			rd.Report(diag.Warningf(m.At, checks.MarkerStray, "%s has no effect here: %s", m.Def.Name, why).
				Help("%s", help))
		}
	}
}

// eachField calls visit for the fields of all struct types in a type expression.
func (rd Reader) eachField(e ast.Expr, visit func(*ast.Field)) {
	load.EachStruct(e, func(s *ast.StructType) {
		for _, f := range s.Fields.List {
			visit(f)
			rd.eachField(f.Type, visit)
		}
	})
}

// parseComment parses one comment. All mistakes are reported in the user's own packages. In imported packages, which
// users cannot change, only mistakes that controller-gen rejects too are reported, and tags that are not enforced.
func (rd Reader) parseComment(pkg *load.Package, c markers.Comment, target markers.Target) (markers.Marker, bool) {
	table := rd.Table
	if !pkg.Own {
		table = rd.imported
	}
	if table.Lookup(c.Text, target) == nil {
		def := rd.all.Lookup(c.Text, target)
		isOff := def != nil && (!rd.Opts.Compat || def.Ours())
		if pkg.Own && !isOff && !c.Dead {
			rd.guessMarker(table, c, target)
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
		case m.Def.OfVariants() && !ok && pkg.Own:
			rd.Report(d)
		case !markers.Tolerated(d.Check) && !m.Def.Own && (pkg.Own || m.Def.Grammar != markers.Tag) &&
			!(rd.annotating && d.Check == markers.ForbiddenMarker.ID):
			rd.Report(d)
		case pkg.Own:
			rd.Mistake(d)
		case m.Def.Grammar == markers.Tag:
			rd.WrongTag(d)
		}
	}
	if !ok {
		return m, false
	}
	return rd.unwrapped(m)
}

// typeText returns the type of what the markers that are being parsed are on, as it is written.
func (rd Reader) typeText() string {
	if rd.annotatedType == nil {
		return ""
	}
	return types.ExprString(rd.annotatedType)
}

// parseAll parses the markers of one declaration, and reports repetitions and contradictions.
func (rd Reader) parseAll(pkg *load.Package, comments []markers.Comment, target markers.Target) []markers.Marker {
	var out, alive, dead []markers.Marker
	if slices.ContainsFunc(comments, listsValues) {
		comments = slices.DeleteFunc(slices.Clone(comments), func(c markers.Comment) bool { return c.Text == "+enum" })
	}
	for _, c := range comments {
		var m markers.Marker
		var ok bool
		if doubt := rd.Apart(func() { m, ok = rd.parseComment(pkg, c, target) }); doubt != 0 {
			if def := rd.meant(c, target); target != markers.Field || !rd.saysTag(def) {
				rd.Doubt(DoubtOf(def))
			}
		}
		switch {
		case !ok:
			continue
		case !c.Dead:
			alive = append(alive, m)
		case pkg.Own && !rd.Opts.Compat:
			dead = append(dead, m)
		}
		out = append(out, m)
	}
	rd.checkDead(dead, alive)
	out, alive = ofVariant(out), ofVariant(alive)
	if pkg.Own {
		rd.checkRepeated(alive)
		rd.checkContradictions(alive)
	}
	return out
}

// checkDead reports markers above code that is commented out, unless the declaration that follows has the same ones.
func (rd Reader) checkDead(dead, alive []markers.Marker) {
	for i := range dead {
		m := &dead[i]
		isRepeated := slices.ContainsFunc(alive, func(other markers.Marker) bool {
			return other.Def == m.Def && other.At.Text() == m.At.Text()
		})
		if !isRepeated {
			rd.Report(diag.Warningf(m.At, checks.MarkerStray,
				"%s is above code that is commented out, but belongs to what follows", m.Def.Name).
				Help("remove the marker together with that code"))
		}
	}
}

// meant returns the definition of the marker that a comment is, or that it differs from by one letter; nil if it is
// none.
func (rd Reader) meant(c markers.Comment, target markers.Target) *markers.Definition {
	return cmp.Or(rd.Table.Lookup(c.Text, target), rd.Table.Near(c, target))
}

// DoubtOf returns what is in doubt about a declaration whose marker has an error, all of it for an unknown one.
func DoubtOf(def *markers.Definition) schema.Doubt {
	switch {
	case def == nil || def.IsTag() || slices.Contains([]string{"nullable", "default", "kubebuilder:default"}, def.Name):
		return schema.DoubtAll
	case def.Presence != markers.Unsaid:
		return schema.DoubtPresence
	case strings.HasSuffix(def.Name, ":XValidation") || strings.HasSuffix(def.Name, "OneOf"):
		return schema.DoubtRules
	case strings.HasSuffix(def.Name, ":MinItems") || strings.HasSuffix(def.Name, ":MinProperties"):
		return schema.DoubtContent | schema.DoubtSize
	}
	return schema.DoubtContent
}

// StatesPresence reports whether a marker says whether a field is required.
func StatesPresence(m markers.Marker) bool { return m.Def.Presence != markers.Unsaid && !m.Def.IsTag() }

// saysTag reports whether a marker on a field says no more than its tag.
func (rd Reader) saysTag(def *markers.Definition) bool {
	return def != nil && !def.IsTag() && (def.Presence == markers.MayBe && rd.omits ||
		def.Presence == markers.MustBe && !rd.omits)
}

// listsValues reports whether a comment is a marker beside which the older +enum only documents a type.
func listsValues(c markers.Comment) bool {
	return c.Text == "+k8s:enum" || strings.HasPrefix(c.Text, "+"+MarkEnum+"=")
}

// FieldMarkers parses the markers of a field.
func (rd Reader) FieldMarkers(d *load.TypeDecl, f *ast.Field) []markers.Marker {
	rd.Annotated = d.Name
	if len(f.Names) > 0 {
		rd.Annotated += "." + f.Names[0].Name
	}
	rd.annotatedType, rd.omits = f.Type, load.Omits(f)
	marks := rd.parseAll(d.Pkg, d.FieldComments(f), markers.Field)
	if d.Pkg.Own && !rd.fields[f] {
		rd.fields[f] = true
		rd.addSilences(d.FieldComments(f), markers.Field, d.Pkg.Span(f))
	}
	return marks
}

// guessMarker reports a comment that is probably meant as a marker.
func (rd Reader) guessMarker(table *markers.Table, c markers.Comment, target markers.Target) {
	switch {
	case rd.guesses.Spend(1):
		c.Type = rd.typeText()
		if target == markers.Field {
			c.Tag = markers.MustBe
			if rd.omits {
				c.Tag = markers.MayBe
			}
		}
		if target == markers.Type {
			c.Fields = rd.fieldNames()
		}
		if d := table.Unknown(c, target); d != nil {
			if rd.omits && strings.EqualFold(strings.Trim(c.Text, "+.:,; "), "optional") {
				d.Severity = diag.Warning // the field is what the comment says
			}
			rd.Mistake(rd.answered(*d, c))
		}
	case rd.guesses.Exceeded() && !rd.undecided:
		rd.readMemo.undecided = true
		rd.Report(rd.guesses.Undecided(c.At, "whether this comment and those after it are misspelled markers"))
	}
}

// answered returns the finding about an unknown marker as one that is only counted if what it means is in the CRD files
// of the project.
func (rd Reader) answered(d diag.Diagnostic, c markers.Comment) diag.Diagnostic {
	if !strings.HasPrefix(c.Text, "+kubebuilder:") || d.Check != markers.UnknownMarker.ID {
		return d
	}
	name, _, _ := strings.Cut(c.Text, "=")
	name = strings.TrimRight(name, ": ")
	for _, keyword := range []string{"oneOf", "anyOf", "allOf", "not"} {
		if strings.EqualFold(name[strings.LastIndexByte(name, ':')+1:], keyword) && len(c.Fields) > 0 {
			d = rd.Edited(d, schema.Lack{Fields: c.Fields, Keyword: keyword})
		}
	}
	if d.Hurts == nil {
		return rd.Forked(d)
	}
	return d
}

// fieldNames returns the names in JSON of the fields of the struct whose markers are being parsed.
func (rd Reader) fieldNames() (out []string) {
	rd.eachField(rd.annotatedType, func(f *ast.Field) {
		if name, _, _ := strings.Cut(load.Tag(f).Get("json"), ","); name != "" && name != "-" {
			out = append(out, name)
		}
	})
	return out
}

// typeComments returns the marker comments of a type, without those that are meant for the package.
func (rd Reader) typeComments(d *load.TypeDecl) []markers.Comment {
	return slices.DeleteFunc(slices.Clone(d.Comments), rd.ofPackage)
}

// ofPackage reports whether a comment above a type is meant for the package: it is not part of the type's
// documentation, and names a marker that only packages have.
func (rd Reader) ofPackage(c markers.Comment) bool {
	return !c.Doc && rd.Table.Lookup(c.Text, markers.Type) == nil && rd.Table.Lookup(c.Text, markers.Package) != nil
}

// TypeMarkers parses the markers of a type, once.
func (rd Reader) TypeMarkers(d *load.TypeDecl) []markers.Marker {
	marks, isKnown := rd.types[d]
	if isKnown {
		rd.Doubt(rd.wrong[d])
		return marks
	}
	own := rd.typeComments(d)
	rd.annotatedType = d.Spec.Type
	rd.wrong[d] = rd.Apart(func() { marks = rd.parseAll(d.Pkg, own, markers.Type) })
	rd.Doubt(rd.wrong[d])
	rd.types[d] = marks
	if d.Pkg.Own {
		rd.addSilences(own, markers.Type, d.At)
	}
	return marks
}

// PackageMarkers returns the settings that the markers of a package make.
func (rd Reader) PackageMarkers(pkg *load.Package) *packageMarkers {
	if p := rd.packages[pkg]; p != nil {
		return p
	}
	p := &packageMarkers{Version: pkg.Name}
	rd.packages[pkg] = p
	comments := rd.packageComments(pkg)
	var marks []markers.Marker
	p.IsWrong = rd.Apart(func() { marks = rd.parseAll(pkg, comments, markers.Package) }) != 0
	if m := Find(marks, "groupName"); m != nil {
		p.HasGroup = true
		if v := m.Arg(""); v != nil {
			p.Group, p.GroupAt = v.Text, v.At
		}
	}
	if m := Find(marks, "versionName"); m != nil {
		p.Version, p.VersionAt = m.Arg("").Text, m.Arg("").At
	}
	if !p.HasGroup {
		p.Version = ""
	}
	if m := Find(marks, "kubebuilder:skip"); m != nil {
		p.Skip, p.SkipAt = true, m.At
	}
	p.Optional, p.IsOff = Find(marks, MarkKBOptional) != nil, !rd.Belongs(marks)
	if pkg.Own {
		rd.addPackageSilences(pkg, comments)
	}
	return p
}

// packageComments returns the marker comments of a package, also those above its types that are meant for it.
func (rd Reader) packageComments(pkg *load.Package) []markers.Comment {
	out := slices.Clone(pkg.Comments)
	for _, d := range pkg.Decls {
		for _, c := range d.Comments {
			if rd.ofPackage(c) {
				out = append(out, c)
			}
		}
	}
	return out
}

// Find returns the first marker of a name that applies to the declaration itself, not to a part of it; nil if none
// does.
func Find(marks []markers.Marker, name string) *markers.Marker {
	for i := range marks {
		if marks[i].Def.Name == name && len(marks[i].Steps) == 0 {
			return &marks[i]
		}
	}
	return nil
}

// checkContradictions reports markers of one declaration that contradict each other.
func (rd Reader) checkContradictions(marks []markers.Marker) {
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
		if x := Find(marks, m.Def.SameAs); x != nil && m == Find(marks, m.Def.Name) && !sameArgs(x.Args, m.Args) {
			rd.Mistake(contradiction(m, x))
		}
	}
	if forbidden := Find(marks, MarkK8sForbidden); forbidden != nil {
		optional = forbidden
	}
	if optional != nil && required != nil {
		first, later := optional, required
		if later.At.Start < first.At.Start {
			first, later = later, first
		}
		rd.Mistake(contradiction(later, first))
	}
}

// CheckAlias reports schema markers on an alias, which have no effect.
func (rd Reader) CheckAlias(d *load.TypeDecl, through string) {
	if d == nil || !d.Pkg.Own {
		return
	}
	for _, m := range rd.TypeMarkers(d) {
		if !m.Def.OfKind {
			rd.Mistake(diag.Errorf(m.At, checks.MarkerAlias, "%s has no effect here: %s is an alias of %s",
				m.Def.Name, d.Name, through).
				Help("move it to %s, or declare a type: type %s %s", through, d.Name, through))
		}
	}
}

// checkStray reports a comment that looks like a known marker in a place where markers have no effect.
func (rd Reader) checkStray(s load.Stray) {
	if s.Why == load.Unmarked {
		if d := rd.Table.Unmarked(s.Comment); d != nil {
			rd.Mistake(*d)
		}
		return
	}
	isKnown := func(target markers.Target) bool { return rd.Table.Lookup(s.Text, target) != nil }
	if !slices.ContainsFunc([]markers.Target{markers.Package, markers.Type, markers.Field}, isKnown) ||
		strings.HasPrefix(s.Text, "+optional ") || strings.HasPrefix(s.On, "constant") && isKnown(markers.Constant) {
		return
	}
	rd.Mistake(rd.Table.Revived(strayMarker(s), s.Text, s.Comment))
}

func strayMarker(s load.Stray) diag.Diagnostic {
	switch s.Why {
	case load.Trailing:
		return diag.Errorf(s.At, checks.MarkerStray, "a marker after code has no effect").
			Help("put it on its own line above the declaration")
	case load.Loose:
		return diag.Errorf(s.At, checks.MarkerStray, "a marker that is not directly above a field has no effect").
			Help("move it to the comment directly above its field")
	case load.Block:
		return diag.Errorf(s.At, checks.MarkerStray, "a marker in a block comment has no effect").
			Help("write it as a line comment: // %s", s.Text)
	}
	return diag.Errorf(s.At, checks.MarkerStray, "markers on %s have no effect", s.On).
		Help("put it above a type, a field or the package clause")
}

func contradiction(m, first *markers.Marker) diag.Diagnostic {
	return diag.Errorf(m.At, checks.Contradictory, "%s contradicts %s", m.Def.Name, first.Def.Name).
		Help("keep one of them").See(first.At, "the other marker")
}
