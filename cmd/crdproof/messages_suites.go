package main

import (
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
)

func badPattern(pattern string, err error) diag.Diagnostic {
	_, reason, _ := strings.Cut(err.Error(), "error parsing regexp: ")
	return optionError("put a backslash before a character that stands for itself, as in \\[", nil,
		"--run: %q is no regular expression: %s", pattern, reason)
}

func noFileToUpdate(src *diag.Source) diag.Diagnostic {
	return optionError("name the files of the suites", nil, "--update writes into suites, and %s is no file", src.Path)
}

func nothingSelected(pattern string, n int) diag.Diagnostic {
	return optionError("list them with -v", []string{"cases are called <suite>/onCreate/<case> and <suite>/onUpdate/<case>"},
		"--run=%s: no name of %s matches", pattern, counted(n, "case"))
}
