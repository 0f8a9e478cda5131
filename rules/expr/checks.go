package expr

import "github.com/crdproof/crdproof/diag"

// The mistakes in an expression.
var (
	compileFault = &diag.Check{
		ID: "cel-compile", Severity: diag.Error, Verdict: true,
		Doc: "The CEL of a rule or of a messageExpression does not compile: it has a syntax error, an undeclared " +
			"name, or operands of the wrong types.",
	}
	wrongType = &diag.Check{
		ID: "cel-result", Severity: diag.Error, Verdict: true,
		Doc: "A rule must return a bool, and a messageExpression a string.",
	}
	tooNew = &diag.Check{
		ID: "cel-version", Severity: diag.Error, Verdict: true, Older: true,
		Doc: "A rule uses a function, a macro or syntax that the oldest versions of the range do not know. Their API " +
			"servers reject the CRD.",
	}
	uncorrelated = &diag.Check{
		ID: "cel-old-self", Severity: diag.Error, Verdict: true,
		Doc: "A rule uses oldSelf below a list whose old and new items cannot be matched. Only lists of type map " +
			"have keys to match items by.",
	}
	idleOptional = &diag.Check{
		ID: "cel-optional-old-self", Severity: diag.Error, Verdict: true,
		Doc: "The argument optionalOldSelf is only allowed for rules that use oldSelf.",
	}
	hidden = &diag.Check{
		ID: "cel-hidden", Severity: diag.Error, Verdict: true,
		Doc: "A rule is on a value without a type, which CEL cannot access.",
	}
)

// Checks returns the table of this package's checks.
func Checks() []*diag.Check {
	return []*diag.Check{compileFault, wrongType, tooNew, uncorrelated, idleOptional, hidden}
}
