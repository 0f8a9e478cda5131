package load

import "github.com/crdproof/crdproof/diag"

// The mistakes in Go packages that are found before their types are read.
var (
	// Failed is the check of packages that cannot be listed or read at all.
	Failed = &diag.Check{ID: "load", Mistake: true}
	// NotListed is the check of packages that are named or imported. A finding without a position is about the name.
	NotListed  = &diag.Check{ID: "go-list", Mistake: true}
	unreadable = &diag.Check{ID: "go-read", Mistake: true}
	// Syntax is the check of syntax errors. One mistake in a file can make several findings.
	Syntax     = &diag.Check{ID: "go-syntax", Mistake: true}
	redeclared = &diag.Check{ID: "go-redeclared", Mistake: true}
)

// Checks returns the table of these mistakes.
func Checks() []*diag.Check { return []*diag.Check{Failed, NotListed, unreadable, Syntax, redeclared} }
