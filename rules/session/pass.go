package session

import (
	"context"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/schema"
)

// A Row is one check: its identity and documentation, what it looks at, and the function that does.
type Row struct {
	diag.Check
	// Needs is what Run is called for. A row may name several.
	Needs Needs
	// Run looks, and reports through the pass. Rows without it belong to the row before them, whose Run reports their
	// findings too.
	Run func(*Pass)
}

// Needs is what the Run of a row is called for.
type Needs uint8

const (
	// CRD is one pass for the CRD.
	CRD Needs = 1 << iota
	// EachVersion is one pass for each version, with Pass.Version.
	EachVersion
	// EachSchema is one pass for each place in the schema of each version, junctors included, with Pass.Version and
	// Pass.Place.
	EachSchema
	// EachRuled is one pass for each version that has rules and a structural schema, with Pass.Version and its
	// Structure: without it, no rules are compiled.
	EachRuled
	// EachRejection is one pass for each reason for which the API server rejects the CRD, with Pass.Rejection, and with
	// the Version and the Place that its field leads to.
	EachRejection
)

// Checks returns the checks of rows.
func Checks(rows []Row) []*diag.Check {
	var out []*diag.Check
	for i := range rows {
		out = append(out, &rows[i].Check)
	}
	return out
}

// A Pass is one look of a row at a CRD, at a version of it, or at one place of a version's schema. It is what a row's
// Run gets:
//
//	{Check: diag.Check{
//		ID: "multiple-of-zero", Accepted: true, Doc: "…",
//	}, Needs: EachSchema, Run: func(p *Pass) {
//		if m := p.Schema.MultipleOf; m != nil && m.V == "0" {
//			p.Reportf(p.At(m.At), p.Key("multipleOf"), "nothing is a multiple of 0").Help("write a number above 0")
//		}
//	}},
//
// Reportf fills in the id and the severity of the row. The embedded Session has the CRD, the range of versions (Kube),
// Write for help in the language of the source, and the object; Version has the structural schema, the compiled rules
// and their estimates, each computed when it is first asked for. Memo keeps what several passes need.
type Pass struct {
	*Session
	// Version is nil in a pass for the CRD.
	Version *Version
	// Place and its Schema are nil but for EachSchema, and for EachRejection in a schema.
	*schema.Place
	// Rejection is nil but for EachRejection.
	Rejection *Rejection

	ctx   context.Context
	row   *Row
	found *[]*diag.Diagnostic
}

// Context returns the context of the validation.
func (p *Pass) Context() context.Context { return p.ctx }

// Budget returns the budget for a limit, which all passes of the session share.
func (p *Pass) Budget(limit *effort.Limit) *effort.Budget {
	return Memo(p.Session, limit, func() *effort.Budget { return effort.New(p.ctx, limit) })
}

// Undecided reports what is not decided because the budget for a limit is exceeded, once for the CRD.
func (p *Pass) Undecided(limit *effort.Limit, what string) {
	if budget := p.Budget(limit); budget.Exceeded() {
		type undecided struct{ *effort.Limit }
		Memo(p.Session, undecided{limit}, func() bool {
			d := budget.Undecided(p.At(), what).In(p.Key(""))
			p.report(d)
			return true
		})
	}
}

// Key returns the path of a field of what the pass looks at, in the API server's notation: "spec.names.plural" of the
// CRD, "name" of a version, "type" or "items.type" of a schema; "" is the version or the schema itself.
func (p *Pass) Key(name string) string {
	if p.Version == nil {
		return name
	}
	if p.Place == nil {
		return p.Version.Key(name)
	}
	path := p.Version.Key("schema.openAPIV3Schema") + p.Path()
	if name == "" {
		return path
	}
	return path + "." + name
}

// At returns the first of the spans that is valid, or else the position of the place, the version or the CRD.
func (p *Pass) At(spans ...diag.Span) diag.Span {
	if p.Place != nil {
		spans = append(spans, p.Place.At())
	}
	if p.Version != nil {
		spans = append(spans, p.Version.At)
	}
	return diag.Nearest(append(spans, p.CRD.At)...)
}

// Reportf reports a finding about a field of the API object. What it returns completes it.
func (p *Pass) Reportf(at diag.Span, path, format string, args ...any) Finding {
	d := diag.Errorf(at, &p.row.Check, format, args...).In(path)
	d.Severity = p.row.Severity
	if p.Rejection != nil && p.Rejection.Path == path {
		d.ErrorType = string(p.Rejection.Err.Type)
	}
	return p.report(d)
}

