package suite

import "github.com/crdproof/crdproof/generator/diag"

// What is wrong with a suite, or found out about it.
var (
	badSyntax = &diag.Check{
		ID: "suite-syntax", Mistake: true,
		Doc: "The file is no suite, or something in it is of another type than a suite has there.",
		Bad: "initial:\n  apiVersion: example.com/v1", Good: "initial: |\n  apiVersion: example.com/v1",
	}
	badKey = &diag.Check{
		ID: "suite-key", Mistake: true,
		Doc: "A suite, a case or a patch lacks a key that it has to have, or has one that there is not.",
		Bad: "crdname: widgets.example.com", Good: "crdName: widgets.example.com",
	}
	cannotFind = &diag.Check{
		ID: "suite-crd", Mistake: true,
		Doc: "The CRD that the suite tests is not found, or it is open which of several it is.",
		Bad: "crdName: widget.example.com", Good: "crdName: widgets.example.com",
	}
	badVersion = &diag.Check{
		ID: "suite-version", Mistake: true,
		Doc: "The CRD does not have the version that the suite tests.",
		Bad: "version: v1beta2 # where the CRD has v1 and v1beta1", Good: "version: v1beta1",
	}
	badGate = &diag.Check{
		ID: "suite-gate", Mistake: true,
		Doc: "A feature gate that the suite asks for is unknown, or no variant of the CRD has the gates.",
		Bad: "featureGates: [Colour]", Good: "featureGates: [Color]",
	}
	badPatch = &diag.Check{
		ID: "suite-patch", Mistake: true,
		Doc: "A patch of initialCRDPatches does not apply to the CRD, or makes something of it that no API server " +
			"serves.",
		Bad: "path: spec/versions/0", Good: "path: /spec/versions/0",
	}
	sameName = &diag.Check{
		ID: "suite-twice", Severity: diag.Warning, Mistake: true,
		Doc: "Two cases of a list have one name, so that nothing tells them apart.",
	}
	notCovered = &diag.Check{
		ID: "suite-coverage", Severity: diag.Note, Mistake: true,
		Doc: "No case makes a rule or a validation of the CRD fail. It is told with --coverage.",
	}
	notUpdated = &diag.Check{
		ID: "suite-update", Mistake: true,
		Doc: "What a case should expect cannot be written into the suite with --update, or is another thing for each " +
			"variant of the CRD.",
	}
)

// What makes a case fail.
var (
	otherObject = &diag.Check{
		ID: "suite-expected", Mistake: true,
		Doc: "The API server has another object in the end than the case expects.",
	}
	otherRefusal = &diag.Check{
		ID: "suite-error", Mistake: true,
		Doc: "The API server refuses the write with another error than the case expects.",
	}
	isAccepted = &diag.Check{
		ID: "suite-accepted", Mistake: true,
		Doc: "The API server accepts a write that the case expects to be refused.",
	}
	isRefused = &diag.Check{
		ID: "suite-refused", Mistake: true,
		Doc: "The API server refuses a write that the case expects to be accepted.",
	}
	initialRefused = &diag.Check{
		ID: "suite-initial", Mistake: true,
		Doc: "The API server refuses the object that a case of onUpdate begins with, so that the update is not tested.",
	}
)

// Checks is the table of what is said about suites.
func Checks() []*diag.Check {
	return []*diag.Check{
		badSyntax, badKey, cannotFind, badVersion, badGate, badPatch, sameName, notCovered, notUpdated,
		otherObject, otherRefusal, isAccepted, isRefused, initialRefused,
	}
}
