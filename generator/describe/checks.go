package describe

import "github.com/crdproof/crdproof/diag"

var (
	tooSmall         = &diag.Check{ID: "crd-budget", Severity: diag.Error}
	unmatchedPattern = &diag.Check{ID: "crd-descriptions", Severity: diag.Warning}
)

// Checks returns the table of the checks of descriptions.
func Checks() []*diag.Check { return []*diag.Check{tooSmall, unmatchedPattern} }
