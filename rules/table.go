package rules

import (
	"slices"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/rules/absence"
	"github.com/crdproof/crdproof/rules/check"
	"github.com/crdproof/crdproof/rules/cost"
	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/rules/size"
	"github.com/crdproof/crdproof/rules/structural"
)

// idServer is the id of what the API server's own code finds and no check of ours.
const idServer = "api-server"

// Checks is the table of all checks, in the order of the reference.
func Checks() []*diag.Check { return table() }

func table() check.Table {
	return slices.Concat(structural.Checks(), expr.Checks(), absence.Checks(), cost.Checks(), size.Checks(), []*diag.Check{{
		ID: idServer, Severity: diag.Error, Verdict: true,
		Doc: "The API server's own code refuses the CRD for a reason that no other check foresees. The message is the server's.",
	}})
}
