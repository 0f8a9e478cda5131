package rules

import (
	"slices"

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
var Server = &diag.Check{
	ID: "api-server", Severity: diag.Error, Verdict: true,
	Doc: "The API server's own code rejects the CRD for a reason that no other check explains. The message is the " +
		"server's.",
}

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
	found := func(v *session.Version) []diag.Diagnostic {
		return session.Memo(p.Session, absences{v}, func() []diag.Diagnostic {
			structure, _ := v.Structure() // there is one, which is what the row needs
			return absence.Check(p.Context(), structure, v.Rules())
		})
	}
	if len(found(p.Session.Like(p.Version))) > 0 { // which differs from what is found here in the places at most
		p.Report(found(p.Version)...)
	}
}

func checkVacuous(p *session.Pass) {
	if p.Session.Like(p.Version) == p.Version {
		structure, _ := p.Version.Structure()
		p.Report(vacuous.Check(p.Context(), structure, p.Version.Rules(), p.Write())...)
	}
}

// absences is the key under which the findings of package absence are kept for a version.
type absences struct{ *session.Version }
