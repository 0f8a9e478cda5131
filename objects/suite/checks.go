package suite

import "github.com/crdproof/crdproof/diag"

// Mistakes in suites, and what a run finds out about them.
var (
	badSyntax = &diag.Check{
		ID: "suite-syntax", Mistake: true,
		Doc: "The file is not a suite, or a value in it has the wrong type.",
	}
	badKey = &diag.Check{
		ID: "suite-key", Mistake: true, MayWarn: true,
		Doc:    "A suite, a case or a patch lacks a required key, or has an unknown one.",
		Hurts:  "Only you: the case does not test what it should.",
		Unless: "the key is for another tool",
	}
	cannotFind = &diag.Check{
		ID: "suite-crd", Mistake: true,
		Doc: "The CRD under test is not found, or there are several CRDs and the suite names none of them.",
	}
	badVersion = &diag.Check{
		ID: "suite-version", Mistake: true,
		Doc: "The CRD does not have the version that the suite tests.",
	}
	badGate = &diag.Check{
		ID: "suite-gate", Mistake: true, MayWarn: true,
		Doc:    "A feature gate of the suite is unknown, or no variant of the CRD has the gates.",
		Hurts:  "Only you: the cases do not run as meant.",
		Unless: "the gate is for another CRD",
	}
	badPatch = &diag.Check{
		ID: "suite-patch", Mistake: true,
		Doc: "A patch of initialCRDPatches cannot be applied to the CRD, or the API server rejects the patched CRD.",
	}
	sameName = &diag.Check{
		ID: "suite-twice", Severity: diag.Warning, Mistake: true,
		Doc:    "Two cases of a list have the same name, so a report cannot tell them apart.",
		Hurts:  "Only you: a report cannot tell the cases apart.",
		Unless: "the cases are meant to be equal",
	}
	notCovered = &diag.Check{
		ID: "suite-coverage", Severity: diag.Note, Mistake: true,
		Doc:    "No case makes a rule or a validation of the CRD fail. It is reported with --coverage.",
		Hurts:  "Only you: no case tests the rule.",
		Unless: "the rule needs no test",
	}
	notUpdated = &diag.Check{
		ID: "suite-update", Mistake: true,
		Doc: "The flag --update cannot write into the suite what a case should expect, or the variants of the CRD " +
			"need different expectations.",
	}
)

// What makes a case fail.
var (
	otherObject = &diag.Check{
		ID: "suite-expected", Mistake: true, Result: true,
		Doc: "The resulting object differs from the one that the case expects.",
	}
	otherError = &diag.Check{
		ID: "suite-error", Mistake: true, Result: true,
		Doc: "The API server rejects the write, but not with the error that the case expects.",
	}
	isAccepted = &diag.Check{
		ID: "suite-accepted", Mistake: true, Result: true,
		Doc: "The API server accepts a write that the case expects it to reject.",
	}
	isRejected = &diag.Check{
		ID: "suite-refused", Mistake: true, Result: true,
		Doc: "The API server rejects a write that the case expects it to accept.",
	}
	initialRejected = &diag.Check{
		ID: "suite-initial", Mistake: true, Result: true,
		Doc: "The API server rejects the initial object of a case of onUpdate, so the update is not tested.",
	}
)

// Checks returns the table of findings about suites.
func Checks() []*diag.Check {
	return []*diag.Check{
		badSyntax, badKey, cannotFind, badVersion, badGate, badPatch, sameName, notCovered, notUpdated,
		otherObject, otherError, isAccepted, isRejected, initialRejected,
	}
}
