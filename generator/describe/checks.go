package describe

import "github.com/crdproof/crdproof/diag"

var (
	tooSmall = &diag.Check{
		ID: "crd-budget", Severity: diag.Error,
		Doc: "The CRD is larger than the budget of the option maxSize, even without descriptions. " +
			"If dropping descriptions is enough, a note says which ones were dropped.",
		Hurts:  "Everyone who installs the CRD where its size is limited.",
		Unless: "the budget is only a goal",
	}
	unmatchedPattern = &diag.Check{
		ID: "crd-descriptions", Severity: diag.Warning,
		Doc: "A pattern of the option dropDescriptions matches no package that a description of these CRDs comes " +
			"from.",
		Hurts:  "Only you: the option has no effect.",
		Unless: "the package is described by other CRDs",
	}
)

// Checks returns the table of the checks of descriptions.
func Checks() []*diag.Check { return []*diag.Check{tooSmall, unmatchedPattern} }
