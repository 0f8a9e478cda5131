package main

import (
	"fmt"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/checkdoc"
	"github.com/crdproof/crdproof/rules/check"
)

// checksReference returns the user's reference of the checks in Markdown, in the order of the table.
func checksReference(table check.Table) string {
	var b strings.Builder
	b.WriteString("# Checks\n\n")
	b.WriteString("<!-- Written by `go test ./cmd/crdproof -run TestChecks -update` from the tables of the checks. " +
		"-->\n\n")
	b.WriteString("This page lists every check: what it reports, code that it reports, and code to write " +
		"instead.\n\n" +
		"- To silence a check everywhere, use `crd:ignore=<id>`, or `crdproof check --ignore=<id>` for files. A\n" +
		"  [settings file](configuration.md) does it for all commands, with a reason.\n" +
		"- To silence it at one type or field, use `+crdproof:ignore:check=<id>,reason=\"…\"`.\n" +
		"- To turn its warnings into errors, use `crd:fail=<id>`, or `crdproof check --fail=<id>`. `fail=all` turns all\n" +
		"  warnings into errors.\n\n" +
		"The help of a finding says what to write. If that changes what API servers do with objects, it ends with the\n" +
		"effect: `(accepts more objects: …)`, `(accepts fewer objects: …)`, `(may accept other objects: …)`, or\n" +
		"`(changes only the file)`. Without one, all objects are treated as before. Helps with other effects follow,\n" +
		"each after `or:`. JSON has the effect in `effect`, and the other helps in `or`.\n\n" +
		"The table shows the severity of each check:\n\n" +
		"- *error*, *warning*: the CRD does not work as intended. You can silence these.\n" +
		"- *rejected*: the API server rejects the CRD. This is an error that cannot be silenced. To write the CRD\n" +
		"  anyway, use `crd:unproved=true`.\n" +
		"- *mistake*: a marker, a type or another input of crdproof is wrong. This is an error that cannot be " +
		"silenced.\n" +
		"- *tolerable mistake*: the same, but controller-gen accepts at least some of them.\n" +
		"  `crd:mistakes=warn` turns these into warnings, and they can be silenced.\n\n")
	b.WriteString("It also shows whom the findings hurt. Some warnings hurt only a group. Its name takes the place of\n" +
		"their ids in `ignore` and `fail`, but not in a marker. Text has it after `hurts:`, and JSON in `hurts`,\n" +
		"where all other warnings have `every-user`:\n\n")
	for _, g := range diag.Groups() {
		counted := ""
		if g.Unlisted {
			counted = " They are only counted."
		}
		fmt.Fprintf(&b, "- *%s* (%s): these warnings concern only %s.%s\n", g.ID, g.Who, g.Doc, counted)
	}
	b.WriteString("\nThe table has the group of most findings of a check. Single findings may belong to another one: for\n" +
		"example, those about fields that only an old version has.\n\n" +
		"A report does not list the warnings that are only counted. Its last lines have their numbers by check, and\n" +
		"`--all` prints them. JSON has their number in `unlisted`. One that `fail` makes an error is always printed.\n")
	b.WriteString("\nFindings that have one cause are one finding with several places. JSON has the others in `places`.\n" +
		"\n| Check | Severity | Hurts | Meaning |\n|---|---|---|---|\n")
	pages := checkdoc.Pages()
	for _, c := range table {
		fmt.Fprintf(&b, "| [`%s`](#%s) | %s | %s | %s |\n", c.ID, c.ID, effectOf(c), hurtBy(c), pages[c.ID].Doc)
	}
	for _, c := range table {
		p := pages[c.ID]
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", c.ID, p.Doc)
		if p.Hurts != "" {
			fmt.Fprintf(&b, "\n- Whom it hurts: %s\n- Ignore it if %s.\n", p.Hurts, p.Unless)
		}
		if p.Bad == "" {
			continue
		}
		fmt.Fprintf(&b, "\n```%s\n%s\n```\n\nInstead:\n\n```%s\n%s\n```\n",
			languageOf(p.Bad), p.Bad, languageOf(p.Good), p.Good)
	}
	return b.String()
}

// effectOf is what a finding does, in words.
func effectOf(c *diag.Check) string {
	switch {
	case c.Verdict:
		return "rejected"
	case c.Mistake && c.Severity == diag.Error && c.CanWarn():
		return "tolerable mistake"
	case c.Mistake && c.Severity == diag.Error:
		return "mistake"
	}
	return c.Severity.String()
}

// hurtBy names whom the findings of a check hurt.
func hurtBy(c *diag.Check) string {
	if c.Group != nil {
		return c.Group.ID
	}
	return "every user"
}

// languageOf is the language of an example: Go, or YAML if Go cannot express the mistake.
func languageOf(example string) string {
	first, _, _ := strings.Cut(example, "\n")
	if key, _, ok := strings.Cut(first, ":"); ok && key != "" &&
		strings.Trim(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-") == "" {
		return "yaml"
	}
	return "go"
}
