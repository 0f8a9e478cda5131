package lower

import (
	"context"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/load"
)

// A run holds what is found while the CRDs of one program are made. All stages share it.
type run struct {
	ctx     context.Context
	program *load.Program
	opts    Options
	// silenced reports whether a declaration silences a mistake.
	silenced func(diag.Diagnostic) bool

	diagnostics []diag.Diagnostic
	advice      []diag.Diagnostic
	deviations  []diag.Diagnostic
	// different are the values that are not what controller-gen would write, by their place.
	different map[diag.Span]difference
	// blamed are the places at which mistakes in imported packages were reported.
	blamed map[blamed]bool
	// leftOut is what is not enforced, by places in the user's code.
	leftOut []leftOut
	// unsound is set once there was an error on the way to the current CRD, newly reported or not.
	unsound bool
}

// A setting is the place where a stage works, with what follows from it. It is copied on the way down, and never
// changed for the callers.
type setting struct {
	// step leads from a kind to what is being described, nil outside of all kinds.
	step *step
	// opaque is set in a type that a field marks as opaque: its tags have no effect.
	opaque bool
	// annotated names the declaration whose markers are being parsed.
	annotated string
}

// A step on the way from a kind to what is being described: a type, or a part of the current type's JSON form.
type step struct {
	outer *step
	typ   *typ
	part  string // "spec", "[]" for items, "{}" for a map's values
	at    diag.Span
}

// parts are the steps in JSON from the kind to what is being described, the kind first.
func (in setting) parts() []string {
	var out []string
	for _, s := range in.steps() {
		if s.typ == nil && s.part != "" {
			out = append(out, s.part)
		}
	}
	return out
}

// inRootMetadata reports whether what is being described is the metadata of a kind.
func (in setting) inRootMetadata() bool {
	way := in.parts()
	return len(way) == 2 && way[1] == "metadata"
}

// steps are the steps from the kind to what is being described.
func (in setting) steps() []*step {
	var out []*step
	for s := in.step; s != nil; s = s.outer {
		out = append(out, s)
	}
	slices.Reverse(out)
	return out
}

// ownPlace returns the innermost place in the user's own packages on the way to a place in an imported one, and the
// imported type that it names.
func (in setting) ownPlace(at diag.Span) (own diag.Span, foreign *typ) {
	var named *step // that names the foreign type
	for s := in.step; s != nil; s = s.outer {
		switch {
		case s.typ == nil:
			if foreign != nil && named == nil {
				named = s
			}
		case s.typ.decl == nil:
		case !s.typ.decl.Pkg.Own:
			foreign, named = s.typ, nil
		case foreign == nil || at.Source == s.typ.decl.At.Source:
			return diag.Span{}, nil
		case named == nil:
			return diag.Span{}, foreign
		default:
			return named.at, foreign
		}
	}
	return diag.Span{}, nil
}

// A reporter records findings at a place. All stages are made of one.
type reporter struct {
	*run
	setting
}

// newReporter returns a reporter outside of all kinds.
func newReporter(ctx context.Context, program *load.Program, opts Options) reporter {
	return reporter{run: &run{
		ctx: ctx, program: program, opts: opts,
		blamed: map[blamed]bool{}, different: map[diag.Span]difference{},
	}}
}

// within is a reporter for a part of the current type.
func (r reporter) within(part string, at diag.Span) reporter {
	r.step = &step{outer: r.step, part: part, at: at}
	return r
}

// inside is a reporter for the parts of a type.
func (r reporter) inside(t *typ) reporter {
	r.step = &step{outer: r.step, typ: t}
	return r
}

// mistake reports something that controller-gen accepts.
func (r reporter) mistake(d diag.Diagnostic) {
	shown := d
	if own, _ := r.ownPlace(d.Span); own.IsValid() {
		shown.Span = own // where report shows it
	}
	if r.opts.Tolerate || r.opts.Policy.Ignores(shown) || r.silenced(shown) {
		d.Severity = diag.Warning
	}
	r.report(d)
}

// warn reports something in the user's own types that works, but probably not as intended. It is reported only if there
// are no errors: they come first, and a warning about an incomplete schema may only follow from one. The schema of
// controller-gen lacks what the warnings depend on; for them, the generator builds crdproof's own too.
func (r reporter) warn(d diag.Diagnostic) {
	if !r.opts.Compat && r.program.Owns(d.Span) {
		d.Severity = diag.Warning
		r.advice = append(r.advice, d)
	}
}

// report records a diagnostic. One about an imported package is reported at the user's field that leads there: one
// error and one warning for each type.
func (r reporter) report(d diag.Diagnostic) {
	d.Fatal = d.Severity == diag.Error
	r.unsound = r.unsound || d.Fatal
	own, typ := r.ownPlace(d.Span)
	if !own.IsValid() {
		r.diagnostics = append(r.diagnostics, d)
		return
	}
	if typ.wrong[d.Severity] == nil {
		typ.wrong[d.Severity] = &d
	}
	if key := (blamed{own, typ, d.Severity}); !r.blamed[key] {
		r.blamed[key] = true
		r.diagnostics = append(r.diagnostics, r.elsewhere(d, own, typ))
	}
}

// blamed is a place in the user's code at which a mistake in an imported type was reported.
type blamed struct {
	at       diag.Span
	typ      *typ
	severity diag.Severity
}

// way describes the path of fields that leads to what is being described.
func (r reporter) way() string {
	var out strings.Builder
	for _, part := range r.parts() {
		if out.Len() > 0 && part != "[]" && part != "{}" {
			out.WriteByte('.')
		}
		out.WriteString(part)
	}
	return out.String()
}

// reached adds the path to a diagnostic.
func (r reporter) reached(d diag.Diagnostic) diag.Diagnostic {
	if way := r.way(); way != "" {
		d.Notes = append(d.Notes, "reached through "+way)
	}
	return d
}

// elsewhere restates a diagnostic about a type of another package at the user's own field.
func (r reporter) elsewhere(d diag.Diagnostic, own diag.Span, typ *typ) diag.Diagnostic {
	d.SeeAlso = append(related(d.Span, d.Message), d.SeeAlso...)
	d.Span = own
	d.Notes = nil // the way there may be that of the first place that used the type
	d = r.reached(d)
	d.Message = "in type " + typ.name + ": " + d.Message
	if d.Severity == diag.Error || d.HelpText == "" {
		d.HelpText = describeInstead
	}
	if instead := typ.instead(); instead != "" {
		d.HelpText = "use " + instead
	}
	return d
}

// describeInstead is what helps against a mistake in an imported type.
const describeInstead = "describe the field with +kubebuilder:validation:Schemaless and " +
	"+kubebuilder:validation:Type instead of its type, or use another type"

// instead names the type of Kubernetes' libraries to use in place of one of Go's.
func (t *typ) instead() string {
	switch t.name {
	case "time.Time":
		return "metav1.Time"
	case "url.URL":
		return "a string"
	case "big.Int", "big.Float", "big.Rat":
		return "resource.Quantity"
	}
	return ""
}
