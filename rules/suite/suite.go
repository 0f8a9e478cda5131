// Package suite tests CRDs with suites of cases, as the API repository of OpenShift keeps them: what an API server
// makes of an object when it is created or updated, or why it refuses it. No server runs; the answers are those of
// rules/server.
//
// What enters is files of suites, what leaves is an outcome for each case and, where it is asked for, what no case has
// tested and what the files should say. The steps, one file each:
//
//  1. parse.go reads a suite, keys.go says which keys it has, object.go what the texts of objects hold
//  2. crds.go finds the CRDs that it is about, gates.go which of several variants
//  3. run.go runs the cases in parallel, case.go one of them, patch.go changes its CRD, and compare.go says what
//     differs
//  4. constraints.go lists what CRDs demand, coverage.go what of it an object was refused for
//  5. update.go decides what a suite should expect, edit.go writes it into its text
//  6. report.go and junit.go write a report, for persons and for programs
//
// Test does all this inside of go test.
package suite

import (
	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
)

// A Suite is a file of cases.
type Suite struct {
	Source *diag.Source
	// Name is that of the suite, or of its file where it has none.
	Name string
	// CRDName is the name of the CRD under test, CRDFile a file beside the suite that holds it.
	CRDName, CRDFile schema.Text
	// Gates are feature gates that a variant of the CRD has to have or, after a dash, must not have.
	Gates []schema.Text
	// Version is the version under test, empty where the suite leaves it open.
	Version schema.Text
	// Cases are those of onCreate, then those of onUpdate.
	Cases []*Case
}

// A Case is one test of a suite.
type Case struct {
	Name schema.Text
	// At is where the case begins: its first key.
	At diag.Span
	// OnUpdate is set where an object is created and then updated.
	OnUpdate bool
	// Patches change the CRD under which Initial is created.
	Patches []Patch
	// Initial is created, Updated is what it is updated with. Expected is nil where the object itself is expected.
	Initial, Updated, Expected *Object
	// Error is a part of the error that is expected of the creation or the update, StatusError of the write of the
	// status. They are nil where none is expected.
	Error, StatusError *Field

	// node is the case in the tree of the file.
	node *schema.Value
}

// A Field is a text of a case.
type Field struct {
	schema.Text
	// Key is where its key stands.
	Key diag.Span
}

// A Patch is an operation of RFC 6902 on a CRD.
type Patch struct {
	At diag.Span
	// Op, Path and From are the operation's, JSON is all of it.
	Op, Path, From schema.Text
	JSON           []byte
}

// list is the key that a case stands under.
func (c *Case) list() string {
	if c.OnUpdate {
		return keyOnUpdate
	}
	return keyOnCreate
}
