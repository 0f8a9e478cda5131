package read

import "github.com/crdproof/crdproof/diag"

// Checks returns the table of findings in a file that precede the validation of its CRDs.
func Checks() []*diag.Check {
	return []*diag.Check{syntax, template, templateSkipped, duplicate, renamed, noCRD, badType, unknown}
}

var (
	syntax          = &diag.Check{ID: "yaml-syntax", Severity: diag.Error, Verdict: true}
	template        = &diag.Check{ID: "yaml-template", Severity: diag.Error, Verdict: true}
	templateSkipped = &diag.Check{ID: "template-skipped", Severity: diag.Warning, Mistake: true}
	duplicate       = &diag.Check{ID: "yaml-duplicate", Severity: diag.Warning}
	renamed         = &diag.Check{ID: "yaml-key", Severity: diag.Warning}
	noCRD           = &diag.Check{ID: "crd-unknown", Severity: diag.Error, Verdict: true}
	badType         = &diag.Check{ID: "field-type", Severity: diag.Error, Verdict: true}
	unknown         = &diag.Check{ID: "field-unknown", Severity: diag.Warning}
)
