package helpers

import (
	"slices"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit/gocode"
	"github.com/crdproof/crdproof/rules"
	"github.com/crdproof/crdproof/schema"
)

// skipped is reported for a kind without helpers.
var skipped = &diag.Check{ID: "helpers-skipped", Severity: diag.Warning}

// A Report has the findings about one CRD.
type Report struct {
	CRD   *schema.CRD
	Found []diag.Diagnostic
	// IsExcluded is set if the CRD gets no helpers.
	IsExcluded bool
}

// Exclude excludes the CRDs that an API server rejects: their errors become warnings, and one more says that the
// helpers are missing. If no CRD remains, the errors stay. Errors about CRDs that servers accept become warnings.
func Exclude(reports []Report) {
	checks := rules.Checks()
	remaining := len(reports)
	for i, r := range reports {
		reports[i].IsExcluded = slices.ContainsFunc(r.Found, func(d diag.Diagnostic) bool {
			c := checks.Of(d.Check)
			return d.Severity == diag.Error && (c == nil || !c.Accepted)
		})
		if reports[i].IsExcluded {
			remaining--
		}
	}
	for i := range reports {
		r := &reports[i]
		if r.IsExcluded && remaining == 0 {
			continue
		}
		for j := range r.Found {
			r.Found[j].Severity = max(r.Found[j].Severity, diag.Warning)
		}
		if r.IsExcluded {
			r.Found = append(r.Found, diag.Warningf(r.CRD.At, skipped, "no helpers for %s: an API server rejects %s",
				r.CRD.Kind.V, r.CRD.ObjectName()).
				Help("fix what is reported about it, or write them anyway with helpers:unproved=true"))
		}
	}
}

// An exclusion says why a kind gets no helpers.
type exclusion struct {
	kind    string
	reasons []diag.Diagnostic
}

// exclude drops a kind whose helpers would not be right.
func (p *directory) exclude(kind string, reasons []diag.Diagnostic) {
	p.excluded = append(p.excluded, exclusion{kind, reasons})
}

// excludeUncompiled drops the kinds with a rule that cannot be compiled to Go.
func (p *directory) excludeUncompiled() {
	p.out.Kinds = slices.DeleteFunc(p.out.Kinds, func(k gocode.Kind) bool {
		alone := p.out
		alone.Kinds = []gocode.Kind{k}
		_, problems := gocode.Files(alone)
		if diag.HasErrors(problems) {
			p.exclude(k.CRD.Kind.V, problems)
			return true
		}
		return false
	})
}

// report returns a warning for each kind that was excluded, or the reasons if no kind remains.
func (e exclusion) report(remains bool) []diag.Diagnostic {
	if !remains {
		return e.reasons
	}
	d := e.reasons[0]
	d.Check, d.Severity = skipped.ID, diag.Warning
	d.Message = "no helpers for " + e.kind + ": " + d.Message
	return []diag.Diagnostic{d}
}
