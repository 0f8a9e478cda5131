package generator

import (
	"slices"

	"github.com/crdproof/crdproof/generator/build"
	"github.com/crdproof/crdproof/rules"
	"github.com/crdproof/crdproof/rules/check"
)

// Checks is the table of all checks: those of CRDs, and those of how Go's JSON goes with them.
func Checks() check.Table { return slices.Concat(rules.Checks(), build.Checks()) }
