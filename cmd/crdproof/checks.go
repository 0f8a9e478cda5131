package main

import "github.com/crdproof/crdproof/generator/diag"

var undefinedOption = &diag.Check{
	ID: "option-unknown", Mistake: true,
	Doc: "A word on the command line is neither an option, a generator nor a command. Nothing is done.",
}

// ruleLoad is for packages that cannot be read at all.
const ruleLoad = "load"
