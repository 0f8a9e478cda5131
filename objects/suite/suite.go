// Package suite runs suites of test cases for CRDs, in the format of OpenShift's API repository: what an API server
// makes of an object when it is created or updated, or why it rejects the object. No server runs; objects/write gives
// the answers.
//
// The input is files of suites. The output is an outcome for each case and, on request, what no case has tested and
// what the files should contain. The files:
//
//  1. parse.go reads a suite, keys.go defines its keys, object.go reads the texts of objects
//  2. crds.go finds the CRDs of a suite, gates.go selects one of several variants
//  3. run.go runs the cases in parallel, case.go runs one of them, patch.go changes its CRD, and compare.go reports
//     the differences
//  4. constraints.go lists what CRDs demand, coverage.go which of these constraints made a case fail
//  5. update.go decides what a suite should expect, edit.go writes it into the text of the suite
//  6. report.go and junit.go write reports for people and for programs
//
// Test does all this in go test.
package suite

import (
	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/schema"
)

// A Suite is a file of cases.
type Suite struct {
	Source *diag.Source
	// Name is that of the suite, or of its file if it has none.
	Name string
	// CRDName is the name of the CRD under test, CRDFile a file with CRDs, relative to the suite.
	CRDName, CRDFile schema.Text
	// Gates are feature gates that a variant of the CRD must have or, after a dash, must not have.
	Gates []schema.Text
	// Version is the version under test, empty if the suite does not say.
	Version schema.Text
	// Cases are those of onCreate, then those of onUpdate.
	Cases []*Case
}

// A Case is one test of a suite.
type Case struct {
	Name schema.Text
	// At is where the case begins: its first key.
	At diag.Span
	// OnUpdate is set if an object is created and then updated.
	OnUpdate bool
	// Patches change the CRD for the creation of Initial.
	Patches []Patch
	// Initial is created and then updated with Updated. Expected is nil if the case expects the object that is sent.
	Initial, Updated, Expected *Object
	// Error is a part of the expected error of the creation or the update, StatusError of the write of the status. They
	// are nil if no error is expected.
	Error, StatusError *Field

	// node is the case in the tree of the file.
	node *schema.Value
}

// A Field is a string in a case.
type Field struct {
	schema.Text
	// Key is the position of its key.
	Key diag.Span
}

// A Patch is an operation of RFC 6902 on a CRD.
type Patch struct {
	At diag.Span
	// Op, Path and From are keys of the operation, JSON is the whole operation.
	Op, Path, From schema.Text
	JSON           []byte
}

// list returns the key whose list has the case.
func (c *Case) list() string {
	if c.OnUpdate {
		return keyOnUpdate
	}
	return keyOnCreate
}
