// Package catalog joins the tables of checks of all packages: every id that a finding can have is in it.
package catalog

import (
	"slices"

	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/internal/cli/arguments"
	"github.com/crdproof/crdproof/internal/cli/baseline"
	"github.com/crdproof/crdproof/internal/cli/config"
	"github.com/crdproof/crdproof/internal/cli/extensions"
	"github.com/crdproof/crdproof/internal/cli/fix"
	"github.com/crdproof/crdproof/internal/cli/stale"
	"github.com/crdproof/crdproof/internal/cli/tools"
	"github.com/crdproof/crdproof/internal/cli/verify"
	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/internal/stage"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/objects/diff"
	"github.com/crdproof/crdproof/objects/sample"
	"github.com/crdproof/crdproof/objects/suite"
	"github.com/crdproof/crdproof/rules/check"
)

// Checks returns the checks of all packages, in the order of the reference.
func Checks() check.Table {
	return slices.Concat(
		generator.Checks(), crds.Checks(), input.Checks(), arguments.Checks(), extensions.Checks(), config.Checks(),
		baseline.Checks(), tools.Checks(), fix.Checks(), stale.Checks(), verify.Checks(), stage.Checks(),
		sample.Checks(), suite.Checks(), diff.Checks(),
		effort.Checks(),
	)
}
