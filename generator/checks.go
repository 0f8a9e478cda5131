package generator

import (
	"slices"

	"github.com/crdproof/crdproof/generator/build"
	"github.com/crdproof/crdproof/generator/read"
	"github.com/crdproof/crdproof/rules"
	"github.com/crdproof/crdproof/rules/check"
)

// Checks is the table of all checks: those of CRDs, of how Go's JSON goes with them, and of the files that they stand in.
func Checks() check.Table { return slices.Concat(rules.Checks(), build.Checks(), read.Checks()) }
