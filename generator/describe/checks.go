package describe

import "github.com/crdproof/crdproof/diag"

var (
	tooSmall = &diag.Check{
		ID: "crd-budget", Severity: diag.Error,
		Doc: "The CRD is larger than the budget of the option maxSize, even without descriptions. " +
			"If dropping descriptions is enough, a note says which ones were dropped.",
	}
	unmatchedPattern = &diag.Check{
		ID: "crd-descriptions", Severity: diag.Warning,
		Doc: "A pattern of the option dropDescriptions matches no package that a description of these CRDs comes " +
			"from.",
	}
)

// Checks returns the table of the checks of descriptions.
func Checks() []*diag.Check { return []*diag.Check{tooSmall, unmatchedPattern} }
