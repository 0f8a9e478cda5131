package sample

import "github.com/crdproof/crdproof/diag"

// The checks of objects are mistakes: no policy silences what an API server reports.
var (
	wrongField    = &diag.Check{ID: "object-field", Mistake: true, Result: true}
	undeclared    = &diag.Check{ID: "object-field-unknown", Mistake: true, MayWarn: true}
	duplicated    = &diag.Check{ID: "object-field-duplicate", Mistake: true, MayWarn: true}
	wrongKind     = &diag.Check{ID: "object-kind", Mistake: true, Result: true}
	wrongVersion  = &diag.Check{ID: "object-version", Mistake: true, MayWarn: true}
	rejectedWhole = &diag.Check{ID: "object-refused", Mistake: true, Result: true}
	warning       = &diag.Check{ID: "object-warning", Severity: diag.Warning, Mistake: true}
	undecodable   = &diag.Check{ID: "object-undecodable", Severity: diag.Warning, Mistake: true}
	unstorable    = &diag.Check{ID: "object-stored", Mistake: true, MayWarn: true}
)

// Checks returns the table of findings about objects.
func Checks() []*diag.Check {
	return []*diag.Check{
		wrongField, undeclared, duplicated, wrongKind, wrongVersion, rejectedWhole, warning, undecodable,
		unstorable,
	}
}
