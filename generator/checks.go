package generator

import (
	"slices"

	"github.com/crdproof/crdproof/generator/describe"
	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/helpers"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/generator/lower"
	"github.com/crdproof/crdproof/generator/read"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/rules"
	"github.com/crdproof/crdproof/rules/check"
)

// Checks is the table of all checks: those of CRDs, of how Go's JSON goes with them, of the files that they are in, of
// descriptions that are left out, of markers, of Go packages, and of what is asked for.
func Checks() check.Table {
	return slices.Concat(
		rules.Checks(), lower.Checks(), read.Checks(), describe.Checks(), markers.Checks(), load.Checks(),
		helpers.Checks(),
		[]*diag.Check{check.Ignore, unproved},
	)
}
