// Package report records findings at the path from a kind to a declaration, and moves those about imported types to
// the user's field that leads there.
package report

import (
	"context"
	"go/types"
	"slices"
	"strings"

	kubecel "k8s.io/apiserver/pkg/cel"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/generator/lower/internal/checks"
	"github.com/crdproof/crdproof/generator/lower/internal/node"
	"github.com/crdproof/crdproof/generator/lower/internal/options"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/schema"
)

// Enforces reports whether the tags of a package mean what they mean in Kubernetes. Otherwise those that controller-gen
// knows mean what it reads in them, and the others nothing.
func (r Reporter) Enforces(pkg *load.Package) bool {
	return r.Opts.EnforcesTags() && (pkg.Own || r.Opts.Declarative)
}

// Deviate records that the CRD differs from controller-gen's because of something at a place.
func (r Reporter) Deviate(name string, at diag.Span) {
	if r.Opts.Deviations {
		r.Deviations = append(r.Deviations, options.NoteOn(name, at))
	}
}

// A difference is a deviation that one value causes.
type difference struct {
	name string
	at   diag.Span
}

// Differs records that the value at a place is not what controller-gen would write. It becomes a deviation if the value
// ends up in a CRD.
func (r Reporter) Differs(value diag.Span, name string, at diag.Span) {
	if r.Opts.Deviations {
		r.different[value] = difference{name, at}
	}
}

// DeviateIn records the deviations of the values of a finished node.
func (r Reporter) DeviateIn(s *schema.Schema) {
	if len(r.different) == 0 {
		return
	}
	note := func(value diag.Span) {
		if d, ok := r.different[value]; ok {
			r.Deviate(d.name, d.at)
		}
	}
	rows := schema.Keywords()
	for i := range rows {
		switch rows[i].Field.(type) {
		case schema.One[schema.Number], schema.One[schema.Value]:
			note(rows[i].At(s))
		}
	}
	for _, v := range s.Enum {
		note(v.At)
	}
}

// DeclOf returns the declaration of a type, nil for one that is not declared or was not read.
func (r Reporter) DeclOf(t types.Type) *load.TypeDecl {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return nil
	}
	if pkg := r.Program.PackageOf(named.Obj().Pkg()); pkg != nil {
		return pkg.Lookup(named.Obj().Name())
	}
	return nil
}

// A Run holds what is found while the CRDs of one program are made. All stages share it.
type Run struct {
	Ctx     context.Context
	Program *load.Program
	Opts    options.Options
	// Silenced reports whether a declaration silences a mistake.
	Silenced func(diag.Diagnostic) bool

	Diagnostics []diag.Diagnostic
	advice      []advice
	Deviations  []diag.Diagnostic
	// different are the values that are not what controller-gen would write, by their place.
	different map[diag.Span]difference
	// blamed are the places at which mistakes in imported packages were reported.
	blamed map[blamed]bool
	// placed are the markers that are carried to places below.
	placed placed
	// leftOut is what is not enforced, by places in the user's code.
	leftOut []leftOut
	// OfPart is set while a kind is described that is probably a part of other objects: API servers do not see its
	// schema, so mistakes in it are only counted.
	OfPart bool
	// current is the innermost declaration that is being read.
	current *declaration
}

// A declaration is a part of the source that is read by itself: a field, a type, the frame of a CRD.
type declaration struct{ doubt schema.Doubt }

// Advice is a warning about a declaration.
type advice struct {
	diag.Diagnostic
	about *declaration
}

// A setting is the place where a stage works, with what follows from it. It is copied on the way down, and never
// changed for the callers.
type setting struct {
	// Step leads from a kind to what is being described, nil outside of all kinds.
	Step *Step
	// Opaque is set in a type that a field marks as opaque: its tags have no effect.
	Opaque bool
	// Annotated names the declaration whose markers are being parsed.
	Annotated string
}

