package expr

import "github.com/crdproof/crdproof/diag"

// The mistakes in an expression.
var (
	compileFault = &diag.Check{ID: "cel-compile", Severity: diag.Error, Verdict: true}
	wrongType    = &diag.Check{ID: "cel-result", Severity: diag.Error, Verdict: true}
	tooNew       = &diag.Check{ID: "cel-version", Severity: diag.Error, Verdict: true, Older: true}
	uncorrelated = &diag.Check{ID: "cel-old-self", Severity: diag.Error, Verdict: true}
	idleOptional = &diag.Check{ID: "cel-optional-old-self", Severity: diag.Error, Verdict: true}
	hidden       = &diag.Check{ID: "cel-hidden", Severity: diag.Error, Verdict: true}
)

// Checks returns the table of this package's checks.
func Checks() []*diag.Check {
	return []*diag.Check{compileFault, wrongType, tooNew, uncorrelated, idleOptional, hidden}
}
