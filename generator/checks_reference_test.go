package generator_test

import (
	"fmt"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/rules/check"
)

// checksReference returns the user's reference of the checks in Markdown, in the order of the table.
func checksReference(table check.Table) string {
	var b strings.Builder
	b.WriteString("# Checks\n\n")
	b.WriteString("<!-- Written by `go test ./generator -run TestChecks -update` from the tables of the checks. -->\n\n")
	b.WriteString("What an API server *refuses* is always an error: no option and no marker silences it, and only " +
		"`crd:unproved=true` writes\n" +
		"the CRD all the same. Other checks are silenced with `crd:ignore=<id>`, or at one type or field with\n" +
		"`+crdproof:ignore:check=<id>,reason=\"…\"`; `crd:fail=<id>` makes errors of their warnings. For files it is " +
		"`crdproof check --ignore=<id> --fail=<id>`.\n" +
		"A *mistake* in what is written for crdproof, such as a marker or a type, is an error that nothing silences; " +
		"`crd:mistakes=warn`\n" +
		"makes warnings of those that controller-gen lets pass.\n\n")
	b.WriteString("| Check | Severity | Meaning |\n|---|---|---|\n")
	for _, c := range table {
		fmt.Fprintf(&b, "| [`%s`](#%s) | %s | %s |\n", c.ID, c.ID, effectOf(c), c.Doc)
	}
	for _, c := range table {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", c.ID, c.Doc)
		if c.Bad == "" {
			continue
		}
		fmt.Fprintf(&b, "\n```%s\n%s\n```\n\nInstead:\n\n```%s\n%s\n```\n",
			languageOf(c.Bad), c.Bad, languageOf(c.Good), c.Good)
	}
	return b.String()
}

// effectOf is what a finding does, in words.
func effectOf(c *diag.Check) string {
	switch {
	case c.Verdict:
		return "rejected"
	case c.Mistake:
		return "mistake"
	}
	return c.Severity.String()
}

// languageOf is what an example is written in: Go, or YAML where Go cannot say what is wrong.
func languageOf(example string) string {
	first, _, _ := strings.Cut(example, "\n")
	if key, _, ok := strings.Cut(first, ":"); ok && key != "" &&
		strings.Trim(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-") == "" {
		return "yaml"
	}
	return "go"
}