// A Step on the way from a kind to what is being described: a type, or a part of the current type's JSON form.
type Step struct {
	Outer *Step
	Typ   *node.Type
	Part  string // "spec", "[]" for items, "{}" for a map's values
	at    diag.Span
}

// Parts returns the steps in JSON from the kind to what is being described, the kind first.
func (in setting) Parts() []string {
	var out []string
	for _, s := range in.Steps() {
		if s.Typ == nil && s.Part != "" {
			out = append(out, s.Part)
		}
	}
	return out
}

// InRootMetadata reports whether what is being described is the metadata of a kind.
func (in setting) InRootMetadata() bool {
	way := in.Parts()
	return len(way) == 2 && way[1] == "metadata"
}

// Steps returns the steps from the kind to what is being described.
func (in setting) Steps() []*Step {
	var out []*Step
	for s := in.Step; s != nil; s = s.Outer {
		out = append(out, s)
	}
	slices.Reverse(out)
	return out
}

// OwnPlace returns the innermost place in the user's own packages on the way to a place in an imported one, and the
// imported type that it names.
func (in setting) OwnPlace(at diag.Span) (own diag.Span, foreign *node.Type) {
	var named *Step // that names the foreign type
	for s := in.Step; s != nil; s = s.Outer {
		switch {
		case s.Typ == nil:
			if foreign != nil && named == nil {
				named = s
			}
		case s.Typ.Decl == nil:
		case !s.Typ.Decl.Pkg.Own:
			foreign, named = s.Typ, nil
		case foreign == nil || at.Source == s.Typ.Decl.At.Source:
			return diag.Span{}, nil
		case named == nil:
			return diag.Span{}, foreign
		default:
			return named.at, foreign
		}
	}
	return diag.Span{}, nil
}

// A Reporter records findings at a place. All stages are made of one.
type Reporter struct {
	*Run
	setting
}

// New returns a reporter outside of all kinds.
func New(ctx context.Context, program *load.Program, opts options.Options) Reporter {
	return Reporter{Run: &Run{
		Ctx: ctx, Program: program, Opts: opts,
		blamed: map[blamed]bool{}, different: map[diag.Span]difference{}, current: &declaration{},
	}}
}

// Apart calls read for a declaration, and returns what the errors in it leave in doubt, newly reported or not. Errors
// in declarations that are read on the way do not count.
func (r Reporter) Apart(read func()) schema.Doubt {
	outer := r.current
	r.current = &declaration{}
	defer func() { r.current = outer }()
	read()
	return r.current.doubt
}

// DoubtOnly calls read for a part of the current declaration that decides no more than what most says.
func (r Reporter) DoubtOnly(most schema.Doubt, read func()) {
	before := r.current.doubt
	read()
	r.current.doubt = before | r.current.doubt&most
}

// Doubt records that an error in the current declaration was reported, or explains what is found in it.
func (r Reporter) Doubt(about schema.Doubt) { r.current.doubt |= about }

// Doubts returns what the errors in the current declaration leave in doubt so far.
func (r Reporter) Doubts() schema.Doubt { return r.current.doubt }

// Within returns a reporter for a part of the current type.
func (r Reporter) Within(part string, at diag.Span) Reporter {
	r.Step = &Step{Outer: r.Step, Part: part, at: at}
	return r
}

// Inside returns a reporter for the parts of a type.
func (r Reporter) Inside(t *node.Type) Reporter {
	r.Step = &Step{Outer: r.Step, Typ: t}
	return r
}

// Edited returns a finding about what a schema lacks: if the CRD files of the project have it, they are edited after
// generation, and the finding is only counted.
func (r Reporter) Edited(d diag.Diagnostic, lack schema.Lack) diag.Diagnostic {
	if r.Opts.Shipped == nil {
		return d
	}
	return edited(d, r.Opts.Shipped.Edited(r.Program.Dirs(), lack))
}