// Report reports finished diagnostics, of this row or of those without Run behind it.
func (p *Pass) Report(list ...diag.Diagnostic) {
	for _, d := range list {
		p.report(d)
	}
}

func (p *Pass) report(d diag.Diagnostic) Finding {
	*p.found = append(*p.found, &d)
	return Finding{&d}
}

// A Finding is a diagnostic that has been reported, to be completed.
type Finding struct{ d *diag.Diagnostic }

// Help says what to write instead, in place of what it said before.
func (f Finding) Help(format string, args ...any) Finding {
	*f.d = f.d.Help(format, args...)
	return f
}

// Or adds another help.
func (f Finding) Or(format string, args ...any) Finding {
	*f.d = f.d.Or(format, args...)
	return f
}

// Changes sets the effect of the help.
func (f Finding) Changes(kind diag.EffectKind, format string, args ...any) Finding {
	*f.d = f.d.Changes(kind, format, args...)
	return f
}

// Do adds a step of the last help, at the place of the finding.
func (f Finding) Do(action diag.Action, text string) Finding {
	*f.d = f.d.Do(action, text)
	return f
}

// DoAt does what Do does, at another place.
func (f Finding) DoAt(action diag.Action, at diag.Span, text string) Finding {
	*f.d = f.d.DoAt(action, at, text)
	return f
}

// Meant asks whether a text was meant in place of what is at the place of the finding: see diag.Diagnostic.
func (f Finding) Meant(text string) Finding {
	*f.d = f.d.Meant(text)
	return f
}

// Write says to write a text there: see diag.Diagnostic.
func (f Finding) Write(text string) Finding {
	*f.d = f.d.Write(text)
	return f
}

// WriteKey says to write a key with its value, or a marker: see diag.Diagnostic.
func (f Finding) WriteKey(text string) Finding {
	*f.d = f.d.WriteKey(text)
	return f
}

// AddKey says to add a key with its value, or a marker: see diag.Diagnostic.
func (f Finding) AddKey(text string) Finding {
	*f.d = f.d.AddKey(text)
	return f
}

// DropKey says to remove a key or a marker: see diag.Diagnostic.
func (f Finding) DropKey(text string) Finding {
	*f.d = f.d.DropKey(text)
	return f
}

// See adds another place that matters; one that is not valid is left out.
func (f Finding) See(at diag.Span, format string, args ...any) Finding {
	*f.d = f.d.See(at, format, args...)
	return f
}

// CausedBy sets what the finding has in common with others of its check.
func (f Finding) CausedBy(at diag.Span, words string) Finding {
	*f.d = f.d.CausedBy(at, words)
	return f
}

// Hurting says that the finding is about a case in which it hurts only a group.
func (f Finding) Hurting(g *diag.Group) Finding {
	*f.d = f.d.Hurting(g)
	return f
}

// Also adds fields of the API object about which the API server says the same mistake again.
func (f Finding) Also(paths ...string) Finding {
	f.d.AlsoPaths = append(f.d.AlsoPaths, paths...)
	return f
}

// Run looks at the CRD with all rows, and returns their findings in no particular order. It ends early once the context
// has.
func (s *Session) Run(ctx context.Context, rows []Row) []diag.Diagnostic {
	var found []*diag.Diagnostic
	each := func(need Needs, p *Pass) {
		p.Session, p.ctx, p.found = s, ctx, &found
		for i := range rows {
			if p.row = &rows[i]; p.row.Run != nil && p.row.Needs&need != 0 && ctx.Err() == nil {
				p.row.Run(p)
			}
		}
	}
	each(CRD, &Pass{})
	for _, v := range s.Versions {
		each(EachVersion, &Pass{Version: v})
		schema.Walk(v.Schema, func(p *schema.Place) { each(EachSchema, &Pass{Version: v, Place: p}) })
		if v.Schema.HasRules() {
			if _, err := v.Structure(); err == nil {
				each(EachRuled, &Pass{Version: v})
			}
		}
	}
	for _, p := range s.rejections(ctx) {
		each(EachRejection, p)
	}
	out := make([]diag.Diagnostic, len(found))
	for i, d := range found {
		out[i] = *d
	}
	return out
}
