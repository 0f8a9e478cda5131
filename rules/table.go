package rules

import (
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/check"
	"github.com/crdproof/crdproof/rules/cost"
	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/rules/internal/absence"
	"github.com/crdproof/crdproof/rules/internal/confirmed"
	"github.com/crdproof/crdproof/rules/internal/vacuous"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/rules/size"
	"github.com/crdproof/crdproof/rules/structural"
)

// Server is the check of what the API server's own code finds and no check of ours explains.
var Server = &diag.Check{ID: "api-server", Severity: diag.Error, Verdict: true}

// Checks returns the table of all checks, in the order of the reference.
func Checks() check.Table {
	return slices.Concat(session.Checks(rows()), size.Checks(), []*diag.Check{namesClash, namesShared, Server})
}

// rows returns those of the checks that look at a CRD. Those of expressions come from what a version's rules are
// compiled to, and are found together.
func rows() []session.Row {
	return slices.Concat(
		structural.Rows(),
		family(expr.Checks(), session.EachRuled, func(p *session.Pass) { p.Report(p.Version.Faults()...) }),
		family(absence.Checks(), session.EachRuled, checkAbsence),
		family(vacuous.Checks(), session.EachRuled, checkVacuous),
		family(confirmed.Transitions(), session.EachRuled, confirmed.CheckTransitions),
		family(confirmed.Decoders(), session.EachSchema, confirmed.CheckDecoder),
		family(cost.Checks(), session.EachRuled, func(p *session.Pass) {
			opts := cost.Options{Share: p.Share, Owns: p.Owns}
			p.Report(cost.Check(p.Context(), p.Version.Estimates(), p.Version.Schema, p.Version.Index, opts)...)
		}),
	)
}

// family returns the rows of checks whose findings are made at once.
func family(list []*diag.Check, needs session.Needs, run func(*session.Pass)) []session.Row {
	out := make([]session.Row, len(list))
	for i, c := range list {
		out[i].Check = *c
	}
	out[0].Needs, out[0].Run = needs, run
	return out
}

func checkAbsence(p *session.Pass) {
	if len(absenceOf(p, p.Session.Like(p.Version))) == 0 { // what is found here differs in the places at most
		return
	}
	impossible := vacuousOf(p)
	p.Report(slices.DeleteFunc(slices.Clone(absenceOf(p, p.Version)), func(d diag.Diagnostic) bool {
		return slices.ContainsFunc(impossible, func(o diag.Diagnostic) bool { return isCause(&d, &o) })
	})...)
}

// checkVacuous reports a rule that is always false with the constant that makes it so.
func checkVacuous(p *session.Pass) {
	if p.Session.Like(p.Version) != p.Version {
		return
	}
	for _, d := range vacuousOf(p) {
		for _, cause := range absenceOf(p, p.Version) {
			if isCause(&cause, &d) {
				d = d.Note("%s", cause.Message)
				for _, other := range cause.SeeAlso {
					d = d.Note("%s", other.Message)
				}
				d.HelpText, d.Effect, d.Steps = cause.HelpText, cause.Effect, cause.Steps
			}
		}
		p.Report(d)
	}
}

// isCause reports whether a constant that a field never has makes a rule false for all values.
func isCause(constant, impossible *diag.Diagnostic) bool {
	_, at, _ := strings.Cut(constant.Path, "openAPIV3Schema")
	_, rule, _ := strings.Cut(impossible.Path, "openAPIV3Schema")
	isElsewhere := func(r diag.Related) bool { return !impossible.Span.Contains(r.Span) }
	return constant.Check == "cel-outside" && impossible.Check == "cel-impossible" && at == rule &&
		!slices.ContainsFunc(constant.SeeAlso, isElsewhere)
}

func absenceOf(p *session.Pass, v *session.Version) []diag.Diagnostic {
	return session.Memo(p.Session, absences{v}, func() []diag.Diagnostic {
		structure, _ := v.Structure() // there is one, which is what the row needs
		return absence.Check(p.Context(), structure, v.Rules())
	})
}

func vacuousOf(p *session.Pass) []diag.Diagnostic {
	v := p.Session.Like(p.Version)
	return session.Memo(p.Session, vacuities{v}, func() []diag.Diagnostic {
		structure, _ := v.Structure()
		return vacuous.Check(p.Context(), structure, v.Rules(), p.Write())
	})
}

// absences is the key under which the findings of package absence are kept for a version.
type absences struct{ *session.Version }

// vacuities is the key under which the findings of package vacuous are kept for a version.
type vacuities struct{ *session.Version }
