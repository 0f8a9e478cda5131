package suite

import "github.com/crdproof/crdproof/diag"

// Mistakes in suites, and what a run finds out about them.
var (
	badSyntax  = &diag.Check{ID: "suite-syntax", Mistake: true}
	badKey     = &diag.Check{ID: "suite-key", Mistake: true, MayWarn: true}
	cannotFind = &diag.Check{ID: "suite-crd", Mistake: true}
	badVersion = &diag.Check{ID: "suite-version", Mistake: true}
	badGate    = &diag.Check{ID: "suite-gate", Mistake: true, MayWarn: true}
	badPatch   = &diag.Check{ID: "suite-patch", Mistake: true}
	sameName   = &diag.Check{ID: "suite-twice", Severity: diag.Warning, Mistake: true}
	notCovered = &diag.Check{ID: "suite-coverage", Severity: diag.Note, Mistake: true}
	notUpdated = &diag.Check{ID: "suite-update", Mistake: true}
)

// What makes a case fail.
var (
	otherObject     = &diag.Check{ID: "suite-expected", Mistake: true, Result: true}
	otherError      = &diag.Check{ID: "suite-error", Mistake: true, Result: true}
	isAccepted      = &diag.Check{ID: "suite-accepted", Mistake: true, Result: true}
	isRejected      = &diag.Check{ID: "suite-refused", Mistake: true, Result: true}
	initialRejected = &diag.Check{ID: "suite-initial", Mistake: true, Result: true}
)

// Checks returns the table of findings about suites.
func Checks() []*diag.Check {
	return []*diag.Check{
		badSyntax, badKey, cannotFind, badVersion, badGate, badPatch, sameName, notCovered, notUpdated,
		otherObject, otherError, isAccepted, isRejected, initialRejected,
	}
}