// Forked returns a finding about an unknown marker: another generator than controller-gen may know it.
func (r Reporter) Forked(d diag.Diagnostic) diag.Diagnostic {
	if r.Opts.Shipped == nil {
		return d
	}
	if fork := r.Opts.Shipped.Fork(r.Program.Dirs()); fork.Span.IsValid() {
		return edited(d, fork).CausedBy(fork.Span, "markers of another generator")
	}
	return d
}

func edited(d diag.Diagnostic, where diag.Related) diag.Diagnostic {
	if !where.Span.IsValid() {
		return d
	}
	d.Severity = diag.Warning
	return d.See(where.Span, "%s", where.Message).Hurting(diag.Edited)
}

// Mistake reports something that controller-gen accepts.
func (r Reporter) Mistake(d diag.Diagnostic) {
	shown := d
	if own, _ := r.OwnPlace(d.Span); own.IsValid() {
		shown.Span = own // where report shows it
	}
	if r.OfPart {
		d = d.Hurting(diag.Unlikely)
	}
	if r.OfPart || r.Opts.Tolerate || r.Opts.Policy.Ignores(shown) || r.Silenced(shown) {
		d.Severity = diag.Warning
		if d.HelpText != "" && d.Effect.Kind == diag.NoEffect { // files are written, without what is meant
			d.Effect.Kind = diag.AcceptsOther
		}
	} else if d.Severity == diag.Error && r.Opts.Policy.Forgives(shown) {
		d.Severity, d.Forgiven = diag.Warning, true
	}
	r.Report(d)
}

// Warn reports something in the user's own types that works, but probably not as intended. It is reported only if the
// declaration has no error, from which it may only follow. The schema of controller-gen lacks what the warnings depend
// on; for them, the generator builds crdproof's own too.
func (r Reporter) Warn(d diag.Diagnostic) {
	if !r.Opts.Compat && r.Program.Owns(d.Span) {
		d.Severity = diag.Warning
		r.advice = append(r.advice, advice{d, r.current})
	}
}

// Report records a diagnostic. One about an imported package is reported at the user's field that leads there: one
// error and one warning for each type.
func (r Reporter) Report(d diag.Diagnostic) {
	d.Fatal = d.Severity == diag.Error
	if d.Fatal {
		r.Doubt(schema.DoubtAll)
	}
	own, typ := r.OwnPlace(d.Span)
	if !own.IsValid() {
		r.Diagnostics = append(r.Diagnostics, d)
		return
	}
	if typ.Wrong[d.Severity] == nil {
		typ.Wrong[d.Severity] = &d
	}
	if key := (blamed{own, typ, d.Severity}); !r.blamed[key] {
		r.blamed[key] = true
		r.Diagnostics = append(r.Diagnostics, r.elsewhere(d, own, typ))
	}
}

// blamed is a place in the user's code at which a mistake in an imported type was reported.
type blamed struct {
	at       diag.Span
	typ      *node.Type
	severity diag.Severity
}

// way describes the path of fields that leads to what is being described.
func (r Reporter) way() string {
	var out strings.Builder
	for _, part := range r.Parts() {
		if out.Len() > 0 && part != "[]" && part != "{}" {
			out.WriteByte('.')
		}
		out.WriteString(part)
	}
	return out.String()
}

// Reached adds the path to a diagnostic.
func (r Reporter) Reached(d diag.Diagnostic) diag.Diagnostic {
	if way := r.way(); way != "" {
		d.Notes = append(d.Notes, "reached through "+way)
	}
	return d
}

// elsewhere restates a diagnostic about a type of another package at the user's own field.
func (r Reporter) elsewhere(d diag.Diagnostic, own diag.Span, typ *node.Type) diag.Diagnostic {
	d.SeeAlso = append(Related(d.Span, d.Message), d.SeeAlso...)
	if d.Cause == (diag.Related{}) {
		d = d.CausedBy(d.Span, d.Message)
	}
	d.Alternatives = slices.Clone(d.Alternatives)
	d.Steps = ofFields(d.Steps)
	for i := range d.Alternatives {
		d.Alternatives[i].Steps = ofFields(d.Alternatives[i].Steps)
	}
	d.Span = own
	d.Notes = nil // the way there may be that of the first place that used the type
	d = r.Reached(d)
	d.Message = "in type " + typ.Name + ": " + d.Message
	if d.Severity == diag.Error || d.HelpText == "" {
		d = d.Help(DescribeInstead)
	}
	if instead := typ.Instead(); instead != "" {
		d = d.Help("use %s", instead)
	}
	return d
}

