package cost

import "github.com/crdproof/crdproof/diag"

// The checks of costs.
var (
	overBudget = &diag.Check{
		ID: "cel-cost", Severity: diag.Error, Verdict: true,
		Doc: "The estimated cost of a rule, multiplied by the number of values that it can run on, is above " +
			"10,000,000. Lists, maps and strings without bounds count as large as a request allows.",
	}
	messageOverBudget = &diag.Check{
		ID: "cel-cost-message", Severity: diag.Error, Verdict: true,
		Doc: "The estimated cost of a messageExpression is above 10,000,000. It counts once, no matter how many " +
			"values the rule runs on. The result of string() has no estimated length, so adding to it exceeds " +
			"every budget.",
	}
	totalOverBudget = &diag.Check{
		ID: "cel-cost-total", Severity: diag.Error, Verdict: true,
		Doc: "The estimated costs of all rules and messageExpressions in the schema of a version add up to more " +
			"than 100,000,000, although each may be within its own budget.",
	}
	overShare = &diag.Check{
		ID: "cel-cost-share", Severity: diag.Warning, Group: diag.Future,
		Doc: "The estimated cost of a rule or a messageExpression is above half of its budget, or above the share " +
			"that costShare sets. One more condition may exceed the budget.",
		Hurts:  "No one yet. A later rule, or a larger bound, may make API servers reject the CRD.",
		Unless: "the rules are complete",
	}
)

// Checks returns the table of this package's checks.
func Checks() []*diag.Check {
	return []*diag.Check{overBudget, messageOverBudget, totalOverBudget, overShare}
}
