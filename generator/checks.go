package generator

import (
	"slices"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/describe"
	"github.com/crdproof/crdproof/generator/helpers"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/generator/lower"
	"github.com/crdproof/crdproof/generator/overlay"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/rules"
	"github.com/crdproof/crdproof/rules/check"
	"github.com/crdproof/crdproof/schema/read"
)

// Checks returns the checks of this package and of those below it: of CRDs, Go's JSON, files, descriptions, markers, Go
// packages and options.
func Checks() check.Table {
	return slices.Concat(
		rules.Checks(), lower.Checks(), read.Checks(), describe.Checks(), markers.Checks(), load.Checks(),
		helpers.Checks(), overlay.Checks(),
		[]*diag.Check{check.Ignore, unproved, rules.NotValidated, fileName},
	)
}
