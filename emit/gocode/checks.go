package gocode

import "github.com/crdproof/crdproof/generator/diag"

// notInGo is the check of rules that have no form in Go.
var notInGo = &diag.Check{
	ID: "cel-go", Mistake: true,
	Doc: "The helpers of a CRD cannot be written, since an expression of a rule cannot be compiled to Go.",
}

// Checks is the table of what keeps helpers from being written.
func Checks() []*diag.Check { return []*diag.Check{notInGo} }
