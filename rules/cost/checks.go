package cost

import "github.com/crdproof/crdproof/diag"

// The checks of costs.
var (
	overBudget        = &diag.Check{ID: "cel-cost", Severity: diag.Error, Verdict: true}
	messageOverBudget = &diag.Check{ID: "cel-cost-message", Severity: diag.Error, Verdict: true}
	totalOverBudget   = &diag.Check{ID: "cel-cost-total", Severity: diag.Error, Verdict: true}
	overShare         = &diag.Check{ID: "cel-cost-share", Severity: diag.Warning, Group: diag.Future}
)

// Checks returns the table of this package's checks.
func Checks() []*diag.Check {
	return []*diag.Check{overBudget, messageOverBudget, totalOverBudget, overShare}
}
