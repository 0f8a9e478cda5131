package diff

import "github.com/crdproof/crdproof/diag"

// checks are those of the findings, in the order of the questions.
var checks = [...]*diag.Check{
	Create:     {ID: "diff-create", Severity: diag.Warning, Mistake: true, MayWarn: true, Result: true},
	Stored:     {ID: "diff-stored", Severity: diag.Warning, Mistake: true, MayWarn: true, Result: true},
	Kept:       {ID: "diff-kept", Severity: diag.Warning, Mistake: true, MayWarn: true, Result: true},
	Meaning:    {ID: "diff-meaning", Severity: diag.Warning, Mistake: true, MayWarn: true, Result: true},
	Readers:    {ID: "diff-readers", Severity: diag.Warning, Mistake: true, MayWarn: true, Result: true},
	Definition: {ID: "diff-crd", Severity: diag.Warning, Mistake: true, MayWarn: true, Result: true},
}

var silence = &diag.Check{ID: "diff-silence", Severity: diag.Warning, Mistake: true, MayWarn: true}

var stale = &diag.Check{ID: "diff-stale", Severity: diag.Error, Mistake: true, MayWarn: true}

// Checks returns the table of findings about changes of CRDs.
func Checks() []*diag.Check { return append(checks[:len(checks):len(checks)], silence, stale) }
