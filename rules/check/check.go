// Package check is what all checks have in common: the row that describes one in the reference.
package check

import "github.com/crdproof/crdproof/generator/diag"

// A Check is one thing that is looked for in a CRD. Its findings are diagnostics whose Rule is the ID.
type Check struct {
	// ID is stable: lower-case words joined by dashes.
	ID string
	// Severity is that of its findings: Error where the API server refuses the CRD or every write of an object would fail,
	// Warning for what is accepted and broken in some other way.
	Severity diag.Severity
	// Verdict reports that an API server refuses what the check finds: it only says better what the server would say, and
	// cannot be silenced.
	Verdict bool
	// Older reports that it is the servers of older versions than the library's that refuse it.
	Older bool
	// Accepted reports that API servers accept what the check finds, though objects are refused because of it: an Error only
	// where that is every object.
	Accepted bool
	// Doc says what is found and why it matters, in one or two sentences.
	Doc string
	// Bad is a line or a few lines of Go that the check finds, of YAML where Go cannot say it: of a CRD, or the schema of a field. Good
	// is what to write instead.
	Bad, Good string
}