// ofFields returns steps that can be done at the user's own field instead, nil if one of them cannot.
func ofFields(steps []diag.Step) []diag.Step {
	if slices.ContainsFunc(steps, func(s diag.Step) bool { return s.Action != diag.Add || s.At.IsValid() }) {
		return nil
	}
	return steps
}

// DescribeInstead is what helps against a mistake in an imported type.
const DescribeInstead = "add +kubebuilder:validation:Schemaless and +kubebuilder:pruning:PreserveUnknownFields to " +
	"the field: it then accepts any JSON"

// MeantField returns the field that a name in a OneOf marker means. controller-gen writes the name into CEL verbatim,
// so the name may be in CEL's form, where some fields are escaped (k8s.io/apiserver/pkg/cel, Escape).
func (r Reporter) MeantField(name string) string {
	if raw, ok := kubecel.Unescape(name); ok && !r.Opts.Compat {
		return raw
	}
	return name
}

// leftOut is what an imported type requires and the CRD does not, at the place in the user's code that leads there.
type leftOut struct {
	own  diag.Span
	typ  *node.Type
	what []string
	at   diag.Span
}

// Unenforced records that a marker in an imported package is not enforced.
func (r Reporter) Unenforced(m *markers.Marker) {
	what := m.At.Text()
	if r.Annotated != "" {
		what += " on " + r.Annotated
	}
	r.notEnforced(what, m.At)
}

// WrongTag reports a mistake in a marker for a part, or in a tag. In imported packages, which users cannot fix, it is
// reported as not enforced.
func (r Reporter) WrongTag(d diag.Diagnostic) {
	if r.Program.Owns(d.Span) {
		r.Mistake(d)
	} else {
		r.notEnforced(d.Message, d.Span)
	}
}

// notEnforced records what an imported type requires and a CRD cannot. It has no effect if no kind leads there, or if
// the type is opaque.
func (r Reporter) notEnforced(what string, at diag.Span) {
	if own, typ := r.OwnPlace(at); typ != nil && !r.Opaque {
		typ.Unenforced = append(typ.Unenforced, node.Unenforced{What: what, At: at})
		r.LeaveOut(own, typ, what, at)
	}
}

// LeaveOut adds to what is not enforced of a type. Each type is reported once a run, at the first place that leads to
// it.
func (r Reporter) LeaveOut(own diag.Span, t *node.Type, what string, at diag.Span) {
	if !own.IsValid() {
		return
	}
	for i := range r.leftOut {
		l := &r.leftOut[i]
		if l.typ.Decl != t.Decl { // the type is described anew for each CRD
			continue
		}
		if !slices.Contains(l.what, what) {
			l.what = append(l.what, what)
		}
		return
	}
	r.leftOut = append(r.leftOut, leftOut{own, t, []string{what}, at})
}

// Findings returns what was reported, without warnings about declarations with an error.
func (r Reporter) Findings() []diag.Diagnostic {
	out := r.Diagnostics
	for _, a := range r.advice {
		if a.about.doubt == 0 {
			out = append(out, a.Diagnostic)
		}
	}
	for _, l := range r.leftOut {
		out = append(out, diag.Warningf(l.own, checks.TagUnenforced, "a CRD cannot enforce this of type %s: %s",
			l.typ.Name, strings.Join(l.what, "; ")).
			Help("if you need it here, write a rule with +kubebuilder:validation:XValidation on this field").
			Changes(diag.AcceptsLess, "only those that satisfy it").
			See(l.at, "the first one"))
	}
	return out
}
