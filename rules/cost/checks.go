package cost

import "github.com/crdproof/crdproof/generator/diag"

// What is said of costs.
var (
	overBudget = &diag.Check{
		ID: "cel-cost", Severity: diag.Error, Verdict: true,
		Doc: "The estimated cost of a rule, multiplied by the number of values that it can be evaluated on, is " +
			"above 10,000,000. Lists, maps and strings without bounds count as large as a request can make them.",
		Bad: "// +kubebuilder:validation:XValidation:rule=\"self.all(x, self.exists_one(y, y == x))\"\n" +
			"Ports []int32 `json:\"ports,omitempty\"`",
		Good: "// +kubebuilder:validation:MaxItems=1024\n" +
			"// +kubebuilder:validation:XValidation:rule=\"self.all(x, self.exists_one(y, y == x))\"\nPorts []int32 " +
			"`json:\"ports,omitempty\"`",
	}
	messageOverBudget = &diag.Check{
		ID: "cel-cost-message", Severity: diag.Error, Verdict: true,
		Doc: "The estimated cost of a messageExpression is above 10,000,000. It is counted once, however many " +
			"values the rule is evaluated on. Texts made by string(…) have no length that the estimate knows of, so " +
			"that adding to one is beyond any budget.",
		Bad: "// +kubebuilder:validation:XValidation:rule=\"self < 10\",messageExpression=\"'not ' + " +
			"string(self)\"\nSize int32 `json:\"size\"`",
		Good: "// +kubebuilder:validation:XValidation:rule=\"self < 10\",messageExpression=\"'not " +
			"%d'.format([self])\"\nSize int32 `json:\"size\"`",
	}
	totalOverBudget = &diag.Check{
		ID: "cel-cost-total", Severity: diag.Error, Verdict: true,
		Doc: "The estimated costs of all rules and messageExpressions in the schema of a version add up to more " +
			"than 100,000,000, though each may be within its own budget.",
		Bad:  "Rules []Rule `json:\"rules,omitempty\"` // whose fields have twenty rules together",
		Good: "// +kubebuilder:validation:MaxItems=64\nRules []Rule `json:\"rules,omitempty\"`",
	}
	overShare = &diag.Check{
		ID: "cel-cost-share", Severity: diag.Warning,
		Doc: "The estimated cost of a rule or a messageExpression is above half of its budget, or the share that " +
			"costShare sets. What is added next, such as one more condition, may be one too many.",
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
