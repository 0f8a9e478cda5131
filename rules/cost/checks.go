package cost

import "github.com/crdproof/crdproof/diag"

// The checks of costs.
var (
	overBudget = &diag.Check{
		ID: "cel-cost", Severity: diag.Error, Verdict: true,
		Doc: "The estimated cost of a rule, multiplied by the number of values that it can run on, is above " +
			"10,000,000. Lists, maps and strings without bounds count as large as a request allows.",
		Bad: "// +kubebuilder:validation:XValidation:rule=\"self.all(x, self.exists_one(y, y == x))\"\n" +
			"Ports []int32 `json:\"ports,omitempty\"`",
		Good: "// +kubebuilder:validation:MaxItems=1024\n" +
			"// +kubebuilder:validation:XValidation:rule=\"self.all(x, self.exists_one(y, y == x))\"\nPorts []int32 " +
			"`json:\"ports,omitempty\"`",
	}
	messageOverBudget = &diag.Check{
		ID: "cel-cost-message", Severity: diag.Error, Verdict: true,
		Doc: "The estimated cost of a messageExpression is above 10,000,000. It counts once, no matter how many " +
			"values the rule runs on. The result of string() has no estimated length, so adding to it exceeds " +
			"every budget.",
		Bad: "// +kubebuilder:validation:XValidation:rule=\"self < 10\",messageExpression=\"'not ' + " +
			"string(self)\"\nSize int32 `json:\"size\"`",
		Good: "// +kubebuilder:validation:XValidation:rule=\"self < 10\",messageExpression=\"'not " +
			"%d'.format([self])\"\nSize int32 `json:\"size\"`",
	}
	totalOverBudget = &diag.Check{
		ID: "cel-cost-total", Severity: diag.Error, Verdict: true,
		Doc: "The estimated costs of all rules and messageExpressions in the schema of a version add up to more " +
			"than 100,000,000, although each may be within its own budget.",
		Bad:  "Rules []Rule `json:\"rules,omitempty\"` // with twenty rules on its fields",
		Good: "// +kubebuilder:validation:MaxItems=64\nRules []Rule `json:\"rules,omitempty\"`",
	}
	overShare = &diag.Check{
		ID: "cel-cost-share", Severity: diag.Warning,
		Doc: "The estimated cost of a rule or a messageExpression is above half of its budget, or above the share " +
			"that costShare sets. One more condition may exceed the budget.",
		Bad: "// +kubebuilder:validation:items:XValidation:rule=\"self.size() > 2 && self.size() < 10\"\n" +
			"Names []string `json:\"names,omitempty\"`",
		Good: "// +kubebuilder:validation:MaxItems=1024\n" +
			"// +kubebuilder:validation:items:XValidation:rule=\"self.size() > 2 && self.size() < 10\"\nNames " +
			"[]string `json:\"names,omitempty\"`",
	}
)

// Checks is the table of this package's checks.
func Checks() []*diag.Check {
	return []*diag.Check{overBudget, messageOverBudget, totalOverBudget, overShare}
}
