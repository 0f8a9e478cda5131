package load

import "github.com/crdproof/crdproof/diag"

// The mistakes in Go packages that are found before their types are read.
var (
	// Failed is the check of packages that cannot be listed or read at all.
	Failed = &diag.Check{
		ID: "load", Mistake: true,
		Doc: "The Go packages cannot be listed or read at all. The message is often that of the go command.",
	}
	// NotListed is the check of packages that are named or imported. A finding without a position is about the name.
	NotListed = &diag.Check{
		ID: "go-list", Mistake: true,
		Doc: "The go command does not find a package that is named or imported, or cannot read it.",
	}
	unreadable = &diag.Check{
		ID: "go-read", Mistake: true,
		Doc: "A Go file of a package cannot be read.",
	}
	// Syntax is the check of syntax errors. One mistake in a file can make several findings.
	Syntax = &diag.Check{
		ID: "go-syntax", Mistake: true,
		Doc: "A Go file does not parse.",
	}
	redeclared = &diag.Check{
		ID: "go-redeclared", Mistake: true,
		Doc: "A package declares a type twice.",
	}
)

// Checks returns the table of these mistakes.
func Checks() []*diag.Check { return []*diag.Check{Failed, NotListed, unreadable, Syntax, redeclared} }
