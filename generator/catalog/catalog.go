// Package catalog joins the tables of checks of all packages: every id that a finding can have is in it.
package catalog

import (
	"slices"

	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/generator/arguments"
	"github.com/crdproof/crdproof/generator/config"
	"github.com/crdproof/crdproof/generator/crds"
	"github.com/crdproof/crdproof/generator/input"
	"github.com/crdproof/crdproof/generator/stage"
	"github.com/crdproof/crdproof/generator/stale"
	"github.com/crdproof/crdproof/generator/tools"
	"github.com/crdproof/crdproof/generator/verify"
	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/rules/check"
	"github.com/crdproof/crdproof/rules/diff"
	"github.com/crdproof/crdproof/rules/sample"
	"github.com/crdproof/crdproof/rules/suite"
)

// Checks returns the checks of all packages, in the order of the reference.
func Checks() check.Table {
	return slices.Concat(
		generator.Checks(), crds.Checks(), input.Checks(), arguments.Checks(), config.Checks(), tools.Checks(),
		stale.Checks(), verify.Checks(), stage.Checks(), sample.Checks(), suite.Checks(), diff.Checks(), effort.Checks(),
	)
}
