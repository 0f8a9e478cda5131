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
	"github.com/crdproof/crdproof/generator/lower/internal/node"
	"github.com/crdproof/crdproof/generator/lower/internal/options"
)

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
	advice      []diag.Diagnostic
	Deviations  []diag.Diagnostic
	// different are the values that are not what controller-gen would write, by their place.
	different map[diag.Span]difference
	// blamed are the places at which mistakes in imported packages were reported.
	blamed map[blamed]bool
	// leftOut is what is not enforced, by places in the user's code.
	leftOut []leftOut
	// Unsound is set once there was an error on the way to the current CRD, newly reported or not.
	Unsound bool
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
		blamed: map[blamed]bool{}, different: map[diag.Span]difference{},
	}}
}

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

// Mistake reports something that controller-gen accepts.
func (r Reporter) Mistake(d diag.Diagnostic) {
	shown := d
	if own, _ := r.OwnPlace(d.Span); own.IsValid() {
		shown.Span = own // where report shows it
	}
	if r.Opts.Tolerate || r.Opts.Policy.Ignores(shown) || r.Silenced(shown) {
		d.Severity = diag.Warning
	}
	r.Report(d)
}

// Warn reports something in the user's own types that works, but probably not as intended. It is reported only if there
// are no errors: they come first, and a warning about an incomplete schema may only follow from one. The schema of
// controller-gen lacks what the warnings depend on; for them, the generator builds crdproof's own too.
func (r Reporter) Warn(d diag.Diagnostic) {
	if !r.Opts.Compat && r.Program.Owns(d.Span) {
		d.Severity = diag.Warning
		r.advice = append(r.advice, d)
	}
}

// Report records a diagnostic. One about an imported package is reported at the user's field that leads there: one
// error and one warning for each type.
func (r Reporter) Report(d diag.Diagnostic) {
	d.Fatal = d.Severity == diag.Error
	r.Unsound = r.Unsound || d.Fatal
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
	d.Span = own
	d.Notes = nil // the way there may be that of the first place that used the type
	d = r.Reached(d)
	d.Message = "in type " + typ.Name + ": " + d.Message
	if d.Severity == diag.Error || d.HelpText == "" {
		d.HelpText = DescribeInstead
	}
	if instead := typ.Instead(); instead != "" {
		d.HelpText = "use " + instead
	}
	return d
}

// DescribeInstead is what helps against a mistake in an imported type.
const DescribeInstead = "describe the field with +kubebuilder:validation:Schemaless and " +
	"+kubebuilder:validation:Type instead of its type, or use another type"

// MeantField returns the field that a name in a OneOf marker means. controller-gen writes the name into CEL verbatim,
// so the name may be in CEL's form, where some fields are escaped (k8s.io/apiserver/pkg/cel, Escape).
func (r Reporter) MeantField(name string) string {
	if raw, ok := kubecel.Unescape(name); ok && !r.Opts.Compat {
		return raw
	}
	return name
}
