package structural

import (
	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/regular"
	"github.com/crdproof/crdproof/rules/session"
)

// patternRows returns the checks of regular expressions.
func patternRows() []session.Row {
	return []session.Row{
		explained(diag.Check{ID: "pattern-invalid"},
			reason{"pattern", invalid, "must be a valid regular expression*", explainPattern}),
	}
}

func explainPattern(r *rejection) {
	p := r.Schema.Pattern
	fault := regular.FaultOf(p.V)
	r.errorf(p.Range(fault.Start, fault.End), "invalid pattern: %s", fault.Why).Help("%s", fault.Help)
}
